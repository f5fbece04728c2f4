# SPDX-License-Identifier: MIT
"""``rigid sprites``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

ARM = """\
rigid: 1
bodies:
  base: {shape: {box: [0.6, 0.6]}}
  arm: {shape: {box: [1, 0.2], offset: [0.5, 0]}, collide: false}
joints:
  hinge: {type: revolute, bodies: [base, arm], anchor: [0, 0], motor: {position: 0}}
animations:
  turn: {type: loop, duration: 2, tracks: {hinge.motor.position: [[0, 0], [0.5, 90], [1, 0]]}}
"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.yaml"
    path.write_text(ARM)
    return path


def test_a_sheet_and_its_description_are_written(rigid, arm, tmp_path):
    sheet = tmp_path / "sheet.png"
    result = rigid(
        "sprites", arm, "--animation", "turn", "--count", 4, "--size", "48x40", "-o", sheet
    )
    assert result.code == 0
    with Image.open(sheet) as image:
        assert (image.size, image.mode) == ((192, 40), "RGBA")
    told = json.loads((tmp_path / "sheet.json").read_text())
    assert told["meta"]["image"] == "sheet.png"
    assert len(told["frames"]) == 4
    assert "4 sprites of 48x40 pixels" in result.out
    assert "texture: {sheet: sheet.png, grid: [4, 1], fps: 2," in result.out


def test_without_a_name_the_sheet_is_called_after_the_scene(rigid, arm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert rigid("sprites", "arm.yaml", "--count", 2).code == 0
    assert (tmp_path / "arm_sprites.png").exists()
    assert (tmp_path / "arm_sprites.json").exists()


def test_what_was_made_is_told_in_json(rigid, arm, tmp_path):
    sheet = tmp_path / "a.png"
    told = rigid("sprites", arm, "--count", 3, "--pivot", "0,0.1", "-o", sheet, "--json").json
    assert told["grid"] == [3, 1]
    assert told["animations"] == [{"name": "turn", "fps": 1.5}]
    assert told["sheet"] == str(sheet)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "a.gif"), "should end in .png"),
        (("--pivot", "1"), "should be X,Y"),
        (("--animation", "walk"), "no animation named"),
        (("--size", "0x4"), "--size"),
        (("-o", "none/a.png"), "does not exist"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(
    rigid, arm, tmp_path, arguments, words, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    result = rigid("sprites", arm, *arguments)
    assert result.code == 2
    assert words in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["arm.yaml"]


def test_an_image_of_the_scene_is_not_lost_to_the_sheet(rigid, arm, tmp_path):
    picture = tmp_path / "skin.png"
    Image.new("RGB", (8, 8)).save(picture)
    before = picture.read_bytes()
    arm.write_text(
        ARM.replace("shape: {box: [0.6, 0.6]}", "shape: {box: [0.6, 0.6]}, texture: skin.png")
    )
    result = rigid("sprites", arm, "-o", picture)
    assert result.code == 2
    assert "would be lost" in result.err
    assert picture.read_bytes() == before
