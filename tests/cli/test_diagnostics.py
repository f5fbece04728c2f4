# SPDX-License-Identifier: MIT
"""Reports of problems of scene files."""

from __future__ import annotations

import io
import json

from rigid2d.cli.reporting.diagnostics import as_github, as_sarif, as_text
from rigid2d.core.errors import Problem


def shown(problem: Problem) -> list[str]:
    return as_text([problem], io.StringIO()).splitlines()


def test_a_problem_shows_its_line_with_a_caret(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("rigid: 1\nbodies: {a: {shape: {circle: -1}}}\n")
    lines = shown(Problem(str(path), 2, 31, "bodies.a.shape.circle", "must be above 0"))
    assert lines == [
        f"{path}:2:31: error: bodies.a.shape.circle: must be above 0",
        "2 | bodies: {a: {shape: {circle: -1}}}",
        "  |                               ^",
    ]


def test_a_long_line_is_cut_around_the_place(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("a: [" + "1, " * 400 + "X]\n")
    _, source, caret = shown(Problem(str(path), 1, 1205, "a", "wrong"))
    assert len(source) < 120
    assert source[caret.index("^")] == "X"


def test_wide_characters_do_not_shift_the_caret(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("name: 剛体 X\n")
    _, _, caret = shown(Problem(str(path), 1, 10, "name", "wrong"))
    assert caret == "  | " + " " * 11 + "^"


def test_nothing_in_a_file_can_drive_the_terminal(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_bytes(b"name: \x1b[31mred\x07\n")
    text = "\n".join(shown(Problem(str(path), 1, 7, "name", "bad \x1b[2J")))
    assert "\x1b" not in text
    assert "\x07" not in text


def test_a_problem_without_a_line_shows_none():
    assert shown(Problem("gone.yaml", 0, 0, "", "no such file")) == [
        "gone.yaml: error: no such file"
    ]


def test_github_commands_escape_what_they_must():
    text = as_github([Problem("a,b:c.yaml", 3, 4, "x", "50% off\nnow")])
    assert text == "::error file=a%2Cb%3Ac.yaml,line=3,col=4::x: 50%25 off%0Anow"


def test_sarif_names_file_line_and_column():
    log = as_sarif([Problem("s.yaml", 3, 4, "x", "wrong")], "1.0")
    json.dumps(log)
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert log["version"] == "2.1.0"
    assert location["artifactLocation"]["uri"] == "s.yaml"
    assert location["region"] == {"startLine": 3, "startColumn": 4}


def test_an_override_with_a_colon_is_named_whole():
    problem = Problem("--set a={b: 1}", 1, 5, "a.b", "must be 2: it is")
    assert shown(problem) == ["--set a={b: 1}: error: a.b: must be 2: it is"]
