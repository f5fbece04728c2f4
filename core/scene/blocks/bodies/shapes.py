# SPDX-License-Identifier: MIT
"""Builds the shapes of a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import eq
from typing import Any

from ... import limits
from ...building.drawings import Drawings
from ...building.scope import Scope
from ...model import Material, Point, Shape
from ...text.problems import Path, show_suffix
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Wrong
from ...values.curves import Curve
from ...values.fields import Input
from ...values.polygon import inset, is_convex
from ...values.portable_math import cos, hypot, sin
from .shape_types import SHAPE_TYPES, Placed, ShapeInput, ShapeSource

_FURTHER = frozenset(("offset", "angle", "sensor", "loop", "radius", "holes", "side", "one_way"))
_PLACING = ("offset", "angle", "sensor", "loop", "radius")


@dataclass
class Totals:
    """Number of shapes and points of all bodies so far."""

    shapes: int = 0
    points: int = 0


def count_shapes(totals: Totals, scope: Scope, shapes: Sequence[Shape]) -> None:
    """Count the shapes of one more body; a limit is reported."""
    totals.shapes += len(shapes)
    try:
        for shape in shapes:
            totals.points += len(shape.points)
            if shape.holes:
                totals.points += sum(map(len, shape.holes))
    except Stop:
        scope.failed = True
    if totals.shapes > limits.SHAPES:
        scope.fail("limit", f"the scene has more than {limits.SHAPES} shapes; that is the limit")
    elif totals.points > limits.POINTS:
        scope.fail(
            "limit", f"the shapes have more than {limits.POINTS} points together; that is the limit"
        )


def kind_of(scope: Scope, shape: ShapeInput, at: Path) -> str:
    """The one key of the shape's type; Stop if there is none or several."""
    said = shape.model_fields_set
    given = [kind for kind in SHAPE_TYPES if kind in said and getattr(shape, kind) is not None]
    if not given and scope.report.may_mean(scope.path + at, object):
        raise Stop
    if not given:
        raise scope.fail("missing-key", f"a shape needs one of {', '.join(SHAPE_TYPES)}", *at)
    read = [kind for kind in given if getattr(shape, kind) is not BROKEN]
    if len(read) > 1:
        raise scope.fail(
            "conflicting-keys",
            f"a shape is of one kind, but this is {' and '.join(read)}; keep one, or make a "
            "compound with `shapes: [{...}, {...}]`",
            *at,
        )
    kind = (read or given)[0]
    spec = SHAPE_TYPES[kind]
    for key in ("radius", "holes", "loop", "side"):
        if is_read(getattr(shape, key)) and key not in spec.beside:
            why = spec.why.get(key, f"`{key}` does not belong to a {kind}")
            scope.fail("conflicting-keys", why, *at, key)
    return kind


def unknown_shape(category: str | None, kind: str = BROKEN) -> Shape:
    """A placeholder for a shape with problems."""
    fields = dict.fromkeys(Shape.__dataclass_fields__, BROKEN)
    its = "default" if category is None else category
    its_kind = BROKEN if kind is BROKEN else SHAPE_TYPES[kind].kind
    return Shape(**{**fields, "category": its, "kind": its_kind})


def plain_shape(
    scope: Scope, shape: ShapeInput, kind: str, at: Path, material: Material, category: str
) -> Shape | None:
    """A shape that says nothing but its size, in a generator; None for any other one."""
    if scope.columns is None or kind is BROKEN or not shape.model_fields_set.isdisjoint(_FURTHER):
        return None
    spec = SHAPE_TYPES[kind]
    if spec.plain is None:
        return None
    column = scope.columns.of(getattr(shape, kind), scope.turn, (*at, kind))
    if not column:
        return None
    points, radius = spec.plain(column[scope.turn])
    return Shape(spec.kind, points, radius, material, category=category, source=kind)


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
    place = Placed((0.0, 0.0) if offset is None else offset, 0.0 if angle is None else angle)
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
    holes: tuple[tuple[Point, ...], ...] = ()
    if "holes" in said and shape.holes is not None and "holes" in SHAPE_TYPES[kind].beside:
        holes = _holes(scope, shape, kind, at, place, drawings)
    one_way, side = None, "left" if shape.side is None else shape.side
    if "one_way" in said and shape.one_way is not None:
        one_way = _one_way(scope, shape, kind, points, at)
        if kind == "chain" and one_way is not None:
            side, one_way = _side_towards(scope, shape, one_way, points, at), None
    return Shape(
        kind=SHAPE_TYPES[kind].kind,
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
        holes=holes,
    )


