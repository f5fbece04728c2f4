# SPDX-License-Identifier: MIT
"""Settings of a batch by name in each world, so that its script takes notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown_name
from ...scene.blocks.joints.types import JOINT_TYPES
from ...scene.blocks.settings.settable import TYPES
from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..naming.settings import apply_setting, split_path
from ..script import script_of
from .settings import BatchSetting, SettingBounds, find_setting, without_axis

Numbers = Sequence[float]
Setting = Callable[[NamedParts, Numbers], None]

KEYS = "controls."
_SHORT = {"x": ("position", 0), "y": ("position", 1), "vx": ("velocity", 0), "vy": ("velocity", 1)}
_AXES = "xy"


class NamedWriter:
    """Settings by their names.

    Attributes:
        width: how many numbers they take.
    """

    def __init__(self, world: NamedParts, names: tuple[str, ...]) -> None:
        self.width = 0
        self._settings: list[tuple[slice, Setting]] = []
        self._bounds = SettingBounds()
        for name in names:
            found, setting = _find(world, name)
            self._bounds.add(found)
            count = found.width
            self._settings.append((slice(self.width, self.width + count), setting))
            self.width += count

    def check(self, values: NDArray[np.float64]) -> None:
        """Raise ValueError for invalid values."""
        self._bounds.check(np.ascontiguousarray(values))

    def set(self, world: NamedParts, row: Numbers) -> None:
        """Set a row of numbers in a world; removed objects are skipped."""
        for columns, setting in self._settings:
            setting(world, row[columns])


def _find(world: NamedParts, name: str) -> tuple[BatchSetting, Setting]:
    """The values that a setting takes, and the function that sets it."""
    controls = world.roster.scene.controls
    if name.startswith(KEYS) and name not in world.roster.bodies:
        key = name.removeprefix(KEYS)
        if key not in controls:
            raise unknown_name("key of the controls", key, controls)
        return BatchSetting(name, key, 1), partial(_hold, key)
    found = find_setting(world, name)
    path, axis = without_axis(world, name)
    owner, setting = split_path(world, path)
    part = None if axis is None else _AXES.index(axis)
    if owner in world.roster.scene.bodies:
        if setting.startswith("force_"):
            return found, partial(_push, owner, _AXES.index(setting[-1]))
        if setting == "torque":
            return found, partial(_turn, owner)
        if setting in _SHORT:
            setting, part = _SHORT[setting]
        elif setting == "omega":
            setting = "angular_velocity"
    elif owner in world.roster.scene.joints:
        setting = setting.removeprefix("motor.")
        if setting.startswith("max_"):
            turns = JOINT_TYPES[world.roster.scene.joints[owner].kind].turns
            setting = "max_torque" if turns else "max_force"
        setting = f"motor.{setting}"
    if part is not None:
        return found, partial(_set_part, owner, setting, part)
    return found, partial(_set, owner, setting)


def _hold(key: str, world: NamedParts, given: Numbers) -> None:
    script = script_of(world)
    if given[0]:
        script.press(key)
    else:
        script.release(key)


def _push(owner: str, axis: int, world: NamedParts, given: Numbers) -> None:
    if is_there(world, owner):
        world[owner].apply_force((0.0, given[0]) if axis else (given[0], 0.0))


def _turn(owner: str, world: NamedParts, given: Numbers) -> None:
    if is_there(world, owner):
        world[owner].apply_torque(given[0])


def _set(owner: str, setting: str, world: NamedParts, given: Numbers) -> None:
    if not is_there(world, owner):
        return
    value: object = given[0] if len(given) == 1 else (given[0], given[1])
    if setting.rpartition(".")[2] in ("enabled", "collide"):
        value = bool(given[0])
    elif setting == "type" and owner in world.roster.bodies:
        value = TYPES[int(given[0])]
    apply_setting(world, f"{owner}.{setting}", value)


def _set_part(owner: str, setting: str, part: int, world: NamedParts, given: Numbers) -> None:
    """Set one coordinate of a point and keep the other."""
    if not is_there(world, owner):
        return
    if owner == "world":
        x, y = world.native.gravity()
    elif owner in world.roster.bodies:
        x, y = getattr(world[owner], setting)
    else:
        x, y = getattr(world.actuator(owner).now, setting)
    value = (given[0], y) if part == 0 else (x, given[0])
    apply_setting(world, f"{owner}.{setting}", value)
