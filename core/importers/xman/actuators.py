# SPDX-License-Identifier: MIT
"""Thrusters, motors and frictions along an axis in the scenes of document 000's engine."""

from __future__ import annotations

import math

from ..drafts.draft import Entry
from ..drafts.geometry import unit
from ..drafts.places import Value
from .values import BodyData, XmanBodies, vector

_DEGREE = 180 / math.pi


def add_actuators(bodies: XmanBodies, scene: Value) -> None:
    """The actuators of a scene, which push, turn and brake its bodies."""
    for value in scene.items("Thrusters"):
        bodies.thrusters.append(_add(bodies, value, "thruster", _thruster(value)))
    for value in scene.items("Motors"):
        body = bodies.at(value, "BodyIndex")
        bodies.motors.append(_add(bodies, value, "rotary_motor", _motor(value)))
        if value.truth("BrakeIsEnabled") and body.moves:
            _brake(bodies, value, body)
    for value in scene.items("AxialFrictions"):
        entry: Entry = {"at": list(vector(value, "R1")), "direction": _direction(value)}
        _add(bodies, value, "axial_friction", {**entry, "max_force": value.number("Friction")})


def _add(bodies: XmanBodies, value: Value, kind: str, fields: Entry) -> str:
    draft = bodies.draft
    entry = {"type": kind, "body": bodies.at(value, "BodyIndex").name, **fields}
    return draft.add(draft.actuators, f"{kind}_{len(draft.actuators)}", entry, value)


def _direction(value: Value) -> list[float]:
    """As long as 1, however short it is in the file."""
    return list(unit(vector(value, "ForceDirection")) or (1.0, 0.0))


def _thruster(value: Value) -> Entry:
    x, y = _direction(value)
    strength = value.number("ForceLength")
    entry: Entry = {"at": list(vector(value, "R1")), "force": [x * strength, y * strength]}
    return entry if value.truth("IsEnabled") else {**entry, "enabled": False}


def _motor(value: Value) -> Entry:
    """It pushes up to a speed and never brakes; one that says no speed pushes at any."""
    torque = value.number("RotaryForce")
    if not value.number("MaxSpeed"):
        entry: Entry = {"torque": torque}
        return entry if value.truth("IsEnabled") else {**entry, "enabled": False}
    speed = math.copysign(value.number("MaxSpeed"), torque) * _DEGREE
    entry = {"speed": speed, "max_torque": abs(torque), "brake": False}
    return entry if value.truth("IsEnabled") else {**entry, "enabled": False}


def _brake(bodies: XmanBodies, value: Value, body: BodyData) -> None:
    draft = bodies.draft
    entry: Entry = {"type": "rotary_motor", "body": body.name, "speed": 0.0}
    draft.add(draft.actuators, f"brake_{len(draft.actuators)}", entry, value)
