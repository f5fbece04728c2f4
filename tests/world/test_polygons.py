# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import pytest
from rigid2d.core.world.building.polygons import (
    MAX_POINTS,
    convex_parts,
    is_convex,
    outline_neighbours,
)

from tests.rows import every_row


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


@every_row("n", [64, 65, 100, 128, 200, 1000])
def test_a_polygon_of_many_points_is_cut_into_what_the_engine_takes(n):
    parts = convex_parts(regular(n))
    assert all(3 <= len(part) <= MAX_POINTS for part in parts)
    assert all(is_convex(part) for part in parts)
    assert sum(map(area, parts)) == pytest.approx(area(regular(n)))
    assert len(parts) <= 2 * math.ceil(n / MAX_POINTS)


def test_the_corners_of_a_part_know_the_points_before_and_after_them_on_the_outline():
    part = (L_SHAPE[0], L_SHAPE[1], L_SHAPE[2], L_SHAPE[3])
    (before_and_after,) = outline_neighbours(L_SHAPE, [part])
    assert before_and_after[:4] == (L_SHAPE[5], L_SHAPE[0], L_SHAPE[1], L_SHAPE[2])
    assert before_and_after[4:] == (L_SHAPE[1], L_SHAPE[2], L_SHAPE[3], L_SHAPE[4])


# A bowl of 40 straight pieces, y = 0.02 x^2, as the top of one concave polygon.
BOWL = [(x / 2, 0.02 * (x / 2) ** 2) for x in range(20, -21, -1)]
SLIDERS = {
    "circle": "{circle: 0.2}",
    "box": "{box: [0.3, 0.3]}",
    "capsule": "{capsule: [[-0.2, 0], [0.2, 0]], radius: 0.15}",
    "tip": "{polygon: [[0, -0.2], [0.2, 0.2], [-0.2, 0.2]]}",
    "l": "{polygon: [[0, 0], [0.4, 0], [0.4, 0.15], [0.15, 0.15], [0.15, 0.4], [0, 0.4]]}",
}


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
@pytest.mark.parametrize("slider", SLIDERS)
def test_what_slides_without_friction_through_a_concave_bowl_comes_up_as_high(make, slider, solver):
    """Each of 32 bends of 0.02 rad takes at most sin^2 of it off the energy, 1.3 % together."""
    bowl = [[-10, -2], [10, -2], *map(list, BOWL)]
    world = make(f"""
world: {{sleep: false, dt: =1/240, solver: {{type: {solver}}}}}
bodies:
  ground: {{type: static, friction: 0, shape: {{polygon: {bowl}}}}}
  slider: {{shape: {SLIDERS[slider]}, friction: 0, position: [-8, 1.6], fixed_rotation: true}}
""")
    body = world["slider"]
    world.step(60)
    start = body.position[1]
    speeds = []
    heights = [start]
    while body.position[0] < 0 or body.velocity[0] > 0:
        world.step()
        heights.append(body.position[1])
        speeds.append(body.velocity[0])
        assert len(heights) < 4000
    energy = 9.81 * (heights[0] - min(heights))
    assert max(speeds) ** 2 / 2 > 0.95 * energy
    assert heights[-1] - min(heights) > 0.9 * (heights[0] - min(heights))
