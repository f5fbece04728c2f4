# SPDX-License-Identifier: MIT
"""Settings of the motors and actuators of a batch, world by world, as in a `World`.

The engine stores the present effect of a motor; a world also stores the effect of a disabled motor,
and numbers as given. So settings follow the same rules in both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...scene.model import Actuator
from ..building.actuator_rows import is_joint
from ..naming.parts import MotorState, WorldParts, first_motor

Float64 = NDArray[np.float64]
Indices = NDArray[np.int32]


class BatchControl(Protocol):
    """One motor or actuator in all worlds; ``codes`` are the engine's numbers of each part.

    ``enabled`` [worlds] is whether it is switched on.
    """

    codes: tuple[str, ...]
    enabled: NDArray[np.bool_]

    def begin(self, worlds: Sequence[int], first: WorldParts) -> None:
        """Reset some worlds to the state of the world that they begin as."""

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        """Set a setting to values [worlds, parts]; the engine's numbers, not numbers where nothing
        is to be set."""

    def tell(self, index: int, world: WorldParts) -> None:
        """Pass the settings of world ``index`` of the batch to a separate world."""


class MotorControl:
    """The motor of a joint. The engine's numbers are its target and its strength now."""

    codes: tuple[str, ...] = ("motor_target", "motor_maximum")

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._target, self._strength = np.zeros(count), np.zeros(count)
        self.enabled, self._known = np.zeros(count, np.bool_), np.zeros(count, np.bool_)

    def begin(self, worlds: Sequence[int], first: WorldParts) -> None:
        state = first.motors.get(self._name)
        self._known[worlds] = state is not None
        motor = first.roster.joints[self._name].motor
        assert motor is not None
        state = state or first_motor(motor)
        self._target[worlds], self._strength[worlds] = state.target, state.strength
        self.enabled[worlds] = state.enabled

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        given = values[:, 0]
        if setting == "enabled":
            self.enabled[worlds] = given != 0.0
        elif setting.startswith("max_"):
            self._strength[worlds] = given
        else:
            self._target[worlds] = given
        self._known[worlds] = True
        maximum = np.where(self.enabled[worlds], self._strength[worlds], 0.0)
        return np.stack([self._target[worlds], maximum], axis=1)

    def tell(self, index: int, world: WorldParts) -> None:
        if self._known[index] and self._name in world.roster.joints:
            target, strength = float(self._target[index]), float(self._strength[index])
            world.motors[self._name] = MotorState(target, strength, bool(self.enabled[index]))


_NUMBERS = ("speed", "max_torque", "friction", "max_force", "torque", "force_x", "force_y")


class _Actuator:
    """Values of both kinds of actuators: each number as given, unchanged where it is None."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._now = {each: np.zeros(count) for each in _NUMBERS}
        self.enabled, self._known = np.zeros(count, np.bool_), np.zeros(count, np.bool_)

    def begin(self, worlds: Sequence[int], first: WorldParts) -> None:
        now = first.actuators.get(self._name)
        given = {each: getattr(now, each, None) for each in _NUMBERS}
        given["force_x"], given["force_y"] = now.force
        for each, value in given.items():
            self._now[each][worlds] = math.nan if value is None else value
        self.enabled[worlds] = now.enabled
        self._known[worlds] = False

    def _take(self, worlds: Indices, setting: str, values: Float64) -> None:
        if setting == "enabled":
            self.enabled[worlds] = values[:, 0] != 0.0
        elif setting == "force":
            self._now["force_x"][worlds], self._now["force_y"][worlds] = values.T
        else:
            self._now[setting][worlds] = values[:, 0]
        if setting == "friction":
            self._now["max_force"][worlds] = math.inf
        if setting == "max_force":
            self._now["friction"][worlds] = math.nan
        self._known[worlds] = True

    def tell(self, index: int, world: WorldParts) -> None:
        if not self._known[index]:
            return
        given: dict[str, Any] = {}
        for each, values in self._now.items():
            value = float(values[index])
            given[each] = None if math.isnan(value) else value
        given["force"] = given.pop("force_x"), given.pop("force_y")
        world.actuators.note(self._name, {**given, "enabled": bool(self.enabled[index])})


class SourceControl(_Actuator):
    """A force: of each of its bodies the engine has all four numbers."""

    codes: tuple[str, ...] = ("source_x", "source_y", "source_torque", "source_enabled")

    def __init__(self, name: str, count: int, parts: int) -> None:
        super().__init__(name, count)
        self._parts = parts

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        self._take(worlds, setting, values)
        now = [self._now[each][worlds] for each in ("force_x", "force_y", "torque")]
        return np.tile(np.stack([*now, self.enabled[worlds]], axis=1), self._parts)


class DrivenControl(_Actuator):
    """A motor or a tyre, which is a joint with the world: the engine stores speed and strength
    for each of its bodies. Unchanged settings have no effect."""

    codes: tuple[str, ...] = ("motor_target", "motor_maximum")

    def __init__(
        self, name: str, count: int, actuator: Actuator, masses: Sequence[float], gravity: float
    ) -> None:
        super().__init__(name, count)
        self._turns = actuator.kind == "rotary_motor"
        self._masses = np.zeros((count, len(masses)))
        self._gravity = gravity
        self._acts = np.zeros(count, np.bool_)

    def begin(self, worlds: Sequence[int], first: WorldParts) -> None:
        super().begin(worlds, first)
        self._masses[worlds] = first.actuators.masses(self._name)
        self._acts[worlds] = first.actuators.may_act(self._name)

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        before = self._state(worlds)
        self._take(worlds, setting, values)
        same = (before == self._state(worlds)) | (np.isnan(before) & np.isnan(self._state(worlds)))
        now = {each: self._now[each][worlds][:, None] for each in _NUMBERS}
        grip = now["friction"] * self._masses[worlds] * self._gravity
        strength = np.where(np.isnan(now["friction"]), now["max_force"], grip)
        if self._turns:
            strength = np.broadcast_to(now["max_torque"], strength.shape)
        acts = (self._acts & self.enabled)[worlds][:, None]
        maxima = np.where(acts, strength, 0.0)
        targets = np.broadcast_to(np.nan_to_num(now["speed"]), maxima.shape)
        table = np.stack([targets, maxima], axis=2).reshape(len(worlds), -1)
        table[same.all(axis=1)] = math.nan
        return table

    def _state(self, worlds: Indices) -> Float64:
        """Values on which the engine's numbers depend."""
        names = ("speed", "max_torque", "friction", "max_force")
        acts = (self._acts & self.enabled)[worlds].astype(np.float64)
        return np.stack([acts, *(self._now[each][worlds] for each in names)], axis=1)


def control_of(world: WorldParts, owner: str, count: int) -> BatchControl:
    """The state of a joint's motor, or of an actuator, in each world of a batch."""
    if owner in world.roster.joints:
        return MotorControl(owner, count)
    actuators = world.actuators
    actuator, masses = actuators.get(owner), actuators.masses(owner)
    if is_joint(actuator):
        return DrivenControl(owner, count, actuator, masses, actuators.gravity)
    return SourceControl(owner, count, len(masses))
