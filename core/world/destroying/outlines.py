# SPDX-License-Identifier: MIT
"""Shapes as polygons of the same area."""

from __future__ import annotations

from math import ceil, pi, sqrt

from ...scene.model import Point, Shape
from ...scene.values.portable_math import atan2, cos, sin

Polygon = tuple[Point, ...]

STRETCH = 2.0 * pi / 32.0
"""A corner of the polygon that stands for a circle at most every so many radians."""
STRAIGHT = 1e-6
"""Sides that turn by less meet without an arc between them."""


def outline_of(shape: Shape) -> Polygon:
    """A shape that has an area as a polygon of that area, counter-clockwise."""
    points, radius = shape.points, shape.radius
    if shape.kind == "circle" or (shape.kind == "capsule" and points[0] == points[1]):
        return _disc(points[0], radius)
    return _rounded(points, radius) if radius > 0.0 else points


def _disc(center: Point, radius: float) -> Polygon:
    """Between two corners there are a triangle of 1/2 R^2 sin d and a sector of 1/2 r^2 d."""
    count = round(2.0 * pi / STRETCH)
    turn = 2.0 * pi / count
    reach = radius * sqrt(turn / sin(turn))
    x, y = center
    return tuple((x + reach * cos(i * turn), y + reach * sin(i * turn)) for i in range(count))


def _rounded(points: Polygon, radius: float) -> Polygon:
    """The corners of a core, or the two ends of a line, with an arc round each."""
    count = len(points)
    normals = [_normal(points[i], points[(i + 1) % count]) for i in range(count)]
    around: list[Point] = []
    for i, (x, y) in enumerate(points):
        arc = _arc(normals[i - 1], normals[i], radius)
        around.extend((x + dx, y + dy) for dx, dy in arc)
    return tuple(around)


def _normal(start: Point, end: Point) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    length = sqrt(x * x + y * y)
    return y / length, -x / length


def _arc(first: Point, last: Point, radius: float) -> list[Point]:
    """Points round a corner, from the end of one side to the beginning of the next.

    Both ends are ``r`` from the corner, so that the sides stay where they are, and the others
    ``R``, such that n triangles have the area of the sector of the angle n d:
    r R sin d + 1/2 (n - 2) R^2 sin d = 1/2 r^2 n d.
    """
    ends = [(radius * x, radius * y) for x, y in (first, last)]
    angle = abs(atan2(_cross(first, last), first[0] * last[0] + first[1] * last[1]))
    if angle < STRAIGHT:
        return ends
    count = max(2, ceil(angle / STRETCH))
    turn = angle / count
    s, free = sin(turn), count - 2
    if free == 0:
        reach = radius * turn / s
    else:
        reach = radius * (sqrt(s * s + free * s * angle) - s) / (free * s)
    between = []
    for i in range(1, count):
        along, across = reach * cos(i * turn), reach * sin(i * turn)
        between.append((along * first[0] - across * first[1], along * first[1] + across * first[0]))
    return [ends[0], *between, ends[1]]


def _cross(a: Point, b: Point) -> float:
    return a[0] * b[1] - a[1] * b[0]
