# SPDX-License-Identifier: MIT
"""What the README shows works: its scenes load, its Python runs, its commands succeed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from rigid2d.core import loads

from tests.robustness.fuzzers.command import run
from tests.scenes import is_there

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(language, text) for language, text in BLOCK.findall(README)]


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def commands(block: str) -> list[list[str]]:
    """The calls of `rigid` in a block of shell, without comments and prompts."""
    lines = (line.removeprefix("$ ") for line in block.splitlines())
    return [shlex.split(line, comments=True) for line in lines if line.startswith("rigid ")]


def small(command: list[str]) -> list[str]:
    """Options with which a command draws a small picture, as the tests need no more."""
    return ["--size", "160x90"] if {"--gif", "--mp4"} & {*command} else []


def call(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments,
        cwd=folder,
        env={**os.environ, "CI": "true"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder that sees the repository's scenes, where the README's blocks are tried."""
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    for name, text in re.findall(r"`([\w/]+\.yaml)`:\n+```yaml\n(.*?)^```$", README, re.M | re.S):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_readme_has_blocks_of_each_kind() -> None:
    assert {"sh", "yaml", "python"} <= {language for language, _ in BLOCKS}


@pytest.mark.parametrize("text", [text for text in blocks("yaml") if text.startswith("rigid: 1")])
def test_a_scene_of_the_readme_loads(text: str) -> None:
    assert loads(text).bodies


@pytest.mark.parametrize("text", [text for text in blocks("sh") if commands(text)])
def test_the_commands_of_a_block_succeed_one_after_the_other(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CI", "true")
    for arguments in commands(text):
        done = run([*arguments[1:], *small(arguments)])
        told = (done.out + done.err).decode()
        assert done.code == 0, f"{shlex.join(arguments)}\n{told}"


@pytest.mark.parametrize("text", blocks("python"))
def test_a_piece_of_python_runs(text: str, folder: Path) -> None:
    done = call([sys.executable, "-c", text], folder)
    assert done.returncode == 0, done.stderr


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"make ([a-z-]+)", README))
    assert {"demo", "test"} <= named
    named |= set(re.findall(r"`make ([a-z-]+)", contributing))
    assert named <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_every_file_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\(([^)#:]+)[)#]|src=\"([^\"]+)\"", README)
    paths = [first or second for first, second in links]
    assert paths
    assert [path for path in paths if not is_there(ROOT / path)] == []


HUNDREDS = {
    "": 0,
    " and ten": 10,
    " and twenty": 20,
    " and thirty": 30,
    " and forty": 40,
    " and fifty": 50,
    " and sixty": 60,
    " and seventy": 70,
}


def test_the_readme_says_how_many_scenes_there_are() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "scenes").rglob("*.yaml")]
    scenes = sum(bool(re.search(r"^rigid: 1$", text, re.MULTILINE)) for text in texts)
    words = {"forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
    words |= {f"a hundred{rest}": 100 + more for rest, more in HUNDREDS.items()}
    said = [
        words[word] for word in re.findall(r"[Mm]ore than ([\w ]+?) (?:scenes|of them)", README)
    ]
    assert len(said) == 2
    assert all(number < scenes <= number + 10 for number in said)
