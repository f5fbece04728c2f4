# SPDX-License-Identifier: MIT
"""Flames of thrusters, and arrows for the forces and torques of actuators."""

from __future__ import annotations

from math import isfinite, pi, sqrt

import numpy as np

from ...record.frame import Frame
from ...scene.model import Actuator, Scene
from ...scene.values.portable_math import cos, sin
from ...view.camera import View, world_points
from ..canvas.colors import parse_color
from ..canvas.display import Items
from ..canvas.theme import Theme

FLAME = parse_color("#f0862f")
HEART = parse_color("#ffdc7a")
PUSHING = ("thruster", "force")
TURNING = ("thruster", "torque", "rotary_motor")

Vector = tuple[float, float]


class Thrust:
    """The look of a scene's actuators, frame by frame."""

    def __init__(self, scene: Scene, theme: Theme, unit: float, weight: float) -> None:
        self._scene, self._theme, self._unit, self._weight = scene, theme, unit, weight
        self._rows = {name: row for row, name in enumerate(scene.bodies)}
        self._pushing = [
            (index, actuator)
            for index, actuator in enumerate(scene.actuators.values())
            if actuator.kind in PUSHING and actuator.visible and actuator.force != (0.0, 0.0)
        ]
        self._others = [
            (index, actuator)
            for index, actuator in enumerate(scene.actuators.values())
            if actuator.visible and (_turn(actuator) != 0.0 or actuator.kind == "axial_friction")
        ]

    def add_flames(self, items: Items, frame: Frame, view: View) -> None:
        """A flame behind each thruster that acts, longer for a larger force."""
        for index, actuator in self._pushing:
            if actuator.kind != "thruster" or not acts(frame, index, actuator):
                continue
            for start, along in self._forces(actuator, frame, view):
                size = sqrt(along[0] * along[0] + along[1] * along[1])
                if not isfinite(size) or not size > 0.0:
                    continue
                x, y = -along[0] / size, -along[1] / size
                long = min(max(1.3 * size, 7.0 * self._unit), 80.0 * self._unit)
                for part, color in ((1.0, FLAME), (0.55, HEART)):
                    wide = 0.2 * part * long
                    tip = (start[0] + part * long * x, start[1] + part * long * y)
                    left = (start[0] - wide * y + 0.3 * wide * x, start[1] + wide * x)
                    right = (start[0] + wide * y + 0.3 * wide * x, start[1] - wide * x)
                    items.add("polygon", [left, start, right, tip], color)

    def add_arrows(self, items: Items, frame: Frame, view: View) -> None:
        """An arrow along each force that acts; its length is the square root of the force."""
        unit = self._unit
        for index, actuator in self._pushing:
            if not acts(frame, index, actuator):
                continue
            for (x, y), (dx, dy) in self._forces(actuator, frame, view):
                size = sqrt(dx * dx + dy * dy)
                if not isfinite(size) or size < 2.0:
                    continue
                share = min(1.0, 80.0 * unit / size)
                self._add_arrow(items, (x, y), (x + share * dx, y + share * dy))

    def add_turns(self, items: Items, frame: Frame, view: View) -> None:
        """Draw an arrow around a driven body; a bar with two heads along a braked direction."""
        for index, actuator in self._others:
            if not acts(frame, index, actuator):
                continue
            for name in actuator.bodies:
                row = self._rows[name]
                if frame.alive[row] and actuator.kind == "axial_friction":
                    self._add_brake(items, actuator, row, frame, view)
                elif frame.alive[row]:
                    self._add_turn(items, actuator, row, frame, view)

    def _add_turn(
        self, items: Items, actuator: Actuator, row: int, frame: Frame, view: View
    ) -> None:
        middle = world_points(frame, np.array([row]), frame.center[row : row + 1])[0]
        x, y = view.pixel(float(middle[0]), float(middle[1]))
        # Pixels go down: an angle that grows with y goes the other way round there.
        sense = _turn(actuator) * (1.0 if view.scale_y > 0.0 else -1.0)
        radius, start, pieces = 11.0 * self._unit, -0.75 * pi, 20
        angles = [start + sense * 1.4 * pi * i / pieces for i in range(pieces + 1)]
        points = [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]
        items.add("path", points[:-1], self._theme.push, radius=0.8 * self._unit)
        self._add_arrow(items, points[-3], points[-1])

    def _add_brake(
        self, items: Items, actuator: Actuator, row: int, frame: Frame, view: View
    ) -> None:
        at = actuator.at or (0.0, 0.0)
        local = np.array([at, (at[0] + actuator.direction[0], at[1] + actuator.direction[1])])
        ends = world_points(frame, np.array([row, row]), local)
        (x, y), (tx, ty) = (view.pixel(float(px), float(py)) for px, py in ends)
        size = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
        if not size > 0.0:
            return
        long = 14.0 * self._unit / size
        for sign in (-long, long):
            self._add_arrow(items, (x, y), (x + sign * (tx - x), y + sign * (ty - y)))

    def _add_arrow(self, items: Items, start: Vector, tip: Vector) -> None:
        unit = self._unit
        items.add(
            "arrow",
            [start, tip],
            self._theme.push,
            radius=0.8 * unit,
            a=7.0 * unit,
            b=3.2 * unit,
        )

    def _forces(self, actuator: Actuator, frame: Frame, view: View) -> list[tuple[Vector, Vector]]:
        """Return the points of application on all existing bodies, and the force, in pixels."""
        found = []
        fx, fy = actuator.force
        size = sqrt(fx * fx + fy * fy)
        if not size > 0.0:  # so small that its square is none
            return []
        long = 14.0 * self._unit * sqrt(size / self._weight) / size
        for name in actuator.bodies:
            row = self._rows[name]
            if not frame.alive[row]:
                continue
            at = frame.center[row] if actuator.at is None else actuator.at
            local = np.array([at, (0.0, 0.0), actuator.force], np.float64)
            place, origin, end = world_points(frame, np.array([row] * 3), local)
            along = end - origin if actuator.kind == "thruster" else np.array(actuator.force)
            sign = 1.0 if view.scale_y > 0.0 else -1.0
            pixels = (float(along[0]) * long, sign * float(along[1]) * long)
            found.append((view.pixel(float(place[0]), float(place[1])), pixels))
        return found


def _turn(actuator: Actuator) -> float:
    """Which way an actuator turns its bodies: 1, -1, or 0 for not at all."""
    if actuator.kind not in TURNING:
        return 0.0
    amount = actuator.torque if actuator.speed is None else actuator.speed
    return float((amount > 0.0) - (amount < 0.0))


def acts(frame: Frame, index: int, actuator: Actuator) -> bool:
    """Whether an actuator acts, as the frame says or else as the scene does."""
    if frame.acting is not None:
        return bool(frame.acting[index])
    return actuator.enabled and actuator.start <= frame.time < actuator.until
