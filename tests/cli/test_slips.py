# SPDX-License-Identifier: MIT
"""Slips on the command line: messages contain the correction."""

from __future__ import annotations

import pytest

from tests.rows import every_row

SLIPS = [
    (["scene.yaml"], "`rigid run scene.yaml`"),
    (["scene.yml", "--gif", "a b.gif"], "`rigid run scene.yml --gif 'a b.gif'`"),
    (["scenes/basics"], "`rigid run scenes/basics`"),
    (["render", "a.yaml"], "`rigid run SCENE --gif FILE`"),
    (["simulate", "a.yaml"], "`rigid run SCENE`"),
    (["lint", "a.yaml"], "`rigid validate SCENE`"),
    (["init"], "`rigid new FILE`"),
    (["view", "a.yaml"], "`rigid play SCENE`"),
    (["convert", "a.json"], "`rigid import FILE`"),
    (["sweep"], "`rigid study SCENE --out DIR/`"),
    (["diff", "a", "b"], "`rigid snapshot diff OLD NEW`"),
    (["version"], "`rigid --version`"),
    (["help"], "`rigid --help`"),
    (["vaildate", "a.yaml"], "'validate'"),
    (["rnu", "a.yaml"], "'run'"),
    (["frobnicate"], "`rigid --help` lists them"),
]


@every_row(("arguments", "right"), SLIPS)
def test_a_verb_that_does_not_exist_is_told_the_right_one(rigid, arguments, right):
    result = rigid(*arguments)
    assert (result.code, result.out) == (2, "")
    assert right in result.err


OPTIONS = [
    (["--seconds", "3sec"], "should be seconds such as 2.5, or `500 ms`, not `3sec`"),
    (["--fps", "30fps"], "should be a number, such as 30, not `30fps`"),
    (["--steps", "2.5"], "should be a whole number, such as 2, not `2.5`"),
    (["--threads", "0"], "should be at least 1, not 0"),
    (["--threads", "1000"], "should be at most 256, not 1000"),
    (["-o", "ball.gif"], "there is no option -o; write `--gif ball.gif`"),
    (["--output=ball.mp4"], "there is no option --output; write `--mp4 ball.mp4`"),
    (["-o", "ball"], "no such option: -o"),
    (["--gif"], "--gif: the name of a file is missing, such as `--gif picture.gif`"),
    (["--fps"], "--fps: its value is missing"),
]


@every_row(("arguments", "right"), OPTIONS)
def test_a_wrong_option_names_the_right_one_and_the_help_of_its_verb(rigid, arguments, right):
    result = rigid("run", "none.yaml", *arguments)
    assert (result.code, result.out) == (2, "")
    assert right in result.err
    assert "(see `rigid run --help`)" in result.err


def test_the_name_of_a_plot_has_an_ending_that_is_listed(rigid):
    result = rigid("plot", "none.yaml", "ball.y", "-o", "a.jpg")
    assert "a.jpg: the name should end in .svg, .png or .pdf" in result.err


def test_a_length_of_time_has_a_unit(rigid, hello):
    steps = [
        rigid("run", hello, "--seconds", text, "--json").json["scenes"][0]["steps"]
        for text in ("0.1", "0.1 s", "100ms")
    ]
    assert steps == [steps[0]] * 3


OTHERS = {
    "README.md": ("# Title\n\nA text of words: and a colon.\n\n    rigid: 1\n", "a text document"),
    "a.md": ("# Only a title\n", "a text document"),
    "a.py": ("import os\n", "a program"),
    "a.html": ("<!DOCTYPE HTML>\n<html></html>", "a page (HTML)"),
}


@every_row("name", OTHERS)
def test_a_file_of_another_kind_is_named(rigid, tmp_path, name):
    text, kind = OTHERS[name]
    path = tmp_path / name
    path.write_text(text)
    assert f"this is {kind}" in rigid("run", path).err


BINARY = {
    "a.gif": (b"GIF89a\x58\x02\x2c\x01\xf7\x00\x00" + bytes(range(256)), "a GIF picture"),
    "a.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "a PNG picture"),
    "a.jpg": (b"\xff\xd8\xff\xe0" + bytes(range(256)), "a JPEG picture"),
    "a.mp4": (b"\x00\x00\x00\x20ftypisom" + bytes(range(256)), "a video"),
    "a.webp": (b"RIFF\x10\x00\x00\x00WEBP" + bytes(range(256)), "RIFF"),
    "a.npz": (b"PK\x03\x04" + bytes(range(256)), "NPZ"),
    "a.pdf": (b"%PDF-1.7\n" + bytes(range(256)), "a PDF document"),
    "a.svg": (b"<svg></svg>", "`rigid import`"),
    "noise": (bytes(range(255, -1, -1)) * 9, "UTF-8"),
}


@pytest.mark.parametrize("name", BINARY)
def test_a_file_that_is_no_text_is_named_and_not_printed(rigid, tmp_path, name):
    data, word = BINARY[name]
    path = tmp_path / name
    path.write_bytes(data)
    result = rigid("validate", path)
    assert result.code == 2
    assert word in result.err + result.out
    if name != "a.svg":
        assert " | " not in result.err, "no line of it is shown"
        assert "\ufffd" not in result.err
