# SPDX-License-Identifier: MIT
"""Curves as the outlines of chains and polygons."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import cos, hypot, pi, sin

import numpy as np
import pytest
from rigid2d.core.errors import Problem, SceneError
from rigid2d.core.scene import expand, loads, model

from tests.rows import every_row


def shape(text: str, *, more: str = "") -> model.Shape:
    scene = loads(f"rigid: 1\n{more}\nbodies:\n  a: {{type: static, shape: {{{text}}}}}\n")
    return scene.bodies["a"].shapes[0]


def test_an_arc_lies_on_its_circle_and_ends_at_its_angles() -> None:
    points = shape("chain: {arc: {center: [1, 2], radius: 3, from: 90, to: -90}}").points
    assert points[0] == pytest.approx((1.0, 5.0))
    assert points[-1] == pytest.approx((1.0, -1.0))
    assert all(abs(hypot(x - 1, y - 2) - 3) < 1e-12 for x, y in points)
    assert max(x for x, _ in points) == pytest.approx(4.0, abs=0.01)


@pytest.mark.parametrize("tolerance", [0.1, 0.01, 0.0002])
def test_no_piece_is_further_from_its_arc_than_the_tolerance(tolerance: float) -> None:
    text = "arc: {center: [0, 0], radius: 2, from: 0, to: 180}"
    points = shape(f"chain: {{{text}, tolerance: {tolerance}}}").points
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in itertools.pairwise(points)]
    off = max(2.0 - hypot(x, y) for x, y in middles)
    assert off <= tolerance
    assert off >= 0.5 * tolerance


def test_a_whole_circle_is_a_polygon_of_its_area() -> None:
    made = shape("polygon: {arc: {center: [0, 0], radius: 1, from: 0, to: 360}, tolerance: 0.001}")
    points = made.points
    area = (
        sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1], strict=True))
        / 2
    )
    assert area == pytest.approx(pi, rel=0.003)


def test_a_bezier_curve_is_where_its_formula_says() -> None:
    points = shape("chain: {bezier: [[0, 0], [1, 2], [3, 2], [4, 0]], tolerance: 0.001}").points
    for x, y in points[1:-1]:
        # x = 3 s^2 t + 9 s t^2 + 4 t^3 and y = 6 s t with s = 1 - t
        t = (1 - (1 - 4 * y / 6) ** 0.5) / 2 if x < 2 else (1 + (1 - 4 * y / 6) ** 0.5) / 2
        s = 1 - t
        assert x == pytest.approx(3 * s * s * t + 9 * s * t * t + 4 * t**3, abs=1e-6)
    assert (points[0], points[-1]) == ((0.0, 0.0), (4.0, 0.0))


def test_pieces_of_a_bezier_curve_follow_each_other() -> None:
    text = "chain: {bezier: [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [3, 2], [3, 3]]}"
    assert shape(text).points == ((0.0, 0.0), (3.0, 0.0), (3.0, 3.0))


def test_a_spline_goes_through_its_points() -> None:
    given = [(0.0, 0.0), (1.0, 1.0), (3.0, 0.0), (4.0, 2.0)]
    points = shape(f"chain: {{spline: {[list(point) for point in given]}}}").points
    assert all(point in points for point in given)
    assert len(points) > 20


@pytest.mark.parametrize(
    "points",
    [
        "[0, 0], [10, 0], [10.1, 0], [20, 0]",
        "[0, 0], [10, 0], [10.1, 0.02], [20, 1]",
        "[0, 0], [10, 0], [5, 0], [20, 0]",
    ],
)
def test_a_spline_that_folds_back_on_itself_is_an_error_that_says_where(points: str) -> None:
    with pytest.raises(SceneError, match="folds back on itself between its points 2 and 3"):
        shape(f"chain: {{spline: [{points}]}}")


@every_row(
    "points",
    [
        "[0, 0], [10, 0], [10, 1], [0, 1]",
        "[0, 0], [10, 0], [9, 1], [0, 1]",
        "[0, 0], [1, 0], [2, 0], [2.5, 0], [5, 0]",
        "[0, 0], [4, 0], [5, 3], [3, 4], [2, 2], [4, 0.1], [9, 0]",
    ],
)
def test_a_spline_may_turn_round_and_cross_itself(points: str) -> None:
    assert len(shape(f"chain: {{spline: [{points}]}}").points) > 4


def test_a_spline_of_a_polygon_is_closed_and_smooth_at_its_first_point() -> None:
    points = shape("polygon: {spline: [[1, 0], [0, 1], [-1, 0], [0, -1]]}").points
    assert len(set(points)) == len(points)
    i = points.index((1.0, 0.0))
    before, after = points[i - 1], points[(i + 1) % len(points)]
    assert before[0] == pytest.approx(after[0])
    assert before[1] == pytest.approx(-after[1])


def test_path_data_is_read_as_in_drawings() -> None:
    assert shape("chain: {path: M 0 0 h 2 v 1 L 4 4}").points == ((0, 0), (2, 0), (2, 1), (4, 4))
    closed = shape("polygon: {path: M 0 0 H 2 V 2 H 0 Z}")
    assert sorted(closed.points) == [(0, 0), (0, 2), (2, 0), (2, 2)]


def test_a_path_that_comes_back_to_its_start_has_the_size_of_its_loop() -> None:
    points = shape("polygon: {path: M 0 0 C 3 3 -3 3 0 0 Z}").points
    assert 10 < len(points) < 200
    assert max(y for _, y in points) == pytest.approx(2.25, abs=0.01)


def test_points_are_made_by_expressions_of_their_index() -> None:
    text = 'chain: {points: {count: 4, x: =i*step, y: "=sin(i)"}}'
    made = shape(text, more="vars: {step: 0.5}")
    expected = [(0.5 * i, sin(i)) for i in range(4)]
    assert np.array(made.points) == pytest.approx(np.array(expected))


def test_curves_differ_by_the_indices_of_a_generator() -> None:
    scene = loads("""rigid: 1
