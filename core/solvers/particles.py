# SPDX-License-Identifier: MIT
"""Bodies as particles: one at each corner, and rods among them (document 004, V1)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..scene.values.portable_math import atan2, cos_and_sin
from .system import Bodies, Joint, Outline, Particles, Settings

Points = list[list[float]]


class Rod(NamedTuple):
    """Two particles with a distance between ``least`` and ``most``."""

    first: int
    second: int
    least: float
    most: float


class Corners:
    """All particles: their outlines, inverse masses, and the rods between them."""

    def __init__(self, bodies: Bodies, outlines: tuple[Outline, ...]) -> None:
        self.outlines = outlines
        self.start: list[int] = []
        self.inverse: list[float] = []
        self.rods: list[Rod] = []
        for outline in outlines:
            first, count = len(self.inverse), len(outline.corners)
            self.start.append(first)
            self.inverse += [float(bodies.inverse_mass[outline.body, 0]) * count] * count
            if self.inverse[first] == 0.0:
                continue
            for i in range(count):
                for j in range(i):
                    d = distance(outline.corners[i].tolist(), outline.corners[j].tolist())
                    self.rods.append(Rod(first + i, first + j, d, d))

    def of(self, outline: int) -> range:
        return range(self.start[outline], self.start[outline] + len(self.outlines[outline].corners))


def begin(bodies: Bodies, corners: Corners, dt: float) -> Particles:
    """Particles at the corners of the bodies; previous positions follow from velocities."""
    now, before = [], []
    for outline in corners.outlines:
        v = bodies.V[outline.body].tolist()
        x, y, _ = bodies.X[outline.body].tolist()
        for px, py in placed(bodies, outline):
            now.append([px, py])
            before.append([px - dt * (v[0] - v[2] * (py - y)), py - dt * (v[1] + v[2] * (px - x))])
    return Particles(np.array(now).reshape(-1, 2), np.array(before).reshape(-1, 2))


def placed(bodies: Bodies, outline: Outline) -> Points:
    x, y, angle = bodies.X[outline.body].tolist()
    c, s = cos_and_sin(angle)
    return [[x + (c * px - s * py), y + (s * px + c * py)] for px, py in outline.corners.tolist()]


def joint_rod(joint: Joint, corners: Corners) -> Rod:
    ends = []
    for body, anchor in ((joint.a, joint.anchor_a), (joint.b, joint.anchor_b)):
        near = [
            (distance(list(anchor), corner.tolist()), corners.start[k] + i)
            for k, outline in enumerate(corners.outlines)
            if outline.body == body
            for i, corner in enumerate(outline.corners)
        ]
        ends.append(min(near)[1])
    return Rod(ends[0], ends[1], joint.least, joint.most)


def place_bodies(bodies: Bodies, corners: Corners, now: Points, settings: Settings) -> None:
    """Place the bodies at the best fit to their corners, with their mean rotation."""
    for k, outline in enumerate(corners.outlines):
        body = outline.body
        if corners.inverse[corners.start[k]] == 0.0:
            continue
        count = len(outline.corners)
        rest = outline.corners.tolist()
        mx, my, rx, ry = 0.0, 0.0, 0.0, 0.0
        for i, (px, py) in zip(corners.of(k), rest, strict=True):
            mx, my, rx, ry = mx + now[i][0], my + now[i][1], rx + px, ry + py
        mx, my, rx, ry = mx / count, my / count, rx / count, ry / count
        cross = dot = 0.0
        for i, (px, py) in zip(corners.of(k), rest, strict=True):
            x, y, u, v = now[i][0] - mx, now[i][1] - my, px - rx, py - ry
            dot += u * x + v * y
            cross += u * y - v * x
        old = bodies.X[body].tolist()
        turn = atan2(cross, dot) - old[2]
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
        angle = old[2] + turn
        c, s = cos_and_sin(angle)
        new = [mx - (c * rx - s * ry), my - (s * rx + c * ry), angle]
        bodies.X[body] = new
        bodies.V[body] = [(new[i] - old[i]) * settings.inverse_dt for i in range(3)]
    fixed = ~bodies.inverse_mass.any(axis=1)
    bodies.X[fixed] += bodies.V[fixed] * settings.dt


def distance(one: list[float], two: list[float]) -> float:
    x, y = two[0] - one[0], two[1] - one[1]
    return math.sqrt(x * x + y * y)
