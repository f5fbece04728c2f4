# SPDX-License-Identifier: MIT
"""Builds the shapes of a body."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import eq
from typing import Any, NamedTuple

from ... import limits
from ...building.drawings import Drawings
from ...building.scope import Scope
from ...model import Material, Point, Shape
from ...text.problems import Path, show_suffix
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Wrong
from ...values.curves import Curve
from ...values.polygon import NO_AREA, checked_polygon, inset, is_convex, is_needle, size_of
from ...values.portable_math import cos, hypot, sin
from .models import ShapeInput

KINDS = ("circle", "box", "polygon", "regular_polygon", "capsule", "segment", "chain")

# Which other keys make sense beside each kind of shape.
_BESIDE: dict[str, tuple[str, ...]] = {
    "circle": (),
    "box": ("radius",),
    "polygon": ("radius",),
    "regular_polygon": ("radius",),
    "capsule": ("radius",),
    "segment": (),
    "chain": ("loop", "side"),
}
_PLACING = ("offset", "angle", "sensor", "loop", "radius")
_NAMED = {"box": "polygon", "regular_polygon": "polygon"}
_WHY = {
    ("circle", "radius"): "`circle` is the radius already: `{circle: 0.5}`",
    ("segment", "radius"): "a segment has no thickness; use `capsule` for a thick line",
    ("chain", "radius"): "a chain has no thickness",
}


@dataclass
class Totals:
    """How many shapes and points all bodies have so far."""

    shapes: int = 0
    points: int = 0


def count_shapes(totals: Totals, scope: Scope, shapes: Sequence[Shape]) -> None:
    """Count the shapes of one more body; a limit is reported."""
    totals.shapes += len(shapes)
    try:
        totals.points += sum([len(shape.points) for shape in shapes])
    except Stop:
        scope.failed = True
    if totals.shapes > limits.SHAPES:
        scope.fail("limit", f"the scene has more than {limits.SHAPES} shapes; that is the limit")
    elif totals.points > limits.POINTS:
        scope.fail(
            "limit", f"the shapes have more than {limits.POINTS} points together; that is the limit"
        )


def kind_of(scope: Scope, shape: ShapeInput, at: Path) -> str:
    """The one key that says what shape this is; Stop where there is none or several."""
    said = shape.model_fields_set
    given = [kind for kind in KINDS if kind in said and getattr(shape, kind) is not None]
    if not given and scope.report.may_mean(scope.path + at, object):
        raise Stop
    if not given:
        raise scope.fail("missing-key", f"a shape needs one of {', '.join(KINDS)}", *at)
    read = [kind for kind in given if getattr(shape, kind) is not BROKEN]
    if len(read) > 1:
        raise scope.fail(
            "conflicting-keys",
            f"a shape is one thing, but this is {' and '.join(read)}; keep one, or make a "
            "compound with `shapes: [{...}, {...}]`",
            *at,
        )
    kind = (read or given)[0]
    for key in ("radius", "loop", "side"):
        if is_read(getattr(shape, key)) and key not in _BESIDE[kind]:
            why = _WHY.get((kind, key), f"`{key}` does not belong to a {kind}")
            scope.fail("conflicting-keys", why, *at, key)
    return kind


def unknown_shape(category: str | None, kind: str = BROKEN) -> Shape:
    """A shape of which little is known, since it has problems."""
    fields = dict.fromkeys(Shape.__dataclass_fields__, BROKEN)
    its = "default" if category is None else category
    its_kind = BROKEN if kind is BROKEN else _NAMED.get(kind, kind)
    return Shape(**{**fields, "category": its, "kind": its_kind})


def build_shape(
    scope: Scope,
    shape: ShapeInput,
    kind: str,
    at: Path,
    material: Material,
    category: str,
    drawings: Drawings,
) -> Shape:
    """The shape in body coordinates; Stop after a problem."""
    said = shape.model_fields_set
    offset, angle, sensor, loop, radius = [
        scope.known(getattr(shape, key), *at, key) if key in said else None for key in _PLACING
    ]
    radius = 0.0 if radius is None else radius
    place = _Placement((0.0, 0.0) if offset is None else offset, 0.0 if angle is None else angle)
    try:
        points, radius, outer = _outline(scope, shape, kind, at, radius, place, drawings)
    except Wrong as wrong:
        path: Path = (*at, kind)
        scope.report.add_wrong(scope.path + path, wrong, scope.label + show_suffix(path))
        raise Stop from None
    outline = outer or points
    if len(outline) > 1 and any(map(eq, outline, outline[1:])):
        raise scope.fail(
            "impossible-shape",
            "the shape is too small for its distance from the body's origin",
            *at,
        )
    if max(map(abs, chain.from_iterable(points))) > limits.REACH:
        raise scope.fail(
            "limit", f"the shape reaches further than {limits.REACH:.0f} (the limit)", *at
        )
    if kind == "chain" and loop and len(points) < 3:
        raise scope.fail(
            "impossible-shape", "a chain that is a loop needs at least 3 points", *at, "chain"
        )
    one_way, side = None, "left" if shape.side is None else shape.side
    if "one_way" in said and shape.one_way is not None:
        one_way = _one_way(scope, shape, kind, points, at)
        if kind == "chain" and one_way is not None:
            side, one_way = _side_towards(scope, shape, one_way, points, at), None
    return Shape(
        kind=_NAMED.get(kind, kind),  # type: ignore[arg-type]
        points=points,
        radius=radius,
        material=material,
        sensor=bool(sensor),
        category=category,
        loop=bool(loop),
        side=side,  # type: ignore[arg-type]
        source=kind,
        outer=outer,
        one_way=one_way,
    )


def _one_way(
    scope: Scope, shape: ShapeInput, kind: str, points: Sequence[Point], at: Path
) -> Point:
    """The direction towards which a shape is solid; Stop after a problem."""
    given = scope.known(shape.one_way, *at, "one_way")
    why = ""
    if shape.sensor:
        why = "a sensor touches nothing"
    elif _NAMED.get(kind, kind) == "polygon" and not is_convex(points):
        why = "a concave polygon cannot be solid from one side; make convex `shapes` of it"
    if why:
        raise scope.fail("conflicting-keys", why, *at, "one_way")
    if isinstance(given, str):
        up = -1.0 if scope.context.units.y_down else 1.0
        return {"up": (0.0, up), "down": (0.0, -up), "left": (-1.0, 0.0), "right": (1.0, 0.0)}[
            given
        ]
    x, y = given
    length = hypot(x, y)
    if not length > 0.0:
        raise scope.fail("out-of-range", "needs a direction, not [0, 0]", *at, "one_way")
    if abs(length - 1.0) < _ROUNDED:
        return x, y
    return x / length, y / length


_ROUNDED = 1e-15
"""By how much the length of a direction of length 1 is off: one that is read again stays."""


def _side_towards(
    scope: Scope, shape: ShapeInput, towards: Point, points: Sequence[Point], at: Path
) -> str:
    """The side of a chain that faces a direction, from its first point to its last one."""
    if shape.side is not None:
        why = "`side` says already which side of the chain is solid; keep one of the two"
        raise scope.fail("conflicting-keys", why, *at, "one_way")
    if shape.loop:
        why = "a loop has all directions; `side: left` or `right` says whether it is solid inside"
        raise scope.fail("conflicting-keys", why, *at, "one_way")
    (x0, y0), (x1, y1) = points[0], points[-1]
    leftwards = (x1 - x0) * towards[1] - (y1 - y0) * towards[0]
    if abs(leftwards) <= 1e-9 * hypot(x1 - x0, y1 - y0):
        why = "neither side of the chain faces there; say which is solid by `side: left` or `right`"
        raise scope.fail("impossible-shape", why, *at, "one_way")
    return "left" if (leftwards > 0.0) != scope.context.units.y_down else "right"


class _Placement(NamedTuple):
    """The shape's own offset and angle within the body."""

    offset: Point
    angle: float


