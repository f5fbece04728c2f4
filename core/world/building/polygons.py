# SPDX-License-Identifier: MIT
"""Splits polygons of any form into convex ones of at most 64 points, the engine's kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from ... import _native
from ...scene.model import Point

MAX_POINTS = 64  # the engine's limit per polygon


@lru_cache(maxsize=4096)
def convex_parts(points: tuple[Point, ...]) -> tuple[tuple[Point, ...], ...]:
    """A simple polygon, counter-clockwise from +x towards +y, as convex ones that fill it."""
    if is_convex(points):
        return tuple(_halved(points))
    parts = _native.decompose_polygon(np.array(points, dtype=np.float64))
    return tuple(
        half
        for part in parts
        for half in _halved(tuple((float(x), float(y)) for x, y in part.tolist()))
    )


def outline_neighbours(
    points: tuple[Point, ...], parts: Iterable[tuple[Point, ...]]
) -> Iterator[tuple[Point, ...]]:
    """For each part, the points before its corners on the polygon's outline, then those after."""
    before = dict(zip(points, (points[-1], *points[:-1]), strict=True)).__getitem__
    after = dict(zip(points, (*points[1:], points[0]), strict=True)).__getitem__
    return ((*map(before, part), *map(after, part)) for part in parts)


def is_convex(points: tuple[Point, ...]) -> bool:
    """Whether a simple counter-clockwise polygon never turns right."""
    ax, ay = points[-2]
    bx, by = points[-1]
    for cx, cy in points:
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < 0:
            return False
        ax, ay, bx, by = bx, by, cx, cy
    return True


def _halved(points: tuple[Point, ...]) -> list[tuple[Point, ...]]:
    """A convex polygon cut across until no part has more points than the engine takes."""
    if len(points) <= MAX_POINTS:
        return [points]
    middle = len(points) // 2
    return [*_halved(points[: middle + 1]), *_halved((*points[middle:], points[0]))]
