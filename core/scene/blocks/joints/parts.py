# SPDX-License-Identifier: MIT
"""Parts of joints in the file: springs, limits, motors and breaking limits."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from ....nearest import nearest_word
from ...values import units
from ...values.context import Context, Wrong
from ...values.fields import (
    WITHOUT_SPRING,
    Force,
    Input,
    NotNegative,
    Torque,
    TruthField,
    Value,
    about,
)
from ...values.kinds import Kind, Tuple, nearest, show
from ...values.quantity import Either, Quantity, Written

# Stiffness and damping of springs that pull, and of springs that turn.
STIFFNESS = Quantity((units.FORCE_PER_LENGTH,), low=0.0, instead=WITHOUT_SPRING)
STIFFNESS_TURN = Quantity((units.TORQUE_PER_ANGLE,), low=0.0, instead=WITHOUT_SPRING)
DAMPING = Quantity((units.FORCE_PER_SPEED,), low=0.0)
DAMPING_TURN = Quantity((units.TORQUE_PER_ANGULAR_SPEED,), low=0.0)
IN_SPRING = "it belongs in `spring: {...}`"


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
        about("Frequency in Hz.")
    )
    damping_ratio: NotNegative = about("1 is critical (default 0).")
    stiffness: Annotated[Any, Either(STIFFNESS, STIFFNESS_TURN)] = about(
        "Force per length, or torque per radian (default 0: a damper)."
    )
    damping: Annotated[Any, Either(DAMPING, DAMPING_TURN)] = about(
        "Force per speed, or torque per radian per time (default 0)."
    )


DIRECTION = Tuple(Quantity((units.NUMBER, units.LENGTH)), 2, "a direction [x, y]")
FRACTION = Quantity(low=0.0, high=1.0)  # of the limits, for a relative position
MOTOR_TURN = Quantity((units.ANGULAR_SPEED,))
MOTOR_SLIDE = Quantity((units.SPEED,))
FASTEST_TURN = Quantity((units.ANGULAR_SPEED,), above=0.0)
FASTEST_SLIDE = Quantity((units.SPEED,), above=0.0)
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
    """The two limits as written, which are checked when the type of the joint is known.

    ``places`` are their places under ``limits``; ``spring`` is a mapping not yet checked.
    """

    values: tuple[Written, Written]
    places: tuple[int | str, int | str]
    spring: Any = None


@dataclass(eq=False, repr=False)
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
        "frequency": IN_SPRING,
        "damping_ratio": IN_SPRING,
        "stiffness": IN_SPRING,
        "damping": IN_SPRING,
    }
    speed: Annotated[Any, Either(MOTOR_TURN, MOTOR_SLIDE)] = about(
        "Speed to reach: angular for revolute and wheel, along for the others."
    )
    position: Annotated[Any, Either(MOTOR_ANGLE, MOTOR_LENGTH)] = about("Angle or length to go to.")
    relative: TruthField = about("The position is 0 to 1 between the limits (default false).")
    max_torque: Torque = about("revolute, wheel: the largest torque (default: no limit).")
    max_force: Force = about("distance, prismatic: the largest force (default: no limit).")
    spring: SpringInput | None = about("How softly the position is held.")
    max_speed: Annotated[Any, Either(FASTEST_TURN, FASTEST_SLIDE)] = about(
        "How fast it goes to its position at most (default: 3 rad/s or 3 length units a second)."
    )
    stop_at_limits: TruthField = about("Goes up to the limits and presses on none (default false).")
    enabled: TruthField = about(
        "Whether it runs from the start; `NAME.motor.enabled` switches it (default true)."
    )


class BreakInput(Input):
    form: ClassVar[str] = "`{force: 500}` or `{torque: 20}`"
    force: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = about(
        "Breaks above this force."
    )
    torque: Annotated[Value, Quantity((units.TORQUE,), above=0.0, infinite=True)] = about(
        "Breaks above this torque."
    )
    push_pull: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = about(
        "Breaks when a bar it holds is pushed together or pulled apart harder."
    )
    push: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = about(
        "distance: breaks when it pushes its ends apart harder."
    )
    pull: Annotated[Value, Quantity((units.FORCE,), above=0.0, infinite=True)] = about(
        "distance: breaks when it pulls its ends together harder."
    )
