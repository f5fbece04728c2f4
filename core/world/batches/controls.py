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
    """One motor or actuator in all worlds.

    ``enabled`` [worlds] is whether it is switched on.
    """

    @property
    def enabled(self) -> NDArray[np.bool_]: ...

    def codes(self, setting: str) -> tuple[str, ...]:
        """The engine's numbers of each part that a setting changes."""

    def begin(self, worlds: NDArray[np.intp], first: WorldParts) -> None:
        """Reset some worlds to the state of the world that they begin as."""

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        """Set a setting to values [worlds, parts]; the engine's numbers, not numbers where nothing
        is to be set."""

    def tell(self, index: int, world: WorldParts) -> None:
        """Pass the settings of world ``index`` of the batch to a separate world."""


_OF_MOTOR = ("motor_target", "motor_maximum")


class MotorControl:
    """The motor of a joint. The engine's numbers are its target and its strength now."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._target, self._strength = np.zeros(count), np.zeros(count)
        self.enabled, self._known = np.zeros(count, np.bool_), np.zeros(count, np.bool_)

    def codes(self, setting: str) -> tuple[str, ...]:
        return _OF_MOTOR

    def begin(self, worlds: NDArray[np.intp], first: WorldParts) -> None:
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
_COLUMNS = {name: slice(i, i + 1) for i, name in enumerate((*_NUMBERS, "enabled"))}
_COLUMNS["force"] = slice(_COLUMNS["force_x"].start, _COLUMNS["force_y"].stop)
_ALL = slice(None)


class _Actuator:
    """Values of both kinds of actuators: each number as given, NaN where it is unchanged."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._order = np.arange(count)
        self._whole: Indices | None = None  # the last list of all worlds in their order
        self._first: WorldParts | None = None
        self._start = np.empty(0)
        self._now = np.zeros((count, len(_NUMBERS) + 1))
        self._known = np.zeros(count, np.bool_)
        self._all_known = False

    @property
    def enabled(self) -> NDArray[np.bool_]:
        enabled: NDArray[np.bool_] = self._now[:, -1] != 0.0
        return enabled

    def begin(self, worlds: NDArray[np.intp], first: WorldParts) -> None:
        if first is not self._first:
            self._first, self._start = first, self._numbers(first)
        self._now[worlds] = self._start
        self._known[worlds] = self._all_known = False

    def _numbers(self, first: WorldParts) -> Float64:
        """The values with which the worlds begin that begin as a first one, which does not step."""
        now = first.actuators.get(self._name)
        given = {each: getattr(now, each, None) for each in _NUMBERS}
        given["force_x"], given["force_y"] = now.force
        numbers = [math.nan if value is None else value for value in given.values()]
        return np.array([*numbers, now.enabled], np.float64)

    def _take(self, worlds: Indices, setting: str, values: Float64) -> None:
        which = self._which(worlds)
        self._now[which, _COLUMNS[setting]] = values != 0.0 if setting == "enabled" else values
        if setting == "friction":
            self._now[which, _COLUMNS["max_force"]] = math.inf
        if setting == "max_force":
            self._now[which, _COLUMNS["friction"]] = math.nan
        if not self._all_known:
            self._known[which] = True
            self._all_known = which is _ALL

    def _which(self, worlds: Indices) -> Indices | slice:
        """All worlds in their order are faster without their numbers."""
        if worlds is self._whole:
            return _ALL
        count = len(self._order)
        if len(worlds) != count or (count > 1 and (worlds != self._order).any()):
            return worlds
        self._whole = worlds
        return _ALL

    def tell(self, index: int, world: WorldParts) -> None:
        if not self._known[index]:
            return
        given: dict[str, Any] = {}
        *numbers, enabled = self._now[index].tolist()
        for each, value in zip(_NUMBERS, numbers, strict=True):
            given[each] = None if math.isnan(value) else value
        given["force"] = given.pop("force_x"), given.pop("force_y")
        world.actuators.note(self._name, {**given, "enabled": bool(enabled)}, world.step_count)


class SourceControl(_Actuator):
    """A force, which each of its bodies has: the engine's numbers are those that are set."""

    _CODES = {  # noqa: RUF012
        "force": ("source_x", "source_y"),
        "force_x": ("source_x",),
        "force_y": ("source_y",),
        "torque": ("source_torque",),
        "enabled": ("source_enabled",),
    }

    def __init__(self, name: str, count: int, parts: int) -> None:
        super().__init__(name, count)
        self._parts = parts

    def codes(self, setting: str) -> tuple[str, ...]:
        return self._CODES[setting]

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        self._take(worlds, setting, values)
        return values if self._parts == 1 else np.tile(values, self._parts)


class DrivenControl(_Actuator):
    """A motor or a tyre, which is a joint with the world: the engine stores speed and strength
    for each of its bodies. Unchanged settings have no effect."""

    def __init__(
        self, name: str, count: int, actuator: Actuator, masses: Sequence[float], gravity: float
    ) -> None:
        super().__init__(name, count)
        self._turns = actuator.kind == "rotary_motor"
        self._masses = np.zeros((count, len(masses)))
        self._gravity = gravity
        self._acts = np.zeros(count, np.bool_)

    def codes(self, setting: str) -> tuple[str, ...]:
        return _OF_MOTOR

    def begin(self, worlds: NDArray[np.intp], first: WorldParts) -> None:
        super().begin(worlds, first)
        self._masses[worlds] = first.actuators.masses(self._name)
        self._acts[worlds] = first.actuators.may_act(self._name)

    def write(self, worlds: Indices, setting: str, values: Float64) -> Float64:
        which = self._which(worlds)
        before = self._state(which)
        self._take(worlds, setting, values)
        after = self._state(which)
        same = (before == after) | (np.isnan(before) & np.isnan(after))
        now = {each: self._now[which, _COLUMNS[each]] for each in _NUMBERS[:4]}
        grip = now["friction"] * self._masses[which] * self._gravity
        strength = np.where(np.isnan(now["friction"]), now["max_force"], grip)
        if self._turns:
            strength = np.broadcast_to(now["max_torque"], strength.shape)
        maxima = np.where(after[:, -1:] != 0.0, strength, 0.0)
        targets = np.broadcast_to(np.nan_to_num(now["speed"]), maxima.shape)
        table = np.stack([targets, maxima], axis=2).reshape(len(worlds), -1)
        table[same.all(axis=1)] = math.nan
        return table

    def _state(self, which: Indices | slice) -> Float64:
        """Values on which the engine's numbers depend; the last one is whether it acts."""
        acts = (self._acts & self.enabled)[which].astype(np.float64)
        return np.concatenate([self._now[which, : len(_NUMBERS[:4])], acts[:, None]], axis=1)


def control_of(world: WorldParts, owner: str, count: int) -> BatchControl:
    """The state of a joint's motor, or of an actuator, in each world of a batch."""
    if owner in world.roster.joints:
        return MotorControl(owner, count)
    actuators = world.actuators
    actuator, masses = actuators.get(owner), actuators.masses(owner)
    if is_joint(actuator):
        return DrivenControl(owner, count, actuator, masses, actuators.gravity)
    return SourceControl(owner, count, len(masses))
