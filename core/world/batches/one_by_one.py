# SPDX-License-Identifier: MIT
"""The worlds of a batch in whose steps Python has a part, each stepped alone: those with a
script, with probes, with fields, with motors that begin or end, and those of textbook solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...errors import RigidError, SimulationError
from ...record.channels import Channel
from ...scene import limits
from ...scene.loading import with_seed
from ..moments import ChannelReader
from ..world import World
from .set_by_name import NamedWriter

Float64 = NDArray[np.float64]
Indices = NDArray[np.int32]

FEWEST_BODIES = 64
"""Of smaller worlds Python has the larger part, and does it in one thread at a time."""


def needs_python(first: World) -> bool:
    """Whether the steps of a world need Python."""
    scene = first.roster.scene
    asks = first.view.is_followed or scene.probes
    moves = asks or scene.animations or scene.inputs or scene.state or scene.reacts
    keys = not all(control.only_holds for control in scene.controls.values())
    fields = any(each.kind == "field" for each in scene.actuators.values())
    if moves or keys or fields or scene.world.solver.is_textbook:
        return True
    return first.actuators.next_switch(0, limits.STEPS) < limits.STEPS


class WorldsOneByOne:
    """``count`` worlds like the first one."""

    def __init__(self, first: World, count: int, threads: int) -> None:
        self._first = first
        self._worlds = [first.fork() for _ in range(count)]
        self._errors: dict[int, SimulationError] = {}
        crowded = len(first.roster.scene.bodies) >= FEWEST_BODIES
        parts = min(threads, count) if crowded else 1
        bounds = [count * part // parts for part in range(parts + 1)]
        self._parts = [range(*each) for each in pairwise(bounds)]
        self._pool = ThreadPoolExecutor(parts) if parts > 1 else None

    def step(self, steps: int) -> None:
        """Step every world that has not stopped."""
        if self._pool is None:
            self._step(self._parts[0], steps)
            return
        for done in [self._pool.submit(self._step, part, steps) for part in self._parts]:
            done.result()

    def _step(self, part: range, steps: int) -> None:
        for index in part:
            if index in self._errors:
                continue
            world = self._worlds[index]
            try:
                world.step(steps)
            except SimulationError as error:
                self._errors[index] = error
            except RigidError as error:  # what the scene asked for cannot be done
                self._errors[index] = SimulationError(str(error), world.step_count)

    def reader(self, channels: Sequence[Channel]) -> Callable[[], Float64]:
        """A function that fills an array [worlds, channels] with the channels' present values."""
        reader, worlds = ChannelReader(self._first, channels), self._worlds
        values = np.empty((len(worlds), len(channels)))

        def read() -> Float64:
            for row, world in zip(values, worlds, strict=True):
                row[:] = reader.read(world)
            return values

        return read

    def writer(self, names: tuple[str, ...]) -> NamedWriter:
        """The settings of these names. Raises UsageError for names that cannot be set."""
        return NamedWriter(self._first, names)

    def write(self, worlds: Indices, writer: NamedWriter, values: Float64) -> None:
        """Set ``values`` [worlds, numbers] in some worlds."""
        writer.check(values)
        for index, row in zip(worlds.tolist(), values.tolist(), strict=True):
            writer.set(self._worlds[index], row)

    def reset(self, mask: NDArray[np.bool_]) -> None:
        """Reset the marked worlds to the start of the first one."""
        for index in np.flatnonzero(mask).tolist():
            self.put(index, self._first)

    def put(self, index: int, first: World) -> None:
        """Reset one world to the start of another first world."""
        self._worlds[index] = first.fork()
        self._errors.pop(index, None)

    def world(self, index: int) -> World:
        """A separate world in the state of a world of the batch."""
        return self._worlds[index].fork()

    def outcomes(self) -> list[str]:
        """The outcome of each run: empty while it runs."""
        return [world.outcome for world in self._worlds]

    @property
    def stopped(self) -> bool:
        """Whether a world has stopped on an error."""
        return bool(self._errors)

    def errors(self) -> dict[int, SimulationError]:
        """Errors of stopped worlds, by world index."""
        return dict(sorted(self._errors.items()))


def reseeded_first(first: World, seed: int) -> World:
    """A copy of an initial world with another seed, which affects nothing before its first step."""
    other = first.fork()
    other.roster.reseed(with_seed(first.roster.scene, seed))
    other.__dict__.pop("physics_hash", None)  # which is of the scene
    return other
