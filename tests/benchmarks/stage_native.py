# SPDX-License-Identifier: MIT
"""A benchmark scene in this project's own engine, through its native arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from parts import TIME_STEP, Part, Row, Scene
from rigid2d.core import _native


def _rows(rows: list[Row], dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """Rows as the engine takes them; what is not given is 0."""
    filled = np.zeros(len(rows), dtype)
    for name in {key for row in rows for key in row}:
        filled[name] = [row.get(name, 0) for row in rows]
    return filled


def _moved(rows: list[Row], numbers: list[int], *keys: str) -> list[Row]:
    """Rows whose references to bodies of the part are the engine's numbers; 0 is the world."""
    return [row | {key: numbers[int(row[key])] for key in keys} for row in rows]


class NativeStage:
    """The stage of our own engine."""

    def __init__(
        self,
        scene: Scene,
        threads: int = 1,
        lanes: int = 0,
        world: Callable[..., Any] = _native.World,
    ) -> None:
        self.world = world(
            gravity=scene.gravity, dt=TIME_STEP, sleep=scene.sleep, threads=threads, lanes=lanes
        )
        if scene.categories is not None:
            self.world.set_collision_matrix(np.array(scene.categories, dtype=np.bool_))
        self.bodies: dict[int, list[int]] = {}
        self.add(scene.part)
        self.world.finish()

    def add(self, part: Part) -> int:
        numbers = [0, *self.world.next_bodies(len(part.bodies))]
        added = self.world.add_fragment(
            _rows(part.bodies, _native.BODY),
            _rows(_moved(part.shapes, numbers, "body"), _native.SHAPE),
            np.array(part.points, dtype=np.float64).reshape(-1, 2),
            _rows(_moved(part.joints, numbers, "body_a", "body_b"), _native.JOINT),
            _rows([], _native.FORCE),
            _rows([], _native.BAR),
            _rows([], _native.POINT),
        )["bodies"]
        self.bodies[added[0]] = added
        return added[0]

    def remove(self, first: int, count: int) -> None:
        for body in self.bodies.pop(first)[:count]:
            self.world.remove_body(body)

    def set_velocity(self, body: int, vx: float, vy: float) -> None:
        self.world.set_velocity(body, vx, vy, 0.0)

    def step(self) -> None:
        if self.world.step() != 1:
            raise RuntimeError(f"the world stopped: {self.world.error}")
