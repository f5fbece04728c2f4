# SPDX-License-Identifier: MIT
"""A mark: an annotation of a scene as pictures and pages draw it; base class of its kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Any, ClassVar, Literal

from ...record.frame import Frame
from ...scene.model import Annotation, Scene
from ...scene.values.expression import StateExpression, compile_state
from ...scene.values.text_template import Field, TextFormula, TextTemplate, written
from ...view.boxes import Box
from ...view.camera import View
from ...view.plot_values import value_of
from ..canvas.colors import Color, fade
from ..canvas.display import Items
from ..canvas.formulas import without_signs
from ..canvas.text import font_of
from ..canvas.theme import given_color
from .annotation_places import Pixel, Places
from .label_places import Label

EDGE = 9.0
"""Distance of annotations in a corner from the picture's edges, at picture size ``unit`` 1."""
LINE = 1.3
"""Height of a line of text, in letters."""
CUT = 4
"""The number of points of an arrow that is cut,"""
SLASH = 4.5
"""and half the length of the strokes at its gap, at picture size ``unit`` 1."""

Points = tuple[Pixel, ...]
Way = Literal["tip", "line", "above", "on"]


@dataclass(frozen=True, slots=True)
class MarkPart:
    """A part of an annotation at one moment, for pictures and pages.

    Attributes:
        points: points of the world: where a text is, a vector's ends and between them, where it
            is cut, those of its gap, a dimension's two ends and then those of its line. A text in a
            corner and a plot have none.
        text: the label.
        key: which of the parts of its annotation it is.
        tone: its colour where the scene gives none: one of the theme's, or fixed; empty for that of
            all parts.
        thin: whether it is a component of another one.
        measured: whether it is an arrow of a quantity with a unit,
        by_picture: and its length depends on the picture.
    """

    points: Points
    text: str = ""
    key: str = ""
    tone: str = ""
    thin: bool = False
    measured: bool = False
    by_picture: bool = False

    def with_text(self, text: str) -> MarkPart:
        """The same with another label."""
        return replace(self, text=text)


def tone_of(tone: str, places: Places) -> Color:
    """A colour of the theme by its name, or a fixed one."""
    theme = places.theme
    if tone.startswith("#"):
        return given_color(tone, places.scene, theme)
    found: Color = getattr(theme, tone)
    return found


def arrow_ends(part: MarkPart, view: View) -> tuple[Pixel, Pixel]:
    """The ends of an arrow in pixels. Its length may be far beyond the picture's."""
    (ax, ay), (bx, by) = part.points[0], part.points[-1]
    start = view.pixel(ax, ay)
    return start, (start[0] + (bx - ax) * view.scale_x, start[1] + (by - ay) * view.scale_y)


def is_long(start: Pixel, tip: Pixel) -> bool:
    """Whether an arrow is long enough to be drawn."""
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    length = sqrt(dx * dx + dy * dy)
    return isfinite(length) and length >= 2.0


def slash(at: Pixel, start: Pixel, tip: Pixel, half: float) -> list[Pixel]:
    """A stroke across an arrow, oblique to it: its ends."""
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    x, y = (half / sqrt(dx * dx + dy * dy) * each for each in (0.5 * dx - dy, dx + 0.5 * dy))
    return [(at[0] - x, at[1] - y), (at[0] + x, at[1] + y)]


