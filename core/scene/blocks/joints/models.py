# SPDX-License-Identifier: MIT
"""The input models of joints, their motors and springs."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from ....nearest import nearest_word
from ...model import JOINT_KINDS
from ...values import units
from ...values.context import Context, Wrong
from ...values.fields import (
    LENGTH,
    POINT,
    WITHOUT_SPRING,
    Distance,
    Force,
    Input,
    NotNegative,
    Number,
    Pair,
    PointField,
    RepeatedInput,
    Size,
    Torque,
    TruthField,
    Value,
    about,
)
from ...values.kinds import Custom, Kind, OneOf, Tuple, nearest, show
from ...values.names import Name
from ...values.quantity import Either, Quantity, Written


def _check_length(value: Any, context: Context) -> Any:
    return value if value == "auto" else Quantity((units.LENGTH,), low=0.0).check(value, context)


_LENGTH_SCHEMA = {"anyOf": [{"const": "auto"}, Quantity((units.LENGTH,), low=0.0).schema()]}


_TEETH = Quantity(low=1.0, whole=True)
_TWO_TEETH = Tuple(Quantity(whole=True), 2, "two numbers of teeth [a, b]")
_TEETH_SCHEMA = {"anyOf": [_TEETH.schema(), _TWO_TEETH.schema()]}


def _check_teeth(value: Any, context: Context) -> Any:
    return (_TWO_TEETH if isinstance(value, list) else _TEETH).check(value, context)


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
    """The two limits as written, checked once the joint's type says what they measure.

    ``places`` is where each stands under ``limits``; ``spring`` is a mapping not yet checked.
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
        "frequency": _IN_SPRING,
        "damping_ratio": _IN_SPRING,
        "stiffness": _IN_SPRING,
        "damping": _IN_SPRING,
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


_IN_MOTOR = "it belongs in `motor: {...}`"
_TWO_BODIES = "the two bodies are `bodies: [a, b]`"
_TWO_ANCHORS = "a point of each body, in its own coordinates, is `anchors: [[x, y], [x, y]]`"


