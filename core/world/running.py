# SPDX-License-Identifier: MIT
"""Runs a scene from its start to its end."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

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
    texts,
    whole,
)
from ..errors import SimulationError, UsageError
from ..record.differences import Difference, compare_snapshots
from ..record.frame import Frame
from ..record.recorder import Recorder
from ..record.snapshot import (
    Snapshot,
    read_snapshot,
)
from ..record.trace import Trace
from ..scene.limits import STEPS
from ..scene.model import Scene
from .driver import SAME_STEP, Driver, Hook, Progress
from .overlaps import overlap_warnings
from .world import World, build

MAX_FRAMES = 1_000_000  # nine hours at 30 frames per second


@checked(scene=one_of(Scene), steps=optional(whole(0, STEPS)), fps=optional(finite))
def frame_times(scene: Scene, *, steps: int | None = None, fps: float | None = None) -> list[float]:
    """The scene times of the frames of a run: k / fps from 0 up to, but not including, its end.

    So their number over fps is the run's duration, unless ``render.speed`` and ``render.time``
    let it go by faster or more slowly. There is always at least one. Raises
    UsageError for more than a million.
    """
    rate = scene.render.fps if fps is None else fps
    if not rate > 0:
        raise UsageError(f"fps must be above 0, got {rate}")
    total = scene.world.steps if steps is None else steps
    interval = scene.units.time_per_second / rate
    end = total * scene.world.dt
    parts = _parts(scene, end)
    length = end if parts is None else parts[-1][0] + (end - parts[-1][1]) / parts[-1][2]
    count = math.ceil(length / interval - SAME_STEP)
    if count > MAX_FRAMES:
        raise UsageError(
            f"the run of {end / scene.units.time_per_second:.6g} s has {count} "
            f"frames at {rate:g} fps; the limit is {MAX_FRAMES}. Lower fps, or make it shorter"
        )
    shown = [k * interval for k in range(max(1, count))]
    if parts is None:
        return shown
    begins = [part[0] for part in parts]
    times = []
    for moment in shown:
        begin, time, speed = parts[bisect_right(begins, moment) - 1]
        times.append(time + (moment - begin) * speed)
    return times


def _parts(scene: Scene, end: float) -> list[tuple[float, float, float]] | None:
    """Return the parts of a movie: the start of each, its scene time, and the speed of the run.

    None for a constant speed of 1.
    """
    render = scene.render
    if render.speed == 1.0 and not render.time:
        return None
    parts = [(0.0, 0.0, render.speed)]
    for time, speed in render.time:
        if time >= end:
            break
        begin, since, fast = parts.pop() if time <= 0.0 else parts[-1]
        parts.append((begin + (time - since) / fast, time, render.speed * speed))
    return parts


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
    before_step=optional(callback),
    on_progress=optional(callback),
    watched=texts,
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
    before_step: Hook | None = None,
    on_progress: Progress | None = None,
    watched: Sequence[str] = (),
) -> Iterator[Frame]:
    """Run a scene to its end and yield its frames.

    It begins at the scene's start, or at ``start``, a state of ``World.save``: earlier times
    have no frames, rows or events, but ``steps`` counts from the scene's start.

    Frames come at ``times`` (scene time, ascending, within the run), or at ``fps`` frames per
    second of scene time, by default the scene's own. ``recorder`` takes the channels, the
    expectations, the checkpoints and the events; it is closed when the run ends, and aborted when
    it is interrupted. ``before_step`` is called with the world before each step, and may push, set,
    add and remove; a frame's ``scene`` then has the present objects. ``on_progress`` is called with
    the finished steps and all steps. ``watched`` are state names whose values at the steps between
    frames are in ``passed``, in addition to those of plots in the picture.

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
        else:
            world.warned += overlap_warnings(world)
        driver = Driver(world, total, keeper, before_step, on_progress, watched)
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
    threads=whole(1),
    lanes=whole(),
    fps=optional(finite),
    times=optional(list_of(real)),
    want_contacts=flag,
    recorders=optional(list_of(one_of(Recorder))),
    on_progress=optional(callback),
    watched=texts,
)
def run_variants(
    scene: Scene,
    *,
    steps: int | None = None,
    threads: int = 1,
    lanes: int = 0,
    fps: float | None = None,
    times: Sequence[float] | None = None,
    want_contacts: bool = False,
    recorders: Sequence[Recorder] | None = None,
    on_progress: Progress | None = None,
    watched: Sequence[str] = (),
) -> Iterator[tuple[Frame, ...]]:
    """Run all variants of a scene with a ``compare`` block, and yield their frames together.

    ``steps`` counts steps of the scene itself; a variant with another ``dt`` runs for the same
    time. A variant that ended early keeps its last state. The rest is as for ``run``, with
    a recorder for each variant.

    Raises:
        UsageError: for a scene without variants.
        SimulationError: as ``run`` does; it names the variant.
    """
    if scene.compare is None:
        raise UsageError("the scene has no `compare` block, and so no variants")
    variants = scene.compare.variants
    total = _total_steps(scene, steps)
    if times is None:
        times = frame_times(scene, steps=total, fps=fps)
    keepers: Sequence[Recorder | None] = recorders or [None] * len(variants)
    lengths = [variant_steps(scene, variant.scene, total) for variant in variants]
    runs = [
        _named(
            variant.name,
            run(
                variant.scene,
                steps=length,
                threads=threads,
                lanes=lanes,
                times=times,
                want_contacts=want_contacts,
                recorder=keeper,
                on_progress=_part(on_progress, lengths, i),
                watched=watched,
            ),
        )
        for i, (variant, length, keeper) in enumerate(zip(variants, lengths, keepers, strict=True))
    ]
    return _together(runs)


