# SPDX-License-Identifier: MIT
"""Geometry for importers, with the same numbers on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...scene.model import Point
from ...scene.values.polygon import signed_area, size_of, without_neighbours, without_repeats
from ...scene.values.portable_math import cos, hypot, sin, total

Points = Sequence[Point]


def turned(point: Point, angle: float) -> Point:
    """A point turned about the origin by radians."""
    c, s = cos(angle), sin(angle)
    return c * point[0] - s * point[1], s * point[0] + c * point[1]


def centroid(points: Points) -> Point:
    """The centroid of a polygon's area; of one without area the mean of its points."""
    area = signed_area(points)
    ox, oy = points[0]
    size = size_of(points)
    if abs(area) <= 1e-12 * size * size:
        n = len(points)
        return total(x for x, _ in points) / n, total(y for _, y in points) / n
    sx = sy = 0.0
    ax, ay = points[-1][0] - ox, points[-1][1] - oy
    for x, y in points:
        bx, by = x - ox, y - oy
        part = ax * by - bx * ay
        sx, sy = sx + (ax + bx) * part, sy + (ay + by) * part
        ax, ay = bx, by
    return ox + sx / (6 * area), oy + sy / (6 * area)


def second_moment(points: Points) -> float:
    """The moment of inertia of a polygon about the origin, of mass 1.

    The triangles from the origin to each side: sum of cross(a, b) (a.a + a.b + b.b) over 6 sums of
    cross(a, b).
    """
    top = bottom = 0.0
    ax, ay = points[-1]
    for bx, by in points:
        part = ax * by - bx * ay
        top += part * (ax * ax + ay * ay + ax * bx + ay * by + bx * bx + by * by)
        bottom += part
        ax, ay = bx, by
    return top / (6 * bottom) if bottom else 0.0


def contains(outline: Points, point: Point) -> bool:
    """Whether a point is inside: a line from it to the right crosses an odd number of sides."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], *outline[:1]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def distance(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def unit(vector: Point) -> Point | None:
    """The direction of a vector, None for one without."""
    length = hypot(*vector)
    return (vector[0] / length, vector[1] / length) if length > 0 else None


def arc_points(
    center: Point, rx: float, ry: float, start: float, sweep: float, sides: int
) -> list[Point]:
    """Points of an ellipse's arc, the first and the last included."""
    return [
        (
            center[0] + rx * cos(start + sweep * i / sides),
            center[1] + ry * sin(start + sweep * i / sides),
        )
        for i in range(sides + 1)
    ]


def ellipse(center: Point, rx: float, ry: float, sides: int = 32) -> list[Point]:
    """Approximate an ellipse by a polygon."""
    return arc_points(center, rx, ry, 0.0, 2 * math.pi, sides)[:-1]


def polygon_shape(points: Points) -> dict[str, Any]:
    """A polygon as a shape; an axis-aligned rectangle becomes a ``box``."""
    kept = without_repeats(points)
    xs, ys = sorted({x for x, _ in kept}), sorted({y for _, y in kept})
    straight = all(
        (a[0] == b[0]) != (a[1] == b[1]) for a, b in zip(kept, [*kept[1:], *kept[:1]], strict=True)
    )
    if len(kept) == 4 and len(xs) == 2 and len(ys) == 2 and straight:
        shape: dict[str, Any] = {"box": [xs[1] - xs[0], ys[1] - ys[0]]}
        center = [(xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2]
        return shape if center == [0.0, 0.0] else {**shape, "offset": center}
    return {"polygon": [list(point) for point in kept]}


def corners_of(shape: dict[str, Any]) -> list[Point]:
    """The corners of a shape that is a box or a polygon; none of others."""
    if "box" in shape:
        (width, height), (x, y) = shape["box"], shape.get("offset", (0.0, 0.0))
        w, h = width / 2, height / 2
        return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
    return [(x, y) for x, y in shape.get("polygon", ())]


def line_shape(given: Points, closed: bool = False) -> dict[str, Any]:
    """A line that is solid from both sides; one that ends where it began is a loop."""
    if len(given) > 3 and distance(given[0], given[-1]) <= 1e-6 * size_of(given):
        closed = True
    kept = without_repeats(given) if closed else without_neighbours(given)
    corners = [list(each) for each in kept]
    if len(corners) == 2:
        return {"segment": corners}
    return {"chain": corners, **({"loop": True} if closed else {}), "side": "both"}


def grown(points: Points, distance: float) -> list[Point]:
    """A convex polygon whose sides are further out by a distance, its corners sharp.

    A corner between sides with outer normals m and n moves by distance (m + n) / (1 + m.n).
    """
    kept = without_repeats(points)
    if signed_area(kept) < 0:
        kept.reverse()
    normals = []
    for a, b in zip(kept, [*kept[1:], *kept[:1]], strict=True):
        along = unit((b[0] - a[0], b[1] - a[1])) or (1.0, 0.0)
        normals.append((along[1], -along[0]))
    moved = []
    for (x, y), m, n in zip(kept, [normals[-1], *normals[:-1]], normals, strict=True):
        scale = distance / (1 + m[0] * n[0] + m[1] * n[1])
        moved.append((x + scale * (m[0] + n[0]), y + scale * (m[1] + n[1])))
    return moved


def rounded(value: Any) -> Any:
    """Lengths of a drawing without the noise of its transforms: millionths of a pixel."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    return round(value, 6) if isinstance(value, float) else value
