# SPDX-License-Identifier: MIT
"""Rows of joints, as document 000 derives them in parts 4 and 5.

    distance   J = (-u, -(r1 x u), u, r2 x u)   u along the joint (003, M9; its printed signs of J
                                                are the other way round, its code's are these)
    point      two such rows along x and y      a revolute joint
    angle      J = (0, -1, 0, 1)                with these it is a weld
    line       J = (-t, -(d x t), t, r2 x t)    t across the axis, d from the first centre to the
                                                second anchor: a wheel; with the angle a prismatic
    axis       the same along the axis f        limits, motors and springs of both; with one body,
                                                axial friction (part 6)
    pull       along x and y, ``mouse.py``      a mouse

What is held has the bias -rate / dt C. Limits push or pull alone, as soon as the step could reach
them. A motor has the bias of its speed, or rate / dt times what its position lacks, and at most
its force times dt. A spring of stiffness k and damping c is soft (part 4, 2.17, after Catto, "Soft
Constraints", GDC 2011), and so are a motor and limits that have one (4.7: all constraints can be):

    gamma = 1 / (c + h k),  beta = h k / (c + h k),  J V + gamma / h p = -beta / h C

or, with ``springs: force``, the force -k C - c C' of its first way, and of 003's force joints.
There a spring between points off the centres has no torque; here it has.

Not as printed: all joints have one rate, and a motor's angle counts from the same 0 as limits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..scene.values.portable_math import cos_and_sin
from .mouse import PULL
from .system import JOINT, Bodies, Float64, Joint, Key, Point, Settings, Soft

# Parts of a joint, the last number of its key; ``constraint.py`` has those from OWN on.
HELD, SOFT, LEAST, MOST, DRIVE, OWN, OWN_DRIVE = 0, 3, 6, 7, 8, 1000, 2000


@dataclass(slots=True)
class Row:
    """One row of a joint; ``key`` is (JOINT, joint, part)."""

    a: int
    b: int
    J: tuple[float, ...]
    key: Key
    name: str
    bias: float = 0.0
    low: float = -math.inf
    high: float = math.inf
    softness: float = 0.0


def is_drive(key: Key) -> bool:
    """Whether a row is a motor's."""
    return key[0] == JOINT and (key[2] == DRIVE or key[2] >= OWN_DRIVE)


def arms(bodies: Bodies, joint: Joint) -> tuple[Point, Point]:
    """From each body's centre of mass to its anchor, in world axes."""
    return _turned(joint.anchor_a, bodies.X[joint.a, 2]), _turned(
        joint.anchor_b, bodies.X[joint.b, 2]
    )


def _turned(vector: Point, angle: float) -> Point:
    c, s = cos_and_sin(float(angle))
    return c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]


def joint_rows(bodies: Bodies, joint: Joint, settings: Settings) -> list[Row]:
    """The rows of a joint at its bodies' poses."""
    return _Placed(bodies, joint, settings).rows()


def apply_springs(bodies: Bodies, joints: Sequence[Joint], settings: Settings) -> Float64:
    """With ``springs: force``, add what springs do to F; [joints, 3] their impulses on the second
    bodies."""
    impulses = np.zeros((len(joints), 3))
    if settings.springs != "force":
        return impulses
    V = bodies.V.tolist()
    for i, joint in enumerate(joints):
        for row, error, soft in _Placed(bodies, joint, settings).springs():
            j, va, vb = row.J, V[joint.a], V[joint.b]
            speed = j[0] * va[0] + j[1] * va[1] + j[2] * va[2]
            speed += j[3] * vb[0] + j[4] * vb[1] + j[5] * vb[2]
            force = -soft.stiffness * error - soft.damping * speed
            force = min(max(force, -joint.most_force), joint.most_force)
            for k in range(3):
                bodies.F[joint.a, k] += j[k] * force
                bodies.F[joint.b, k] += j[3 + k] * force
            impulses[i] += on_second(j, force * settings.dt)
    return impulses


