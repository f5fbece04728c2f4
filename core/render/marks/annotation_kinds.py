# SPDX-License-Identifier: MIT
"""The kinds of annotations, one class each, and the table of them.

A kind defines its place in a frame, its label, its drawing, and its further data for a
page.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from typing import Any, ClassVar

from ...record.frame import Frame
from ...scene.model import Annotation, Scene
from ...scene.values.expression import StateExpression, compile_state
from ...scene.values.text_template import Field, Formula, TextTemplate, written
from ...view.boxes import Box
from ...view.camera import View
from ...view.plot_values import passed_values, value_of
from ...view.strips import fitting, plot_scale, plot_size
from ...view.survey import Survey
from ..canvas.colors import Color, fade, parse_color
from ..canvas.display import Items
from ..canvas.formulas import without_signs
from ..canvas.text import font_of
from ..canvas.theme import Theme
from .annotation_places import Pixel, Places
from .axes import CORNERS, in_corner, least_hiding
from .plot_panels import Panel, PanelPen, more_rows, words_of
from .plots import Plot, Sample, peaks, plot_window

EDGE = 9.0
"""Distance of annotations in a corner from the picture's edges, at picture size ``unit`` 1."""
LINE = 1.3
"""Height of a line of text, in letters."""
ABOVE = 7.0
"""Height of a text above the body that it follows."""

Points = tuple[Pixel, ...]


class Mark:
    """An annotation of a scene, with its expressions compiled and its colour chosen.

    Attributes:
        has_memory: whether its drawing depends on earlier frames.
    """

    has_memory: ClassVar[bool] = False

    def __init__(self, what: Annotation, places: Places) -> None:
        self.what, self._places = what, places
        self._lettering = places.lettering.in_font(font_of(what.font))
        scene = places.scene
        self._values = [compile_state(source, scene) for source in what.expressions]
        condition = what.condition
        self._condition = compile_state(condition, scene) if condition else None
        pieces = TextTemplate(what.text).pieces
        self._pieces = [self._compiled(piece, scene) for piece in pieces]
        usual = self.usual_color(places.theme)
        self.color = usual if what.color is None else parse_color(what.color)

    def _compiled(
        self, piece: str | Field | Formula, scene: Scene
    ) -> str | tuple[StateExpression, str]:
        """A piece of a text: plain, with signs for formulas, or a value and its format."""
        if isinstance(piece, str):
            return without_signs(piece)
        if isinstance(piece, Formula):
            return self._lettering.formula(piece.source)
        return compile_state(piece.expression.source, scene), piece.spec

    # ------------------------------------------------------------ what kinds say

    @classmethod
    def wants_contacts(cls, what: Annotation, scene: Scene) -> bool:
        """Whether such an annotation needs the contacts of a frame."""
        return False

    @classmethod
    def look(cls, what: Annotation, scene: Scene) -> dict[str, Any]:
        """The data of an annotation for a page, in addition to those of all."""
        return {}

    def usual_color(self, theme: Theme) -> Color:
        """Its colour where the scene gives none."""
        return theme.ink

    def settle(self, frame: Frame, view: View, taken: Sequence[Box]) -> None:
        """Choose its place in the first frame, if it is to be chosen."""

    def note(self, frame: Frame) -> None:
        """Record a frame, whether the annotation is visible in it or not."""

    def points(self, frame: Frame) -> Points | None:
        """The points of the world that it is drawn at; None where it is nowhere."""
        raise NotImplementedError

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        """Draw it; the box of the picture that it takes for itself alone, if any."""
        raise NotImplementedError

    def label(self, frame: Frame, points: Sequence[Pixel]) -> str:
        """Its text in a frame, with the values there."""
        return self.text(frame)

    def plotted(self, frame: Frame) -> list[float]:
        """The values of its lines in a frame, if it is a plot."""
        return []

    def passed(self, frame: Frame) -> list[list[float]]:
        """The values of its lines at the steps that passed before a frame, if it is a plot."""
        return [[] for _ in (() if frame.passed is None else frame.passed.times)]

    # ------------------------------------------------------------ what all have

    def is_shown(self, frame: Frame) -> bool:
        """Return whether it is shown in a frame: by its time and its condition."""
        return self.what.start <= frame.time < self.what.until and self._holds(frame)

    def _holds(self, frame: Frame) -> bool:
        """Whether its condition is true in a frame; where that has no value, it is not."""
        return self._condition is None or value_of(self._condition, frame.values) > 0.0

    def _write(self, items: Items, line: str, at: Pixel, letters: float) -> None:
        self._places.write(items, self._lettering, line, at, self.color, letters)

    def _drop(self, line: str, letters: float) -> float:
        """Downward shift of a line whose formulas reach further up than down."""
        up, down = self._lettering.beyond(line, letters)
        return 0.5 * (up - down)

    def values(self, frame: Frame) -> list[float]:
        """The values of its expressions."""
        return [value_of(each, frame.values) for each in self._values]

    def text(self, frame: Frame) -> str:
        """The text of the scene with values in its braces."""
        parts = [
            piece if isinstance(piece, str) else written(value_of(piece[0], frame.values), piece[1])
            for piece in self._pieces
        ]
        return "".join(parts)


