# SPDX-License-Identifier: MIT
"""Outlines that are cut along lines, and images that are cut into frames."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.edit.edited import document


def test_an_image_is_cut_into_frames_and_made_whole_again(tmp_path: Path) -> None:
    Image.new("RGB", (8, 4)).save(tmp_path / "coin.png")
    text = "rigid: 1\nbodies:\n  coin: {shape: {circle: 1}, texture: coin.png}   # it\n"
    edited = document(tmp_path, text)
    sheet = {"sheet": "coin.png", "grid": [4, 2], "frame": 3, "fps": None, "file": None}
    cut = {"edit": "texture", "what": ["bodies.coin"]}
    assert edited.do({**cut, "fields": sheet})["done"]
    expected = "texture: {sheet: coin.png, grid: [4, 2], frame: 3}}   # it"
    assert expected in edited.texts["scene.yaml"]
    assert edited.do({**cut, "fields": {**sheet, "frame": None, "fps": 5}})["done"]
    assert "{sheet: coin.png, grid: [4, 2], fps: 5}" in edited.texts["scene.yaml"]
    assert edited.do({**cut, "file": "coin.png"})["done"]
    assert "texture: {file: coin.png}}   # it" in edited.texts["scene.yaml"]
    assert edited.do({"edit": "unset", "path": "bodies.coin.texture"})["done"]
    assert edited.do({**cut, "fields": sheet})["done"]
    assert edited.scene().bodies["coin"].texture is not None


def test_a_cut_that_rounding_puts_through_a_corner_makes_no_point_twice(tmp_path: Path) -> None:
    edited = document(tmp_path)
    line = [[4, -0.5004], [8, 1.4996]]  # through two corners of the hull, as far as it is written
    answer = edited.do({"edit": "split", "what": ["bodies.hull"], "line": line, "step": 0.1})
    assert answer["names"] == ["bodies.hull", "bodies.hull_2"]
    for body in ("hull", "hull_2"):
        points = edited.scene().bodies[body].shapes[0].points
        assert len({*points}) == len(points)
