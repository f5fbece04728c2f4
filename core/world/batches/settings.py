# SPDX-License-Identifier: MIT
"""Settable values of a batch's worlds, and their slots in the engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...arguments import LARGEST
from ...errors import UsageError, unknown_name
from ...scene.blocks.settings.settable import TYPES, is_endless, lacks_mass
from ...scene.model import Joint
from ...scene.surroundings_model import POOLS
from ..building.actuator_rows import is_joint
from ..naming.actuators import SETTINGS
from ..naming.named_parts import NamedParts
from ..naming.ranges import OF_BODY, OF_POOL, OF_WORLD
from ..naming.settings import is_state, pool_index, pool_side, split_path
from .controls import BatchControl

BODY_SETTINGS = ("x", "y", "angle", "vx", "vy", "omega", "force_x", "force_y", "torque")
MOTOR_SETTINGS = ("speed", "position", "max_force", "max_torque", "enabled")
# A setting of the scene by the engine's names: of a point, of a number.
_BODY = {
    "position": ("x", "y"),
    "velocity": ("vx", "vy"),
    "angular_velocity": ("omega",),
    **{name: (name,) for name in (*BODY_SETTINGS, "type", "collide")},
}
VELOCITIES = ("velocity", "vx", "vy", "omega", "angular_velocity")
"""Settings that a static body does not have."""
_OF_COORDINATE = {"x": "position", "y": "position"}
_SOURCE = ("enabled", "force", "torque")
_UNLIMITED = ("max_force", "max_torque", "friction")
_AXES = ("x", "y")


@dataclass(frozen=True, slots=True)
class BatchSetting:
    """A resolved setting of a batch.

    Attributes:
        owner: the engine's slot of a body; the name of a joint or an actuator.
        setting: its name; for a body the engine's columns that are set at once.
        width: the number of its values.
        unlimited: whether it is a strength, which may be infinite but not negative.
        least: its lower bound, if any.
        most: its largest magnitude, unless it is unlimited.
        words: the words that its values index, if any.
    """

    owner: int | str
    setting: str | tuple[str, ...]
    width: int
    unlimited: bool = False
    least: float | None = None
    most: float = LARGEST
    words: tuple[str, ...] = ()


class SettingWriter:
    """Settings of a batch: a table [worlds, numbers] of them as the engine takes it."""

    def __init__(
        self, world: NamedParts, names: tuple[str, ...], control_of: Callable[[str], BatchControl]
    ) -> None:
        rows: list[tuple[int, int, bool]] = []
        self._parts: list[tuple[slice, str, BatchControl | None]] = []
        self.width = 0
        self._bounds = SettingBounds()
        for name in names:
            found = find_setting(world, name)
            columns = slice(self.width, self.width + found.width)
            self.width += found.width
            self._bounds.add(found)
            if isinstance(found.owner, int):
                codes = [_native.SETTINGS[code] for code in found.setting]
                rows += [(code, found.owner, k > 0) for k, code in enumerate(codes)]
                self._parts.append((columns, "", None))
                continue
            control = control_of(found.owner)
            assert isinstance(found.setting, str)
            codes = [_native.SETTINGS[code] for code in control.codes(found.setting)]
            for index in _places(world, found.owner):
                rows += [(code, index, k > 0) for k, code in enumerate(codes)]
            self._parts.append((columns, found.setting, control))
        self.codes = np.array(rows, np.int32).reshape(-1, 3)
        self._bodies_alone = all(control is None for *_, control in self._parts)

    def table(self, worlds: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert values [worlds, width] to the engine's. Raises ValueError for invalid values."""
        values = np.ascontiguousarray(values)
        self._bounds.check(values)
        if self._bodies_alone:
            return values
        if len(self._parts) == 1 and (only := self._parts[0][2]) is not None:
            return np.ascontiguousarray(only.write(worlds, self._parts[0][1], values))
        parts = [
            values[:, columns]
            if control is None
            else control.write(worlds, name, values[:, columns])
            for columns, name, control in self._parts
        ]
        return np.ascontiguousarray(parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1))


class SettingBounds:
    """Allowed values of the columns of a table of settings."""

    def __init__(self) -> None:
        self._settings: list[BatchSetting] = []  # of each column
        self._worded: list[tuple[int, BatchSetting]] = []  # columns of words
        self._low = self._high = np.empty(0)

    def add(self, found: BatchSetting) -> None:
        """Add the bounds of a setting, whose columns are the next ones."""
        self._settings += [found] * found.width
        self._worded = [(i, each) for i, each in enumerate(self._settings) if each.words]
        bounds = np.array([_bounds(each) for each in self._settings]).reshape(-1, 2)
        self._low, self._high = np.ascontiguousarray(bounds.T)

    def check(self, values: NDArray[np.float64]) -> None:
        """Raise ValueError for invalid values, in a contiguous array."""
        if not _native.are_within(values, self._low, self._high):
            self._tell(values)
        for column, found in self._worded:
            if not np.isin(values[:, column], range(len(found.words))).all():
                known = ", ".join(f"{i} ({word})" for i, word in enumerate(found.words))
                raise ValueError(f"a value must be one of {known}")

    def _tell(self, values: NDArray[np.float64]) -> None:
        unlimited = np.array([found.unlimited for found in self._settings])
        strengths, others = values[:, unlimited], values[:, ~unlimited]
        if np.isnan(strengths).any() or not np.isfinite(others).all():
            raise ValueError("a value must be a finite number")
        for column, found in enumerate(self._settings):
            if not found.unlimited and (np.abs(values[:, column]) > found.most).any():
                raise ValueError(f"a value must not be above {found.most:g}")
        if (strengths < 0.0).any():
            raise ValueError("a strength must not be negative")
        for column, found in enumerate(self._settings):
            if found.least is not None and (values[:, column] < found.least).any():
                raise ValueError(f"a value must not be below {found.least:g}")


