# SPDX-License-Identifier: MIT
"""The collision functions of document 000, part 1, for rectangles and circles.

A ``Hit`` says by how much and where two shapes overlap: End = Start + Normal Depth, with the
normal from the first one to the second. Rectangles are their four corners, from +x towards +y, so
that face i goes from corner i to corner i + 1 and its outward normal is that turned by a quarter
towards -y.

Two rectangles are compared in one of three ways. ``rectangle_rectangle`` is "variant 2" with the
change of part 2: all corners behind a face and between its ends touch, with the depth of the
deepest. ``deepest_corners`` is variant 2 of part 1: of these the deepest alone, or two that are
equally deep; a cube that rocks touches by one, falls to the other side, and sinks.
``one_support_point`` is the book's (variant 1): one point, the support point of the face of least
overlap, so that a cube at rest touches by one of its four.

In variant 2 all corners say which face that is, wherever they are along it. As printed only those
between its ends say it: then no corner there means apart, and one far behind the opposite face, at
the height of an edge, is a contact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .system import Point

Corners = Sequence[Point]
FACE = 4  # faces are features 4 to 7, corners 0 to 3 (part 3)


class Hit(NamedTuple):
    """The overlap of two shapes; ``features`` are the edge indices of part 3."""

    start: Point
    normal: Point
    depth: float
    features: tuple[int, int] = (0, 0)

    @property
    def end(self) -> Point:
        return _moved(self.start, self.normal, self.depth)


def circle_circle(c1: Point, r1: float, c2: Point, r2: float) -> list[Hit]:
    """The normal of circles in one place is (1, 0). As printed, Start lies on the first one's rim,
    and End, Depth further, beyond the second's; here both are where the rims are."""
    d = (c2[0] - c1[0], c2[1] - c1[1])
    distance = math.sqrt(d[0] * d[0] + d[1] * d[1])
    if distance > r1 + r2:
        return []
    n = (d[0] / distance, d[1] / distance) if distance > 0.0 else (1.0, 0.0)
    return [Hit(_moved(c2, n, -r2), n, r1 + r2 - distance)]


def rectangle_circle(corners: Corners, center: Point, radius: float) -> list[Hit]:
    """The normal points from the rectangle to the circle; Start is on the circle."""
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


def rectangle_rectangle(one: Corners, two: Corners, *, deepest: bool = False) -> list[Hit]:
    """Up to four touching corners: of the second behind a face of the first, and vice versa."""
    found = axis_of_least_penetration(one, two)
    other = axis_of_least_penetration(two, one)
    if found is None or other is None:
        return []
    hits = []
    face, n, depth, corners = found
    corners = [i for i in corners if not deepest or _behind(one, face, two[i]) == depth]
    hits += [Hit(two[i], n, depth, (face + FACE, i)) for i in corners]
    face, n, depth, corners = other
    corners = [i for i in corners if not deepest or _behind(two, face, one[i]) == depth]
    back = (-n[0], -n[1])
    hits += [Hit(_moved(one[i], n, depth), back, depth, (i, face + FACE)) for i in corners]
    unlike: dict[tuple[Point, float], Hit] = {}
    for hit in hits:
        unlike.setdefault((hit.start, hit.depth), hit)
    return list(unlike.values())


def deepest_corners(one: Corners, two: Corners) -> list[Hit]:
    """The deepest corners of ``rectangle_rectangle``, of each rectangle."""
    return rectangle_rectangle(one, two, deepest=True)


def one_support_point(one: Corners, two: Corners) -> list[Hit]:
    """The book's contact: of two that are equally deep the corner of the first, as in its code; the
    document's note on it has the reverse."""
    found, other = _least_support(one, two), _least_support(two, one)
    if found is None or other is None:
        return []
    face, n, depth, corner = found
    if depth < other[2]:
        return [Hit(two[corner], n, depth, (face + FACE, corner))]
    face, n, depth, corner = other
    return [Hit(_moved(one[corner], n, depth), (-n[0], -n[1]), depth, (corner, face + FACE))]


def _least_support(one: Corners, two: Corners) -> tuple[int, Point, float, int] | None:
    """The face of the first whose support point is least behind it: its index, its normal,
    how deep, and which corner of the second; None where a face has all of the second before it."""
    least = None
    for face in range(4):
        n = _normal(one, face)
        behind = [_behind(one, face, corner) for corner in two]
        depth = max(behind)
        if depth <= 0.0:
            return None
        if least is None or depth < least[2]:
            least = face, n, depth, behind.index(depth)
    return least


RECTANGLES: dict[str, Callable[[Corners, Corners], list[Hit]]] = {
    "document": rectangle_rectangle,
    "document_book": one_support_point,
    "document_deepest": deepest_corners,
}
"""The three, by the option ``contacts``."""


def axis_of_least_penetration(
    one: Corners, two: Corners
) -> tuple[int, Point, float, list[int]] | None:
    """The face of the first that the second is least behind: its index, its normal, how
    deep, and which corners touch; None where the two are apart."""
    least, best = math.inf, (0, (0.0, 0.0), 0.0, list[int]())
    for face in range(4):
        n = _normal(one, face)
        behind = [_behind(one, face, corner) for corner in two]
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


def _behind(solid: Corners, face: int, corner: Point) -> float:
    """Return the distance of a corner behind a face."""
    return -_dot(_minus(corner, solid[face]), _normal(solid, face))


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
