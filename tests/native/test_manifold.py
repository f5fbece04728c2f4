# SPDX-License-Identifier: MIT
"""Contact manifolds against distances found by brute force, and against closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rigid2d.core import _native

from tests.rows import every_row
from tests.search import tries

CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN = range(5)
BOX = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
SPECULATIVE = 0.02

Pose = tuple[float, float, float]
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Solid:
    """A shape to collide: kind, core points and radius."""

    kind: int
    points: Points
    radius: float

    @property
    def arguments(self) -> tuple[int, np.ndarray, float]:
        return self.kind, np.array(self.points, dtype=np.float64), self.radius


@dataclass(frozen=True)
class Contact:
    """The result of collide()."""

    normal: np.ndarray
    points: np.ndarray
    separations: np.ndarray
    ids: list[int]


def collide(a: Solid, b: Solid, pose: Pose, speculative: float = SPECULATIVE) -> Contact:
    normal, points = _native.collide(*a.arguments, *b.arguments, pose, speculative)
    rows = np.array([p[:3] for p in points]).reshape(-1, 3)
    return Contact(np.array(normal), rows[:, :2], rows[:, 2], [p[3] for p in points])


def placed(points: Points, pose: Pose) -> np.ndarray:
    x, y, angle = pose
    c, s = math.cos(angle), math.sin(angle)
    return np.array(points) @ np.array([[c, s], [-s, c]]) + (x, y)


def inverse(pose: Pose) -> Pose:
    x, y, angle = pose
    c, s = math.cos(angle), math.sin(angle)
    return (-c * x - s * y, s * x - c * y, -angle)


def ends(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the second ends of all edges."""
    return (points, points) if len(points) == 1 else (points, np.roll(points, -1, axis=0))


def cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]


