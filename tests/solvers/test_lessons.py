# SPDX-License-Identifier: MIT
"""The lessons of docs/solvers.md that a scene shows beside the right way, variant by variant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.jobs.explain import as_json, explain
from rigid2d.core.scene import load
from rigid2d.core.solvers import Contact, Joint, Soft
from rigid2d.core.solvers.collision import RECTANGLES

from tests.solvers.hand_made import bodies, take_step

FOLDER = Path(__file__).parents[2] / "scenes/solvers"


@pytest.mark.parametrize(
    ("clamp", "impulses"),
    [
        ("accumulated", (0.1, 0.1, 0.0021, -0.0021)),
        ("each", (0.098888, 0.104448, -0.001236, -0.0021)),
    ],
)
def test_the_worked_example_is_as_printed(clamp, impulses):
    """Document 000, part 3, `Example2` and `Example3`, in a scene, as it is explained."""
    scene = load(FOLDER / "clamp.yaml", overrides=[f"world.solver.clamp={clamp}"])
    (table,) = [t for t in as_json(explain(scene, 1))["tables"] if t["title"] == "Constraints"]
    assert [row[-1] for row in table["rows"]] == pytest.approx(impulses, abs=1e-6)


def square(x, y):
    return [(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)]


def turned(corners, by):
    return [(x - by * y, y + by * x) for x, y in corners]


@pytest.mark.parametrize(("angle", "counts"), [(0.0, (2, 1, 2)), (0.01, (2, 1, 1))])
def test_the_documents_functions_find_all_corners_the_deepest_or_one(angle, counts):
    """Document 000, part 1, `CubeOnTable_FoundTwoCollisionPoints`, and the book's variant 1."""
    table, cube = [(-4, 0), (4, 0), (4, 2), (-4, 2)], turned(square(0, -0.95), angle)
    found = [RECTANGLES[name](table, cube) for name in RECTANGLES]
    assert tuple(map(len, found)) == counts
    deepest = max(y for _, y in cube)
    for hits in found:
        for hit in hits:
            assert hit.normal == pytest.approx((0, -1))
            assert hit.depth == pytest.approx(deepest, abs=1e-12)
            assert hit.end[1] == pytest.approx(0.0, abs=0.05)


def test_the_books_function_prefers_the_corner_of_the_first():
    """Document 000, part 1: on a resting cube all four points are equally deep."""
    one, two = square(0, 0), square(0, 1.9)
    (hit,) = RECTANGLES["document_book"](one, two)
    assert hit.features[0] < 4 <= hit.features[1]
    assert RECTANGLES["document_book"](square(0, 0), square(0, 2.1)) == []


@pytest.mark.parametrize(
    ("limit", "mass", "points", "brake"),
    [
        ("weight", 1, 1, 1.0),
        ("weight", 4, 1, 1.0),
        ("weight", 4, 2, 1.0),
        ("gravity", 1, 2, 2.0),
        ("gravity", 4, 1, 0.25),
        ("gravity", 4, 2, 0.5),
    ],
)
@pytest.mark.parametrize("solver", ["pgs_matrix", "pgs_jrow", "textbook_impulse"])
def test_friction_by_weight_brakes_all_alike(solver, limit, mass, points, brake):
    """Document 000, part 2: maxLambda = friction gravity, of every contact."""
    moving = bodies([[5, 0, 0], [0, 0, 0]], [mass, np.inf], forces=[[0, 10 * mass, 0], [0, 0, 0]])
    contacts = [Contact(0, 1, (0, 0), (0, 1), 0, 0.5, 0, (i,)) for i in range(points)]
    take_step(solver, moving, contacts, dt=0.1, gravity=10, friction_limit=limit, iterations=50)
    assert 5 - moving.V[0, 0] == pytest.approx(0.5 * 10 * 0.1 * brake)


def test_a_slope_is_pressed_by_its_part_of_the_weight():
    moving = bodies([[5, 0, 0], [0, 0, 0]], [2, np.inf], forces=[[-12, 16, 0], [0, 0, 0]])
    contacts = [Contact(0, 1, (0, 0), (0, 1), 0, 0.5, 0, (0,))]
    take_step("pgs_matrix", moving, contacts, dt=0.1, gravity=10, friction_limit="weight")
    assert moving.V[0, 0] == pytest.approx(5 - 0.1 * (6 + 0.5 * 8))


@pytest.mark.parametrize("iterations", [1, 4])
def test_the_first_soft_formula_closes_a_share_of_the_gap_in_each_iteration(iterations):
    """Document 000, part 4 (2.13): v_N + B = (v1 + B) (1 - 1 / (m K N))^N with B = beta x / h."""
    h, k, c = 0.1, 3.0, 0.5
    moving = bodies([[0, 0, 0], [0.7, 0, 0]], [np.inf, 2], places=[[0, 0, 0], [5, 0, 0]])
    spring = Joint("s", "distance", 0, 1, (0, 0), (0, 0), rest=4.0, soft=Soft(k, c))
    take_step(
        "textbook_impulse", moving, [], joints=[spring], dt=h, springs="soft_each",
        iterations=iterations,
    )  # fmt: skip
    gamma, beta = 1 / (c + h * k), h * k / (c + h * k)
    K, B = 1 / 2 + gamma / h, beta * 1.0 / h
    wanted = (0.7 + B) * (1 - 1 / (2 * K * iterations)) ** iterations - B
    assert moving.V[1, 0] == pytest.approx(wanted, rel=1e-12)


def test_without_impulses_velocities_stay_and_overlaps_shrink():
    """Document 000, part 1: `PositionalCorrection` alone."""
    moving = bodies([[0, 1, 0], [0, 0, 0]], [1, np.inf])
    contacts = [Contact(0, 1, (0, 0), (0, 1), 0.5, 0, 0, (0,))]
    report = take_step(
        "iterative_impulse", moving, contacts, dt=0.0, impulses=False, position_correction=True,
        correction_rate=0.8,
    )  # fmt: skip
    assert report.iterations == 0
    assert moving.V[0].tolist() == [0, 1, 0]
    assert moving.X[0, 1] == pytest.approx(-0.4)
