# SPDX-License-Identifier: MIT
"""The collision functions of document 000, part 1, by the names of its unit tests."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import build, loads
from rigid2d.core.solvers.collision import (
    circle_circle,
    rectangle_circle,
    rectangle_rectangle,
    support_points,
)


def rectangle(x, y, width, height):
    """Corners 0 top left, 1 top right, 2 bottom right, 3 bottom left, in pixels with y down."""
    w, h = width / 2, height / 2
    return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]


BOX = rectangle(0, 0, 100, 60)


def test_circle_circle_overlapping_founds_collision_point():
    """Document 000, part 1, `CircleCircle_Overlapping_FoundsCollisionPoint`."""
    (hit,) = circle_circle((0, 0), 10, (15, 0), 8)
    assert hit.normal == (1, 0)
    assert hit.depth == 3
    assert hit.start == pytest.approx((7, 0))
    assert hit.end == pytest.approx((10, 0))


def test_circle_circle_same_position_founds_collision_point():
    """Document 000, part 1, `CircleCircle_SamePosition_FoundsCollisionPoint`."""
    (hit,) = circle_circle((5, 5), 10, (5, 5), 8)
    assert hit.normal == (1, 0)
    assert hit.depth == 18


def test_circles_that_are_apart_do_not_touch():
    assert circle_circle((0, 0), 10, (19, 0), 8) == []


def test_rectangle_circle_circle_center_is_inside_found_collision_point():
    """Document 000, part 1: the nearest edge is 1, the contact the circle's left point."""
    (hit,) = rectangle_circle(BOX, (45, 0), 10)
    assert hit.normal == (1, 0)
    assert hit.depth == 15
    assert hit.start == pytest.approx((35, 0))


@pytest.mark.parametrize(
    ("corner", "center"),
    [((-50, -30), (-53, -34)), ((50, -30), (53, -34))],
    ids=["Corner1", "Corner2"],
)
def test_rectangle_circle_circle_hit_corner(corner, center):
    """Document 000, part 1, `RectangleCircle_CircleHitCorner1` and `2`."""
    (hit,) = rectangle_circle(BOX, center, 10)
    away = (center[0] - corner[0], center[1] - corner[1])
    assert hit.normal == pytest.approx((away[0] / 5, away[1] / 5))
    assert hit.depth == pytest.approx(5)
    assert hit.end == pytest.approx(corner)


def test_rectangle_circle_circle_hit_right_face():
    """Document 000, part 1, `RectangleCircle_CircleHitRightFace`."""
    (hit,) = rectangle_circle(BOX, (57, 5), 10)
    assert hit.normal == (1, 0)
    assert hit.depth == 3
    assert hit.end == pytest.approx((50, 5))


def test_a_circle_beyond_a_corner_does_not_touch():
    assert rectangle_circle(BOX, (58, -38), 10) == []


def test_a_corner_behind_a_face_and_between_its_ends_supports_it():
    """Document 000, part 1, FindSupportPoint with the clipping of variant 2."""
    cube = rectangle(20, -49, 40, 40)
    assert support_points(BOX, 0, cube) == [2, 3]
    assert support_points(BOX, 0, rectangle(60, -49, 40, 40)) == [3]


def starts(hits):
    return sorted(hit.start for hit in hits)


def test_rectangle_rectangle_cube_on_table_found_two_collision_points():
    """Document 000, part 1: r2.V[3] and r2.V[2]."""
    hits = rectangle_rectangle(rectangle(0, 0, 200, 40), rectangle(0, -39, 40, 40))
    assert starts(hits) == [(-20, -19), (20, -19)]
    assert {hit.normal for hit in hits} == {(0, -1)}
    assert {hit.depth for hit in hits} == {1}


def test_rectangle_rectangle_cube_on_table_corner_found_two_collision_points():
    """Document 000, part 1: one corner of each."""
    hits = rectangle_rectangle(rectangle(0, 0, 200, 40), rectangle(100, -39, 40, 40))
    assert len(hits) == 2
    assert {tuple(map(abs, hit.normal)) for hit in hits} == {(0, 1)}


def test_rectangle_rectangle_cube_stack_found_two_collision_points():
    """Document 000, part 1: cubes of one width touch at 2 points, not at 4."""
    hits = rectangle_rectangle(rectangle(0, 0, 40, 40), rectangle(0, -40, 40, 40))
    assert len(hits) == 2


def test_rectangles_that_overlap_in_y_alone_do_not_collide():
    """Document 000, part 1, the example of separating axes."""
    assert rectangle_rectangle(rectangle(0, 0, 40, 40), rectangle(60, 10, 40, 40)) == []


def test_rectangles_of_one_height_far_apart_do_not_collide():
    assert rectangle_rectangle(rectangle(0, 0, 800, 40), rectangle(500, 0, 100, 40)) == []


def test_a_hit_ends_its_depth_along_the_normal_from_where_it_starts():
    (hit,) = rectangle_circle(BOX, (53, -34), 10)
    moved = math.dist(hit.start, hit.end)
    assert moved == pytest.approx(hit.depth)


@pytest.mark.parametrize("contacts", ["native", "document"])
def test_a_contact_lies_nearer_to_the_lighter_body(contacts):
    """Document 000, part 1: p = Start m2' / (m1' + m2') + End m1' / (m1' + m2'), m' = 1 / m; Start
    is of the second body."""
    text = f"""
rigid: 1
name: two
world: {{gravity: [0, 0], solver: {{type: pgs_matrix, contacts: {contacts}}}}}
bodies:
  heavy: {{shape: {{box: [1, 1]}}, density: 3}}
  light: {{shape: {{box: [1, 1]}}, position: [0.98, 0.25]}}
"""
    world = build(loads(text))
    world.step()
    found = sorted((row["x"], row["y"], -row["separation"]) for row in world.native.contacts())
    x = 0.48 * 0.75 + 0.5 * 0.25
    assert [each[0] for each in found] == pytest.approx([x, x], abs=1e-6)
    assert sorted(each[1] for each in found) == pytest.approx([-0.25, 0.5], abs=1e-6)
    assert [each[2] for each in found] == pytest.approx([0.02, 0.02], abs=1e-6)
