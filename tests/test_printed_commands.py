# SPDX-License-Identifier: MIT
"""Commands that scenes and lessons print succeed, with as little work as shows it."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from tests.lessons.made import LESSONS, PAGES, commands
from tests.robustness.fuzzers.command import ENDED, LASTING, run
from tests.search import tries

ROOT = Path(__file__).resolve().parents[1]
FEW = {
    "compare": ["--steps", "2"],
    "dataset": ["--runs", "1", "--size", "32x32", "--jobs", "1", "--set", "world.duration=0.2"],
    "play": ["--no-open", "--port", "0"],
    "plot": ["--steps", "2"],
    "sprites": ["--count", "1"],
    "study": ["--samples", "1", "--jobs", "1", "--set", "world.duration=0.2"],
}
"""Options with which a verb does little; they replace those that are printed."""
PATIENCE = 0.3  # seconds that a verb lasts which goes on until somebody ends it


@cache
def printed() -> list[tuple[Path, list[str]]]:
    """The commands between backquotes in the scenes, and those of the lessons.

    A verb alone means the scene that names it, unless it is the one "by" which something was made.
    """
    found = []
    for path in [*sorted((ROOT / "scenes").rglob("*.yaml")), *PAGES]:
        text = re.sub(r"\n[ #]*", " ", path.read_text(encoding="utf-8"))
        for before, command in re.findall(r"(\S*) `rigid ([a-z][^`]*)`", text):
            words = shlex.split(command)
            if len(words) == 1 and before == "by":
                continue
            own = [] if words[1:] else [path.relative_to(ROOT).as_posix()]
            found.append((path, [*words, *own]))
    found += [(page, words[1:]) for page in PAGES for words in commands(page)]
    return found


def little(words: list[str]) -> list[str]:
    """A command with the options that let it do little."""
    options = FEW.get(words[0], [])
    kept, skip = [], False
    for word in words:
        skip, dropped = word in options and word != "--set", skip
        if not (skip or dropped):
            kept.append(word)
    return [*kept, *options]


def test_scenes_print_commands_of_several_verbs() -> None:
    assert {"sprites", "study", "dataset"} <= {words[0] for _, words in printed()}


def test_each_lesson_prints_commands_of_its_own_scene() -> None:
    for page in PAGES:
        words = [words for path, words in printed() if path == page]
        assert {"run", "plot", "play", "test"} <= {each[0] for each in words}
        assert {each[1] for each in words} == {f"docs/lessons/{page.stem}.yaml"}


# Lessons print the same verbs for scenes of their own: one in twelve shows that these are right;
# every sixth command of the scenes does.
TRIED = [
    (path, words)
    for number, (path, words) in enumerate(printed())
    if number % tries(12 if path in PAGES else 6, 1) == 0
]


@pytest.mark.parametrize(
    "words", [words for _, words in TRIED], ids=[f"{p.stem}: {w[0]}" for p, w in TRIED]
)
def test_a_printed_command_succeeds(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    lessons = tmp_path / LESSONS.relative_to(ROOT)
    (lessons / "pictures").mkdir(parents=True)
    for scene in LESSONS.glob("*.yaml"):
        (lessons / scene.name).symlink_to(scene)
    monkeypatch.chdir(tmp_path)
    lasting = words[0] in LASTING
    done = run(little(words), patience=PATIENCE if lasting else None)
    said = (done.out + done.err).decode()
    assert done.code in ({0, ENDED} if lasting else {0}), f"{shlex.join(words)}\n{said}"
