# SPDX-License-Identifier: MIT
"""Parts of benchmark scenes: plain lists for the adapters of all engines.

Bodies are numbered from 1 inside a part; 0 is the world, which never moves. Lengths are metres,
angles radians, y points up. A row holds only what differs from the defaults below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Row = dict[str, float]
Point = tuple[float, float]

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2
CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN_SEGMENT = range(5)
REVOLUTE = 0
MOTOR_SPEED, MOTOR_POSITION = 1, 2
SPRING_FREQUENCY = 1

TIME_STEP = 1.0 / 60.0

BODY_DEFAULTS: Row = {
    "mass": math.nan,
    "inertia": math.nan,
    "center_x": math.nan,
    "center_y": math.nan,
    "gravity_scale": 1.0,
    "kind": DYNAMIC,
    "sleep": 1,
    "awake": 1,
    "collide": 1,
}
SHAPE_DEFAULTS: Row = {"density": 1.0, "friction": 0.6}
JOINT_DEFAULTS: Row = {
    "kind": REVOLUTE,
    "break_force": math.inf,
    "break_torque": math.inf,
    "break_push_pull": math.inf,
    "break_push": math.inf,
    "break_pull": math.inf,
    "spring_max": math.inf,
    "axis_x": 1.0,
    "max_length": math.inf,
}


@dataclass
class Part:
    """Bodies with their shapes and joints, added to a world together."""

    bodies: list[Row] = field(default_factory=list)
    shapes: list[Row] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    joints: list[Row] = field(default_factory=list)

    def body(self, x: float, y: float, **values: float) -> int:
        """Add a body; its number."""
        self.bodies.append(BODY_DEFAULTS | {"x": x, "y": y} | values)
        return len(self.bodies)

    def _shape(self, body: int, kind: int, points: Sequence[Point], **values: float) -> None:
        place = {
            "body": body,
            "kind": kind,
            "first_point": len(self.points),
            "point_count": len(points),
        }
        self.shapes.append(SHAPE_DEFAULTS | place | values)
        self.points.extend(points)

    def circle(self, body: int, radius: float, **material: float) -> None:
        self._shape(body, CIRCLE, [(0.0, 0.0)], radius=radius, **material)

    def capsule(self, body: int, a: Point, b: Point, radius: float, **material: float) -> None:
        self._shape(body, CAPSULE, [a, b], radius=radius, **material)

    def segment(self, body: int, a: Point, b: Point, **material: float) -> None:
        self._shape(body, SEGMENT, [a, b], **material)

    def polygon(self, body: int, points: Sequence[Point], **material: float) -> None:
        """A convex polygon, counter-clockwise."""
        self._shape(body, POLYGON, points, **material)

    def box(
        self, body: int, half_width: float, half_height: float, at: Point = (0, 0), /, **m: float
    ) -> None:
        x, y = at
        left, right, low, high = x - half_width, x + half_width, y - half_height, y + half_height
        self._shape(body, POLYGON, [(left, low), (right, low), (right, high), (left, high)], **m)

    def loop(self, body: int, points: Sequence[Point], **material: float) -> None:
        """A closed chain, solid for what is on the left of someone walking along the points."""
        count = len(points)
        for i in range(count):
            four = [points[(i + k) % count] for k in (-1, 0, 1, 2)]
            self._shape(body, CHAIN_SEGMENT, four, **material)

    def revolute(self, a: int, b: int, anchor_a: Point, anchor_b: Point, **values: float) -> None:
        ends: Row = {"body_a": a, "body_b": b}
        ends |= {"anchor_ax": anchor_a[0], "anchor_ay": anchor_a[1]}
        ends |= {"anchor_bx": anchor_b[0], "anchor_by": anchor_b[1]}
        self.joints.append(JOINT_DEFAULTS | ends | values)


class Stage(Protocol):
    """A world of one engine, as a scene sees it."""

    def add(self, part: Part) -> int:
        """Add a part; the engine's number of its first body."""

    def remove(self, first: int, count: int) -> None:
        """Take ``count`` bodies out of the world, with all that hangs on them."""

    def set_velocity(self, body: int, vx: float, vy: float) -> None: ...

    def step(self) -> None: ...


@dataclass
class Scene:
    """A benchmark scene. ``before_step`` gets the stage and the number of the coming step."""

    part: Part
    gravity: Point = (0.0, -10.0)
    sleep: bool = True
    categories: list[list[bool]] | None = None
    before_step: Callable[[Stage, int], None] | None = None
