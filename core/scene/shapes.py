"""Builds the shapes of a body from what the author wrote."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from . import limits
from .body_models import ShapeInput, SurfaceFields
from .context import Wrong
from .kinds import nearest
from .model import Material, Point, Shape
from .polygon import checked_polygon, inset, is_convex, size_of
from .portable_math import cos, sin
from .problems import Path, show_suffix
from .scope import Scope, Stop

KINDS = ("circle", "box", "polygon", "regular_polygon", "capsule", "segment", "chain")
LARGEST = 1e9  # of all coordinates in a body
SURFACE = tuple(SurfaceFields.model_fields)

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
_WHY = {
    ("circle", "radius"): "`circle` is the radius already: `{circle: 0.5}`",
    ("segment", "radius"): "a segment has no thickness; use `capsule` for a thick line",
    ("chain", "radius"): "a chain has no thickness",
}


@dataclass
class Materials:
    """The materials by name, and what a body without one is made of."""

    named: dict[str, Material]
    default: Material


def find_material(
    materials: Materials, scope: Scope, name: str | None, at: Path
) -> Material | None:
    """A material by its name, None for None; Stop with the nearest name if there is none."""
    if name is None:
        return None
    found = materials.named.get(name)
    if found is None and scope.report.is_broken("materials", name):
        raise Stop
    if found is None:
        raise scope.fail(f"there is no material `{name}`; {nearest(name, materials.named)}", *at)
    return found


def surface(scope: Scope, base: Material, fields: SurfaceFields, at: Path) -> Material:
    """A material with the fields that a body or shape says itself."""
    said: dict[str, Any] = {
        name: scope.resolve(getattr(fields, name), *at, name)
        for name in SURFACE
        if getattr(fields, name) is not None
    }
    return replace(base, **said) if said else base


@dataclass
class Totals:
    """How many shapes and points all bodies have so far."""

    shapes: int = 0
    points: int = 0


def count_shapes(totals: Totals, scope: Scope, shapes: Sequence[Shape]) -> None:
    """Count the shapes of one more body; Stop at a limit."""
    totals.shapes += len(shapes)
    totals.points += sum([len(shape.points) for shape in shapes])
    if totals.shapes > limits.SHAPES:
        raise scope.fail(f"the scene has more than {limits.SHAPES} shapes; that is the limit")
    if totals.points > limits.POINTS:
        raise scope.fail(
            f"the shapes have more than {limits.POINTS} points together; that is the limit"
        )


def kind_of(scope: Scope, shape: ShapeInput, at: Path) -> str:
    """The one key that says what shape this is; Stop where there is none or several."""
    given = [kind for kind in KINDS if getattr(shape, kind) is not None]
    if not given and scope.report.has_unknown(scope.path + at):
        raise Stop
    if not given:
        raise scope.fail(f"a shape needs one of {', '.join(KINDS)}", *at)
    if len(given) > 1:
        raise scope.fail(
            f"a shape is one thing, but this is {' and '.join(given)}; keep one, or make a "
            "compound with `shapes: [{...}, {...}]`",
            *at,
        )
    kind = given[0]
    for key in ("radius", "loop", "side"):
        if getattr(shape, key) is not None and key not in _BESIDE[kind]:
            why = _WHY.get((kind, key), f"`{key}` does not belong to a {kind}")
            raise scope.fail(why, *at, key)
    return kind


def build_shape(
    scope: Scope, shape: ShapeInput, kind: str, at: Path, material: Material, category: str
) -> Shape:
    """The shape in body coordinates; Stop after a problem."""
    place = _Placement(
        scope.resolve(shape.offset, *at, "offset") or (0.0, 0.0),
        scope.resolve(shape.angle, *at, "angle") or 0.0,
    )
    try:
        points, radius, outer = _outline(scope, shape, kind, at, place)
    except Wrong as wrong:
        path: Path = (*at, kind)
        scope.report.add_wrong(scope.path + path, wrong, scope.label + show_suffix(path))
        raise Stop from None
    outline = outer or points
    if any(outline[i] == outline[i - 1] for i in range(1, len(outline))):
        raise scope.fail("the shape is too small for its distance from the body's origin", *at)
    if any(abs(coordinate) > LARGEST for point in points for coordinate in point):
        raise scope.fail(f"the shape reaches further than {LARGEST:.0f} (the limit)", *at)
    named: dict[str, Any] = {"box": "polygon", "regular_polygon": "polygon"}
    loop = bool(scope.resolve(shape.loop, *at, "loop"))
    if loop and len(points) < 3:
        raise scope.fail("a chain that is a loop needs at least 3 points", *at, "chain")
    return Shape(
        kind=named.get(kind, kind),
        points=points,
        radius=radius,
        material=surface(scope, material, shape, at),
        sensor=bool(scope.resolve(shape.sensor, *at, "sensor")),
        category=category,
        loop=loop,
        side="left" if shape.side is None else shape.side,  # type: ignore[arg-type]
        source=kind,
        outer=outer,
    )


class _Placement(NamedTuple):
    """The shape's own offset and angle within the body."""

    offset: Point
    angle: float


