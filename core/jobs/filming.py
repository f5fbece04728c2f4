# SPDX-License-Identifier: MIT
"""Pages of a run: their moments, and the time of writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..live import find_module, live_page, module_name
from ..page import (
    Filmed,
    Style,
    Told,
    pose_readings,
    replay_page,
    take_spans,
    variants_page,
    watched,
)
from ..record import Frame, Recorder, Result
from ..record.atomic import atomic_file
from ..render import Renderer
from ..render.sounds import heard
from ..scene.model import Scene
from ..scene.readings import trail_readings
from ..world import frame_times
from .artist import overlays_of
from .engine import Engine
from .targets import Look, Target


@dataclass
class Filmer:
    """Keeps the frames of the moments ``times``, and makes a page of them when the run is over.

    If the scene compares variants, the page shows these, and a moment has a frame of each.
    """

    scene: Scene
    style: Style
    targets: Sequence[Target]
    times: frozenset[float]
    steps: int = 0
    mute: bool = False
    runs: list[Filmed] = field(default_factory=list)

    def __post_init__(self) -> None:
        compare = self.scene.compare
        if compare is None:
            self.runs = [Filmed("", self.scene)]
        else:
            self.runs = [Filmed(each.name, each.scene) for each in compare.variants]

    @property
    def count(self) -> int:
        """The number of frames so far."""
        return len(self.runs[0].frames)

    @property
    def watched(self) -> tuple[str, ...]:
        """The state names that it reads at every step."""
        scene = self.runs[0].scene
        poses = pose_readings(scene, self.steps)
        return (*watched(scene), *trail_readings(scene, self.style.overlays), *poses)

    def see(self, moment: float, frames: tuple[Frame, ...]) -> None:
        """Keep the frames of a moment, if the page shows it."""
        if moment in self.times:
            self._keep(frames, moment)

    def end(self, frames: tuple[Frame, ...]) -> None:
        """End the run, possibly early; the page includes its last moment."""
        time = max((frame.time for frame in frames), default=0.0)
        if frames and all(not run.frames or run.frames[-1].time < time for run in self.runs):
            self._keep(frames, time)

    def _keep(self, frames: tuple[Frame, ...], moment: float) -> None:
        for run, given in zip(self.runs, frames, strict=True):
            frame, spans = take_spans(given, run.scene)
            if run.frames and frame.time <= run.frames[-1].time:  # it ended before the others
                frame = replace(frame, time=moment)
            run.frames.append(frame)
            run.spans.append(spans)

    def write(
        self, recorder: Recorder, results: Mapping[str, Sequence[Result]] | None = None
    ) -> None:
        """Write the pages; ``results`` are those of variants, by name."""
        if self.scene.compare is None:
            trace = recorder.trace if self.scene.record.channels is not None else None
            events = [(event.step, str(event)) for event in recorder.events]
            sounds = [] if self.mute else heard(recorder.events)
            (run,) = self.runs
            told = Told(events, recorder.results, trace, recorder.outcome, run.spans, sounds)
            page = replay_page(self.scene, run.frames, self.style, told)
        else:
            page = variants_page(
                self.scene, self.runs, self.style, {"": recorder.results, **(results or {})}
            )
        for target in self.targets:
            with atomic_file(target.path) as file:
                file.write(page.encode())


@dataclass
class LiveWriter(Filmer):
    """Writes pages that run the scene themselves, for which no moment is kept."""

    page: bytes = b""
    module: bytes = b""

    @property
    def watched(self) -> tuple[str, ...]:
        return ()

    def see(self, moment: float, frames: tuple[Frame, ...]) -> None:
        pass

    def end(self, frames: tuple[Frame, ...]) -> None:
        pass

    def write(
        self, recorder: Recorder, results: Mapping[str, Sequence[Result]] | None = None
    ) -> None:
        """Write the pages, and the engine beside them where they share it."""
        for target in self.targets:
            with atomic_file(target.path) as file:
                file.write(self.page)
            if self.module:
                with atomic_file(target.path.with_name(module_name())) as file:
                    file.write(self.module)


def filmers(
    scene: Scene,
    targets: Sequence[Target],
    steps: int,
    look: Look,
    longest: float | None,
    engine: Engine,
) -> list[Filmer]:
    """The recorder of the pages among ``targets``; see ``produce`` for the arguments."""
    pages = [target for target in targets if target.kind == "html"]
    if not pages:
        return []
    style = _style_of(scene, look)
    if look.live:
        linked = look.live == "link"
        page = live_page(scene, style, link=linked, mute=look.mute).encode()
        module = find_module() if linked else b""
        return [LiveWriter(scene, style, pages, frozenset(), page=page, module=module)]
    first, end = engine.first_time(scene), steps * scene.world.dt
    times = [time for time in frame_times(scene, steps=steps, fps=style.fps) if time >= first]
    if longest is not None and longest < end:
        times = [time for time in times if time < longest] or times[:1]
        end = longest
    return [Filmer(scene, style, pages, frozenset([*times, end]), steps, mute=look.mute)]


def _style_of(scene: Scene, look: Look) -> Style:
    """The style of a scene's page. Raises UsageError for an impossible look."""
    renderer = Renderer(
        scene, size=look.size, overlays=overlays_of(scene, look), theme=look.theme, fps=look.fps
    )
    theme = scene.render.theme if look.theme is None else look.theme
    return Style(renderer.size, renderer.overlays, theme, renderer.fps, look.theme is not None)
