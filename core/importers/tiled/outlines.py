# SPDX-License-Identifier: MIT
"""Collision shapes of tiles, and the outlines that those of neighbours form together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ... import polygons
from ...errors import UsageError
from ...polygons import Polygon
from ...scene.limits import CHAIN_POINTS, HOLES, POLYGON_POINTS
from ...scene.model import Point
from ...scene.values.polygon import signed_area, without_neighbours
from ..drafts import geometry
from ..drafts.draft import Entry
from ..drafts.places import Value

_RADIAN = math.pi / 180
_NEAR = 1e-6  # pixels
_SIDES = 32


def corners(held: Value) -> list[Point]:
    """The corners or places of a polygon or polyline."""
    return [(point.number("x"), point.number("y")) for point in held.items()]


@dataclass
class TileOutline:
    """The shapes of one tile, or of many together: areas, open lines, and round ones as circles.

    Coordinates are those of the tile or the map, in pixels with y down.
    """

    areas: list[Polygon] = field(default_factory=list)
    lines: list[list[Point]] = field(default_factory=list)
    circles: list[tuple[Point, float]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not (self.areas or self.lines or self.circles)


def outline_of(objects: Sequence[Value]) -> TileOutline:
    """The shapes of a tile. Those that overlap are one; circles alone stay round."""
    made = TileOutline()
    rings: list[list[Point]] = []
    for each in objects:
        x, y, angle = each.number("x"), each.number("y"), each.number("rotation") * _RADIAN
        width, height = each.number("width"), each.number("height")

        def placed(
            points: Iterable[Point], at: Point = (x, y), angle: float = angle
        ) -> list[Point]:
            turned = points if angle == 0.0 else [geometry.turned(point, angle) for point in points]
            return [(round(at[0] + px, 6), round(at[1] + py, 6)) for px, py in turned]

        if each.truth("point") or each.has("text"):
            continue
        if each.has("polyline"):
            line = without_neighbours(placed(corners(each.need("polyline"))))
            made.lines += [line] if len(line) > 1 else []
        elif each.has("polygon"):
            rings.append(placed(corners(each.need("polygon"))))
        elif not (width > 0 and height > 0):
            continue
        elif each.truth("ellipse") or each.truth("capsule"):
            middle = placed([(width / 2, height / 2)])[0]
            if width == height:
                made.circles.append((middle, width / 2))
            elif each.truth("ellipse"):
                rings.append(
                    placed(geometry.ellipse((width / 2, height / 2), width / 2, height / 2, _SIDES))
                )
            else:
                rings.append(placed(_capsule(width, height)))
        else:
            rings.append(placed([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]))
    if len(rings) + len(made.circles) > 1:
        rings += [round_ring(*circle) for circle in made.circles]
        made.circles = []
    for ring in rings:
        made.areas = list(polygons.union(made.areas, ring))
    return made


def _capsule(width: float, height: float) -> list[Point]:
    """The corners of a capsule along the longer side."""
    radius, half = min(width, height) / 2, _SIDES // 2
    middle = (width / 2, height / 2)
    dx, dy = width / 2 - radius, height / 2 - radius
    begin = -math.pi / 2 if dx > 0.0 else 0.0
    first = geometry.arc_points(
        (middle[0] + dx, middle[1] + dy), radius, radius, begin, math.pi, half
    )
    second = geometry.arc_points(
        (middle[0] - dx, middle[1] - dy), radius, radius, begin + math.pi, math.pi, half
    )
    return [*first, *second]


def round_ring(middle: Point, radius: float) -> list[Point]:
    return [(round(x, 6), round(y, 6)) for x, y in geometry.ellipse(middle, radius, radius, _SIDES)]


def box_outline(size: tuple[float, float]) -> TileOutline:
    """The whole of a tile."""
    width, height = size
    ring = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return TileOutline([Polygon(ring)])


class Merger:
    """Joins the outlines of tiles in cells of a grid."""

    def __init__(self, cell: tuple[float, float]) -> None:
        self.cell = cell
        self.inside: list[Polygon] = []
        self.beyond: list[Polygon] = []
        self.lines: list[list[Point]] = []
        self.circles: list[tuple[Point, float]] = []

    def add(self, outline: TileOutline, at: Point, corner: Point) -> None:
        """Add a tile's outline, ``at`` its upper left corner; ``corner`` is that of its cell."""
        for area in outline.areas:
            moved = Polygon(_moved(area.points, at), tuple(_moved(hole, at) for hole in area.holes))
            left, top = corner
            within = all(
                left <= x <= left + self.cell[0] and top <= y <= top + self.cell[1]
                for x, y in moved.points
            )
            (self.inside if within else self.beyond).append(moved)
        self.lines += [list(_moved(line, at)) for line in outline.lines]
        self.circles += [((at[0] + x, at[1] + y), radius) for (x, y), radius in outline.circles]

    def shapes(self) -> list[Entry]:
        """The joined outlines as shapes of a body."""
        areas = list(polygons.joined(self.inside))
        for each in self.beyond:
            areas = _with(areas, each)
        made = [shape for area in areas for shape in area_shapes(area)]
        for line in _connected(self.lines):
            for start in range(0, len(line) - 1, CHAIN_POINTS - 1):
                made.append(geometry.line_shape(line[start : start + CHAIN_POINTS]))
        for middle, radius in self.circles:
            made.append({"circle": radius, "offset": list(middle)})
        return made


