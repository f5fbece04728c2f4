# SPDX-License-Identifier: MIT
"""Builds limits, lengths, springs and motors of a joint from their input models."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...building.scope import Scope
from ...building.structure import validate
from ...model import Body, Motor, Point, Spring
from ...text.problems import Path, show_suffix
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Wrong
from ...values.portable_math import hypot
from ...values.quantity import Quantity, Written
from ..places import to_world
from .models import (
    DAMPING,
    DAMPING_TURN,
    FASTEST_SLIDE,
    FASTEST_TURN,
    FRACTION,
    LIMIT_ANGLE,
    LIMIT_LENGTH,
    MOTOR_ANGLE,
    MOTOR_LENGTH,
    MOTOR_SLIDE,
    MOTOR_TURN,
    ROD_LENGTH,
    STIFFNESS,
    STIFFNESS_TURN,
    Limits,
    MotorInput,
    SpringInput,
)

TURNING = ("revolute", "wheel", "ratchet")  # joints whose motors turn
_LENGTHS = ("length", "min_length", "max_length", "rope")
_SPRING_FIELDS = ("frequency", "damping_ratio", "stiffness", "damping")
_PULLS = {"stiffness": STIFFNESS, "damping": DAMPING}
_TURNS = {"stiffness": STIFFNESS_TURN, "damping": DAMPING_TURN}

# The kind of a motor's position, by joint type.
_POSITIONS = {
    "revolute": MOTOR_ANGLE,
    "ratchet": MOTOR_ANGLE,
    "wheel": MOTOR_ANGLE,
    "prismatic": MOTOR_LENGTH,
    "distance": ROD_LENGTH,
}


@dataclass
class Range:
    """The limits of a joint, and how softly they hold."""

    values: tuple[float, float] | None = None
    spring: Spring | None = None


def build_limits(
    scope: Scope, kind: str, given: Limits | None, soft: SpringInput | None, where: str
) -> Range:
    """The limits, in radians for a revolute joint, else a length; ``where`` names the field."""
    if given is None:
        if soft is not None:
            raise scope.fail(
                "conflicting-keys", "`limit_spring` goes with `limits`, and there are none", where
            )
        return Range()
    quantity = LIMIT_ANGLE if kind == "revolute" else LIMIT_LENGTH
    low, high = (
        scope.attempt(written, BROKEN, scope, value, quantity, ("limits", place))
        for value, place in zip(given.values, given.places, strict=True)
    )
    scope.attempt(_check_order, None, scope, low, high)
    if given.spring is None:
        return Range((low, high), build_spring(scope, kind, soft, ("limit_spring",)))
    if soft is not None:
        raise scope.fail(
            "conflicting-keys",
            "`limits.spring` and `limit_spring` are the same; keep one",
            "limit_spring",
        )
    at = ("limits", "spring")
    checked = validate(SpringInput, given.spring, scope.context, scope.report, scope.path + at)
    return Range((low, high), build_spring(scope, kind, checked, at))


def _check_order(scope: Scope, low: float, high: float) -> None:
    if low > high:
        raise scope.fail("out-of-range", "the first limit must not be above the second", "limits")
    if math.isinf(low) and low == high:
        raise scope.fail(
            "out-of-range",
            "a limit on one side only is `[-.inf, highest]` or `[lowest, .inf]`",
            "limits",
        )


def build_lengths(
    scope: Scope,
    get: Callable[[str], Any],
    pair: tuple[Body, Body],
    anchors: tuple[Point, Point],
) -> dict[str, Any]:
    """The lengths of a distance joint; ``get`` gives its fields."""
    now = scope.attempt(_distance, BROKEN, pair, anchors)
    if not any(get(field) is not None for field in _LENGTHS):
        return {"length": now}
    length, shortest, longest, rope = (scope.known(get(field), field) for field in _LENGTHS)
    rope = False if rope is None else rope
    if rope and (get("spring") is not None or shortest is not None):
        wrong = "spring" if get("spring") is not None else "min_length"
        right = "; an elastic one has a `limit_spring`" if wrong == "spring" else ""
        raise scope.fail(
            "conflicting-keys",
            f"a rope only pulls; `{wrong}` does not go with it{right}",
            wrong,
        )
    if rope and longest is None:
        longest = now if length is None or length == "auto" else length
    if shortest is not None and longest is not None and shortest > longest:
        raise scope.fail(
            "out-of-range", "`min_length` must not be above `max_length`", "min_length"
        )
    if length is None or length == "auto":
        rest = now if longest is None or rope else scope.attempt(min, now, now, longest)
        rest = rest if shortest is None else scope.attempt(max, rest, rest, shortest)
    else:
        rest = length
        sprung = get("spring") is not None  # which presses against its stops
        if shortest is not None and rest < shortest and not sprung:
            raise scope.fail("out-of-range", "`length` must not be below `min_length`", "length")
        if longest is not None and rest > longest and not rope and not sprung:
            raise scope.fail("out-of-range", "`length` must not be above `max_length`", "length")
    return {"length": rest, "min_length": shortest, "max_length": longest, "rope": rope}


def _distance(pair: tuple[Body, Body], anchors: tuple[Point, Point]) -> float:
    (ax, ay), (bx, by) = (to_world(*each) for each in zip(pair, anchors, strict=True))
    return hypot(bx - ax, by - ay)


def build_spring(scope: Scope, kind: str, spring: SpringInput | None, at: Path) -> Spring | None:
    """The spring of a joint's kind; Stop where it mixes its two forms or has none."""
    if spring is None:
        return None
    values = {
        field: scope.known(getattr(spring, field), *at, field)
        for field in ("frequency", "damping_ratio")
    }
    for field, quantity in (_TURNS if kind == "revolute" else _PULLS).items():
        values[field] = known(scope, getattr(spring, field), quantity, (*at, field))
    by_frequency = values["frequency"] is not None or values["damping_ratio"] is not None
    by_stiffness = values["stiffness"] is not None or values["damping"] is not None
    if by_frequency and by_stiffness:
        raise scope.fail(
            "conflicting-keys",
            "a spring is either {frequency, damping_ratio} or {stiffness, damping}; keep one pair",
            *at,
        )
    if by_stiffness and not values["stiffness"] and "motor" in at:
        raise scope.fail("out-of-range", "the spring of a motor needs a `stiffness` above 0", *at)
    if by_stiffness and not values["stiffness"] and not values["damping"]:
        raise scope.fail(
            "out-of-range",
            "a spring needs a `stiffness` or a `damping` above 0; what has no spring is rigid",
            *at,
        )
    if values["frequency"] is None and not by_stiffness:
        if scope.report.may_mean(scope.path + at, object):
            raise Stop
        raise scope.fail(
            "missing-key",
            "a spring needs a `frequency` (Hz) with `damping_ratio`, or a `stiffness` with "
            "`damping`",
            *at,
        )
    for field in ("damping_ratio",) if by_frequency else ("stiffness", "damping"):
        if values[field] is None:
            values[field] = 0.0
    frequency, ratio, stiffness, damping = map(values.__getitem__, _SPRING_FIELDS)
    return Spring(frequency, ratio, stiffness, damping)


