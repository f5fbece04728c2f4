# SPDX-License-Identifier: MIT
"""``rigid upgrade`` writes older files anew, leaves current ones and refuses newer ones."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from rigid2d.core.scene.text import upgrading
from rigid2d.core.scene.text.edits import Edits

OLD = "rigid: 0 # old\nbodies: {a: {form: {circle: 1}}}\n"
NEW = "rigid: 1 # old\nbodies: {a: {shape: {circle: 1}}}\n"


@pytest.fixture
def older(monkeypatch):
    """A version 0 of the format, whose shapes are called forms."""

    def step(edits: Edits) -> None:
        edits.rename("bodies.*.form", "shape")

    monkeypatch.setattr(upgrading, "STEPS", {0: step})


def test_a_file_of_the_newest_version_is_not_touched(rigid, hello):
    before = hello.stat().st_mtime_ns
    result = rigid("upgrade", hello)
    assert (result.code, result.out) == (0, "")
    assert result.err == "1 file is of version 1 of the format, the newest\n"
    assert hello.stat().st_mtime_ns == before
    assert rigid("upgrade", "--check", "--json", hello).json == {
        **{"ok": True, "version": 1, "files": 1, "older": [], "skipped": []}
    }


def test_a_newer_file_is_refused_and_nothing_is_written(rigid, older, tmp_path):
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text("rigid: 7\n")
    result = rigid("upgrade", tmp_path)
    assert result.code == 2
    assert "new.yaml:1:8: error: rigid: the format's version must be 1 (`rigid: 1`), not 7" in (
        result.err
    )
    assert (tmp_path / "old.yaml").read_text() == OLD


def test_an_older_file_is_rewritten_with_its_comments(rigid, older, tmp_path):
    path = tmp_path / "old.yaml"
    path.write_text(OLD)
    (tmp_path / "part.yaml").write_text("bodies: {}\n")
    checked = rigid("upgrade", "--check", tmp_path)
    assert (checked.code, path.read_text()) == (1, OLD)
    assert checked.err == f"{path}: is of version 0 of the format\n"
    result = rigid("upgrade", tmp_path, "--json")
    assert result.json == {
        **{"ok": True, "version": 1, "files": 1},
        "older": [{"file": str(path), "version": 0}],
        "skipped": [str(tmp_path / "part.yaml")],
    }
    assert path.read_text() == NEW
    assert rigid("validate", path).code == 0


def test_standard_input_goes_to_standard_output(rigid, older, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(OLD.encode())))
    result = rigid("upgrade", "-")
    assert (result.code, result.out) == (0, NEW)


def test_files_that_are_not_there_are_reported(rigid, tmp_path):
    result = rigid("upgrade", tmp_path / "no.yaml")
    assert (result.code, "no such file" in result.err) == (2, True)


def test_a_compiled_scene_is_refused_in_words(rigid, hello, tmp_path):
    compiled = tmp_path / "hello.rigid"
    assert rigid("compile", hello, "-o", compiled).code == 0
    before = compiled.read_bytes()
    result = rigid("upgrade", compiled)
    assert result.code == 2
    assert "a compiled scene is not upgraded; upgrade its scene file" in result.err
    assert compiled.read_bytes() == before
