# SPDX-License-Identifier: MIT
"""Builds limits, springs and motors of a joint from their input models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...building.scope import Scope
from ...building.structure import validate
from ...model import Body, Motor, Spring
from ...text.problems import Path, show_suffix
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Wrong
from ...values.quantity import Quantity, Written
from .parts import (
    DAMPING,
    DAMPING_TURN,
    FASTEST_SLIDE,
    FASTEST_TURN,
    FRACTION,
    LIMIT_ANGLE,
    LIMIT_LENGTH,
    MOTOR_SLIDE,
    MOTOR_TURN,
    STIFFNESS,
    STIFFNESS_TURN,
    Limits,
    MotorInput,
    SpringInput,
)
from .spec import Ends, Get, JointSpec

_SPRING_FIELDS = ("frequency", "damping_ratio", "stiffness", "damping")
_PULLS = {"stiffness": STIFFNESS, "damping": DAMPING}
_TURNS = {"stiffness": STIFFNESS_TURN, "damping": DAMPING_TURN}


@dataclass
class Range:
    """The limits of a joint, and how softly they hold."""

    values: tuple[float, float] | None = None
    spring: Spring | None = None


def build_limits(
    scope: Scope, spec: JointSpec, given: Limits | None, soft: SpringInput | None, where: str
) -> Range:
    """The limits, in radians for a revolute joint, else a length; ``where`` names the field."""
    if given is None:
        if soft is not None:
            raise scope.fail(
                "conflicting-keys", "`limit_spring` goes with `limits`, and there are none", where
            )
        return Range()
    quantity = LIMIT_ANGLE if spec.angular else LIMIT_LENGTH
    low, high = (
        scope.attempt(written, BROKEN, scope, value, quantity, ("limits", place))
        for value, place in zip(given.values, given.places, strict=True)
    )
    scope.attempt(_check_order, None, scope, low, high)
    if given.spring is None:
        return Range((low, high), build_spring(scope, spec, soft, ("limit_spring",)))
    if soft is not None:
        raise scope.fail(
            "conflicting-keys",
            "`limits.spring` and `limit_spring` are the same; keep one",
            "limit_spring",
        )
    at = ("limits", "spring")
    checked = validate(SpringInput, given.spring, scope.context, scope.report, scope.path + at)
    return Range((low, high), build_spring(scope, spec, checked, at))


def _check_order(scope: Scope, low: float, high: float) -> None:
    if low > high:
        raise scope.fail("out-of-range", "the first limit must not be above the second", "limits")
    if math.isinf(low) and low == high:
        raise scope.fail(
            "out-of-range",
            "a limit on one side only is `[-.inf, highest]` or `[lowest, .inf]`",
            "limits",
        )


def build_spring(
    scope: Scope, spec: JointSpec, spring: SpringInput | None, at: Path
) -> Spring | None:
    """The spring of a type of joint; Stop where it mixes its two forms or has none."""
    if spring is None:
        return None
    values = {
        field: scope.known(getattr(spring, field), *at, field)
        for field in ("frequency", "damping_ratio")
    }
    for field, quantity in (_TURNS if spec.angular else _PULLS).items():
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


def need_motor(scope: Scope, get: Get, pair: tuple[Body, Body], anchors: Ends) -> dict[str, Any]:
    """No fields; reports a joint that does nothing, since it has no motor."""
    if get("motor") is None and not scope.report.may_mean((*scope.path, "motor"), object):
        raise scope.fail(
            "missing-key",
            "`motor` is missing; an axial motor drives b along its axis: "
            "`motor: {speed: 0.5, max_force: 20}` or `{position: 0.1}`",
        )
    return {}


def build_motor(
    scope: Scope, spec: JointSpec, motor: MotorInput | None, range_: Range, lengths: dict[str, Any]
) -> Motor | None:
    """A motor by speed or by position; Stop after a problem."""
    if motor is None:
        return None
    turning = spec.turns
    if not spec.motor:
        return None  # which is reported already
    spring = scope.attempt(
        lambda: build_spring(scope, spec, motor.spring, ("motor", "spring")), BROKEN
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
    if spec.spins and is_read(motor.position):
        raise scope.fail(
            "conflicting-keys",
            f"the motor of a {spec.name} joint goes by `speed`",
            "motor",
            "position",
        )
    right, wrong = ("max_torque", "max_force") if turning else ("max_force", "max_torque")
    if is_read(getattr(motor, wrong)):
        scope.fail(
            "conflicting-keys",
            f"the motor of a {spec.name} joint is limited by `{right}`, not `{wrong}`",
            "motor",
            wrong,
        )
    turn = MOTOR_TURN if turning else MOTOR_SLIDE
    speed = known(scope, motor.speed, turn, ("motor", "speed"))
    most = scope.known(getattr(motor, right), "motor", right)
    relative = bool(scope.resolve(motor.relative, "motor", "relative"))
    if relative:
        scope.attempt(_check_relative, None, scope, spec, motor, range_, lengths)
    stops = bool(scope.resolve(motor.stop_at_limits, "motor", "stop_at_limits"))
    if stops:
        scope.attempt(_check_stops, None, scope, spec, motor, range_, lengths)
    fastest = FASTEST_TURN if turning else FASTEST_SLIDE
    max_speed = known(scope, motor.max_speed, fastest, ("motor", "max_speed"))
    if is_read(motor.max_speed) and (motor.speed is not None or motor.spring is not None):
        message = "`max_speed` is for a motor that goes to a `position` without a `spring`"
        scope.fail("conflicting-keys", message, "motor", "max_speed")
    enabled = scope.known(motor.enabled, "motor", "enabled")
    quantity = FRACTION if relative else spec.position
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
    scope: Scope, spec: JointSpec, motor: MotorInput, range_: Range, lengths: dict[str, Any]
) -> None:
    at = ("motor", "stop_at_limits")
    if motor.speed is None:
        raise scope.fail("conflicting-keys", "`stop_at_limits` goes with `speed`", *at)
    if spec.spins:
        raise scope.fail(
            "conflicting-keys", f"the motor of a {spec.name} turns it, which has no limits", *at
        )
    ends = (lengths.get("min_length"), lengths.get("max_length"))
    if range_.values is None and ends == (None, None):
        where = "`min_length` or `max_length`" if spec.has("min_length") else "`limits`"
        raise scope.fail("conflicting-keys", f"`stop_at_limits` needs {where}", *at)
    if range_.spring is not None:
        raise scope.fail(
            "conflicting-keys",
            "a motor stops at limits that do not give; leave out `stop_at_limits` or the spring",
            *at,
        )


def _check_relative(
    scope: Scope, spec: JointSpec, motor: MotorInput, range_: Range, lengths: dict[str, Any]
) -> None:
    at = ("motor", "relative")
    if motor.position is None:
        raise scope.fail("conflicting-keys", "`relative` goes with `position`", *at)
    if spec.has("min_length"):
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
