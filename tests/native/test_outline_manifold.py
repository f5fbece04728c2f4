# SPDX-License-Identifier: MIT
"""Parts of a concave polygon act as the whole: what slides over it does not feel the cuts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid2d.core import _native
from rigid2d.core.world.building.polygons import outline_neighbours

from tests.rows import every_row
from tests.search import tries

CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN, PART = range(6)
SPECULATIVE = 0.02
Point = tuple[float, float]
BODIES: dict[str, tuple[int, list[Point], float]] = {
    "circle": (CIRCLE, [(0.0, 0.0)], 0.5),
    "capsule": (CAPSULE, [(-0.3, 0.0), (0.3, 0.0)], 0.5),
    "box": (POLYGON, [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0.0),
    "rounded": (POLYGON, [(-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)], 0.1),
    "tip": (POLYGON, [(0.0, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0.0),
}
# Two slopes that meet at the origin, and an upright cut there. Downwards they are a metre thick.
FLAT = 0.0
VALLEY = math.tan(math.radians(3))
RIDGE = -VALLEY


@cache
def halves(slope: float) -> list[np.ndarray]:
    """The left and the right half of a block whose top falls and rises by `slope` a metre."""
    whole = (
        (-4.0, -1.0),
        (0.0, -1.0),
        (4.0, -1.0),
        (4.0, 4 * slope),
        (0.0, 0.0),
        (-4.0, 4 * slope),
    )
    left = (whole[0], whole[1], whole[4], whole[5])
    right = (whole[1], whole[2], whole[3], whole[4])
    parts = (left, right)
    around = outline_neighbours(whole, parts)
    return [np.array([*part, *others]) for part, others in zip(parts, around, strict=True)]


def meet(
    part: np.ndarray, body: str, pose: tuple[float, float, float], swapped: bool = False
) -> tuple[np.ndarray, list[tuple[float, float, float, int]]]:
    """The normal from the part and the touching points; `swapped` asks for it the other way."""
    kind, points, radius = BODIES[body]
    if not swapped:
        normal, touching = _native.collide(
            PART, part, 0.0, kind, np.array(points), radius, pose, SPECULATIVE
        )
        return np.array(normal), touching
    x, y, angle = pose
    c, s = math.cos(angle), math.sin(angle)
    back = (-c * x - s * y, s * x - c * y, -angle)
    normal, touching = _native.collide(
        kind, np.array(points), radius, PART, part, 0.0, back, SPECULATIVE
    )
    n = np.array(normal)
    return -np.array([c * n[0] - s * n[1], s * n[0] + c * n[1]]), touching


def tilt(normal: np.ndarray) -> float:
    """The angle of a normal from straight up, in radians, clockwise."""
    return math.atan2(normal[0], normal[1])


@every_row("swapped", [False, True])
@every_row("body", BODIES)
@every_row("depth", [0.0, 1e-4, 0.003])
@every_row("x", [-0.6, -0.501, -0.4999, -0.2, -1e-3, 0.0, 1e-3, 0.3, 0.501])
def test_a_floor_pushes_straight_up_beside_and_over_a_cut(body, x, depth, swapped):
    met = [meet(part, body, (x, 0.5 - depth, 0.0), swapped) for part in halves(FLAT)]
    assert all(abs(tilt(normal)) < 0.002 for normal, touching in met if touching)
    deepest = min(p[2] for _, touching in met for p in touching)
    assert deepest == pytest.approx(-depth, abs=1e-5)


@every_row("body", BODIES)
@every_row("slope", [VALLEY, RIDGE])
@settings(max_examples=tries(33, 200), deadline=None)
@given(x=st.floats(-0.8, 0.8), depth=st.floats(-0.01, 0.004), angle=st.floats(-0.5, 0.5))
def test_near_a_bend_no_push_leans_farther_than_the_two_slopes(body, slope, x, depth, angle):
    """The normals of the slopes lean 3 degrees each way; in a valley there is nothing between."""
    low = min(
        (math.cos(angle) * p[1] + math.sin(angle) * p[0] - BODIES[body][2]) for p in BODIES[body][1]
    )
    pose = (x, slope * abs(x) - low - depth, angle)
    lean = math.atan(abs(slope))
    for part in halves(slope):
        normal, touching = meet(part, body, pose)
        if not touching:
            continue
        assert abs(tilt(normal)) < lean + 2e-3
        if slope == VALLEY:
            assert abs(tilt(normal)) == pytest.approx(lean, abs=2e-3)


def test_without_its_outline_a_part_would_push_along_the_floor():
    """What the outline is for: the same polygons by themselves stop a tip at the cut."""
    kind, points, radius = BODIES["tip"]
    right = halves(FLAT)[1][:4]
    normal, touching = _native.collide(
        POLYGON, right, 0.0, kind, np.array(points), radius, (0.001, 0.497, 0.0), SPECULATIVE
    )
    assert touching
    assert abs(normal[0]) > 0.8


@every_row("body", BODIES)
def test_what_is_deep_inside_is_pushed_out_of_the_top_and_not_through_the_cut(body):
    normal, touching = meet(halves(FLAT)[1], body, (0.05, -0.1, 0.0))
    assert touching
    assert abs(tilt(normal)) < 1e-4
    assert min(p[2] for p in touching) == pytest.approx(-0.6, abs=1e-5)


@every_row("body", ["circle", "capsule", "rounded"])
def test_at_a_corner_of_the_outline_a_part_pushes_as_a_polygon_does(body):
    """The right half's far corner, where nothing is cut."""
    kind, points, radius = BODIES[body]
    right = halves(FLAT)[1]
    x, y = {"circle": (4.35, 0.35), "capsule": (4.65, 0.35), "rounded": (4.46, 0.46)}[body]
    pose = (x, y, 0.0)
    alone = _native.collide(
        POLYGON, right[:4], 0.0, kind, np.array(points), radius, pose, SPECULATIVE
    )
    assert alone[1]
    normal, touching = meet(right, body, pose)
    assert tuple(normal) == alone[0]
    assert touching == alone[1]


@every_row("points", [range(8), range(10), range(3 * 65)])
def test_a_wrong_number_of_points_is_refused(points: Sequence[int]):
    given = np.array([(math.cos(k), math.sin(k)) for k in points])
    with pytest.raises(ValueError, match="3 to 64 corners"):
        _native.shape_mass(PART, given, 0.0, 1.0)
    world = _native.World(gravity=(0.0, 0.0), dt=1 / 60)
    rows = np.zeros(1, _native.SHAPE)
    rows["kind"] = PART
    rows["point_count"] = len(given)
    with pytest.raises(ValueError, match="wrong number of points"):
        world.add_shapes(rows, given)
