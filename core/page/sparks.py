"""Particles as the page takes them: where each began and how it flies; the rest follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..record.frame import Frame
from ..render.colors import parse_color
from ..render.particles import Particle, Particles
from ..scene.model import Scene
from .codes import Blob
from .themes import written

PIXEL_PARTS = 16
"""Places are kept to this part of a pixel of the picture as it begins, as after a whole life."""
MOST_PARTICLES = 200_000
"""A page holds the particles of a run with at most so many of them."""


def emitters(scene: Scene) -> list[dict[str, Any]]:
    """How the particles of each emitter look, and how many come."""
    return [
        {
            "rate": each.rate,
            "life": each.life,
            "size": each.size,
            "colors": [written(parse_color(color)) for color in each.colors],
        }
        for each in scene.particles.values()
    ]


def add_sparks(blob: Blob, scene: Scene, frames: Sequence[Frame], scale: float) -> bool:
    """Pack all particles of a run, one emitter after the other; whether they are not too many."""
    found: list[list[Particle]] = [[] for _ in scene.particles]
    given, total = Particles(scene), 0
    for frame in frames if scene.particles else ():
        for those, there in zip(found, given.follow(frame.scene or scene, frame), strict=True):
            last = those[-1].number if those else -1
            came = [each for each in there if each.number > last]
            those.extend(came)
            total += len(came)
        if total > MOST_PARTICLES:
            return False
    flat = [each for those in found for each in those]
    life = max((each.life for each in scene.particles.values()), default=1.0)
    step = 1.0 / (PIXEL_PARTS * scale)
    blob.add("spark.count", np.array([len(those) for those in found], np.int64))
    blob.add("spark.number", np.array([each.number for each in flat], np.int64), "delta")
    starts = np.array([each.start for each in flat]).reshape(-1, 2)
    blob.add("spark.place", starts, "delta", step)
    velocities = np.array([each.velocity for each in flat]).reshape(-1, 2)
    blob.add("spark.velocity", velocities, "plain", step / life)
    return True


def places_now(scene: Scene, there: Sequence[Sequence[Particle]], time: float) -> np.ndarray:
    """[particles, 4] of which emitter each is, where it is at a time, and its age in lives."""
    rows = []
    for row, (emitter, those) in enumerate(zip(scene.particles.values(), there, strict=True)):
        for each in those:
            far = max(0.0, time - each.number / emitter.rate)
            (x, y), (vx, vy) = each.start, each.velocity
            rows.append((row, x + far * vx, y + far * vy, min(1.0, far / emitter.life)))
    return np.array(rows, np.float32).reshape(-1, 4)
