# SPDX-License-Identifier: MIT
"""The worlds of a batch in whose steps Python has a part: those with a script, with probes, with
fields, with motors that begin or end, and those of textbook solvers. Scripts run in the engine, on
threads, as far as they can; the others are stepped in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...errors import RigidError, SimulationError
from ...record.channels import Channel
from ...scene import limits
from ...scene.loading import with_seed
from ..moments import ChannelReader
from ..world import World
from .scripts import NativeScripts, catch_up, is_native
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
        self._scripts = NativeScripts(threads)

    def step(self, steps: int) -> None:
        """Step every world that has not stopped."""
        if self._first.script is not None:
            self._step_scripts(steps)
            return
        if self._pool is None:
            self._step(self._parts[0], steps)
            return
        for done in [self._pool.submit(self._step, part, steps) for part in self._parts]:
            done.result()

    def _step(self, part: Iterable[int], steps: int) -> None:
        for index in part:
            if index not in self._errors:
                self._try(index, partial(self._worlds[index].step, steps))

    def _try(self, index: int, step: Callable[[], None]) -> None:
        """Step a world, which stops on an error."""
        try:
            step()
        except SimulationError as error:
            self._errors[index] = error
        except RigidError as error:  # what the scene asked for cannot be done
            self._errors[index] = SimulationError(str(error), self._worlds[index].step_count)

    def _step_scripts(self, steps: int) -> None:
        """Step all worlds with their scripts in the engine, and those in turn that need Python."""
        worlds, errors = self._worlds, self._errors
        native = [i for i in range(len(worlds)) if i not in errors and is_native(worlds[i])]
        others = {*range(len(worlds))} - errors.keys() - {*native}
        ends = {i: worlds[i].step_count + steps for i in native}
        while native:
            stopped = self._scripts.run([worlds[i] for i in native], [ends[i] for i in native])
            again = []
            for place, goes_on in stopped:
                index = native[place]
                self._try(index, goes_on)
                if index in errors or worlds[index].step_count == ends[index]:
                    continue
                if is_native(worlds[index]):
                    again.append(index)
                else:
                    left = ends[index] - worlds[index].step_count
                    self._try(index, partial(worlds[index].step, left))
            native = again
        self._step(sorted(others), steps)

    def reader(self, channels: Sequence[Channel]) -> Callable[[], Float64]:
        """A function that fills an array [worlds, channels] with the channels' present values."""
        reader, worlds = ChannelReader(self._first, channels), self._worlds
        values = np.empty((len(worlds), len(channels)))

        def read() -> Float64:
            for row, world in zip(values, worlds, strict=True):
                if reader.has_sums:
                    catch_up(world)
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
            catch_up(self._worlds[index])
            writer.set(self._worlds[index], row)

    def controller(
        self, writer: NamedWriter, steps: int, channels: Sequence[Channel]
    ) -> Callable[[Float64], Float64]:
        """A function that sets values [worlds, numbers], steps, and reads as ``reader`` does."""
        read, worlds = self.reader(channels), np.arange(len(self._worlds), dtype=np.int32)

        def control(values: Float64) -> Float64:
            self.write(worlds, writer, values)
            self.step(steps)
            return read()

        return control

    def reset(self, chosen: NDArray[np.intp]) -> None:
        """Reset some worlds to the start of the first one."""
        for index in chosen.tolist():
            self.put(index, self._first)

    def put(self, index: int, first: World) -> None:
        """Reset one world to the start of another first world."""
        self._worlds[index] = first.fork()
        self._errors.pop(index, None)

    def world(self, index: int) -> World:
        """A separate world in the state of a world of the batch."""
        catch_up(self._worlds[index])
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
