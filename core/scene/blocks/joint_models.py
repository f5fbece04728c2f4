"""The input models of joints, their motors and springs."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ...nearest import nearest_word
from ..values import units
from ..values.context import Context, Wrong
from ..values.fields import (
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
from ..values.kinds import Custom, Kind, OneOf, Tuple, nearest, show
from ..values.names import Name
from ..values.quantity import Either, Quantity, Written


def _check_length(value: Any, context: Context) -> Any:
    return value if value == "auto" else Quantity((units.LENGTH,), low=0.0).check(value, context)


_LENGTH_SCHEMA = {"anyOf": [{"const": "auto"}, Quantity((units.LENGTH,), low=0.0).schema()]}


# By what a joint's spring does: it pulls, or it turns.
STIFFNESS = Quantity((units.FORCE_PER_LENGTH,), low=0.0, instead=WITHOUT_SPRING)
STIFFNESS_TURN = Quantity((units.TORQUE_PER_ANGLE,), low=0.0, instead=WITHOUT_SPRING)
DAMPING = Quantity((units.FORCE_PER_SPEED,), low=0.0)
DAMPING_TURN = Quantity((units.TORQUE_PER_ANGULAR_SPEED,), low=0.0)
_IN_SPRING = "it belongs in `spring: {...}`"


class SpringInput(Input):
    form: ClassVar[str] = "`{frequency: 2, damping_ratio: 0.5}` or `{stiffness: 100, damping: 5}`"
    hints: ClassVar[dict[str, str]] = {
        "k": "it is `stiffness`",
        "c": "it is `damping`",
        "d": "it is `damping`",
        "hertz": "it is `frequency`",
        "ratio": "it is `damping_ratio`",
        "length": "the rest length is `length` of the joint",
        "rest_length": "the rest length is `length` of the joint",
    }
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
_LIMITS_KEYS = ("lower", "upper", "spring")
_LIMITS_OTHERS = {
    "min": "lower",
    "max": "upper",
    "low": "lower",
    "high": "upper",
    "lowest": "lower",
    "highest": "upper",
}


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
        wrong = Wrong()
        meant: set[str] = set()  # keys that are there under a wrong name
        for key in value:
            if key not in _LIMITS_KEYS:
                other = _LIMITS_OTHERS.get(key)
                near = other or nearest_word(str(key), _LIMITS_KEYS)
                meant |= {near} if near else set(_LIMITS_KEYS)
                hint = f"it is `{other}`" if other else nearest(key, _LIMITS_KEYS)
                wrong.add("unknown-key", f"unknown key {show(key)}; {hint}", (key,))
        made: dict[str, Written] = {}
        for key in ("lower", "upper"):
            if key not in value and key not in meant:
                wrong.add(
                    "missing-key",
                    f"`{key}` is missing; limits are `[lowest, highest]` or "
                    "`{lower: ..., upper: ..., spring: {...}}`",
                )
            elif key in value:
                try:
                    made[key] = LIMIT.check(value[key], context)
                except Wrong as inner:
                    wrong.findings += inner.under(key).findings
        if wrong.findings:
            raise wrong
        return Limits((made["lower"], made["upper"]), ("lower", "upper"), value.get("spring"))

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


_NO_SPEED = "what pushes or turns without a speed to reach is an actuator of type `{}`"


class MotorInput(Input):
    form: ClassVar[str] = "`{speed: 90}` or `{position: 30}`"
    hints: ClassVar[dict[str, str]] = {
        "torque": f"the largest is `max_torque`; {_NO_SPEED.format('torque')}",
        "force": f"the largest is `max_force`; {_NO_SPEED.format('force')}",
        "angle": "it is `position`",
        "length": "it is `position`",
        "translation": "it is `position`",
        "target": "it is `position` or `speed`",
        "velocity": "it is `speed`",
        "frequency": _IN_SPRING,
        "damping_ratio": _IN_SPRING,
        "stiffness": _IN_SPRING,
        "damping": _IN_SPRING,
        "enabled": "a joint without `motor` has none; a motor of `max_torque: 0` or `max_force: 0` "
        "does nothing until a program sets it",
    }
    speed: Annotated[Any, Either(MOTOR_TURN, MOTOR_SLIDE)] = None
    position: Annotated[Any, Either(MOTOR_ANGLE, MOTOR_LENGTH)] = None
    relative: TruthField = None
    max_torque: Torque = None
    max_force: Force = None
    spring: SpringInput | None = None
    stop_at_limits: TruthField = None


class BreakInput(Input):
    form: ClassVar[str] = "`{force: 500}` or `{torque: 20}`"
    force: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = None
    torque: Annotated[Value, Quantity((units.TORQUE,), above=0.0, infinite=True)] = None
    push_pull: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = None
    push: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = None
    pull: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = None


_IN_MOTOR = "it belongs in `motor: {...}`"
_TWO_BODIES = "the two bodies are `bodies: [a, b]`"
_TWO_ANCHORS = "a point of each body, in its own coordinates, is `anchors: [[x, y], [x, y]]`"


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
        "min": "it belongs in `limits`",
        "max": "it belongs in `limits`",
        "rest_length": "it is `length`",
        "friction": "what brakes a joint is a motor that holds still with little strength: "
        "`motor: {speed: 0, max_torque: ...}`, or max_force where it slides",
        "enabled": "a joint holds from the start until it breaks",
        **dict.fromkeys(("body_a", "body_b", "bodyA", "bodyB", "a", "b"), _TWO_BODIES),
        **dict.fromkeys(("anchor_a", "anchor_b", "anchorA", "anchorB"), _TWO_ANCHORS),
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
    anchors: Annotated[
        Any,
        Tuple(
            POINT,
            2,
            "two points [[x, y], [x, y]]",
            "; one point, in world coordinates, is `anchor`",
        ),
    ] = None
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
    stiff: TruthField = None
    collide: TruthField = None
    break_: BreakInput | None = Field(default=None, alias="break")
    visible: TruthField = None


class JointInput(JointFields, RepeatedInput):
    pass
