# SPDX-License-Identifier: MIT
"""Actuators as rows of the engine: forces, and joints with the world."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from ... import _native
from ...scene.blocks.world.world import default_gravity
from ...scene.model import Actuator, Point, Scene
from ...scene.values.portable_math import hypot
from .assembly import WORLD_BODY
from .rows import Rows, RowWriter, default_fields


def is_joint(actuator: Actuator) -> bool:
    """Whether the engine has it as a joint with the world."""
    return actuator.kind == "axial_friction" or actuator.speed is not None


def gravity_for_tyres(scene: Scene) -> float:
    """The gravity for the weight of tyres: the usual one in a scene without any."""
    gravity = scene.world.gravity
    if gravity == (0.0, 0.0):
        gravity = default_gravity(scene.units, scene.world.length_unit)
    return hypot(*gravity)


Placed = tuple[Actuator, int]
"""An actuator, and the native index of one of its bodies."""


def _force_kind(actuator: Actuator) -> int:
    """Thrusters and impulses are kinds of their own; all others are forces in world axes."""
    kind = actuator.kind if actuator.kind in ("thruster", "impulse") else "force"
    return _native.FORCE_KINDS[kind]


def _place(actuator: Actuator) -> Point:
    return (math.nan, math.nan) if actuator.at is None else actuator.at


_FORCES: RowWriter[Placed] = RowWriter(
    "FORCE",
    {
        "kind": lambda placed: _force_kind(placed[0]),
        "body": lambda placed: placed[1],
        "at_x": lambda placed: _place(placed[0])[0],
        "at_y": lambda placed: _place(placed[0])[1],
        "x": lambda placed: placed[0].force[0],
        "y": lambda placed: placed[0].force[1],
        "torque": lambda placed: placed[0].torque,
        "start": lambda placed: placed[0].start,
        "until": lambda placed: placed[0].until,
    },
)

# A motor or a friction against the world, at rest until it is switched on.
_JOINTS: RowWriter[Placed] = RowWriter(
    "JOINT",
    default_fields("JOINT")
    | {
        "kind": lambda placed: _native.JOINT_KINDS[placed[0].kind],
        "body_a": lambda _: WORLD_BODY,
        "body_b": lambda placed: placed[1],
        "anchor_bx": lambda placed: (placed[0].at or (0.0, 0.0))[0],
        "anchor_by": lambda placed: (placed[0].at or (0.0, 0.0))[1],
        "axis_x": lambda placed: placed[0].direction[0],
        "axis_y": lambda placed: placed[0].direction[1],
        "collide": lambda _: True,
        "motor_kind": lambda _: _native.MOTOR_KINDS["speed"],
        "motor_target": lambda placed: placed[0].speed or 0.0,
        "motor_max": lambda _: 0.0,
        "motor_side": lambda placed: _native.MOTOR_SIDES["both" if placed[0].brake else "forwards"],
    },
)


def force_rows(actuators: Iterable[Actuator], index: Mapping[str, int]) -> tuple[Rows, Rows]:
    """Actuators as the engine takes them: those that are joints, and those that are forces."""
    joints: list[Placed] = []
    forces: list[Placed] = []
    for actuator in actuators:
        places = joints if is_joint(actuator) else forces
        places.extend((actuator, index[name]) for name in actuator.bodies)
    return _JOINTS.rows(joints), _FORCES.rows(forces)


NO_JOINTS, NO_FORCES = force_rows((), {})
