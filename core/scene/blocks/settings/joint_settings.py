# SPDX-License-Identifier: MIT
"""The settings of joints that may change while a scene runs, and their values."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ...model import Joint
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Wrong
from ...values.fields import POINT
from ...values.kinds import Kind, Tuple, nearest
from ...values.quantity import Flag, Quantity
from ..joints.lengths import is_pin
from ..joints.parts import (
    DAMPING,
    DAMPING_TURN,
    FRACTION,
    LIMIT_ANGLE,
    LIMIT_LENGTH,
    MOTOR_SLIDE,
    MOTOR_TURN,
    ROD_LENGTH,
    STIFFNESS,
    STIFFNESS_TURN,
)
from ..joints.types import JOINT_TYPES

FORCE = Quantity((units.FORCE,), low=0.0, infinite=True)
TORQUE = Quantity((units.TORQUE,), low=0.0, infinite=True)
_FREQUENCY = Quantity((units.FREQUENCY,), above=0.0)
_NOT_NEGATIVE = Quantity(low=0.0)

MOTOR = ("speed", "position", "max_force", "max_torque", "enabled")
SPRING = ("frequency", "damping_ratio", "stiffness", "damping")
LENGTHS = ("min_length", "max_length")
JOINT = (
    *(f"motor.{name}" for name in MOTOR),
    *("limits", *LENGTHS),
    *(f"spring.{name}" for name in SPRING),
    "target",
)


def joint_kind(joint: Joint, owner: str, name: str) -> Kind:
    """The kind of value of a joint's setting. Raises Wrong for an unknown setting."""
    if not is_read(joint.kind):
        raise Stop
    spec = JOINT_TYPES[joint.kind]
    if name == "limits":
        if joint.limits is None:
            raise Wrong("missing-key", f"the joint `{owner}` has no limits; give it some to change")
        limit = LIMIT_ANGLE if spec.angular else LIMIT_LENGTH
        return Tuple(limit, 2, "two numbers [lowest, highest]")
    if name == "target" and spec.has("target"):
        return POINT
    if name.startswith("motor.") and name in JOINT:
        return _of_motor(joint, owner, name.removeprefix("motor."))
    if name.startswith("spring.") and name in JOINT and spec.has("spring"):
        return _of_spring(joint, owner, name.removeprefix("spring."))
    if name in LENGTHS and spec.has(name):
        return _of_length(joint, owner, name)
    known = tuple(each for each in JOINT if spec.has(each.partition(".")[0]))
    if not name:
        raise Wrong("missing-key", f"what of the joint `{owner}`? It has {', '.join(known)}")
    raise Wrong(
        "unknown-name", f"`{name}` of the joint `{owner}` cannot be set; {nearest(name, known)}"
    )


def joint_settings(joint: Joint) -> dict[str, Kind]:
    """The settings of a joint, such as ``motor.speed``, with the kinds of their values."""
    found: dict[str, Kind] = {}
    for name in JOINT:
        with suppress(Wrong):
            found[name] = joint_kind(joint, joint.name, name)
    return found


def _of_motor(joint: Joint, owner: str, name: str) -> Kind:
    motor = joint.motor
    if motor is BROKEN:
        raise Stop
    if motor is None:
        raise Wrong("missing-key", f"the joint `{owner}` has no motor; give it one")
    spec = JOINT_TYPES[joint.kind]
    turns = spec.turns
    goes = "position" if motor.speed is None else "speed"
    limited = "max_torque" if turns else "max_force"
    if name == "enabled":
        return Flag()
    if name not in (goes, limited):
        right = f"is limited by `{limited}`" if name.startswith("max_") else f"goes by `{goes}`"
        raise Wrong("conflicting-keys", f"the motor of `{owner}` {right}, not by `{name}`")
    if name == limited:
        return TORQUE if turns else FORCE
    if name == "speed":
        return MOTOR_TURN if turns else MOTOR_SLIDE
    if motor.relative:
        return FRACTION
    return spec.position


def _of_spring(joint: Joint, owner: str, name: str) -> Kind:
    spring = joint.spring
    if spring is BROKEN:
        raise Stop
    if spring is None:
        raise Wrong("missing-key", f"the joint `{owner}` has no spring; give it one")
    pair = SPRING[:2] if spring.frequency is not None else SPRING[2:]
    if name not in pair:
        right = " and ".join(f"`{each}`" for each in pair)
        raise Wrong("conflicting-keys", f"the spring of `{owner}` has {right}, not `{name}`")
    angular = JOINT_TYPES[joint.kind].angular
    if name == "damping":
        return DAMPING_TURN if angular else DAMPING
    if name == "stiffness":
        kind = STIFFNESS_TURN if angular else STIFFNESS
        return kind if spring.damping else replace(kind, low=None, above=0.0)
    return _NOT_NEGATIVE if name == "damping_ratio" else _FREQUENCY


def _of_length(joint: Joint, owner: str, name: str) -> Kind:
    now = getattr(joint, name)
    if now is BROKEN:
        raise Stop
    if now is None:
        raise Wrong("missing-key", f"the joint `{owner}` has no `{name}`; give it one to change")
    if name == "min_length":
        return ROD_LENGTH
    if is_pin(joint):
        message = f"`{owner}` has no length and is a pin; give it a `max_length` above 0 to change"
        raise Wrong("conflicting-keys", message)
    return replace(ROD_LENGTH, infinite=True)
