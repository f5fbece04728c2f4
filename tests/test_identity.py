# SPDX-License-Identifier: MIT
"""Engines are told apart by the code that decides results."""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from rigid2d.core import _native
from rigid2d.core.identity import code_digest, commit_of, engine_version

NATIVE = Path(__file__).parents[1] / "core" / "native"


def test_an_engine_is_its_version_and_its_code() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?\+[0-9a-f]{12}", engine_version())


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ("world/script/actions.py", False),
        ("scene/new.py", False),
        ("play/server.py", True),
        ("scene/notes.txt", True),
    ],
)
def test_code_that_decides_results_makes_another_engine(
    changed: str, same: bool, tmp_path: Path
) -> None:
    for name in ("world/script/actions.py", "scene/model.py", "play/server.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one = 1\n")
    before = code_digest(tmp_path, "1f")
    (tmp_path / changed).write_text("one = 2\n")
    assert (code_digest(tmp_path, "1f") == before) is same
    assert code_digest(tmp_path, "2f") != code_digest(tmp_path, "1f")


def test_the_ends_of_lines_of_a_checkout_make_no_other_engine(tmp_path: Path) -> None:
    digests = set()
    for end in (b"\n", b"\r\n"):
        (tmp_path / "scene").mkdir(exist_ok=True)
        (tmp_path / "scene" / "model.py").write_bytes(b"one = 1" + end)
        digests.add(code_digest(tmp_path, "1f"))
    assert len(digests) == 1


def test_the_module_knows_the_sources_that_it_was_built_from() -> None:
    rows = []
    for path in NATIVE.rglob("*"):
        name = path.relative_to(NATIVE).as_posix()
        listed = path.suffix in (".h", ".cpp", ".cmake") or name == "CMakeLists.txt"
        if listed and not name.startswith("web/"):
            text = path.read_bytes().replace(b"\r\n", b"\n")
            rows.append((name, f"{sha256(text).hexdigest()} {name}\n"))
    listing = "".join(row for _, row in sorted(rows)).encode()
    assert _native.source_digest == sha256(listing).hexdigest(), "the module has to be built anew"


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
