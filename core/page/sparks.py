# SPDX-License-Identifier: MIT
"""Particles for the page: where each starts and how it moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..record.frame import Frame
from ..render.objects.particles import Particle, ParticleLook, Particles
from ..scene.model import Scene
from .codes import Blob
from .themes import written

PIXEL_PARTS = 16
"""Places are kept to this part of a pixel of the picture as it begins, as after a whole life."""
MOST_PARTICLES = 200_000
"""A page holds the particles of a run with at most so many of them."""


def emitters(looks: Sequence[ParticleLook]) -> list[dict[str, Any]]:
    """The look and the rate of particles."""
    return [
        {
            "rate": each.rate,
            "count": each.count,
            "life": each.life,
            "size": each.size,
            "colors": [written(color) for color in each.colors],
        }
        for each in looks
    ]


def add_sparks(
    blob: Blob, scene: Scene, frames: Sequence[Frame], scale: float
) -> list[dict[str, Any]] | None:
    """Pack all particles of a run, one look after the other; these, or None for too many."""
    found: list[list[Particle]] = []
    given, total = Particles(scene), 0
    for frame in frames:
        given.follow(frame.scene or scene, frame)
        found += [[] for _ in given.looks[len(found) :]]
        for those, came in zip(found, given.came(), strict=True):
            those.extend(came)
            total += len(came)
        if total > MOST_PARTICLES:
            return None
    # Of those that came with one frame each emitter's are in order already.
    flat = [each for those in found for each in sorted(those, key=lambda each: each.number)]
    life = max((each.life for each in given.looks), default=1.0)
    step = 1.0 / (PIXEL_PARTS * scale)
    blob.add("spark.count", np.array([len(those) for those in found], np.int64))
    blob.add("spark.number", np.array([each.number for each in flat], np.int64), "delta")
    starts = np.array([each.start for each in flat]).reshape(-1, 2)
    blob.add("spark.place", starts, "delta", step)
    velocities = np.array([each.velocity for each in flat]).reshape(-1, 2)
    blob.add("spark.velocity", velocities, "plain", step / life)
    return emitters(given.looks)


def places_now(
    looks: Sequence[ParticleLook], there: Sequence[Sequence[Particle]], time: float
) -> np.ndarray:
    """[particles, 4] of the row of its look, where each is at a time, and its age in lives."""
    rows = []
    for row, (look, those) in enumerate(zip(looks, there, strict=True)):
        for each in those:
            far = max(0.0, time - look.time(each.number))
            (x, y), (vx, vy) = each.start, each.velocity
            rows.append((row, x + far * vx, y + far * vy, min(1.0, far / look.life)))
    return np.array(rows, np.float32).reshape(-1, 4)
