# SPDX-License-Identifier: MIT
"""A scene to be played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.chromium import Tabs

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


@pytest.fixture
def play(tabs: Tabs, path: Path) -> Iterator[Any]:
    pytest.importorskip("websockets", reason="needs rigid2d[play]")
    from tests.play.played import Play

    made = Play(tabs, path)
    made.wait("p.picture.lastView && p.status")
    yield made
    made.end()
    assert made.errors == []
