# SPDX-License-Identifier: MIT
"""The points of a body's polygons and chains, for the tool that moves them.

They are those of the file, in its order: an outline that is loaded goes counter-clockwise, and has
no points in the middle of straight sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from ..scene.model import Body, Point
from ..scene.values.context import Wrong
from ..scene.values.polygon import checked_polygon

WITH_POINTS = ("polygon", "chain", "segment", "capsule")
"""The keys of shapes whose points the file says."""
SAME = 1e-6
"""How far lengths may differ, as a share."""


def outlines(body: Body, said: Mapping[int, Sequence[Point]] | None = None) -> list[dict[str, Any]]:
    """Each shape with points of its own: its number, its points in the body, whether closed.

    ``said`` are the points as the file says them, by the number of the shape, where it does so in
    numbers.
    """
    found = []
    for number, shape in enumerate(body.shapes):
        if shape.source not in WITH_POINTS:
            continue
        points: Sequence[Point] = shape.outer or shape.points
        closed = shape.kind == "polygon" or shape.loop
        if shape.source == "polygon" and said is not None and number in said:
            points = _in_order_of(said[number], points)
        found.append(
            {
                "shape": number,
                "kind": shape.source,
                "points": [list(point) for point in points],
                "closed": closed,
            }
        )
    return found


def _in_order_of(said: Sequence[Point], loaded: Sequence[Point]) -> Sequence[Point]:
    """The points of an outline in the order of the file; as they are loaded where that is not
    plain, as in a mirrored instance."""
    try:
        kept = checked_polygon(said)
    except Wrong:
        return loaded
    if len(kept) != len(loaded) or len(set(kept)) != len(kept) or not _is_moved(kept, loaded):
        return loaded
    places = dict(zip(kept, loaded, strict=True))
    corners = [i for i, point in enumerate(said) if point in places]
    found = []
    for i, point in enumerate(said):
        if point in places:
            found.append(places[point])
            continue
        before = said[max((k for k in corners if k < i), default=corners[-1])]
        after = said[min((k for k in corners if k > i), default=corners[0])]
        share = _distance(before, point) / (_distance(before, after) or 1.0)
        (ax, ay), (bx, by) = places[before], places[after]
        found.append((ax + share * (bx - ax), ay + share * (by - ay)))
    return found


def _is_moved(points: Sequence[Point], others: Sequence[Point]) -> bool:
    """Whether an outline is another one that was moved, turned and scaled."""
    sides, theirs = (
        [_distance(a, b) for a, b in zip(each, (*each[1:], each[0]), strict=True)]
        for each in (points, others)
    )
    scale = sum(theirs) / (sum(sides) or 1.0)
    return all(abs(scale * a - b) <= SAME * max(theirs) for a, b in zip(sides, theirs, strict=True))


def _distance(point: Point, other: Point) -> float:
    x, y = other[0] - point[0], other[1] - point[1]
    return sqrt(x * x + y * y)
