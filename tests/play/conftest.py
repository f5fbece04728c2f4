# SPDX-License-Identifier: MIT
"""A scene to be played."""

from __future__ import annotations

from pathlib import Path

import pytest

SCENE = """\
rigid: 1
# the comment that stays
vars:
  g: {value: 9.81, range: [0, 20]}   # also this one
world: {gravity: [0, =-g], duration: 4}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  low: {shape: {box: [1, 1]}, position: [0, 0.5]}
  top: {shape: {box: [1, 1]}, position: [0, 1.5]}
  ship: {shape: {circle: 0.5}, position: [4, 0.5]}
actuators:
  jet: {type: thruster, body: ship, force: [0, 12]}
controls: {up: jet}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE, encoding="utf-8")
    return file
