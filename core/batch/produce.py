"""One simulation pass that leaves everything that was asked for: movies, pictures, tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from ..errors import UsageError
from ..record import Frame, Recorder, Result, write_npz, write_snapshot
from ..render import Renderer, open_encoder
from ..render.encoders import Encoder
from ..scene.model import Scene
from ..world import frame_times, run

Kind = Literal["gif", "mp4", "webp", "png", "frames", "csv", "npz", "snapshot"]
MOVIES: tuple[Kind, ...] = ("gif", "mp4", "webp", "frames")
"""Kinds that show every frame; ``frames`` is a folder of PNG files."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write, or for kind ``frames`` a folder."""

    kind: Kind
    path: Path


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures are drawn; None and empty leave it to the scene."""

    size: tuple[int, int] | None = None
    fps: float | None = None
    overlays: tuple[str, ...] = ()
    theme: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a run was like.

    Attributes:
        steps: how many were done.
        time: the scene time they took.
        wall: seconds on the clock, pictures included.
        frames: how many frames the movies have.
        bodies, alive, asleep: how many at the start, and of those at the end.
        joints, broken: likewise.
        contacts: touching points at the end.
        energy: (kinetic, potential) at the end.
        results: how the expectations came out; empty when they were not checked.
        warnings: what the engine warned of.
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
    results: tuple[Result, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expectation that was checked held."""
        return all(result.passed for result in self.results)


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
    on_progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Run a scene once and write every target.

    Args:
        scene: the scene.
        targets: what to write, at most one of kind ``csv``.
        steps: how many, instead of the scene's number.
        at: the scene time of pictures of kind ``png``; None is the end.
        look: how pictures are drawn.
        csv_layout: ``wide`` or ``long``.
        threads, lanes: how fast the engine is, never what comes out.
        check: check the scene's expectations.
        longest: the scene time after which movies end, though the run goes on.
        on_progress: called with the steps done and the steps in all.

    Raises:
        UsageError: when something cannot be drawn or written as asked for.
        SimulationError: when the engine stops. No target is written then, nor when interrupted.
    """
    begin = time.perf_counter()
    total = scene.world.steps if steps is None else steps
    artists = _artists(scene, targets, total, at, look or Look(), longest)
    end = total * scene.world.dt
    moments = sorted({end, *(moment for artist in artists for moment in artist.times)})
    recorder: Recorder | None = None
    try:
        for artist in artists:
            artist.open()
        recorder = _recorder(scene, targets, total, csv_layout, check)
        frames = run(
            scene,
            steps=total,
            threads=threads,
            lanes=lanes,
            times=moments,
            want_contacts=True,
            recorder=recorder,
            on_progress=on_progress,
        )
        for moment, frame in zip(moments, frames, strict=False):
            for artist in artists:
                artist.see(moment, frame)
        for _ in frames:  # past the last frame the run closes its recorder
            pass
        for artist in artists:
            artist.close()
    except BaseException:
        for artist in artists:
            artist.abort()
        if recorder is not None:
            recorder.abort()
        raise
    _write_rest(targets, recorder)
    wall = time.perf_counter() - begin
    movie_frames = max((len(artist.shown) for artist in artists if artist.is_movie), default=0)
    return _report(scene, frame, recorder, wall, movie_frames)


def _recorder(
    scene: Scene, targets: Sequence[Target], steps: int, csv_layout: str, check: bool
) -> Recorder:
    tables = [target.path for target in targets if target.kind == "csv"]
    if len(tables) > 1:
        raise UsageError(f"{tables[1]}: one CSV file at a time")
    kinds = {target.kind for target in targets}
    return Recorder(
        scene,
        steps=steps,
        trace="npz" in kinds,
        csv=tables[0] if tables else None,
        csv_layout=csv_layout,
        check=check,
        checkpoints="snapshot" in kinds,
    )


def _write_rest(targets: Sequence[Target], recorder: Recorder) -> None:
    """What is written after a run: arrays and snapshots."""
    for target in targets:
        if target.kind == "npz":
            write_npz(target.path, recorder.trace)
        elif target.kind == "snapshot":
            write_snapshot(target.path, recorder.snapshot)


def _report(scene: Scene, last: Frame, recorder: Recorder, wall: float, frames: int) -> Report:
    dynamic = np.array([body.kind == "dynamic" for body in scene.bodies.values()], np.bool_)
    return Report(
        steps=recorder.steps,
        time=recorder.steps * scene.world.dt,
        wall=wall,
        frames=frames,
        bodies=len(scene.bodies),
        alive=int(last.alive.sum()),
        asleep=int((last.alive & ~last.awake & dynamic).sum()),
        joints=len(scene.joints),
        broken=int(last.joint_broken.sum()),
        contacts=len(last.contacts.point) if last.contacts is not None else 0,
        energy=last.energy,
        results=tuple(recorder.results),
        warnings=tuple(recorder.warnings),
    )


# ---------------------------------------------------------------- pictures


@dataclass
class _Artist:
    """Draws the moments ``times`` and hands those in ``shown`` to its encoders.

    The others are drawn only because what is drawn later depends on them. Movies share one
    artist; a single picture has its own, so that asking for one does not change the movies.
    """

    renderer: Renderer
    targets: Sequence[Target]
    times: frozenset[float]
    shown: frozenset[float]
    is_movie: bool
    encoders: list[Encoder]

    def open(self) -> None:
        """Open the files."""
        renderer = self.renderer
        for target in self.targets:
            encoder = open_encoder(
                target.path, target.kind, renderer.fps, renderer.size, colors=renderer.colors()
            )
            self.encoders.append(encoder)

    def see(self, moment: float, frame: Frame) -> None:
        """Draw a moment, if it is one of this artist's."""
        if moment not in self.times:
            return
        image = self.renderer.draw(frame)
        if moment in self.shown:
            for encoder in self.encoders:
                encoder.add(image)

    def close(self) -> None:
        """Finish the files."""
        for encoder in self.encoders:
            encoder.close()

    def abort(self) -> None:
        """Leave no file behind."""
        for encoder in self.encoders:
            encoder.abort()


def _artists(
    scene: Scene,
    targets: Sequence[Target],
    steps: int,
    at: float | None,
    look: Look,
    longest: float | None,
) -> list[_Artist]:
    movies = [target for target in targets if target.kind in MOVIES]
    pictures = [target for target in targets if target.kind == "png"]
    artists = []
    times = frame_times(scene, steps=steps, fps=look.fps)
    if movies:
        if longest is not None:
            times = [time for time in times if time < longest] or times[:1]
        every = frozenset(times)
        artists.append(_Artist(_renderer(scene, look), movies, every, every, True, []))
    if pictures:
        moment = steps * scene.world.dt if at is None else at
        renderer = _renderer(scene, look)
        before = times if _has_memory(scene, renderer) else times[:1]
        seen = frozenset([*(time for time in before if time < moment), moment])
        artists.append(_Artist(renderer, pictures, seen, frozenset([moment]), False, []))
    return artists


def _renderer(scene: Scene, look: Look) -> Renderer:
    overlays = None
    if look.overlays:
        overlays = tuple(dict.fromkeys([*scene.render.overlays, *look.overlays]))
    return Renderer(scene, size=look.size, overlays=overlays, theme=look.theme, fps=look.fps)


def _has_memory(scene: Scene, renderer: Renderer) -> bool:
    """Whether a picture depends on those before it, other than on the first, which frames it."""
    return (
        scene.camera.mode == "follow"
        or any(name in renderer.overlays for name in ("trails", "energy"))
        or any(body.trail is not None for body in scene.bodies.values())
    )