class TextMark(Mark):
    """A text at a point, along with a body, or in a corner."""

    def points(self, frame: Frame) -> Points | None:
        what = self.what
        if what.corner is not None:
            return ()
        place = what.at if what.at is not None else self._places.top(what.follow or "", frame)
        return None if place is None else (place,)

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        if self.what.corner is not None:
            return self._add_in_corner(items, self.what.corner, frame, taken)
        what, places = self.what, self._places
        letters = what.size * places.unit
        lines, high = self._lines(frame, letters)
        found = self.points(frame)
        if found is None:
            return None
        x, y = view.pixel(*found[0])
        top = y - 0.5 * high
        if what.at is None:
            top = y - ABOVE * places.unit - high
        for line, below in lines:
            self._write(items, line, (x, top + below), letters)
        return None

    def _add_in_corner(self, items: Items, corner: str, frame: Frame, taken: Sequence[Box]) -> Box:
        places = self._places
        letters = self.what.size * places.unit
        lines, high = self._lines(frame, letters)
        wide = max(self._lettering.width(line, letters) for line, _ in lines)
        box = in_corner(corner, places.size, wide, high, EDGE * places.unit, taken)
        align = 0.0 if corner.endswith("left") else 1.0 if corner.endswith("right") else 0.5
        x = box[0] + align * wide
        for line, below in lines:
            at = (x, box[1] + below)
            self._lettering.add(items, line, at, self.color, letters, align=align)
        return box

    def _lines(self, frame: Frame, letters: float) -> tuple[list[tuple[str, float]], float]:
        """The lines of its text, each with how far it is below the top, and the height of all."""
        placed: list[tuple[str, float]] = []
        high = 0.0
        for line in self.text(frame).split("\n"):
            up, down = self._lettering.beyond(line, letters)
            placed.append((line, high + up))
            high += up + LINE * letters + down
        return placed, high


class VectorMark(Mark):
    """An arrow: a velocity, a force, or two expressions."""

    @classmethod
    def wants_contacts(cls, what: Annotation, scene: Scene) -> bool:
        return what.vector.endswith(".force") and what.vector[:-6] in scene.bodies

    @classmethod
    def look(cls, what: Annotation, scene: Scene) -> dict[str, Any]:
        return {"force": what.vector.endswith(".force")}

    def usual_color(self, theme: Theme) -> Color:
        return theme.push if self.what.vector.endswith(".force") else theme.velocity

    def points(self, frame: Frame) -> Points | None:
        found = self._vector(frame)
        if found is None:
            return None
        (x, y), (vx, vy), usual = found
        scale = usual if self.what.scale is None else self.what.scale
        return ((x, y), (x + vx * scale, y + vy * scale))

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        what, places = self.what, self._places
        found = self._vector(frame)
        if found is None:
            return None
        (x, y), (vx, vy), usual = found
        scale = usual if what.scale is None else what.scale
        start = view.pixel(x, y)
        tip = (start[0] + vx * scale * view.scale_x, start[1] + vy * scale * view.scale_y)
        dx, dy = tip[0] - start[0], tip[1] - start[1]
        length = sqrt(dx * dx + dy * dy)
        if not isfinite(length) or length < 2.0:
            return None
        k = places.unit
        items.add("arrow", [start, tip], self.color, radius=1.2 * k, a=9.0 * k, b=4.2 * k)
        letters = what.size * k
        text = self.text(frame)
        aside = 0.6 * letters + 0.5 * self._lettering.width(text, letters)
        beyond = (tip[0] + dx / length * aside, tip[1] + dy / length * letters)
        at = (beyond[0], beyond[1] - 0.62 * letters + self._drop(text, letters))
        self._write(items, text, at, letters)
        return None

    def _vector(self, frame: Frame) -> tuple[Pixel, tuple[float, float], float] | None:
        """Return the start, the value and the default scale of a vector; None without a place."""
        what, places = self.what, self._places
        if not what.vector:
            place = what.at or places.place(what.follow or "", frame)
            x, y = self.values(frame)
            return None if place is None else (place, (x, y), 1.0)
        owner, _, quantity = what.vector.rpartition(".")
        if quantity == "velocity":
            place = places.place(owner, frame, center=True)
            velocity = self._velocity(owner, frame)
            return None if place is None else (place, velocity, places.of_velocity)
        if owner in places.joints:
            row = places.joints[owner]
            joint = places.scene.joints[owner]
            place = places.on(joint.body_b, joint.anchor_b, frame)
            fx, fy = (float(part) for part in frame.joint_force[row, :2])
            return None if place is None else (place, (fx, fy), places.of_force)
        place = places.place(owner, frame, center=True)
        return None if place is None else (place, self._pressed(owner, frame), places.of_force)

    def _velocity(self, name: str, frame: Frame) -> tuple[float, float]:
        places = self._places
        body, _, point = name.partition(".points.")
        row = places.rows[body]
        vx, vy, omega = (float(part) for part in frame.velocity[row])
        if point:
            center = places.place(body, frame, center=True)
            place = places.place(name, frame)
            if center is not None and place is not None:
                vx -= omega * (place[1] - center[1])
                vy += omega * (place[0] - center[0])
        return vx, vy

    def _pressed(self, name: str, frame: Frame) -> tuple[float, float]:
        """The sum of the normal forces on a body."""
        contacts, row = frame.contacts, self._places.rows[name]
        if contacts is None:
            return 0.0, 0.0
        sign = (contacts.bodies[:, 1] == row).astype(float) - (contacts.bodies[:, 0] == row)
        forces = (sign * contacts.normal_force)[:, None] * contacts.normal
        return fsum(forces[:, 0].tolist()), fsum(forces[:, 1].tolist())


