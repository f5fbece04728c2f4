# SPDX-License-Identifier: MIT
"""A small scene for data sets, and shared helpers of their tests."""

from __future__ import annotations

from pathlib import Path

import pytest

SCENE = """\
rigid: 1
name: A hop
vars: {height: 2, push: "=uniform(-1, 1)"}
world: {duration: 1, dt: =1/100, seed: 40}
camera: {mode: region, rect: [[-4, -1], [4, 5]]}
bodies:
  ground: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], tags: [floor]}
  ball:
    shape: {circle: 0.5, restitution: 0.5}
    position: [0, =height]
    velocity: [=push, 0]
  crate: {shape: {box: [1, 1]}, position: [2, 0.5], tags: [crate]}
"""
STUDY = "study: {vary: {vars.height: {uniform: [1, 3]}}}\n"


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """The scene in a file, with something that is varied."""
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE + STUDY)
    return file


def files_of(folder: Path) -> dict[str, bytes]:
    """All files in a folder, by their names."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
