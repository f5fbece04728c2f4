# SPDX-License-Identifier: MIT
"""Distances of a point from bodies: to the nearest point of their shapes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, sqrt

from ..scene.model import Point
from ..scene.values.portable_math import cos, sin
from .building.primitives import convex_pieces
from .naming.handles import BodyHandle


def distance_to(body: BodyHandle, place: Point) -> float:
    """The distance from a place to the nearest point of a body's shapes, 0 inside; sensors are
    none."""
    c, s, dx, dy = cos(body.angle), sin(body.angle), place[0] - body.x, place[1] - body.y
    local = c * dx + s * dy, c * dy - s * dx
    nearest = inf
    for shape in body.definition.shapes:
        if shape.sensor:
            continue
        if shape.kind == "half_space":
            nearest = min(nearest, max(0.0, _height(shape.points, local)))
            continue
        for points in convex_pieces(shape):
            nearest = min(nearest, max(0.0, _distance(points, local) - shape.radius))
    return nearest


def _height(border: Sequence[Point], place: Point) -> float:
    (ax, ay), (bx, by) = border
    x, y = bx - ax, by - ay
    return (x * (place[1] - ay) - y * (place[0] - ax)) / sqrt(x * x + y * y)


def _distance(points: Sequence[Point], place: Point) -> float:
    """To a point, a line or a convex polygon."""
    if len(points) > 2 and _is_inside(points, place):
        return 0.0
    if len(points) == 1:
        return _to_segment(points[0], points[0], place)
    return min(_to_segment(a, b, place) for a, b in pairwise([*points, points[0]]))


def _is_inside(points: Sequence[Point], place: Point) -> bool:
    turns = [
        (bx - ax) * (place[1] - ay) - (by - ay) * (place[0] - ax)
        for (ax, ay), (bx, by) in pairwise([*points, points[0]])
    ]
    return min(turns) >= 0.0 or max(turns) <= 0.0


def _to_segment(a: Point, b: Point, place: Point) -> float:
    x, y = b[0] - a[0], b[1] - a[1]
    dx, dy = place[0] - a[0], place[1] - a[1]
    length = x * x + y * y
    part = 0.0 if length == 0.0 else min(1.0, max(0.0, (dx * x + dy * y) / length))
    dx, dy = dx - part * x, dy - part * y
    return sqrt(dx * dx + dy * dy)
