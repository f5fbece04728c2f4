# SPDX-License-Identifier: MIT
"""Public names, fields, options, keys and formats stay, or are deprecated first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rigid2d.core.world.old_names import OldNames

from tests.public.interface import RELEASED, gone, interface, released_version, stored

pytest.importorskip("gymnasium", reason="environments need it")
pytest.importorskip("pyarrow", reason="data sets need it")

UPDATE = "`python -m tests.public.interface` stores them"
ROOT = Path(__file__).parents[2]
ADVICE = (
    "Keep it with a warning (core/world/deprecation.py), and mark its line in "
    "tests/public/interface.txt: `  # deprecated 1.2, use ...`; docs/stability.md says when a "
    "marked line may be removed"
)


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return interface(tmp_path_factory.mktemp("public"))


def test_nothing_public_goes_without_a_deprecation(now: list[str]) -> None:
    lost = gone(stored(), now)
    assert not lost, f"gone from the public interface: {lost}. {ADVICE}"


def test_nothing_goes_that_was_released_without_a_deprecation(now: list[str]) -> None:
    lost = gone(stored(RELEASED), now)
    version = released_version()
    assert not lost, f"gone, but in version {version} without a mark: {lost}. {ADVICE}"


def test_the_released_lines_are_those_of_the_newest_version() -> None:
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    newest = project["tool"]["setuptools_scm"]["fallback_version"]
    assert released_version() == newest, "`python -m tests.public.interface --release VERSION`"
    assert len(stored(RELEASED)) > 3000


def test_what_is_deprecated_works_until_its_line_is_removed(now: list[str]) -> None:
    lost = [line for line, mark in stored().items() if mark and line not in set(now)]
    assert not lost, f"gone: {lost}; if docs/stability.md allows it, remove their lines: {UPDATE}"


def test_everything_public_is_stored(now: list[str]) -> None:
    before = stored()
    new = [line for line in now if line not in before]
    assert not new, f"new in the public interface: {new}. {UPDATE}; CHANGELOG.md lists them"


def test_a_mark_says_since_when_and_what_to_use_instead() -> None:
    marks = [mark for mark in stored().values() if mark]
    assert marks
    assert [mark for mark in marks if not re.fullmatch(r"\d+\.\d+, use .+", mark)] == []


def test_old_names_of_worlds_are_marked() -> None:
    marks = stored()
    names = [name for name in vars(OldNames) if not name.startswith("_")]
    assert [name for name in names if not marks[f"python World.{name}"]] == []


def test_a_line_that_went_is_found_unless_it_is_marked() -> None:
    before = {"python a": "", "python b": "1.2, use a", "command run --c": ""}
    assert gone(before, ["python a"]) == ["command run --c"]


def test_every_json_output_says_whether_it_is_ok() -> None:
    lines = [*stored()]
    verbs = {line.rpartition(" ")[0] for line in lines if line.startswith("json ")}
    assert len(verbs) > 12
    assert [verb for verb in verbs if f"{verb} ok" not in lines] == []


def test_the_stored_lines_are_in_order() -> None:
    lines = [*stored()]
    assert lines == sorted(lines)
    text = (Path(__file__).parent / "interface.txt").read_text(encoding="utf-8")
    assert len(text.splitlines()) == len(lines)
