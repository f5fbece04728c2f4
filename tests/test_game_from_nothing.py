# SPDX-License-Identifier: MIT
"""docs/game.md: its blocks are the game, which runs after each step, and its commands work."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from rigid2d.core import load
from rigid2d.core.live.module import WASM

from tests.robustness.fuzzers.command import run

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/game.md").read_text(encoding="utf-8")
GAMES = ROOT / "scenes/games"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)


def blocks() -> list[str]:
    return [text for language, text in BLOCKS if language == "yaml"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The map and the pictures with which the page begins."""
    shutil.copytree(GAMES / "parts/gem_run", tmp_path / "parts/gem_run")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_blocks_together_are_the_game() -> None:
    assert "\n".join(blocks()) == (GAMES / "gem_run.yaml").read_text(encoding="utf-8")


def test_the_level_and_its_pictures_are_the_import_of_the_map(folder: Path) -> None:
    parts = folder / "parts/gem_run"
    made = ["level.yaml", *(path.name for path in parts.glob("level_*.png"))]
    for name in made:
        (parts / name).unlink()
    done = run(["import", "parts/gem_run/level.tmx", "-o", "parts/gem_run/level.yaml", "--strict"])
    assert done.code == 0, done.err.decode()
    assert {path.name for path in parts.iterdir()} >= {*made}
    text = (parts / "level.yaml").read_text(encoding="utf-8").replace("rigid: 1\n", "")
    assert text == (GAMES / "parts/gem_run/level.yaml").read_text(encoding="utf-8")


def test_the_game_can_be_loaded_after_each_step(folder: Path) -> None:
    for count in range(1, len(blocks()) + 1):
        (folder / "gem_run.yaml").write_text("\n".join(blocks()[:count]), encoding="utf-8")
        assert not load(folder / "gem_run.yaml").warnings


def test_the_commands_of_each_step_work(folder: Path) -> None:
    so_far: list[str] = []
    ran = 0
    for language, text in BLOCKS:
        if language == "yaml":
            so_far.append(text)
            (folder / "gem_run.yaml").write_text("\n".join(so_far), encoding="utf-8")
            continue
        for line in text.splitlines():
            command = shlex.split(line)[1:]
            if command[0] == "play":  # which waits for a player
                continue
            if "--live" in command and not WASM.exists():  # an engine that `make web` builds
                continue
            drawn = {"--gif", "--mp4", "--png"} & {*command}
            done = run([*command, *(["--size", "160x90", "--fps", "2"] if drawn else [])])
            assert done.code == 0, done.err.decode()
            ran += 1
    assert ran == 6 + WASM.exists()
