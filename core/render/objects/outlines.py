# SPDX-License-Identifier: MIT
"""The outline of a shape as points, for dashed lines and hatching. In body coordinates.

Round parts are made by halving angles: the direction half way between two unit vectors is their
sum, scaled to length one. No trigonometry, so the same points on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from ...scene.model import Point, Shape
from ...scene.values.portable_math import hypot

_QUARTERS: tuple[Point, ...] = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def outline(shape: Shape) -> list[Point]:
    """A closed line round a circle, capsule, segment or polygon; a chain's own points."""
    if shape.kind == "chain" or (shape.kind == "segment" and shape.radius == 0.0):
        return list(shape.points)
    if shape.kind == "circle":
        (center,) = shape.points
        return [
            (center[0] + shape.radius * x, center[1] + shape.radius * y)
            for first, second in zip(_QUARTERS, _QUARTERS[1:] + _QUARTERS[:1], strict=True)
            for x, y in _turn(first, second, 4)[:-1]
        ]
    if shape.radius == 0.0:
        return list(shape.points)
    return _rounded(list(shape.points), shape.radius)


def rims(shape: Shape) -> list[list[Point]]:
    """The same, and the edges of a polygon's holes."""
    return [outline(shape), *map(list, shape.holes)]


def border(shape: Shape) -> list[Point]:
    """The border of a half-space, and a point in it, as the rasterizer takes them."""
    (ax, ay), (bx, by) = shape.points
    return [(ax, ay), (bx, by), (ax + by - ay, ay + ax - bx)]


def one_way_around(shape: Shape) -> list[Point]:
    """The points of a shape; of a polygon with holes, as the rasterizer takes them."""
    if not shape.holes:
        return list(shape.points)
    first = shape.points[0]
    path = [*shape.points, first]
    for hole in shape.holes:
        path += [*hole, hole[0], first]
    return path[:-1]


def _turn(first: Point, second: Point, halvings: int) -> list[Point]:
    """Unit vectors from one direction to another less than half a turn away."""
    if halvings == 0:
        return [first, second]
    x, y = first[0] + second[0], first[1] + second[1]
    length = sqrt(x * x + y * y)
    if length < 1e-9:
        return [first, second]
    middle = (x / length, y / length)
    return _turn(first, middle, halvings - 1)[:-1] + _turn(middle, second, halvings - 1)


def _rounded(points: list[Point], radius: float) -> list[Point]:
    """A convex polygon, or the two ends of a capsule there and back, swollen by the radius."""
    normals: list[Point] = []
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        x, y = by - ay, ax - bx
        length = sqrt(x * x + y * y) or 1.0
        normals.append((x / length, y / length))
    around: list[Point] = []
    for i, (px, py) in enumerate(points):
        before, after = normals[i - 1], normals[i]
        if before[0] * after[0] + before[1] * after[1] < -0.999:
            middle = (-before[1], before[0])
            arc = _turn(before, middle, 3)[:-1] + _turn(middle, after, 3)
        else:
            arc = _turn(before, after, 3)
        around.extend((px + radius * x, py + radius * y) for x, y in arc)
    return around


def turning(points: Sequence[Point]) -> float:
    """Twice the area inside, positive when the points go round from +x towards +y."""
    return fsum(
        ax * by - ay * bx
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
    )


def girth(points: Sequence[Point]) -> float:
    """The length of the way round."""
    return fsum(
        hypot(bx - ax, by - ay)
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
    )


def inner_radius(shape: Shape) -> float:
    """About the radius of the largest disc inside: for a polygon twice its area over its girth."""
    if shape.kind != "polygon":
        return shape.radius
    rings = (shape.points, *shape.holes)
    around, inside = fsum(map(girth, rings)), abs(fsum(map(turning, rings)))
    return inside / around + shape.radius if around > 0.0 else 0.0


def within(points: Sequence[Point], quad: Sequence[Point]) -> list[Point]:
    """The part of a polygon within a rectangle, given by a corner and the two beside it.

    Sides are cut one after the other, after Sutherland and Hodgman (1974): of a concave polygon
    parts may hang together by lines without area.
    """
    (ox, oy), right, down = quad
    inside = list(points)
    for tip in (right, down):
        dx, dy = tip[0] - ox, tip[1] - oy
        square = dx * dx + dy * dy
        for sign, end in ((1.0, 0.0), (-1.0, 1.0)):
            far = [end + sign * ((x - ox) * dx + (y - oy) * dy) / square for x, y in inside]
            inside = _above(inside, far)
    return inside


def _above(points: Sequence[Point], far: Sequence[float]) -> list[Point]:
    """The part of a polygon whose points have a value of at least 0, which changes evenly."""
    kept: list[Point] = []
    for i, (x, y) in enumerate(points):
        (px, py), before, here = points[i - 1], far[i - 1], far[i]
        if (before < 0.0) != (here < 0.0):
            part = before / (before - here)
            kept.append((px + part * (x - px), py + part * (y - py)))
        if here >= 0.0:
            kept.append((x, y))
    return kept
