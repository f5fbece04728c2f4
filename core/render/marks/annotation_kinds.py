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
from ...scene.model import Annotation, Scene
from ...view.boxes import Box
from ...view.camera import View
from ...view.plot_values import Bounds, passed_values
from ...view.strips import fitting, plot_scale, plot_size
from ...view.survey import Survey
from ..canvas.colors import Color, fade
from ..canvas.display import Items
from ..canvas.text import write_rimmed
from ..canvas.theme import given_color
from .annotation_mark import EDGE, Mark, MarkPart, Way
from .annotation_places import Pixel, Places
from .annotation_vectors import FreeBodyMark, ScaleMark, VectorMark
from .axes import CORNERS, in_corner, least_hiding
from .label_places import Label
from .plot_panels import Panel, PanelPen, more_rows, words_of
from .plots import Plot, Sample, peaks, plot_window


class TextMark(Mark):
    """A text at a point, along with a body, or in a corner."""

    def parts(self, frame: Frame) -> list[MarkPart]:
        what = self.what
        if what.corner is not None:
            return [MarkPart((), self.text(frame))]
        place = what.at if what.at is not None else self._places.top(what.follow or "", frame)
        return [] if place is None else [MarkPart((place,), self.text(frame))]

    def draw(self, items: Items, part: MarkPart, view: View) -> None:
        """It is all label."""

    def anchor(self, part: MarkPart, view: View) -> tuple[Pixel, Way, Pixel] | None:
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
            at, colors = (x, box[1] + below), (self.color, places.theme.paper)
            write_rimmed(items, self._lettering, line, at, colors, letters, align)
        return box


class DimensionMark(Mark):
    """The distance of two ends: a line with arrows, and thin lines from the ends to it."""

    def parts(self, frame: Frame) -> list[MarkPart]:
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
        return [MarkPart(points, text)]

    def draw(self, items: Items, part: MarkPart, view: View) -> None:
        k = self._places.unit
        start, end, a, b = (view.pixel(*place) for place in part.points)
        if self.what.offset:
            thin = fade(self.color, 0.5)
            items.add("path", [start, a], thin, radius=0.4 * k)
            items.add("path", [end, b], thin, radius=0.4 * k)
        middle = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
        for end in (a, b):
            items.add("arrow", [middle, end], self.color, radius=0.5 * k, a=6.0 * k, b=2.4 * k)

    def anchor(self, part: MarkPart, view: View) -> tuple[Pixel, Way, Pixel] | None:
        (ax, ay), (bx, by) = (view.pixel(*place) for place in part.points[2:])
        dx, dy = bx - ax, by - ay
        length = sqrt(dx * dx + dy * dy)
        along = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
        return (0.5 * (ax + bx), 0.5 * (ay + by)), "line", along