class Mark:
    """An annotation of a scene, with its expressions compiled and its colour chosen.

    Attributes:
        has_memory: whether drawings of its kind depend on earlier frames.
    """

    has_memory: ClassVar[bool] = False

    @classmethod
    def remembers(cls, what: Annotation) -> bool:
        """Whether the drawing of such an annotation depends on earlier frames."""
        return cls.has_memory

    def __init__(self, what: Annotation, places: Places) -> None:
        self.what, self._places = what, places
        self._lettering = places.lettering.in_font(font_of(what.font))
        scene = places.scene
        self._values = [compile_state(source, scene) for source in what.expressions]
        condition = what.condition
        self._condition = compile_state(condition, scene) if condition else None
        pieces = TextTemplate(what.text).pieces
        self._pieces = [self._compiled(piece, scene) for piece in pieces]
        usual = self.usual_color(places)
        given = what.color
        self.color = usual if given is None else given_color(given, scene, places.theme)

    def _compiled(
        self, piece: str | Field | TextFormula, scene: Scene
    ) -> str | tuple[StateExpression, str]:
        """A piece of a text: plain, with signs for formulas, or a value and its format."""
        if isinstance(piece, str):
            return without_signs(piece)
        if isinstance(piece, TextFormula):
            return self._lettering.formula(piece.source)
        return compile_state(piece.expression.source, scene), piece.spec

    def pieces(self) -> list[str | tuple[str, str]]:
        """Its text: plain pieces, with signs for formulas, and sources of values with formats."""
        found: list[str | tuple[str, str]] = []
        fields = iter(TextTemplate(self.what.text).fields)
        for piece in self._pieces:
            if isinstance(piece, str):
                found.append(piece)
            else:
                field = next(fields)
                found.append((field.expression.source, field.spec))
        return found

    # ------------------------------------------------------------ what kinds say

    @classmethod
    def wants_contacts(cls, what: Annotation, scene: Scene) -> bool:
        """Whether such an annotation needs the contacts of a frame."""
        return False

    @classmethod
    def look(cls, what: Annotation, scene: Scene) -> dict[str, Any]:
        """The data of an annotation for a page, in addition to those of all."""
        return {}

    def usual_color(self, places: Places) -> Color:
        """Its colour where the scene gives none."""
        return places.theme.ink

    def settle(self, frame: Frame, view: View, taken: Sequence[Box]) -> None:
        """Choose its place in the first frame, if it is to be chosen."""

    def note(self, frame: Frame) -> None:
        """Record a frame, whether the annotation is visible in it or not."""

    def parts(self, frame: Frame) -> list[MarkPart]:
        """Its parts in a frame, in world coordinates."""
        return []

    def add(self, items: Items, frame: Frame, view: View, taken: Sequence[Box]) -> Box | None:
        """Draw it, but for the labels of its parts; the box that it takes in a corner, if any."""
        for part in self.parts(frame):
            self.draw(items, part, view)
        return None

    def draw(self, items: Items, part: MarkPart, view: View) -> None:
        """Draw a part without its label: an arrow or a dot."""
        k, color = self._places.unit, self.color_of(part)
        if part.thin:
            color = fade(color, 0.8)
        if len(part.points) == 1:
            items.add("circle", [view.pixel(*part.points[0])], color, radius=3.0 * k)
            return
        start, tip = arrow_ends(part, view)
        if is_long(start, tip):
            wide, head = (0.7, 6.0) if part.thin else (1.2, 9.0)
            first = start
            if len(part.points) == CUT:
                before, first = (view.pixel(*point) for point in part.points[1:3])
                items.add("path", [start, before], color, radius=wide * k)
                for end in (before, first):
                    items.add("path", slash(end, start, tip, SLASH * k), color, radius=0.7 * k)
            sharp = 0.47 * head * k
            items.add("arrow", [first, tip], color, radius=wide * k, a=head * k, b=sharp)

    def color_of(self, part: MarkPart) -> Color:
        """The colour of a part: the scene's, or else the part's own."""
        if self.what.color is not None or not part.tone:
            return self.color
        return tone_of(part.tone, self._places)

    def extent(self, frame: Frame, view: View) -> tuple[str, float, float] | None:
        """The corner that it is in, and its width and height there; None if it is in none."""
        return None

    def labels(self, row: int, frame: Frame, view: View) -> list[Label]:
        """The labels of its parts."""
        found = []
        for part in self.parts(frame) if self.extent(frame, view) is None else ():
            at = self.anchor(part, view)
            if not part.text or at is None:
                continue
            letters = self.what.size * self._places.unit * (0.85 if part.thin else 1.0)
            lines, size = self.block(part.text, letters)
            anchor, way, along = at
            key, color = (row, part.key), self.color_of(part)
            look = (color, letters, self._lettering)
            seen = any(self._places.is_seen(view.pixel(*point)) for point in part.points)
            base = view.pixel(*part.points[0])
            found.append(Label(key, tuple(lines), size, anchor, base, way, along, *look, seen))
        return found

    def anchor(self, part: MarkPart, view: View) -> tuple[Pixel, Way, Pixel] | None:
        """The place and the side of a part's label, and the direction of the named part."""
        start, tip = arrow_ends(part, view)
        if not is_long(start, tip):
            return None
        dx, dy = tip[0] - start[0], tip[1] - start[1]
        length = sqrt(dx * dx + dy * dy)
        return tip, "tip", (dx / length, dy / length)

    def block(self, text: str, letters: float) -> tuple[list[tuple[str, float]], Pixel]:
        """The lines of a text, each with how far it is below the top, and the size of all."""
        placed: list[tuple[str, float]] = []
        high = 0.0
        for line in text.split("\n"):
            up, down = self._lettering.beyond(line, letters)
            placed.append((line, high + up))
            high += up + LINE * letters + down
        wide = max(self._lettering.width(line, letters) for line, _ in placed)
        return placed, (wide, high)

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