def turns(points: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """On which side of each edge of the others each edge of the points begins and ends."""
    (p, q), (r, s) = ends(points), ends(others)
    along = (s - r)[None]
    return cross(along, p[:, None] - r), cross(along, q[:, None] - r)


def inside(p: np.ndarray, points: np.ndarray) -> bool:
    a, b = ends(points)
    return len(points) > 2 and bool((cross(b - a, p - a) >= 0).all())


def corner_distance(points: np.ndarray, others: np.ndarray) -> float:
    """The least distance of the points to the edges of the others."""
    a, b = ends(others)
    e = b - a
    to = points[:, None] - a
    t = (to * e).sum(axis=-1) / np.maximum((e * e).sum(axis=-1), 1e-300)
    gap = to - t.clip(0.0, 1.0)[..., None] * e
    return math.sqrt((gap * gap).sum(axis=-1).min())


def brute_distance(a: np.ndarray, b: np.ndarray) -> float:
    """The distance of two convex cores, 0 when they meet."""
    if inside(b[0], a) or inside(a[0], b):
        return 0.0
    (begin_a, end_a), (begin_b, end_b) = turns(a, b), turns(b, a)
    if ((begin_a * end_a < 0) & (begin_b * end_b < 0).T).any():
        return 0.0
    return min(corner_distance(a, b), corner_distance(b, a))


@st.composite
def solids(draw: st.DrawFn, kinds: Sequence[int] = (CIRCLE, CAPSULE, SEGMENT, POLYGON)) -> Solid:
    kind = draw(st.sampled_from(kinds))
    size = draw(st.floats(0.3, 2.0))
    radius = draw(st.sampled_from([0.0, 0.05, 0.4])) if kind in (SEGMENT, POLYGON) else 0.3
    number = st.floats(-0.5, 0.5)
    if kind == CIRCLE:
        return Solid(kind, [(draw(number), draw(number))], size)
    turned = draw(st.floats(0.0, math.tau))
    if kind in (CAPSULE, SEGMENT):
        x, y = size * math.cos(turned), size * math.sin(turned)
        return Solid(kind, [(-x, -y), (x, y)], radius)
    if draw(st.booleans()):
        half = (size, draw(st.floats(0.3, 2.0)))
        box = [(half[0] * math.copysign(1, x), half[1] * math.copysign(1, y)) for x, y in BOX]
        return Solid(kind, [tuple(p) for p in placed(box, (0.0, 0.0, turned)).tolist()], radius)
    count = draw(st.integers(3, 9))
    steps = [draw(st.floats(0.5, 1.0)) for _ in range(count)]
    angles = turned + np.cumsum(steps) * math.tau / sum(steps)
    return Solid(kind, [(size * math.cos(t), size * math.sin(t)) for t in angles], radius)


@st.composite
def near_pairs(draw: st.DrawFn) -> tuple[Solid, Solid, Pose]:
    """Two shapes whose surfaces are between 0.3 of overlap and 0.03 of gap from one another."""
    a, b = draw(solids()), draw(solids())
    assume(not (a.kind == SEGMENT and b.kind == SEGMENT))
    direction = draw(st.floats(0.0, math.tau))
    turned = draw(st.floats(0.0, math.tau) | st.sampled_from([0.0, math.pi / 2, math.pi]))
    target = draw(st.floats(-0.3, 0.03))
    core = np.array(a.points, dtype=float)
    radii = a.radius + b.radius
    low, high = 0.0, 10.0
    for _ in range(20):
        r = 0.5 * (low + high)
        pose = (r * math.cos(direction), r * math.sin(direction), turned)
        gap = brute_distance(core, placed(b.points, pose)) - radii
        low, high = (r, high) if gap < max(target, -radii) else (low, r)
    back = min(0.0, target + radii)
    r = max(0.0, high + back)
    return a, b, (r * math.cos(direction), r * math.sin(direction), turned)


@settings(max_examples=tries(50, 300), deadline=None)
@given(near_pairs())
def test_a_normal_is_a_unit_vector_and_points_keep_within_the_margin(
    pair: tuple[Solid, Solid, Pose],
) -> None:
    contact = collide(*pair)
    if len(contact.points):
        assert np.hypot(*contact.normal) == pytest.approx(1.0, abs=1e-5)
        assert (contact.separations <= SPECULATIVE).all()
    assert len(set(contact.ids)) == len(contact.ids)


@settings(max_examples=tries(50, 300), deadline=None)
@given(near_pairs())
def test_the_separation_of_shapes_apart_is_their_distance(pair: tuple[Solid, Solid, Pose]) -> None:
    a, b, pose = pair
    core = brute_distance(np.array(a.points), placed(b.points, pose))
    assume(core > 1e-4)
    gap = core - a.radius - b.radius
    contact = collide(a, b, pose)
    if gap > SPECULATIVE + 1e-4:
        assert len(contact.points) == 0
    if gap < SPECULATIVE - 2e-3:
        # The side from which a face is seen may be a little worse than the best, on purpose.
        assert contact.separations.min() == pytest.approx(gap, abs=1e-3 + 2e-3 * core)


@settings(max_examples=tries(50, 300), deadline=None)
@given(near_pairs())
def test_moving_out_by_the_depth_along_the_normal_parts_overlapping_shapes(
    pair: tuple[Solid, Solid, Pose],
) -> None:
    a, b, pose = pair
    contact = collide(a, b, pose)
    assume(len(contact.points) and contact.separations.min() < -1e-3)
    move = -contact.separations.min() * contact.normal
    moved = (pose[0] + move[0], pose[1] + move[1], pose[2])
    gap = brute_distance(np.array(a.points), placed(b.points, moved)) - a.radius - b.radius
    assert gap == pytest.approx(0.0, abs=3e-3)


@settings(max_examples=tries(50, 300), deadline=None)
@given(near_pairs())
def test_swapping_the_shapes_mirrors_the_manifold(pair: tuple[Solid, Solid, Pose]) -> None:
    a, b, pose = pair
    one = collide(a, b, pose)
    two = collide(b, a, inverse(pose))
    if not len(one.points) or not len(two.points):
        border = [*one.separations, *two.separations, SPECULATIVE]
        assert min(border) > SPECULATIVE - 2e-3
        return
    assert one.separations.min() == pytest.approx(two.separations.min(), abs=2e-3)
    back = placed([tuple(two.normal)], (0.0, 0.0, pose[2]))[0]
    # Where two directions are equally good either may be taken.
    if one.normal @ back < -1 + 1e-5 and len(one.points) == len(two.points):
        mirrored = placed(two.points.tolist(), pose)
        for point, identity in zip(one.points, one.ids, strict=True):
            assert np.hypot(*(mirrored - point).T).min() < 0.01
            assert (identity >> 8 | (identity & 255) << 8) in two.ids


@settings(max_examples=tries(50, 300), deadline=None)
@given(near_pairs())
def test_points_lie_midway_between_the_surfaces(pair: tuple[Solid, Solid, Pose]) -> None:
    a, b, pose = pair
    contact = collide(a, b, pose)
    core_a, core_b = np.array(a.points, dtype=float), placed(b.points, pose)
    for point, separation in zip(contact.points, contact.separations, strict=True):
        near_a = brute_distance(core_a, point[None]) - a.radius
        near_b = brute_distance(core_b, point[None]) - b.radius
        # Half the gap from either; half the overlap outside one that has no inside.
        assert max(near_a, near_b) < 0.5 * abs(separation) + 3e-3


def test_a_box_on_a_box_touches_at_the_ends_of_their_common_face() -> None:
    contact = collide(Solid(POLYGON, BOX, 0.0), Solid(POLYGON, BOX, 0.0), (0.25, 0.99, 0.0))
    assert contact.normal.tolist() == [0.0, 1.0]
    assert sorted(contact.points[:, 0].tolist()) == [-0.25, 0.5]
    assert contact.points[:, 1].tolist() == pytest.approx([0.495, 0.495])
    assert contact.separations.tolist() == pytest.approx([-0.01, -0.01])


def test_two_corners_are_parted_along_the_line_between_them() -> None:
    a, b = Solid(POLYGON, BOX, 0.1), Solid(POLYGON, BOX, 0.1)
    contact = collide(a, b, (1.12, 1.12, 0.0))
    assert contact.normal == pytest.approx([math.sqrt(0.5)] * 2, abs=1e-6)
    assert contact.separations.tolist() == pytest.approx([0.12 * math.sqrt(2) - 0.2], abs=1e-6)


@every_row("angle", [-1e-4, -1e-6, 0.0, 1e-6, 1e-4])
@every_row("depth", [-0.001, 0.0, 0.005])
def test_a_resting_box_keeps_its_feature_ids_and_normal_while_it_trembles(
    angle: float, depth: float
) -> None:
    a, b = Solid(POLYGON, BOX, 0.0), Solid(POLYGON, BOX, 0.0)
    still = collide(a, b, (0.3, 0.995, 0.0))
    contact = collide(a, b, (0.3 + angle, 1.0 - depth, angle))
    assert contact.ids == still.ids
    assert contact.normal.tolist() == [0.0, 1.0]


def test_parallel_capsules_touch_at_two_points() -> None:
    capsule = Solid(CAPSULE, [(-1.0, 0.0), (1.0, 0.0)], 0.25)
    contact = collide(capsule, capsule, (0.5, 0.49, 0.001))
    assert sorted(contact.points[:, 0].tolist()) == pytest.approx([-0.5, 1.0], abs=2e-3)
    assert contact.separations.tolist() == pytest.approx([-0.01, -0.01], abs=2e-3)


def test_capsules_end_to_end_touch_at_one_point_along_their_axis() -> None:
    capsule = Solid(CAPSULE, [(-1.0, 0.0), (1.0, 0.0)], 0.25)
    contact = collide(capsule, capsule, (2.49, 0.0, 0.0))
    assert contact.normal.tolist() == [1.0, 0.0]
    assert contact.separations.tolist() == pytest.approx([-0.01], abs=1e-6)


@pytest.mark.parametrize("kinds", [(SEGMENT, SEGMENT), (SEGMENT, CHAIN), (CHAIN, CHAIN)])
def test_shapes_without_inside_never_touch_one_another(kinds: tuple[int, int]) -> None:
    shapes = {
        SEGMENT: Solid(SEGMENT, [(-1.0, 0.0), (1.0, 0.0)], 0.1),
        CHAIN: Solid(CHAIN, [(-2.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (2.0, 0.0)], 0.0),
    }
    contact = collide(shapes[kinds[0]], shapes[kinds[1]], (0.0, 0.0, 1.0))
    assert len(contact.points) == 0


@every_row("kind", [CIRCLE, CAPSULE, POLYGON])
@every_row("other", [CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN])
def test_shapes_in_one_place_get_a_unit_normal(kind: int, other: int) -> None:
    shapes = {
        CIRCLE: Solid(CIRCLE, [(0.0, 0.0)], 0.5),
        CAPSULE: Solid(CAPSULE, [(-0.5, 0.0), (0.5, 0.0)], 0.5),
        SEGMENT: Solid(SEGMENT, [(-0.5, 0.0), (0.5, 0.0)], 0.0),
        POLYGON: Solid(POLYGON, BOX, 0.0),
        CHAIN: Solid(CHAIN, [(-1.5, 0.0), (-0.5, 0.0), (0.5, 0.0), (1.5, 0.0)], 0.0),
    }
    contact = collide(shapes[kind], shapes[other], (0.0, 0.0, 0.0))
    assert len(contact.points) > 0
    assert np.hypot(*contact.normal) == pytest.approx(1.0, abs=1e-6)
    assert contact.separations.min() < -0.2


scales = st.sampled_from([1e-4, 1e-2, 1.0, 1e3, 1e6])
wild = st.floats(-1.0, 1.0)


@st.composite
def wild_solids(draw: st.DrawFn) -> Solid:
    """Any points at all: flat, folded, clockwise, coincident."""
    kind = draw(st.integers(0, 4))
    count = {CIRCLE: 1, CAPSULE: 2, SEGMENT: 2, CHAIN: 4}.get(kind) or draw(st.integers(3, 64))
    scale = draw(scales)
    flat = draw(st.sampled_from([0.0, 1e-7, 1.0]))
    points = [(scale * draw(wild), flat * scale * draw(wild)) for _ in range(min(count, 8))]
    points += [points[i % 8] for i in range(count - len(points))]
    radius = scale * draw(st.sampled_from([0.0, 1e-3, 1.0]))
    return Solid(kind, points, radius)


@settings(max_examples=tries(83, 500), deadline=None)
@given(wild_solids(), wild_solids(), scales, wild, wild, st.floats(-10.0, 10.0))
def test_no_shape_at_any_scale_makes_a_number_that_is_not_finite(
    a: Solid, b: Solid, scale: float, x: float, y: float, angle: float
) -> None:
    contact = collide(a, b, (scale * x, scale * y, angle), scale)
    assert np.isfinite(contact.points).all()
    assert np.isfinite(contact.separations).all()
    if len(contact.points):
        assert np.hypot(*contact.normal) == pytest.approx(1.0, abs=1e-4)


@every_row(
    ("arguments", "words"),
    [
        ((7, [(0, 0)], 1.0), "kind"),
        ((CIRCLE, [(0, 0), (1, 1)], 1.0), "circle has 1 point"),
        ((POLYGON, [(0, 0), (1, 1)], 0.0), "3 to 64"),
        ((POLYGON, [(0, 0)] * 65, 0.0), "3 to 64"),
        ((CHAIN, BOX[:3], 0.0), "4 points"),
        ((CIRCLE, [(0, math.nan)], 1.0), "finite"),
        ((CIRCLE, [(0, 0)], math.inf), "finite"),
        ((CIRCLE, [(0, 0)], -1.0), "negative"),
        ((CIRCLE, [0, 0], 1.0), r"\[n, 2\]"),
        ((CIRCLE, "centre", 1.0), "numbers"),
        ((CIRCLE, None, 1.0), r"\[n, 2\]"),
    ],
)
def test_a_bad_shape_is_refused_with_what_would_be_right(
    arguments: tuple[int, object, float], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        _native.collide(*arguments, CIRCLE, [(0, 0)], 1.0, (0, 0, 0), 0.0)
