# SPDX-License-Identifier: MIT
"""Which solver passes which of document 000's scenes without gravity."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core.solvers import Contact

from tests.rows import every_row
from tests.solvers.hand_made import bodies, take_step

GLOBAL = {"solver": "pgs_matrix", "grouping": "global", "iterations": 1000}
PAIRS = {"solver": "pgs_matrix", "grouping": "pair", "iterations": 1000}
ONE = {"solver": "pgs_matrix", "grouping": "contact", "iterations": 1000}
JROW = {"solver": "pgs_jrow", "grouping": "pair", "iterations": 1000}
LOOP = {"solver": "textbook_impulse", "grouping": "pair", "iterations": 1000}
BY_PAIRS = pytest.mark.parametrize("pairs", [PAIRS, JROW, LOOP], ids=["matrix", "jrow", "loop"])
ALL = [{**each, "grouping": "global"} for each in (PAIRS, JROW, LOOP)]
II = {"solver": "iterative_impulse", "iterations": 15}


def after(velocities, contacts, solver, **settings):
    """The velocities along x after one step; bodies have a mass of 1 and do not turn."""
    moving = bodies([[v, 0, 0] for v in velocities], [1] * len(velocities))
    take_step(solver, moving, contacts, **settings)
    return moving.V[:, 0].tolist()


def touch(a, b):
    return Contact(a, b, (0.0, 0.0), (1.0, 0.0), 0.0, 0.0, 1.0, (a,))


BALL_ROW = [touch(0, 1), touch(1, 2)]


@every_row("solver", [II, PAIRS, JROW, LOOP, ONE, {"solver": "constraint_correction"}])
def test_the_last_ball_of_a_row_leaves_alone(solver):
    """Document 000, part 2, `CircleAgainstCircleRow`: iterative and grouped."""
    assert after([1, 0, 0], BALL_ROW, **solver) == pytest.approx([0, 0, 1], abs=1e-12)


@pytest.mark.parametrize("solver", ALL)
def test_the_global_equation_makes_the_balls_of_a_row_stick(solver):
    """Document 000, part 2, `CircleAgainstCircleRow`: (-1/3, 2/3, 2/3)."""
    found = after([1, 0, 0], BALL_ROW, **solver)
    assert found == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-9)


def test_a_middle_ball_hit_from_both_sides_stays_in_the_global_equation():
    """Document 000, part 2, `TwoCirclesAgainstMiddleCircle`: (-1, 0, 1)."""
    assert after([1, 0, -1], BALL_ROW, **GLOBAL) == pytest.approx([-1, 0, 1], abs=1e-9)


@pytest.mark.parametrize("solver", [PAIRS, JROW, LOOP, ONE])
def test_a_middle_ball_hit_from_both_sides_moves_where_pairs_come_in_turn(solver):
    """Document 000, part 2: a single grouped pass gives (0, -1, 1)."""
    assert after([1, 0, -1], BALL_ROW, **solver) == pytest.approx([0, -1, 1], abs=1e-9)


def test_iterative_impulses_hold_a_middle_ball_hit_from_both_sides():
    """Blow after blow until nothing approaches: (0, -1, 1) is followed by one of the first pair."""
    assert after([1, 0, -1], BALL_ROW, **II) == pytest.approx([-1, 0, 1], abs=1e-9)


def cube_row():
    """Three cubes of 2 m, the first one moving; two corners touch at each side."""
    moving = bodies(
        [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
        [1, 1, 1],
        inertias=[4 / 6] * 3,
        places=[[0, 0, 0], [2, 0, 0], [4, 0, 0]],
    )
    contacts = [
        Contact(i, i + 1, (2.0 * i + 1, y), (1.0, 0.0), 0.0, 0.0, 1.0, (i, int(y)))
        for i in range(2)
        for y in (-1.0, 1.0)
    ]
    return moving, contacts


@BY_PAIRS
def test_only_pairs_let_the_last_cube_of_a_row_leave_alone_and_straight(pairs):
    """Document 000, part 2, `CubeAgainstCubeRow`: grouped."""
    moving, contacts = cube_row()
    take_step(contacts=contacts, moving=moving, **pairs)
    assert pytest.approx(np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]]), abs=1e-9) == moving.V


def test_the_global_equation_makes_the_cubes_of_a_row_stick():
    """Document 000, part 2, `CubeAgainstCubeRow`: global."""
    moving, contacts = cube_row()
    take_step(contacts=contacts, moving=moving, **GLOBAL)
    assert moving.V[:, 0] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-6)


def test_iterative_impulses_turn_the_cubes_of_a_row():
    """Document 000, part 2, `CubeAgainstCubeRow`: iterative."""
    moving, contacts = cube_row()
    take_step(contacts=contacts, moving=moving, **II)
    assert np.abs(moving.V[:, 2]).max() > 0.1


def two_balls_against_a_bar():
    """Balls of mass 1 at both ends of a bar of mass 1 and length 4."""
    moving = bodies(
        [[1, 0, 0], [1, 0, 0], [0, 0, 0]],
        [1, 1, 1],
        inertias=[math.inf, math.inf, 4 * 4 / 12],
        places=[[-1, -1.8, 0], [-1, 1.8, 0], [0, 0, 0]],
    )
    contacts = [
        Contact(i, 2, (0.0, y), (1.0, 0.0), 0.0, 0.0, 1.0, (i,)) for i, y in enumerate((-1.8, 1.8))
    ]
    return moving, contacts


def test_a_bar_hit_by_two_balls_leaves_straight_in_the_global_equation():
    """Document 000, part 2, `TwoCirclesAgainstCube`: global."""
    moving, contacts = two_balls_against_a_bar()
    take_step(contacts=contacts, moving=moving, **GLOBAL)
    assert moving.V[2, 2] == pytest.approx(0, abs=1e-9)
    assert moving.V[2, 0] == pytest.approx(4 / 3, abs=1e-9)


@pytest.mark.parametrize("solver", [II, PAIRS])
def test_a_bar_hit_by_two_balls_turns_where_they_come_in_turn(solver):
    """Document 000, parts 1 and 2, `TwoCirclesAgainstCube`: iterative and grouped."""
    moving, contacts = two_balls_against_a_bar()
    take_step(contacts=contacts, moving=moving, **solver)
    assert abs(moving.V[2, 2]) > 0.1


@pytest.mark.parametrize(("iterations", "turned"), [(150, False), (1500, True)])
def test_a_heavy_ball_is_turned_round_by_a_light_one_at_a_wall_after_1500_impulses(
    iterations, turned
):
    """Document 000, part 1, test 4: 150 impulses are not enough, 1500 are (M/m = 2.2e5)."""
    moving = bodies([[1, 0, 0], [0, 0, 0], [0, 0, 0]], [2.2e5, 1, math.inf])
    contacts = [touch(0, 1), touch(1, 2)]
    take_step("iterative_impulse", moving, contacts, iterations=iterations)
    assert bool(moving.V[0, 0] < 0) == turned


def test_masses_of_1_and_3_meet_as_momentum_says():
    """Document 001, A4: masses 1 and 3 at +1 and -1 without restitution end at -0.5 both.

    Its `ratio` variant, called equivalent there, gives 0.625 and 0.125."""
    moving = bodies([[1, 0, 0], [-1, 0, 0]], [1, 3])
    contact = Contact(0, 1, (0.0, 0.0), (1.0, 0.0), 0.0, 0.0, 0.0)
    report = take_step("iterative_impulse", moving, [contact])
    assert report.solution == pytest.approx([1.5])
    assert moving.V[:, 0] == pytest.approx([-0.5, -0.5])