def build_motor(
    scope: Scope, kind: str, motor: MotorInput | None, range_: Range, lengths: dict[str, Any]
) -> Motor | None:
    """A motor by speed or by position; Stop after a problem."""
    if motor is None:
        return None
    turning = kind in TURNING
    if kind not in _POSITIONS:
        return None  # which is reported already
    spring = scope.attempt(
        lambda: build_spring(scope, kind, motor.spring, ("motor", "spring")), BROKEN
    )
    if is_read(motor.speed) and is_read(motor.position):
        raise scope.fail(
            "conflicting-keys", "a motor needs either a `speed` or a `position` to go to", "motor"
        )
    if motor.speed is None and motor.position is None:
        if scope.report.may_mean((*scope.path, "motor"), object):
            raise Stop
        raise scope.fail(
            "missing-key", "a motor needs either a `speed` or a `position` to go to", "motor"
        )
    if kind == "wheel" and is_read(motor.position):
        raise scope.fail(
            "conflicting-keys", "the motor of a wheel joint goes by `speed`", "motor", "position"
        )
    right, wrong = ("max_torque", "max_force") if turning else ("max_force", "max_torque")
    if is_read(getattr(motor, wrong)):
        scope.fail(
            "conflicting-keys",
            f"the motor of a {kind} joint is limited by `{right}`, not `{wrong}`",
            "motor",
            wrong,
        )
    turn = MOTOR_TURN if turning else MOTOR_SLIDE
    speed = known(scope, motor.speed, turn, ("motor", "speed"))
    most = scope.known(getattr(motor, right), "motor", right)
    relative = bool(scope.resolve(motor.relative, "motor", "relative"))
    if relative:
        scope.attempt(_check_relative, None, scope, kind, motor, range_, lengths)
    stops = bool(scope.resolve(motor.stop_at_limits, "motor", "stop_at_limits"))
    if stops:
        scope.attempt(_check_stops, None, scope, kind, motor, range_, lengths)
    fastest = FASTEST_TURN if turning else FASTEST_SLIDE
    max_speed = known(scope, motor.max_speed, fastest, ("motor", "max_speed"))
    if is_read(motor.max_speed) and (motor.speed is not None or motor.spring is not None):
        message = "`max_speed` is for a motor that goes to a `position` without a `spring`"
        scope.fail("conflicting-keys", message, "motor", "max_speed")
    enabled = scope.known(motor.enabled, "motor", "enabled")
    quantity = FRACTION if relative else _POSITIONS[kind]
    position = known(scope, motor.position, quantity, ("motor", "position"))
    return Motor(
        speed=speed,
        position=position,
        relative=relative,
        max_force=math.inf if most is None else most,
        spring=spring,
        stop_at_limits=stops,
        max_speed=max_speed or 0.0,
        enabled=True if enabled is None else enabled,
    )


