"""The input models of joints, their motors and springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from . import units
from .context import Context, Wrong
from .fields import (
    POINT,
    WITHOUT_SPRING,
    Distance,
    Force,
    Input,
    NotNegative,
    Pair,
    PointField,
    RepeatedInput,
    Torque,
    TruthField,
    Value,
)
from .kinds import Custom, Kind, OneOf, Tuple, nearest, show
from .names import Name
from .quantity import Either, Quantity, Written


def _check_length(value: Any, context: Context) -> Any:
    return value if value == "auto" else Quantity((units.LENGTH,), low=0.0).check(value, context)


_LENGTH_SCHEMA = {"anyOf": [{"const": "auto"}, Quantity((units.LENGTH,), low=0.0).schema()]}


# By what a joint's spring does: it pulls, or it turns.
STIFFNESS = Quantity((units.FORCE_PER_LENGTH,), low=0.0, instead=WITHOUT_SPRING)
STIFFNESS_TURN = Quantity((units.TORQUE_PER_ANGLE,), low=0.0, instead=WITHOUT_SPRING)
DAMPING = Quantity((units.FORCE_PER_SPEED,), low=0.0)
DAMPING_TURN = Quantity((units.TORQUE_PER_ANGULAR_SPEED,), low=0.0)


class SpringInput(Input):
    frequency: Annotated[Value, Quantity((units.FREQUENCY,), above=0.0, instead=WITHOUT_SPRING)] = (
        None
    )
    damping_ratio: NotNegative = None
    stiffness: Annotated[Any, Either(STIFFNESS, STIFFNESS_TURN)] = None
    damping: Annotated[Any, Either(DAMPING, DAMPING_TURN)] = None


DIRECTION = Tuple(Quantity((units.NUMBER, units.LENGTH)), 2, "a direction [x, y]")
FRACTION = Quantity(low=0.0, high=1.0)  # of the limits, for a relative position
MOTOR_TURN = Quantity((units.ANGULAR_SPEED,))
MOTOR_SLIDE = Quantity((units.SPEED,))
MOTOR_ANGLE = Quantity((units.ANGLE,))
MOTOR_LENGTH = Quantity((units.LENGTH,))
ROD_LENGTH = Quantity((units.LENGTH,), low=0.0)


# -.inf and .inf: no limit on that side.
LIMIT_ANGLE = Quantity((units.ANGLE,), infinite=True)
LIMIT_LENGTH = Quantity((units.LENGTH,), infinite=True)
LIMIT = Either(LIMIT_ANGLE, LIMIT_LENGTH)
_RANGE = Tuple(LIMIT, 2, "two numbers [lowest, highest]")


@dataclass(frozen=True)
class Limits:
    """The two limits as written, checked once the joint's type says what they measure.

    ``places`` is where each stands under ``limits``; ``spring`` is a mapping not yet checked.
    """

    values: tuple[Written, Written]
    places: tuple[int | str, int | str]
    spring: Any = None


@dataclass(frozen=True, eq=False)
class LimitsField(Kind):
    """``[lowest, highest]``, or ``{lower, upper, spring}``."""

    def check(self, value: Any, context: Context) -> Limits:
        if not isinstance(value, dict):
            first, second = _RANGE.check(value, context)
            return Limits((first, second), (0, 1))
        for key in value:
            if key not in ("lower", "upper", "spring"):
                known = ("lower", "upper", "spring")
                raise Wrong(f"unknown key {show(key)}; {nearest(key, known)}", (key,))
        made = []
        for key in ("lower", "upper"):
            if key not in value:
                raise Wrong(
                    f"`{key}` is missing; limits are `[lowest, highest]` or "
                    "`{lower: ..., upper: ..., spring: {...}}`"
                )
            try:
                made.append(LIMIT.check(value[key], context))
            except Wrong as wrong:
                raise wrong.under(key) from None
        return Limits((made[0], made[1]), ("lower", "upper"), value.get("spring"))

    def schema(self) -> dict[str, Any]:
        mapping = {
            "type": "object",
            "properties": {
                "lower": LIMIT.schema(),
                "upper": LIMIT.schema(),
                "spring": {"model": "SpringInput"},
            },
            "required": ["lower", "upper"],
            "additionalProperties": False,
        }
        return {"anyOf": [_RANGE.schema(), mapping]}


class MotorInput(Input):
    speed: Annotated[Any, Either(MOTOR_TURN, MOTOR_SLIDE)] = None
    position: Annotated[Any, Either(MOTOR_ANGLE, MOTOR_LENGTH)] = None
    relative: TruthField = None
    max_torque: Torque = None
    max_force: Force = None
    spring: SpringInput | None = None


class BreakInput(Input):
    force: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = None
    torque: Annotated[Value, Quantity((units.TORQUE,), above=0.0, infinite=True)] = None
    push_pull: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = None


_IN_SPRING = "it belongs in `spring: {...}`"
_IN_MOTOR = "it belongs in `motor: {...}`"


class JointFields(Input):
    hints: ClassVar[dict[str, str]] = {
        "frequency": _IN_SPRING,
        "damping_ratio": _IN_SPRING,
        "stiffness": _IN_SPRING,
        "damping": _IN_SPRING,
        "speed": _IN_MOTOR,
        "position": _IN_MOTOR,
        "max_torque": _IN_MOTOR,
        "motor_speed": "it is `speed` in `motor: {...}`",
        "enable_motor": "a joint with `motor: {...}` has one",
        "break_force": "it is `force` in `break: {...}`",
        "break_torque": "it is `torque` in `break: {...}`",
        "suspension": "the suspension of a wheel is its `spring`",
        "soft": "what has a `spring` or `limit_spring` is soft",
        "lower": "it belongs in `limits`",
        "upper": "it belongs in `limits`",
        "body_a": "the two bodies are `bodies: [a, b]`",
        "body_b": "the two bodies are `bodies: [a, b]`",
    }
    type: Annotated[
        str | None,
        OneOf(
            ("revolute", "distance", "weld", "prismatic", "wheel", "mouse"),
            others={
                "hinge": "revolute",
                "pin": "revolute",
                "slider": "prismatic",
                "rod": "distance",
                "rope": "distance",
                "spring": "distance",
                "fixed": "weld",
            },
        ),
    ] = None
    body: Annotated[Any, Name("the name of a body", computed=True)] = None
    bodies: Annotated[
        Any, Tuple(Name("the name of a body", computed=True), 2, "the names of two bodies [a, b]")
    ] = None
    anchor: PointField = None
    anchors: Annotated[Any, Tuple(POINT, 2, "two points [[x, y], [x, y]]")] = None
    axis: Annotated[Pair, DIRECTION] = None
    target: PointField = None
    limits: Annotated[Any, LimitsField()] = None
    limit_spring: SpringInput | None = None
    max_force: Force = None
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
