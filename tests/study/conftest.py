"""A small scene with a study, and what its tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="studies need the extra `study`")

SCENE = """\
rigid: 1
name: A hop
vars: {height: 2, slope: 0}
world: {duration: 1}
bodies:
  ground: {type: static, shape: {box: [9, 1]}, position: [0, -0.5]}
  ball:
    shape: {circle: 0.5, restitution: 0.5}
    position: [0, =height]
    velocity: [=slope, "=uniform(-0.1, 0.1)"]
expect:
  - {always: =ball.y > 0.4}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a scene with a study: ``write("vary: {...}", "collect: {...}")``."""

    def call(*lines: str, scene: str = SCENE, name: str = "scene.yaml") -> Path:
        file = tmp_path / name
        file.write_text(scene + "study:\n" + "".join(f"  {line}\n" for line in lines))
        return file

    return call
