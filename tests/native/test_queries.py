# SPDX-License-Identifier: MIT
"""Ray casts, point tests, overlap and distance of single shapes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rigid2d.core import _native

from tests.rows import every_row
from tests.search import tries

CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN = range(5)
BOX = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
Shape = tuple[int, list[tuple[float, float]], float]
Pose = tuple[float, float, float]

SHAPES: dict[str, Shape] = {
    "circle": (CIRCLE, [(0.2, -0.1)], 0.5),
    "capsule": (CAPSULE, [(-0.5, 0.1), (0.5, -0.2)], 0.3),
    "segment": (SEGMENT, [(-0.5, 0.1), (0.5, -0.2)], 0.0),
    "thick segment": (SEGMENT, [(-0.5, 0.1), (0.5, -0.2)], 0.1),
    "box": (POLYGON, BOX, 0.0),
    "rounded": (POLYGON, BOX, 0.2),
    "triangle": (POLYGON, [(-0.5, -0.4), (0.6, -0.2), (0.0, 0.7)], 0.0),
    "chain": (CHAIN, [(-1.0, 0.0), (-0.5, 0.1), (0.5, -0.2), (1.0, 0.0)], 0.0),
}
SOLID = [name for name in SHAPES if name not in ("segment", "chain")]


def core(shape: Shape) -> np.ndarray:
    points = np.array(shape[1], dtype=float)
    return points[1:3] if shape[0] == CHAIN else points


def edges(points: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    last = len(points) if len(points) > 2 else 1
    return [(points[i], points[(i + 1) % len(points)]) for i in range(last)]


def gap(shape: Shape, p: np.ndarray) -> float:
    """The signed distance of a point from a shape's surface; -radius at best inside the core."""
    points = core(shape)
    nearest = math.inf
    within = len(points) > 2
    for a, b in edges(points):
        e = b - a
        t = min(max(float((p - a) @ e) / max(float(e @ e), 1e-300), 0.0), 1.0)
        nearest = min(nearest, float(np.hypot(*(p - a - t * e))))
        within = within and e[0] * (p - a)[1] - e[1] * (p - a)[0] >= 0
    return (-nearest if within else nearest) - shape[2]


def ray(
    shape: Shape, origin: tuple[float, float], to: tuple[float, float]
) -> tuple[float, float, float] | None:
    return _native.shape_ray_cast(shape[0], np.array(shape[1], dtype=float), shape[2], origin, to)


number = st.floats(-2.0, 2.0)


@settings(max_examples=tries(50, 300), deadline=None)
@given(st.sampled_from(SOLID), number, number, number, number)
def test_a_ray_stops_where_it_first_meets_the_surface(
    name: str, x: float, y: float, dx: float, dy: float
) -> None:
    shape = SHAPES[name]
    origin, way = np.array([x, y]), np.array([dx, dy])
    assume(np.hypot(*way) > 0.01 and abs(gap(shape, origin)) > 1e-3)
    hit = _native.shape_ray_cast(
        shape[0], np.array(shape[1], dtype=float), shape[2], (x, y), (dx, dy)
    )
    gaps = np.array([gap(shape, origin + t * way) for t in np.linspace(0.0, 1.0, 201)])
    if gaps[0] < 0:
        assert hit is None
    elif hit is None:
        assert gaps.min() > -2e-3
    else:
        fraction, *normal = hit
        assert gap(shape, origin + fraction * way) == pytest.approx(0.0, abs=1e-5)
        assert gaps[: int(200 * fraction)].min(initial=1.0) > -1e-5
        assert np.hypot(*normal) == pytest.approx(1.0, abs=1e-6)
        assert np.array(normal) @ way < 1e-6
        assert gap(shape, origin + fraction * way + 0.01 * np.array(normal)) > 0.009


@every_row("name", SOLID)
def test_a_ray_that_starts_inside_hits_nothing(name: str) -> None:
    for angle in np.linspace(0.0, 6.0, 13):
        assert ray(SHAPES[name], (0.0, -0.05), (5 * math.cos(angle), 5 * math.sin(angle))) is None


@every_row("name", SHAPES)
def test_a_ray_that_points_away_or_ends_before_hits_nothing(name: str) -> None:
    assert ray(SHAPES[name], (0.0, 2.0), (0.0, 1.0)) is None
    assert ray(SHAPES[name], (0.0, 2.0), (0.0, -0.5)) is None
    assert ray(SHAPES[name], (0.0, 2.0), (0.0, 0.0)) is None


