# SPDX-License-Identifier: MIT
"""The fuzzers with fixed seeds for as long as ``make test`` has time, and what they have found."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from rigid.core import SceneError, loads

from tests.search import EVERYTHING, tries

from .frame import CORPUS, Fuzzer, attempt_each, case_of, empty_folder, hunt, shrink
from .fuzzers import FUZZERS
from .fuzzers.parts_grammar import lay_picture
from .fuzzers.scene_grammar import a_tree, an_unspoilt_tree, written
from .fuzzers.schema_values import fields_of, known_fields

SEED = 20
INPUTS = {
    name: [path for path in sorted(CORPUS.glob(f"{name}/*")) if path.is_file()] for name in FUZZERS
}


@pytest.mark.parametrize("name", FUZZERS)
def test_nothing_is_found(name: str) -> None:
    fuzzer = FUZZERS[name]
    tried, found = hunt(fuzzer, SEED, tries=fuzzer.quick)
    assert not found, "\n".join(f"{each}\n{each.case.decode(errors='replace')}" for each in found)
    assert tried == fuzzer.quick


@pytest.mark.parametrize("name", [name for name, paths in INPUTS.items() if paths])
def test_what_was_found_once_is_not_found_again(name: str) -> None:
    paths = INPUTS[name]
    told = attempt_each(FUZZERS[name], [path.read_bytes() for path in paths])
    again = [f"{path.name}: {what}" for path, what in zip(paths, told, strict=True) if what]
    assert not again, "\n".join(again)


@pytest.mark.parametrize("name", FUZZERS)
def test_a_seed_and_a_number_give_the_same_case_again(name: str) -> None:
    fuzzer = FUZZERS[name]
    assert case_of(fuzzer, 1, 7) == case_of(fuzzer, 1, 7)
    assert len({case_of(fuzzer, 1, index) for index in range(10)}) > 3


RARE = {
    ("AnimationInput", "loop"),
    ("EventInput", "cooldown"),
    ("MotorInput", "enabled"),
    ("MotorInput", "max_speed"),
    ("PoolInput", "color"),
    ("PrototypeInput", "particles"),
    ("SpawnerInput", "alive"),
    ("SpawnerInput", "if"),
}
"""Fields that thousands of scenes do not have: `make test-all` sees that they are tried too."""


def test_every_field_of_the_format_is_tried() -> None:
    tried: set[tuple[str, str]] = set()
    for index in range(tries(2000, 10_000)):
        tried |= fields_of(a_tree(random.Random(index)))
        if tried >= known_fields():
            break
    assert known_fields() - tried <= (set() if EVERYTHING else RARE)


def test_of_scenes_that_nobody_has_spoilt_many_can_be_run() -> None:
    def is_right(index: int) -> bool:
        try:
            loads(
                written(an_unspoilt_tree(random.Random(index))), path="fuzz.yaml", folder=Path.cwd()
            )
        except SceneError:
            return False
        return True

    with empty_folder():
        lay_picture()
        assert sum(map(is_right, range(40))) >= 10


# ---------------------------------------------------------------- the frame itself


@pytest.fixture
def broken() -> Fuzzer:
    """A fuzzer whose attempts go wrong in the ways that its cases say."""

    def attempt(case: bytes) -> None:
        if b"crash" in case:
            os.kill(os.getpid(), 11)
        if b"raise" in case:
            raise KeyError("something")

    words = [b"fine\n", b"raise\n", b"crash\n"]
    return Fuzzer(
        "broken", lambda choose: b"".join(choose.choices(words, [18, 1, 1], k=3)), attempt, 1
    )


def test_a_crash_and_an_exception_are_found_and_the_tries_go_on(broken: Fuzzer) -> None:
    tried, found = hunt(broken, 3, tries=60)
    assert tried == 60
    wrong = [index for index in range(60) if case_of(broken, 3, index).count(b"fine") < 3]
    assert [each.index for each in found] == wrong
    for each in found:
        word = "ended with -11" if b"crash" in each.case else "KeyError"
        assert word in each.what or b"raise" in each.case


def test_each_case_of_several_is_told_though_some_end_the_process(broken: Fuzzer) -> None:
    cases = [b"crash\n", b"fine\n", b"raise\n", b"crash\n", b"crash\n", b"raise\n", b"fine\n"]
    told = [re.findall(r"ended with -11|KeyError", each) for each in attempt_each(broken, cases)]
    crash, fine, error = ["ended with -11"], [], ["KeyError"]
    assert told == [crash, fine, error, crash, crash, error, fine]


def test_a_failure_is_made_smaller(broken: Fuzzer) -> None:
    _, found = hunt(broken, 3, tries=60)
    assert {shrink(broken, each).case for each in found[:6]} <= {b"raise\n", b"crash\n"}
