# SPDX-License-Identifier: MIT
"""The outlines of a drawing's elements as points, in the coordinates of the drawing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from ..limits import CHAIN_POINTS
from ..model import Point
from ..values.portable_math import cos, sin
from ..values.svg_path import (
    MOST_PIECES,
    TOLERANCE,
    DataError,
    Matrix,
    Subpath,
    apply,
    arc_pieces,
    multiply,
    read_numbers,
    read_path,
    read_transform,
)
from .svg_elements import Element

UNSEEN = ("defs", "symbol", "clipPath", "mask", "pattern", "marker", "metadata", "style", "script")
"""Elements whose inside is not drawn where it stands."""
_LENGTH = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-z%]*)\s*")
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 960 / 25.4, "in": 96}
_QUARTER = 0.5 * math.pi


class Cut(NamedTuple):
    """Tolerance of the polyline approximation of curves, and the limit of points."""

    tolerance: float = TOLERANCE
    pieces: int = MOST_PIECES  # of one curve
    points: int = CHAIN_POINTS  # of all of an element


_OF_DRAWINGS = Cut()


def read_length(element: Element, name: str) -> float:
    """A length in pixels, 0 where it is not given."""
    text = element.attributes.get(name, "0")
    match = _LENGTH.fullmatch(text)
    if match is None or match[2] not in _UNITS:
        known = ", ".join(unit for unit in _UNITS if unit)
        raise element.fail("wrong-unit", f"must be a length in {known}, not {text[:40]!r}", name)
    value = float(match[1]) * _UNITS[match[2]]
    if not math.isfinite(value):
        raise element.fail("out-of-range", "is too large", name)
    return value


def transformed(element: Element, matrix: Matrix) -> Matrix:
    """Return the transform of an element's content, from that of its parent."""
    if "transform" in element.attributes:
        if element.transform is None:
            try:
                element.transform = read_transform(element.attributes["transform"])
            except DataError as error:
                raise element.fail("syntax", str(error), "transform") from None
        matrix = multiply(matrix, element.transform)
    if element.name == "svg" and element.path != "svg":
        offset = read_length(element, "x"), read_length(element, "y")
        matrix = multiply(matrix, (1.0, 0.0, 0.0, 1.0, *offset))
    return matrix


def lines_of(element: Element, matrix: Matrix, cut: Cut = _OF_DRAWINGS) -> list[Subpath]:
    """The lines that an element draws, none where it has no size. ``matrix`` is its transform."""
    return OUTLINES[element.name](element, matrix, cut)


def _rectangle(element: Element, matrix: Matrix, cut: Cut) -> list[Subpath]:
    x, y, width, height = (read_length(element, name) for name in ("x", "y", "width", "height"))
    if not (width > 0 and height > 0):
        return []
    rx, ry = (read_length(element, name) for name in ("rx", "ry"))
    rx, ry = min(rx or ry, width / 2), min(ry or rx, height / 2)
    if not (rx > 0 and ry > 0):
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        return [Subpath([apply(matrix, corner) for corner in corners], True)]
    points: list[Point] = []
    right, bottom = x + width - rx, y + height - ry
    for i, center in enumerate(
        ((right, bottom), (x + rx, bottom), (x + rx, y + ry), (right, y + ry))
    ):
        points += _arc(element, matrix, cut, center, rx, ry, i * _QUARTER, _QUARTER)
    return [Subpath(points, True)]


def _ellipse(element: Element, matrix: Matrix, cut: Cut) -> list[Subpath]:
    center = read_length(element, "cx"), read_length(element, "cy")
    radius = read_length(element, "r")
    rx, ry = (
        (radius, radius) if radius else (read_length(element, "rx"), read_length(element, "ry"))
    )
    if not (rx > 0 and ry > 0):
        return []
    return [Subpath(_arc(element, matrix, cut, center, rx, ry, 0.0, 4 * _QUARTER)[:-1], True)]


def _arc(
    element: Element,
    matrix: Matrix,
    cut: Cut,
    center: Point,
    rx: float,
    ry: float,
    start: float,
    sweep: float,
) -> list[Point]:
    """Points on a part of an ellipse along the axes, the first and the last included."""
    reach = max(rx, ry) * max(map(abs, matrix[:4]))
    try:
        pieces = max(arc_pieces(reach, sweep, cut.tolerance, cut.pieces), 2)
    except DataError as error:
        raise element.fail("out-of-range", str(error)) from None
    if pieces > cut.points:
        raise element.fail("limit", f"has more than {cut.points:,} points; that is the limit")
    turns = [start + sweep * i / pieces for i in range(pieces + 1)]
    return [apply(matrix, (center[0] + rx * cos(t), center[1] + ry * sin(t))) for t in turns]


def _straight(element: Element, matrix: Matrix, cut: Cut) -> list[Subpath]:
    ends = [(read_length(element, f"x{i}"), read_length(element, f"y{i}")) for i in (1, 2)]
    return [Subpath([apply(matrix, end) for end in ends])]


def _corners(element: Element, matrix: Matrix, cut: Cut) -> list[Subpath]:
    try:
        numbers = read_numbers(element.attributes.get("points", ""))
    except DataError as error:
        raise element.fail("syntax", str(error), "points") from None
    if len(numbers) % 2:
        raise element.fail("syntax", "needs an even number of numbers", "points")
    points = [apply(matrix, point) for point in zip(numbers[::2], numbers[1::2], strict=True)]
    return [Subpath(points, element.name == "polygon")]


def _path(element: Element, matrix: Matrix, cut: Cut) -> list[Subpath]:
    try:
        return read_path(element.attributes.get("d", ""), matrix, *cut)
    except DataError as error:
        raise element.fail("syntax", str(error), "d") from None


OUTLINES: dict[str, Callable[[Element, Matrix, Cut], list[Subpath]]] = {
    "rect": _rectangle,
    "circle": _ellipse,
    "ellipse": _ellipse,
    "line": _straight,
    "polyline": _corners,
    "polygon": _corners,
    "path": _path,
}