def test_a_segment_is_hit_from_both_sides_and_a_chain_only_from_its_front() -> None:
    segment: Shape = (SEGMENT, [(-1.0, 0.0), (1.0, 0.0)], 0.0)
    chain: Shape = (CHAIN, [(-2.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (2.0, 0.0)], 0.0)
    down, up = ((0.25, 1.0), (0.0, -2.0)), ((0.25, -1.0), (0.0, 2.0))
    assert ray(segment, *down) == (0.5, 0.0, 1.0)
    assert ray(segment, *up) == (0.5, 0.0, -1.0)
    assert ray(chain, *down) == (0.5, 0.0, 1.0)
    assert ray(chain, *up) is None


def test_a_ray_at_a_corner_finds_no_crack() -> None:
    for angle in np.linspace(0.01, math.pi / 2 - 0.01, 200):
        far = (0.5 + 3 * math.cos(angle), 0.5 + 3 * math.sin(angle))
        assert ray((POLYGON, BOX, 0.0), far, (-2 * (far[0] - 0.5), -2 * (far[1] - 0.5)))
        assert ray((POLYGON, BOX, 0.1), far, (-2 * (far[0] - 0.5), -2 * (far[1] - 0.5)))


def test_a_ray_from_afar_meets_a_small_circle_at_its_distance() -> None:
    hit = ray((CIRCLE, [(0.0, 0.0)], 0.125), (-1e6, 0.0625), (2e6, 0.0))
    assert hit is not None
    assert hit[0] == pytest.approx(0.5, abs=1e-7)
    assert hit[2] == pytest.approx(0.5, abs=1e-5)


@settings(max_examples=tries(50, 300), deadline=None)
@given(st.sampled_from(SOLID), number, number)
def test_a_point_is_inside_up_to_the_surface(name: str, x: float, y: float) -> None:
    shape = SHAPES[name]
    distance = gap(shape, np.array([x, y]))
    assume(abs(distance) > 1e-5)
    points = np.array(shape[1], dtype=float)
    assert _native.shape_contains(shape[0], points, shape[2], (x, y)) == (distance < 0)


@pytest.mark.parametrize("name", ["segment", "chain"])
def test_lines_contain_no_point(name: str) -> None:
    kind, points, radius = SHAPES[name]
    assert not _native.shape_contains(kind, np.array(points), radius, (0.0, -0.05))


def placed(points: np.ndarray, pose: Pose) -> np.ndarray:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return points @ np.array([[c, s], [-s, c]]) + pose[:2]


def reference_gap(a: Shape, b: Shape, pose: Pose) -> float:
    """The distance by brute force over corners and edges; negative for shapes that overlap."""
    first, second = core(a), placed(core(b), pose)
    bare_a: Shape = (POLYGON, [tuple(p) for p in first.tolist()], 0.0)
    bare_b: Shape = (POLYGON, [tuple(p) for p in second.tolist()], 0.0)
    nearest = min(gap(bare_a, p) for p in second)
    nearest = min(nearest, *(gap(bare_b, p) for p in first))
    for p, q in edges(first):
        for r, s in edges(second):
            matrix = np.array([q - p, r - s]).T
            if abs(np.linalg.det(matrix)) > 1e-12:
                t, u = np.linalg.solve(matrix, r - p)
                nearest = -1.0 if 0 <= t <= 1 and 0 <= u <= 1 else nearest
    return nearest - a[2] - b[2]


poses = st.tuples(st.floats(-1.6, 1.6), st.floats(-1.6, 1.6), st.floats(0.0, math.tau))
names = st.sampled_from(sorted(SHAPES))


@settings(max_examples=tries(66, 400), deadline=None)
@given(names, names, poses)
def test_distance_and_overlap_agree_with_brute_force(one: str, two: str, pose: Pose) -> None:
    a, b = SHAPES[one], SHAPES[two]
    wanted = reference_gap(a, b, pose)
    arguments = (a[0], np.array(a[1]), a[2], b[0], np.array(b[1]), b[2], pose)
    distance, on_a, on_b = _native.shape_distance(*arguments)
    assert distance == pytest.approx(max(0.0, wanted), abs=1e-5)
    assert np.hypot(*np.subtract(on_b, on_a)) == pytest.approx(distance, abs=1e-5)
    assert gap(a, np.array(on_a)) < 1e-5
    moved: Shape = (POLYGON, [tuple(p) for p in placed(core(b), pose).tolist()], b[2])
    assert gap(moved, np.array(on_b)) < 1e-5
    if abs(wanted) > 1e-5:
        assert _native.shapes_overlap(*arguments) == (wanted < 0.0)


@pytest.mark.parametrize(("x", "touching"), [(0.999, True), (1.0, True), (1.001, False)])
def test_touching_counts_as_overlap(x: float, touching: bool) -> None:
    box = np.array(BOX)
    assert _native.shapes_overlap(POLYGON, box, 0.0, POLYGON, box, 0.0, (x, 0, 0)) is touching


def test_a_shape_within_another_overlaps_it() -> None:
    large, small = np.array(BOX) * 10, np.array(BOX) * 0.1
    for a, b in ((large, small), (small, large)):
        distance, on_a, on_b = _native.shape_distance(POLYGON, a, 0, POLYGON, b, 0, (0.3, 0.2, 1))
        assert distance == 0.0
        assert on_a == on_b
        assert _native.shapes_overlap(POLYGON, a, 0, POLYGON, b, 0, (0.3, 0.2, 1))


def test_segments_overlap_where_they_cross_and_not_beside() -> None:
    line = np.array([(-1.0, 0.0), (1.0, 0.0)])
    assert _native.shapes_overlap(SEGMENT, line, 0, SEGMENT, line, 0, (0.0, 0.0, 1.0))
    assert not _native.shapes_overlap(SEGMENT, line, 0, SEGMENT, line, 0, (0.0, 0.01, 0.0))


@settings(max_examples=tries(33, 200), deadline=None)
@given(names, names, st.sampled_from([1e-4, 1.0, 1e6]), poses, poses)
def test_queries_are_finite_at_every_scale(
    one: str, two: str, scale: float, pose: Pose, way: Pose
) -> None:
    a, b = SHAPES[one], SHAPES[two]
    points_a, points_b = scale * np.array(a[1]), scale * np.array(b[1])
    place = (scale * pose[0], scale * pose[1], pose[2])
    distance, on_a, on_b = _native.shape_distance(
        a[0], points_a, scale * a[2], b[0], points_b, scale * b[2], place
    )
    assert np.isfinite([distance, *on_a, *on_b]).all()
    there = (scale * way[0], scale * way[1])
    hit = _native.shape_ray_cast(a[0], points_a, scale * a[2], place[:2], there)
    assert hit is None or (0.0 <= hit[0] <= 1.0 and math.hypot(*hit[1:]) == pytest.approx(1.0))
