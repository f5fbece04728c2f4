# SPDX-License-Identifier: MIT
"""The types of shapes: what is written of each, its outline, and how it is written out."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, NamedTuple

from ... import limits
from ...building.scope import Scope
from ...model import Point, Shape, ShapeKind
from ...text.problems import Path
from ...values import units
from ...values.context import Context, Wrong
from ...values.curves import OutlineOf
from ...values.fields import (
    POINT,
    Angle,
    CategoryName,
    Distance,
    Input,
    MaterialName,
    Pair,
    PointField,
    Size,
    TruthField,
    Value,
    about,
)
from ...values.kinds import Custom, ListOf, OneOf, Tuple, show
from ...values.polygon import NO_AREA, checked_polygon, is_needle, size_of
from ...values.portable_math import cos, hypot, sin
from ...values.quantity import Quantity
from .materials import SurfaceFields

ONE_WAY = ("up", "down", "left", "right")
_DIRECTION = Tuple(Quantity((units.NUMBER, units.LENGTH)), 2, "a direction [x, y]")


def _one_way(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        return _DIRECTION.check(value, context)
    if isinstance(value, str):
        return OneOf(ONE_WAY, {"top": "up", "above": "up", "true": "up"}).check(value, context)
    words = ", ".join(ONE_WAY)
    raise Wrong("wrong-type", f"must be one of {words} or a direction [x, y], not {show(value)}")


@dataclass(eq=False, repr=False)
class _Holes(ListOf):
    """A list of outlines, of which each is a list of points itself."""

    def check(self, value: Any, context: Context) -> tuple[Any, ...]:
        first = value[0] if isinstance(value, list) and value else None
        if isinstance(first, list) and first and not isinstance(first[0], (list, dict)):
            point = f"[{', '.join(map(show, first))}]"
            raise Wrong("wrong-type", f"must be {self.form}; for one write `[[{point}, ...]]`")
        return super().check(value, context)


class RegularPolygonInput(Input):
    form: ClassVar[str] = "`{sides: 6, radius: 0.5}`"

    needed: ClassVar[tuple[str, ...]] = ("sides", "radius")
    sides: Annotated[Value, Quantity(low=3, high=limits.SIDES, whole=True)] = about(
        "How many sides, 3 to 64."
    )
    radius: Size = about("From the centre to the corners; the first corner is on +x.")


class HalfSpaceInput(Input):
    form: ClassVar[str] = "`{normal: [0, 1]}`"

    normal: Annotated[Any, _DIRECTION] = about(
        "Where its free side is, as a direction [x, y] (default: up)."
    )
    border: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = about(
        "Instead: two points of its border. The free side is a quarter turn, from +x towards +y, "
        "from the way from the first to the second."
    )


class ShapeInput(SurfaceFields):
    form: ClassVar[str] = "`{circle: 0.5}` or `{box: [2, 1]}`"
    hints: ClassVar[dict[str, str]] = {
        "svg": "an outline of a drawing stands in place of the points: "
        "`polygon: {svg: {file: leaf.svg}}`, or the same of a `chain`",
    }
    circle: Size = about("A circle: its radius.")
    box: Annotated[
        Pair,
        Tuple(
            Quantity((units.LENGTH,), above=0.0),
            2,
            "a size [width, height]",
            alone="[{0}, {0}]",
            many="; its place and angle in the body are `offset: [x, y]` and `angle`",
        ),
    ] = about("A box around the origin: [width, height].")
    polygon: Annotated[
        Any,
        OutlineOf(ListOf(POINT, "a list of points [[x, y], ...]", 3, limits.POLYGON_POINTS)),
    ] = about("A polygon, convex or concave: its corners in order, either way round; or a curve.")
    regular_polygon: RegularPolygonInput | None = about(
        "A polygon with equal sides around the origin."
    )
    capsule: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = about(
        "A thick line with round ends: two points, and `radius`."
    )
    segment: Annotated[Any, Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")] = about(
        "A line without thickness: two points."
    )
    chain: Annotated[
        Any, OutlineOf(ListOf(POINT, "a list of points [[x, y], ...]", 2, limits.CHAIN_POINTS))
    ] = about("A smooth one-sided line: its points in order; or a curve.")
    holes: Annotated[
        Any,
        _Holes(
            OutlineOf(ListOf(POINT, "a list of points [[x, y], ...]", 3, limits.POLYGON_POINTS)),
            "a list of holes [[[x, y], ...], ...]",
            1,
            limits.HOLES,
        ),
    ] = about(
        "Holes of a polygon or box: for each its corners in order, either way round; or a curve."
    )
    half_space: HalfSpaceInput | None = about(
        "Static ground without end: all that is behind a straight border through the origin."
    )
    radius: Distance = about(
        "Radius of a capsule, or of the rounded corners of a box or convex polygon."
    )
    loop: TruthField = about("Whether a chain is closed (default false).")
    side: Annotated[str | None, OneOf(("left", "right", "both"))] = about(
        "The side of a chain that is solid, seen walking along it (default left)."
    )
    offset: PointField = about("Where the shape is in the body (default [0, 0]).")
    angle: Angle = about("How the shape is turned in the body (default 0).")
    material: MaterialName = about("The shape's material (default: the body's).")
    sensor: TruthField = about("Whether the shape only notices others (default false).")
    category: CategoryName = about("The shape's category (default: the body's).")
    one_way: Annotated[
        Any, Custom(_one_way, {"anyOf": [OneOf(ONE_WAY).schema(), _DIRECTION.schema()]})
    ] = about(
        "Solid only for what comes from there: up, down, left, right or a direction [x, y] in the "
        "body's axes (default: from all sides)."
    )


class Placed(NamedTuple):
    """The shape's own offset and angle within the body."""

    offset: Point
    angle: float


