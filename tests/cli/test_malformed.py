# SPDX-License-Identifier: MIT
"""Files that are wrong, through the command: exit code 2, file and line, and nothing else."""

from __future__ import annotations

import re

from tests.rows import every_row
from tests.scene.malformed_scenes import ALL
from tests.search import tries

A_FEW = ("binary", "billion_laughs", "empty", "bad_indent")


@every_row(("number", "case"), enumerate(ALL), ids=[case.name for case in ALL])
def test_a_malformed_file_is_named_with_its_line(
    rigid, malformed, number, case, tmp_path, monkeypatch
):
    if number % tries(4, 1):  # tests/scene loads all of them
        return
    monkeypatch.chdir(tmp_path)  # where no pyproject.toml has to be read
    path = malformed / f"{case.name}.yaml"
    result = rigid("validate", path)
    assert result.code == 2
    assert re.match(rf"{re.escape(str(path))}:\d+:", result.out)
    assert "Traceback" not in result.out + result.err

    if number % tries(16, 1):
        return
    run = rigid("run", path, "--csv", tmp_path / "out.csv")
    assert run.code == 2
    assert run.err == result.out
    assert list(tmp_path.iterdir()) == []


@every_row("name", A_FEW)
def test_a_malformed_file_ends_a_process_with_code_2(process, malformed, name):
    path = malformed / f"{name}.yaml"
    done = process("run", path)
    assert done.returncode == 2
    assert done.stdout == b""
    assert re.match(rf"{re.escape(str(path))}:\d+:", done.stderr.decode())


@every_row("verb", ["test", "info", "expand", "bench"])
def test_every_verb_tells_the_same(rigid, malformed, verb):
    path = malformed / "bad_indent.yaml"
    result = rigid(verb, path)
    assert result.code == 2
    assert f"{path}:" in result.out + result.err


def test_json_holds_the_problems(rigid, malformed):
    path = malformed / "bad_indent.yaml"
    error = rigid("run", path, "--json").json["error"]
    assert error["kind"] == "scene"
    assert error["problems"][0]["file"] == str(path)
    assert error["problems"][0]["line"] > 0
