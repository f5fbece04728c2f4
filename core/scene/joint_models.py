"""The input models of joints, their motors and springs."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from . import units
from .context import Context
from .fields import (
    POINT,
    Damping,
    Distance,
    Force,
    Input,
    NotNegative,
    Pair,
    PointField,
    RepeatedInput,
    Stiffness,
    Torque,
    TruthField,
    Value,
)
from .kinds import Custom, OneOf, Tuple
from .names import Name
from .quantity import Either, Quantity


def _check_length(value: Any, context: Context) -> Any:
    return value if value == "auto" else Quantity((units.LENGTH,), low=0.0).check(value, context)


_LENGTH_SCHEMA = {"anyOf": [{"const": "auto"}, Quantity((units.LENGTH,), low=0.0).schema()]}


class SpringInput(Input):
    frequency: Annotated[Value, Quantity((units.FREQUENCY,), above=0.0)] = None
    damping_ratio: NotNegative = None
    stiffness: Stiffness = None
    damping: Damping = None


FRACTION = Quantity(low=0.0, high=1.0)  # of the limits, for a relative position
MOTOR_TURN = Quantity((units.ANGULAR_SPEED,))
MOTOR_SLIDE = Quantity((units.SPEED,))
MOTOR_ANGLE = Quantity((units.ANGLE,))
MOTOR_LENGTH = Quantity((units.LENGTH,))


class MotorInput(Input):
    speed: Annotated[Any, Either(MOTOR_TURN, MOTOR_SLIDE)] = None
    position: Annotated[Any, Either(MOTOR_ANGLE, MOTOR_LENGTH)] = None
    relative: TruthField = None
    max_torque: Torque = None
    max_force: Force = None
    spring: SpringInput | None = None


class BreakInput(Input):
    force: Annotated[Value, Quantity((units.FORCE,), above=0.0)] = None
    torque: Annotated[Value, Quantity((units.TORQUE,), above=0.0)] = None


class JointFields(Input):
    later: ClassVar[tuple[str, ...]] = ("axis", "body", "target")
    type: Annotated[
        str | None, OneOf(("revolute", "distance", "weld"), ("prismatic", "wheel", "mouse"))
    ] = None
    bodies: Annotated[
        Any, Tuple(Name("the name of a body", computed=True), 2, "the names of two bodies [a, b]")
    ] = None
    anchor: PointField = None
    anchors: Annotated[Any, Tuple(POINT, 2, "two points [[x, y], [x, y]]")] = None
    limits: Annotated[Pair, Tuple(Quantity((units.ANGLE,)), 2, "two angles [lowest, highest]")] = (
        None
    )
    motor: MotorInput | None = None
    spring: SpringInput | None = None
    length: Annotated[Any, Custom(_check_length, _LENGTH_SCHEMA)] = None
    min_length: Distance = None
    max_length: Annotated[Value, Quantity((units.LENGTH,), low=0.0, infinite=True)] = None
    rope: TruthField = None
    collide: TruthField = None
    break_: BreakInput | None = Field(default=None, alias="break")
    visible: TruthField = None


class JointInput(JointFields, RepeatedInput):
    pass
