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
from ..canvas.colors import fade
from ..canvas.display import Items
from ..canvas.text import Lettering, write_rimmed
from ..canvas.theme import Theme
from .annotation_kinds import KINDS, PlotMark
from .annotation_mark import Mark, MarkPart, arrow_ends, is_long
from .annotation_places import Places
from .label_places import LabelPlaces, Line, PlacedLabel
from .plots import Sample, peaks


def has_memory(scene: Scene) -> bool:
    """Whether annotations depend on the frames before."""
    return any(KINDS[each.kind].remembers(each) for each in scene.annotations)


def wants_contacts(scene: Scene) -> bool:
    """Whether annotations need the contacts of a frame."""
    return any(KINDS[each.kind].wants_contacts(each, scene) for each in scene.annotations)


@dataclass(frozen=True, slots=True)
class Note:
    """The content of a part of an annotation at one moment, for other renderers, which place its
    label themselves. ``row`` says which of the scene's annotations it is."""

    row: int
    part: MarkPart


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
        self._places = places = Places(scene, theme, size, unit, lettering, survey)
        given = with_shared(scene.annotations)
        self._marks = [KINDS[each.kind](each, places) for each in given]
        self._labels = LabelPlaces(size, unit, scene.render.speed)
        self._scene, self._unit, self._settled = scene, unit, False
        for first, *others in groups(scene.annotations):
            head = self._marks[first]
            if isinstance(head, PlotMark):
                shares = (self._marks[row] for row in others)
                head.shares = [mark for mark in shares if isinstance(mark, PlotMark)]

    def __len__(self) -> int:
        return len(self._marks)

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> list[Box]:
        """Record this frame and draw its annotations outside of the ``taken`` parts; what texts,
        plots and labels take then."""
        self._places.settle(view)
        corners = list(taken)
        shown = self._shown(frame)
        self._add_marks(items, frame, view, corners)
        labels = self._placed(shown, frame, view, corners)
        for placed in labels:
            add_label(items, placed, self._places.theme, self._places.unit)
        return [*corners[len(taken) :], *(placed.box for placed in labels)]

    def rods(self, frame: Frame, view: View) -> list[Line]:
        """The ends of rods, ropes and springs in a frame, in pixels."""
        return self._places.lines(frame, view)

    def settle(self, frame: Frame, view: View) -> None:
        """Choose places and scales in a first frame without recording it."""
        self._places.settle(view)
        self._add_marks(Items(), frame, view, [])

    def _add_marks(self, items: Items, frame: Frame, view: View, corners: list[Box]) -> None:
        """Draw all but labels; ``corners`` are the taken parts, to which theirs are added."""
        for mark in self._marks:
            if not self._settled:
                mark.settle(frame, view, corners)
            box = mark.add(items, frame, view, corners) if mark.is_shown(frame) else None
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
                mark.draw_in(items, frame, box, plot_scale(mark.what, self._unit))

    @property
    def scales(self) -> dict[str, float]:
        """Length units per unit of the vectors of each kind, once a view is settled."""
        return self._places.scales

    def pieces(self) -> list[list[str | tuple[str, str]]]:
        """The pieces of each annotation's text."""
        return [mark.pieces() for mark in self._marks]

    def corners(self) -> list[str]:
        """The corner of each annotation, also where it was chosen; empty where it has none."""
        return [
            mark.corner if isinstance(mark, PlotMark) else mark.what.corner or ""
            for mark in self._marks
        ]

    def _shown(self, frame: Frame) -> list[tuple[int, Mark]]:
        """Record a frame; the annotations that are shown in it."""
        for mark in self._marks:
            mark.note(frame)
        return [(row, mark) for row, mark in enumerate(self._marks) if mark.is_shown(frame)]

    def _placed(
        self, shown: Sequence[tuple[int, Mark]], frame: Frame, view: View, corners: Sequence[Box]
    ) -> list[PlacedLabel]:
        """The labels of a frame at their places."""
        labels = [label for row, mark in shown for label in mark.labels(row, frame, view)]
        if not labels:
            return []
        lines = [
            arrow_ends(part, view)
            for _, mark in shown
            for part in mark.parts(frame)
            if len(part.points) > 1
        ]
        lines += self._places.lines(frame, view)
        arrows = [ends for ends in lines if is_long(*ends)]
        boxes = self._places.boxes(frame, view)
        return self._labels.place(frame.time, labels, corners, arrows, boxes)

    def parts(self, frame: Frame) -> list[MarkPart]:
        """Record a frame; the parts of its annotations."""
        return [part for _, mark in self._shown(frame) for part in mark.parts(frame)]

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

    def notes(self, frame: Frame, view: View) -> list[Note]:
        """The parts of the annotations shown in a frame, which is later than those before."""
        self._places.settle(view)
        found = []
        for row, mark in self._shown(frame):
            for part in mark.parts(frame):
                if all(isfinite(x) and isfinite(y) for x, y in part.points):
                    found.append(Note(row, part))
        return found


def add_label(items: Items, placed: PlacedLabel, theme: Theme, unit: float) -> None:
    """Write a label, with a pale rim round its letters, and a line where it is away."""
    label, box = placed.label, placed.box
    if placed.led:
        end = (min(max(label.anchor[0], box[0]), box[2]), min(max(label.anchor[1], box[1]), box[3]))
        items.add("path", [label.anchor, end], fade(label.color, 0.7), radius=0.45 * unit)
    x = 0.5 * (box[0] + box[2])
    for line, below in label.lines:
        at = (x, box[1] + below)
        write_rimmed(items, label.lettering, line, at, (label.color, theme.paper), label.letters)
