"""Running a scene from its start to its end, in blocks of steps.

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
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..arguments import (
    callback,
    checked,
    finite,
    flag,
    list_of,
    named,
    one_of,
    optional,
    real,
    whole,
)
from ..errors import UsageError
from ..record.differences import Difference, compare_snapshots
from ..record.frame import Frame
from ..record.recorder import Recorder
from ..record.snapshot import (
    Checkpoint,
    Snapshot,
    read_snapshot,
)
from ..record.trace import Trace
from ..scene.limits import STEPS
from ..scene.model import Scene
from .world import World, build

Float64 = NDArray[np.float64]
Progress = Callable[[int, int], None]

BLOCK_STEPS = 256
BLOCK_VALUES = 1 << 20  # the sampling buffer holds at most this many numbers, 8 MiB
# A frame this close to a step, as a part of dt, is that step: times are sums of rounded numbers.
SAME_STEP = 1e-6
MAX_FRAMES = 1_000_000  # nine hours at 30 frames per second


@checked(scene=one_of(Scene), steps=optional(whole(0, STEPS)), fps=optional(finite))
def frame_times(scene: Scene, *, steps: int | None = None, fps: float | None = None) -> list[float]:
    """The scene times of the frames of a run: k / fps from 0 up to, but not including, its end.

    So their number over fps is the run's duration. There is always at least one. Raises
    UsageError for more than a million.
    """
    rate = scene.render.fps if fps is None else fps
    if not rate > 0:
        raise UsageError(f"fps must be above 0, got {rate}")
    total = scene.world.steps if steps is None else steps
    interval = scene.units.time_per_second / rate
    count = math.ceil(total * scene.world.dt / interval - SAME_STEP)
    if count > MAX_FRAMES:
        raise UsageError(
            f"the run of {total * scene.world.dt / scene.units.time_per_second:.6g} s has {count} "
            f"frames at {rate:g} fps; the limit is {MAX_FRAMES}. Lower fps, or make it shorter"
        )
    return [k * interval for k in range(max(1, count))]


@checked(
    scene=one_of(Scene),
    steps=optional(whole(0, STEPS)),
    threads=whole(1),
    lanes=whole(),
    fps=optional(finite),
    times=optional(list_of(real)),
    want_contacts=flag,
    recorder=optional(one_of(Recorder)),
    start=optional(one_of(bytes)),
    on_progress=optional(callback),
)
def run(
    scene: Scene,
    *,
    steps: int | None = None,
    threads: int = 1,
    lanes: int = 0,
    fps: float | None = None,
    times: Sequence[float] | None = None,
    want_contacts: bool = False,
    recorder: Recorder | None = None,
    start: bytes | None = None,
    on_progress: Progress | None = None,
) -> Iterator[Frame]:
    """Run a scene to its end and hand out its frames on the way.

    It begins at the scene's beginning, or at ``start``, a state that ``World.save`` gave: what lies
    before that has no frames, rows or events, and ``steps`` counts from the beginning all the same.

    Frames come at ``times`` (scene time, ascending, within the run), or at ``fps`` frames per
    second of scene time, by default the scene's own. ``recorder`` takes the channels, the
    expectations, the checkpoints and the events; it is closed when the run ends, and aborted when
    it is broken off. ``on_progress`` is called with the steps done and the steps in all.

    Raises SimulationError when the scene says ``on_error: stop`` and a body's state is not finite
    or runs away; with ``warn`` the message goes to ``recorder.warnings``.
    """
    total = _total_steps(scene, steps)
    if times is None:
        times = frame_times(scene, steps=total, fps=fps)
    elif not all(0 <= a <= b < math.inf for a, b in zip((0.0, *times), times, strict=False)):
        raise UsageError("the times of frames must be finite, not negative, and ascend")
    keeper = recorder or Recorder(scene, steps=total, check=False)
    keeper.begin(scene, total)
    try:
        world = build(scene, threads=threads, lanes=lanes)
        if start is not None:
            world.restore(start)
            _refuse_late(world, total)
        driver = _Driver(world, total, keeper, on_progress)
    except BaseException:
        keeper.abort()
        raise
    first = world.time - SAME_STEP * scene.world.dt
    return driver.frames([time for time in times if time >= first], want_contacts)


def _refuse_late(world: World, total: int) -> None:
    if world.step_count > total:
        raise UsageError(
            f"the state is of step {world.step_count}, and the run ends at step {total}; "
            "make it longer"
        )


@checked(
    scene=one_of(Scene),
    steps=optional(whole(0, STEPS)),
    recorder=optional(one_of(Recorder)),
)
def simulate(
    scene: Scene,
    *,
    threads: int = 1,
    lanes: int = 0,
    steps: int | None = None,
    recorder: Recorder | None = None,
    on_progress: Progress | None = None,
) -> Trace:
    """Run a scene to its end without pictures; the trace of what ``scene.record`` asks for.

    Raises SimulationError as ``run`` does. A ``recorder`` of your own must keep a trace.
    """
    total = _total_steps(scene, steps)
    keeper = recorder or Recorder(scene, steps=total, trace=True, check=False)
    frames = run(
        scene,
        steps=total,
        threads=threads,
        lanes=lanes,
        times=(),
        recorder=keeper,
        on_progress=on_progress,
    )
    for _ in frames:
        pass
    return keeper.trace


@checked(scene=one_of(Scene), at=optional(list_of(whole())), steps=optional(whole(0, STEPS)))
def take_snapshot(
    scene: Scene,
    *,
    at: Sequence[int] | None = None,
    steps: int | None = None,
    threads: int = 1,
    lanes: int = 0,
    on_progress: Progress | None = None,
) -> Snapshot:
    """Run a scene and note its exact state after the steps ``at``, by default about ten."""
    total = _total_steps(scene, steps)
    points: bool | Sequence[int] = True if at is None else at
    recorder = Recorder(scene, steps=total, check=False, checkpoints=points)
    frames = run(
        scene,
        steps=total,
        threads=threads,
        lanes=lanes,
        times=(),
        recorder=recorder,
        on_progress=on_progress,
    )
    for _ in frames:
        pass
    return recorder.snapshot


@checked(scene=one_of(Scene), path=named, tolerance=real)
def check_snapshot(
    scene: Scene,
    path: str | Path,
    *,
    tolerance: float = 0.0,
    threads: int = 1,
    lanes: int = 0,
    on_progress: Progress | None = None,
) -> Difference | None:
    """Run a scene as often as the snapshot file says and compare; None when they agree.

    Raises UsageError when the file is not a snapshot.
    """
    old = read_snapshot(path)
    new = take_snapshot(
        scene,
        at=[checkpoint.step for checkpoint in old.checkpoints],
        steps=old.steps,
        threads=threads,
        lanes=lanes,
        on_progress=on_progress,
    )
    return compare_snapshots(old, new, tolerance)


def _total_steps(scene: Scene, steps: int | None) -> int:
    return scene.world.steps if steps is None else steps


class _Driver:
    """Steps a world through a run, block by block, and feeds the recorder."""

    def __init__(
        self, world: World, total: int, recorder: Recorder, on_progress: Progress | None
    ) -> None:
        self.world = world
        self.total = total
        self.recorder = recorder
        self.on_progress = on_progress
        self.every = recorder.every
        self.codes = world.channel_codes(recorder.channels if self.every else ())
        width = max(1, len(self.codes))
        self.rows = max(1, min(BLOCK_STEPS, BLOCK_VALUES // width))
        self.buffer = np.empty((self.rows, len(self.codes)))
        first = world.step_count
        self.checkpoints = [step for step in recorder.checkpoint_steps if first <= step <= total]
        self.earlier = (-1, np.empty((0, 3)))  # the last step that a frame began at, and its pose

    def frames(self, times: Sequence[float], want_contacts: bool) -> Iterator[Frame]:
        """The whole run. ``times`` ascend; frames at or beyond the end show the end."""
        done = False
        try:
            self._start()
            for time in times:
                yield self._frame(time, want_contacts)
            self._advance(self.total)
            self.recorder.close()
            done = True
        finally:
            if not done:
                self.recorder.abort()

    def _start(self) -> None:
        self.recorder.set_centers(self._centers)
        if self.every:
            start = self.world.native.sample(self.codes).reshape(1, -1)
            step = np.array([self.world.step_count], np.int64)
            self.recorder.add(step, np.array([self.world.time]), start)
        self._look(self.world.step_count)

    def _look(self, step: int) -> None:
        """What is to be kept of this step."""
        if self.checkpoints and self.checkpoints[0] == step:
            self._take_checkpoint()
        if self.recorder.save_at == step:
            self.recorder.state = self.world.save()

    def _centers(self) -> dict[str, tuple[float, float]]:
        rows = self.world.centers.tolist()
        return {name: (x, y) for name, (x, y) in zip(self.world.scene.bodies, rows, strict=True)}

    # ------------------------------------------------------------ stepping

    def _advance(self, target: int) -> None:
        """Step until ``target`` steps are done, in blocks that end at checkpoints."""
        target = min(target, self.total)
        while (done := self.world.native.step_count) < target:
            end = min(target, done + self.rows * max(1, self.every))
            if self.checkpoints:
                end = min(end, self.checkpoints[0])
            if self.recorder.save_at is not None and done < self.recorder.save_at:
                end = min(end, self.recorder.save_at)
            end = self.world.next_stop(end)
            self._block(end - done)
            self._look(end)
            if self.on_progress is not None:
                self.on_progress(end, self.total)

    def _block(self, steps: int) -> None:
        native, every = self.world.native, self.every
        first = native.step_count
        if every:
            native.run(steps, every, self.codes, self.buffer)
            taken = np.arange(first + 1, native.step_count + 1, dtype=np.int64)
            taken = taken[taken % every == 0]
            self.recorder.add(taken, taken * self.world.scene.world.dt, self.buffer[: len(taken)])
        else:
            native.step(steps)
        events = self.world.events()
        self.recorder.add_events(events)
        self.recorder.warnings += self.world.take_warnings()
        self.world.raise_error()

    def _take_checkpoint(self) -> None:
        world = self.world
        self.checkpoints.pop(0)
        columns = (world.x, world.y, world.angle, world.vx, world.vy, world.omega)
        states = zip(*(column.tolist() for column in columns), strict=True)
        bodies = {
            name: state
            for name, living, state in zip(
                world.scene.bodies, world.alive.tolist(), states, strict=True
            )
            if living
        }
        self.recorder.add_checkpoint(Checkpoint(world.step_count, world.state_hash(), bodies))

    # ------------------------------------------------------------ frames

    def _frame(self, time: float, want_contacts: bool) -> Frame:
        """The frame at a scene time that has not gone by."""
        position = min(time / self.world.scene.world.dt, float(self.total))
        before = math.floor(position + SAME_STEP)
        part = position - before
        if part <= SAME_STEP:
            self._advance(before)
            return self.world.frame(want_contacts, time=time)
        if self.earlier[0] != before:
            self._advance(before)
            self.earlier = before, self.world.pose()
        self._advance(before + 1)
        earlier = self.earlier[1]
        pose = earlier + part * (self.world.pose() - earlier)
        return replace(self.world.frame(want_contacts, time=time), pose=pose)
