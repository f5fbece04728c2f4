# SPDX-License-Identifier: MIT
"""Bars: slender bodies, along which forces push and pull."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model import Body, Point
from ...values.portable_math import hypot

SLENDER = 5.0
"""A bar is so many times as long as wide."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The middle line of a bar, in body coordinates, and its width."""

    start: Point
    end: Point
    width: float


def find_bar(body: Body) -> Bar | None:
    """Return the bar of a body: dynamic, with one slender box, polygon or capsule; else None.

    The bar runs along the longest side; its width is the shape's extent across.
    """
    if body.kind != "dynamic" or len(body.shapes) != 1:
        return None
    shape = body.shapes[0]
    if shape.kind not in ("polygon", "capsule") or shape.holes:
        return None
    points = shape.points
    if shape.kind == "capsule" and points[0] == points[1]:
        return None
    if not _may_be_slender(points, shape.radius):
        return None
    longest, axis = 0.0, (0.0, 0.0)
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        dx, dy = x2 - x1, y2 - y1
        if dx * dx + dy * dy < longest * longest:  # cheaper than its length
            continue
        length = hypot(dx, dy)
        if length > longest * (1.0 + 1e-9):
            longest, axis = length, (dx / length, dy / length)
    along = [x * axis[0] + y * axis[1] for x, y in points]
    across = [y * axis[0] - x * axis[1] for x, y in points]
    low, high = min(along) - shape.radius, max(along) + shape.radius
    bottom, top = min(across) - shape.radius, max(across) + shape.radius
    width = top - bottom
    if high - low < SLENDER * width * (1.0 - 1e-9):
        return None
    middle = 0.5 * (bottom + top)
    return Bar(_place(axis, low, middle), _place(axis, high, middle), width)


def _may_be_slender(points: Sequence[Point], radius: float) -> bool:
    """Whether points may form a bar: a cheap necessary condition.

    A bar of length l has at most the area l * l / SLENDER, and is no longer than the diagonal of
    the points' extents.
    """
    left, bottom = points[0]
    area = 0.0
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        area += (x1 - left) * (y2 - bottom) - (x2 - left) * (y1 - bottom)
    xs, ys = zip(*points, strict=True)
    width, height = max(xs) - min(xs) + 2.0 * radius, max(ys) - min(ys) + 2.0 * radius
    least, most = 0.5 * abs(area) * SLENDER, width * width + height * height
    return bool(least <= most * (1.0 + 1e-6))


def _place(axis: Point, along: float, across: float) -> Point:
    return along * axis[0] - across * axis[1], along * axis[1] + across * axis[0]
