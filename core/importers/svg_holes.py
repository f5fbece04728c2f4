# SPDX-License-Identifier: MIT
"""The areas that overlapping outlines of one path fill."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UsageError
from ..polygons import Polygon, difference, union
from ..scene.model import Point
from ..scene.values.polygon import signed_area

MOST_POINTS = 1_000
"""Paths with more are not looked into: that takes the square of their number."""


def filled(outlines: Sequence[Sequence[Point]], even_odd: bool) -> tuple[Polygon, ...] | None:
    """Each outline, from the largest on, adds to the area or takes from it.

    By the rule ``nonzero`` those add that go round as the largest one does; by ``evenodd`` what is
    in an even number of them is not filled. None for outlines that cross themselves, or too many.
    """
    if sum(map(len, outlines)) > MOST_POINTS:
        return None
    first, *rest = sorted(outlines, key=lambda points: -abs(signed_area(points)))
    way = signed_area(first) > 0.0
    try:
        area = union(first, ())
        for points in rest:
            if even_odd:
                area = union(difference(area, points), difference(points, area))
            elif (signed_area(points) > 0.0) == way:
                area = union(area, points)
            else:
                area = difference(area, points)
    except UsageError:
        return None
    return area
