# SPDX-License-Identifier: MIT
"""Splits polygons of any form into convex ones of at most 64 points, the engine's kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from ... import _native
from ...scene.model import Point

MAX_POINTS = 64  # the engine's limit per polygon


Ring = tuple[Point, ...]


@lru_cache(maxsize=4096)
def convex_parts(points: Ring, holes: tuple[Ring, ...] = ()) -> tuple[Ring, ...]:
    """A simple polygon, counter-clockwise from +x towards +y, as convex ones that fill it.

    Its holes stay free.
    """
    if is_convex(points) and not holes:
        return tuple(_halved(points))
    rings = [np.array(ring, dtype=np.float64) for ring in (points, *holes)]
    parts = _native.decompose_polygon(rings[0], rings[1:])
    return tuple(
        half
        for part in parts
        for half in _halved(tuple((float(x), float(y)) for x, y in part.tolist()))
    )


def outline_neighbours(
    points: Ring, parts: Iterable[Ring], holes: tuple[Ring, ...] = ()
) -> Iterator[Ring]:
    """For each part, the points before its corners on the polygon's outline, then those after.

    The polygon is counter-clockwise, and its holes are clockwise.
    """
    before: dict[Point, Point] = {}
    after: dict[Point, Point] = {}
    for ring in (points, *holes):
        before |= zip(ring, (ring[-1], *ring[:-1]), strict=True)
        after |= zip(ring, (*ring[1:], ring[0]), strict=True)
    return ((*map(before.__getitem__, part), *map(after.__getitem__, part)) for part in parts)


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
