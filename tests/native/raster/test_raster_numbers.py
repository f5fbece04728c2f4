# SPDX-License-Identifier: MIT
"""Pictures of numbers: each pixel's middle is in the shape or is not."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from rigid2d.core import _native

from tests.rows import every_row
from tests.search import tries

KINDS = _native.ITEM_KINDS
SIZE = (41, 53)


def filled(*shapes, size=SIZE):
    """The image of shapes (kind, points, radius, number)."""
    rows, points = [], []
    for kind, own, radius, number in shapes:
        rows.append([KINDS[kind], len(points), len(own), radius, number])
        points.extend(own)
    image = np.zeros((size[1], size[0]), np.uint16)
    table = np.array(rows, float).reshape(-1, 5)
    _native.fill_numbers(image, table, np.array(points, float).reshape(-1, 2))
    return image


def winds_round(points, x, y):
    """The winding number of a polygon about a point (crossings of the ray to the left)."""
    winding = 0
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        if (ay <= y) != (by <= y) and ax + (y - ay) * (bx - ax) / (by - ay) <= x:
            winding += 1 if ay < by else -1
    return winding


def apart(a, b, x, y):
    """The distance of a point from a segment."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    square = ex * ex + ey * ey
    t = ((x - a[0]) * ex + (y - a[1]) * ey) / square if square else 0.0
    t = min(1.0, max(0.0, t))
    return math.hypot(x - a[0] - t * ex, y - a[1] - t * ey)


def holds(kind, points, radius, x, y):
    """Whether a point is in a shape, from what shapes are."""
    if kind == "polygon" and winds_round(points, x, y) != 0:
        return True
    edges = list(pairwise(points))
    if kind in ("polygon", "loop"):
        edges.append((points[-1], points[0]))
    if kind == "circle" or not edges:
        edges = [(points[0], points[0])]
    thick = kind != "polygon" or radius > 0
    return thick and any(apart(a, b, x, y) <= radius for a, b in edges)


@every_row("kind", ["polygon", "circle", "path", "loop"])
@every_row("seed", range(tries(6, 25)))
def test_a_pixel_has_the_number_of_the_last_shape_that_its_middle_is_in(kind, seed):
    random = np.random.default_rng([seed, KINDS[kind]])
    shapes = []
    for number in (7, 300, 65535):
        count = 1 if kind == "circle" else int(random.integers(3, 9))
        points = random.uniform(-15.0, 65.0, (count, 2)).tolist()
        radius = float(random.choice([0.0, random.uniform(0.3, 12.0)]))
        shapes.append((kind, [tuple(point) for point in points], radius, number))
    image = filled(*shapes)
    expected = np.zeros_like(image)
    for y in range(SIZE[1]):
        for x in range(SIZE[0]):
            for kind_of, points, radius, number in shapes:
                if holds(kind_of, points, radius, x + 0.5, y + 0.5):
                    expected[y, x] = number
    assert expected.any() or kind in ("circle", "path", "loop")
    np.testing.assert_array_equal(image, expected)


def test_boxes_that_share_an_edge_share_no_pixel_and_leave_none_out():
    left = [(2.5, 3.0), (10.5, 3.0), (10.5, 9.5), (2.5, 9.5)]
    right = [(10.5, 3.0), (20.0, 3.0), (20.0, 9.5), (10.5, 9.5)]
    for first, second in ((left, right), (right, left)):
        one, other = filled(("polygon", first, 0.0, 1)), filled(("polygon", second, 0.0, 1))
        both = one + other
        assert both.max() == 1
        assert both[3:9, 2:20].all()


def test_what_cannot_be_a_shape_is_left_out():
    nan, inf = math.nan, math.inf
    square = [(5.0, 5.0), (15.0, 5.0), (15.0, 15.0)]
    for wrong in (
        ("polygon", [(nan, 5.0), *square[1:]], 0.0, 1),
        ("polygon", square, inf, 1),
        ("polygon", square, -1.0, 1),
        ("polygon", square, 0.0, -1),
        ("polygon", square, 0.0, 65536),
        ("polygon", square, 0.0, nan),
        ("arc", square, 0.0, 1),
    ):
        assert not filled(wrong).any()
    image = np.zeros((8, 8), np.uint16)
    for row in ([0, 1, 3, 0, 1], [0, -1, 2, 0, 1], [0, 0, nan, 0, 1], [0, inf, 1, 0, 1]):
        _native.fill_numbers(image, np.array([row], float), np.array(square))
    assert not image.any()


def test_shapes_far_larger_than_the_picture_fill_it():
    far = 1e300
    around = [(-far, -far), (far, -far), (far, far), (-far, far)]
    assert (filled(("polygon", around, 0.0, 9)) == 9).all()
    assert (filled(("circle", [(0.0, 0.0)], 1e9, 9)) == 9).all()


@every_row("size", [(0, 5), (5, 0), (1, 1)])
def test_any_size_can_be_filled(size):
    image = filled(("circle", [(0.0, 0.0)], 10.0, 4), size=size)
    assert image.size == 0 or (image == 4).all()


def test_arrays_of_other_forms_are_refused():
    image, points = np.zeros((4, 4), np.uint16), np.zeros((1, 2))
    with pytest.raises(ValueError, match="5 columns"):
        _native.fill_numbers(image, np.zeros((1, 4)), points)
    with pytest.raises(TypeError):
        _native.fill_numbers(np.zeros((4, 4), np.uint8), np.zeros((1, 5)), points)