class ShapeSource(NamedTuple):
    """A shape as it is written: the value of its key, and its radius, which is 0 for none."""

    scope: Scope
    kind: str
    value: Any
    radius: float
    place: Placed
    at: Path


Points = Sequence[Point]


@dataclass(frozen=True, kw_only=True)
class ShapeSpec:
    """The definition of one type of shapes.

    Attributes:
        name: its key in a scene.
        kind: its kind in the engine.
        beside: other keys that a shape of this type may have.
        why: reasons against other keys, by key.
        model: the model of its value, if that is a mapping.
        convex: whether it always is.
        outline: its points, before they are placed in the body, and its radius.
        plain: the same for a checked value alone, around the body's origin; None where it takes
            further checks.
        write: the inverse: the written form of a shape. Where a copy or a piece of a shape is no
            longer what was written, it is written as its kind.
    """

    name: str
    kind: ShapeKind
    beside: tuple[str, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)
    model: type[Input] | None = None
    convex: bool = False
    outline: Callable[[ShapeSource], tuple[Points, float]]
    plain: Callable[[Any], tuple[tuple[Point, ...], float]] | None = None
    write: Callable[[Shape], dict[str, Any]]


def _plain_circle(radius: float) -> tuple[tuple[Point, ...], float]:
    return _CENTRE, radius


_CENTRE = ((0.0, 0.0),)


def _plain_box(size: tuple[float, float]) -> tuple[tuple[Point, ...], float]:
    w, h = 0.5 * size[0], 0.5 * size[1]
    return ((-w, -h), (w, -h), (w, h), (-w, h)), 0.0


def _circle(source: ShapeSource) -> tuple[Points, float]:
    return [(0.0, 0.0)], source.value


def _write_circle(shape: Shape) -> dict[str, Any]:
    values: dict[str, Any] = {"circle": shape.radius}
    if shape.points[0] != (0.0, 0.0):
        values["offset"] = shape.points[0]
    return values


def _box(source: ShapeSource) -> tuple[Points, float]:
    if (source.place.angle or any(source.place.offset)) and is_needle(*source.value):
        raise Wrong("impossible-shape", f"the box has {NO_AREA}")
    w, h = 0.5 * source.value[0], 0.5 * source.value[1]
    return ((-w, -h), (w, -h), (w, h), (-w, h)), source.radius


def _write_box(shape: Shape) -> dict[str, Any]:
    """A box around the origin; others are polygons."""
    points = shape.outer or shape.points
    x, y = points[2]
    if points != ((-x, -y), (x, -y), (x, y), (-x, y)):
        return _write_polygon(shape)
    return {"box": (2.0 * x, 2.0 * y), **_written_extras(shape)}


def _polygon(source: ShapeSource) -> tuple[Points, float]:
    return checked_polygon(source.value), source.radius


def _write_polygon(shape: Shape) -> dict[str, Any]:
    return {"polygon": shape.outer or shape.points, **_written_extras(shape)}


def _written_extras(shape: Shape) -> dict[str, Any]:
    if shape.holes:
        return {"holes": shape.holes}
    return {"radius": shape.radius} if shape.radius else {}


def _regular_polygon(source: ShapeSource) -> tuple[Points, float]:
    sides, radius = int(source.value["sides"]), source.value["radius"]
    turns = [2.0 * math.pi * i / sides for i in range(sides)]
    return tuple((radius * cos(turn), radius * sin(turn)) for turn in turns), source.radius


