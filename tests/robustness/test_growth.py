# SPDX-License-Identifier: MIT
"""The fuzzer of time per byte notices what grows faster than its input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import loads

from .fuzzers import growth


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Readers whose time is a count: of one pass, and of one for each byte."""
    spent = [0]

    def linear(text: str) -> None:
        spent[0] += len(text)

    def squared(text: str) -> None:
        spent[0] += len(text) * len(text) // growth.BYTES

    monkeypatch.setattr(growth, "READERS", {"linear": linear, "squared": squared})
    monkeypatch.setattr(growth, "process_time", lambda: spent[0] / growth.BYTES)
    return spent


def case(reader: str) -> bytes:
    return "\n".join(json.dumps(each) for each in (reader, "", "word ", "")).encode()


def test_what_takes_as_long_as_it_is_is_right(counted: list[int]) -> None:
    growth.check_growth(case("linear"))
    assert counted[0] >= 5 * growth.BYTES


def test_what_grows_with_the_square_is_found(counted: list[int]) -> None:
    with pytest.raises(AssertionError, match=r"squared: 40000 bytes 1\.000 s, 160000 bytes 16"):
        growth.check_growth(case("squared"))


def test_what_is_too_short_to_be_seen_is_passed_over(
    counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "SEEN", 100.0)
    growth.check_growth(case("squared"))


def test_numbers_stand_for_the_repetition() -> None:
    assert growth._repeated("a#", 3) == "a0a1a2"
    assert growth._repeated("ab", 3) == "ababab"


SCENE = 'bodies: {a: {shape: {circle: 0.1}}}\ndescription: "'
CIRCLE = "bodies: {a: {shape: {circle: '"


@pytest.mark.parametrize(
    "construct",
    [
        ("scene", CIRCLE, "1", "x'}}}"),
        ("scene", CIRCLE + "1 x", " ", "y'}}}"),
        ("scene", "bodies: {a: {shape: {circle: 1}}}\nrecord: {channels: ['", "b.", "x']}"),
        ("scene", SCENE, "\\tx ", '"'),
        ("guide", "## a\n", "[", ""),
        ("guide", "## a\n", "[x](", ""),
    ],
    ids=["digits", "spaces", "points", "tabs", "brackets", "links"],
)
def test_a_long_text_takes_time_in_proportion(
    construct: tuple[str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    growth.check_growth("\n".join(map(json.dumps, construct)).encode())


@pytest.mark.parametrize("value", ["'" + "1" * 9000 + "x'", "'$" + "a" * 9000 + "'", '"[`' * 9000])
def test_a_message_quotes_a_long_text_in_short(value: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(f"rigid: 1\nbodies: {{a: {{shape: {{circle: {value}}}, collide: {value}}}}}")
    assert all(len(str(each)) < 2500 for each in caught.value.problems)
