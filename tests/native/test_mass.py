# SPDX-License-Identifier: MIT
"""Area, centre of mass and inertia against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid2d.core import _native

from tests.rows import every_row

CIRCLE, CAPSULE, SEGMENT, POLYGON, CHAIN = range(5)


def rounded_outline(points: np.ndarray, radius: float, steps: int) -> np.ndarray:
    """The outline of a rounded convex polygon, every corner an arc of ``steps`` chords."""
    outline = []
    count = len(points)
    for i in range(count):
        before = points[i] - points[i - 1]
        after = points[(i + 1) % count] - points[i]
        start = math.atan2(-before[0], before[1])
        turn = math.atan2(before[0] * after[1] - before[1] * after[0], before @ after)
        for k in range(steps + 1):
            angle = start + turn * k / steps
            outline.append(points[i] + radius * np.array([math.cos(angle), math.sin(angle)]))
    return np.array(outline)


def outline_mass(points: np.ndarray) -> tuple[float, float, float, float]:
    """Mass, centre and inertia of an outline by Green's theorem."""
    origin = points[0]
    a = points - origin
    b = np.roll(a, -1, axis=0)
    d = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = d.sum() / 2
    centre = ((a + b) * d[:, None]).sum(axis=0) / (6 * area)
    polar = (d * ((a * a).sum(1) + (a * b).sum(1) + (b * b).sum(1))).sum() / 12
    x, y = origin + centre
    return float(area), float(x), float(y), float(polar - area * centre @ centre)


@every_row(
    ("points", "area", "centre", "inertia"),
    [
        ([(0, 0), (4, 0), (4, 2), (0, 2)], 8.0, (2.0, 1.0), 8 * (16 + 4) / 12),
        ([(0, 0), (3, 0), (0, 3)], 4.5, (1.0, 1.0), 4.5),
        ([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], 3.0, (5 / 6, 5 / 6), 11 / 6),
        ([(0, 0), (4, 0), (4, 4), (2, 2), (0, 4)], 12.0, (2.0, 14 / 9), 29.62962962962963),
    ],
)
def test_polygons_have_the_area_centroid_and_inertia_of_their_closed_forms(
    points: list[tuple[float, float]],
    area: float,
    centre: tuple[float, float],
    inertia: float,
) -> None:
    mass, x, y, about_centre = _native.polygon_mass(np.array(points, dtype=float), 0.0, 2.0)
    assert mass == pytest.approx(2 * area, rel=1e-14)
    assert (x, y) == pytest.approx(centre, rel=1e-14)
    assert about_centre == pytest.approx(2 * inertia, rel=1e-13)


def test_a_box_far_from_the_origin_keeps_its_inertia() -> None:
    box = np.add([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)], (4096.0, -1024.0))
    mass, x, y, inertia = _native.polygon_mass(box, 0.0, 1.5)
    assert (mass, x, y) == pytest.approx((3.0, 4096.0, -1024.0), rel=1e-14)
    assert inertia == pytest.approx(1.25, rel=1e-12)


def test_a_circle_is_a_disc() -> None:
    mass, x, y, inertia = _native.shape_mass(CIRCLE, np.array([[1.0, -2.0]]), 0.5, 4.0)
    assert mass == pytest.approx(math.pi, rel=1e-15)
    assert (x, y) == (1.0, -2.0)
    assert inertia == pytest.approx(0.5 * math.pi * 0.25, rel=1e-15)


def test_a_capsule_is_a_rectangle_and_two_half_discs() -> None:
    length, r, density = 2.0, 0.5, 3.0
    ends = np.array([(0.0, 0.0), (2.0 * 0.6, 2.0 * 0.8)])
    mass, x, y, inertia = _native.shape_mass(CAPSULE, ends, r, density)
    box = density * length * 2 * r
    disc = density * math.pi * r * r
    # A half disc's centre lies 4r/(3 pi) from its straight side.
    lever = 4 * r / (3 * math.pi)
    half_disc = 0.5 * disc * r * r - disc * lever**2 + disc * (0.5 * length + lever) ** 2
    assert mass == pytest.approx(box + disc, rel=1e-14)
    assert (x, y) == pytest.approx((0.6, 0.8), rel=1e-14)
    assert inertia == pytest.approx(box * (length**2 + 4 * r * r) / 12 + half_disc, rel=1e-13)


def test_a_capsule_without_length_is_a_disc() -> None:
    capsule = _native.shape_mass(CAPSULE, np.array([[1.0, 2.0], [1.0, 2.0]]), 0.7, 1.0)
    assert capsule == pytest.approx(
        _native.shape_mass(CIRCLE, np.array([[1.0, 2.0]]), 0.7, 1.0), rel=1e-14
    )


@pytest.mark.parametrize("kind", [SEGMENT, CHAIN])
def test_lines_have_no_mass(kind: int) -> None:
    points = np.array([(-1.0, 0.0), (0.0, 0.0), (2.0, 2.0), (3.0, 2.0)])
    given_points = points[1:3] if kind == SEGMENT else points
    assert _native.shape_mass(kind, given_points, 0.5, 1.0) == (0.0, 1.0, 1.0, 0.0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 12),
    st.floats(0.3, 3.0),
    st.floats(0.01, 1.0),
    st.floats(-5.0, 5.0),
    st.floats(0.0, math.tau),
)
def test_a_rounded_polygon_is_the_limit_of_its_outline(
    count: int, stretch: float, radius: float, x: float, turned: float
) -> None:
    angles = turned + np.arange(count) * math.tau / count
    core = np.stack([x + stretch * np.cos(angles), np.sin(angles)], axis=1)
    rounded = _native.polygon_mass(core, radius, 1.0)
    # Chords fall short of an arc by the square of their number, which two outlines cancel.
    coarse, fine = (
        np.array(outline_mass(rounded_outline(core, radius, steps))) for steps in (100, 200)
    )
    assert rounded == pytest.approx((4 * fine - coarse) / 3, rel=1e-8, abs=1e-8)


def test_rounding_moves_the_mass_of_a_rounded_box_to_that_of_its_parts() -> None:
    core = np.array([(-0.9, -0.4), (0.9, -0.4), (0.9, 0.4), (-0.9, 0.4)])
    mass, x, y, _ = _native.polygon_mass(core, 0.1, 1.0)
    assert mass == pytest.approx(2.0 - (4 - math.pi) * 0.01, rel=1e-14)
    assert (x, y) == pytest.approx((0.0, 0.0), abs=1e-15)


@every_row(
    ("points", "radius", "density", "words"),
    [
        ([(0, 0), (0, 1), (1, 0)], 0.0, 1.0, "counter-clockwise"),
        ([(0, 0), (1, 1), (2, 2)], 0.0, 1.0, "counter-clockwise"),
        ([(0, 0), (1, 0)], 0.0, 1.0, "3 to 64"),
        ([(0, 0), (1, 0), (0, math.inf)], 0.0, 1.0, "finite"),
        ([(0, 0), (1, 0), (0, 1)], -1.0, 1.0, "radius must not be negative"),
        ([(0, 0), (1, 0), (0, 1)], 0.0, math.nan, "density"),
    ],
)
def test_a_polygon_without_a_mass_is_refused(
    points: list[tuple[float, float]], radius: float, density: float, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        _native.polygon_mass(np.array(points, dtype=float), radius, density)
