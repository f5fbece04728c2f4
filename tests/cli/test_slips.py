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
