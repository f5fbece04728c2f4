# SPDX-License-Identifier: MIT
"""A missing file is one of several problems and does not hide the others."""

from __future__ import annotations

import json

import pytest

BROKEN = "rigid: 1\nbodies: {ball: {shape: {circle: -1}}}\n"
FALSE = "rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\nexpect: [{always: =ball.y > 1}]\n"


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    return path


@pytest.fixture
def missing(tmp_path):
    return tmp_path / "missing.yaml"


@pytest.mark.parametrize("name", ["missing.yaml", "none/here.yaml", "*.json", "x" * 300 + ".yaml"])
def test_validate_tells_it_beside_the_problems_of_the_others(rigid, broken, hello, name):
    gone = broken.parent / name
    result = rigid("validate", hello, gone, broken)
    assert result.code == 2
    assert f"{gone}: error: " in result.out
    assert f"{broken}:2:33: error: " in result.out
    assert "2 errors in 2 of 3 files" in result.err


@pytest.mark.parametrize("format", ["json", "sarif", "github"])
def test_every_format_lists_it(rigid, broken, missing, format):
    result = rigid("validate", missing, broken, "--format", format)
    assert result.code == 2
    assert result.out.count("missing.yaml") >= 1
    assert result.out.count("broken.yaml") >= 1


def test_a_log_has_it_when_it_is_the_only_one(rigid, missing):
    result = rigid("validate", missing, "--format", "sarif")
    (found,) = json.loads(result.out)["runs"][0]["results"]
    assert found["ruleId"] == "file"
    assert "no such file or folder" in found["message"]["text"]


def test_a_log_says_that_a_folder_holds_no_scene(rigid, tmp_path):
    (tmp_path / "empty").mkdir()
    result = rigid("validate", tmp_path / "empty", "--format", "sarif")
    (found,) = json.loads(result.out)["runs"][0]["results"]
    assert "no scene found" in found["message"]["text"]
    assert result.code == 2


def test_test_runs_the_others(rigid, hello, missing, tmp_path):
    false = tmp_path / "false.yaml"
    false.write_text(FALSE)
    result = rigid("test", missing, hello, false, "-j", "1")
    assert result.code == 2
    assert f"FAIL  {missing}" in result.out
    assert "no such file or folder" in result.out
    assert f"pass  {hello}" in result.out
    assert f"FAIL  {false}  1 of 1 check failed" in result.out


def test_snapshot_check_checks_the_others(rigid, hello, broken, missing, tmp_path):
    assert rigid("snapshot", "record", hello).code == 0
    bare = tmp_path / "bare.yaml"
    bare.write_text(FALSE)
    result = rigid("snapshot", "check", missing, hello, broken, bare)
    assert result.code == 2
    assert "no such file or folder" in result.err
    assert "broken.yaml:2:33: error: " in result.err
    assert "bare.snapshot: no such snapshot; make it: rigid snapshot record" in result.err
    assert "same" in result.out


def test_snapshot_diff_tells_each_file_that_cannot_be_read(rigid, tmp_path):
    gone, broken = tmp_path / "gone.snapshot", tmp_path / "broken.snapshot"
    broken.write_text("something else\n")
    for files in [(gone, broken), (broken, gone)]:
        result = rigid("snapshot", "diff", *files)
        assert result.code == 2
        assert result.err.count(f"{gone}: cannot be read: No such file or directory") == 1
        assert result.err.count(f"{broken}:1: is not a snapshot") == 1


def test_snapshot_diff_tells_one_file_named_twice_once(rigid, tmp_path):
    gone = tmp_path / "gone.snapshot"
    result = rigid("snapshot", "diff", gone, gone)
    assert result.code == 2
    assert result.err.count("cannot be read") == 1


def test_snapshot_check_lists_each_in_json(rigid, hello, missing):
    assert rigid("snapshot", "record", hello).code == 0
    result = rigid("snapshot", "check", missing, hello, "--json")
    first, second = result.json["snapshots"]
    assert result.json["ok"] is False
    assert first["problems"][0]["kind"] == "file"
    assert second["same"] is True


@pytest.mark.parametrize("verb", [["run"], ["info"], ["bench"], ["snapshot", "record"]])
def test_verbs_that_need_all_scenes_tell_all_problems(rigid, hello, broken, missing, verb):
    result = rigid(*verb, hello, missing, broken)
    assert result.code == 2
    assert f"{missing}: error: no such file or folder" in result.err
    assert f"{broken}:2:33: error: " in result.err


def test_standard_input_that_is_no_text_does_not_hide_the_others(process, hello):
    done = process("test", "-", str(hello), "-j", "1", stdin=b"rigid: 1\nname: \xff\n")
    assert done.returncode == 2
    assert b"<stdin>:2:1: error: not UTF-8 text" in done.stdout
    assert b"pass  " in done.stdout


@pytest.mark.parametrize(
    "verb",
    [
        "validate",
        "test",
        "test --junit report.xml",
        "run --gif a.gif",
        "info",
        "snapshot check",
        "snapshot record",
        "peaks",
        "expand",
        "bench",
    ],
)
def test_a_folder_without_scenes_is_told_by_every_verb(rigid, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)
    result = rigid(*verb.split(), ".")
    assert result.code == 2
    assert "no scene found" in result.out + result.err
