# SPDX-License-Identifier: MIT
"""Polygons cut with one another, joined, copied and boxed."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from rigid2d.core import polygons
from rigid2d.core.errors import UsageError
from rigid2d.core.polygons import Polygon, clone, difference, intersection, rotated_box, union
from rigid2d.core.scene import loads

Points = list[tuple[float, float]]


def box(x: float, y: float, width: float, height: float) -> Points:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def area(found: tuple[Polygon, ...]) -> float:
    return sum(each.area for each in found)


SQUARE = box(0, 0, 4, 4)
U = [(0, 0), (5, 0), (5, 4), (4, 4), (4, 1), (1, 1), (1, 4), (0, 4)]
# The examples of document 000 (part 9): the area of the intersection, and of how many parts it is.
EXAMPLES = {
    "one in the other": (SQUARE, box(1, 1, 2, 2), 4.0, 1),
    "a corner in the other": (SQUARE, box(3, 3, 4, 4), 1.0, 1),
    "two corners in the other": (SQUARE, box(3, 1, 4, 2), 2.0, 1),
    "corners of both in the other": (SQUARE, [(2, 2), (8, 2), (2, 8)], 4.0, 1),
    "a cross, no corner in the other": (box(-3, -1, 6, 2), box(-1, -3, 2, 6), 4.0, 1),
    "two parts": (U, box(-1, 2, 7, 1), 2.0, 2),
    "apart": (SQUARE, box(5, 5, 1, 1), 0.0, 0),
    # The case for which a walk that begins at any crossing goes wrong.
    "a box across both prongs": ([(0, 0), (9, 0), (9, 9), (7, 9), (7, 2), (2, 2), (2, 9), (0, 9)],
                                 box(-1, 4, 11, 2), 8.0, 2),
    # Sides and corners on each other.
    "side by side": (SQUARE, box(4, 0, 4, 4), 0.0, 0),
    "the same": (SQUARE, SQUARE[::-1], 16.0, 1),
    "a common side": (SQUARE, box(0, 0, 2, 4), 8.0, 1),
    "a corner on a side": (SQUARE, [(2, 4), (0, 2), (2, 0)], 4.0, 1),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second", "wanted", "parts"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_intersection_is_what_is_in_both(
    first: Points, second: Points, wanted: float, parts: int
) -> None:
    one, two = polygons.union(first, ()), polygons.union(second, ())
    for a, b in ((first, second), (second, first), (first[::-1], second[2:] + second[:2])):
        both = intersection(a, b)
        assert area(both) == pytest.approx(wanted, abs=1e-12)
        assert len(both) == parts
    assert area(union(first, second)) == pytest.approx(area(one) + area(two) - wanted)
    assert area(difference(first, second)) == pytest.approx(area(one) - wanted)


def test_a_difference_may_have_a_hole_which_a_union_fills() -> None:
    hole = box(1, 1, 2, 1)
    (frame,) = difference(SQUARE, hole)
    assert frame.points == tuple(SQUARE)
    assert [sorted(each) for each in frame.holes] == [sorted(hole)]
    assert frame.area == 14.0
    assert union(frame, hole) == (Polygon(tuple(SQUARE)),)
    assert area(intersection(frame, box(0, 0, 2, 4))) == 7.0
    assert difference(SQUARE, SQUARE) == ()


def test_an_island_in_a_hole_is_a_polygon_of_its_own() -> None:
    (frame,) = difference(box(0, 0, 9, 9), box(1, 1, 7, 7))
    both = union(frame, box(3, 3, 2, 2))
    assert sorted(each.area for each in both) == [4.0, 32.0]
    assert area(difference(both, box(0, 0, 4, 9))) == pytest.approx(17 + 2)


def star(rng: random.Random, corners: int, whole: bool) -> Points:
    """A ragged star; on a grid, so that many sides and corners coincide."""
    points = []
    for i in range(corners):
        turn, far = math.tau * i / corners, rng.uniform(0.3, 1.0)
        points.append((4 * far * math.cos(turn), 4 * far * math.sin(turn)))
    return [(round(x), round(y)) for x, y in points] if whole else points


@pytest.mark.parametrize("whole", [False, True], ids=["anywhere", "on a grid"])
def test_areas_add_up(whole: bool) -> None:
    rng = random.Random(7)
    tried = 0
    while tried < 60:
        try:
            one, two = (union(star(rng, rng.randint(3, 9), whole), ()) for _ in range(2))
        except UsageError:  # points of the grid are the same
            continue
        tried += 1
        both = area(intersection(one, two))
        assert area(difference(one, two)) == pytest.approx(area(one) - both)
        assert area(difference(two, one)) == pytest.approx(area(two) - both)
        assert area(union(one, two)) == pytest.approx(area(one) + area(two) - both)


def test_places_are_in_an_intersection_if_they_are_in_both() -> None:
    rng = random.Random(3)
    one, two = star(rng, 9, False), star(rng, 8, False)
    rings = [ring for each in intersection(one, two) for ring in (each.points, *each.holes)]
    for _ in range(500):
        place = rng.uniform(-4, 4), rng.uniform(-4, 4)
        in_one, in_two, in_both = (
            polygons._is_inside(place, each) for each in ([one], [two], rings)
        )
        assert in_both == (in_one and in_two)


def test_a_clone_is_scaled_turned_and_moved() -> None:
    copy = clone(box(0, 0, 2, 1), (5, 1), angle=math.pi / 2, scale=2)
    assert np.array(copy.points) == pytest.approx(np.array([(5, 1), (5, 5), (3, 5), (3, 1)]))
    assert clone(SQUARE) == Polygon(tuple(SQUARE))
    (frame,) = difference(SQUARE, box(1, 1, 1, 1))
    assert clone(frame, (1, 0), scale=-1).area == frame.area


@pytest.mark.parametrize("angle", [0.0, 0.5, -2.0])
def test_a_rotated_box_fits_closely(angle: float) -> None:
    turned = clone(box(-3, -1, 6, 2), (4, 5), angle=angle)
    found = rotated_box(turned, angle)
    assert found.center == pytest.approx((4, 5))
    assert found.size == pytest.approx((6, 2))
    assert np.array(found.corners) == pytest.approx(np.array(turned.points))
    upright = rotated_box(turned, 0.0)
    assert upright.size[0] == pytest.approx(6 * abs(math.cos(angle)) + 2 * abs(math.sin(angle)))


def test_a_polygon_is_a_shape_of_a_scene() -> None:
    (frame,) = difference(SQUARE, box(1, 1, 2, 2))
    scene = loads(f"{{rigid: 1, bodies: {{frame: {{shape: {frame.shape}}}}}}}")
    assert scene.bodies["frame"].shapes[0].holes == frame.holes


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: union(SQUARE[:2], SQUARE), "first must have at least 3 points, not 2"),
        (
            lambda: union(SQUARE, [(0, 0), (1, 1), (1, 0), (0, 1)]),
            "second is no polygon: .*cross",
        ),
        (lambda: intersection(SQUARE, [(0, 0), (1, "x"), (1, 0)]), r"second\[1\]"),
        (lambda: clone(SQUARE, scale=0), "scale must not be 0"),
        (lambda: rotated_box(SQUARE, math.nan), "angle"),
        (lambda: difference(5, SQUARE), "first should be a list"),
    ],
)
def test_what_is_no_polygon_is_refused(call, words) -> None:
    with pytest.raises(UsageError, match=words):
        call()
