# SPDX-License-Identifier: MIT
"""Joints as rows of the engine.

What the scene leaves open is settled here: rods without length are pins, positions of motors
relative to their limits become absolute, ropes and rods become a shortest and a longest length.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from ... import _native
from ...scene.model import Joint, Point, Scene, Spring
from .rows import RowWriter

INFINITY = math.inf
SHORTEST = 1e-5
"""Lengths of joints below this many `length_unit` are 0: anchors are known no better."""


class SpringFields(NamedTuple):
    """How soft something is: one of SPRING_KINDS as its code, and its two numbers."""

    kind: int
    first: float
    second: float


RIGID = SpringFields(_native.SPRING_KINDS["rigid"], 0.0, 0.0)


def spring_fields(spring: Spring | None) -> SpringFields:
    if spring is None:
        return RIGID
    if spring.frequency is not None:
        kind = _native.SPRING_KINDS["frequency"]
        return SpringFields(kind, spring.frequency, spring.damping_ratio or 0.0)
    kind = _native.SPRING_KINDS["stiffness"]
    return SpringFields(kind, spring.stiffness or 0.0, spring.damping or 0.0)


class MotorFields(NamedTuple):
    """The motor of a joint: one of MOTOR_KINDS, its target, and its maximum."""

    kind: str
    target: float
    maximum: float


_STIFF = 1000.0
"""The spring of a stiff mouse swings so often in a step: it is at its target at the step's end."""


def _spring_of(joint: Joint, dt: float) -> SpringFields:
    if joint.stiff:
        return SpringFields(_native.SPRING_KINDS["frequency"], _STIFF / dt, 0.0)
    return spring_fields(joint.spring)


def motor_fields(joint: Joint) -> MotorFields:
    motor = joint.motor
    if joint.kind == "mouse":
        return MotorFields("none", 0.0, joint.max_force)
    if motor is None:
        return MotorFields("none", 0.0, 0.0)
    maximum = motor.max_force if motor.enabled else 0.0
    if motor.speed is not None:
        return MotorFields("speed", motor.speed, maximum)
    target = motor.position or 0.0
    if motor.relative:
        target = absolute_position(joint, target)
    return MotorFields("position", target, maximum)


@dataclass(frozen=True, slots=True)
class PlacedJoint:
    """A joint with what is found out where it is built.

    Attributes:
        kind: one of JOINT_KINDS. A rod without length is a pin: it has no direction.
        lengths: where its spring rests, and the shortest and the longest it may be.
        motor: what drives it.
    """

    joint: Joint
    kind: str
    body_a: int
    body_b: int
    lengths: tuple[float, float, float]
    limits: tuple[float, float]
    motor: MotorFields
    spring: SpringFields
    limit_spring: SpringFields
    motor_spring: SpringFields
    links: tuple[int, int]  # slots of joints and 1; 0: none


def placed_joints(
    scene: Scene, joints: Iterable[Joint], index: Mapping[str, int], slots: Mapping[str, int]
) -> Iterator[PlacedJoint]:
    """``index`` has the slots of the bodies, ``slots`` those of the joints that they speak of."""
    unit = scene.world.length_unit
    for joint in joints:
        length, minimum, maximum = (
            _length(each, unit) for each in (joint.length, *length_range(joint))
        )
        is_soft = joint.spring or joint.limit_spring or joint.motor
        is_pin = joint.kind == "distance" and maximum == 0.0 and not is_soft
        yield PlacedJoint(
            joint,
            "revolute" if is_pin or joint.kind == "ratchet" else joint.kind,
            index[joint.body_a],
            index[joint.body_b],
            (length, minimum, maximum),
            _limits_of(joint) or (0.0, 0.0),
            motor_fields(joint),
            _spring_of(joint, scene.world.dt),
            spring_fields(joint.limit_spring),
            spring_fields(joint.motor.spring if joint.motor else None),
            (slots[joint.links[0]] + 1, slots[joint.links[1]] + 1) if joint.links else (0, 0),
        )