def _moved(points: Iterable[Point], at: Point) -> tuple[Point, ...]:
    return tuple((round(at[0] + x, 6), round(at[1] + y, 6)) for x, y in points)


def _with(areas: list[Polygon], added: Polygon) -> list[Polygon]:
    """Areas with one more, which is united with those near it."""
    box = _box(added.points)
    near = [each for each in areas if _meet(_box(each.points), box)]
    apart = [each for each in areas if each not in near]
    try:
        return [*apart, *polygons.union(near, [added])]
    except UsageError:
        return [*areas, added]


def _box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return (
        a[0] <= b[2] + _NEAR
        and b[0] <= a[2] + _NEAR
        and a[1] <= b[3] + _NEAR
        and b[1] <= a[3] + _NEAR
    )


def area_shapes(area: Polygon) -> list[Entry]:
    """A polygon as a shape; one beyond the limits of polygons as loops that are solid outside."""
    within = len(area.points) <= POLYGON_POINTS and len(area.holes) <= HOLES
    if within and all(len(hole) <= POLYGON_POINTS for hole in area.holes):
        if not area.holes:
            return [geometry.polygon_shape(area.points)]
        return [area.shape]
    return [
        {"chain": [list(point) for point in ring], "loop": True, "side": "left"}
        for ring in (area.points, *area.holes)
    ]


def _connected(lines: Sequence[list[Point]]) -> list[list[Point]]:
    """Lines of neighbouring tiles, where the end of one is the end of one other."""
    left = {i: list(line) for i, line in enumerate(lines)}
    ends: dict[Point, list[int]] = {}
    for i, line in left.items():
        for end in (line[0], line[-1]):
            ends.setdefault(end, []).append(i)
    for point in list(ends):
        pair = ends[point]
        if len(pair) != 2 or pair[0] == pair[1]:
            continue
        first, second = left[pair[0]], left[pair[1]]
        if first[-1] != point:
            first.reverse()
        if second[0] != point:
            second.reverse()
        first += second[1:]
        del left[pair[1]]
        ends[first[-1]] = [pair[0] if i == pair[1] else i for i in ends[first[-1]]]
        ends[point] = []
    return list(left.values())


def mirrored(outline: TileOutline, turn: Callable[[Point], Point]) -> TileOutline:
    """An outline with each of its points where ``turn`` takes it."""

    def ring(points: Sequence[Point], positive: bool) -> tuple[Point, ...]:
        made = tuple((round(x, 6), round(y, 6)) for x, y in map(turn, points))
        return made if (signed_area(made) > 0.0) == positive else made[::-1]

    return TileOutline(
        [
            Polygon(ring(area.points, True), tuple(ring(hole, False) for hole in area.holes))
            for area in outline.areas
        ],
        [[turn(point) for point in line] for line in outline.lines],
        [(turn(middle), radius) for middle, radius in outline.circles],
    )
