# SPDX-License-Identifier: MIT
"""The fuzzers with fixed seeds for as long as ``make test`` has time, and what they have found."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field
from rigid2d.core import SceneError, loads

from tests.search import tries

from .frame import CORPUS, Fuzzer, attempt_each, case_of, empty_folder, hunt, shrink
from .fuzzers import FUZZERS
from .fuzzers.parts_grammar import lay_picture
from .fuzzers.rich_grammar import without_rows
from .fuzzers.scene_grammar import a_tree, an_unspoilt_tree, written
from .fuzzers.schema_values import fields_of, known_fields, schema

SEED = 20
INPUTS = {
    name: [path for path in sorted(CORPUS.glob(f"{name}/*")) if path.is_file()] for name in FUZZERS
}


@pytest.mark.parametrize("name", FUZZERS)
def test_nothing_is_found(name: str) -> None:
    fuzzer = FUZZERS[name]
    wanted = tries(fuzzer.quick // 6, fuzzer.quick)
    tried, found = hunt(fuzzer, SEED, tries=wanted)
    assert not found, "\n".join(f"{each}\n{each.case.decode(errors='replace')}" for each in found)
    assert tried == wanted


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


MOST_SCENES = tries(1300, 10_000)  # until every field has been in one
RARE = tries(6, 0)  # fields that so many scenes may lack


def test_every_field_of_the_format_is_tried() -> None:
    left = not_tried(known_fields())
    assert len(left) <= RARE, left


def not_tried(wanted: Set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The fields that none of many scenes of the grammar has."""
    left = {*wanted}
    for index in range(MOST_SCENES):
        left -= fields_of(a_tree(random.Random(index)))
        if not left:
            break
    return left


class LampInput(BaseModel):
    """A part that the format does not have."""

    watts: float = Field(ge=0, le=60)
    shade: Literal["paper", "glass"] = "paper"


class LitInput(BaseModel):
    """Fields that no part of the format has."""

    glowing: bool = False
    lamps: list[LampInput] = []


@pytest.fixture
def lit(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The parts that have the fields of ``LitInput`` besides their own."""
    form = LitInput.model_json_schema()
    owners = ["BodyInput", "PoolInput", "SpawnerInput"]
    monkeypatch.setitem(schema()["$defs"], "LampInput", form["$defs"]["LampInput"])
    for owner in owners:
        fields = schema()["$defs"][owner]["properties"]
        for name, field in form["properties"].items():
            monkeypatch.setitem(fields, name, field)
    known_fields.cache_clear()
    without_rows.cache_clear()
    yield owners
    monkeypatch.undo()
    known_fields.cache_clear()
    without_rows.cache_clear()


def test_a_field_that_is_added_to_a_model_is_tried_as_all_others(lit: list[str]) -> None:
    added = {(owner, field) for owner in lit for field in LitInput.model_fields}
    added |= {("LampInput", field) for field in LampInput.model_fields}
    assert added < known_fields()
    assert not_tried(added) == set()


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