def _placed(points: Sequence[Point], place: _Placement) -> tuple[Point, ...]:
    """Points of the shape in body coordinates: turned first, then moved."""
    dx, dy = place.offset[0] + 0.0, place.offset[1] + 0.0  # so that no sum is -0.0
    if place.angle == 0.0:
        return tuple((x + dx, y + dy) for x, y in points)
    c, s = cos(place.angle), sin(place.angle)
    return tuple((dx + c * x - s * y, dy + s * x + c * y) for x, y in points)


_Outline = tuple[tuple[Point, ...], float, tuple[Point, ...]]


def _outline(
    scope: Scope,
    shape: ShapeInput,
    kind: str,
    at: Path,
    radius: float,
    place: _Placement,
    drawings: Drawings,
) -> _Outline:
    """Points, radius and, for a rounded polygon, the points before the inset."""
    value: Any = None
    if kind != "regular_polygon":
        value = getattr(shape, kind)
        if isinstance(value, Curve):
            closed = kind == "polygon" or bool(scope.known(shape.loop, *at, "loop"))
            from .curves import curve_points  # which few shapes need

            # Points of a curve are numbers; to look for expressions in them takes long.
            value = curve_points(value, scope, kind, (*at, kind), closed, drawings)
        else:
            value = scope.resolve(value, *at, kind)
    if kind == "circle":
        return _placed([(0.0, 0.0)], place), value, ()
    if kind in ("capsule", "segment"):
        if size_of(value) <= 1e-9:
            instead = "a circle" if kind == "capsule" else "something else"
            raise Wrong(
                "impossible-shape",
                f"the two points of the {kind} are the same; that would be {instead}",
            )
        if kind == "capsule" and radius <= 0.0:
            raise scope.fail(
                "impossible-shape",
                "a capsule needs a `radius` greater than 0: "
                "`{capsule: [[x1, y1], [x2, y2]], radius: 0.2}`",
                *at,
            )
        return _placed(value, place), radius, ()
    if kind == "chain":
        _check_chain(value)
        return _placed(value, place), 0.0, ()
    if kind == "box":
        if (place.angle or any(place.offset)) and is_needle(*value):
            raise Wrong("impossible-shape", f"the box has {NO_AREA}")
        w, h = 0.5 * value[0], 0.5 * value[1]
        corners: tuple[Point, ...] = ((-w, -h), (w, -h), (w, h), (-w, h))
    elif kind == "regular_polygon":
        corners = _regular(scope, shape, at)
    else:
        corners = checked_polygon(value)
    return _rounded(scope, _placed(corners, place), radius, kind, at)


