# SPDX-License-Identifier: MIT
"""Runs a scene once before its pictures, to find their extents."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ..errors import SimulationError
from ..render import Renderer, Survey
from ..render.marks.annotations import wants_contacts
from ..scene.model import Scene
from ..view.fit import fits_run
from ..view.plot_values import plots_ahead
from ..world import frame_times, run
from ..world.running import variant_steps
from .engine import Engine

MOST_LOOKS = 1500
"""So many moments of a run are looked at, at most."""


def looks_ahead(renderer: Renderer) -> bool:
    """Return whether a renderer's pictures depend on later ones."""
    scene = renderer.scene
    return fits_run(scene) or "energy" in renderer.overlays or plots_ahead(scene)


def preview_variants(
    scene: Scene, *, steps: int, fps: float, engine: Engine, watched: Sequence[str] = ()
) -> list[Survey]:
    """A survey of each variant of a scene; ``steps`` are those of the scene itself."""
    variants = () if scene.compare is None else scene.compare.variants
    return [
        preview(
            variant.scene,
            steps=variant_steps(scene, variant.scene, steps),
            fps=fps,
            engine=engine,
            watched=watched,
        )
        for variant in variants
    ]


def preview(
    scene: Scene, *, steps: int, fps: float, engine: Engine, watched: Sequence[str] = ()
) -> Survey:
    """Run a scene without pictures and survey it at the moments of its frames.

    ``watched`` are state names whose values between these count too.

    A run that stops on an error is surveyed up to there: a run of it reports the error.
    """
    times = frame_times(scene, steps=steps, fps=fps)
    times = [*times[:: ceil(len(times) / MOST_LOOKS)], steps * scene.world.dt]
    survey = Survey(scene)
    try:
        frames = run(
            scene,
            steps=steps,
            threads=engine.threads,
            lanes=engine.lanes,
            times=times,
            start=engine.start,
            want_contacts=wants_contacts(scene),
            watched=watched,
        )
        for frame in frames:
            survey.add(frame)
    except SimulationError:
        pass
    return survey
