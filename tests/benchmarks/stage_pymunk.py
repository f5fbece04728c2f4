# SPDX-License-Identifier: MIT
"""A benchmark scene in pymunk (Chipmunk), with 10 iterations, its own default."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pymunk
from parts import (
    CAPSULE,
    CIRCLE,
    DYNAMIC,
    MOTOR_POSITION,
    MOTOR_SPEED,
    POLYGON,
    SEGMENT,
    STATIC,
    TIME_STEP,
    Part,
    Point,
    Row,
    Scene,
)

ITERATIONS = 10

# Chipmunk has no one-sided chains; what is pressed hard passes through a segment without thickness.
CHAIN_RADIUS = 0.25


class PymunkStage:
    """The stage of pymunk. Its bodies are numbered like ours, so that scenes need not care."""

    def __init__(self, scene: Scene) -> None:
        self.space = pymunk.Space()
        self.space.gravity = scene.gravity
        self.space.iterations = ITERATIONS
        if scene.sleep:
            self.space.sleep_time_threshold = 0.5
        self.bodies: list[pymunk.Body] = [self.space.static_body]
        self.filters = [
            pymunk.ShapeFilter(
                categories=1 << category,
                mask=sum(1 << other for other, touches in enumerate(row) if touches),
            )
            for category, row in enumerate(scene.categories or [[True]])
        ]
        self.add(scene.part)

    def add(self, part: Part) -> int:
        first = len(self.bodies)
        for row in part.bodies:
            self._add_body(row)
        for row in part.shapes:
            at = int(row["first_point"])
            body = self.bodies[first - 1 + int(row["body"])]
            self._add_shape(row, body, part.points[at : at + int(row["point_count"])])
        for row in part.joints:
            ends = (int(row[key]) for key in ("body_a", "body_b"))
            a, b = (self.bodies[first - 1 + end if end else 0] for end in ends)
            self.space.add(*_constraints(row, a, b))
        for row, dynamic in zip(part.bodies, self.bodies[first:], strict=True):
            if not row["awake"]:
                dynamic.sleep()
        return first

    def _add_body(self, row: Row) -> None:
        kind = {DYNAMIC: pymunk.Body.DYNAMIC, STATIC: pymunk.Body.STATIC}
        body = pymunk.Body(body_type=kind.get(int(row["kind"]), pymunk.Body.KINEMATIC))
        body.position = row["x"], row["y"]
        body.velocity = row.get("vx", 0.0), row.get("vy", 0.0)
        body.angular_velocity = row.get("omega", 0.0)
        self.bodies.append(body)
        self.space.add(body)

    def _add_shape(self, row: Row, body: pymunk.Body, points: list[Point]) -> None:
        radius = row.get("radius", 0.0)
        shape: pymunk.Shape
        if row["kind"] == CIRCLE:
            shape = pymunk.Circle(body, radius, points[0])
        elif row["kind"] in (CAPSULE, SEGMENT):
            shape = pymunk.Segment(body, points[0], points[1], radius)
        elif row["kind"] == POLYGON:
            shape = pymunk.Poly(body, points, radius=radius)
        else:
            shape = pymunk.Segment(body, points[1], points[2], CHAIN_RADIUS)
        if body.body_type == pymunk.Body.DYNAMIC:
            shape.density = row["density"]
        shape.friction = row["friction"]
        shape.elasticity = row.get("restitution", 0.0)
        shape.filter = self.filters[int(row.get("category", 0))]
        if shape.filter.mask == 0 and body.body_type == pymunk.Body.DYNAMIC:
            # It touches nothing: only its mass is wanted, and the search for pairs is spared.
            body.mass, body.moment = shape.mass, shape.moment
        else:
            self.space.add(shape)

    def remove(self, first: int, count: int) -> None:
        bodies = self.bodies[first : first + count]
        joints = {joint: None for body in bodies for joint in body.constraints}
        shapes = [shape for body in bodies for shape in body.shapes]
        self.space.remove(*joints, *shapes, *bodies)

    def set_velocity(self, body: int, vx: float, vy: float) -> None:
        self.bodies[body].velocity = vx, vy

    def step(self) -> None:
        self.space.step(TIME_STEP)


def _constraints(row: Row, a: pymunk.Body, b: pymunk.Body) -> Iterable[pymunk.Constraint]:
    anchors = (row["anchor_ax"], row["anchor_ay"]), (row["anchor_bx"], row["anchor_by"])
    parts: list[pymunk.Constraint] = [pymunk.PivotJoint(a, b, *anchors)]
    reference = row.get("reference_angle", 0.0)
    if row.get("has_limits"):
        limits = row["lower"] + reference, row["upper"] + reference
        parts.append(pymunk.RotaryLimitJoint(a, b, *limits))
    if row.get("motor_kind") == MOTOR_SPEED:
        motor = pymunk.SimpleMotor(a, b, -row["motor_target"])
        motor.max_force = row["motor_max"]
        parts.append(motor)
    elif row.get("motor_kind") == MOTOR_POSITION:
        omega = 2.0 * math.pi * row["motor_spring_1"]
        inertia = 1.0 / (1.0 / a.moment + 1.0 / b.moment)
        stiffness, damping = inertia * omega**2, 2.0 * row["motor_spring_2"] * inertia * omega
        parts.append(pymunk.DampedRotarySpring(a, b, -reference, stiffness, damping))
    for part in parts:
        part.collide_bodies = bool(row.get("collide", 0))
    return parts