JOINTS: RowWriter[PlacedJoint] = RowWriter(
    "JOINT",
    {
        "kind": lambda placed: _native.JOINT_KINDS[placed.kind],
        "body_a": attrgetter("body_a"),
        "body_b": attrgetter("body_b"),
        "anchor_ax": lambda placed: placed.joint.anchor_a[0],
        "anchor_ay": lambda placed: placed.joint.anchor_a[1],
        "anchor_bx": lambda placed: placed.joint.anchor_b[0],
        "anchor_by": lambda placed: placed.joint.anchor_b[1],
        "axis_x": lambda placed: placed.joint.axis[0],
        "axis_y": lambda placed: placed.joint.axis[1],
        "reference_angle": attrgetter("joint.reference_angle"),
        "collide": attrgetter("joint.collide"),
        "break_force": attrgetter("joint.break_force"),
        "break_torque": attrgetter("joint.break_torque"),
        "break_push_pull": attrgetter("joint.break_push_pull"),
        "break_push": attrgetter("joint.break_push"),
        "break_pull": attrgetter("joint.break_pull"),
        "spring_max": lambda placed: (
            placed.joint.max_force if placed.joint.kind == "wheel" else INFINITY
        ),
        "spring_kind": attrgetter("spring.kind"),
        "spring_1": attrgetter("spring.first"),
        "spring_2": attrgetter("spring.second"),
        "has_limits": lambda placed: _limits_of(placed.joint) is not None,
        "lower": lambda placed: placed.limits[0],
        "upper": lambda placed: placed.limits[1],
        "limit_spring_kind": attrgetter("limit_spring.kind"),
        "limit_spring_1": attrgetter("limit_spring.first"),
        "limit_spring_2": attrgetter("limit_spring.second"),
        "motor_kind": lambda placed: _native.MOTOR_KINDS[placed.motor.kind],
        "motor_target": attrgetter("motor.target"),
        "motor_max": attrgetter("motor.maximum"),
        "motor_never_brakes": lambda _: False,
        "motor_stops": lambda placed: bool(
            placed.joint.motor and placed.joint.motor.stop_at_limits
        ),
        "motor_fastest": lambda placed: placed.joint.motor.max_speed if placed.joint.motor else 0.0,
        "motor_spring_kind": attrgetter("motor_spring.kind"),
        "motor_spring_1": attrgetter("motor_spring.first"),
        "motor_spring_2": attrgetter("motor_spring.second"),
        "length": lambda placed: placed.lengths[0],
        "min_length": lambda placed: placed.lengths[1],
        "max_length": lambda placed: placed.lengths[2],
        "ratio": attrgetter("joint.ratio"),
        "orbit": lambda placed: orbit(placed.joint),
        "wheel_ax": lambda placed: _wheels_of(placed.joint)[0][0],
        "wheel_ay": lambda placed: _wheels_of(placed.joint)[0][1],
        "wheel_bx": lambda placed: _wheels_of(placed.joint)[1][0],
        "wheel_by": lambda placed: _wheels_of(placed.joint)[1][1],
        "pitch": attrgetter("joint.pitch"),
        "pawl_max": attrgetter("joint.slip_torque"),
        "linked_a": lambda placed: placed.links[0],
        "linked_b": lambda placed: placed.links[1],
        "target_x": lambda placed: placed.joint.anchor_a[0],  # of a mouse; unused by others
        "target_y": lambda placed: placed.joint.anchor_a[1],
    },
)


def _limits_of(joint: Joint) -> tuple[float, float] | None:
    """The limits; a ratchet's pawl begins behind the tooth at its angle."""
    if joint.kind == "ratchet":
        return (0.0, INFINITY) if joint.pitch > 0.0 else (-INFINITY, 0.0)
    return joint.limits


def _wheels_of(joint: Joint) -> tuple[Point, Point]:
    return joint.ground_anchors or ((0.0, 0.0), (0.0, 0.0))


def orbit(joint: Joint) -> float:
    """How often a turn of the line between a gear's hinges counts as one of its wheel a."""
    return 1.0 + joint.ratio if joint.kind == "gear" and not joint.coaxial else 0.0


def _length(length: float, unit: float) -> float:
    """A length in the scene's unit; one that is shorter than SHORTEST is none."""
    return length if length >= SHORTEST * unit else 0.0


def absolute_position(joint: Joint, position: float) -> float:
    """A motor's position of 0 to 1 of its limits, as an angle or a length."""
    lower, upper = joint.limits or (0.0, 0.0)
    if joint.kind == "distance":
        lower, upper = length_range(joint)
    return lower + position * (upper - lower)


def length_range(joint: Joint) -> tuple[float, float]:
    """The shortest and the longest a distance joint may be.

    Without anything else said it is a rod; a spring, a motor or one given end leaves the other
    end free; a rope may be as short as it likes and never longer than its end.
    """
    if joint.kind == "pulley":
        return (0.0 if joint.rope else joint.length), joint.length
    if joint.kind != "distance":
        return 0.0, INFINITY
    minimum, maximum = joint.min_length, joint.max_length
    if joint.rope:
        return 0.0, joint.length if maximum is None else maximum
    if minimum is None and maximum is None and joint.spring is None and joint.motor is None:
        return joint.length, joint.length
    return minimum or 0.0, INFINITY if maximum is None else maximum
