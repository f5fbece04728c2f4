# SPDX-License-Identifier: MIT
"""Joints under settings that make no sense: what comes is defined and finite."""

from __future__ import annotations

import math

import pytest

from tests.rows import every_row

G = 9.81
JOINED = ["revolute", "distance", "weld", "prismatic", "wheel"]
ALONE = ["mouse", "rotary_motor", "axial_friction"]
ABSURD = {
    "coincident anchors": {},
    "equal limits": {"has_limits": 1, "lower": 0.2, "upper": 0.2},
    "limits that exclude each other": {"has_limits": 1, "lower": 1, "upper": -1},
    "infinite limits": {"has_limits": 1, "lower": -math.inf, "upper": math.inf},
    "no motor force": {"motor_kind": 1, "motor_target": 10, "motor_max": 0},
    "infinite motor force": {"motor_kind": 1, "motor_target": 3, "motor_max": math.inf},
    "infinite force to a position": {"motor_kind": 2, "motor_target": 1, "motor_max": math.inf},
    "fast motor": {"motor_kind": 1, "motor_target": 1e6, "motor_max": 1e6},
    "stiff spring": {"spring_kind": 2, "spring_1": 1e6, "spring_2": 0},
    "stiffer spring": {"spring_kind": 2, "spring_1": 1e9, "spring_2": 1e6},
    "spring of no stiffness": {"spring_kind": 2, "spring_1": 0, "spring_2": 0},
    "spring of no frequency": {"spring_kind": 1, "spring_1": 0, "spring_2": 0},
    "fast spring": {"spring_kind": 1, "spring_1": 1e6, "spring_2": 1},
    "only damping": {"spring_kind": 2, "spring_1": 0, "spring_2": 1e6},
    "soft limits of no stiffness": {
        "has_limits": 1,
        "lower": 0.1,
        "upper": 0.1,
        "limit_spring_kind": 2,
    },
    "breaks at nothing": {"break_force": 0, "break_torque": 0, "break_push_pull": 0},
    "no length": {"length": 0, "min_length": 0, "max_length": 0},
    "rope of no length": {"length": 0, "min_length": 0, "max_length": 1e-12},
}
MASSES = [(1, 1), (1, 10000), (10000, 1)]


@pytest.fixture(params=["auto", "iterative"])
def joint_solver(request):
    return request.param


@every_row("setting", list(ABSURD))
@every_row("kind", JOINED + ALONE)
def test_an_absurd_joint_stays_finite(bench, solver, joint_solver, kind, setting):
    for masses in MASSES:
        b = bench(solver=solver, joint_solver=joint_solver, gravity=(0, -G))
        first, second = (b.body(i * 0.5, 1, mass=m, inertia=m) for i, m in enumerate(masses))
        body = 0 if kind in ALONE else first
        values = ABSURD[setting]
        b.joint(kind, body, second, (0.5, 1), **values)
        b.run(1)
        assert b.world.error is None
        assert b.finite()


@every_row("kind", JOINED)
@every_row("kinds", [(0, 0), (0, 1), (1, 1)])
def test_a_joint_of_two_bodies_that_cannot_move_does_nothing(
    bench, solver, joint_solver, kind, kinds
):
    b = bench(solver=solver, joint_solver=joint_solver, gravity=(0, -G))
    first, second = (b.body(i, 0, kind=k, vx=k * i) for i, k in enumerate(kinds))
    b.joint(kind, first, second, (0.5, 0), motor_kind=1, motor_target=3, motor_max=1e9)
    b.run(1)
    assert b.finite()
    assert b.world.x[first] == 0
    assert b.world.x[second] == pytest.approx(1 + kinds[1])
    assert b.world.y[second] == 0


@every_row("kind", ALONE)
def test_what_acts_on_a_static_body_does_nothing(bench, solver, joint_solver, kind):
    b = bench(solver=solver, joint_solver=joint_solver)
    body = b.body(2, 1, kind=0)
    b.joint(kind, 0, body, motor_kind=1, motor_target=5, motor_max=1e9)
    b.run(1)
    assert b.finite()
    assert (b.world.x[body], b.world.y[body], b.world.angle[body]) == (2, 1, 0)


@every_row("kind", JOINED)
def test_a_joint_of_bodies_that_cannot_turn_is_finite(bench, solver, joint_solver, kind):
    b = bench(solver=solver, joint_solver=joint_solver, gravity=(0, -G))
    first, second = (b.body(i, 0, fixed_rotation=1) for i in range(2))
    b.joint("revolute", 0, first, (0, 0))
    motor = {"motor_kind": 1, "motor_target": 3, "motor_max": 1e9}
    b.joint(kind, first, second, (0.5, 0), has_limits=1, lower=-0.1, upper=0.1, **motor)
    b.run(2)
    assert b.finite()
    assert b.world.angle[first] == 0
    assert b.world.angle[second] == 0


@every_row("kind", JOINED)
def test_a_joint_given_twice_holds_like_one(bench, solver, joint_solver, kind):
    """Two equal joints have no single answer for each one's force, but the bodies do."""
    b = bench(solver=solver, joint_solver=joint_solver, gravity=(0, -G))
    body = b.body(1, 0)
    rod = {"length": 1, "min_length": 1, "max_length": 1}
    anchors = {"anchor_ax": 0, "anchor_bx": 0} if kind == "distance" else {}
    for _ in range(2):
        b.joint(kind, 0, body, (1, 0), **(rod | anchors if kind == "distance" else {}))
    b.run(1)
    assert b.finite()
    if kind == "distance":
        assert math.hypot(b.world.x[body], b.world.y[body]) == pytest.approx(1, abs=0.01)
    else:
        assert b.world.y[body] == pytest.approx(0, abs=0.01)


@every_row("ratio", [1e-4, 1e4])
def test_a_pendulum_of_two_very_unequal_weights_holds_together(bench, joint_solver, ratio):
    b = bench(joint_solver=joint_solver, gravity=(0, -G), dt=1 / 240)
    upper = b.body(1, 0, inertia=0.1)
    lower = b.body(2, 0, mass=ratio, inertia=0.1 * ratio)
    b.joint("revolute", 0, upper, (0, 0))
    b.joint("revolute", upper, lower, (1, 0))
    gap = b.watch(
        3, lambda: math.dist(b.point(upper, b.local(upper, b.point(lower, (-1, 0)))), (0, 0))
    )
    assert b.finite()
    if joint_solver == "auto":
        assert gap == pytest.approx(1, abs=0.01)


@every_row("kind", JOINED)
def test_a_joint_far_from_its_anchors_is_brought_together(bench, solver, joint_solver, kind):
    b = bench(solver=solver, joint_solver=joint_solver, dt=1 / 240)
    body = b.body(5, 3)
    b.joint(kind, 0, body, max_length=0.5)
    b.run(5)
    assert b.finite()
    away = b.world.y[body] if kind in ("prismatic", "wheel") else math.hypot(*b.point(body, (0, 0)))
    assert abs(away) < 0.6


@every_row("kind", ["prismatic", "wheel", "axial_friction"])
def test_an_axis_of_no_length_is_refused(bench, kind):
    b = bench()
    with pytest.raises(ValueError, match="axis"):
        b.joint(kind, 0, b.body(), axis_x=0, axis_y=0)


@every_row("column", ["motor_target", "motor_max", "spring_1", "lower", "anchor_bx", "break_force"])
def test_a_joint_with_a_number_that_is_none_is_refused(bench, column):
    b = bench()
    with pytest.raises(ValueError, match=column.split("_")[0]):
        b.joint("prismatic", 0, b.body(), **{column: math.nan})
