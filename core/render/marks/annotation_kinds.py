# SPDX-License-Identifier: MIT
"""The kinds of annotations, one class each, and the table of them.

A kind defines its place in a frame, its label, its drawing, and its further data for a
page.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Any

from ...record.frame import Frame
from ...scene.model import Annotation
from ...view.boxes import Box
from ...view.camera import View
from ..canvas.colors import fade
from ..canvas.display import Items
from .annotation_mark import EDGE, Mark, Part, Way, value_of
from .annotation_places import Pixel, Places
from .annotation_vectors import FreeBodyMark, ScaleMark, VectorMark
from .axes import in_corner
from .plots import Plot, Sample, peaks, plot_window


class TextMark(Mark):
    """A text at a point, along with a body, or in a corner."""

    def parts(self, frame: Frame) -> list[Part]:
        what = self.what
        if what.corner is not None:
            return [Part((), self.text(frame))]
        place = what.at if what.at is not None else self._places.top(what.follow or "", frame)
        return [] if place is None else [Part((place,), self.text(frame))]

    def draw(self, items: Items, part: Part, view: View) -> None:
        """It is all label."""

    def anchor(self, part: Part, view: View) -> tuple[Pixel, Way, Pixel] | None:
        way: Way = "above" if self.what.at is None else "on"
        return view.pixel(*part.points[0]), way, (0.0, -1.0)

    def extent(self, frame: Frame, view: View) -> tuple[str, float, float] | None:
        if self.what.corner is None:
            return None
        _, size = self.block(self.text(frame), self._letters(frame))
        return (self.what.corner, *size)

    def _letters(self, frame: Frame) -> float:
        """The height of its letters in a corner: smaller where it is wider than the picture."""
        places = self._places
        letters = self.what.size * places.unit
        room = places.size[0] - 2.0 * EDGE * places.unit
        _, (wide, _) = self.block(self.text(frame), letters)
        return letters if wide <= room else letters * room / wide

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        extent, places = self.extent(frame, view), self._places
        if extent is None:
            return None
        corner, wide, high = extent
        letters = self._letters(frame)
        box = in_corner(corner, places.size, wide, high, EDGE * places.unit, taken)
        align = 0.0 if corner.endswith("left") else 1.0 if corner.endswith("right") else 0.5
        x = box[0] + align * wide
        for line, below in self.block(self.text(frame), letters)[0]:
            at = (x, box[1] + below)
            self._lettering.add(items, line, at, self.color, letters, align=align)
        return box


class DimensionMark(Mark):
    """The distance of two ends: a line with arrows, and thin lines from the ends to it."""

    def parts(self, frame: Frame) -> list[Part]:
        """The two ends of a dimension, and the two of its line; none where it has no length."""
        what = self.what
        ends = [self._places.place(e, frame) if isinstance(e, str) else e for e in what.ends]
        if ends[0] is None or ends[1] is None:
            return []
        (ax, ay), (bx, by) = ends[0], ends[1]
        length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        if not isfinite(length) or length == 0.0:
            return []
        nx, ny = -(by - ay) / length * what.offset, (bx - ax) / length * what.offset
        points = (ax, ay), (bx, by), (ax + nx, ay + ny), (bx + nx, by + ny)
        text = self.text(frame) or f"{length:.2f} {self._places.scene.units.length}"
        return [Part(points, text)]

    def draw(self, items: Items, part: Part, view: View) -> None:
        k = self._places.unit
        start, end, a, b = (view.pixel(*place) for place in part.points)
        if self.what.offset:
            thin = fade(self.color, 0.5)
            items.add("path", [start, a], thin, radius=0.4 * k)
            items.add("path", [end, b], thin, radius=0.4 * k)
        middle = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
        for end in (a, b):
            items.add("arrow", [middle, end], self.color, radius=0.5 * k, a=6.0 * k, b=2.4 * k)

    def anchor(self, part: Part, view: View) -> tuple[Pixel, Way, Pixel] | None:
        (ax, ay), (bx, by) = (view.pixel(*place) for place in part.points[2:])
        dx, dy = bx - ax, by - ay
        length = sqrt(dx * dx + dy * dy)
        along = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
        return (0.5 * (ax + bx), 0.5 * (ay + by)), "line", along


class PlotMark(Mark):
    """A graph of expressions against time, or of one against another, in a corner."""

    has_memory = True

    def __init__(self, what: Annotation, places: Places) -> None:
        super().__init__(what, places)
        time_unit = places.scene.units.time_per_second
        self._plot = Plot(what, places.theme, places.unit, time_unit)

    @classmethod
    def look(cls, what: Annotation, time_unit: float) -> dict[str, Any]:
        return {
            "names": what.expressions,
            "phase": what.phase,
            "window": plot_window(what, time_unit),
            "range": what.range,
        }

    def note(self, frame: Frame) -> None:
        now = (frame.time, *self.values(frame))
        for time, *values in peaks(self._plot.last, self._passed(frame), now):
            self._plot.note(time, values)
        self._plot.note(frame.time, now[1:])

    def _passed(self, frame: Frame) -> list[Sample]:
        times = () if frame.passed is None else frame.passed.times.tolist()
        return [(time, *row) for time, row in zip(times, self.passed(frame), strict=True)]

    def passed(self, frame: Frame) -> list[list[float]]:
        if frame.passed is None:
            return []
        names, rows = frame.passed.names, frame.passed.values.tolist()
        moments = [dict(zip(names, row, strict=True)) for row in rows]
        return [[value_of(each, moment) for each in self._values] for moment in moments]

    def plotted(self, frame: Frame) -> list[float]:
        return self.values(frame)

    def parts(self, frame: Frame) -> list[Part]:
        return [Part(())]

    def extent(self, frame: Frame, view: View) -> tuple[str, float, float] | None:
        return (self.what.corner or "top_right", *self._plot.size)

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        corner, places = self.what.corner or "top_right", self._places
        box = in_corner(corner, places.size, *self._plot.size, EDGE * places.unit, taken)
        self._plot.add(items, self._lettering, box)
        return box


KINDS: dict[str, type[Mark]] = {
    "text": TextMark,
    "vector": VectorMark,
    "free_body": FreeBodyMark,
    "scale_bar": ScaleMark,
    "dimension": DimensionMark,
    "plot": PlotMark,
}
