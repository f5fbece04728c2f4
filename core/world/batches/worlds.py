# SPDX-License-Identifier: MIT
"""The worlds of a batch that the engine steps without Python, all in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...errors import SimulationError
from ...record.channels import Channel
from ..aggregates import Gathered, members, tally
from ..failures import simulation_error
from ..naming.registry import without_velocity
from ..removals import settle, settled
from ..saving import twin
from ..world import World
from .controls import BatchControl, control_of
from .settings import VELOCITIES, SettingWriter, body_setting

Float64 = NDArray[np.float64]
Indices = NDArray[np.int32]


class EngineWorlds:
    """``count`` worlds like the first one, in the engine."""

    def __init__(self, first: World, count: int, threads: int) -> None:
        self._first = first
        self._native = _native.Batch(first.native, count, threads)
        self._firsts = [first] * count
        self._replaced = False  # whether some have other first ones
        self._controls: dict[str, BatchControl] = {}
        bodies = first.roster.scene.bodies
        self._still = {name for name, body in bodies.items() if body.kind == "static"}

    def step(self, steps: int) -> None:
        """Step every world that has not stopped."""
        self._native.step(steps)

    def reader(self, channels: Sequence[Channel]) -> Callable[[], Float64]:
        """A function that fills an array [worlds, channels] with the channels' present values."""
        codes, native = settled(self._first).channel_codes(channels), self._native
        values = np.empty((len(self._firsts), len(channels)))
        sums = [(i, self._gatherer(each)) for i, each in enumerate(channels) if each.is_sum]

        def read() -> Float64:
            native.read(codes, values)
            for column, gather in sums:
                values[:, column] = gather()
            return values

        return read

    def controller(
        self, writer: SettingWriter, steps: int, channels: Sequence[Channel]
    ) -> Callable[[Float64], Float64]:
        """A function that sets values [worlds, numbers], steps, and reads as ``reader`` does."""
        codes, native = settled(self._first).channel_codes(channels), self._native
        worlds = np.arange(len(self._firsts), dtype=np.int32)
        values = np.empty((len(self._firsts), len(channels)))
        sums = [(i, self._gatherer(each)) for i, each in enumerate(channels) if each.is_sum]
        table, settings, act = writer.table, writer.codes, native.act

        def control(given: Float64) -> Float64:
            act(settings, table(worlds, given), steps, codes, values)
            for column, gather in sums:
                values[:, column] = gather()
            return values

        return control

    def _gatherer(self, channel: Channel) -> Callable[[], list[float]]:
        """Aggregates a channel over many bodies in each world; these worlds have no spawns."""
        first, native = self._first, self._native
        if channel.kind == "actuator":
            control = self._control(channel.owner)
            return lambda: control.enabled.astype(np.float64).tolist()
        if channel.kind in ("camera", "world"):
            count = len(self._firsts)
            return lambda: [tally(self.world(index), channel) for index in range(count)]
        names = members(first, channel)
        gathered = Gathered(first, channel, names)
        alive, _ = _native.CHANNELS["body.alive"]
        slots = first.roster.index(names)
        rows = np.array([(alive, slots[name]) for name in names], np.int32).reshape(-1, 2)
        codes = np.ascontiguousarray(np.concatenate([rows, gathered.codes]))
        read = np.empty((len(self._firsts), len(codes)))

        def gather() -> list[float]:
            native.read(codes, read)
            found = []
            for row in read.tolist():
                of_each, width = row[len(names) :], len(gathered.needs)
                parts = [of_each[i * width : (i + 1) * width] for i in range(len(names))]
                there = [i for i, is_there in enumerate(row[: len(names)]) if is_there]
                found.append(gathered.value([names[i] for i in there], [parts[i] for i in there]))
            return found

        return gather

    def writer(self, names: tuple[str, ...]) -> SettingWriter:
        """The settings of these names.

        Raises UsageError for names that cannot be set, as a velocity of a body that is static in
        all worlds.
        """
        for name in names:
            owner, setting = body_setting(self._first, name)
            if setting == "type":
                self._still.discard(owner)
            elif setting in VELOCITIES and owner in self._still:
                raise without_velocity(owner)
        return SettingWriter(self._first, names, self._control)

    def _control(self, owner: str) -> BatchControl:
        """The motor of a joint, or an actuator, in all worlds."""
        control = self._controls.get(owner)
        if control is None:
            control = self._controls[owner] = control_of(self._first, owner, len(self._firsts))
            for first, worlds in self._by_first().items():
                control.begin(np.array(worlds), first)
        return control

    def _by_first(self) -> dict[World, list[int]]:
        """The worlds that begin as each of the first ones."""
        found: dict[World, list[int]] = {}
        for index, first in enumerate(self._firsts):
            found.setdefault(first, []).append(index)
        return found

    def write(self, worlds: Indices, writer: SettingWriter, values: Float64) -> None:
        """Set ``values`` [worlds, numbers] in some worlds."""
        self._native.write(worlds, writer.codes, writer.table(worlds, values))

    def reset(self, chosen: NDArray[np.intp]) -> None:
        """Reset some worlds to the start of the first one."""
        self._native.reset(chosen)
        if self._replaced:
            for index in chosen.tolist():
                self._firsts[index] = self._first
        for control in self._controls.values():
            control.begin(chosen, self._first)

    def put(self, index: int, first: World) -> None:
        """Reset one world to the start of another first world."""
        self._firsts[index] = first
        self._replaced = True
        self._still.clear()  # whose types may be others there
        self._native.replace(index, first.native)
        for control in self._controls.values():
            control.begin(np.array([index]), first)

    def world(self, index: int) -> World:
        """A separate world in the state of a world of the batch."""
        first = self._firsts[index]
        world = twin(first, self._native.fork(index))
        world.removals = first.removals  # of those since then it has yet to take notice
        settle(world)
        world.roster.forget_centers()
        for control in self._controls.values():
            control.tell(index, world)
        return world

    def outcomes(self) -> list[str]:
        """Outcomes of the runs: empty, since these worlds cannot end."""
        return [""] * len(self._firsts)

    @property
    def stopped(self) -> bool:
        """Whether a world has stopped on an error."""
        return self._native.stopped

    def errors(self) -> dict[int, SimulationError]:
        """Errors of stopped worlds, by world index."""
        roster = self._first.roster
        return {world: simulation_error(error, roster) for world, error in self._native.errors()}
