# SPDX-License-Identifier: MIT
"""One-sided chain segments: smooth over joins, open from behind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rigid2d.core import _native

from tests.rows import every_row
from tests.search import tries

CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN = range(5)
SPECULATIVE = 0.02
BODIES: dict[str, tuple[int, list[tuple[float, float]], float]] = {
    "circle": (CIRCLE, [(0.0, 0.0)], 0.5),
    "capsule": (CAPSULE, [(-0.5, 0.0), (0.5, 0.0)], 0.5),
    "box": (POLYGON, [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0.0),
    "rounded": (POLYGON, [(-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)], 0.1),
    "triangle": (POLYGON, [(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)], 0.0),
}
Point = tuple[float, float]
Contact = tuple[np.ndarray, float]  # normal from the chain, least separation


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.hypot(*v)


def left(v: np.ndarray) -> np.ndarray:
    return np.array([-v[1], v[0]])


def contacts(chain: Sequence[Point], body: str, pose: tuple[float, float, float]) -> list[Contact]:
    """A body's contacts with every inner segment of a chain."""
    kind, points, radius = BODIES[body]
    found = []
    for i in range(len(chain) - 3):
        segment = np.array(chain[i : i + 4])
        normal, touching = _native.collide(
            CHAIN, segment, 0.0, kind, np.array(points), radius, pose, SPECULATIVE
        )
        if touching:
            found.append((np.array(normal), min(p[2] for p in touching)))
    return found


def allowed(chain: Sequence[Point], segment: int, normal: np.ndarray, slack: float = 1e-5) -> bool:
    """Whether a normal is the segment's own, or lies between it and a convex neighbour's."""
    p = np.array(chain)
    e = [unit(p[segment + k + 1] - p[segment + k]) for k in range(3)]
    own = left(e[1])
    if normal @ own > 1 - slack:
        return True
    before = normal @ e[1] < 0
    a, b = (e[0], e[1]) if before else (e[1], e[2])
    if a[0] * b[1] - a[1] * b[0] >= 0:
        return False
    border = left(a) if before else left(b)
    outer = normal[0] * border[1] - normal[1] * border[0]
    return (outer if before else -outer) > -slack and normal @ own > 0


flat = [(float(x), 0.0) for x in range(-5, 6)]


@every_row("body", BODIES)
@every_row("sunk", [0.0, 0.005, 0.05, 0.2])
@every_row("tilt", [0.0, 1e-4, -0.003])
def test_nothing_that_slides_over_a_flat_chain_feels_its_joins(
    body: str, sunk: float, tilt: float
) -> None:
    for x in np.linspace(-1.6, 1.6, 257):
        found = contacts(flat, body, (float(x), 0.5 - sunk, tilt))
        assert found
        for normal, _ in found:
            assert normal.tolist() == pytest.approx([0.0, 1.0], abs=1e-6)
        # The lowest point is the same wherever the joins are.
        drop = -BODIES[body][1][0][0] * abs(math.sin(tilt))
        tolerance = 2e-4 if sunk < 0.1 else 1e-3
        assert min(s for _, s in found) == pytest.approx(-sunk - drop, abs=tolerance)


def test_a_ball_touches_a_flat_chain_at_the_segment_below_it() -> None:
    places = np.linspace(-2.0, 2.0, 401)
    counts = [len(contacts(flat, "circle", (float(x), 0.49, 0.0))) for x in places]
    # Right over a join both hold it.
    assert set(counts) <= {1, 2}
    assert counts.count(2) <= 5


def test_a_ball_rolls_round_the_tip_of_a_hill_at_one_distance() -> None:
    hill = [(-4.0, -8.0), (-2.0, -4.0), (0.0, 0.0), (2.0, -4.0), (4.0, -8.0)]
    for x in np.linspace(-0.4, 0.4, 81):
        found = contacts(hill, "circle", (float(x), math.sqrt(0.505**2 - x * x), 0.0))
        assert 1 <= len(found) <= 2
        for normal, separation in found:
            assert normal.tolist() == pytest.approx(
                [x / 0.505, math.sqrt(1 - (x / 0.505) ** 2)], abs=1e-5
            )
            assert separation == pytest.approx(0.005, abs=1e-5)


@st.composite
def terrains(draw: st.DrawFn) -> list[Point]:
    """Hills and valleys bent by up to 1.2 radians a join."""
    points = [(-4.0, 0.0)]
    angle = 0.0
    for _ in range(8):
        angle = min(max(angle + draw(st.floats(-1.2, 1.2)), -1.2), 1.2)
        run = draw(st.floats(0.2, 1.5))
        x, y = points[-1]
        points.append((x + run * math.cos(angle), y + run * math.sin(angle)))
    return points