class PlotMark(Mark):
    """A graph of expressions against time, or of one against another.

    Attributes:
        shares: the marks of the plots below it that share its axis.
        corner: its corner of the picture; empty in a strip beside it, and until one is chosen.
    """

    has_memory = True

    def __init__(self, what: Annotation, places: Places) -> None:
        super().__init__(what, places)
        scene, survey = places.scene, places.survey
        end = scene.world.dt * scene.world.steps
        if survey is not None and survey.end > 0.0:
            end = survey.end
        ahead: Sequence[Bounds] = ()
        if survey is not None:
            bounds_of = survey.typical if what.range == "typical" else survey.plotted
            ahead = [bounds_of(source) for source in what.expressions]
        self._plot = Plot(what, scene.units.time_per_second, end, ahead)
        self._words = words_of(what, scene)
        lines = places.theme.lines
        own = None if what.color is None else given_color(what.color, scene, places.theme)
        self._colors: list[Color] = [
            own if own is not None and i == 0 else lines[i % len(lines)]
            for i in range(len(what.expressions))
        ]
        self.shares: list[PlotMark] = []
        chosen = what.corner in (None, "auto") and what.strip is None and not what.share
        self.corner = "" if chosen or what.strip or what.corner is None else what.corner

    @classmethod
    def look(cls, what: Annotation, scene: Scene) -> dict[str, Any]:
        words = words_of(what, scene)
        return {
            "names": words.names,
            "lines": len(what.expressions),
            "axisUnit": words.unit,
            "across": words.across,
            "single": words.single,
            "legend": what.legend,
            "phase": what.phase,
            "window": plot_window(what, scene.units.time_per_second),
            "ofRun": what.seconds == "run",
            "end": scene.world.dt * scene.world.steps,
            "range": what.range,
            "rangeAcross": what.x_range,
            "strip": what.strip,
            "share": what.share,
            "panel": [what.width, what.height],
        }

    def settle(self, frame: Frame, view: View, taken: Sequence[Box]) -> None:
        what, places = self.what, self._places
        if self.corner or what.strip is not None or what.share:
            return
        survey = places.survey or Survey(places.scene, [frame])
        boxes = [self._box(corner, taken) for corner in CORNERS]
        self.corner = CORNERS[boxes.index(least_hiding(boxes, survey, view))]

    def note(self, frame: Frame) -> None:
        now = (frame.time, *self.values(frame))
        for time, *values in peaks(self._plot.last, self._passed(frame), now):
            self._plot.note(time, values)
        self._plot.note(frame.time, now[1:])

    def _passed(self, frame: Frame) -> list[Sample]:
        times = () if frame.passed is None else frame.passed.times.tolist()
        return [(time, *row) for time, row in zip(times, self.passed(frame), strict=True)]

    def passed(self, frame: Frame) -> list[list[float]]:
        return passed_values(self._values, frame)

    def plotted(self, frame: Frame) -> list[float]:
        return self.values(frame)

    def parts(self, frame: Frame) -> list[MarkPart]:
        return [MarkPart((), self.text(frame))]

    def labels(self, row: int, frame: Frame, view: View) -> list[Label]:
        return []

    def extent(self, frame: Frame, view: View) -> tuple[str, float, float] | None:
        return (self.corner, *self._extent(self._scale())) if self.corner else None

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        if not self.corner:
            return None
        box = self._box(self.corner, taken)
        self.draw_in(items, frame, box, self._scale())
        return box

    def draw_in(self, items: Items, frame: Frame, box: Box, k: float) -> None:
        """Draw it and those that share its place into a box."""
        marks = [self, *self.shares]
        panels = [mark.panel(frame) for mark in marks]
        heights = [mark.size(k)[1] for mark in marks]
        PanelPen(items, self._lettering, self._places.theme, k).add(panels, box, heights)

    def panel(self, frame: Frame) -> Panel:
        """It as it is to be drawn in a frame."""
        return Panel(self._plot, self._words, self._colors, self.text(frame))

    def size(self, k: float) -> tuple[float, float]:
        """Its width and height where a pixel of the plot has the size ``k``."""
        plain = plot_scale(self.what, self._places.unit)
        wide, high = (side * k / plain for side in plot_size(self.what, self._places.unit))
        panel = Panel(self._plot, self._words, self._colors, self.what.text)
        return wide, high + more_rows(panel, self._lettering, wide, k)

    def _scale(self) -> float:
        """The size of its pixels: smaller where it would take too much of the picture."""
        plain = plot_scale(self.what, self._places.unit)
        return fitting(plain, self._extent(plain), self._places.size)

    def _extent(self, k: float) -> tuple[float, float]:
        """The size with those that share its place."""
        return self.size(k)[0], sum(mark.size(k)[1] for mark in (self, *self.shares))

    def _box(self, corner: str, taken: Sequence[Box]) -> Box:
        places, extent = self._places, self._extent(self._scale())
        return in_corner(corner, places.size, *extent, EDGE * places.unit, taken)


KINDS: dict[str, type[Mark]] = {
    "text": TextMark,
    "vector": VectorMark,
    "free_body": FreeBodyMark,
    "scale_bar": ScaleMark,
    "dimension": DimensionMark,
    "plot": PlotMark,
}
