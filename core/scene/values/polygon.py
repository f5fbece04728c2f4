# SPDX-License-Identifier: MIT
"""Checks of polygons, and the inset that makes room for rounded corners."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from ..model import Point
from .context import Wrong
from .portable_math import hypot

# Relative to the size (diagonal of the box around the polygon).
SAME_POINT = 1e-9
NEIGHBOURS = 1e-7  # points of drawings that coincide with their predecessor
SMALLEST_AREA = 1e-9  # of size squared: a needle a thousand million times longer than wide

NO_AREA = "almost no area; make it wider, or use a segment or a capsule"


def size_of(points: Sequence[Point]) -> float:
    """The diagonal of the box around the points."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return hypot(max(xs) - min(xs), max(ys) - min(ys))


def without_neighbours(points: Sequence[Point]) -> list[Point]:
    """The points without those that coincide with their predecessor."""
    near = NEIGHBOURS * size_of(points) if points else 0.0
    kept: list[Point] = []
    for point in points:
        if not kept or hypot(point[0] - kept[-1][0], point[1] - kept[-1][1]) > near:
            kept.append(point)
    return kept


def without_repeats(points: Sequence[Point]) -> list[Point]:
    """The same for a closed outline, whose last point is before the first one."""
    near = NEIGHBOURS * size_of(points) if points else 0.0
    kept = without_neighbours(points)
    if len(kept) > 1 and hypot(kept[0][0] - kept[-1][0], kept[0][1] - kept[-1][1]) <= near:
        kept.pop()
    return kept


def signed_area(points: Sequence[Point]) -> float:
    """The shoelace formula; positive for points that go from +x towards +y."""
    ox, oy = points[0]
    total = 0.0
    ax, ay = points[-1][0] - ox, points[-1][1] - oy
    for x, y in points:
        bx, by = x - ox, y - oy
        total += ax * by - bx * ay
        ax, ay = bx, by
    return 0.5 * total


def is_needle(width: float, height: float) -> bool:
    """Whether a box is too thin for a polygon, as which it is written where it is put elsewhere.

    Twice as thin is within the bound, so that no rounding of its corners decides.
    """
    return min(width, height) <= 2.0 * SAME_POINT * hypot(width, height)


def cross(o: Point, a: Point, b: Point) -> float:
    """Twice the area of the triangle o a b; positive where b is to the left of o -> a."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def checked_polygon(points: Sequence[Point]) -> tuple[Point, ...]:
    """A simple polygon counter-clockwise, without the points in the middle of straight sides.

    Raises Wrong for repeated points, no area, and sides that cross or touch.
    """
    from ... import _native  # which takes longer to load than a scene without polygons to read

    size = size_of(points)
    rows = rows_of(points)
    _check_repeated(points, _native.near_points(rows, SAME_POINT * size))
    if _on_one_line(points, size):
        raise Wrong("impossible-shape", "the polygon has no area: its points lie on one line")
    crossing = _native.clashing_edges(rows)
    if crossing is not None:
        raise Wrong("impossible-shape", _crossing_sentence(crossing, len(points)))
    area = signed_area(points)
    if abs(area) <= SMALLEST_AREA * size * size:
        raise Wrong(
            "impossible-shape",
            f"the polygon has {NO_AREA}",
        )
    ordered = tuple(points) if area > 0 else tuple(reversed(points))
    return _without_straight_points(ordered, size)


def rows_of(points: Sequence[Point]) -> memoryview[float]:
    """The points as the engine takes them: an array [n, 2], for which NumPy is not needed."""
    numbers = array("d", [coordinate for point in points for coordinate in point])
    return memoryview(numbers).cast("B").cast("d", (len(points), 2))


def _on_one_line(points: Sequence[Point], size: float) -> bool:
    first, last = min(points), max(points)
    return all(abs(cross(first, last, p)) <= SAME_POINT * size * size for p in points)


def _check_repeated(points: Sequence[Point], near: tuple[int, int] | None) -> None:
    if near is None:
        return
    first, second = near
    closing = first == 0 and second == len(points) - 1
    hint = "; the last point is not repeated, the polygon closes by itself"
    raise Wrong(
        "impossible-shape",
        f"points {first + 1} and {second + 1} of the polygon are the same"
        + (hint if closing else ""),
        (second,),
    )


def _crossing_sentence(crossing: tuple[int, int], n: int) -> str:
    (a, b), (c, d) = ((i + 1, (i + 1) % n + 1) for i in crossing)
    return (
        f"the polygon's sides cross or touch: the one from point {a} to {b} and the one from "
        f"point {c} to {d}; list the points in order around the outline"
    )


def _without_straight_points(points: tuple[Point, ...], size: float) -> tuple[Point, ...]:
    """Drop points that lie between their neighbours on one line."""
    kept = list(points)
    i = 0
    while i < len(kept) and len(kept) > 3:
        a, b, c = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs(cross(a, b, c)) <= SAME_POINT * size * size_of((a, c)):
            del kept[i]
        else:
            i += 1
    return tuple(kept)


def is_convex(points: Sequence[Point]) -> bool:
    """Whether a counter-clockwise polygon has no corner that points inwards."""
    n = len(points)
    return all(cross(points[i - 1], points[i], points[(i + 1) % n]) >= 0.0 for i in range(n))


def inset(points: Sequence[Point], radius: float) -> tuple[Point, ...] | None:
    """A convex counter-clockwise polygon with each side moved inwards; None where no room is left.

    A corner p between sides of directions d1 and d2 moves along the bisector: to
    p + r (n1 + n2) / (1 + n1 . n2) with n the inward normals, which is where the moved sides meet.
    """
    n = len(points)
    directions = []
    for i in range(n):
        dx, dy = points[(i + 1) % n][0] - points[i][0], points[(i + 1) % n][1] - points[i][1]
        length = math.sqrt(dx * dx + dy * dy)
        if length == 0.0:
            return None
        directions.append((dx / length, dy / length))
    moved: list[Point] = []
    for i in range(n):
        (ax, ay), (bx, by) = directions[i - 1], directions[i]
        opening = 1.0 + ax * bx + ay * by
        if opening < 1e-12:  # a corner as sharp as a needle
            return None
        scale = radius / opening
        moved.append((points[i][0] - (ay + by) * scale, points[i][1] + (ax + bx) * scale))
    for i in range(n):
        dx, dy = moved[(i + 1) % n][0] - moved[i][0], moved[(i + 1) % n][1] - moved[i][1]
        if dx * directions[i][0] + dy * directions[i][1] <= 1e-9 * radius:
            return None
    return tuple(moved)
