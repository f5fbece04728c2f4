# SPDX-License-Identifier: MIT
"""Cuts simple polygons, convex or not, along straight lines.

The parts on one side of a line are simple polygons again. Their outlines leave the side
and come back where sides of the polygon cross the line. Along the line exits and entries
alternate, so the first exit is joined with the first entry, and so on.
Places are counted along the line for each kind separately, which holds also where several of them
are the same point: at a corner that lies on the line, and after rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...scene.model import Point
from ...scene.values.polygon import SMALLEST_AREA, cross, signed_area, size_of

Polygon = tuple[Point, ...]

ON_LINE = 1e-13
"""A corner is on a line that is nearer than this, as a part of the size of all."""
SAME_POINT = 1e-10
"""Corners that are nearer than this, as a part of the size of all, are one."""


@dataclass(frozen=True, slots=True)
class CutLine:
    """The side of a line that is kept: where x dx + y dy < ``at``; (dx, dy) has the length 1."""

    dx: float
    dy: float
    at: float

    @property
    def back(self) -> CutLine:
        """The other side."""
        return CutLine(-self.dx, -self.dy, -self.at)


def cut(points: Polygon, line: CutLine, size: float) -> list[Polygon]:
    """The part of a counter-clockwise polygon on one side of a line.

    ``size`` is that of all, in whose measure points are the same.
    """
    near = ON_LINE * size
    beyond = []
    for x, y in points:
        far = x * line.dx + y * line.dy - line.at
        beyond.append(0.0 if abs(far) <= near else far)
    if all(far <= 0.0 for far in beyond):
        return [points]
    chains = _chains(points, beyond)
    return [found for one in _joined(chains, line) if (found := _cleaned(one, size))]


def _chains(points: Polygon, beyond: Sequence[float]) -> list[list[Point]]:
    """The parts of an outline that are on the side, each from the line to the line."""
    count = len(points)
    inside = [far < 0.0 for far in beyond]
    chains: list[list[Point]] = []
    for i in range(count):
        if inside[i - 1] or not inside[i]:
            continue
        chain = [_crossing(points, beyond, i - 1, i)]
        while inside[i]:
            chain.append(points[i])
            i = (i + 1) % count
        chain.append(_crossing(points, beyond, i - 1, i))
        chains.append(chain)
    return chains


def _crossing(points: Polygon, beyond: Sequence[float], i: int, j: int) -> Point:
    """Return the intersection of a side with the line: the same bits in both directions."""
    if beyond[i] == 0.0 or beyond[j] == 0.0:
        return points[i] if beyond[i] == 0.0 else points[j]
    if points[j] < points[i]:
        i, j = j, i
    (ax, ay), (bx, by) = points[i], points[j]
    part = beyond[i] / (beyond[i] - beyond[j])
    return ax + part * (bx - ax), ay + part * (by - ay)


def _joined(chains: list[list[Point]], line: CutLine) -> list[list[Point]]:
    """The outlines that chains make, joined along the line, which has the kept side at its left."""

    def along(point: Point) -> float:
        return point[1] * line.dx - point[0] * line.dy

    numbers = range(len(chains))
    left = sorted(numbers, key=lambda i: along(chains[i][-1]))
    met = sorted(numbers, key=lambda i: along(chains[i][0]))
    after = dict(zip(left, met, strict=True))
    outlines = []
    while after:
        number = min(after)
        outline: list[Point] = []
        while number in after:
            outline += chains[number]
            number = after.pop(number)
        outlines.append(outline)
    return outlines


def _cleaned(points: list[Point], size: float) -> Polygon:
    """The corners that make a difference; none where no area is left."""
    near = SAME_POINT * size
    kept: list[Point] = []
    for x, y in points:
        if not kept or abs(x - kept[-1][0]) > near or abs(y - kept[-1][1]) > near:
            kept.append((x, y))
    while len(kept) > 2 and all(abs(kept[0][k] - kept[-1][k]) <= near for k in (0, 1)):
        kept.pop()
    i = 0
    while len(kept) > 2 and i < len(kept):
        a, b, c = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs(cross(a, b, c)) <= near * size_of((a, c)):
            del kept[i]
            i = max(i - 1, 0)
        else:
            i += 1
    if len(kept) < 3 or signed_area(kept) <= SMALLEST_AREA * size_of(kept) * size_of(kept):
        return ()
    return tuple(kept)


def squared_distance(a: Point, b: Point) -> float:
    """Between two points."""
    x, y = a[0] - b[0], a[1] - b[1]
    return x * x + y * y


def centroid(points: Polygon) -> Point:
    """The middle of a polygon's area, by triangles from its first corner."""
    ox, oy = points[0]
    sx = sy = total = 0.0
    for (ax, ay), (bx, by) in pairwise(points[1:]):
        ax, ay, bx, by = ax - ox, ay - oy, bx - ox, by - oy
        double = ax * by - bx * ay
        total += double
        sx += double * (ax + bx)
        sy += double * (ay + by)
    return ox + sx / (3.0 * total), oy + sy / (3.0 * total)


def contains(points: Polygon, point: Point) -> bool:
    """Whether a point is inside, by how many sides are to its right."""
    x, y = point
    inside = False
    ax, ay = points[-1]
    for bx, by in points:
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
        ax, ay = bx, by
    return inside


def touch(first: Polygon, second: Polygon, near: float) -> bool:
    """Whether two polygons share a point, or are nearer than the given distance."""
    for k in (0, 1):
        low, high = (min(p[k] for p in first), max(p[k] for p in first))
        if min(p[k] for p in second) > high + near or max(p[k] for p in second) < low - near:
            return False
    if contains(first, second[0]) or contains(second, first[0]):
        return True
    sides = [(second[i - 1], second[i]) for i in range(len(second))]
    return any(
        _meet(first[i - 1], first[i], c, d, near) for i in range(len(first)) for c, d in sides
    )


def _meet(a: Point, b: Point, c: Point, d: Point, near: float) -> bool:
    """Whether two sides cross, or an end of one is near the other."""
    if cross(a, b, c) * cross(a, b, d) < 0.0 and cross(c, d, a) * cross(c, d, b) < 0.0:
        return True
    ends = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(_squared_distance(*each) <= near * near for each in ends)


def _squared_distance(a: Point, b: Point, point: Point) -> float:
    """From a point to the segment a b."""
    x, y = b[0] - a[0], b[1] - a[1]
    px, py = point[0] - a[0], point[1] - a[1]
    length = x * x + y * y
    part = min(1.0, max(0.0, (px * x + py * y) / length)) if length > 0.0 else 0.0
    px, py = px - part * x, py - part * y
    return px * px + py * py
