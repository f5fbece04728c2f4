# SPDX-License-Identifier: MIT
"""The external forces on the bodies of a textbook solver: gravity, actuators, loads and the air."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...scene.model import Body, Scene
from ...scene.values.portable_math import cos_and_sin, exp
from ..building.rows import Rows, joined
from ..saved import POINT, different, fixed, flag, listed, need, number, record, whole

Float64 = NDArray[np.float64]
SAME_TIME = 1e-9  # two times this close, as a part of dt, are the same


def _a_number(value: Any, where: str) -> None:
    """Return a number, or NaN, which marks the centre of mass as the place of a force."""
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    need(right, where, "must be a number")


class ExternalForces:
    """Forces on the bodies of a scene besides constraints. Row 0 of all arrays is the world."""

    def __init__(self, scene: Scene) -> None:
        self._dt = scene.world.dt
        self.gravity = scene.world.gravity
        self._rows: Rows = np.empty(0, _native.FORCE)
        self._enabled: list[bool] = []
        self._free: list[int] = []  # slots of removed forces
        self.loads: Float64 = np.zeros((0, 3))  # of the next step alone

    def add(self, rows: Rows) -> int:
        """Add thrusters, forces and impulses [n] of FORCE; the index of the first."""
        first = len(self._rows)
        self._rows = joined(self._rows, rows)
        self._enabled += [True] * len(rows)
        return first

    def put(self, rows: Rows) -> list[int]:
        """Add forces in free slots; return their indices."""
        places = []
        for i in range(len(rows)):
            if self._free:
                place = min(self._free)
                self._free.remove(place)
                self._rows[place], self._enabled[place] = rows[i], True
            else:
                place = self.add(rows[i : i + 1])
            places.append(place)
        return places

    def remove(self, index: int) -> None:
        if index not in self._free:
            self._enabled[index] = False
            self._free.append(index)

    def leave(self, body: int) -> None:
        """Remove all forces on the body of a slot."""
        for index in np.flatnonzero(self._rows["body"] == body).tolist():
            self.remove(index)
        self.loads[body : body + 1] = 0.0

    def grow(self, count: int) -> None:
        """Make room for this many bodies."""
        self.loads = np.concatenate([self.loads, np.zeros((max(0, count - len(self.loads)), 3))])

    def set(self, index: int, x: float, y: float, torque: float, enabled: bool) -> None:
        row = self._rows[index]
        row["x"], row["y"], row["torque"] = x, y, torque
        self._enabled[index] = enabled

    def get(self, index: int) -> tuple[float, float, float, bool]:
        """The values of the last ``set``."""
        row = self._rows[index]
        return float(row["x"]), float(row["y"]), float(row["torque"]), self._enabled[index]

    def sums(
        self,
        bodies: Sequence[Body | None],
        places: Float64,
        velocities: Float64,
        inverse_mass: Float64,
        centers: Sequence[tuple[float, float]],
        step: int,
    ) -> Float64:
        """[bodies, 3] the forces and torques of a step.

        The air leaves e^(-h c) of each body's velocity, and (1 - e^(-h c)) / (h c) of the change by
        all other forces, as in the engine (core/native/engine/bodies/damping.h).
        """
        forces = self.loads.copy()
        h = self._dt
        for i, row in enumerate(self._rows):
            at = int(row["body"])
            if self._enabled[i] and at < len(forces):  # else of one that a script has just made
                forces[at] += self._of(row, float(places[at, 2]), centers[at], step)
        for i, body in enumerate(bodies):
            inverse = inverse_mass[i].tolist()
            if body is None or inverse[0] == 0.0:
                forces[i] = 0.0
                continue
            drags = (body.linear_damping, body.linear_damping, body.angular_damping)
            for k, drag in enumerate(drags):
                if k < 2:
                    forces[i, k] += self.gravity[k] * body.gravity_scale / inverse[0]
                if drag and inverse[k]:
                    kept = exp(-h * drag)
                    y = h * drag
                    gained = (1.0 - kept) / y if y > 1e-5 else 1.0 - 0.5 * y
                    lost = float(velocities[i, k]) * (1.0 - kept) / (h * inverse[k])
                    forces[i, k] = gained * float(forces[i, k]) - lost
        return forces

    def _of(self, row: np.void, angle: float, center: tuple[float, float], step: int) -> Float64:
        """Force and torque of an actuator during one step."""
        h, now = self._dt, step * self._dt
        kind, start, until = int(row["kind"]), float(row["start"]), float(row["until"])
        blow = kind == _native.FORCE_KINDS["impulse"]
        over = start + h if blow else until
        if now < start - SAME_TIME * h or now >= over - SAME_TIME * h:
            return np.zeros(3)
        c, s = cos_and_sin(angle)
        fx, fy = float(row["x"]), float(row["y"])
        if kind == _native.FORCE_KINDS["thruster"]:
            fx, fy = c * fx - s * fy, s * fx + c * fy
        torque = float(row["torque"])
        if not math.isnan(row["at_x"]):
            dx, dy = float(row["at_x"]) - center[0], float(row["at_y"]) - center[1]
            torque += (c * dx - s * dy) * fy - (s * dx + c * dy) * fx
        size = 1.0 / h if blow else 1.0
        return np.array([fx * size, fy * size, torque * size])

    SAVED = record(
        loads=listed(fixed(number, number, number)),
        rows=listed(listed(_a_number)),
        enabled=listed(flag),
        free=listed(whole()),
        gravity=POINT,
    )

    def save(self) -> dict[str, Any]:
        """Settings since the start, as JSON data."""
        return {
            "loads": self.loads.tolist(),
            "rows": [row.tolist() for row in self._rows],
            "enabled": self._enabled,
            "free": sorted(self._free),
            "gravity": self.gravity,
        }

    def restored(self, saved: dict[str, Any], bodies: int) -> ExternalForces:
        """Restores ``save``'s data, of so many bodies. Raises UnfitError for other data."""
        twin = copy(self)
        twin.loads = np.array(saved["loads"], np.float64).reshape(-1, 3)
        need(len(twin.loads) <= bodies, "solver.forces.loads", "are of more bodies than there are")
        names = _native.FORCE.names or ()
        for i, values in enumerate(saved["rows"]):
            where = f"solver.forces.rows[{i}]"
            need(len(values) == len(names), where, "has other fields")
            of = dict(zip(names, values, strict=True))
            for name, value in of.items():
                may = _native.FORCE[name].kind != "f" or name in ("at_x", "at_y")
                need(may or value == value, where, f"{name} must be a number")
                if _native.FORCE[name].kind != "f":
                    whole(0, (1 << 31) - 1)(value, f"{where}.{name}")
            need(of["body"] < bodies, where, "is on a body that is not there")
        twin._rows = np.array([tuple(each) for each in saved["rows"]], dtype=_native.FORCE)
        twin._enabled, twin._free = [*saved["enabled"]], [*saved["free"]]
        need(len(twin._enabled) == len(twin._rows), "solver.forces.enabled", "has other forces")
        right = all(place < len(twin._rows) for place in twin._free)
        need(right, "solver.forces.free", "has a place that is not there")
        different(twin._free, "solver.forces.free")
        x, y = saved["gravity"]
        twin.gravity = x, y
        return twin