bodies:
  bowl:
    repeat: {k: 2}
    type: static
    shape: {chain: {arc: {center: [0, 0], radius: =k+1, from: 180, to: 360}}}
  row:
    repeat: {k: 2}
    type: static
    shape: {chain: {points: {count: 3, x: =i, y: =k*i}}}
""")
    ends = [scene.bodies[f"bowl[{k}]"].shapes[0].points[0] for k in (0, 1)]
    assert ends == [pytest.approx((-1, 0)), pytest.approx((-2, 0))]
    assert scene.bodies["row[1]"].shapes[0].points == ((0, 0), (1, 1), (2, 2))


def test_a_curve_is_written_back_as_its_points() -> None:
    text = (
        "rigid: 1\nbodies: {a: {shape: {polygon: {spline: [[1, 0], [0, 1], [-1, 0], [0, -1]]}}}}\n"
    )
    scene = loads(text)
    assert loads(expand(scene)).hash == scene.hash


def test_an_arc_in_radians_and_on_a_screen_turns_the_other_way() -> None:
    points = shape(
        "chain: {arc: {center: [0, 0], radius: 1, from: 0, to: 1}}",
        more="units: {angle: rad, y: down}",
    ).points
    assert points[-1] == pytest.approx((cos(1), sin(1)))


@every_row(
    ("text", "message"),
    [
        ("chain: {}", "or a curve, which is one of arc, points, bezier, spline, path"),
        ("chain: {arcs: 1}", "did you mean `arc`?"),
        ("chain: {arc: 3}", "must be a mapping"),
        ("chain: {arc: {center: [0, 0], radius: 1, from: 0}}", "`to` is missing"),
        ("chain: {arc: {center: [0, 0], radius: 0, from: 0, to: 9}}", "must be greater than 0"),
        ("chain: {arc: {center: [0, 0], radius: 1, from: 0, to: 900}}", "at most once round"),
        ("chain: {bezier: [[0, 0], [1, 1], [2, 2]]}", "a bezier has 4 points"),
        ("chain: {spline: [[0, 0], [1, 1]]}", "at least 3 points"),
        ("chain: {spline: [[0, 0], [0, 0], [0, 0]]}", "the points of the curve are the same"),
        ("chain: {path: L 1 1}", "begins with M"),
        ("chain: {path: M 0 0 L 1 1 M 5 5 L 6 6}", "a path is one line, not 2"),
        ("chain: {path: ''}", "a path is one line, not 0"),
        ("chain: {path: M 0 0 C 1e300 1e308 -1e308 0 1 1}", "has more than 20,000 points"),
        ("chain: {path: M 0 0 L 1e300 1}", "reaches further than"),
        ("chain: {path: M 9e307 0 l 1e308 1e308 c 1 1 2 2 3 3}", "further than numbers do"),
        ("chain: {path: M 0 0 A 1e200 1e200 0 0 1 1 0}", "radii 1e+200 and 1e+200 do not fit"),
        ("chain: {path: M 0 0 A 1e-308 1e-308 0 0 1 1 0}", "do not fit its ends"),
        ("polygon: {path: 'M 0 0 C 0 9 9 9 9 0', tolerance: 1e-9}", "more than 1,001 points"),
        ("chain: {points: {count: 3, x: =i, y: =k}}", "there is no var or index `k`"),
        ("chain: {points: {count: 3, x: =i, y: =1/(i-1)}}", "where i is 1"),
        ("chain: {points: {count: 1, x: =i, y: =i}}", "must be at least 2"),
        ("polygon: {points: {count: 2000, x: =i, y: =i*i}}", "the limit of a polygon is 1000"),
        ("chain: {points: {count: 3, x: =i, y: 0}, tolerance: 0}", "must be greater than 0"),
    ],
)
def test_a_mistake_is_told_once(
    problems: Callable[..., list[Problem]], text: str, message: str
) -> None:
    (problem,) = problems(f"bodies: {{a: {{type: static, shape: {{{text}}}}}}}")
    assert message in problem.message


@every_row("radius", ["1e9", "1e12", "1e16", "1e100"])
def test_an_arc_of_a_huge_radius_is_a_line(radius: str) -> None:
    points = shape(f'chain: {{path: "M 0 0 A {radius} {radius} 0 0 1 10 0 L 10 5"}}').points
    assert points == ((0.0, 0.0), (10.0, 0.0), (10.0, 5.0))
