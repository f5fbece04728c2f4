# SPDX-License-Identifier: MIT
"""Whatever a file holds, reading it ends, with a scene or a SceneError."""

from __future__ import annotations

import contextlib
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import limits, loads
from rigid2d.core.scene.text.yaml_reader import decode

from tests.search import tries

EVERYTHING = re.findall(
    r"^```yaml\n(.*?)^```",
    (Path(__file__).parents[2] / "docs" / "scene-format.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
BASES = [text if "rigid:" in text else f"rigid: 1\n{text}" for text in EVERYTHING]
PIECES = [
    *"{}[]:,-#&*!|>'\"%@`?=\n\t \\",
    *("null", "true", ".nan", "-.inf", "1e999", "-1", "0", "1e-320", "9" * 40, "~", "<<: *a"),
    *("&a ", "*a", "!x ", "=1/0", "=uniform(0,1)", "=i", "repeat: {i: 3}", "[]", "{}", "'2 s'"),
    *("bodies", "shape", "circle", "polygon", "position", "\x00", "\ufeff", "ä", "\U0001f600"),
]


def read(text: str) -> None:
    with contextlib.suppress(SceneError):
        loads(text)


@settings(max_examples=tries(50, 300), deadline=None)
@given(base=st.sampled_from(BASES), seed=st.integers(0, 2**32))
def test_a_scene_with_pieces_put_in_and_cut_out_is_read_or_refused(base: str, seed: int) -> None:
    choose = random.Random(seed)
    text = base
    for _ in range(choose.randint(1, 6)):
        start = choose.randint(0, len(text))
        end = min(len(text), start + choose.choice([0, 0, 1, 3, 10]))
        text = text[:start] + choose.choice(["", *PIECES]) + text[end:]
    read(text)


@settings(max_examples=tries(25, 150), deadline=None)
@given(base=st.sampled_from(BASES), seed=st.integers(0, 2**32))
def test_a_scene_with_another_value_somewhere_is_read_or_refused(base: str, seed: int) -> None:
    choose = random.Random(seed)
    values = list(re.finditer(r"(?<=: )[^,\n{}\[\]]+|(?<=[\[,] )[^,\n{}\[\]]+", base))
    place = choose.choice(values)
    read(base[: place.start()] + choose.choice(PIECES) + base[place.end() :])


@settings(max_examples=tries(25, 150), deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_refused(text: str) -> None:
    read(text)
    read(f"rigid: 1\n{text}")


@settings(max_examples=tries(25, 150), deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data: bytes) -> None:
    with contextlib.suppress(SceneError):
        loads(decode(data, "bytes"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: " + "x" * (limits.FILE_BYTES + 1), "8 MiB"),
        ("tags: " + "[" * 100, f"{limits.DEPTH} levels"),
        ("world: {steps: 1e9}", f"limit is {limits.STEPS}"),
        ("bodies: {a: {repeat: {i: 1e6}, shape: {circle: 1}}}", f"{limits.BODIES} bodies"),
        ("bodies: {a: {repeat: {i: 1e6}, when: =i < 0, shape: {circle: 1}}}", "turns"),
        (
            "vars:\n" + "".join(f"  v{i}: =v{i + 1}\n" for i in range(3000)) + "  v3000: 1",
            f"{limits.VAR_DEPTH} levels",
        ),
        ("vars: {a: '=" + "1+" * 400 + "1'}", f"limit is {limits.EXPRESSION_OPERATORS}"),
        ("vars: {a: =" + "1" * 3000 + "}", f"limit is {limits.EXPRESSION_LENGTH}"),
        (f"bodies: {{{'a' * 300}: {{shape: {{circle: 1}}}}}}", f"limit is {limits.NAME_LENGTH}"),
    ],
    ids=lambda value: value[-20:] if isinstance(value, str) else None,
)
def test_a_limit_is_named_in_its_error(text: str, words: str) -> None:
    assert_limited(text, words)


def assert_limited(text: str, words: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(f"rigid: 1\n{text}\n")
    assert any(words in problem.message for problem in caught.value.problems)
    assert all(problem.line > 0 for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("limit", "text", "many", "words"),
    [
        ("NODES", "tags: [TEXT]", 450_000, "values"),
        (
            "SHAPES",
            "bodies: {a: {repeat: {i: MANY}, shapes: [{circle: 1}, {circle: 1}, {circle: 1}]}}",
            90_000,
            "shapes",
        ),
        (
            "POINTS",
            "bodies: {a: {repeat: {i: MANY}, shape: {regular_polygon: {sides: 64, radius: 1}}}}",
            90_000,
            "points",
        ),
        (
            "EXPRESSION_WORK",
            "bodies: {a: {repeat: {i: MANY}, when: '="
            + "sin(i)+" * 200
            + "0 > 999', shape: {circle: 1}}}",
            200_000,
            "operations",
        ),
    ],
)
def test_a_limit_of_much_work_is_named_in_its_error(
    monkeypatch: pytest.MonkeyPatch, limit: str, text: str, many: int, words: str
) -> None:
    """A tenth of the limit and of the work, except in `make test-all`."""
    part = tries(10, 1)
    most = getattr(limits, limit) // part
    monkeypatch.setattr(limits, limit, most)
    many //= part
    text = text.replace("TEXT", "x, " * many).replace("MANY", str(many))
    assert_limited(text, f"{most} {words}")
