# SPDX-License-Identifier: MIT
"""The shapes of bodies as a script's native program measures them: areas, sides and distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from ....scene.model import Body, Point
from ...aggregates import area_of
from ...building.primitives import convex_pieces
from .writer import NONE, Writer

_Part = tuple[float, Sequence[Point]]


def form_of(body: Body) -> bytes:
    """The shapes of a body, as ``Form`` of ``native/script/values.h``."""
    to = Writer()
    to.real(area_of(body))
    outlines = [(shape.radius, shape.points) for shape in body.shapes if shape.points]
    solid = [shape for shape in body.shapes if not shape.sensor]
    borders = [shape.points for shape in solid if shape.kind == "half_space"]
    solids: list[_Part] = [
        (shape.radius, points)
        for shape in solid
        if shape.kind != "half_space"
        for points in convex_pieces(shape)
    ]
    for parts in (outlines, solids):
        to.each(parts, partial(_put_part, to))
    to.each(borders, lambda ends: to.real(*ends[0], *ends[1]))
    return to.bytes()


def _put_part(to: Writer, part: _Part) -> None:
    radius, points = part
    to.real(radius)
    to.reals(number for point in points for number in point)


def side_places(y_down: bool) -> dict[str, int]:
    """The places of the sides of a box, as seen on the screen, among the native ones."""
    low, high = ("top", "bottom") if y_down else ("bottom", "top")
    return {"left": 0, "right": 1, low: 2, high: 3}


@dataclass(slots=True)
class ProgramForms:
    """The forms of a program.

    Attributes:
        needed: whether anything is measured.
    """

    needed: bool = False
    _places: dict[bytes, int] = field(default_factory=dict)

    def place(self, body: Body) -> int:
        """The place of a body's form; NONE where nothing is measured."""
        return self._places.setdefault(form_of(body), len(self._places)) if self.needed else NONE

    def put(self, to: Writer, bodies: Sequence[Body]) -> None:
        """Write all forms, and those of the scene's bodies. Those of other bodies are known."""
        own = [NONE, *map(self.place, bodies)] if self.needed else []
        self.put_all(to)
        to.places(own)

    def put_all(self, to: Writer) -> None:
        """Write the forms of all bodies so far."""
        to.each([*self._places], to.raw)
