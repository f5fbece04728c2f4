# SPDX-License-Identifier: MIT
"""The extent of a scene's picture, before it is played."""

from __future__ import annotations

from time import perf_counter

from ..errors import RigidError
from ..render import Survey
from ..render.marks.annotations import wants_contacts
from ..scene.model import Scene
from ..view.boxes import Box
from ..view.fit import fits_run
from ..world import run

PATIENCE = 0.25
"""Seconds for running it ahead; what comes later is not known then."""
FPS = 10.0


def survey(scene: Scene) -> Box | None:
    """Return the box of all motion of the scene within a time budget; None for its start."""
    if not fits_run(scene):
        return None
    seen, end = Survey(scene), perf_counter() + PATIENCE
    try:
        for frame in run(
            scene, fps=FPS / scene.units.time_per_second, want_contacts=wants_contacts(scene)
        ):
            seen.add(frame)
            if perf_counter() > end:
                break
    except RigidError:
        pass  # which the session reports
    return seen.box()
