# SPDX-License-Identifier: MIT
"""Curved outlines, written instead of a list of points.

``{arc: ...}``, ``{bezier: ...}``, ``{spline: ...}``, ``{path: ...}``, ``{svg: ...}`` and ``{points:
...}``. All end as points, so close together that the line between them is nowhere further from the
curve than the tolerance, or than a thousandth of its size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...nearest import nearest_word
from .. import limits
from ..model import Point
from . import units
from .context import Context, Wrong
from .kinds import Kind, ListOf, Text, Tuple, missing_key, nearest, show
from .polygon import size_of
from .portable_math import cos, sin
from .quantity import Quantity

_LENGTH = Quantity((units.LENGTH,))
_SIZE = Quantity((units.LENGTH,), above=0.0)
_ANGLE = Quantity((units.ANGLE,))
_POINT = Tuple(_LENGTH, 2, "a point [x, y]")
_POINTS = ListOf(_POINT, "a list of points [[x, y], ...]", 2, limits.CHAIN_POINTS)
_TINY = 1e-300
_LOOKS = 32
"""At so many places a piece of a spline is looked at for whether it folds."""
FINE = 1000.0
"""Without a tolerance a curve is cut as finely as a part of its size."""


@dataclass(eq=False, repr=False)
class _Expression(Kind):
    """An expression of the index ``i`` of a point, compiled, or a number."""

    def check(self, value: Any, context: Context) -> Any:
        if isinstance(value, str) and value.strip().startswith("="):
            return context.compile(value.strip())
        return _LENGTH.check(value, context)

    def schema(self) -> dict[str, Any]:
        return _LENGTH.schema()


@dataclass(eq=False, repr=False)
class _Origin(Kind):
    """A point of a drawing in its own numbers, or the middle of the outline's box."""

    def check(self, value: Any, context: Context) -> Any:
        if value == CENTER:
            return value
        if isinstance(value, str):
            form = f"must be {CENTER}, or a point [x, y] of the drawing"
            raise Wrong("unknown-word", f"{form}, not {show(value)}", meant=CENTER)
        return _PLACE.check(value, context)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": CENTER}, _PLACE.schema()]}


