# SPDX-License-Identifier: MIT
"""Engines are told apart by the code that decides results."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rigid2d.core.identity import code_digest, commit_of, engine_version


def test_an_engine_is_its_version_and_its_code() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?\+[0-9a-f]{12}", engine_version())


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ("world/script/actions.py", False),
        ("scene/new.py", False),
        ("native.so", False),
        ("play/server.py", True),
        ("scene/notes.txt", True),
    ],
)
def test_code_that_decides_results_makes_another_engine(
    changed: str, same: bool, tmp_path: Path
) -> None:
    native = tmp_path / "native.so"
    for name in ("world/script/actions.py", "native.so", "scene/model.py", "play/server.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one = 1\n")
    before = code_digest(tmp_path, native)
    (tmp_path / changed).write_text("one = 2\n")
    assert (code_digest(tmp_path, native) == before) is same


@pytest.mark.parametrize(
    ("version", "commit"),
    [
        ("1.2.0", "v1.2.0"),
        ("1.2.1.dev3+g0123abcd4", "0123abcd4"),
        ("1.2.1.dev3+g0123abcd4.d20260102", "0123abcd4"),
        ("1.2.1.dev3", "unknown"),
        ("unknown", "unknown"),
    ],
)
def test_the_commit_of_an_installed_package_is_in_its_version(
    version: str, commit: str, tmp_path: Path
) -> None:
    assert commit_of(version, tmp_path) == commit


def test_the_commit_of_a_checkout_is_the_one_that_is_checked_out(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git("init", "-q")
    (tmp_path / "a.txt").write_text("one")
    git("add", "a.txt")
    git("commit", "-q", "-m", "Add a text")
    commit = git("rev-parse", "HEAD")[:12]
    assert commit_of("1.2.0", tmp_path) == commit
    (tmp_path / "a.txt").write_text("two")
    assert commit_of("1.2.0", tmp_path) == f"{commit}-dirty"