_TWO_JOINTS = "the two joints are `joints: [a, b]`"
_FIRST = ("revolute", "distance", "weld", "prismatic", "wheel", "mouse")
_OWN_POINT = (*_FIRST, "ratchet")
_OWN_BODIES = (*_OWN_POINT, "pulley")
LINKS = ("gear", "rack")
"""The types of joints that go with two others, and hold the bodies of these."""


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
        "gear_ratio": "it is `ratio`",
        **dict.fromkeys(("joint_a", "joint_b", "jointA", "jointB"), _TWO_JOINTS),
        **dict.fromkeys(("body_a", "body_b", "bodyA", "bodyB", "a", "b"), _TWO_BODIES),
        **dict.fromkeys(("anchor_a", "anchor_b", "anchorA", "anchorB"), _TWO_ANCHORS),
    }
    type: Annotated[
        str | None,
        OneOf(
            JOINT_KINDS,
            others={
                "hinge": "revolute",
                "pin": "revolute",
                "slider": "prismatic",
                "rod": "distance",
                "rope": "distance",
                "spring": "distance",
                "fixed": "weld",
                "gears": "gear",
                "belt": "gear",
                "groove": "prismatic",
            },
            instead={
                "motor": "a motor is a field of a joint: `{type: revolute, motor: {speed: 90}}`",
                "friction": "what brakes a joint is a motor that holds still with little strength: "
                "`motor: {speed: 0, max_torque: ...}`",
                "filter": "who touches whom is said in `collision`, of two bodies by "
                "`pairs_ignore`",
                "free": "a body without joints is free",
                "relative": "what holds two bodies softly is a `weld` with a `spring`",
                "limit": "limits are a field of a joint: `{type: revolute, limits: [-30, 30]}`",
            },
        ),
    ] = about("revolute, distance, weld, prismatic, wheel, gear, rack, pulley, ratchet or mouse.")
    body: Annotated[Any, Name("the name of a body", computed=True)] = about(
        "mouse: the body that is pulled.", of=("mouse",)
    )
    bodies: Annotated[
        Any,
        Tuple(
            Name("the name of a body", computed=True),
            2,
            "the names of two bodies [a, b]",
            few="; one that is held by the frame is `[world, a]`",
        ),
    ] = about("The two bodies [a, b]; `world` is the frame.", of=_OWN_BODIES)
    anchor: Annotated[
        Pair,
        Tuple(
            LENGTH,
            2,
            "a point [x, y]",
            lists="; a point of each body, in its own coordinates, is `anchors`",
        ),
    ] = about("The joint's point, in world coordinates at the start.", of=_OWN_POINT)
    anchors: Annotated[
        Any,
        Tuple(
            POINT,
            2,
            "two points [[x, y], [x, y]]",
            "; one point, in world coordinates, is `anchor`",
        ),
    ] = about("A point in each body's own coordinates.", of=_OWN_BODIES)
    axis: Annotated[Pair, DIRECTION] = about(
        "prismatic, wheel: where b slides, in world axes at the start; with anchors, a's.",
        of=("prismatic", "wheel"),
    )
    target: PointField = about(
        "mouse: the world's point to pull to (default: where the body is held).", of=("mouse",)
    )
    limits: Annotated[Any, LimitsField()] = about(
        "revolute: angles of b against a, from the start; prismatic, wheel: lengths.",
        of=("revolute", "prismatic", "wheel"),
    )
    limit_spring: SpringInput | None = about(
        "Makes the limits or lengths soft.", of=("revolute", "distance", "prismatic", "wheel")
    )
    max_force: Force = about(
        "mouse, wheel: the largest force of its spring (default: no limit).", of=("mouse", "wheel")
    )
    motor: MotorInput | None = about(
        "revolute, ratchet, distance, prismatic, wheel: drives the joint.",
        of=("revolute", "distance", "prismatic", "wheel", "ratchet"),
    )
    spring: SpringInput | None = about(
        "Makes the joint soft: pulls it back to where it was at the start.", of=_FIRST
    )
    length: Annotated[Any, Custom(_check_length, _LENGTH_SCHEMA)] = about(
        "distance: the rest length, or auto (default): that at the start; pulley: of the rope.",
        of=("distance", "pulley"),
    )
    min_length: Distance = about("distance: never shorter.", of=("distance",))
    max_length: Annotated[Value, Quantity((units.LENGTH,), low=0.0, infinite=True)] = about(
        "distance: never longer.", of=("distance",)
    )
    rope: TruthField = about(
        "distance: only pulls, at max_length (default false); pulley: only pulls (default true).",
        of=("distance", "pulley"),
    )
    joints: Annotated[
        Any, Tuple(Name("the name of a joint", computed=True), 2, "the names of two joints [a, b]")
    ] = about("gear: the two hinges [a, b] of its wheels; rack: a hinge and a slide.", of=LINKS)
    ratio: Number = about(
        "gear: turns of wheel a while b turns once the other way; pulley: a's way for b's.",
        of=("gear", "pulley"),
    )
    ground_anchors: Annotated[Any, Tuple(POINT, 2, "two points of the world [[x, y], [x, y]]")] = (
        about("pulley: the world's points where its rope runs over wheels.", of=("pulley",))
    )
    radius: Size = about("rack: of the pinion.", of=("rack",))
    pitch: Annotated[Value, Quantity((units.ANGLE,), above=0.0)] = about(
        "ratchet: the angle from tooth to tooth.", of=("ratchet",)
    )
    direction: Annotated[str | None, OneOf(("positive", "negative"))] = about(
        "ratchet: which way it turns (default positive, from +x towards +y).", of=("ratchet",)
    )
    slip_torque: Annotated[Value, Quantity((units.TORQUE,), above=0.0, infinite=True)] = about(
        "ratchet: above which it slips by a tooth (default: never).", of=("ratchet",)
    )
    radii: Annotated[Pair, Tuple(Quantity((units.LENGTH,)), 2, "two radii [a, b]")] = about(
        "gear: of the two wheels [a, b], instead of their ratio.", of=("gear",)
    )
    teeth: Annotated[Any, Custom(_check_teeth, _TEETH_SCHEMA)] = about(
        "gear: of the two wheels [a, b], instead of their ratio; ratchet: of its wheel.",
        of=("gear", "ratchet"),
    )
    stiff: TruthField = about(
        "mouse: holds the point at its target (default false).", of=("mouse",)
    )
    collide: TruthField = about("Whether the two bodies touch each other (default false).")
    break_: BreakInput | None = about(
        "The force, torque or push and pull at which the joint breaks.", alias="break"
    )
    visible: TruthField = about("Drawn (default true).")


class JointInput(JointFields, RepeatedInput):
    pass
