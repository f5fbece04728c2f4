"""Rows of many copies of one prototype, made from those of the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..scene.model import Body, Scene
from .assembly import build_rows
from .rows import Rows


@dataclass(frozen=True, slots=True)
class Mould:
    """The rows of one copy, whose bodies are 0, 1 and so on; joints have rows of their own."""

    rows: Mapping[str, Any]
    bodies: int

    def rows_of(self, bodies: Sequence[Body], slots: Sequence[int]) -> dict[str, Any]:
        """The rows of all copies of the prototype: ``bodies`` are one copy after another."""
        count = len(bodies) // self.bodies
        if len(bodies) == 1:
            return self._one(bodies[0], slots[0])
        taken = np.array(slots, np.int32).reshape(count, self.bodies)
        rows = {name: self._owned(name, count, taken) for name in ("shapes", "bars", "points")}
        first = np.arange(count) * len(self.rows["corners"])
        rows["shapes"]["first_point"] += np.repeat(first, len(self.rows["shapes"])).astype(np.int32)
        rows["corners"] = np.tile(self.rows["corners"], (count, 1))
        table = np.tile(self.rows["bodies"], count)
        moved = np.array([(*each.position, each.angle, *each.velocity) for each in bodies])
        for column, name in enumerate(("x", "y", "angle", "vx", "vy")):
            table[name] = moved[:, column]
        return {**rows, "bodies": table, "joints": self.rows["joints"]}

    def _one(self, body: Body, slot: int) -> dict[str, Any]:
        """The same for a copy of one body, in half the time."""
        rows = dict(self.rows)
        for name in ("shapes", "bars", "points"):
            if len(rows[name]):
                rows[name] = rows[name].copy()
                rows[name]["body"] = slot
        row = rows["bodies"] = rows["bodies"].copy()
        row["x"], row["y"] = body.position
        row["angle"] = body.angle
        row["vx"], row["vy"] = body.velocity
        return rows

    def _owned(self, name: str, count: int, taken: Any) -> Rows:
        rows = np.tile(self.rows[name], count)
        if len(rows):
            rows["body"] = taken[:, self.rows[name]["body"]].reshape(-1)
        return rows


def mould_of(scene: Scene, bodies: Sequence[Body]) -> Mould:
    """The rows of these bodies, which are one copy of a prototype."""
    index = {body.name: i for i, body in enumerate(bodies)}
    return Mould(build_rows(scene, bodies, (), index, {}), len(bodies))
