# SPDX-License-Identifier: MIT
"""One simulation pass that writes all outputs: movies, pages, tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..arguments import checked, flag, list_of, number, one_of, optional, text, whole
from ..errors import UsageError
from ..record import Frame, Recorder, Result, write_npz, write_snapshot
from ..record.atomic import atomic_file
from ..scene.limits import STEPS
from ..scene.model import Scene
from ..world import run
from ..world.saving import step_of
from .engine import Engine
from .interrupts import interrupts_held
from .targets import PAGES, PICTURES, Look, Target
from .variant_runs import VariantReport, run_compared, show

if TYPE_CHECKING:
    from ..render.sounds import Samples
    from .artist import Artist
    from .filming import Filmer


@dataclass(frozen=True, slots=True)
class RunReport:
    """The report of a run.

    Attributes:
        steps: the number of steps.
        time: their scene time.
        wall: the elapsed time in seconds, including pictures.
        frames: the number of frames of the movies, or, if there are only pages, of these.
        bodies, alive, asleep: the number of bodies at the start, and of these at the end.
        joints, broken: likewise.
        contacts: touching points at the end.
        energy: (kinetic, potential) at the end.
        state_hash: the hash of the state at the end, as 16 hexadecimal digits.
        results: the results of the expectations; empty when they were not checked.
        warnings: the warnings of the engine.
        outcome: the outcome of a run that ended early: win, lose, pass or fail.
        variants: the results of the variants.
        added: the number of bodies at the end that were added during the run.
    """

    steps: int
    time: float
    wall: float
    frames: int
    bodies: int
    alive: int
    asleep: int
    joints: int
    broken: int
    contacts: int
    energy: tuple[float, float]
    state_hash: str
    results: tuple[Result, ...] = ()
    warnings: tuple[str, ...] = ()
    outcome: str = ""
    variants: tuple[VariantReport, ...] = ()
    added: int = 0

    @property
    def passed(self) -> bool:
        """Whether all expectations that were checked held, and no action ended it as failed."""
        held = all(result.passed for result in self.results) and self.outcome != "fail"
        return held and all(variant.passed for variant in self.variants)


@checked(
    scene=one_of(Scene),
    targets=list_of(one_of(Target)),
    steps=optional(whole(0, STEPS)),
    at=optional(number),
    look=optional(one_of(Look)),
    csv_layout=text,
    check=flag,
    longest=optional(number),
    start=optional(one_of(bytes)),
)
def produce(
    scene: Scene,
    targets: Sequence[Target],
    *,
    steps: int | None = None,
    at: float | None = None,
    look: Look | None = None,
    csv_layout: str = "wide",
    threads: int = 1,
    lanes: int = 0,
    check: bool = True,
    longest: float | None = None,
    start: bytes | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> RunReport:
    """Run a scene once and write every target.

    If pictures depend on later states, as with ``fit``, the scene is run once more
    before them; the bits of a run are always the same. If the scene compares variants, they
    are run after it, for the pictures and their expectations; tables and states are those of the
    scene itself.

    Args:
        scene: the scene.
        targets: the files to write.
        steps: the number of steps, instead of the scene's.
        at: the scene time of pictures of kind ``png``, and of the step whose state is saved; None
            is the end.
        look: the style of pictures.
        csv_layout: ``wide`` or ``long``.
        threads, lanes: settings of the engine's speed, without effect on results.
        check: check the scene's expectations.
        longest: the scene time after which movies end, though the run continues.
        start: a state of ``World.save``, to start from instead of the scene's start.
        on_progress: called with the finished steps and all steps.

    Raises:
        UsageError: when a target cannot be drawn or written.
        SimulationError: when the engine stops. No target is written then, nor when interrupted.
    """
    begin = time.perf_counter()
    if start is not None and scene.compare is not None and _has_pictures(targets):
        raise UsageError(
            "a picture of variants begins at the beginning; a state is of the scene itself"
        )
    total = scene.world.steps if steps is None else steps
    engine = Engine(threads, lanes, start)
    artists: list[Artist] = []
    if _has_pictures(targets):
        from .artist import artists as who_draws  # what draws need not be loaded for numbers

        artists = who_draws(scene, targets, total, at, look or Look(), longest, engine)
        for artist in artists if look is None or not look.mute else ():
            artist.sound = partial(_sound_of, artist, scene, lambda: recorder)
    films: list[Filmer] = []
    if any(target.kind in PAGES for target in targets):
        from .filming import filmers

        films = filmers(scene, targets, total, look or Look(), longest, engine)
    end = total * scene.world.dt
    watchers: list[Artist | Filmer] = [*artists, *films]
    moments = sorted({end, *(moment for each in watchers for moment in each.times)})
    first = engine.first_time(scene)
    moments = [moment for moment in moments if moment >= first]
    compares = scene.compare is not None and start is None
    alone = [end] if compares else moments
    recorder: Recorder | None = None
    try:
        with interrupts_held():
            for artist in artists:
                artist.open()
            recorder = _recorder(scene, targets, total, at, csv_layout, check)
        frames = run(
            scene,
            steps=total,
            threads=threads,
            lanes=lanes,
            times=alone,
            want_contacts=True,
            recorder=recorder,
            start=start,
            on_progress=on_progress,
            watched=() if compares else tuple(name for each in watchers for name in each.watched),
        )
        frame = show(alone, ((each,) for each in frames), () if compares else watchers)[0]
        variants: tuple[VariantReport, ...] = ()
        if compares:
            variants = run_compared(
                scene,
                steps=total,
                engine=engine,
                check=check,
                moments=moments if watchers else (),
                watchers=watchers,
                on_progress=on_progress,
            )
        for artist in artists:
            artist.close()
    except BaseException:
        for artist in artists:
            artist.abort()
        if recorder is not None:
            recorder.abort()
        raise
    for film in films:
        film.write(recorder, {each.name: each.results for each in variants})
    _write_rest(targets, recorder)
    wall = time.perf_counter() - begin
    drawn = [artist.drawn for artist in artists if artist.is_movie]
    movie_frames = max(drawn or [film.count for film in films], default=0)
    last = total if recorder.ended is None else recorder.ended
    done = last if start is None else last - step_of(start)
    return _report(scene, done, frame, recorder, wall, movie_frames, variants)


def _sound_of(
    artist: Artist, scene: Scene, find: Callable[[], Recorder | None], ffmpeg: str
) -> Samples | None:
    """The sound track of an artist's movies, once the run is over."""
    from ..render.sounds import heard, track

    recorder = find()
    sounds = [] if recorder is None else heard(recorder.events)
    if not sounds:
        return None
    shown = sorted(time for time in artist.shown if time <= artist.last)
    return track(sounds, scene, shown, artist.renderer.fps, ffmpeg)


