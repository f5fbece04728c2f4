# SPDX-License-Identifier: MIT
"""The cube against the wall: matrices, impulses and sums as document 000 prints them."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.solvers import Log
from rigid2d.core.solvers.pgs_matrix import projected_gauss_seidel

from tests.rows import every_row
from tests.solvers.hand_made import cube_against_wall, take_step

# (iteration, row, impulse, sum, velocity along the row, v and omega of the cube before it), the
# impulses and sums times 10^4.
LOG = [
    (0, "NormalA", 800.00006, 800.00006, -0.1, (0.1, 0, 0)),
    (0, "NormalB", 960.00006, 960.00006, -0.14, (0.019999996, 0, -0.0017142858)),
    (0, "FrictionA", -75, -75, 0.024000004, (-0.07600001, 0, 0.0003428572)),
    (
        0,
        "FrictionB",
        -21.000017,
        -21.000017,
        0.005250004,
        (-0.07600001, -0.007500003, 0.0001821429),
    ),
    (1, "NormalA", 134.39995, 934.4, 0.066400014, (-0.07600001, -0.009600002, 0.0001371429)),
    (1, "NormalB", 84.47993, 1044.48, 0.07888002, (-0.08944001, -0.009600002, -0.000150857)),
    (1, "FrictionA", 29.952017, -45.04799, -0.007488004, (-0.097888, -0.009600002, 3.0171403e-05)),
    (1, "FrictionB", 1.8626451e-06, -21.000015, 0, (-0.097888, -0.006604801, 9.435429e-05)),
    (2, "NormalA", 34.867195, 969.2673, 0.0912832, (-0.097888, -0.006604801, 9.43543e-05)),
]
ACCUMULATED = [
    (2, "NormalB", -10.997802, 1033.4823, 0.102749445, (-0.10137472, -0.006604801, 1.963888e-05)),
    (2, "FrictionA", 27.518972, -17.52902, -0.006879743, (-0.10027494, -0.0066048, -3.93e-06)),
]
EACH = [
    (2, "NormalB", 0, 1044.48, 0.102749445, (-0.10137472, -0.006604801, 1.963888e-05)),
    (2, "FrictionA", 20.920317, -24.127672, -0.0052300794, (-0.10137472, -0.0066048, 1.963888e-05)),
    (2, "FrictionB", 0, -21.000015, 0, (-0.10137472, -0.0045127691, 6.446813e-05)),
]
FRICTION = {"friction_limit": "gravity", "gravity": 1.5e-4, "dt": 50.0}


def sequential(clamp: str, iterations: int = 100):
    moving, contacts = cube_against_wall(friction=1.0)
    log = Log()
    report = take_step(
        "sequential_impulse",
        moving,
        contacts,
        log=log,
        clamp=clamp,
        iterations=iterations,
        **FRICTION,
    )
    return moving, report, log


def test_gauss_seidel_solves_the_linear_system_with_two_variables():
    """Document 000, part 2, `SolveLinearSystemWithTwoVariables`: 3x + y = 5, 2x + 2y = 6."""
    A, B = np.array([[3.0, 1.0], [2.0, 2.0]]), np.array([5.0, 6.0])
    free = np.full(2, np.inf)
    x, y = projected_gauss_seidel(A, B, np.zeros(2), -free, free, 10)
    assert 3 * x + y == pytest.approx(5, abs=1e-4)
    assert 2 * x + 2 * y == pytest.approx(6, abs=1e-4)


@pytest.mark.parametrize("solver", ["pgs_matrix", "pgs_jrow"])
def test_the_matrices_of_the_cube_against_the_wall_are_those_of_the_document(solver):
    """Document 000, part 2, `CubeAgainstWall`: J, A, B, lambda and the new velocity."""
    moving, contacts = cube_against_wall()
    log = Log()
    take_step(solver, moving, contacts, log=log, dt=50.0, iterations=100)
    found = log.matrices
    assert found["J"][:2] == pytest.approx(
        np.array([[-1, 0, -70, 1, 0, 87], [-1, 0, 70, 1, 0, -53]]), abs=1e-12
    )
    assert found["bias"][:2] == pytest.approx([0.1, 0.1], abs=1e-12)
    assert found["A"][:2, :2] == pytest.approx(np.array([[2.5, -0.5], [-0.5, 2.5]]), abs=1e-12)
    assert found["B"][:2] == pytest.approx([0.004, 0.004], abs=1e-12)
    assert found["lambda"][:2] == pytest.approx([0.002, 0.002], abs=1e-12)
    assert found["low"][:2].tolist() == [0, 0]
    assert found["high"][:2].tolist() == [np.inf, np.inf]
    assert found["vNew"][0] == pytest.approx([-0.1, 0, 0], abs=1e-12)


@pytest.mark.parametrize(("clamp", "rest"), [("accumulated", ACCUMULATED), ("each", EACH)])
def test_the_impulses_of_each_iteration_are_those_of_the_log(clamp, rest):
    """Document 000, part 3, the log of `Example2` (each) and `Example3` (accumulated)."""
    _, _, log = sequential(clamp, iterations=3)
    found = {(entry.iteration, log.rows[entry.row]): entry for entry in log.impulses}
    for iteration, row, impulse, total, speed, velocity in LOG + rest:
        entry = found[iteration, row]
        assert entry.impulse * 1e4 == pytest.approx(impulse, abs=2e-4)
        assert entry.total * 1e4 == pytest.approx(total, abs=2e-4)
        assert entry.speed == pytest.approx(speed, abs=5e-8)
        assert entry.velocity == pytest.approx(velocity, abs=5e-8)


@every_row(
    ("iterations", "normal_a", "normal_b", "friction_a"),
    [
        (1, 0.08, 0.096, -0.0075),
        (2, 0.09344, 0.104448, -0.0045048),
        (3, 0.0969267, 0.1033482, -0.0017529),
        (5, 0.0990915, 0.1011235, 0.0008808),
        (10, 0.0999505, 0.1000617, 0.0020333),
        (20, 0.0999999, 0.1000002, 0.0020998),
    ],
)
def test_the_sums_after_k_iterations_are_those_of_the_document(
    iterations, normal_a, normal_b, friction_a
):
    """Document 000, part 3: sums of the accumulated clamp; FrictionB stays at -0.0021."""
    _, report, _ = sequential("accumulated", iterations)
    assert report.solution == pytest.approx([normal_a, normal_b, friction_a, -0.0021], abs=1e-7)


def test_the_accumulated_clamp_ends_where_the_cube_does_not_turn():
    """Document 000, part 3, `Example3_ExpandWithAccumulatedImpulse`."""
    moving, report, _ = sequential("accumulated")
    assert report.solution == pytest.approx([0.1, 0.1, 0.0021, -0.0021], abs=1e-9)
    assert moving.V[0] == pytest.approx([-0.1, 0, 0], abs=1e-9)


def test_the_clamp_of_each_impulse_leaves_the_cube_turning():
    """Document 000, part 3, `Example2_ExpandWithFriction`."""
    moving, report, _ = sequential("each")
    assert report.solution == pytest.approx([0.098888, 0.104448, -0.001236, -0.0021], abs=1e-6)
    assert moving.V[0] == pytest.approx([-0.103336, -0.003336, 4.7657e-5], abs=1e-6)


def test_every_sequential_impulse_is_that_of_the_matrix():
    """Document 000, part 3: the matrix's lambda times dt are the sums of the impulses, to 1e-6."""
    moving, contacts = cube_against_wall(friction=1.0)
    matrix = take_step("pgs_matrix", moving, contacts, iterations=100, **FRICTION)
    _, sums, _ = sequential("accumulated")
    assert [50 * force for force in matrix.solution] == pytest.approx(sums.solution, abs=1e-6)


def test_iterative_impulses_stop_with_the_cube_turning():
    """Document 000, parts 1 and 3: 0.08 and 0.112, then v = -0.092 and omega = 6.857e-4.

    The document prints 0.8 for the first, and sums of 0.16 and 0.11; its own log has 0.08."""
    moving, contacts = cube_against_wall()
    report = take_step("iterative_impulse", moving, contacts, iterations=15)
    assert report.solution == pytest.approx([0.08, 0.112], abs=1e-12)
    assert moving.V[0] == pytest.approx([-0.092, 0, 6.857e-4], abs=1e-7)
    energy = 0.5 * 0.092 * 0.092 + 0.5 * (140 * 140 / 6) * moving.V[0, 2] * moving.V[0, 2]
    assert energy == pytest.approx(0.5 * 0.1 * 0.1, rel=1e-12)
