# SPDX-License-Identifier: MIT
"""`stop_below` ends the iterations of a step, and there may be many of them."""

from __future__ import annotations

import pytest
from rigid2d.core import SceneError, build, loads
from rigid2d.core.solvers import Joint, Log
from rigid2d.core.solvers.system import Rest

from tests.solvers.hand_made import bodies, cube_against_wall, take_step

LOOPS = ["pgs_matrix", "pgs_jrow", "textbook_impulse"]


@pytest.mark.parametrize("solver", LOOPS)
def test_iterations_end_with_the_first_that_changes_no_velocity_by_so_much(solver):
    counts = {}
    for least in (0.0, 1e-9, 1e-3):
        moving, contacts = cube_against_wall()
        report = take_step(
            solver, moving, contacts, dt=50.0, iterations=10_000 if least else 50, stop_below=least
        )
        counts[least] = report.iterations
        assert moving.V[0] == pytest.approx([-0.1, 0, 0], abs=max(2e-3, least))
    assert counts[0.0] == 50
    assert 1 < counts[1e-3] < counts[1e-9] < 50


def test_corrections_of_constraints_end_early_too():
    joint = Joint("j", "weld", 0, 1, (1.0, 0.5), (-1.0, -0.5))
    counts = []
    for least in (0.0, 1e-9, 1e-3):
        moving = bodies(
            [[0, 0, 1], [0, 1, 0]], [1, 3], inertias=[1, 2], places=[[0] * 3, [2, 1, 0]]
        )
        report = take_step(
            "constraint_correction", moving, [], joints=[joint], iterations=500, stop_below=least
        )
        counts.append(report.iterations)
    assert 500 == counts[0] > counts[1] > counts[2] > 1


@pytest.mark.parametrize("solver", [*LOOPS, "constraint_correction"])
def test_iterations_that_are_left_out_as_they_change_nothing_are_counted(solver):
    """A log has all of them, so that with one none is left out."""
    rod = Joint("j", "distance", 0, 1, (0.0, 0.3), (0.0, 0.0), least=1.9, most=1.9)
    ends = []
    for log in (None, Log()):
        moving = bodies(
            [[0.7, 0, 1], [0, 1, 0]], [1, 3], inertias=[1, 2], places=[[0] * 3, [2, 1, 0]]
        )
        settings = {"iterations": 70, "position_correction": True}
        report = take_step(solver, moving, [], joints=[rod], log=log, **settings)
        ends.append((report.iterations, report.solution, moving.V.tobytes(), moving.X.tobytes()))
    assert ends[0] == ends[1]
    assert ends[0][0] == 70 == len(log.solutions)


def test_iterations_rest_after_two_alike_in_which_the_signs_of_zeros_count():
    rest, nan = Rest(), float("nan")
    tries = [(0.1, 1.0), (0.0, 1.0), (0.0, 1.0), (nan, 1.0), (0.0, 0.0), (0.0, -0.0), (0.0, -0.0)]
    found = [rest.reached(change, [value, nan]) for change, value in tries]
    assert found == [False, False, True, False, False, False, True]


def test_iterative_impulses_leave_slow_approaches_alone():
    moving, contacts = cube_against_wall()
    report = take_step("iterative_impulse", moving, contacts, stop_below=0.2)
    assert report.iterations == 1
    assert moving.V[0].tolist() == [0.1, 0, 0]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("soft_step, stop_below: 1", "the solver's type is soft_step"),
        ("pgs_matrix, stop_below: -1", "0"),
        ("pgs_matrix, iterations: 10001", "10000"),
        ("soft_step, friction_limit: weight", "the solver's type is soft_step"),
        ("pgs_matrix, springs: soft_each", "`springs: soft_each` is for textbook_impulse"),
        ("iterative_impulse, blocks: true", "`blocks` is an option of pgs_matrix"),
    ],
)
def test_what_an_option_cannot_be_is_an_error_at_its_field(kind, words):
    text = f"rigid: 1\nworld: {{solver: {{type: {kind}}}}}\nbodies: {{a: {{shape: {{circle: 1}}}}}}"
    with pytest.raises(SceneError) as caught:
        loads(text)
    assert words in str(caught.value)
    assert f"world.solver.{kind.split(', ')[1].split(':')[0]}" in str(caught.value)


def test_a_verlet_step_ends_early_when_its_rods_are_right():
    text = """
rigid: 1
world: {gravity: [0, 0], solver: {type: verlet, iterations: 5000, stop_below: 1 mm/s}}
bodies: {a: {shape: {box: [1, 1]}, angular_velocity: 90}}
"""
    world = build(loads(text))
    world.step(3)
    assert 1 < world.native.report.iterations < 500


def after(solver):
    text = f"""
rigid: 1
world: {{solver: {{type: sequential_impulse, {solver}}}}}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}}}
  tower: {{repeat: {{i: 6}}, position: [0, =1 + i], shape: {{box: [1, 1]}}}}
  leaning: {{position: [1.2, 1.5], angle: 20, shape: {{box: [1, 2]}}}}
"""
    world = build(loads(text))
    world.step(20)
    return world.state_hash()


def test_the_engine_ends_with_the_first_pass_that_changes_less():
    # A bound above all changes leaves one pass; one below the resolution of numbers leaves all.
    assert after("iterations: 50, stop_below: 1000") == after("iterations: 1")
    assert after("iterations: 50, stop_below: 1e-12") == after("iterations: 50")
    # Thousands of passes are not run: this takes the time of those that change something.
    assert after("iterations: 10000, stop_below: 0.0001") == after(
        "iterations: 5000, stop_below: 0.0001"
    )
    assert after("iterations: 50, stop_below: 0.01") not in {
        after("iterations: 50"),
        after("iterations: 1"),
    }