def _rounded(
    scope: Scope, corners: tuple[Point, ...], radius: float, kind: str, at: Path
) -> _Outline:
    if radius == 0.0:
        return corners, 0.0, ()
    if kind == "polygon" and not is_convex(corners):
        raise scope.fail(
            "conflicting-keys",
            "only convex polygons can have rounded corners, and this one is concave; leave out "
            "`radius`, or build the body from convex `shapes`",
            *at,
            "radius",
        )
    core = inset(corners, radius)
    if core is None:
        raise scope.fail(
            "impossible-shape",
            f"a corner radius of {radius:.6g} is too large for this {kind}: no straight side "
            "would be left (for a bar with round ends use `capsule`)",
            *at,
            "radius",
        )
    return core, radius, corners


def _regular(scope: Scope, shape: ShapeInput, at: Path) -> tuple[Point, ...]:
    regular: Any = shape.regular_polygon
    sides, radius = (
        scope.known(getattr(regular, key), *at, "regular_polygon", key) for key in regular.needed
    )
    scope.need(regular, *at, "regular_polygon")
    sides = int(sides)
    turns = [2.0 * math.pi * i / sides for i in range(sides)]
    return tuple((radius * cos(turn), radius * sin(turn)) for turn in turns)


def _check_chain(points: Sequence[Point]) -> None:
    near = 1e-9 * size_of(points)
    for i in range(1, len(points)):
        (ax, ay), (bx, by) = points[i - 1], points[i]
        if abs(ax - bx) <= near and abs(ay - by) <= near:
            raise Wrong(
                "impossible-shape", f"points {i} and {i + 1} of the chain are the same", (i,)
            )
