# SPDX-License-Identifier: MIT
"""The pictures of a scene that a body shows: it is run and drawn as for a movie of its own."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from ..errors import SimulationError
from ..scene.model import InnerScene
from ..world import run
from .artist import Artist, who_draws
from .engine import Engine
from .targets import Look
from .variant_runs import show

UInt8 = NDArray[np.uint8]

KEPT = 4
"""Of so many scenes the pictures are kept for those who draw them again."""


class _PictureKeeper:
    """An encoder that keeps its pictures."""

    def __init__(self) -> None:
        self.pictures: list[UInt8] = []

    def add(self, image: UInt8) -> None:
        opaque = np.full((*image.shape[:2], 1), 255, np.uint8)
        self.pictures.append(np.concatenate([image, opaque], axis=2))

    def close(self) -> None: ...

    def abort(self) -> None: ...


@lru_cache(maxsize=KEPT)
def inner_pictures(inner: InnerScene) -> tuple[UInt8, ...]:
    """All its pictures [height, width, 4], in their order.

    Where the run ends before the last of them, that shows how it ended.
    """
    scene = inner.scene
    second, dt = scene.units.time_per_second, scene.world.dt
    interval, start = second / inner.fps, inner.start * second
    before = floor(start / interval)
    shown = [start + i * interval for i in range(inner.count)]
    # Trails and cameras that follow remember what was before.
    times = [0.0, *(max(0.0, start - i * interval) for i in range(before, 0, -1)), *shown]
    steps = max(1, ceil((start + inner.duration * second) / dt - 1e-9))
    draw = who_draws(scene, Look(size=inner.size), steps, Engine())
    sheet = _PictureKeeper()
    artist = Artist(draw(), (), frozenset(times), frozenset(shown), False, [sheet])
    moments = sorted(artist.times)
    try:
        frames = run(scene, steps=steps, times=moments, want_contacts=True, watched=artist.watched)
        show(moments, ((each,) for each in frames), [artist])
    except SimulationError as error:
        told = f"the scene {inner.file}, which a body shows: {error}"
        raise SimulationError(told, error.step, error.body) from None
    missing = inner.count - len(sheet.pictures)
    return (*sheet.pictures, *(sheet.pictures[-1:] * missing))
