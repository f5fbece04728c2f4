"""Batch: many worlds of one scene, stepped side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..arguments import checked, one_of, texts, whole
from ..errors import SimulationError, UsageError, unknown_name
from ..record.channels import Channel, resolve_channels
from ..scene import limits
from ..scene.model import Scene
from .failures import simulation_error
from .saving import twin
from .world import World

Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]

MOST_WORLDS = 1 << 20
BODY_SETTINGS = ("x", "y", "angle", "vx", "vy", "omega", "force_x", "force_y", "torque")
MOTOR_SETTINGS = ("speed", "position", "max_force", "max_torque")


class Batch:
    """``count`` worlds of one scene, all in the state in which it begins.

    Each has the bits of the same world alone, for any ``threads`` and ``lanes``. A world that stops
    on an error stays as it is while the others go on; see ``errors``. Actuators that begin or end
    while a scene runs are not for batches.

    Attributes:
        scene: the scene.
    """

    @checked(scene=one_of(Scene), count=whole(1, MOST_WORLDS), threads=whole(1, 256), lanes=whole())
    def __init__(self, scene: Scene, count: int, *, threads: int = 1, lanes: int = 0) -> None:
        self.scene = scene
        if scene.world.solver.is_textbook:
            raise UsageError(
                f"{scene.path}: the solver {scene.world.solver.kind} steps one world at a time; "
                "batches are for soft_step and sequential_impulse"
            )
        if scene.is_scripted:
            raise UsageError(
                f"{scene.path}: animations, controls and inputs act on one world at a time; a "
                "batch is for scenes without"
            )
        field = next((each for each in scene.actuators.values() if each.kind == "field"), None)
        if field is not None:
            raise UsageError(
                f"{scene.path}: the force of the field {field.name!r} is reckoned in Python for "
                "one world at a time; a batch is for scenes without"
            )
        self._first = World(scene, lanes=lanes)
        if self._first.next_stop(limits.STEPS) < limits.STEPS:
            raise UsageError(
                f"{scene.path}: actuators that begin or end while it runs are not for batches"
            )
        self._native = _native.Batch(self._first.native, count, threads)
        self._readers: dict[tuple[str, ...], tuple[Int32, Float64]] = {}
        self._writers: dict[tuple[str, ...], Int32] = {}

    def __len__(self) -> int:
        return len(self._native)

    @checked(steps=whole(0, limits.STEPS))
    def step(self, steps: int = 1) -> None:
        """Do ``steps`` steps in every world that has not stopped."""
        self._native.step(steps)

    @checked(channels=texts)
    def read(self, channels: Sequence[str]) -> Float64:
        """[worlds, channels] the channels' values now, by the names that ``record`` takes.

        The same names get the same array, filled anew; copy it to keep it.
        """
        names = tuple(channels)
        reader = self._readers.get(names)
        if reader is None:
            found = resolve_channels(self.scene, names)
            codes = self._first.channel_codes(found)
            reader = codes, np.empty((len(self), len(found)))
            self._readers[names] = reader
        codes, values = reader
        self._native.read(codes, values)
        return values

    @checked(channels=texts)
    def channel_names(self, channels: Sequence[str]) -> tuple[str, ...]:
        """The columns that ``read`` gives for these names."""
        found: tuple[Channel, ...] = resolve_channels(self.scene, channels)
        return tuple(channel.name for channel in found)

    @checked(settings=texts)
    def write(self, settings: Sequence[str], values: ArrayLike) -> None:
        """Set ``values`` [worlds, settings], or one row for all worlds, from the next step on.

        A setting is ``body.x``, ``.y``, ``.angle``, ``.vx``, ``.vy`` or ``.omega``; ``.force_x``,
        ``.force_y`` or ``.torque`` for the next step alone; or of a joint that has a motor
        ``.speed`` or ``.position``, ``.max_force`` or ``.max_torque``. Scene units and radians.
        Raises UsageError for other names, for values of another shape, and for NaN.
        """
        names = tuple(settings)
        codes = self._writers.get(names)
        if codes is None:
            codes = np.array([self._setting(name) for name in names], np.int32).reshape(-1, 2)
            self._writers[names] = codes
        try:
            given = np.asarray(values, np.float64)
            whole_table = np.broadcast_to(given, (len(self), len(names)))
            self._native.write(codes, np.ascontiguousarray(whole_table))
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"values for {len(self)} worlds and {len(names)} settings: {error}"
            ) from None

    @checked()
    def reset(self, marked: Any = None) -> None:
        """Begin anew in the worlds that a mask [worlds] marks, or in all of them."""
        mask = np.ones(len(self), np.bool_) if marked is None else np.asarray(marked)
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise UsageError(f"the mask must be {len(self)} truth values, one for each world")
        self._native.reset(np.ascontiguousarray(mask))

    @checked(index=whole(0))
    def world(self, index: int) -> World:
        """A world of its own in the state of one of these, to be looked into, drawn or saved."""
        if index >= len(self):
            raise UsageError(f"there are {len(self)} worlds; there is none with the number {index}")
        return twin(self._first, self._native.fork(index))

    @checked()
    def errors(self) -> dict[int, SimulationError]:
        """Why worlds have stopped, by their number."""
        roster = self._first.roster
        return {world: simulation_error(error, roster) for world, error in self._native.errors()}

    def _setting(self, name: str) -> tuple[int, int]:
        """The engine's code and index of what can be written."""
        owner, _, what = name.rpartition(".")
        if owner in self.scene.bodies:
            if what not in BODY_SETTINGS:
                raise unknown_name(f"setting of {owner}", what, BODY_SETTINGS)
            return _native.SETTINGS[what], self._first[owner].index
        owner = owner.removesuffix(".motor")
        joint = self.scene.joints.get(owner)
        if joint is None:
            known = [*self.scene.bodies, *self.scene.joints]
            raise unknown_name("body or joint", owner or name, known)
        if joint.motor is None:
            raise UsageError(f"joint {owner!r} has no motor; give it one in the scene")
        if joint.motor.relative:
            raise UsageError(f"the position of the motor of {owner!r} is relative to its limits")
        by_speed = joint.motor.speed is not None
        fitting = ("speed" if by_speed else "position", *MOTOR_SETTINGS[2:])
        if what not in fitting:
            raise unknown_name(f"setting of the motor of {owner}", what, fitting)
        code = "motor_maximum" if what.startswith("max_") else "motor_target"
        return _native.SETTINGS[code], self._first.joint(owner).index
