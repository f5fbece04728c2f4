# SPDX-License-Identifier: MIT
"""Usual benchmark scenes of 2D engines, in any size.

The set-ups (sizes, counts, materials, motors) are those of Box2D v3's benchmark program, so that
times can be put side by side. 60 steps a second, gravity 10 m/s^2, friction 0.6 and density
1 kg/m^2 unless a scene says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from parts import (
    KINEMATIC,
    MOTOR_SPEED,
    STATIC,
    TIME_STEP,
    Part,
    Point,
    Scene,
    Stage,
)
from ragdoll import rain
from rigid2d.core.scene.values import portable_math

DEGREE = math.pi / 180.0


def polar(radius: float, angle: float) -> Point:
    return radius * portable_math.cos(angle), radius * portable_math.sin(angle)


def _pyramid(part: Part, base: int, left: float, bottom: float) -> None:
    """Boxes of 1 m, ``base`` in the lowest row, whose left edge is at ``left``."""
    for row in range(base):
        for column in range(base - row):
            x = left + 0.5 * row + column + 0.5
            part.box(part.body(x, bottom + row + 0.5), 0.5, 0.5)


def large_pyramid(base: int = 100) -> Scene:
    part = Part()
    part.box(part.body(0.0, -1.0, kind=STATIC), 100.0, 1.0)
    _pyramid(part, base, -0.5 * base, 0.0)
    return Scene(part, sleep=False)


def many_pyramids(rows: int = 20, columns: int = 20, base: int = 10) -> Scene:
    part = Part()
    pitch = base + 1.0
    half = 0.5 * pitch * columns
    ground = part.body(0.0, 0.0, kind=STATIC)
    for row in range(rows):
        part.segment(ground, (-half, row * pitch), (half, row * pitch))
    for row in range(rows):
        for column in range(columns):
            _pyramid(part, base, -half + column * pitch + 0.5, row * pitch)
    return Scene(part, sleep=False)


def joint_grid(size: int = 100) -> Scene:
    """Discs that touch nothing, pinned to their neighbours, hanging from seven in the top row."""
    part = Part()
    held = range(size // 2 - 3, size // 2 + 4)
    for column in range(size):
        for row in range(size):
            fixed = row == 0 and column in held
            body = part.body(column, -row, kind=STATIC) if fixed else part.body(column, -row)
            part.circle(body, 0.4)
            if row > 0:
                part.revolute(body - 1, body, (0.0, -0.5), (0.0, 0.5))
            if column > 0 and not (fixed and column - 1 in held):
                part.revolute(body - size, body, (0.5, 0.0), (-0.5, 0.0))
    return Scene(part, sleep=False, categories=[[False]])


def smash(columns: int = 120, rows: int = 80) -> Scene:
    """A heavy box flies into a wall of small sleeping ones; no gravity."""
    part = Part()
    part.box(part.body(-20.0, 0.0, vx=40.0), 4.0, 4.0, density=8.0)
    size = 0.4
    for column in range(columns):
        for row in range(rows):
            body = part.body(column * size + 30.0, (row - 0.5 * rows) * size, awake=0)
            part.box(body, 0.5 * size, 0.5 * size)
    return Scene(part, gravity=(0.0, 0.0))


def spinner(count: int = 6076) -> Scene:
    """Capsules, discs and boxes in a ring of 360 chain segments, stirred by a paddle."""
    part = Part()
    ground = part.body(0.0, 0.0, kind=STATIC)
    ring = [polar(40.0, i * DEGREE) for i in range(360)]
    part.loop(ground, [(x, y + 32.0) for x, y in ring], friction=0.1)
    paddle = part.body(0.0, 12.0, sleep=0)
    part.box(paddle, 0.4, 20.0, radius=0.2, friction=0.0)
    motor = {"motor_kind": MOTOR_SPEED, "motor_target": 5.0, "motor_max": math.inf}
    part.revolute(0, paddle, (0.0, 12.0), (0.0, 0.0), **motor)
    material = {"density": 0.25, "friction": 0.1, "restitution": 0.1}
    for i in range(count):
        body = part.body(-23.0 + 0.5 * (i % 92), 2.0 + 0.5 * (i // 92))
        if i % 3 == 0:
            part.capsule(body, (-0.25, 0.0), (0.25, 0.0), 0.25, **material)
        elif i % 3 == 1:
            part.circle(body, 0.35, **material)
        else:
            part.box(body, 0.35, 0.35, **material)
    return Scene(part)


def tumbler(size: int = 45) -> Scene:
    """A square drum, turned by a motor, full of small boxes."""
    part = Part()
    drum = part.body(0.0, 10.0)
    for at in ((10.0, 0.0), (-10.0, 0.0)):
        part.box(drum, 0.5, 10.0, at, density=50.0)
    for at in ((0.0, 10.0), (0.0, -10.0)):
        part.box(drum, 10.0, 0.5, at, density=50.0)
    motor = {"motor_kind": MOTOR_SPEED, "motor_target": 25.0 * DEGREE, "motor_max": 1e8}
    part.revolute(0, drum, (0.0, 10.0), (0.0, 0.0), **motor)
    for row in range(size):
        for column in range(size):
            body = part.body(-0.2 * size + 0.4 * column, -0.2 * size + 10.0 + 0.4 * row)
            part.box(body, 0.125, 0.125)
    return Scene(part)


def washer(size: int = 90) -> Scene:
    """A round drum of overlapping plates with four paddles, moved as a kinematic body."""
    part = Part()
    drum = part.body(0.0, 10.0, kind=KINEMATIC, vx=0.001, vy=-0.002, omega=25.0 * DEGREE)
    for i in range(36):
        start, end = 10.0 * i * DEGREE, 10.0 * (i + 1) * DEGREE
        first, last = start - DEGREE, end + DEGREE
        plate = [polar(16.0, first), polar(18.0, first), polar(18.0, last), polar(16.0, last)]
        part.polygon(drum, plate)
        if i % 9 == 0:
            paddle = [polar(14.0, start), polar(16.0, start), polar(16.0, end), polar(14.0, end)]
            part.polygon(drum, paddle)
    for row in range(size):
        for column in range(size):
            x, y = -0.11 * size + 0.21 * column, -0.11 * size + 10.0 + 0.21 * row
            part.box(part.body(x, y), 0.1, 0.1)
    return Scene(part)


def _trough(part: Part, half_width: int, height: int) -> None:
    """A floor and two walls made of overlapping boxes of 1 m."""
    ground = part.body(0.0, 0.0, kind=STATIC)
    for x in range(-half_width, half_width + 1):
        part.box(ground, 0.55, 0.5, (x, 0.0))
    for side in (-half_width, half_width):
        for y in range(1, height + 1):
            part.box(ground, 0.5, 0.55, (side, y))


def compounds(columns: int = 20, rows: int = 150) -> Scene:
    """Bodies of two crossed triangles each, dropped into a trough."""
    part = Part()
    _trough(part, 40, 100)
    part.segment(1, (-800.0, -80.0), (800.0, -80.0))
    side = 0.25
    for column in range(columns):
        for row in range(rows):
            body = part.body(2.0 * column - columns + 1.0 + side, 2.25 * row + 5.575)
            part.polygon(body, [(-1.0, 0.0), (0.5, 1.0), (0.0, 2.0)], friction=0.5)
            part.polygon(body, [(1.0, 0.0), (0.0, 2.0), (-0.5, 1.0)], friction=0.5)
            side = -side
    return Scene(part)


def junkyard(columns: int = 200, rows: int = 40) -> Scene:
    """Irregular pentagons in a trough, pushed to and fro by a kinematic block."""
    part = Part()
    _trough(part, 80, 50)
    golden = math.pi * (math.sqrt(5.0) - 1.0)
    scrap = [polar(0.25, angle) for angle in sorted(i * golden % (2.0 * math.pi) for i in range(5))]
    side = -0.1
    for column in range(columns):
        for row in range(rows):
            body = part.body(0.375 * (2.0 * column - columns) + side, row + 15.0)
            part.polygon(body, scrap)
            side = -side
    block = part.body(0.0, 0.0, kind=KINEMATIC)
    part.box(block, 2.0, 4.0, (0.0, 4.0))

    def push(stage: Stage, step: int) -> None:
        before, after = (portable_math.sin(0.2 * TIME_STEP * max(k, 0)) for k in (step - 1, step))
        stage.set_velocity(block, 60.0 * (after - before) / TIME_STEP, 0.0)

    return Scene(part, before_step=push)


@dataclass(frozen=True)
class Recipe:
    """The recipe of a scene: ``small`` are the sizes for tests, ``steps`` the usual run."""

    make: Callable[..., Scene]
    steps: int
    small: Mapping[str, Any] = field(default_factory=dict)


SCENES: dict[str, Recipe] = {
    "large_pyramid": Recipe(large_pyramid, 500, {"base": 20}),
    "many_pyramids": Recipe(many_pyramids, 200, {"rows": 3, "columns": 3}),
    "joint_grid": Recipe(joint_grid, 500, {"size": 20}),
    "rain": Recipe(rain, 1000, {"rows": 2, "columns": 5, "group": 2, "tiles": 100}),
    "smash": Recipe(smash, 300, {"columns": 20, "rows": 10}),
    "spinner": Recipe(spinner, 500, {"count": 400}),
    "tumbler": Recipe(tumbler, 750, {"size": 16}),
    "compounds": Recipe(compounds, 500, {"columns": 5, "rows": 20}),
    "junkyard": Recipe(junkyard, 800, {"columns": 60, "rows": 6}),
    "washer": Recipe(washer, 500, {"size": 20}),
}
