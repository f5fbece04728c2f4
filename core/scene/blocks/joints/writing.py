# SPDX-License-Identifier: MIT
"""Writes a joint as a fully evaluated scene file has it, and for the hash of its motion."""

from __future__ import annotations

import math
from typing import Any

from ...model import Joint, Motor, Scene, Spring
from .spec import JointSpec
from .types import JOINT_TYPES

_LENGTHS = ("length", "min_length", "max_length", "rope")
"""Fields that are written behind the springs."""


def write_joint(joint: Joint, scene: Scene) -> dict[str, Any]:
    spec = JOINT_TYPES[joint.kind]
    values: dict[str, Any] = {"type": joint.kind}
    if spec.links is None:
        values["bodies"] = (joint.body_a, joint.body_b)
    if spec.has("anchors"):
        values["anchors"] = (joint.anchor_a, joint.anchor_b)
    own = {} if spec.write is None else spec.write(joint)
    values |= {name: value for name, value in own.items() if name not in _LENGTHS}
    if spec.axis is not None:
        values["axis"] = joint.axis
    if joint.limits is not None:
        values["limits"] = joint.limits
    if joint.limit_spring is not None:
        values["limit_spring"] = _spring(joint.limit_spring, scene)
    if math.isfinite(joint.max_force):
        values["max_force"] = joint.max_force
    if joint.stiff:
        values["stiff"] = True
    if joint.motor is not None:
        values["motor"] = _motor(joint.motor, spec, scene)
    if joint.spring is not None:
        values["spring"] = _spring(joint.spring, scene)
    values |= {name: value for name, value in own.items() if name in _LENGTHS}
    values |= joint.own
    if joint.collide:
        values["collide"] = True
    breaks = {
        "force": joint.break_force,
        "torque": joint.break_torque,
        "push_pull": joint.break_push_pull,
        "push": joint.break_push,
        "pull": joint.break_pull,
    }
    limits = {name: value for name, value in breaks.items() if math.isfinite(value)}
    if limits:
        values["break"] = limits
    if not joint.visible:
        values["visible"] = False
    return values


def _motor(motor: Motor, spec: JointSpec, scene: Scene) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if motor.speed is not None:
        values["speed"] = motor.speed
    if motor.position is not None:
        values["position"] = motor.position
    if motor.relative:
        values["relative"] = True
    if math.isfinite(motor.max_force):
        values["max_torque" if spec.turns else "max_force"] = motor.max_force
    if motor.spring is not None:
        values["spring"] = _spring(motor.spring, scene)
    if motor.stop_at_limits:
        values["stop_at_limits"] = True
    if motor.max_speed:
        values["max_speed"] = motor.max_speed
    if not motor.enabled:
        values["enabled"] = False
    return values


def _spring(spring: Spring, scene: Scene) -> dict[str, Any]:
    if spring.frequency is None:
        return {"stiffness": spring.stiffness, "damping": spring.damping}
    frequency = _undivided(spring.frequency, scene.units.time_per_second)
    return {"frequency": frequency, "damping_ratio": spring.damping_ratio}


def _undivided(quotient: float, divisor: float) -> float:
    """A number that gives exactly this quotient."""
    guess = quotient * divisor
    candidates = [guess]
    for towards in (math.inf, -math.inf):
        near = guess
        for _ in range(4):
            near = math.nextafter(near, towards)
            candidates.append(near)
    return next((each for each in candidates if each / divisor == quotient), guess)


_JOINT_DEFAULTS = [
    (name, getattr(Joint("", "weld", "", "", (0.0, 0.0), (0.0, 0.0)), name))
    for name in (
        *("axis", "limit_spring", "max_force"),
        *("break_push_pull", "break_push", "break_pull", "stiff"),
        *("links", "ratio", "coaxial", "ground_anchors", "pitch", "slip_torque", "own"),
        *("constraint", "numbers"),
    )
]


def hashed_joint(joint: Joint) -> str:
    text = repr(
        (
            joint.name,
            joint.kind,
            joint.body_a,
            joint.body_b,
            joint.anchor_a,
            joint.anchor_b,
            joint.reference_angle,
            joint.limits,
            joint.motor,
            joint.spring,
            joint.rope,
            joint.length,
            joint.min_length,
            joint.max_length,
            joint.collide,
            joint.break_force,
            joint.break_torque,
        )
    )
    more = [
        (name, getattr(joint, name))
        for name, plain in _JOINT_DEFAULTS
        if getattr(joint, name) != plain
    ]
    if joint.motor is not None and joint.motor.stop_at_limits:
        more.append(("stop_at_limits", True))
    if joint.motor is not None and joint.motor.max_speed:
        more.append(("max_speed", joint.motor.max_speed))
    if joint.motor is not None and not joint.motor.enabled:
        more.append(("enabled", False))
    return text + repr(more) if more else text
