# SPDX-License-Identifier: MIT
"""Shapes in the engine's form: convex pieces, and segments that know their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from ... import _native
from ...scene.model import Body, Point, Scene, Shape
from .polygons import convex_parts, outline_neighbours
from .rows import RowWriter


class Primitive(NamedTuple):
    """One convex piece of a shape, as the engine knows it.

    Attributes:
        body: the body's native index.
        kind: one of SHAPE_KINDS.
        points: its corners, in body coordinates.
        first_point: how many points of other pieces come before.
        category: the row of its category in the matrix.
        conveyor: which way a moving surface goes.
    """

    shape: Shape
    body: int
    kind: str
    points: tuple[Point, ...]
    first_point: int
    category: int
    conveyor: float


SHAPES: RowWriter[Primitive] = RowWriter(
    "SHAPE",
    {
        "body": attrgetter("body"),
        "kind": lambda piece: _native.SHAPE_KINDS[piece.kind],
        "first_point": attrgetter("first_point"),
        "point_count": lambda piece: len(piece.points),
        "radius": attrgetter("shape.radius"),
        "density": attrgetter("shape.material.density"),
        "friction": attrgetter("shape.material.friction"),
        "restitution": attrgetter("shape.material.restitution"),
        "rolling_resistance": attrgetter("shape.material.rolling_resistance"),
        "tangent_speed": lambda piece: piece.conveyor * piece.shape.material.tangent_speed,
        "one_way_x": lambda piece: _direction(piece)[0],
        "one_way_y": lambda piece: _direction(piece)[1],
        "sensor": attrgetter("shape.sensor"),
        "category": attrgetter("category"),
    },
)


def _direction(piece: Primitive) -> Point:
    """The one-way direction of a piece; zero if it is solid in all directions."""
    return piece.shape.one_way or (0.0, 0.0)


def primitives(
    scene: Scene,
    bodies: Iterable[Body] | None = None,
    index: Mapping[str, int] | None = None,
) -> Iterator[Primitive]:
    """All shapes of bodies, in pieces that the engine knows; of the scene's where none are given.

    ``index`` has the bodies' native indices.
    """
    if bodies is None or index is None:
        bodies = scene.bodies.values()
        index = {name: i for i, name in enumerate(scene.bodies, start=1)}
    category = {name: i for i, name in enumerate(scene.collision.categories)}
    y_down = scene.units.y_down
    # A moving surface's speed is along the surface, a quarter turn from its normal, from +y to
    # +x. Seen from above that is towards +x where y points up, and towards -x where it points down.
    conveyor = -1.0 if y_down else 1.0
    first = 0
    shapes: tuple[Shape, ...] = ()
    pieces: list[tuple[Shape, str, tuple[Point, ...]]] = []
    for body in bodies:
        slot = index[body.name]
        if body.shapes is not shapes:  # as in bodies of one generator
            shapes = body.shapes
            pieces = [(each, *piece) for each in shapes for piece in _pieces(each, y_down)]
        for shape, kind, points in pieces:
            number = category[shape.category]
            yield Primitive(shape, slot, kind, points, first, number, conveyor)
            first += len(points)


def convex_pieces(shape: Shape) -> Iterator[tuple[Point, ...]]:
    """A shape as convex pieces, without what these know of their neighbours."""
    if shape.kind == "polygon":
        yield from convex_parts(shape.points, shape.holes)
    elif shape.kind == "chain":
        ends = [*shape.points, shape.points[0]] if shape.loop else [*shape.points]
        yield from ((a, b) for a, b in pairwise(ends) if a != b)
    else:
        yield shape.points


def native_pieces(shape: Shape, y_down: bool) -> int:
    """The number of the engine's shapes that make up a shape."""
    return sum(1 for _ in _pieces(shape, y_down))


def _pieces(shape: Shape, y_down: bool) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """The engine's form of a shape: (kind, points) for each convex piece."""
    if shape.kind == "polygon":
        parts = convex_parts(shape.points, shape.holes)
        if len(parts) == 1:
            yield "polygon", parts[0]
            return
        # The parts act as one polygon: each knows its neighbours on the outline.
        around = outline_neighbours(shape.points, parts, shape.holes)
        for part, neighbours in zip(parts, around, strict=True):
            yield "polygon_part", (*part, *neighbours)
    elif shape.kind == "chain":
        yield from _chain(shape, y_down)
    else:
        yield shape.kind, shape.points


def _chain(shape: Shape, y_down: bool) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """A chain as segments that know their neighbours.

    The engine's segments are solid from their left, a quarter turn from +x towards +y. ``side`` is
    what someone sees on the screen, where that turn is a clockwise one when y points down.
    """
    points = list(shape.points)
    if shape.loop and points[0] == points[-1]:
        points.pop()
    if shape.side == "both" and len(points) == 2:
        yield "segment", tuple(points)
        return
    forward = shape.side == "both" or (shape.side == "left") != y_down
    if forward:
        yield from _one_sided(points, shape.loop)
    if shape.side == "both" or not forward:
        yield from _one_sided(points[::-1], shape.loop)


def _one_sided(points: list[Point], loop: bool) -> Iterator[tuple[str, tuple[Point, ...]]]:
    if loop and len(points) > 2:
        ring = [points[-1], *points, points[0], points[1]]
    else:
        ring = [_end_ghost(points[1], points[0], -1.0), *points]
        ring.append(_end_ghost(points[-2], points[-1], 1.0))
    for i in range(len(ring) - 3):
        yield "chain_segment", (ring[i], ring[i + 1], ring[i + 2], ring[i + 3])


def _end_ghost(inner: Point, end: Point, turn: float) -> Point:
    """The ghost beyond an open end: a square corner down to the side that is not solid.

    So a ball that rolls off the end goes round a corner there, as off a table.
    """
    x, y = end[0] - inner[0], end[1] - inner[1]
    return end[0] + turn * y, end[1] - turn * x