def _has_pictures(targets: Sequence[Target]) -> bool:
    return any(target.kind in PICTURES for target in targets)


def _recorder(
    scene: Scene,
    targets: Sequence[Target],
    steps: int,
    at: float | None,
    csv_layout: str,
    check: bool,
) -> Recorder:
    tables = [target.path for target in targets if target.kind == "csv"]
    kinds = {target.kind for target in targets}
    for_page = "html" in kinds and scene.record.channels is not None
    return Recorder(
        scene,
        steps=steps,
        trace="npz" in kinds or for_page,
        csv=tables,
        csv_layout=csv_layout,
        check=check,
        checkpoints="snapshot" in kinds,
        save_at=_step_at(scene, steps, at) if "save-state" in kinds else None,
    )


def _step_at(scene: Scene, steps: int, at: float | None) -> int:
    """The step that ends nearest to a scene time."""
    return steps if at is None else min(steps, round(at / scene.world.dt))


def _write_rest(targets: Sequence[Target], recorder: Recorder) -> None:
    """Writes the outputs that follow a run: arrays and snapshots."""
    for target in targets:
        if target.kind == "npz":
            write_npz(target.path, recorder.trace)
        elif target.kind == "snapshot":
            write_snapshot(target.path, recorder.snapshot)
        elif target.kind == "save-state":
            with atomic_file(target.path) as file:
                file.write(recorder.state)


def _report(
    scene: Scene,
    steps: int,
    last: Frame,
    recorder: Recorder,
    wall: float,
    frames: int,
    variants: tuple[VariantReport, ...],
) -> RunReport:
    dynamic = np.array([body.kind == "dynamic" for body in scene.bodies.values()], np.bool_)
    own = len(scene.bodies)  # which are before those that were added
    return RunReport(
        steps=steps,
        time=steps * scene.world.dt,
        wall=wall,
        frames=frames,
        bodies=len(scene.bodies),
        alive=int(last.alive[:own].sum()),
        asleep=int((last.alive & ~last.awake)[:own][dynamic].sum()),
        joints=len(scene.joints),
        broken=int(last.joint_broken[: len(scene.joints)].sum()),
        contacts=len(last.contacts.point) if last.contacts is not None else 0,
        energy=last.energy,
        state_hash=f"{recorder.state_hash or 0:016x}",
        results=tuple(recorder.results),
        warnings=(*map(str, scene.warnings), *recorder.warnings),
        outcome=recorder.outcome,
        variants=variants,
        added=int(last.alive[own:].sum()),
    )