def _check_stops(
    scope: Scope, kind: str, motor: MotorInput, range_: Range, lengths: dict[str, Any]
) -> None:
    at = ("motor", "stop_at_limits")
    if motor.speed is None:
        raise scope.fail("conflicting-keys", "`stop_at_limits` goes with `speed`", *at)
    if kind == "wheel":
        raise scope.fail(
            "conflicting-keys", "the motor of a wheel turns it, which has no limits", *at
        )
    ends = (lengths.get("min_length"), lengths.get("max_length"))
    if range_.values is None and ends == (None, None):
        where = "`min_length` or `max_length`" if kind == "distance" else "`limits`"
        raise scope.fail("conflicting-keys", f"`stop_at_limits` needs {where}", *at)
    if range_.spring is not None:
        raise scope.fail(
            "conflicting-keys",
            "a motor stops at limits that do not give; leave out `stop_at_limits` or the spring",
            *at,
        )


def _check_relative(
    scope: Scope, kind: str, motor: MotorInput, range_: Range, lengths: dict[str, Any]
) -> None:
    at = ("motor", "relative")
    if motor.position is None:
        raise scope.fail("conflicting-keys", "`relative` goes with `position`", *at)
    if kind == "distance":
        if lengths.get("min_length") is None or not math.isfinite(
            lengths.get("max_length") or math.inf
        ):
            raise scope.fail(
                "conflicting-keys",
                "a relative position is 0 to 1 from `min_length` to `max_length`; give both",
                *at,
            )
    elif range_.values is None:
        raise scope.fail(
            "conflicting-keys",
            "a relative position is 0 to 1 of the joint's `limits`, and there are none",
            *at,
        )
    elif not all(math.isfinite(value) for value in range_.values):
        raise scope.fail("conflicting-keys", "a relative position needs two finite `limits`", *at)


def known(scope: Scope, value: Written | None, quantity: Quantity, at: Path) -> Any:
    """A value kept as written, None for None, BROKEN after a problem."""
    if value is None:
        return None
    return scope.attempt(written, BROKEN, scope, value, quantity, at)


def written(scope: Scope, value: Written, quantity: Quantity, at: Path) -> Any:
    """A value kept as written, checked now that its dimension is known."""
    try:
        checked = quantity.check(value.value, scope.context)
    except Wrong as wrong:
        scope.report.add_wrong(scope.path + at, wrong, scope.label + show_suffix(at))
        raise Stop from None
    return scope.resolve(checked, *at)
