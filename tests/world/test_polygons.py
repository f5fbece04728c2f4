from __future__ import annotations

import math

import pytest
from rigid.core.world.polygons import MAX_POINTS, convex_parts, is_convex


def area(points) -> float:
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return sum(ax * by - ay * bx for (ax, ay), (bx, by) in pairs) / 2


def regular(n: int):
    return tuple((math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n)) for i in range(n))


SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
SQUARE_WITH_MIDPOINT = ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
L_SHAPE = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0))


def test_convexity_is_seen():
    assert is_convex(SQUARE)
    assert is_convex(SQUARE_WITH_MIDPOINT)
    assert not is_convex(L_SHAPE)


def test_a_convex_polygon_stays_whole():
    assert convex_parts(SQUARE) == (SQUARE,)


def test_a_concave_polygon_becomes_convex_parts_of_the_same_area():
    parts = convex_parts(L_SHAPE)
    assert len(parts) == 2
    assert all(is_convex(part) for part in parts)
    assert sum(map(area, parts)) == pytest.approx(area(L_SHAPE))


@pytest.mark.parametrize("n", [64, 65, 100, 128, 200, 1000])
def test_a_polygon_of_many_points_is_cut_into_what_the_engine_takes(n):
    parts = convex_parts(regular(n))
    assert all(3 <= len(part) <= MAX_POINTS for part in parts)
    assert all(is_convex(part) for part in parts)
    assert sum(map(area, parts)) == pytest.approx(area(regular(n)))
    assert len(parts) <= 2 * math.ceil(n / MAX_POINTS)
