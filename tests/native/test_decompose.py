# SPDX-License-Identifier: MIT
"""Cutting polygons into convex parts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid.core import _native

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