def on_second(J: Sequence[float], impulse: float) -> tuple[float, float, float]:
    """A row's impulse on the second body: along x and y, and the angular impulse of a row that
    only turns."""
    turn = J[5] * impulse if J[3] == J[4] == 0.0 else 0.0
    return J[3] * impulse, J[4] * impulse, turn


class _Placed:
    """A joint whose bodies are at their places."""

    def __init__(self, bodies: Bodies, joint: Joint, settings: Settings) -> None:
        self.joint, self.settings = joint, settings
        self.r1, self.r2 = arms(bodies, joint)
        x1, x2 = bodies.X[joint.a].tolist(), bodies.X[joint.b].tolist()
        self.reach = (x2[0] + self.r2[0] - x1[0], x2[1] + self.r2[1] - x1[1])  # d
        self.gap = (self.reach[0] - self.r1[0], self.reach[1] - self.r1[1])
        self.turn = x2[2] - x1[2] - joint.reference_angle
        self.axis = _turned(joint.axis, x1[2])
        rate = settings.correction_rate if settings.position_correction else 0.0
        self.pull = rate * settings.inverse_dt

    def rows(self) -> list[Row]:
        joint, x, y = self.joint, (1.0, 0.0), (0.0, 1.0)
        made = []
        if joint.kind == "revolute" or (joint.kind == "weld" and joint.soft is None):
            made += [self._held(self._line(0, x, self.r1, "x"), self.gap[0])]
            made += [self._held(self._line(1, y, self.r1, "y"), self.gap[1])]
        if joint.kind in ("prismatic", "wheel"):
            across = (-self.axis[1], self.axis[0])
            apart = self.gap[0] * across[0] + self.gap[1] * across[1]
            made += [self._held(self._line(0, across, self.reach, "line"), apart)]
        if joint.kind == "prismatic" or (joint.kind == "weld" and joint.turning is None):
            made += [self._held(self._angle(2, "angle"), self.turn)]
        if joint.kind == "mouse":
            made += [self._pulled(PULL, x), self._pulled(PULL + 1, y)]
        elif self.settings.springs != "force":
            made += [self._softened(*spring, joint.most_force) for spring in self.springs()]
        return made + self._limits() + self._motor()

    def springs(self) -> list[tuple[Row, float, Soft]]:
        """The rows of its springs, their displacements from rest, and their stiffnesses."""
        joint, found = self.joint, []
        if joint.soft is not None and joint.kind != "mouse":
            if joint.kind == "weld":
                for k, axis in enumerate(((1.0, 0.0), (0.0, 1.0))):
                    row = self._line(SOFT + k, axis, self.r1, "xy"[k])
                    found.append((row, self.gap[k], joint.soft))
            else:
                row, value = self._coordinate(SOFT, "spring")
                found.append((row, value - joint.rest, joint.soft))
        if joint.turning is not None:
            found.append((self._angle(SOFT + 2, "turn"), self.turn, joint.turning))
        return found

    def _pulled(self, part: int, axis: Point) -> Row:
        """One of the two rows of a mouse: soft independent of ``springs``, or rigid."""
        k, h, most = part - PULL, self.settings.dt, self.joint.most_force
        row = self._line(part, axis, self.r1, "xy"[k])
        row.bias, row.high = -self.gap[k] / h, most * h
        soft = self.joint.soft
        return row if soft is None else self._softened(row, self.gap[k], soft, most)

    def _limits(self) -> list[Row]:
        joint = self.joint
        least, most = joint.least, joint.most
        if joint.kind == "distance" and least <= 0.0:
            least = -math.inf  # no distance is less
        if joint.kind in ("weld", "mouse") or not (math.isfinite(least) or math.isfinite(most)):
            return []
        if least == most and joint.giving is None:
            row, value = self._coordinate(HELD, "length" if joint.kind == "distance" else "limit")
            return [self._held(row, value - most)]
        ends = ((MOST, "most", most, 1.0), (LEAST, "least", least, -1.0))
        return [row for end in ends if math.isfinite(end[2]) for row in self._end(*end)]

    def _end(self, part: int, name: str, end: float, sign: float) -> list[Row]:
        """The row of a limit: a step may reach it; errors beyond it decay by the rate."""
        row, value = self._coordinate(part, name)
        beyond, soft = sign * (value - end), self.joint.giving
        if soft is not None and beyond <= 0.0:
            return []
        nearing = self.pull if beyond > 0.0 else self.settings.inverse_dt
        row.bias = -nearing * (value - end)
        if soft is not None:
            self._softened(row, value - end, soft, math.inf)
        row.low, row.high = (row.low, 0.0) if sign > 0.0 else (0.0, row.high)
        return [row]

    def _motor(self) -> list[Row]:
        drive = self.joint.drive
        if drive is None or drive.most == 0.0:
            return []
        if self.joint.kind in ("wheel", "rotary_motor"):
            row, value = self._angle(DRIVE, "motor"), self.turn
        elif self.joint.kind == "axial_friction":
            axis = _turned(self.joint.axis, self.turn)  # of the second body
            row, value = self._line(DRIVE, axis, self.reach, "friction"), 0.0
        else:
            row, value = self._coordinate(DRIVE, "motor")
        row.bias = drive.target if drive.by_speed else self.pull * (drive.target - value)
        if drive.stops:  # up to the limits, and there it holds
            per_h, joint = self.settings.inverse_dt, self.joint
            row.bias = max(row.bias, per_h * (joint.least - value))
            row.bias = min(row.bias, per_h * (joint.most - value))
        row.high = drive.most * self.settings.dt
        row.low = -row.high
        if drive.soft is not None:
            self._softened(row, value - drive.target, drive.soft, drive.most)
        if drive.only_pushes and row.bias >= 0.0:
            row.low = 0.0
        if drive.only_pulls or (drive.only_pushes and row.bias <= 0.0):
            row.high = 0.0
        return [row]

    def _coordinate(self, part: int, name: str) -> tuple[Row, float]:
        """The free coordinate of a joint: a length, a translation or an angle."""
        if self.joint.kind == "revolute":
            return self._angle(part, name), self.turn
        if self.joint.kind == "distance":
            x, y = self.gap
            length = math.sqrt(x * x + y * y)
            u = (x / length, y / length) if length > 0.0 else (1.0, 0.0)
            return self._line(part, u, self.r1, name), length
        along = self.gap[0] * self.axis[0] + self.gap[1] * self.axis[1]
        return self._line(part, self.axis, self.reach, name), along

    def _line(self, part: int, d: Point, r1: Point, name: str) -> Row:
        r2 = self.r2
        turn1, turn2 = r1[0] * d[1] - r1[1] * d[0], r2[0] * d[1] - r2[1] * d[0]
        return self._row(part, (-d[0], -d[1], -turn1, d[0], d[1], turn2), name)

    def _angle(self, part: int, name: str) -> Row:
        return self._row(part, (0.0, 0.0, -1.0, 0.0, 0.0, 1.0), name)

    def _row(self, part: int, J: tuple[float, ...], name: str) -> Row:
        joint = self.joint
        return Row(joint.a, joint.b, J, (JOINT, joint.number, part), f"{joint.name}.{name}")

    def _held(self, row: Row, error: float) -> Row:
        row.bias = -self.pull * error
        return row

    def _softened(self, row: Row, error: float, soft: Soft, most: float) -> Row:
        h = self.settings.dt
        both = h * soft.stiffness + soft.damping
        row.softness = 1.0 / (h * both)
        row.bias = -(soft.stiffness / both) * error
        row.high = most * h
        row.low = -row.high
        return row
