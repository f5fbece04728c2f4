# SPDX-License-Identifier: MIT
"""Steps a world through a run, in blocks.

A block is one native call that steps and samples channels. Blocks end where something has to be
looked at: a frame, a checkpoint, or a full buffer. A frame's time seldom falls on a step exactly;
poses are then interpolated between the step before it and the step after it, so that motion is as
smooth as the frame rate and a frame shows the moment it claims to show. All other values of such
a frame are those of the step after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..record.frame import Frame
from ..record.recorder import Recorder
from ..record.snapshot import Checkpoint
from ..scene.plain import plain
from .building.engines import as_textbook
from .failures import raise_error
from .frames import looks_of
from .moments import ChannelReader, reacts
from .plotted import PlottedSteps
from .removals import lineup as lineup_of
from .removals import settle
from .script import Rows
from .stepping import end_stretch, next_stop
from .world import World

Float64 = NDArray[np.float64]
Progress = Callable[[int, int], None]
Hook = Callable[[World], None]

BLOCK_STEPS = 256
BLOCK_VALUES = 1 << 20  # the sampling buffer holds at most this many numbers, 8 MiB
# A frame this close to a step, as a part of dt, is that step: times are sums of rounded numbers.
SAME_STEP = 1e-6


class Driver:
    """Steps a world through a run, block by block, and feeds the recorder."""

    def __init__(
        self,
        world: World,
        total: int,
        recorder: Recorder,
        before_step: Hook | None,
        on_progress: Progress | None,
        watched: Sequence[str] = (),
    ) -> None:
        self.world = world
        world.events.enable_births()
        self.total = total
        self.recorder = recorder
        self.before_step = before_step
        self.prepared = -1  # the step that before_step was called before
        self.on_progress = on_progress
        self.every = recorder.every
        self.watched = watched
        self.plotted = PlottedSteps()  # as long as frames are to come
        self._follow()
        first = world.step_count
        self.checkpoints = [step for step in recorder.checkpoint_steps if first <= step <= total]
        # The last step that a frame began at, and then the pose in each slot, and whose it was.
        self.earlier: tuple[int, Float64, dict[str, int]] = (-1, np.empty((0, 3)), {})

    def _follow(self) -> None:
        """Update the channels to the present members of the world."""
        world, recorder = self.world, self.recorder
        self.version = world.roster.version
        recorded = recorder.channels if self.every else ()
        self.recorded = len(recorded)
        self.plotted.follow(world.scene)
        self.sampling = 1 if self.plotted.channels else self.every
        self.reader = ChannelReader(world, [*recorded, *self.plotted.channels])
        width = max(1, len(self.reader.codes))
        self.rows = max(1, min(BLOCK_STEPS, BLOCK_VALUES // width))
        self.buffer = np.empty((self.rows, len(self.reader.codes)))

    def _prepare(self) -> None:
        """Call ``before_step``, once before each step, and record its additions."""
        world = self.world
        if self.before_step is None or self.prepared == world.step_count:
            return
        self.prepared = world.step_count
        self.before_step(world)
        if world.step_count != self.prepared:
            raise UsageError("before_step must not step the world")
        self._take_changes(self.prepared + 1)

    def _take_changes(self, step: int) -> None:
        """Report additions and removals to the recorder; ``step`` is the first one with them."""
        world, recorder = self.world, self.recorder
        settle(world)  # which takes notice of those that the engine has removed
        joints = world.roster.scene.joints
        recorder.add_deaths({name: step for name, step in world.gone.items() if name not in joints})
        world.gone = {}
        recorder.add_looks(step, lambda: looks_of(world))
        if self.version == world.roster.version:
            return
        scene = world.scene
        came, world.came = set(world.came), []
        objects = {**scene.bodies, **scene.joints, **scene.particles}
        recorder.add_births(
            lambda: {name: (step, plain(item)) for name, item in objects.items() if name in came}
        )
        recorder.set_centers(lambda: {n: c for n, c in self._centers().items() if n in came})
        recorder.follow(scene)
        self._follow()

    def frames(self, times: Sequence[float], want_contacts: bool) -> Iterator[Frame]:
        """The whole run. ``times`` ascend; frames at or beyond the end show the end."""
        done = False
        try:
            if times:
                self._plot(PlottedSteps(self.world.roster.scene, self.watched))
            self._start()
            for time in times:
                yield self._frame(time, want_contacts)
                if self.world.outcome and self.world.step_count == self.total:
                    break
            self._plot(PlottedSteps())
            self._advance(self.total)
            if self.world.outcome:
                self._take_ending()
            self.recorder.state_hash = self.world.state_hash()
            self.recorder.close()
            done = True
        finally:
            if not done:
                self.recorder.abort()

    def _plot(self, plotted: PlottedSteps) -> None:
        """Read other channels for plots from now on."""
        before, self.plotted = self.plotted, plotted
        if before.channels or plotted.channels:
            self._follow()

    def _start(self) -> None:
        self.recorder.set_centers(self._centers)
        self.recorder.add_looks(self.world.step_count, lambda: looks_of(self.world))
        if self.every:
            start = self.reader.read(self.world).reshape(1, -1)[:, : self.recorded]
            step = np.array([self.world.step_count], np.int64)
            self.recorder.add(step, np.array([self.world.time]), start)
        self._look(self.world.step_count)

    def _look(self, step: int) -> None:
        """Keeps the checkpoint and the state that are due at this step."""
        if self.checkpoints and self.checkpoints[0] == step:
            self._take_checkpoint()
        if self.recorder.save_at == step:
            self.recorder.state = self.world.save()

    def _centers(self) -> dict[str, tuple[float, float]]:
        lineup = lineup_of(self.world)
        rows = lineup.centers.tolist()
        return {name: (x, y) for name, (x, y) in zip(lineup.scene.bodies, rows, strict=True)}

    # ------------------------------------------------------------ stepping

    def _advance(self, target: int) -> None:
        """Step up to ``target`` steps, in blocks that end at checkpoints."""
        while (done := self.world.native.step_count) < min(target, self.total):
            self._prepare()
            end = min(target, self.total, done + self.rows * max(1, self.sampling))
            if self.checkpoints:
                end = min(end, self.checkpoints[0])
            if self.recorder.save_at is not None and done < self.recorder.save_at:
                end = min(end, self.recorder.save_at)
            if self.before_step is not None or self.reader.has_sums:
                end = done + 1
            end = self._step_on(done, end)
            self._look(end)
            if self.world.outcome:
                self.total = end
            if self.on_progress is not None:
                self.on_progress(end, self.total)

    def _step_on(self, done: int, end: int) -> int:
        """Step up to ``end`` at most; return the number of steps then done."""
        script = self.world.script
        if script is None:
            end = next_stop(self.world, end)
            self._block(end - done)
            return end
        if self.world.roster.scene.world.pools:  # whose levels are noted by steps
            end = done + 1
        every, world = self.sampling, self.world
        is_textbook = as_textbook(world.native) is not None
        rows = None
        if every and is_textbook:  # whose rows are read here
            end = done + 1
        elif every:
            rows = Rows(every, self.reader.codes, self.buffer, self.reader.variables)
        script.run(end, rows)
        now = world.native.step_count
        settle(world)
        if every:
            self._take_rows(done, now, 0 if rows is None else rows.taken)
        self._take_news()
        return now

    def _take_rows(self, done: int, now: int, count: int) -> None:
        """Record the rows of these steps; the last one is read now if Python has finished it."""
        world, every = self.world, self.sampling
        due = np.arange(done + 1, now + 1, dtype=np.int64)
        taken, rows = due[due % every == 0], self.buffer[:count]
        self.reader.complete_sums(world, rows)
        self._blank(taken[:count], rows)
        self._add(taken[:count], rows)
        if len(taken) > count:
            self._take_changes(now)
            self._add(taken[count:], self.reader.read(world).reshape(1, -1))

    def _block(self, steps: int) -> None:
        native, every, world = self.world.native, self.sampling, self.world
        if every:
            first = native.step_count
            native.run(steps, every, self.reader.codes, self.buffer)
            settle(world)
            taken = np.arange(first + 1, native.step_count + 1, dtype=np.int64)
            self._finish_block(taken[taken % every == 0])
        else:
            native.step(steps)
            settle(world)
            end_stretch(world)
        self._take_news()

    def _take_news(self) -> None:
        """Record what happened in a block."""
        world = self.world
        self.recorder.add_events(world.events.take())
        self.recorder.warnings += world.events.take_warnings()
        raise_error(world)
        self._take_changes(world.step_count)

    def _finish_block(self, taken: NDArray[np.int64]) -> None:
        """End the block, and pass on the rows of the steps ``taken``.

        Actions change only the last step: its row is read after them, with the channels of the
        objects that exist then.
        """
        world, end = self.world, self.world.step_count
        rows = self.buffer[: len(taken)]
        self.reader.complete(world, rows)
        self._blank(taken, rows)
        end_stretch(world)
        acted = reacts(world) and len(taken) > 0 and int(taken[-1]) == end
        before = len(taken) - acted
        self._add(taken[:before], rows[:before])
        if acted:
            self._take_changes(end)
            self._add(taken[-1:], self.reader.read(world).reshape(1, -1))

    def _add(self, taken: NDArray[np.int64], rows: Float64) -> None:
        if not len(taken):
            return
        times = taken * np.float64(self.world.roster.scene.world.dt)
        if not self.plotted.channels:
            self.recorder.add(taken, times, rows)
            return
        self.plotted.add(times, rows[:, self.recorded :].copy())
        if self.every:
            due = taken % self.every == 0
            self.recorder.add(taken[due], times[due], rows[due, : self.recorded])

    def _take_ending(self) -> None:
        """Tell the recorder that the run has come to its end before its last step."""
        world, recorder = self.world, self.recorder
        recorder.end(world.step_count, world.outcome)
        if recorder.save_at is not None and recorder.save_at > world.step_count:
            recorder.state = world.save()

    def _blank(self, taken: NDArray[np.int64], rows: Float64) -> None:
        """Let the cells of those that were added, and left within a block, be empty from then on.

        The scene's own stay as they were last.
        """
        roster = self.world.roster
        recorded = self.recorder.channels[: self.recorded] if self.world.gone else ()
        for column, channel in enumerate(recorded):
            left = self.world.gone.get(channel.owner)
            if left is not None and not roster.is_own(channel.owner):
                rows[taken >= left, column] = np.nan

    def _take_checkpoint(self) -> None:
        world = self.world
        self.checkpoints.pop(0)
        native, lineup = world.native, lineup_of(world)
        slots = lineup.slots
        columns = (native.x, native.y, native.angle, native.vx, native.vy, native.omega)
        states = zip(*(column[slots].tolist() for column in columns), strict=True)
        living = native.alive[slots].tolist()
        bodies = {
            name: state
            for name, there, state in zip(lineup.scene.bodies, living, states, strict=True)
            if there
        }
        self.recorder.add_checkpoint(Checkpoint(world.step_count, world.state_hash(), bodies))

    # ------------------------------------------------------------ frames

    def _frame(self, time: float, want_contacts: bool) -> Frame:
        """Return the frame at a scene time from now on, with the values before it."""
        frame = self._moment(time, want_contacts)
        frame.passed = self.plotted.take()
        return frame

    def _moment(self, time: float, want_contacts: bool) -> Frame:
        """Return this world at a scene time from now on."""
        position = min(time / self.world.roster.scene.world.dt, float(self.total))
        before = math.floor(position + SAME_STEP)
        part = position - before
        if part <= SAME_STEP:
            self._advance(before)
            return self.world.frame(want_contacts, time=time)
        if self.earlier[0] != before:
            self._advance(before)
            self._prepare()
            self.earlier = before, self._poses(), self._ids()
        self._advance(before + 1)
        slots = lineup_of(self.world).slots
        later = self._poses()[slots]
        known = slots < len(self.earlier[1])
        earlier = later.copy()
        earlier[known] = self.earlier[1][slots[known]]
        if self.earlier[2] != self._ids():  # additions, perhaps into the place of a removed one
            old, ids = self.earlier[2], self._ids()
            new = [row for row, name in enumerate(ids) if old.get(name) != ids[name]]
            earlier[new] = later[new]
        pose = earlier + part * (later - earlier)
        return replace(self.world.frame(want_contacts, time=time), pose=pose)

    def _ids(self) -> dict[str, int]:
        """The ids of bodies by their names, of a world in which they may change in a step."""
        return {} if self.world.script is None else dict(self.world.roster.ids)

    def _poses(self) -> Float64:
        """[slots, 3] x, y and angle of all slots, used or free."""
        native = self.world.native
        return np.stack([native.x, native.y, native.angle], axis=1)
