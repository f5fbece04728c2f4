# SPDX-License-Identifier: MIT
"""What of the worlds of a batch can be set, and where the engine has it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..errors import UsageError, unknown_name
from ..scene.model import Joint
from .actuator_rows import is_joint
from .actuators import SETTINGS
from .settings import split_path

if TYPE_CHECKING:
    from .world import World

BODY_SETTINGS = ("x", "y", "angle", "vx", "vy", "omega", "force_x", "force_y", "torque")
MOTOR_SETTINGS = ("speed", "position", "max_force", "max_torque", "enabled")
# A setting of the scene by the engine's names: of a point, of a number.
_BODY = {
    "position": ("x", "y"),
    "velocity": ("vx", "vy"),
    "angular_velocity": ("omega",),
    **{name: (name,) for name in BODY_SETTINGS},
}
_SOURCE = {
    "enabled": ("source_enabled",),
    "force": ("source_x", "source_y"),
    "torque": ("source_torque",),
}
_AXES = ("x", "y")


@dataclass(frozen=True, slots=True)
class Place:
    """One number of the engine that a setting writes.

    Attributes:
        code, index: which.
        part: which number of the setting it is.
        scale: what the number is multiplied by.
        switched: what is written where the number is not 0, of what is switched on and off.
    """

    code: str
    index: int
    part: int = 0
    scale: float = 1.0
    switched: float | None = None


class Writer:
    """Settings of a batch: a table [worlds, numbers] of them as the engine takes it."""

    def __init__(self, world: World, names: tuple[str, ...]) -> None:
        places: list[Place] = []
        parts: list[int] = []
        width = 0
        for name in names:
            found = find_places(world, name)
            places += found
            parts += [width + place.part for place in found]
            width += 1 + max(place.part for place in found)
        self.width = width
        rows = [(_native.SETTINGS[place.code], place.index) for place in places]
        self.codes = np.array(rows, np.int32).reshape(-1, 2)
        self._parts = np.array(parts, np.intp)
        self._plain = parts == list(range(width))
        self._scales = np.array([place.scale for place in places])
        self._scaled = bool((self._scales != 1.0).any())
        self._switched = [
            (i, place.switched) for i, place in enumerate(places) if place.switched is not None
        ]

    def table(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The engine's numbers for values [worlds, width]."""
        if self._plain and not self._scaled and not self._switched:
            return np.ascontiguousarray(values)
        table = np.ascontiguousarray(values[:, self._parts])
        if self._scaled:
            table *= self._scales
        for column, on in self._switched:
            table[:, column] = np.where(table[:, column] != 0.0, on, 0.0)
        return table


def find_places(world: World, name: str) -> list[Place]:
    """Where the engine has a setting; UsageError for what is none of a batch."""
    owner, axis = without_axis(world, name)
    found = _find(world, owner)
    if axis is None:
        return found
    if {place.part for place in found} == {0}:
        raise UsageError(f"{owner!r} is one number; it has no {axis}")
    part = _AXES.index(axis)
    return [Place(each.code, each.index) for each in found if each.part == part]


def without_axis(world: World, name: str) -> tuple[str, str | None]:
    """``jet.force.x`` without its axis; the x of a body itself is its own."""
    rest, _, axis = name.rpartition(".")
    scene = world.roster.scene
    owners = (scene.bodies, scene.joints, scene.actuators)
    if axis not in _AXES or any(rest in names for names in owners):
        return name, None
    return rest, axis


def _find(world: World, name: str) -> list[Place]:
    scene = world.roster.scene
    section, _, key = name.partition(".")
    if section == "controls" and key in scene.controls:
        held = ", ".join(f"`{each}.enabled`" for each in scene.controls[key].holds)
        raise UsageError(f"the key {key!r} holds actuators alone; set {held or 'nothing'} instead")
    owner, setting = split_path(world, name)
    if owner in scene.bodies:
        if setting not in _BODY:
            raise unknown_name(f"setting of {owner}", setting, tuple(_BODY))
        index = world[owner].index
        return [Place(code, index, part) for part, code in enumerate(_BODY[setting])]
    if owner in scene.joints:
        return [_of_motor(world, scene.joints[owner], setting.removeprefix("motor."))]
    if owner in scene.actuators:
        return _of_actuator(world, owner, setting)
    raise UsageError(f"{name!r} is the same in all worlds of a batch; it cannot be set")


def _of_motor(world: World, joint: Joint, setting: str) -> Place:
    motor = joint.motor
    if motor is None:
        raise UsageError(f"joint {joint.name!r} has no motor; give it one in the scene")
    if motor.relative:
        raise UsageError(f"the position of the motor of {joint.name!r} is relative to its limits")
    fitting = ("position" if motor.speed is None else "speed", *MOTOR_SETTINGS[2:])
    if setting not in fitting:
        raise unknown_name(f"setting of the motor of {joint.name}", setting, fitting)
    index = world.joint(joint.name).index
    if setting == "enabled":
        return Place("motor_maximum", index, switched=motor.max_force)
    return Place("motor_maximum" if setting.startswith("max_") else "motor_target", index)


def _of_actuator(world: World, name: str, setting: str) -> list[Place]:
    actuator = world.actuators.get(name)
    known = SETTINGS[actuator.kind]
    if setting not in known or actuator.kind in ("impulse", "field"):
        raise unknown_name(f"setting of the {actuator.kind} {name}", setting, known)
    if not is_joint(actuator):
        if setting not in _SOURCE:
            raise UsageError(f"the motor {name!r} has a torque, not a {setting}")
        return [
            Place(code, index, part)
            for index, _ in world.actuators.parts(name)
            for part, code in enumerate(_SOURCE[setting])
        ]
    if setting == "torque":
        raise UsageError(f"the motor {name!r} goes by speed, not by torque")
    if setting == "speed":
        return [Place("motor_target", index) for index, _ in world.actuators.parts(name)]
    strengths = world.actuators.strengths(name)
    places = []
    for (index, _), strength in zip(world.actuators.parts(name), strengths, strict=True):
        if setting == "enabled":
            places.append(Place("motor_maximum", index, switched=strength))
        elif setting == "friction" and actuator.friction and math.isfinite(strength):
            places.append(Place("motor_maximum", index, scale=strength / actuator.friction))
        elif setting == "friction":
            raise UsageError(f"the tyre {name!r} has no friction to begin with")
        else:
            places.append(Place("motor_maximum", index))
    return places
