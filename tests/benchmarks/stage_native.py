# SPDX-License-Identifier: MIT
"""A benchmark scene in this project's own engine, through its native arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from parts import TIME_STEP, Part, Row, Scene
from rigid.core import _native


def _rows(rows: list[Row], dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """Rows as the engine takes them; what is not given is 0."""
    filled = np.zeros(len(rows), dtype)
    for name in {key for row in rows for key in row}:
        filled[name] = [row.get(name, 0) for row in rows]
    return filled


def _moved(rows: list[Row], shift: int, *keys: str) -> list[Row]:
    """Rows whose references to bodies of the part are the engine's numbers; 0 is the world."""
    return [row | {key: row[key] + shift if row[key] else 0 for key in keys} for row in rows]


class NativeStage:
    """The stage of our own engine."""

    def __init__(self, scene: Scene, threads: int = 1, lanes: int = 0) -> None:
        self.world = _native.World(
            gravity=scene.gravity, dt=TIME_STEP, sleep=scene.sleep, threads=threads, lanes=lanes
        )
        if scene.categories is not None:
            self.world.set_collision_matrix(np.array(scene.categories, dtype=np.bool_))
        self.add(scene.part)
        self.world.finish()

    def add(self, part: Part) -> int:
        first = self.world.add_bodies(_rows(part.bodies, _native.BODY))
        shapes = _rows(_moved(part.shapes, first - 1, "body"), _native.SHAPE)
        self.world.add_shapes(shapes, np.array(part.points, dtype=np.float64).reshape(-1, 2))
        if part.joints:
            joints = _moved(part.joints, first - 1, "body_a", "body_b")
            self.world.add_joints(_rows(joints, _native.JOINT))
        return first

    def remove(self, first: int, count: int) -> None:
        for body in range(first, first + count):
            self.world.remove_body(body)

    def set_velocity(self, body: int, vx: float, vy: float) -> None:
        self.world.set_velocity(body, vx, vy, 0.0)

    def step(self) -> None:
        if self.world.step() != 1:
            raise RuntimeError(f"the world stopped: {self.world.error}")
