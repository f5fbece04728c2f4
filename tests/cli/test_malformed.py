# SPDX-License-Identifier: MIT
"""Files that are wrong, through the command: exit code 2, file and line, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rows import every_row

FOLDER = Path(__file__).parents[1] / "scene" / "malformed"
FILES = sorted(FOLDER.glob("*.yaml"))
A_FEW = [path for path in FILES if path.stem in ("binary", "billion_laughs", "empty", "bad_indent")]


def test_there_are_files():
    assert len(FILES) >= 100
    assert len(A_FEW) == 4


@every_row("path", FILES, ids=lambda path: path.stem)
def test_a_malformed_file_is_named_with_its_line(rigid, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where no pyproject.toml has to be read
    result = rigid("validate", path)
    assert result.code == 2
    assert re.match(rf"{re.escape(str(path))}:\d+:", result.out)
    assert "Traceback" not in result.out + result.err

    run = rigid("run", path, "--csv", tmp_path / "out.csv")
    assert run.code == 2
    assert run.err == result.out
    assert list(tmp_path.iterdir()) == []


@every_row("path", A_FEW, ids=lambda path: path.stem)
def test_a_malformed_file_ends_a_process_with_code_2(process, path):
    done = process("run", path)
    assert done.returncode == 2
    assert done.stdout == b""
    assert re.match(rf"{re.escape(str(path))}:\d+:", done.stderr.decode())


@every_row("verb", ["test", "info", "expand", "bench"])
def test_every_verb_tells_the_same(rigid, verb):
    path = FOLDER / "bad_indent.yaml"
    result = rigid(verb, path)
    assert result.code == 2
    assert f"{path}:" in result.out + result.err


def test_json_holds_the_problems(rigid):
    path = FOLDER / "bad_indent.yaml"
    error = rigid("run", path, "--json").json["error"]
    assert error["kind"] == "scene"
    assert error["problems"][0]["file"] == str(path)
    assert error["problems"][0]["line"] > 0