def _one_way(
    scope: Scope, shape: ShapeInput, kind: str, points: Sequence[Point], at: Path
) -> Point:
    """The direction towards which a shape is solid; Stop after a problem."""
    given = scope.known(shape.one_way, *at, "one_way")
    why = ""
    if shape.sensor:
        why = "a sensor touches nothing"
    elif kind == "half_space":
        why = "a half-space has one side already, that of its `normal`"
    elif SHAPE_TYPES[kind].kind == "polygon" and (shape.holes or not is_convex(points)):
        what = "polygon with holes" if shape.holes else "concave polygon"
        why = f"a {what} cannot be solid from one side; make convex `shapes` of it"
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


def _placed(points: Sequence[Point], place: Placed) -> tuple[Point, ...]:
    """Points of the shape in body coordinates: turned first, then moved."""
    dx, dy = place.offset[0] + 0.0, place.offset[1] + 0.0  # so that no sum is -0.0
    if place.angle == 0.0:
        return tuple((x + dx, y + dy) for x, y in points)
    c, s = cos(place.angle), sin(place.angle)
    return tuple((dx + c * x - s * y, dy + s * x + c * y) for x, y in points)


Outline = tuple[tuple[Point, ...], float, tuple[Point, ...]]


def _outline(
    scope: Scope,
    shape: ShapeInput,
    kind: str,
    at: Path,
    radius: float,
    place: Placed,
    drawings: Drawings,
) -> Outline:
    """Points, radius and, for a rounded polygon, the points before the inset."""
    spec, value = SHAPE_TYPES[kind], getattr(shape, kind)
    if isinstance(value, Curve):
        from .curves import curve_points  # which few shapes need

        closed = spec.kind == "polygon" or bool(scope.known(shape.loop, *at, "loop"))
        # Points of a curve are numbers; to look for expressions in them takes long.
        value = curve_points(value, scope, kind, (*at, kind), closed, drawings)
    elif isinstance(value, Input):
        value = _fields_of(value, scope, (*at, kind))
    else:
        value = scope.resolve(value, *at, kind)
    points, radius = spec.outline(ShapeSource(scope, kind, value, radius, place, at))
    placed = _placed(points, place)
    return (
        _rounded(scope, placed, radius, kind, at)
        if spec.kind == "polygon"
        else (placed, radius, ())
    )


def _holes(
    scope: Scope, shape: ShapeInput, kind: str, at: Path, place: Placed, drawings: Drawings
) -> tuple[tuple[Point, ...], ...]:
    """The holes of a polygon in body coordinates, clockwise; Stop after a problem."""
    from .holes import build_holes  # which few shapes have

    if shape.radius is not None:
        why = "only polygons without holes can have rounded corners; leave out `radius` or `holes`"
        raise scope.fail("conflicting-keys", why, *at, "radius")
    outline, _, _ = _outline(scope, shape, kind, at, 0.0, Placed((0.0, 0.0), 0.0), drawings)
    made = build_holes(scope, shape.holes, outline, at, drawings)
    return tuple(_placed(hole, place) for hole in made)


def _fields_of(given: Input, scope: Scope, at: Path) -> dict[str, Any]:
    """The fields of a shape that has several, by name; those that it needs are there."""
    values = {key: scope.known(getattr(given, key), *at, key) for key in type(given).model_fields}
    scope.need(given, *at)
    return values


def _rounded(
    scope: Scope, corners: tuple[Point, ...], radius: float, kind: str, at: Path
) -> Outline:
    if radius == 0.0:
        return corners, 0.0, ()
    if not SHAPE_TYPES[kind].convex and not is_convex(corners):
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
