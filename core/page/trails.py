# SPDX-License-Identifier: MIT
"""The trails of bodies for a page: the positions that ``render/marks/trails.py`` keeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..record.frame import Frame
from ..render.marks.trails import SMOOTH, Place, Walks
from ..scene.model import Scene
from ..scene.readings import has_trail
from .codes import Blob
from .film import Cast
from .sketch import Magnification


class Trails:
    """The paths of bodies with trails, in the rows of a page.

    Attributes:
        near: how near to others a position is that they leave out, in scene units.
    """

    def __init__(self, scene: Scene, overlays: Sequence[str], drawn: Magnification) -> None:
        self._scene, self._everyone = scene, "trails" in overlays
        self.near = SMOOTH * drawn.unit / drawn.scale
        self._walks = Walks()
        self._of: tuple[Scene, list[tuple[str, int]]] | None = None

    def follow(self, frame: Frame, cast: Cast) -> list[tuple[int, Place]]:
        """The newly kept positions, each with the row of its body."""
        now = frame.scene or self._scene
        if self._of is None or self._of[0] is not now:
            bodies = enumerate(now.bodies.values())
            self._of = now, [(b.name, i) for i, b in bodies if has_trail(b, self._everyone)]
        rows = self._of[1]
        if not rows:
            return []
        number = dict(zip(now.bodies, cast.bodies(frame), strict=True))
        found = self._walks.follow(frame, rows, self.near)
        return [(int(number[name]), place) for name, place in found]


def add_trails(blob: Blob, cast: Cast, frames: Sequence[Frame], trails: Trails) -> None:
    """Pack the kept positions, of one body after the other: its row, the times, and the places."""
    kept = [one for frame in frames for one in trails.follow(frame, cast)]
    kept.sort(key=lambda one: (one[0], one[1][0]))
    places = np.array([place for _, place in kept]).reshape(-1, 3)
    blob.add("trail.row", np.array([row for row, _ in kept], np.int64), "delta")
    blob.add_exact("trail.time", places[:, 0])
    blob.add_floats("trail.place", places[:, 1:])
