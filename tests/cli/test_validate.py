# SPDX-License-Identifier: MIT
"""``rigid validate``: every error of every file."""

from __future__ import annotations

import pytest

TWO_ERRORS = """\
rigid: 1
bodies:
  ball: {shape: {circle: -0.5}}
  crate: {shape: {box: [1, 1]}, positon: [0, 1]}
"""


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(TWO_ERRORS)
    return path


def test_a_valid_scene_is_exit_code_0(rigid, hello):
    result = rigid("validate", hello)
    assert (result.code, result.out, result.err) == (0, "", "1 scene valid\n")


def test_every_error_has_file_line_column_path_and_source(rigid, broken):
    result = rigid("validate", broken)
    assert result.code == 2
    lines = result.out.splitlines()
    assert lines[0].startswith(f"{broken}:3:26: error: bodies.ball.shape.circle: ")
    assert lines[1] == "3 |   ball: {shape: {circle: -0.5}}"
    assert lines[2] == "  | " + " " * 25 + "^"
    assert lines[3].startswith(f"{broken}:4:33: error: bodies.crate.positon: ")
    assert "`position`" in lines[3]
    assert "2 errors in 1 of 1 file" in result.err


def test_a_folder_is_checked_file_by_file(rigid, broken, hello):
    (broken.parent / "part.yaml").write_text("bodies: {}\n")
    result = rigid("validate", broken.parent)
    assert result.code == 2
    assert "2 errors in 1 of 2 files" in result.err
    assert "skipped 1 file without `rigid:`" in result.err
    assert "part.yaml" in result.err


def test_json_lists_the_problems(rigid, broken):
    result = rigid("validate", broken, "--json")
    assert result.code == 2
    assert result.json["ok"] is False
    first = result.json["problems"][0]
    assert (first["file"], first["line"], first["column"]) == (str(broken), 3, 26)
    assert first["path"] == "bodies.ball.shape.circle"
    assert rigid("validate", broken, "--format", "json").out == result.out


def test_json_of_valid_scenes_has_no_problems(rigid, hello):
    result = rigid("validate", hello, "--json")
    assert result.code == 0
    assert result.json == {
        "ok": True,
        "files": 1,
        "invalid": 0,
        "skipped": [],
        "problems": [],
        "warnings": [],
    }


def test_github_gets_one_command_for_each_problem(rigid, broken):
    lines = rigid("validate", broken, "--format", "github").out.splitlines()
    assert len(lines) == 2
    assert all(line.startswith(f"::error file={broken},line=") for line in lines)


def test_sarif_holds_every_problem(rigid, broken):
    log = rigid("validate", broken, "--format", "sarif").json
    assert [r["level"] for r in log["runs"][0]["results"]] == ["error", "error"]


def test_standard_input_is_named_so(process):
    done = process("validate", "-", stdin=TWO_ERRORS.encode())
    assert done.returncode == 2
    assert b"<stdin>:3:26: error: " in done.stdout


def test_standard_input_that_is_no_text_is_an_error(process):
    done = process("validate", "-", stdin=b"rigid: 1\nname: \xff\xfe\n")
    assert done.returncode == 2
    assert b"<stdin>:2:" in done.stdout
    assert b"UTF-8" in done.stdout


def test_overrides_are_checked_too(rigid, hello):
    result = rigid("validate", hello, "--set", "bodies.ball.shape.circle=-1")
    assert result.code == 2
    assert "bodies.ball.shape.circle" in result.out


def test_quiet_keeps_the_errors(rigid, broken):
    result = rigid("validate", broken, "-q")
    assert len(result.out.splitlines()) == 6
    assert result.err == ""


def test_an_overlap_at_the_start_is_a_warning(rigid, tmp_path):
    scene = tmp_path / "flipper.yaml"
    scene.write_text(
        "rigid: 1\nbodies:\n"
        "  guide: {type: static, shape: {box: [1, 1]}}\n"
        "  flipper: {shape: {box: [1, 0.2]}, position: [0.9, 0]}\n"
    )
    result = rigid("validate", scene)
    assert result.code == 0
    assert ":4:12: warning: bodies.flipper: it overlaps 'guide' by 0.1 m" in result.out
    (warning,) = rigid("validate", scene, "--json").json["warnings"]
    assert (warning["line"], warning["path"]) == (4, "bodies.flipper")
    assert "::warning file=" in rigid("validate", scene, "--format", "github").out
    ran = rigid("run", scene, "--seconds", "0.1")
    assert "flipper.yaml:4:12: warning: bodies.flipper: it overlaps 'guide'" in ran.err


def test_a_letter_that_no_font_has_is_a_warning_at_its_place(rigid, tmp_path):
    scene = tmp_path / "letters.yaml"
    scene.write_text(
        "rigid: 1\nworld: {duration: 0.1}\nbodies: {ball: {shape: {circle: 1}}}\nannotations:\n"
        "  - {text: 'Kräfte → λ 漢 {ball.x:.1f} 字漢', corner: top}\n"
        "  - {text: 'größer ½ Привет', corner: top}\n"
    )
    result = rigid("validate", scene)
    assert result.code == 0
    (line,) = [line for line in result.out.splitlines() if "warning" in line]
    message = "annotations[0].text: no font has `漢` (U+6F22) and `字` (U+5B57), which are drawn"
    assert f":5:24: warning: {message}" in line
    ran = rigid("run", scene)
    assert ran.err.count("no font has") == 1
    assert "letters.yaml:5:24: warning: annotations[0].text" in ran.err


def test_a_tag_outside_the_vocabulary_is_a_warning(rigid, tmp_path):
    scene = tmp_path / "own.yaml"
    scene.write_text("rigid: 1\ntags: [games]\nbodies: {ball: {shape: {circle: 1}}}\n")
    result = rigid("validate", scene)
    assert result.code == 0
    assert (
        ":2:8: warning: tags[0]: the vocabulary has no tag `games` (did you mean `game`?)"
        in result.out
    )
    (warning,) = rigid("validate", scene, "--json").json["warnings"]
    assert warning["kind"] == "unknown-tag"
    assert rigid("run", scene, "--seconds", "0.1").err.count("warning") == 0
