# SPDX-License-Identifier: MIT
"""The tutorial shows its files as they are, and its commands work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from rigid2d.core import build, load

from tests.robustness.fuzzers.command import run

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
STEPS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def file_of(step: str) -> Path:
    """The one scene file that a step links to."""
    (name,) = re.findall(r"\]\(\.\./(scenes/tutorial/\w+\.yaml)\)", step)
    return ROOT / name


def commands(step: str) -> list[list[str]]:
    """The calls of `rigid` in a step, but those that wait for a player."""
    shell = [text for language, text in BLOCK.findall(step) if language == "sh"]
    lines = [shlex.split(line) for text in shell for line in text.splitlines()]
    return [line for line in lines if line[:2] != ["rigid", "play"]]


def small(command: list[str]) -> list[str]:
    """Options with which a command draws a small picture, as the tests need no more."""
    return ["--size", "160x90", "--fps", "5"] if {"--gif", "--mp4"} & {*command} else []


every_step = pytest.mark.parametrize("step", STEPS, ids=[step.splitlines()[0] for step in STEPS])


def test_the_tutorial_has_ten_steps_and_shows_every_file_of_its_folder() -> None:
    assert len(STEPS) == 10
    assert [file_of(step) for step in STEPS] == sorted((ROOT / "scenes/tutorial").glob("*.yaml"))


@every_step
def test_what_a_step_shows_stands_in_its_file(step: str) -> None:
    shown = [text for language, text in BLOCK.findall(step) if language == "yaml"]
    assert shown
    for text in shown:
        assert text in file_of(step).read_text(encoding="utf-8")


@every_step
def test_the_commands_of_a_step_work(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    assert commands(step)
    for command in commands(step):
        done = run([*command[1:], *small(command)])
        # With another value than the file's an expectation may fail, as the page says.
        allowed = {0, 1} if "--set" in command else {0}
        assert done.code in allowed, done.err.decode()


def test_the_recorded_player_wins_the_game() -> None:
    scene = load(ROOT / "scenes/tutorial/10_game.yaml")
    world = build(scene)
    world.step(scene.world.steps)
    assert world.outcome == "win"
