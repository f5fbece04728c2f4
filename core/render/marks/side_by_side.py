# SPDX-License-Identifier: MIT
"""Arrows of one diagram that would lie on each other, moved side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...scene.values.portable_math import hypot
from .annotation_mark import MarkPart

Vector = tuple[float, float]

APART = 8.0
"""The distance of arrows side by side, at picture size ``unit`` 1."""
PARALLEL = 0.06
"""The sine of the largest angle between arrows that count as parallel."""


def side_by_side(parts: Sequence[MarkPart], apart: float) -> list[MarkPart]:
    """The parts of a diagram with arrows at least ``apart``, in world units, from parallel ones.

    An arrow moves by the least that is enough, to the side on which it is already, and its thin
    components with it; the first of several stays. Arrows in one line that only touch are left.
    """
    found: list[MarkPart] = []
    arrows: list[tuple[Vector, Vector]] = []
    way = (0.0, 0.0)
    for part in parts:
        if len(part.points) > 1 and not part.thin:
            ends = part.points[0], part.points[-1]
            way = _way(ends, arrows, apart)
            arrows.append((_moved(ends[0], way), _moved(ends[1], way)))
        if len(part.points) > 1 and way != (0.0, 0.0):
            part = replace(part, points=tuple(_moved(point, way) for point in part.points))
        found.append(part)
    return found


def _moved(point: Vector, way: Vector) -> Vector:
    return point[0] + way[0], point[1] + way[1]


def _way(
    ends: tuple[Vector, Vector], arrows: Sequence[tuple[Vector, Vector]], apart: float
) -> Vector:
    """The shortest way across an arrow that takes it off others."""
    along, long = _direction(*ends)
    if not long > 0.0:
        return 0.0, 0.0
    taken = []  # where across the arrow others are that it would lie on
    for other in arrows:
        (ux, uy), reach = _direction(*other)
        if not reach > 0.0 or abs(along[0] * uy - along[1] * ux) > PARALLEL:
            continue
        places = [_place(point, ends[0], along) for point in other]
        first, last = sorted(place[0] for place in places)
        if min(last, long) - max(first, 0.0) > 0.5 * apart:
            taken.append(0.5 * (places[0][1] + places[1][1]))
    # About the middle, rounding must not decide on the side.
    sides = sorted(
        [0.0, *(place + sign * apart for place in taken for sign in (1.0, -1.0))],
        key=lambda side: (abs(side) - (0.5 * apart if side < 0.0 else 0.0), side),
    )
    free = (side for side in sides if all(abs(side - place) > 0.999 * apart for place in taken))
    side = next(free, 0.0)
    return -along[1] * side, along[0] * side


def _direction(start: Vector, tip: Vector) -> tuple[Vector, float]:
    x, y = tip[0] - start[0], tip[1] - start[1]
    long = hypot(x, y)
    return (x / max(long, 1e-300), y / max(long, 1e-300)), long


def _place(point: Vector, start: Vector, along: Vector) -> Vector:
    """Where a point is along and across an arrow."""
    x, y = point[0] - start[0], point[1] - start[1]
    return x * along[0] + y * along[1], along[0] * y - along[1] * x
