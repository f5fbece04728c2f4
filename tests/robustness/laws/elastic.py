# SPDX-License-Identifier: MIT
"""What springs hold, by the formulas of the reference, for many moments of a run at once.

A frequency speaks of the mass that the spring swings: of the two bodies as they stand at the start,
held by this joint alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rigid2d.core.scene.model import Joint, Spring

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Motion:
    """A body through a run: its centre and its angle, [moments]; and what it is.

    Attributes:
        inverse_mass, inverse_inertia: 0 of what nothing moves.
        center: the centre of mass in the body's coordinates.
    """

    x: Numbers
    y: Numbers
    angle: Numbers
    inverse_mass: float
    inverse_inertia: float
    center: tuple[float, float]

    def arm(self, point: tuple[float, float]) -> tuple[Numbers, Numbers]:
        """From the centre of mass to a point of the body, in world axes."""
        return _turned(self.angle, point[0] - self.center[0], point[1] - self.center[1])


def _turned(angle: Numbers, x: float, y: float) -> tuple[Numbers, Numbers]:
    cosine, sine = np.cos(angle), np.sin(angle)
    return cosine * x - sine * y, sine * x + cosine * y


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The coordinates of a joint through a run, and its rows at the start."""

    joint: Joint
    a: Motion
    b: Motion

    def between(self) -> tuple[Numbers, Numbers]:
        ax, ay = self.a.arm(self.joint.anchor_a)
        bx, by = self.b.arm(self.joint.anchor_b)
        return self.b.x + bx - self.a.x - ax, self.b.y + by - self.a.y - ay

    def turn(self) -> Numbers:
        return self.b.angle - self.a.angle - self.joint.reference_angle

    def axis(self) -> tuple[Numbers, Numbers]:
        return _turned(self.a.angle, *self.joint.axis)

    def along(self) -> Numbers:
        """The coordinate that springs and limits act on: an angle, a length, a translation."""
        if self.joint.kind in ("revolute", "ratchet"):
            return self.turn()
        dx, dy = self.between()
        if self.joint.kind == "distance":
            return np.hypot(dx, dy)
        ux, uy = self.axis()
        return dx * ux + dy * uy

    def mass(self) -> float:
        """What a spring along the coordinate swings: 1 / (J W J^T) without the held rows."""
        rows = self._rows()
        w = [self.a.inverse_mass] * 2 + [self.a.inverse_inertia]
        w += [self.b.inverse_mass] * 2 + [self.b.inverse_inertia]
        k = rows @ np.diag(w) @ rows.T
        held = len(rows) - 1
        give = k[held, held]
        if held:
            scale = np.sqrt(np.diag(k)[:held])
            scale[scale == 0] = 1
            inner = k[:held, :held] / np.outer(scale, scale)
            cross = k[:held, held] / scale
            give -= cross @ np.linalg.lstsq(inner, cross, rcond=None)[0]
        return 1 / give if give > 1e-12 * k[held, held] else 0.0

    def _rows(self) -> Numbers:
        """The held rows and then the coordinate's, [rows, 6], at the start."""
        (ax, ay), (bx, by) = (
            (float(x[0]), float(y[0]))
            for x, y in (self.a.arm(self.joint.anchor_a), self.b.arm(self.joint.anchor_b))
        )
        dx, dy = (float(each[0]) for each in self.between())
        ux, uy = (float(each[0]) for each in self.axis())
        turn = [0.0, 0.0, -1.0, 0.0, 0.0, 1.0]
        if self.joint.kind in ("revolute", "ratchet"):
            pin = [[-1, 0, ay, 1, 0, -by], [0, -1, -ax, 0, 1, bx]]
            return np.array([*pin, turn], float)
        if self.joint.kind == "distance":
            length = math.hypot(dx, dy)
            return np.array([_line(dx / length, dy / length, ax, ay, bx, by)] if length else [turn])
        across, along = (
            _line(vx, vy, ax + dx, ay + dy, bx, by) for vx, vy in ((-uy, ux), (ux, uy))
        )
        held = [across, turn] if self.joint.kind == "prismatic" else [across]
        return np.array([*held, along], float)


def _line(ux: float, uy: float, ax: float, ay: float, bx: float, by: float) -> list[float]:
    return [-ux, -uy, -(ax * uy - ay * ux), ux, uy, bx * uy - by * ux]


def elastic_energy(
    joint: Joint,
    motions: Mapping[str, Motion],
    start: Mapping[str, Motion] | None = None,
    fastest: float = math.inf,
) -> Numbers:
    """The energy stored in the springs of a joint, [moments].

    Args:
        start: the run at whose start frequencies hold (by default that of `motions`).
        fastest: springs that swing faster (rad/s) are left out.
    """
    stretch = _Stretch(joint, motions[joint.body_a], motions[joint.body_b])
    start = start or motions
    mass = _Stretch(joint, start[joint.body_a], start[joint.body_b]).mass
    energy = np.zeros_like(stretch.a.x + stretch.b.x)
    if joint.kind == "weld" and joint.spring:
        dx, dy = stretch.between()
        a, b = stretch.a, stretch.b
        line = _stiffness(joint.spring, _whole(a.inverse_mass, b.inverse_mass), fastest)
        turn = _stiffness(joint.spring, _whole(a.inverse_inertia, b.inverse_inertia), fastest)
        return (line * (dx * dx + dy * dy) + turn * stretch.turn() ** 2) / 2
    if joint.spring and joint.kind in ("revolute", "distance", "prismatic", "wheel"):
        rest = joint.length if joint.kind == "distance" else 0.0
        stiffness = _stiffness(joint.spring, mass(), fastest)
        energy = energy + stiffness / 2 * (stretch.along() - rest) ** 2
    ends = _ends(joint)
    if joint.limit_spring and ends:
        stiffness = _stiffness(joint.limit_spring, mass(), fastest)
        at = stretch.along()
        beyond = np.maximum(at - ends[1], 0) + np.maximum(ends[0] - at, 0)
        energy = energy + stiffness / 2 * beyond**2
    return energy


def _whole(a: float, b: float) -> float:
    return 1 / (a + b) if a + b > 0 else 0.0


def _stiffness(spring: Spring, mass: float, fastest: float) -> float:
    """That of a spring that swings a mass, 0 of one that is left out."""
    if spring.frequency is None:
        stiffness = spring.stiffness or 0.0
    else:
        stiffness = mass * (2 * math.pi * spring.frequency) ** 2
    return 0.0 if stiffness > mass * fastest**2 else stiffness


def _ends(joint: Joint) -> tuple[float, float] | None:
    """Between which lengths, translations or angles a joint with soft ends is free.

    None without ends, and for a rod: a distance joint whose two lengths are equal is rigid,
    whatever its soft ends would be (a rope of length 0 is one).
    """
    if joint.kind != "distance":
        return joint.limits
    longest = joint.max_length
    if joint.rope:
        longest = joint.length if longest is None else longest
    shortest = 0.0 if joint.rope else joint.min_length or 0.0
    longest = math.inf if longest is None else longest
    return (shortest, longest) if shortest < longest else None
