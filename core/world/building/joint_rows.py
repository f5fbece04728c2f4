# SPDX-License-Identifier: MIT
"""Joints as rows of the engine.

Open values of the scene are determined here: rods without length are pins, positions of motors
relative to their limits become absolute, ropes and rods get a smallest and a largest length.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from ... import _native
from ...scene.blocks.joints.types import JOINT_TYPES
from ...scene.model import Joint, Point, Scene, Spring
from .rows import RowWriter

INFINITY = math.inf
SHORTEST = 1e-5
"""Lengths of joints below this many `length_unit` are 0: anchors are known no better."""

SPRING_PAIRS = {True: ("frequency", "damping_ratio"), False: ("stiffness", "damping")}
"""The numbers of a spring, by whether it goes by frequency."""


class SpringFields(NamedTuple):
    """A softness: the code of one of SPRING_KINDS, and its two parameters."""

    kind: int
    first: float
    second: float


RIGID = SpringFields(_native.SPRING_KINDS["rigid"], 0.0, 0.0)


def goes_by_frequency(joint: Joint) -> bool:
    """Whether the spring of a joint goes by frequency."""
    return joint.spring is not None and joint.spring.frequency is not None


def spring_numbers(
    joint: Joint, spring: Spring | None, lengths: tuple[float, float] | None
) -> list[float]:
    """The two numbers of a spring and the two lengths of a joint; NaN where it has none."""
    pair = SPRING_PAIRS[goes_by_frequency(joint)]
    given = [None if spring is None else getattr(spring, name) for name in pair]
    spec = JOINT_TYPES[joint.kind]
    if lengths is None:
        lengths = spec.lengths(joint) if spec.has("min_length") else (math.nan, math.nan)
    return [math.nan if each is None else float(each) for each in (*given, *lengths)]


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
    """A joint with values that are determined when it is built.

    Attributes:
        kind: one of JOINT_KINDS. A rod without length is a pin: it has no direction.
        lengths: the rest length of its spring, and its smallest and largest length.
        motor: its motor.
    """

    joint: Joint
    kind: str
    body_a: int
    body_b: int
    lengths: tuple[float, float, float]
    limits: tuple[float, float] | None
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
        spec = JOINT_TYPES[joint.kind]
        length, minimum, maximum = (
            _length(each, unit) for each in (joint.length, *spec.lengths(joint))
        )
        is_soft = joint.spring or joint.limit_spring or joint.motor
        is_pin = spec.along_line and maximum == 0.0 and not is_soft
        yield PlacedJoint(
            joint,
            "revolute" if is_pin else spec.engine or joint.kind,
            index[joint.body_a],
            index[joint.body_b],
            (length, minimum, maximum),
            spec.engine_limits(joint),
            motor_fields(joint),
            _spring_of(joint, scene.world.dt),
            spring_fields(joint.limit_spring),
            spring_fields(joint.motor.spring if joint.motor else None),
            (slots[joint.links[0]] + 1, slots[joint.links[1]] + 1) if joint.links else (0, 0),
        )


def _by_type(column: str, otherwise: Callable[[PlacedJoint], Any]) -> Callable[[PlacedJoint], Any]:
    """A column that is as the type of the joint says, or else as for all."""
    takes = {each.name: each.row[column] for each in JOINT_TYPES.values() if column in each.row}

    def take(placed: PlacedJoint) -> Any:
        special = takes.get(placed.joint.kind)
        return otherwise(placed) if special is None else special(placed.joint)

    return take


def _own(column: str, default: float) -> Callable[[PlacedJoint], float]:
    """A column that only some types of joints have."""
    return lambda placed: placed.joint.own.get(column, default)


_NO_LIMITS = (0.0, 0.0)

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
        "spring_max": _by_type("spring_max", lambda _: INFINITY),
        "spring_kind": attrgetter("spring.kind"),
        "spring_1": attrgetter("spring.first"),
        "spring_2": attrgetter("spring.second"),
        "has_limits": lambda placed: placed.limits is not None,
        "lower": lambda placed: (placed.limits or _NO_LIMITS)[0],
        "upper": lambda placed: (placed.limits or _NO_LIMITS)[1],
        "limit_spring_kind": attrgetter("limit_spring.kind"),
        "limit_spring_1": attrgetter("limit_spring.first"),
        "limit_spring_2": attrgetter("limit_spring.second"),
        "motor_kind": lambda placed: _native.MOTOR_KINDS[placed.motor.kind],
        "motor_target": attrgetter("motor.target"),
        "motor_max": _by_type("motor_max", attrgetter("motor.maximum")),
        "motor_side": lambda placed: _native.MOTOR_SIDES[
            "pulling" if placed.joint.rope and placed.joint.kind == "distance" else "both"
        ],
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
        "orbit": _by_type("orbit", lambda _: 0.0),
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
        **{
            name: _own(name, column.default)
            for spec in JOINT_TYPES.values()
            for name, column in spec.columns.items()
        },
    },
)


def _wheels_of(joint: Joint) -> tuple[Point, Point]:
    return joint.ground_anchors or ((0.0, 0.0), (0.0, 0.0))


def _length(length: float, unit: float) -> float:
    """A length in the scene's unit; below SHORTEST it counts as 0."""
    return length if length >= SHORTEST * unit else 0.0


def lengths_as_set(joint: Joint, shortest: float, longest: float) -> dict[str, float]:
    """The ends of a distance joint as a scene says them, where it has them to set."""
    ends = (("min_length", shortest), ("max_length", longest))
    return {name: end for name, end in ends if getattr(joint, name) is not None}


def absolute_position(joint: Joint, position: float) -> float:
    """A motor's position of 0 to 1 of its limits, as an angle or a length."""
    lower, upper = motor_range(joint)
    return lower + position * (upper - lower)


def motor_range(joint: Joint) -> tuple[float, float]:
    """The angles or lengths between which a motor's relative position lies."""
    spec = JOINT_TYPES[joint.kind]
    if spec.has("min_length"):
        return spec.lengths(joint)
    return joint.limits or (0.0, 0.0)
