# SPDX-License-Identifier: MIT
"""Cutting polygons into convex parts."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid2d.core import _native

from tests.rows import every_row
from tests.search import tries


def area(points: np.ndarray) -> float:
    x, y = (points - points[0]).T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def bends(points: np.ndarray) -> np.ndarray:
    """The sine of the bend at every corner, positive to the left."""
    before = points - np.roll(points, 1, axis=0)
    after = np.roll(points, -1, axis=0) - points
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return cross / np.hypot(*before.T) / np.hypot(*after.T)


def check(points: np.ndarray) -> list[np.ndarray]:
    """The parts of a polygon, after all that must hold for any polygon was seen to hold."""
    parts = _native.decompose_polygon(points)
    corners = {tuple(p) for p in points.tolist()}
    for part in parts:
        assert 3 <= len(part) <= 64
        assert {tuple(p) for p in part.tolist()} <= corners
        assert (bends(part) > 0).all()
    assert sum(area(part) for part in parts) == pytest.approx(abs(area(points)), rel=1e-9)
    return parts


def comb(teeth: int, tooth: float = 1.0) -> np.ndarray:
    points = [(0.0, 0.0), (2.0 * teeth - 1, 0.0)]
    for i in reversed(range(teeth)):
        points += [(2 * i + 1, 1 + tooth), (2 * i, 1 + tooth)]
        points += [(2 * i, 1), (2 * i - 1, 1)] if i else []
    return np.array(points, dtype=float)


def star(tips: int, inner: float) -> np.ndarray:
    radius = np.where(np.arange(2 * tips) % 2, inner, 1.0)
    angle = np.arange(2 * tips) * math.pi / tips
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def spiral(count: int) -> np.ndarray:
    angle = 0.3 * np.arange(count)
    arm = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    radius = (1 + 0.1 * np.arange(count))[:, None]
    return np.concatenate([(radius + 0.7) * arm, (radius * arm)[::-1]])


L = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)
PLUS = np.array(
    [
        (1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2),
        (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1),
    ],
    dtype=float,
)  # fmt: skip
DART = np.array([(0, 0), (4, 0), (4, 4), (2, 2), (0, 4)], dtype=float)


@every_row(
    ("points", "fewest"),
    [(L, 2), (PLUS, 3), (DART, 2), (comb(5), 6), (star(4, 0.3), 3), (star(5, 0.4), 4)],
    ids=["L", "plus", "dart", "comb", "star4", "star5"],
)
@every_row("turned", [0.0, 0.4])
def test_simple_shapes_are_cut_into_the_fewest_parts(
    points: np.ndarray, fewest: int, turned: float
) -> None:
    c, s = math.cos(turned), math.sin(turned)
    assert len(check(points @ np.array([[c, s], [-s, c]]))) == fewest


@pytest.mark.parametrize("points", [L, comb(3), star(7, 0.5)], ids=["L", "comb", "star"])
def test_either_winding_gives_as_many_counter_clockwise_parts(points: np.ndarray) -> None:
    assert len(check(points)) == len(check(points[::-1].copy()))


def test_a_convex_polygon_stays_whole() -> None:
    (part,) = check(star(16, 1.0))
    assert len(part) == 32


def test_points_on_straight_edges_are_no_corners() -> None:
    square = np.array([(0, 0), (0.1, 0), (0.2, 0), (1, 0), (1, 1), (0, 1), (0, 0.3)], dtype=float)
    c, s = math.cos(0.3), math.sin(0.3)
    (part,) = check(square @ np.array([[c, s], [-s, c]]))
    assert len(part) == 4


def test_a_convex_polygon_with_many_corners_is_cut_into_even_parts() -> None:
    parts = check(star(100, 1.0))
    assert len(parts) == 4
    assert min(area(part) for part in parts) > 0.05


@pytest.mark.parametrize(
    ("points", "at_most"),
    [(comb(60), 62), (star(100, 0.4), 104), (spiral(110), 112), (comb(60, 30.0), 62)],
    ids=["comb", "star", "spiral", "long comb"],
)
def test_long_polygons_are_cut_into_few_parts(points: np.ndarray, at_most: int) -> None:
    assert len(check(points)) <= at_most


def test_parts_are_no_slivers() -> None:
    for points in (L, PLUS, DART, star(5, 0.4), star(9, 0.6)):
        for part in check(points):
            sides = part - np.roll(part, 1, axis=0)
            assert area(part) > 0.1 * (sides**2).sum(axis=1).max()


def reflex_at(points: Grid, before: int, at: int, after: int) -> bool:
    return side(points[before], points[at], points[after]) < 0


def sees(points: Grid, i: int, j: int) -> bool:
    """Whether the line between two corners of a counter-clockwise polygon is a diagonal of it."""
    count = len(points)
    a, b = points[i], points[j]
    if (i - j) % count in (1, count - 1) or any(
        on_segment(a, b, p) for p in points if p not in (a, b)
    ):
        return False
    for k in range(count):
        c, d = points[k], points[(k + 1) % count]
        if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
            return False
    before, after = points[i - 1], points[(i + 1) % count]
    left, right = side(before, a, b) > 0, side(a, after, b) > 0
    return (left and right) if side(before, a, after) > 0 else (left or right)


def fewest_parts(points: Grid) -> int:
    """By trying all diagonals: each concave corner is the end of at least one that is cut."""
    count = len(points)
    seen = {(i, j) for i in range(count) for j in range(count) if i != j and sees(points, i, j)}

    @cache
    def least(part: tuple[int, ...]) -> int:
        n = len(part)
        for k in range(n):
            if not reflex_at(points, part[k - 1], part[k], part[(k + 1) % n]):
                continue
            ends = [
                m for m in range(n) if (part[k], part[m]) in seen and (k - m) % n not in (1, n - 1)
            ]
            cuts = [(min(k, m), max(k, m)) for m in ends]
            return min(least(part[a : b + 1]) + least(part[b:] + part[: a + 1]) for a, b in cuts)
        return 1

    return least(tuple(range(count)))


def untangled(points: Grid) -> Grid:
    """The same points in another order, in which no two sides cross."""
    count, changed = len(points), True
    while changed:
        changed = False
        for i in range(count):
            for j in range(i + 2, count - (i == 0)):
                a, b, c, d = points[i], points[i + 1], points[j], points[(j + 1) % count]
                if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
                    points[i + 1 : j + 1] = points[i + 1 : j + 1][::-1]
                    changed = True
    return points


@pytest.mark.parametrize(
    ("size", "corners", "count"), [(10**6, 10, 150), (7, 8, 60)], ids=["ten corners", "on a grid"]
)
def test_no_decomposition_of_a_small_polygon_has_fewer_parts(
    size: int, corners: int, count: int
) -> None:
    rng = random.Random(size)
    tried = 0
    while tried < count:
        points = untangled([(rng.randint(0, size), rng.randint(0, size)) for _ in range(corners)])
        array = np.array(points, dtype=float)
        turns = [side(points[i - 1], points[i], points[(i + 1) % corners]) for i in range(corners)]
        if not is_simple(points) or 0 in turns:
            continue
        tried += 1
        assert len(check(array)) == fewest_parts(points if area(array) > 0 else points[::-1])


def rings_of(*rings: Sequence[tuple[float, float]]) -> list[np.ndarray]:
    return [np.array(ring, dtype=float) for ring in rings]


def disc(x: float, y: float, radius: float, corners: int) -> list[tuple[float, float]]:
    turns = [math.tau * i / corners for i in range(corners)]
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns]


SQUARE = [(0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0)]
PLATES = {
    "frame": rings_of(SQUARE, [(1, 1), (5, 1), (5, 5), (1, 5)]),
    "ring": rings_of(disc(0, 0, 1, 24), disc(0, 0, 0.8, 24)),
    "sieve": rings_of(SQUARE, *(disc(x, y, 0.7, 6)[::-1] for x in (1, 3, 5) for y in (1, 3, 5))),
    "grid": rings_of(
        SQUARE,
        *(
            [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            for x in (0.5, 2.5, 4.5)
            for y in (1, 3)
        ),
    ),
    "comb": rings_of(comb(4).tolist(), disc(2, 0.5, 0.3, 5), [(4, 0.2), (4.5, 0.2), (4, 0.8)]),
}


@pytest.mark.parametrize("rings", PLATES.values(), ids=PLATES.keys())
@pytest.mark.parametrize("turned", [0.0, 0.7])
def test_parts_leave_holes_free(rings: list[np.ndarray], turned: float) -> None:
    c, s = math.cos(turned), math.sin(turned)
    outline, *holes = [ring @ np.array([[c, s], [-s, c]]) for ring in rings]
    parts = _native.decompose_polygon(outline, holes)
    corners = {tuple(p) for ring in (outline, *holes) for p in ring.tolist()}
    for part in parts:
        assert {tuple(p) for p in part.tolist()} <= corners
        assert (bends(part) > 0).all()
        for hole in holes:
            assert not _native.shape_contains(3, part, 0.0, tuple(hole.mean(axis=0)))
    hollow = sum(abs(area(hole)) for hole in holes)
    assert sum(map(area, parts)) == pytest.approx(abs(area(outline)) - hollow, rel=1e-9)


@pytest.mark.parametrize(
    ("holes", "words"),
    [
        ([[(1, 1), (2, 1), (1, 7)]], "hole 1 of the polygon crosses or touches the outline"),
        ([[(0, 1), (2, 1), (1, 2)]], "crosses or touches the outline"),
        ([[(7, 1), (8, 1), (8, 2)]], "is outside the polygon"),
        ([disc(2, 2, 1, 5), disc(3, 2, 1, 5)], "hole 2 of the polygon crosses or touches hole 1"),
        ([disc(3, 3, 2, 5), disc(3, 3, 1, 5)], "is inside hole 1"),
        ([disc(3, 3, 1, 5), disc(3, 3, 2, 5)], "is around hole 1"),
        ([[(1, 1), (2, 2), (2, 1), (1, 2)]], "meet"),
        ([[(1, 1), (2, 2)]], "at least 3 points"),
    ],
)
def test_a_hole_in_a_wrong_place_is_refused(
    holes: list[list[tuple[float, float]]], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        _native.decompose_polygon(rings_of(SQUARE)[0], rings_of(*holes))


@st.composite
def ragged(draw: st.DrawFn) -> np.ndarray:
    """A polygon that its centre sees whole, with random radii, stretched and far away."""
    count = draw(st.integers(3, 40))
    radii = np.array([draw(st.floats(0.1, 1.0)) for _ in range(count)])
    angle = np.arange(count) * math.tau / count
    points = np.stack([radii * np.cos(angle), radii * np.sin(angle)], axis=1)
    scale = draw(st.sampled_from([1e-4, 1.0, 1e6]))
    return points * (scale, scale * draw(st.floats(0.05, 1.0))) + scale * draw(st.floats(-9, 9))


@settings(max_examples=tries(33, 200), deadline=None)
@given(ragged())
def test_any_ragged_polygon_is_covered_by_convex_parts(points: np.ndarray) -> None:
    parts = check(points)
    reflex = int((bends(points) < 0).sum())
    assert math.ceil(reflex / 2) < len(parts) <= 2 * reflex + 1


Grid = list[tuple[int, int]]


def side(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    d = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (d > 0) - (d < 0)


def on_segment(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> bool:
    ahead = (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1])
    return side(a, b, p) == 0 and ahead <= 0


def is_simple(points: Grid) -> bool:
    """Whether whole numbers make a polygon that nowhere touches itself, exactly."""
    count = len(points)
    edges = [(points[i], points[(i + 1) % count]) for i in range(count)]
    if len(set(points)) < count:
        return False
    for i, (a, b) in enumerate(edges):
        if on_segment(a, b, edges[(i + 1) % count][1]) or on_segment(*edges[i - 1], b):
            return False
        for c, d in [edges[(i + k) % count] for k in range(2, count - 1)]:
            if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
                return False
            if on_segment(a, b, c) or on_segment(a, b, d):
                return False
    return True


@settings(max_examples=tries(83, 500), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=9))
def test_points_on_a_grid_are_cut_when_they_are_simple_and_refused_otherwise(points: Grid) -> None:
    if is_simple(points):
        check(np.array(points, dtype=float))
        return
    with pytest.raises(ValueError, match="polygon"):
        _native.decompose_polygon(np.array(points, dtype=float))


@every_row(
    ("points", "words"),
    [
        ([(0, 0), (1, 0)], "at least 3 points"),
        ([(0, 0), (1, 0), (2, 0)], "lie on a line"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "after point 1 and after point 3"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "crosses or touches"),
        ([(0, 0), (1, 0), (1, 0), (0, 1)], "point 3 of the polygon repeats point 2"),
        ([(0, 0), (1, 0), (0, 1), (0, 0)], "point 4 of the polygon repeats point 1"),
        ([(0, 0), (2, 0), (1, 0), (1, 1)], "folds back"),
        ([(0, 0), (1, 0), (math.nan, 1)], "point 3 of the polygon is not a finite"),
        ([(0, 0), (1, 0), (math.inf, 1)], "finite"),
        ([(0, 0), (1, 0), (1, 1e-14)], "line|area"),
        ([(0, 0, 0)] * 3, r"\[n, 2\]"),
        ([0, 1, 2], r"\[n, 2\]"),
        ("square", "numbers"),
        (None, r"\[n, 2\]"),
        ([(i, i * i) for i in range(10001)], "at most 10000"),
    ],
)
def test_what_is_no_polygon_is_refused_with_the_reason(points: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        _native.decompose_polygon(points)


def test_a_crossing_of_the_closing_edge_is_found() -> None:
    with pytest.raises(ValueError, match="crosses or touches"):
        _native.decompose_polygon(np.array([(0, 0), (4, 0), (4, 4), (1, -1)], dtype=float))
