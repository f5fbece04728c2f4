# SPDX-License-Identifier: MIT
"""Cells for breaking a body: boxes, or the regions nearest to seeded sites."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from ...scene.model import Point
from ...scene.values import seeded
from .cutting import CutLine, Polygon, contains, cut

TRIES = 64
"""So many places are tried for each site until one is inside of the body."""

Part = tuple[int, Polygon]
"""A polygon, and the number of the outline that it is of."""


def box_cells(
    outlines: Sequence[Polygon], count: int, size: float, box: tuple[Point, Point]
) -> list[list[Part]]:
    """The parts of outlines in each of ``count`` x ``count`` cells of a box. The outer ones go on
    beyond it."""
    low, high = box
    cells = []
    rest: list[Part] = list(enumerate(outlines))
    for column in range(1, count + 1):
        slab, rest = _split(
            rest, 0, low[0] + (high[0] - low[0]) * column / count, size, column < count
        )
        for row in range(1, count + 1):
            at = low[1] + (high[1] - low[1]) * row / count
            cell, slab = _split(slab, 1, at, size, row < count)
            cells.append(cell)
    return cells


def _split(
    parts: list[Part], axis: int, at: float, size: float, is_cut: bool
) -> tuple[list[Part], list[Part]]:
    """The parts below and above a place on an axis; the input itself if nothing is cut."""
    if not is_cut:
        return parts, []
    line = CutLine(1.0, 0.0, at) if axis == 0 else CutLine(0.0, 1.0, at)
    return _kept(parts, line, size), _kept(parts, line.back, size)


def _kept(parts: list[Part], line: CutLine, size: float) -> list[Part]:
    return [(number, piece) for number, points in parts for piece in cut(points, line, size)]


def voronoi_cells(
    outlines: Sequence[Polygon], sites: Sequence[Point], size: float
) -> list[list[Part]]:
    """The parts of outlines that are nearest to each site.

    The nearest other sites cut first. One that is twice as far away as anything that is left of a
    cell cuts nothing any more, and those after it neither.
    """
    cells = []
    for site in sites:
        others = sorted((_squared(site, other), other) for other in sites if other != site)
        parts: list[Part] = list(enumerate(outlines))
        reach = _reach(parts, site)
        for squared, other in others:
            if squared >= 4.0 * reach:
                break
            parts = _kept(parts, between(site, other), size)
            reach = _reach(parts, site)
        cells.append(parts)
    return cells


def _reach(parts: list[Part], site: Point) -> float:
    """Return the square of the largest distance of a cell from its site."""
    return max((_squared(site, point) for _, points in parts for point in points), default=0.0)


def _squared(a: Point, b: Point) -> float:
    x, y = b[0] - a[0], b[1] - a[1]
    return x * x + y * y


def between(site: Point, other: Point) -> CutLine:
    """The side of a bisector on which a site is; that of the other one differs in signs alone."""
    x, y = other[0] - site[0], other[1] - site[1]
    length = sqrt(x * x + y * y)
    x, y = x / length, y / length
    return CutLine(x, y, 0.5 * ((site[0] + other[0]) * x + (site[1] + other[1]) * y))


def seeded_sites(outlines: Sequence[Polygon], count: int, seed: int, path: str) -> list[Point]:
    """Different places in outlines, each a function of the seed, the path and its number."""
    low, high = bounds(outlines)
    sites: dict[Point, None] = {}
    for number in range(count):
        for attempt in range(TRIES):
            call = 2 * (number * TRIES + attempt)
            site = (
                seeded.uniform(seed, path, call, low[0], high[0]),
                seeded.uniform(seed, path, call + 1, low[1], high[1]),
            )
            if any(contains(points, site) for points in outlines):
                break
        sites[site] = None
    return list(sites)


def bounds(outlines: Sequence[Polygon]) -> tuple[Point, Point]:
    """The box round outlines: its lower and its upper corner."""
    xs = [x for points in outlines for x, _ in points]
    ys = [y for points in outlines for _, y in points]
    return (min(xs), min(ys)), (max(xs), max(ys))
