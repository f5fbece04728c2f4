"""How a joint moves: its limits, springs and motors, built from their input models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .context import Wrong
from .joint_models import (
    DAMPING,
    DAMPING_TURN,
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
from .model import Motor, Spring
from .problems import Path, show_suffix
from .quantity import Written
from .scope import Scope, Stop
from .structure import validate

TURNING = ("revolute", "wheel")  # joints whose motors turn
_PULLS = {"stiffness": STIFFNESS, "damping": DAMPING}
_TURNS = {"stiffness": STIFFNESS_TURN, "damping": DAMPING_TURN}

# What the position of a motor is; a wheel's goes by speed.
_POSITIONS = {
    "revolute": MOTOR_ANGLE,
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
            raise scope.fail("`limit_spring` goes with `limits`, and there are none", where)
        return Range()
    quantity = LIMIT_ANGLE if kind == "revolute" else LIMIT_LENGTH
    values = [
        scope.attempt(lambda: written(scope, value, quantity, ("limits", place)), 0.0)  # noqa: B023
        for value, place in zip(given.values, given.places, strict=True)
    ]
    scope.stop_if_failed()
    if values[0] > values[1]:
        raise scope.fail("the first limit must not be above the second", "limits")
    if math.isinf(values[0]) and values[0] == values[1]:
        raise scope.fail(
            "a limit on one side only is `[-.inf, highest]` or `[lowest, .inf]`", "limits"
        )
    if given.spring is None:
        return Range((values[0], values[1]), build_spring(scope, kind, soft, ("limit_spring",)))
    if soft is not None:
        raise scope.fail(
            "`limits.spring` and `limit_spring` are the same; keep one", "limit_spring"
        )
    at = ("limits", "spring")
    checked = validate(SpringInput, given.spring, scope.context, scope.report, scope.path + at)
    if checked is None:
        raise Stop
    return Range((values[0], values[1]), build_spring(scope, kind, checked, at))


def build_spring(scope: Scope, kind: str, spring: SpringInput | None, at: Path) -> Spring | None:
    """The spring of a joint's kind; Stop where it mixes its two forms or has none."""
    if spring is None:
        return None
    values = {
        field: scope.resolve(getattr(spring, field), *at, field)
        for field in ("frequency", "damping_ratio")
    }
    for field, quantity in (_TURNS if kind == "revolute" else _PULLS).items():
        given = getattr(spring, field)
        values[field] = given and written(scope, given, quantity, (*at, field))
    by_frequency = values["frequency"] is not None or values["damping_ratio"] is not None
    by_stiffness = values["stiffness"] is not None or values["damping"] is not None
    if by_frequency and by_stiffness:
        raise scope.fail(
            "a spring is either {frequency, damping_ratio} or {stiffness, damping}; keep one pair",
            *at,
        )
    if by_stiffness and not values["stiffness"] and "motor" in at:
        raise scope.fail("the spring of a motor needs a `stiffness` above 0", *at)
    if by_stiffness and not values["stiffness"] and not values["damping"]:
        raise scope.fail(
            "a spring needs a `stiffness` or a `damping` above 0; what has no spring is rigid", *at
        )
    if values["frequency"] is None and not by_stiffness:
        raise scope.fail(
            "a spring needs a `frequency` (Hz) with `damping_ratio`, or a `stiffness` with "
            "`damping`",
            *at,
        )
    for field in ("damping_ratio",) if by_frequency else ("stiffness", "damping"):
        if values[field] is None:
            values[field] = 0.0
    return Spring(**values)


def build_motor(
    scope: Scope, kind: str, motor: MotorInput | None, range_: Range, lengths: dict[str, Any]
) -> Motor | None:
    """A motor by speed or by position; Stop after a problem."""
    if motor is None:
        return None
    turning = kind in TURNING
    if (motor.speed is None) == (motor.position is None):
        raise scope.fail("a motor needs either a `speed` or a `position` to go to", "motor")
    if kind == "wheel" and motor.position is not None:
        raise scope.fail("the motor of a wheel joint goes by `speed`", "motor", "position")
    right, wrong = ("max_torque", "max_force") if turning else ("max_force", "max_torque")
    if getattr(motor, wrong) is not None:
        raise scope.fail(
            f"the motor of a {kind} joint is limited by `{right}`, not `{wrong}`", "motor", wrong
        )
    relative = bool(scope.resolve(motor.relative, "motor", "relative"))
    if relative:
        _check_relative(scope, kind, motor, range_, lengths)
    speed = motor.speed and written(
        scope, motor.speed, MOTOR_TURN if turning else MOTOR_SLIDE, ("motor", "speed")
    )
    quantity = FRACTION if relative else _POSITIONS[kind]
    position = motor.position and written(scope, motor.position, quantity, ("motor", "position"))
    most = scope.resolve(getattr(motor, right), "motor", right)
    return Motor(
        speed=speed,
        position=position,
        relative=relative,
        max_force=math.inf if most is None else most,
        spring=build_spring(scope, kind, motor.spring, ("motor", "spring")),
    )


def _check_relative(
    scope: Scope, kind: str, motor: MotorInput, range_: Range, lengths: dict[str, Any]
) -> None:
    at = ("motor", "relative")
    if motor.position is None:
        raise scope.fail("`relative` goes with `position`", *at)
    if kind == "distance":
        if lengths.get("min_length") is None or not math.isfinite(
            lengths.get("max_length") or math.inf
        ):
            raise scope.fail(
                "a relative position is 0 to 1 from `min_length` to `max_length`; give both", *at
            )
    elif range_.values is None:
        raise scope.fail(
            "a relative position is 0 to 1 of the joint's `limits`, and there are none", *at
        )
    elif not all(math.isfinite(value) for value in range_.values):
        raise scope.fail("a relative position needs two finite `limits`", *at)


def written(scope: Scope, value: Written, quantity: Any, at: Path) -> Any:
    """A value kept as written, checked now that its dimension is known."""
    try:
        checked = quantity.check(value.value, scope.context)
    except Wrong as wrong:
        scope.report.add_wrong(scope.path + at, wrong, scope.label + show_suffix(at))
        raise Stop from None
    return scope.resolve(checked, *at)