@settings(max_examples=tries(66, 400), deadline=None)
@given(
    terrains(),
    st.sampled_from(sorted(BODIES)),
    st.floats(1.0, 7.0),
    st.floats(-0.1, 0.6),
    st.floats(0.0, math.tau),
)
def test_every_normal_lies_in_the_range_the_neighbours_leave(
    chain: list[Point], body: str, along: float, height: float, angle: float
) -> None:
    i = int(along)
    a, b = np.array(chain[i]), np.array(chain[i + 1])
    place = a + (along - i) * (b - a) + height * left(unit(b - a))
    kind, points, radius = BODIES[body]
    for k in range(len(chain) - 3):
        segment = np.array(chain[k : k + 4])
        pose = (float(place[0]), float(place[1]), angle)
        normal, touching = _native.collide(
            CHAIN, segment, 0.0, kind, np.array(points), radius, pose, SPECULATIVE
        )
        if touching:
            assert allowed(chain, k, np.array(normal))


@settings(max_examples=tries(50, 300), deadline=None)
@given(terrains(), st.floats(1.5, 6.5), st.floats(0.3, 0.515))
def test_a_ball_over_terrain_touches_at_its_distance(
    chain: list[Point], along: float, height: float
) -> None:
    i = int(along)
    a, b = np.array(chain[i]), np.array(chain[i + 1])
    place = a + (along - i) * (b - a) + height * left(unit(b - a))
    distances = []
    for p, q in pairwise(chain):
        e = np.array(q) - p
        t = min(max(float((place - p) @ e / (e @ e)), 0.0), 1.0)
        offset = place - p - t * e
        # Other parts of the terrain seen from below are no contact.
        assume(e[0] * (place - p)[1] - e[1] * (place - p)[0] > 0)
        distances.append(float(np.hypot(*offset)))
    found = contacts(chain, "circle", (float(place[0]), float(place[1]), 0.0))
    # The outermost segments are only neighbours here.
    assume(min(distances) not in (distances[0], distances[-1]))
    if min(distances) < 0.5 + SPECULATIVE - 1e-4:
        assert min(s for _, s in found) == pytest.approx(min(distances) - 0.5, abs=1e-4)


@every_row("body", BODIES)
def test_nothing_is_touched_from_behind(body: str) -> None:
    for y in (-0.001, -0.2, -0.49, -0.6):
        kind, points, _ = BODIES[body]
        centre = float(np.mean([p[1] for p in points])) if kind == POLYGON else 0.0
        assert contacts(flat, body, (0.3, y - centre, 0.0)) == []


@every_row("body", BODIES)
def test_a_chain_holds_from_the_left_of_its_direction(body: str) -> None:
    turned = [(-x, 0.0) for x, _ in flat]
    kind, points, _ = BODIES[body]
    below = max(p[1] for p in points) + (0.5 if kind != POLYGON else BODIES[body][2])
    found = contacts(turned, body, (0.3, -below + 0.01, 0.0))
    assert found
    for normal, separation in found:
        assert normal.tolist() == pytest.approx([0.0, -1.0], abs=1e-6)
        assert separation >= -0.0101


def test_a_ball_falls_past_the_free_end_of_a_chain_like_past_a_corner() -> None:
    segment = np.array([(-1.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (1.0, 0.0)])
    reach = 0.5 * math.sqrt(0.5)
    normal, touching = _native.collide(
        CHAIN, segment, 0.0, *BODIES["circle"], (1.0 + reach, reach, 0.0), SPECULATIVE
    )
    assert normal == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)), abs=1e-6)
    assert touching[0][2] == pytest.approx(0.0, abs=1e-6)


def test_a_box_in_a_valley_is_held_by_both_slopes() -> None:
    valley = [(-4.0, 4.0), (-2.0, 2.0), (0.0, 0.0), (2.0, 2.0), (4.0, 4.0)]
    found = contacts(valley, "box", (0.0, math.sqrt(0.5) - 0.005, math.pi / 4))
    s = math.sqrt(0.5)
    normals = sorted(tuple(np.round(n, 5)) for n, _ in found)
    assert normals == [(-round(s, 5), round(s, 5)), (round(s, 5), round(s, 5))]


def test_a_box_on_a_hill_is_held_by_the_corner_under_its_face() -> None:
    hill = [(-4.0, -1.0), (-2.0, -0.5), (0.0, 0.0), (2.0, -0.5), (4.0, -1.0)]
    found = contacts(hill, "box", (0.0, 0.495, 0.0))
    assert found
    for normal, separation in found:
        assert normal.tolist() == pytest.approx([0.0, 1.0], abs=1e-6)
        assert separation == pytest.approx(-0.005, abs=1e-5)


@every_row("body", BODIES)
def test_the_chain_as_second_shape_gives_the_mirrored_manifold(body: str) -> None:
    segment = np.array(flat[4:8])
    kind, points, radius = BODIES[body]
    pose = (0.4, 0.495, 0.0)
    one, first = _native.collide(
        CHAIN, segment, 0.0, kind, np.array(points), radius, pose, SPECULATIVE
    )
    two, second = _native.collide(
        kind, np.array(points), radius, CHAIN, segment, 0.0, (-0.4, -0.495, 0.0), SPECULATIVE
    )
    assert two == pytest.approx((-one[0], -one[1]))
    for p, q in zip(first, second, strict=True):
        assert (q[0] + 0.4, q[1] + 0.495, q[2]) == pytest.approx(p[:3], abs=1e-6)