def _bounds(found: BatchSetting) -> tuple[float, float]:
    """The least and the largest value of a setting."""
    if found.unlimited:
        return 0.0, math.inf
    return (-found.most if found.least is None else found.least), found.most


def _places(world: NamedParts, owner: str) -> list[int]:
    """The engine's slots of the parts of a joint or an actuator."""
    if owner in world.roster.joints:
        return [world.joint(owner).index]
    return [index for index, _ in world.actuators.parts(owner)]


def find_setting(world: NamedParts, name: str) -> BatchSetting:
    """The setting of a name; UsageError for names that a batch does not have."""
    owner, axis = without_axis(world, name)
    found = _find(world, owner)
    if axis is None:
        return found
    if found.width == 1:
        raise UsageError(f"{owner!r} is one number; it has no {axis}")
    if isinstance(found.owner, int):
        return replace(found, setting=(found.setting[_AXES.index(axis)],), width=1)
    return BatchSetting(found.owner, f"{found.setting}_{axis}", 1)


def without_axis(world: NamedParts, name: str) -> tuple[str, str | None]:
    """``jet.force.x`` without its axis; the x of a body itself is its own."""
    rest, _, axis = name.rpartition(".")
    scene = world.roster.scene
    owners = (scene.bodies, scene.joints, scene.actuators)
    if axis not in _AXES or any(rest in names for names in owners):
        return name, None
    return rest, axis


def body_setting(world: NamedParts, name: str) -> tuple[str, str]:
    """The body and the setting of a name, without its axis; nothing for what is of no body."""
    path, _ = without_axis(world, name)
    owner, _, setting = path.rpartition(".")
    return (owner, setting) if owner in world.roster.scene.bodies else ("", "")


def _find(world: NamedParts, name: str) -> BatchSetting:
    scene = world.roster.scene
    section, _, key = name.partition(".")
    if section == "controls" and key in scene.controls:
        held = ", ".join(f"`{each}.enabled`" for each in scene.controls[key].holds)
        raise UsageError(f"the key {key!r} holds actuators alone; set {held or 'nothing'} instead")
    owner, setting = split_path(world, name)
    if is_state(world, owner):
        return BatchSetting(owner, setting, 1)
    if owner in scene.bodies:
        if setting not in _BODY:
            raise unknown_name(f"setting of {owner}", setting, tuple(_BODY))
        if setting in ("type", "collide"):
            return _of_kind(world, owner, setting)
        most, _ = OF_BODY.get(_OF_COORDINATE.get(setting, setting), (LARGEST, False))
        columns = _BODY[setting]
        return BatchSetting(world[owner].index, columns, len(columns), most=most)
    if owner == "world":
        return BatchSetting(0, ("gravity_x", "gravity_y"), 2, most=OF_WORLD["gravity"][0])
    if owner.startswith(POOLS):
        pool = owner.removeprefix(POOLS)
        side = pool_side(world, pool) if setting == "level" else setting
        least = None if setting == "level" else 0.0
        slot, (most, _) = pool_index(world, pool), OF_POOL[setting]
        return BatchSetting(slot, (f"pool_{side}",), 1, least=least, most=most)
    if owner in scene.joints:
        return _of_motor(scene.joints[owner], setting.removeprefix("motor."))
    if owner in scene.actuators:
        return _of_actuator(world, owner, setting)
    raise UsageError(f"{name!r} is the same in all worlds of a batch; it cannot be set")


def _of_kind(world: NamedParts, owner: str, setting: str) -> BatchSetting:
    scene = world.roster.scene
    solver = scene.world.solver
    if solver.is_textbook:
        raise UsageError(f"with the solver {solver.kind} a body keeps its {setting}")
    words: tuple[str, ...] = ("false", "true")
    if setting == "type":
        body = scene.bodies[owner]
        words = TYPES[: 1 if is_endless(body) else 2 if lacks_mass(body) else 3]
    return BatchSetting(world[owner].index, (setting,), 1, words=words)


def _of_motor(joint: Joint, setting: str) -> BatchSetting:
    motor = joint.motor
    if motor is None:
        raise UsageError(
            f"joint {joint.name!r} has no motor; give it one in the scene, since a batch sets "
            "nothing else of joints"
        )
    if motor.relative:
        raise UsageError(f"the position of the motor of {joint.name!r} is relative to its limits")
    fitting = ("position" if motor.speed is None else "speed", *MOTOR_SETTINGS[2:])
    if setting not in fitting:
        raise unknown_name(f"setting of the motor of {joint.name}", setting, fitting)
    return BatchSetting(joint.name, setting, 1, setting.startswith("max_"))


def _of_actuator(world: NamedParts, name: str, setting: str) -> BatchSetting:
    actuator = world.actuators.get(name)
    known = SETTINGS[actuator.kind]
    if actuator.kind in ("impulse", "field"):
        raise UsageError(f"the {actuator.kind} {name!r} is the same in all worlds of a batch")
    if setting not in known:
        raise unknown_name(f"setting of the {actuator.kind} {name}", setting, known)
    if not is_joint(actuator) and setting not in _SOURCE:
        raise UsageError(f"the motor {name!r} has a torque, not a {setting}")
    if is_joint(actuator) and setting == "torque":
        raise UsageError(f"the motor {name!r} goes by speed, not by torque")
    if setting == "friction" and not actuator.friction:
        raise UsageError(f"the tyre {name!r} has no friction to begin with")
    width = 2 if setting == "force" else 1
    return BatchSetting(name, setting, width, setting in _UNLIMITED)