class DimensionMark(Mark):
    """The distance of two ends: a line with arrows, and thin lines from the ends to it."""

    def points(self, frame: Frame) -> Points | None:
        """The two ends of a dimension, and the two of its line; None where it has no length."""
        what = self.what
        ends = [self._places.place(e, frame) if isinstance(e, str) else e for e in what.ends]
        if ends[0] is None or ends[1] is None:
            return None
        (ax, ay), (bx, by) = ends[0], ends[1]
        length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        if not isfinite(length) or length == 0.0:
            return None
        nx, ny = -(by - ay) / length * what.offset, (bx - ax) / length * what.offset
        return (ax, ay), (bx, by), (ax + nx, ay + ny), (bx + nx, by + ny)

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        what, k = self.what, self._places.unit
        found = self.points(frame)
        if found is None:
            return None
        start, end, a, b = (view.pixel(*place) for place in found)
        if what.offset:
            thin = fade(self.color, 0.5)
            items.add("path", [start, a], thin, radius=0.4 * k)
            items.add("path", [end, b], thin, radius=0.4 * k)
        middle = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
        for end in (a, b):
            items.add("arrow", [middle, end], self.color, radius=0.5 * k, a=6.0 * k, b=2.4 * k)
        letters = what.size * k
        label = self.label(frame, found)
        at = (middle[0], middle[1] - 0.62 * letters + self._drop(label, letters))
        self._write(items, label, at, letters)
        return None

    def label(self, frame: Frame, points: Sequence[Pixel]) -> str:
        text = self.text(frame)
        if text:
            return text
        (ax, ay), (bx, by) = points[:2]
        length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        return f"{length:.2f} {self._places.scene.units.length}"


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
        ahead = [survey.plotted(source) for source in what.expressions] if survey else ()
        self._plot = Plot(what, scene.units.time_per_second, end, ahead)
        self._words = words_of(what, scene)
        lines = places.theme.lines
        own = None if what.color is None else parse_color(what.color)
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

    def points(self, frame: Frame) -> Points | None:
        return ()

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        if not self.corner:
            return None
        box = self._box(self.corner, taken)
        self.draw(items, frame, box, self._scale())
        return box

    def draw(self, items: Items, frame: Frame, box: Box, k: float) -> None:
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
        wide, high = self.size(plain)[0], sum(mark.size(plain)[1] for mark in (self, *self.shares))
        return fitting(plain, (wide, high), self._places.size)

    def _box(self, corner: str, taken: Sequence[Box]) -> Box:
        places, k = self._places, self._scale()
        wide, high = self.size(k)[0], sum(mark.size(k)[1] for mark in (self, *self.shares))
        return in_corner(corner, places.size, wide, high, EDGE * places.unit, taken)


KINDS: dict[str, type[Mark]] = {
    "text": TextMark,
    "vector": VectorMark,
    "dimension": DimensionMark,
    "plot": PlotMark,
}