def variant_steps(scene: Scene, variant: Scene, steps: int) -> int:
    """Number of steps of a variant with the duration of the scene itself."""
    return min(round(steps * scene.world.dt / variant.world.dt), STEPS)


def _named(name: str, frames: Iterator[Frame]) -> Iterator[Frame]:
    try:
        yield from frames
    except SimulationError as error:
        message = f"in the variant `{name}`: {error}"
        raise SimulationError(message, error.step, error.body) from error


def _part(on_progress: Progress | None, lengths: Sequence[int], i: int) -> Progress | None:
    """Tell how far a variant is as a part of all of them, which go side by side."""
    if on_progress is None:
        return None
    total, last = sum(lengths), len(lengths) - 1

    def tell(done: int, steps: int) -> None:
        if i == last:
            on_progress(min(done * len(lengths), total), total)

    return tell


def _together(runs: Sequence[Iterator[Frame]]) -> Iterator[tuple[Frame, ...]]:
    latest: list[Frame | None] = [None] * len(runs)
    going = True
    try:
        while going:
            going = False
            for i, frames in enumerate(runs):
                frame = next(frames, None)
                if frame is not None:
                    latest[i], going = frame, True
            if going:
                yield tuple(frame for frame in latest if frame is not None)
    finally:
        for frames in runs:
            close = getattr(frames, "close", None)
            if close is not None:
                close()


@checked(
    scene=one_of(Scene),
    steps=optional(whole(0, STEPS)),
    recorder=optional(one_of(Recorder)),
    before_step=optional(callback),
)
def simulate(
    scene: Scene,
    *,
    threads: int = 1,
    lanes: int = 0,
    steps: int | None = None,
    recorder: Recorder | None = None,
    before_step: Hook | None = None,
    on_progress: Progress | None = None,
) -> Trace:
    """Run a scene to its end without pictures; return the trace of ``scene.record``.

    Raises SimulationError as ``run`` does. A ``recorder`` argument must record a trace; otherwise
    it is a UsageError before the first step.
    """
    if recorder is not None:
        recorder.need_trace()
    total = _total_steps(scene, steps)
    keeper = recorder or Recorder(scene, steps=total, trace=True, check=False)
    frames = run(
        scene,
        steps=total,
        threads=threads,
        lanes=lanes,
        times=(),
        recorder=keeper,
        before_step=before_step,
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
