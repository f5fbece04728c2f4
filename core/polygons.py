# SPDX-License-Identifier: MIT
"""Boolean operations, copies and measures of polygons.

    from rigid2d.core import polygons

    plate = [(0, 0), (4, 0), (4, 3), (0, 3)]
    (frame,) = polygons.difference(plate, [(1, 1), (3, 1), (3, 2), (1, 2)])
    frame.area, frame.holes, frame.shape

A polygon is a ``Polygon``, or a list of its corners in order, either way round. A region of several
polygons, as functions return it, is a list of them.

All sides are cut where they meet those of the other one, also where they lie on each other. Each
piece borders on a place to its left and one to its right, and is kept where only one of them is in
the result. What is kept forms rings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from .arguments import finite, items, vector
from .errors import UsageError
from .scene.values.context import Wrong
from .scene.values.polygon import checked_polygon, cross, signed_area, size_of
from .scene.values.portable_math import cos, hypot, sin, total

Point = tuple[float, float]
Ring = tuple[Point, ...]

SAME = 1e-9
"""Points that are nearer than this, as a part of the size of all, are one."""
SLIVER = 1e-12
"""Rings with less area, as a part of the square of that size, are none."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A polygon of any form.

    Attributes:
        points: its corners, counter-clockwise (from +x towards +y).
        holes: the corners of each hole, clockwise.
    """

    points: Ring
    holes: tuple[Ring, ...] = ()

    @property
    def area(self) -> float:
        """The area without the holes."""
        return signed_area(self.points) + total(signed_area(hole) for hole in self.holes)

    @property
    def shape(self) -> dict[str, Any]:
        """The polygon as a ``shape`` of a scene."""
        holes = [[list(point) for point in hole] for hole in self.holes]
        shape: dict[str, Any] = {"polygon": [list(point) for point in self.points]}
        return shape | {"holes": holes} if holes else shape


@dataclass(frozen=True, slots=True)
class Box:
    """A box that is turned: its middle, its width and height, and its angle in radians."""

    center: Point
    size: tuple[float, float]
    angle: float

    @property
    def corners(self) -> Ring:
        """The corners, counter-clockwise."""
        c, s = cos(self.angle), sin(self.angle)
        (x, y), w, h = self.center, 0.5 * self.size[0], 0.5 * self.size[1]
        corners = ((-w, -h), (w, -h), (w, h), (-w, h))
        return tuple((x + c * px - s * py, y + s * px + c * py) for px, py in corners)


def intersection(first: Any, second: Any) -> tuple[Polygon, ...]:
    """Return the common area of both; nothing if they do not overlap."""
    return _combined(first, second, lambda in_first, in_second: in_first and in_second)


def union(first: Any, second: Any) -> tuple[Polygon, ...]:
    """Return the area of one of them or both."""
    return _combined(first, second, lambda in_first, in_second: in_first or in_second)


def difference(first: Any, second: Any) -> tuple[Polygon, ...]:
    """Return the area of the first one without the second."""
    return _combined(first, second, lambda in_first, in_second: in_first and not in_second)


def joined(polygons: Sequence[Any]) -> tuple[Polygon, ...]:
    """Return the area of polygons that overlap nowhere but may touch along level or upright sides.

    What lies on both sides of such a line cancels out, so that no seam is left, in a time that
    grows with the number of sides; ``union`` takes its square.
    """
    rings = [ring for i, each in enumerate(polygons) for ring in _rings(each, f"polygons[{i}]")]
    if not rings:
        return ()
    near = SAME * size_of([point for ring in rings for point in ring])
    lines: dict[tuple[int, float], dict[float, int]] = {}
    kept: dict[Point, list[Point]] = {}
    for a, b in _sides(rings):
        axis = next((i for i in (0, 1) if a[i] == b[i]), None)
        if axis is None:
            kept.setdefault(a, []).append(b)
            continue
        changes = lines.setdefault((axis, a[axis]), {})
        start, end, way = a[1 - axis], b[1 - axis], 1
        if start > end:
            start, end, way = end, start, -1
        changes[start] = changes.get(start, 0) + way
        changes[end] = changes.get(end, 0) - way
    for (axis, at), changes in lines.items():
        total = 0
        for start, end in pairwise(sorted(changes)):
            total += changes[start]
            first, last = ((at, start), (at, end)) if axis == 0 else ((start, at), (end, at))
            if total:
                kept.setdefault(first if total > 0 else last, []).append(
                    last if total > 0 else first
                )
    return _grouped([_straightened(ring, near) for ring in _linked(kept)])


def clone(
    polygon: Any, move: Any = (0.0, 0.0), *, angle: float = 0.0, scale: float = 1.0
) -> Polygon:
    """A copy that is scaled and turned (in radians) about the origin, and then moved.

    A scale below 0 turns it half way round as well.
    """
    (x, y), turn, size = vector(move, "move"), finite(angle, "angle"), finite(scale, "scale")
    if size == 0.0:
        raise UsageError("scale must not be 0")
    c, s = size * cos(turn), size * sin(turn)

    def placed(ring: Ring) -> Ring:
        return tuple((x + c * px - s * py, y + s * px + c * py) for px, py in ring)

    given = _polygon(polygon, "polygon")
    return Polygon(placed(given.points), tuple(map(placed, given.holes)))


def rotated_box(polygon: Any, angle: float) -> Box:
    """The smallest box around a polygon whose sides are turned by an angle in radians."""
    turn = finite(angle, "angle")
    points = _polygon(polygon, "polygon").points
    c, s = cos(turn), sin(turn)
    along = [c * x + s * y for x, y in points]
    up = [c * y - s * x for x, y in points]
    a, b = 0.5 * (min(along) + max(along)), 0.5 * (min(up) + max(up))
    size = (max(along) - min(along), max(up) - min(up))
    return Box((c * a - s * b, s * a + c * b), size, turn)


# ---------------------------------------------------------------- what is given


def _polygon(given: Any, name: str) -> Polygon:
    if isinstance(given, Polygon):
        return given
    points = [vector(point, f"{name}[{i}]") for i, point in enumerate(items(given, name))]
    if len(points) < 3:
        raise UsageError(f"{name} must have at least 3 points, not {len(points)}")
    try:
        return Polygon(checked_polygon(points))
    except Wrong as wrong:
        raise UsageError(f"{name} is no polygon: {wrong}") from None


def _rings(given: Any, name: str) -> list[Ring]:
    """All outlines and holes, the inside to the left."""
    if isinstance(given, Polygon):
        return [given.points, *given.holes]
    several = items(given, name)
    if not several:
        return []
    if isinstance(several[0], Polygon):
        several = [_polygon(each, f"{name}[{i}]") for i, each in enumerate(several)]
        return [ring for each in several for ring in (each.points, *each.holes)]
    return [_polygon(several, name).points]


# ---------------------------------------------------------------- how it is done


def _combined(first: Any, second: Any, keeps: Callable[[bool, bool], bool]) -> tuple[Polygon, ...]:
    return combined(_rings(first, "first"), _rings(second, "second"), keeps)


def combined(
    first: Sequence[Ring], second: Sequence[Ring], keeps: Callable[[bool, bool], bool]
) -> tuple[Polygon, ...]:
    """Return the parts of two sets of rings, with their insides to the left, by a rule.

    Arguments of the rule are whether a place is in the first and in the second.
    """
    every = [point for ring in (*first, *second) for point in ring]
    if not every:
        return ()
    size = size_of(every)
    one, two = _cut(first, second, SAME * size)
    kept: dict[Point, list[Point]] = {}
    for a, b in one:
        same, back = (a, b) in two, (b, a) in two
        shared = same or back
        inside = not shared and _is_inside(_middle(a, b), second)
        left = keeps(True, same if shared else inside)
        right = keeps(False, back if shared else inside)
        _keep(kept, a, b, left, right)
    for a, b in two:
        if (a, b) in one or (b, a) in one:
            continue
        inside = _is_inside(_middle(a, b), first)
        _keep(kept, a, b, keeps(inside, True), keeps(inside, False))
    rings = [_straightened(ring, SAME * size) for ring in _linked(kept)]
    least = SLIVER * size * size
    return _grouped([ring for ring in rings if abs(signed_area(ring)) > least])


def _keep(kept: dict[Point, list[Point]], a: Point, b: Point, left: bool, right: bool) -> None:
    if left != right:
        start, end = (a, b) if left else (b, a)
        kept.setdefault(start, []).append(end)


Piece = tuple[Point, Point]


def _cut(
    first: Sequence[Ring], second: Sequence[Ring], near: float
) -> tuple[dict[Piece, None], dict[Piece, None]]:
    """Split the sides of both at intersections, so that pieces meet at their ends only."""
    own = {point: point for ring in first for point in ring}
    moved = [[_snapped(point, own, near) for point in ring] for ring in second]
    sides = [[*_sides(first)], [*_sides(moved)]]
    cuts: list[list[list[Point]]] = [[[] for _ in each] for each in sides]
    for i, (a, b) in enumerate(sides[0]):
        for j, (c, d) in enumerate(sides[1]):
            apart = (
                max(a[0], b[0]) < min(c[0], d[0]) - near
                or max(c[0], d[0]) < min(a[0], b[0]) - near
                or max(a[1], b[1]) < min(c[1], d[1]) - near
                or max(c[1], d[1]) < min(a[1], b[1]) - near
            )
            if not apart:
                on_first, on_second = _meetings((a, b), (c, d), near)
                cuts[0][i] += on_first
                cuts[1][j] += on_second
    both = []
    for mine, own_cuts in zip(sides, cuts, strict=True):
        pieces: dict[Piece, None] = {}
        for (a, b), places in zip(mine, own_cuts, strict=True):
            places.sort(key=partial(_along, a, b))
            pieces |= {(p, q): None for p, q in pairwise([a, *places, b]) if p != q}
        both.append({piece: None for piece in pieces if piece[::-1] not in pieces})
    return both[0], both[1]


def _along(a: Point, b: Point, p: Point) -> float:
    return (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])


def _snapped(point: Point, others: dict[Point, Point], near: float) -> Point:
    if point in others:
        return point
    return next((each for each in others if _distance(each, point) <= near), point)


def _sides(rings: Sequence[Sequence[Point]]) -> Iterator[Piece]:
    for ring in rings:
        yield from ((ring[i - 1], ring[i]) for i in range(len(ring)) if ring[i - 1] != ring[i])


def _meetings(one: Piece, two: Piece, near: float) -> tuple[list[Point], list[Point]]:
    """Return the intersections of two sides: on each, the places other than its ends."""
    on_one = [p for p in two if p not in one and _is_on(p, one, near)]
    on_two = [p for p in one if p not in two and _is_on(p, two, near)]
    if on_one or on_two or one[0] in two or one[1] in two:
        return on_one, on_two
    (a, b), (c, d) = one, two
    start, end = cross(c, d, a), cross(c, d, b)
    if (start > 0.0) == (end > 0.0) or (cross(a, b, c) > 0.0) == (cross(a, b, d) > 0.0):
        return [], []
    t = start / (start - end)
    place = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
    return [place], [place]


def _is_on(p: Point, side: Piece, near: float) -> bool:
    a, b = side
    x, y = b[0] - a[0], b[1] - a[1]
    along = _along(a, b, p)
    square = x * x + y * y
    return 0.0 < along < square and abs(cross(a, b, p)) <= near * hypot(x, y)


def _distance(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def _middle(a: Point, b: Point) -> Point:
    return 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])


def _is_inside(point: Point, rings: Sequence[Sequence[Point]]) -> bool:
    """Whether a point is inside, by the winding number of a ray towards +x."""
    x, y = point
    inside = False
    for a, b in _sides(rings):
        if (a[1] > y) != (b[1] > y) and x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]):
            inside = not inside
    return inside


def _linked(kept: dict[Point, list[Point]]) -> Iterator[Ring]:
    """Rings of the pieces, of which each place is in one at most once."""
    for start in sorted(kept):
        while kept[start]:
            way = [start, kept[start].pop(0)]
            at = {start: 0}
            while way:
                last = way[-1]
                if last in at:  # round once: the ring is done, what came before it is not
                    begin = at[last]
                    yield tuple(way[begin:-1])
                    for point in way[begin + 1 : -1]:
                        del at[point]
                    del way[begin + 1 :]
                    if begin == 0:
                        break
                    last = way[-1]
                at[last] = len(way) - 1
                following = kept.get(last)
                if not following:  # rounding has lost a piece, and so this ring
                    break
                turn = max(following, key=partial(_leftness, way[-2], last))
                following.remove(turn)
                way.append(turn)


def _leftness(before: Point, at: Point, after: Point) -> float:
    """A monotone measure of the left turn, from -2 (back on the right) to 2 (back on the left)."""
    ax, ay, bx, by = at[0] - before[0], at[1] - before[1], after[0] - at[0], after[1] - at[1]
    size = hypot(ax, ay) * hypot(bx, by)
    sine, cosine = (ax * by - ay * bx) / size, (ax * bx + ay * by) / size
    if sine == 0.0:
        return 0.0 if cosine > 0.0 else -2.0
    return 1.0 - cosine if sine > 0.0 else cosine - 1.0


def _straightened(ring: Ring, near: float) -> Ring:
    """The ring without places between their neighbours."""
    kept = list(ring)
    i = 0
    while i < len(kept) and len(kept) > 3:
        a, b, c = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs(cross(a, b, c)) <= near * _distance(a, c):
            del kept[i]
        else:
            i += 1
    return tuple(kept)


def _grouped(rings: Sequence[Ring]) -> tuple[Polygon, ...]:
    """Assign each hole to the smallest outline around it."""
    outlines = [ring for ring in rings if signed_area(ring) > 0.0]
    holes: list[list[Ring]] = [[] for _ in outlines]
    order = sorted(range(len(outlines)), key=lambda i: signed_area(outlines[i]))
    for ring in rings:
        if signed_area(ring) > 0.0:
            continue
        place = _middle(ring[0], ring[1])
        owner = next((i for i in order if _is_inside(place, [outlines[i]])), None)
        if owner is not None:
            holes[owner].append(ring)
    return tuple(Polygon(points, tuple(own)) for points, own in zip(outlines, holes, strict=True))
