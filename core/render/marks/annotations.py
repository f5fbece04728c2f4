# SPDX-License-Identifier: MIT
"""Annotations: texts with values, vectors, dimensions and plots over the bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from ...record.frame import Frame
from ...scene.model import Scene
from ...view.boxes import Box
from ...view.camera import View
from ...view.strips import Insets, groups, plot_scale, strip_boxes, with_shared
from ...view.survey import Survey
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from .annotation_kinds import KINDS, PlotMark
from .annotation_places import Pixel, Places
from .plots import Sample, peaks


def has_memory(scene: Scene) -> bool:
    """Whether annotations depend on the frames before."""
    return any(KINDS[each.kind].has_memory for each in scene.annotations)


def wants_contacts(scene: Scene) -> bool:
    """Whether annotations need the contacts of a frame."""
    return any(KINDS[each.kind].wants_contacts(each, scene) for each in scene.annotations)


@dataclass(frozen=True, slots=True)
class Note:
    """The content of an annotation at one moment, for other renderers.

    ``places`` are points of the world: where a text is, a vector's ends, a dimension's two ends and
    then those of its line. A text in a corner and a plot have none. ``row`` says which of the
    scene's it is.
    """

    row: int
    text: str
    places: tuple[Pixel, ...]


class Annotations:
    """The annotations of one rendering, drawn frame by frame in the order of time."""

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        lettering: Lettering,
        survey: Survey | None = None,
    ) -> None:
        """``size`` is that of the picture without strips beside it."""
        self.lettering = lettering
        places = Places(scene, theme, size, unit, lettering, survey)
        given = with_shared(scene.annotations)
        self._marks = [KINDS[each.kind](each, places) for each in given]
        self._scene, self._unit, self._settled = scene, unit, False
        for first, *others in groups(scene.annotations):
            head = self._marks[first]
            if isinstance(head, PlotMark):
                shares = (self._marks[row] for row in others)
                head.shares = [mark for mark in shares if isinstance(mark, PlotMark)]

    def __len__(self) -> int:
        return len(self._marks)

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> None:
        """Record this frame and draw its annotations outside of the ``taken`` parts."""
        corners = list(taken)
        for mark in self._marks:
            mark.note(frame)
        for mark in self._marks:
            if not self._settled:
                mark.settle(frame, view, corners)
            box = mark.add(items, frame, view, corners) if mark.is_shown(frame) else None
            if box is not None:
                corners.append(box)
        self._settled = True

    def settle(self, frame: Frame, view: View) -> None:
        """Choose places in a first frame without recording it."""
        corners: list[Box] = []
        for mark in self._marks:
            mark.settle(frame, view, corners)
            box = mark.add(Items(), frame, view, corners) if mark.is_shown(frame) else None
            if box is not None:
                corners.append(box)
        self._settled = True

    def add_strips(
        self, items: Items, frame: Frame, size: tuple[float, float], insets: Insets
    ) -> None:
        """Draw the plots beside a picture, whose size is with strips, after ``add``."""
        for (first, *_), box in strip_boxes(self._scene, size, self._unit, insets):
            mark = self._marks[first]
            if isinstance(mark, PlotMark) and mark.is_shown(frame):
                mark.draw(items, frame, box, plot_scale(mark.what, self._unit))

    def corners(self) -> list[str]:
        """The corner of each annotation, also where it was chosen; empty where it has none."""
        return [
            mark.corner if isinstance(mark, PlotMark) else mark.what.corner or ""
            for mark in self._marks
        ]

    def plotted(self, frame: Frame) -> list[float]:
        """The lines of all plots in a frame, one plot after the other."""
        return [value for mark in self._marks for value in mark.plotted(frame)]

    def passed(self, before: Sample | None, frame: Frame) -> list[Sample]:
        """Peaks of the lines of all plots since the frame before, whose lines are ``before``."""
        if before is None or frame.passed is None or not len(frame.passed.times):
            return []
        times = frame.passed.times.tolist()
        rows = zip(times, *(mark.passed(frame) for mark in self._marks), strict=True)
        samples = [(time, *(value for part in parts for value in part)) for time, *parts in rows]
        later = [sample for sample in samples if sample[0] > before[0]]  # than where one went back
        return peaks(before, later, (frame.time, *self.plotted(frame)))

    def notes(self, frame: Frame) -> list[Note]:
        """The annotations shown in a frame."""
        found = []
        for row, mark in enumerate(self._marks):
            if not mark.is_shown(frame):
                continue
            points = mark.points(frame)
            if points is not None and all(isfinite(x) and isfinite(y) for x, y in points):
                found.append(Note(row, mark.label(frame, points), points))
        return found