def _segment(source: ShapeSource) -> tuple[Points, float]:
    if size_of(source.value) <= 1e-9:
        instead = "a circle" if source.kind == "capsule" else "something else"
        raise Wrong(
            "impossible-shape",
            f"the two points of the {source.kind} are the same; that would be {instead}",
        )
    return source.value, source.radius


def _write_segment(shape: Shape) -> dict[str, Any]:
    return {"segment": shape.outer or shape.points}


def _capsule(source: ShapeSource) -> tuple[Points, float]:
    made = _segment(source)
    if source.radius <= 0.0:
        raise source.scope.fail(
            "impossible-shape",
            "a capsule needs a `radius` greater than 0: "
            "`{capsule: [[x1, y1], [x2, y2]], radius: 0.2}`",
            *source.at,
        )
    return made


def _write_capsule(shape: Shape) -> dict[str, Any]:
    return {"capsule": shape.outer or shape.points, "radius": shape.radius}


def _chain(source: ShapeSource) -> tuple[Points, float]:
    points = source.value
    near = 1e-9 * size_of(points)
    for i in range(1, len(points)):
        (ax, ay), (bx, by) = points[i - 1], points[i]
        if abs(ax - bx) <= near and abs(ay - by) <= near:
            raise Wrong(
                "impossible-shape", f"points {i} and {i + 1} of the chain are the same", (i,)
            )
    return points, 0.0


def _write_chain(shape: Shape) -> dict[str, Any]:
    return {"chain": shape.outer or shape.points, "loop": shape.loop, "side": shape.side}


def _half_space(source: ShapeSource) -> tuple[Points, float]:
    border, normal = source.value["border"], source.value["normal"]
    if border is not None and normal is not None:
        raise Wrong("conflicting-keys", "`border` has a normal already; keep one of the two")
    if border is not None:
        return _segment(source._replace(value=border))
    x, y = normal or (0.0, -1.0 if source.scope.context.units.y_down else 1.0)
    length = hypot(x, y)
    if not length > 0.0:
        raise Wrong("out-of-range", "needs a direction, not [0, 0]", ("normal",))
    x, y = x / length + 0.0, y / length + 0.0
    return ((0.0 - y, x), (y, 0.0 - x)), 0.0


def _write_half_space(shape: Shape) -> dict[str, Any]:
    """Write a half-space by its normal, if that gives the same points again."""
    (ax, ay), (bx, by) = shape.points
    x, y = 0.5 * (ay - by), 0.5 * (bx - ax)
    if shape.points == ((0.0 - y, x), (y, 0.0 - x)) and hypot(x, y) == 1.0:
        return {"half_space": {"normal": (x, y)}}
    return {"half_space": {"border": shape.points}}


SHAPE_TYPES: dict[str, ShapeSpec] = {
    each.name: each
    for each in (
        ShapeSpec(
            name="circle",
            kind="circle",
            why={"radius": "`circle` is the radius already: `{circle: 0.5}`"},
            outline=_circle,
            plain=_plain_circle,
            write=_write_circle,
        ),
        ShapeSpec(
            name="box",
            kind="polygon",
            beside=("radius", "holes"),
            convex=True,
            outline=_box,
            plain=_plain_box,
            write=_write_box,
        ),
        ShapeSpec(
            name="polygon",
            kind="polygon",
            beside=("radius", "holes"),
            outline=_polygon,
            write=_write_polygon,
        ),
        ShapeSpec(
            name="regular_polygon",
            kind="polygon",
            beside=("radius", "holes"),
            model=RegularPolygonInput,
            convex=True,
            outline=_regular_polygon,
            write=_write_polygon,
        ),
        ShapeSpec(
            name="capsule",
            kind="capsule",
            beside=("radius",),
            outline=_capsule,
            write=_write_capsule,
        ),
        ShapeSpec(
            name="segment",
            kind="segment",
            why={"radius": "a segment has no thickness; use `capsule` for a thick line"},
            outline=_segment,
            write=_write_segment,
        ),
        ShapeSpec(
            name="chain",
            kind="chain",
            beside=("loop", "side"),
            why={"radius": "a chain has no thickness"},
            outline=_chain,
            write=_write_chain,
        ),
        ShapeSpec(
            name="half_space",
            kind="half_space",
            why={"radius": "a half-space has no corners"},
            model=HalfSpaceInput,
            outline=_half_space,
            write=_write_half_space,
        ),
    )
}
"""The types of shapes by their keys, in the order of the reference."""


def write_outline(shape: Shape) -> dict[str, Any]:
    """The keys of a shape's outline."""
    spec = SHAPE_TYPES[shape.source]
    return (spec if spec.kind == shape.kind else SHAPE_TYPES[shape.kind]).write(shape)
