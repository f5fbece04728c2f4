# SPDX-License-Identifier: MIT
"""Pages of a run: their moments, and the time of writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..live import find_module, live_page, module_name
from ..page import Style, Told, replay_page, take_spans, watched
from ..record import Frame, Recorder
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
    """Keeps the frames of the moments ``times``, and makes a page of them when the run is over."""

    scene: Scene
    style: Style
    targets: Sequence[Target]
    times: frozenset[float]
    frames: list[Frame] = field(default_factory=list)
    spans: list[NDArray[np.float64]] = field(default_factory=list)
    mute: bool = False

    @property
    def watched(self) -> tuple[str, ...]:
        """The state names that it reads at every step."""
        return (*watched(self.scene), *trail_readings(self.scene, self.style.overlays))

    def see(self, moment: float, frames: tuple[Frame, ...]) -> None:
        """Keep a frame, if the page shows that moment."""
        if moment in self.times:
            self._keep(frames[0])

    def end(self, frames: tuple[Frame, ...]) -> None:
        """End the run, possibly early; the page includes its last moment."""
        frame = frames[0]
        if not self.frames or self.frames[-1].time < frame.time:
            self._keep(frame)

    def _keep(self, frame: Frame) -> None:
        frame, spans = take_spans(frame, self.scene)
        self.frames.append(frame)
        self.spans.append(spans)

    def write(self, recorder: Recorder) -> None:
        """Write the pages."""
        trace = recorder.trace if self.scene.record.channels is not None else None
        events = [(event.step, str(event)) for event in recorder.events]
        sounds = [] if self.mute else heard(recorder.events)
        told = Told(events, recorder.results, trace, recorder.outcome, self.spans, sounds)
        page = replay_page(self.scene, self.frames, self.style, told).encode()
        for target in self.targets:
            with atomic_file(target.path) as file:
                file.write(page)


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

    def write(self, recorder: Recorder) -> None:
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
        page = live_page(scene, style, link=linked).encode()
        module = find_module() if linked else b""
        return [LiveWriter(scene, style, pages, frozenset(), page=page, module=module)]
    first, end = engine.first_time(scene), steps * scene.world.dt
    times = [time for time in frame_times(scene, steps=steps, fps=style.fps) if time >= first]
    if longest is not None and longest < end:
        times = [time for time in times if time < longest] or times[:1]
        end = longest
    return [Filmer(scene, style, pages, frozenset([*times, end]), mute=look.mute)]


def _style_of(scene: Scene, look: Look) -> Style:
    """The style of a scene's page. Raises UsageError for an impossible look."""
    renderer = Renderer(
        scene, size=look.size, overlays=overlays_of(scene, look), theme=look.theme, fps=look.fps
    )
    theme = scene.render.theme if look.theme is None else look.theme
    return Style(renderer.size, renderer.overlays, theme, renderer.fps, look.theme is not None)
