# SPDX-License-Identifier: MIT
"""The pictures of a run: which moments are drawn, by which renderer, into which files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..record import Frame
from ..render import Renderer, Survey, VariantsRenderer, open_encoder
from ..render.encoders import Encoder
from ..render.marks.annotations import has_memory
from ..render.sounds import Track
from ..scene.model import Scene
from ..scene.readings import ENERGIES, trail_readings
from ..world import frame_times
from .engine import Engine
from .preview import looks_ahead, preview, preview_variants
from .targets import MOVIES, Look, Target

if TYPE_CHECKING:
    from ..scene.event_model import Prototype

UInt8 = NDArray[np.uint8]


@dataclass
class Artist:
    """Draws the moments ``times`` and passes those in ``shown`` to its encoders.

    If the scene compares variants, a moment has a frame of each.

    Other moments are drawn only because later pictures depend on them. Movies
    share one artist; a single picture has its own, so that it does not change the
    movies.
    """

    renderer: Renderer | VariantsRenderer
    targets: Sequence[Target]
    times: frozenset[float]
    shown: frozenset[float]
    is_movie: bool
    encoders: list[Encoder]
    sound: Track | None = None  # of movies that can have one
    full_colors: bool = False  # of MP4
    last: float = -1.0  # the latest moment that was seen
    drawn: int = 0  # how many of those shown the run has come to

    @property
    def watched(self) -> tuple[str, ...]:
        """The state names that it reads at every step, besides those of plots."""
        return _watched(self.renderer)

    def open(self) -> None:
        """Open the files."""
        renderer = self.renderer
        for target in self.targets:
            encoder = open_encoder(
                target.path,
                target.kind,
                renderer.fps,
                renderer.size,
                colors=renderer.colors(),
                small=target.small,
                sound=self.sound,
                full_colors=self.full_colors,
            )
            self.encoders.append(encoder)

    def see(self, moment: float, frames: tuple[Frame, ...]) -> None:
        """Draw a frame, if this artist draws that moment."""
        if moment not in self.times:
            return
        self.last = moment
        image = self._draw(frames)
        if moment in self.shown:
            self.drawn += 1
            for encoder in self.encoders:
                encoder.add(image)

    def _draw(self, frames: tuple[Frame, ...]) -> UInt8:
        if isinstance(self.renderer, Renderer):
            return self.renderer.draw(frames[0])
        return self.renderer.draw(frames)

    def end(self, frames: tuple[Frame, ...]) -> None:
        """End the run; a picture of a later moment shows the end of the run."""
        if not self.is_movie and self.shown and self.last < min(self.shown):
            image = self._draw(frames)
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


def artists(
    scene: Scene,
    targets: Sequence[Target],
    steps: int,
    at: float | None,
    look: Look,
    longest: float | None,
    engine: Engine,
) -> list[Artist]:
    """The artist that draws ``targets``; see ``produce`` for the arguments.

    ``engine`` says how to run it, for a run ahead of the pictures.
    """
    movies = [target for target in targets if target.kind in MOVIES]
    pictures = [target for target in targets if target.kind == "png"]
    end = steps * scene.world.dt
    moment = end if at is None else at
    first = engine.first_time(scene)
    times = [time for time in frame_times(scene, steps=steps, fps=look.fps) if time >= first]
    if longest is not None:
        times = [time for time in times if time < longest] or times[:1]
        end = min(end, max(longest, moment if pictures else 0.0))
    draw = who_draws(scene, look, round(end / scene.world.dt), engine)
    found = []
    if movies:
        every = frozenset(times)
        movie = Artist(draw(), movies, every, every, True, [], full_colors=look.full_colors)
        found.append(movie)
    if pictures:
        renderer = draw()
        before = [time for time in times if time < moment]
        if not _has_memory(scene, renderer):
            before = [*before[:1], *before[_oldest(scene, before, moment) :]]
        seen = frozenset([*before, moment])
        found.append(Artist(renderer, pictures, seen, frozenset([moment]), False, []))
    return found


def who_draws(
    scene: Scene, look: Look, steps: int, engine: Engine
) -> Callable[[], Renderer | VariantsRenderer]:
    """Makes renderers with a survey of the run, if the camera needs one."""
    overlays = overlays_of(scene, look)
    ahead = Renderer(scene, size=look.size, overlays=overlays, theme=look.theme, fps=look.fps)
    names = _watched(ahead)
    survey: Survey | None = None
    surveys: list[Survey] | None = None
    if looks_ahead(ahead):
        if scene.compare is None:
            survey = preview(scene, steps=steps, fps=ahead.fps, engine=engine, watched=names)
        else:
            surveys = preview_variants(
                scene, steps=steps, fps=ahead.fps, engine=engine, watched=names
            )

    def make() -> Renderer | VariantsRenderer:
        kind: Any = Renderer if scene.compare is None else VariantsRenderer
        seen = {"survey": survey} if scene.compare is None else {"surveys": surveys}
        made: Renderer | VariantsRenderer = kind(
            scene, size=look.size, overlays=overlays, theme=look.theme, fps=look.fps, **seen
        )
        return made

    return make


def _watched(renderer: Renderer | VariantsRenderer) -> tuple[str, ...]:
    energies = ENERGIES if "energy" in renderer.overlays else ()
    return (*energies, *trail_readings(renderer.scene, renderer.overlays))


def overlays_of(scene: Scene, look: Look) -> tuple[str, ...] | None:
    """The scene's overlays and those asked for besides; None where that is the scene's affair."""
    if not look.overlays:
        return None
    return tuple(dict.fromkeys([*scene.render.overlays, *look.overlays]))


def _oldest(scene: Scene, times: Sequence[float], moment: float) -> int:
    """The first of the times that a picture of a moment has to know of for its particles: that
    before the oldest of them came."""
    owners: tuple[Scene | Prototype, ...] = (scene, *scene.prototypes.values())
    lives = [each.life for owner in owners for each in owner.particles.values()]
    return max(0, bisect_right(times, moment - max(lives)) - 1) if lives else len(times)


def _has_memory(scene: Scene, renderer: Renderer | VariantsRenderer) -> bool:
    """Whether a picture depends on those before it, other than on the first, which frames it."""
    return (
        scene.camera.mode == "follow"
        or any(name in renderer.overlays for name in ("trails", "energy"))
        or has_memory(scene)
        or any(body.trail is not None for body in scene.bodies.values())
    )
