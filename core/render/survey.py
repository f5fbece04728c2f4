# SPDX-License-Identifier: MIT
"""The extents of bodies over a whole run, and of annotations in the world, for ``fit``."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from ..arguments import checked, iterable, one_of
from ..record.frame import Frame
from ..scene.model import Scene
from ..view import survey
from ..view.boxes import union
from .canvas.text import Lettering
from .canvas.theme import THEMES
from .marks.annotations import Annotations


class Survey(survey.Survey):
    """The extent of a run's frames. Add them in the order of time, then ask.

    Besides the bodies it includes the arrows of vectors, dimensions, and the places of texts.

    Args:
        scene: the scene that runs.
        frames: the first frames, if they are at hand; ``add`` takes more.
    """

    @checked(scene=one_of(Scene), frames=iterable)
    def __init__(self, scene: Scene, frames: Iterable[Frame] = ()) -> None:
        size = scene.render.size
        self._annotations = Annotations(scene, THEMES["light"], size, 1.0, Lettering())
        super().__init__(scene, frames)

    @checked(frame=one_of(Frame))
    def add(self, frame: Frame) -> None:
        """Take note of a frame."""
        super().add(frame)
        for part in self._annotations.parts(frame) if self._annotations else ():
            if not all(isfinite(x) and isfinite(y) for x, y in part.points):
                continue
            first = part.points[:1] if part.measured else part.points
            for x, y in first:
                self._marks = union(self._marks, (x, y, x, y))
            if part.measured:
                (x, y), (end_x, end_y) = part.points
                self._arrows.append((x, y, end_x - x, end_y - y, part.by_picture))
