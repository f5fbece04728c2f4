# SPDX-License-Identifier: MIT
"""The collision functions of document 000, part 1, for rectangles and circles.

A ``Hit`` says by how much and where two shapes overlap: End = Start + Normal Depth, with the
normal from the first one to the second. Rectangles are their four corners, from +x towards +y, so
that face i goes from corner i to corner i + 1 and its outward normal is that turned by a quarter
towards -y.

Two rectangles are compared as in "variant 2" with the change of part 2: all corners behind a face
and between its ends touch, with the depth of the deepest. Which face that is, is said by all
corners, wherever they are along it. As printed only those between its ends say it: then no corner
there means apart, and one far behind the opposite face, at the height of an edge, is a contact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .system import Point

Corners = Sequence[Point]
FACE = 4  # faces are features 4 to 7, corners 0 to 3 (part 3)


class Hit(NamedTuple):
    """Where two shapes overlap; ``features`` are the edge indices of part 3."""

    start: Point
    normal: Point
    depth: float
    features: tuple[int, int] = (0, 0)

    @property
    def end(self) -> Point:
        return _moved(self.start, self.normal, self.depth)


def circle_circle(c1: Point, r1: float, c2: Point, r2: float) -> list[Hit]:
    """Of circles in one place the normal is (1, 0). As printed, Start lies on the first one's rim,
    and End, Depth further, beyond the second's; here both are where the rims are."""
    d = (c2[0] - c1[0], c2[1] - c1[1])
    distance = math.sqrt(d[0] * d[0] + d[1] * d[1])
    if distance > r1 + r2:
        return []
    n = (d[0] / distance, d[1] / distance) if distance > 0.0 else (1.0, 0.0)
    return [Hit(_moved(c2, n, -r2), n, r1 + r2 - distance)]


def rectangle_circle(corners: Corners, center: Point, radius: float) -> list[Hit]:
    """The normal goes from the rectangle to the circle; Start lies on the circle."""
    best, nearest, inside = -math.inf, 0, True
    for i in range(4):
        projection = _dot(_minus(center, corners[i]), _normal(corners, i))
        if projection > 0.0:
            best, nearest, inside = projection, i, False
            break
        if projection > best:
            best, nearest = projection, i
    n = _normal(corners, nearest)
    if not inside:
        first, second = corners[nearest], corners[(nearest + 1) % 4]
        edge = _minus(second, first)
        for corner, along in ((first, edge), (second, (-edge[0], -edge[1]))):
            away = _minus(center, corner)
            if _dot(away, along) < 0.0:
                distance = math.sqrt(_dot(away, away))
                if distance > radius:
                    return []
                n = (away[0] / distance, away[1] / distance)
                return [Hit(_moved(center, n, -radius), n, radius - distance)]
        if best >= radius:
            return []
    return [Hit(_moved(center, n, -radius), n, radius - best)]


def rectangle_rectangle(one: Corners, two: Corners) -> list[Hit]:
    """Up to four touching corners: of the second behind a face of the first, and vice versa."""
    found = axis_of_least_penetration(one, two)
    other = axis_of_least_penetration(two, one)
    if found is None or other is None:
        return []
    hits = []
    face, n, depth, corners = found
    hits += [Hit(two[i], n, depth, (face + FACE, i)) for i in corners]
    face, n, depth, corners = other
    back = (-n[0], -n[1])
    hits += [Hit(_moved(one[i], n, depth), back, depth, (i, face + FACE)) for i in corners]
    unlike: dict[tuple[Point, float], Hit] = {}
    for hit in hits:
        unlike.setdefault((hit.start, hit.depth), hit)
    return list(unlike.values())


def axis_of_least_penetration(
    one: Corners, two: Corners
) -> tuple[int, Point, float, list[int]] | None:
    """Of the faces of the first, the one that the second is least behind: which, its normal, how
    deep, and which corners touch; None where the two are apart."""
    least, best = math.inf, (0, (0.0, 0.0), 0.0, list[int]())
    for face in range(4):
        n = _normal(one, face)
        behind = [-_dot(_minus(corner, one[face]), n) for corner in two]
        deepest = max(behind)
        if deepest < 0.0:
            return None
        if deepest < least:
            touching = support_points(one, face, two)
            depth = max((behind[i] for i in touching), default=0.0)
            least, best = deepest, (face, n, depth, touching)
    return best


def support_points(one: Corners, face: int, two: Corners) -> list[int]:
    """The corners of the second that lie behind a face of the first and between its ends."""
    p1, p2 = one[face], one[(face + 1) % 4]
    n, edge = _normal(one, face), _minus(p2, p1)
    found = []
    for i, corner in enumerate(two):
        from_start, from_end = _minus(corner, p1), _minus(corner, p2)
        between = _dot(from_start, edge) >= 0.0 >= _dot(from_end, edge)
        if between and _dot(from_start, n) <= 0.0:
            found.append(i)
    return found


def _normal(corners: Corners, face: int) -> Point:
    x, y = _minus(corners[(face + 1) % 4], corners[face])
    length = math.sqrt(x * x + y * y)
    return y / length, -x / length


def _moved(point: Point, direction: Point, by: float) -> Point:
    return point[0] + by * direction[0], point[1] + by * direction[1]


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]