CENTER = "center"
_PLACE = Tuple(Quantity(), 2, "a point [x, y] of the drawing")
_PARTS: dict[str, dict[str, Kind]] = {
    "arc": {"center": _POINT, "radius": _SIZE, "from": _ANGLE, "to": _ANGLE},
    "points": {
        "count": Quantity(low=2, high=limits.CHAIN_POINTS, whole=True),
        "x": _Expression(),
        "y": _Expression(),
    },
    "svg": {
        "file": Text("the name of an SVG file"),
        "id": Text("the id of an element of the drawing"),
        "contour": Quantity(low=0, high=limits.CHAIN_POINTS, whole=True),
        "scale": _SIZE,
        "width": _SIZE,
        "height": _SIZE,
        "origin": _Origin(),
    },
}
_NEEDED = {"arc": tuple(_PARTS["arc"]), "points": tuple(_PARTS["points"]), "svg": ("file",)}
_WHOLE: dict[str, Kind] = {
    "bezier": _POINTS,
    "spline": _POINTS,
    "path": Text("path data as in SVG, such as `M 0 0 C 1 1 2 1 3 0`"),
}
KINDS = ("arc", "points", *_WHOLE, "svg")


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve as it was written, checked; ``parts`` may be known only where it is used."""

    kind: str
    names: tuple[str, ...]
    parts: tuple[Any, ...]


@dataclass(eq=False, repr=False)
class OutlineOf(Kind):
    """A list of points, or a curve."""

    points: ListOf

    def check(self, value: Any, context: Context) -> Any:
        if not isinstance(value, dict):
            return self.points.check(value, context)
        kinds = [key for key in value if key in KINDS]
        if not kinds and not any(nearest_word(str(key), KINDS) for key in value):
            listed = ", ".join(KINDS)
            message = f"must be {self.points.form} or a curve, which is one of {listed}"
            raise Wrong("wrong-type", f"{message}; not {show(value)}")
        for key in value:
            if key not in (*KINDS, "tolerance"):
                message = f"unknown key {show(key)}; {nearest(key, (*KINDS, 'tolerance'))}"
                raise Wrong("unknown-key", message, (key,))
        if len(kinds) > 1:
            raise Wrong("conflicting-keys", f"a curve is one of {', '.join(KINDS)}")
        (kind,) = kinds
        parts = _checked_parts(kind, value[kind], context)
        if "tolerance" in value:
            parts["tolerance"] = _checked(_SIZE, value["tolerance"], context, "tolerance")
        return Curve(kind, tuple(parts), tuple(parts.values()))

    def schema(self) -> dict[str, Any]:
        kinds: dict[str, Any] = {key: kind.schema() for key, kind in _WHOLE.items()}
        for key, parts in _PARTS.items():
            kinds[key] = {
                "type": "object",
                "properties": {name: part.schema() for name, part in parts.items()},
                "required": list(_NEEDED[key]),
                "additionalProperties": False,
            }
        curve = {
            "type": "object",
            "properties": {**kinds, "tolerance": _SIZE.schema()},
            "oneOf": [{"required": [key]} for key in KINDS],
            "additionalProperties": False,
        }
        return {"anyOf": [self.points.schema(), curve]}


def _checked(kind: Kind, value: Any, context: Context, *at: str) -> Any:
    try:
        return kind.check(value, context)
    except Wrong as wrong:
        raise wrong.under(*at) from None


def _checked_parts(kind: str, value: Any, context: Context) -> dict[str, Any]:
    if kind in _WHOLE:
        return {kind: _checked(_WHOLE[kind], value, context, kind)}
    wanted, needed = _PARTS[kind], _NEEDED[kind]
    if not isinstance(value, dict):
        listed = ", ".join(f"{name}: ..." for name in needed)
        message = f"must be a mapping {{{listed}}}, not {show(value)}"
        raise Wrong("wrong-type", message, (kind,))
    for key in value:
        if key not in wanted:
            message = f"unknown key {show(key)}; {nearest(key, tuple(wanted))}"
            raise Wrong("unknown-key", message, (kind, key))
    missing = [name for name in needed if name not in value]
    if missing:
        raise Wrong("missing-key", missing_key(missing[0], needed), (kind,))
    sizes = [name for name in ("scale", "width", "height") if name in value and kind == "svg"]
    if len(sizes) > 1:
        message = f"`{sizes[0]}` and `{sizes[1]}` both say how large the outline is; keep one"
        raise Wrong("conflicting-keys", message, (kind, sizes[1]))
    return {
        name: _checked(part, value[name], context, kind, name)
        for name, part in wanted.items()
        if name in value
    }


# ---------------------------------------------------------------- points


def points_of(kind: str, parts: Mapping[str, Any], closed: bool, most: int) -> tuple[Point, ...]:
    """The points of a curve whose parts are known; Wrong says why there are none.

    Where they are more than ``most``, that is found before they are drawn.
    """
    tolerance = parts.get("tolerance")
    if kind == "arc":
        return _arc(parts, tolerance, most)
    if kind == "path":
        return _path(parts["path"], tolerance, most)
    points: Sequence[Point] = parts[kind]
    fine = size_of(points) / FINE if tolerance is None else tolerance
    if not fine > 0.0:
        raise Wrong("impossible-shape", "the points of the curve are the same")
    if kind == "spline":
        return _spline(points, closed, fine, most)
    if len(points) % 3 != 1:
        message = (
            f"a bezier has 4 points, and 3 more for each further piece, not {len(points)}: "
            "[start, control, control, end, control, control, end, ...]"
        )
        raise Wrong("impossible-shape", message, ("bezier",))
    pieces = [points[i : i + 4] for i in range(0, len(points) - 1, 3)]
    return _open(_cut(pieces, fine, most), closed)


def _arc(parts: Mapping[str, Any], tolerance: float | None, most: int) -> tuple[Point, ...]:
    from .svg_path import arc_pieces  # which few scenes need

    (x, y), radius, start = parts["center"], parts["radius"], parts["from"]
    sweep = parts["to"] - start
    if sweep == 0.0 or abs(sweep) > 2.0 * math.pi * (1.0 + 1e-12):
        message = "an arc goes from one angle to another, at most once round"
        raise Wrong("impossible-shape", message, ("arc", "to"))
    fine = 2.0 * radius / FINE if tolerance is None else tolerance
    pieces = max(arc_pieces(radius, sweep, fine, limits.CHAIN_POINTS), 2)
    if pieces > most:
        raise _too_many(most)
    turns = [start + sweep * i / pieces for i in range(pieces + 1)]
    points = [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]
    whole = abs(abs(sweep) - 2.0 * math.pi) <= 1e-9
    return tuple(points[:-1] if whole else points)


def _path(text: str, tolerance: float | None, most: int) -> tuple[Point, ...]:
    from .svg_path import IDENTITY, DataError, read_path  # which few scenes need

    try:
        if tolerance is None:  # a few pieces tell how large it is
            sizes = [size_of(line.points) for line in read_path(text, IDENTITY, _TINY, 8)]
            tolerance = max(max(sizes, default=1.0) / FINE, _TINY)
        with_last = min(most + 1, limits.CHAIN_POINTS)  # which may be the first again
        lines = read_path(text, IDENTITY, tolerance, limits.CHAIN_POINTS, with_last)
    except DataError as error:
        raise Wrong("impossible-shape", f"the path {error}", ("path",)) from None
    if len(lines) != 1:
        message = f"a path is one line, not {len(lines)}; make a compound with `shapes`"
        raise Wrong("impossible-shape", message, ("path",))
    return _open(lines[0].points, lines[0].closed)


def _spline(points: Sequence[Point], closed: bool, fine: float, most: int) -> tuple[Point, ...]:
    """Through all points (Catmull-Rom): at each in the direction from the one before to the one
    after, as Bezier pieces."""
    count = len(points)
    if count < 3:
        raise Wrong("impossible-shape", "a spline needs at least 3 points", ("spline",))

    def at(i: int) -> Point:
        return points[i % count] if closed else points[min(max(i, 0), count - 1)]

    pieces = []
    for i in range(count if closed else count - 1):
        before, first, second, after = at(i - 1), at(i), at(i + 1), at(i + 2)
        pieces.append(
            [
                first,
                (
                    first[0] + (second[0] - before[0]) / 6.0,
                    first[1] + (second[1] - before[1]) / 6.0,
                ),
                (second[0] - (after[0] - first[0]) / 6.0, second[1] - (after[1] - first[1]) / 6.0),
                second,
            ]
        )
    for i, piece in enumerate(pieces):
        if _folds(piece):
            message = (
                f"the spline folds back on itself between its points {i + 1} and "
                f"{(i + 1) % count + 1}, which are too near each other for how far the next ones "
                "are; space the points more evenly"
            )
            raise Wrong("impossible-shape", message, ("spline",))
    return _open(_cut(pieces, fine, most), closed)


def _folds(piece: Sequence[Point]) -> bool:
    """Return whether a Bezier piece reverses between ends of one direction, or turns by half a
    turn, so that it has no common direction.

    Its direction is the Bezier curve of the differences of its points. Along the line between its
    ends that is a (1 - t)^2 + 2 b t (1 - t) + c t^2, which is below 0 somewhere between a and c
    above 0 where b < -sqrt(a c).
    """
    from .svg_path import bezier  # which few scenes need

    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(piece)]
    chord = (piece[-1][0] - piece[0][0], piece[-1][1] - piece[0][1])
    begin, middle, end = (_dot(way, chord) for way in ways)
    if begin > 0.0 and end > 0.0 and middle < -math.sqrt(begin) * math.sqrt(end):
        return True
    right = left = ways[0]  # the directions furthest to either side
    for i in range(1, _LOOKS + 1):
        way = bezier(ways, i / _LOOKS)
        if _cross(right, way) < 0.0:
            right = way
        if _cross(left, way) > 0.0:
            left = way
        against = min(_dot(right, left), _dot(right, way), _dot(left, way))
        if against < 0.0 and _cross(right, left) <= -1e-9 * against:
            return True
    return False


def _cross(a: Point, b: Point) -> float:
    return a[0] * b[1] - a[1] * b[0]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]


def _cut(pieces: Sequence[Sequence[Point]], fine: float, most: int) -> list[Point]:
    from .svg_path import bezier, bezier_pieces  # which few scenes need

    counts = [bezier_pieces(piece, fine, limits.CHAIN_POINTS) for piece in pieces]
    if sum(counts) > most:
        raise _too_many(most)
    points = [pieces[0][0]]
    for piece, count in zip(pieces, counts, strict=True):
        points += [bezier(piece, i / count) for i in range(1, count)]
        points.append(piece[-1])
    return points


def _too_many(most: int) -> Wrong:
    return Wrong("limit", f"the curve has more than {most} points; that is the limit")


def _open(points: Sequence[Point], closed: bool) -> tuple[Point, ...]:
    """Without the last point where a closed line ends at its first."""
    near = 1e-9 * size_of(points)
    (ax, ay), (bx, by) = points[0], points[-1]
    same = abs(ax - bx) <= near and abs(ay - by) <= near
    return tuple(points[:-1] if closed and same and len(points) > 2 else points)