def _placed(points: Sequence[Point], place: _Placement) -> tuple[Point, ...]:
    """Points of the shape in body coordinates: turned first, then moved."""
    dx, dy = place.offset
    if place.angle == 0.0:
        return tuple((x + dx, y + dy) for x, y in points)
    c, s = cos(place.angle), sin(place.angle)
    return tuple((dx + c * x - s * y, dy + s * x + c * y) for x, y in points)


_Outline = tuple[tuple[Point, ...], float, tuple[Point, ...]]


def _outline(scope: Scope, shape: ShapeInput, kind: str, at: Path, place: _Placement) -> _Outline:
    """Points, radius and, for a rounded polygon, the points before the inset."""
    value: Any = None
    if kind != "regular_polygon":
        value = scope.resolve(getattr(shape, kind), *at, kind)
    radius = scope.resolve(shape.radius, *at, "radius") or 0.0
    if kind == "circle":
        return _placed([(0.0, 0.0)], place), value, ()
    if kind in ("capsule", "segment"):
        if size_of(value) <= 1e-9:
            instead = "a circle" if kind == "capsule" else "something else"
            raise Wrong(f"the two points of the {kind} are the same; that would be {instead}")
        if kind == "capsule" and radius <= 0.0:
            raise scope.fail(
                "a capsule needs a `radius` greater than 0: "
                "`{capsule: [[x1, y1], [x2, y2]], radius: 0.2}`",
                *at,
            )
        return _placed(value, place), radius, ()
    if kind == "chain":
        _check_chain(value)
        return _placed(value, place), 0.0, ()
    if kind == "box":
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
            "only convex polygons can have rounded corners, and this one is concave; leave out "
            "`radius`, or build the body from convex `shapes`",
            *at,
            "radius",
        )
    core = inset(corners, radius)
    if core is None:
        raise scope.fail(
            f"a corner radius of {radius:.6g} is too large for this {kind}: no straight side "
            "would be left (for a bar with round ends use `capsule`)",
            *at,
            "radius",
        )
    return core, radius, corners


def _regular(scope: Scope, shape: ShapeInput, at: Path) -> tuple[Point, ...]:
    regular: Any = shape.regular_polygon
    sides = int(scope.resolve(regular.sides, *at, "regular_polygon", "sides"))
    radius = scope.resolve(regular.radius, *at, "regular_polygon", "radius")
    turns = [2.0 * math.pi * i / sides for i in range(sides)]
    return tuple((radius * cos(turn), radius * sin(turn)) for turn in turns)


def _check_chain(points: Sequence[Point]) -> None:
    near = 1e-9 * size_of(points)
    for i in range(1, len(points)):
        (ax, ay), (bx, by) = points[i - 1], points[i]
        if abs(ax - bx) <= near and abs(ay - by) <= near:
            raise Wrong(f"points {i} and {i + 1} of the chain are the same", (i,))
