# SPDX-License-Identifier: MIT
"""Revolute joints: limits anywhere on the circle, turns that are counted, motors, springs."""

from __future__ import annotations

import math

import pytest

from tests.rows import every_row

G = 9.81


def hinge(make, solver, start=0.0, **values):
    """Two levers on one pin; the first is driven, the second may turn against it."""
    b = make(solver=solver)
    first = b.body(0, 0, kind=1)
    second = b.body(0, 0, angle=math.radians(start), inertia=0.5)
    limits = {key: math.radians(values.pop(key)) for key in ("lower", "upper") if key in values}
    joint = b.joint("revolute", first, second, (0, 0), **limits, **values)
    return b, first, second, joint


def degrees(b, body):
    return math.degrees(b.world.angle[body])


@every_row(("torque", "expected"), [(-4, -45), (4, 25)])
def test_a_lever_that_starts_at_its_minimum_of_minus_45_may_turn_by_70(
    bench, solver, torque, expected
):
    b, _, second, _ = hinge(bench, solver, start=-45, has_limits=1, lower=0, upper=70)
    b.force(1, second, torque=torque)
    b.run(3)
    assert degrees(b, second) == pytest.approx(expected, abs=0.5)


@every_row(("torque", "expected"), [(-4, -35), (4, 35)])
def test_the_limits_turn_with_body_a(bench, solver, torque, expected):
    """Body a turned by +10: what was -45 to 25 is -35 to 35."""
    b, first, second, _ = hinge(bench, solver, start=-45, has_limits=1, lower=0, upper=70)
    b.world.set_velocity(first, 0, 0, math.radians(10))
    b.run(1)
    b.world.set_velocity(first, 0, 0, 0)
    b.force(1, second, torque=torque)
    b.run(3)
    assert degrees(b, first) == pytest.approx(10, abs=1e-3)
    assert degrees(b, second) == pytest.approx(expected, abs=0.5)


@every_row(("torque", "expected"), [(-4, -10), (4, 60)])
def test_a_lever_that_starts_10_above_its_minimum_has_10_and_60_left(
    bench, solver, torque, expected
):
    b, _, second, joint = hinge(bench, solver, start=-35, has_limits=1, lower=-10, upper=60)
    b.force(1, second, torque=torque)
    b.run(3)
    assert math.degrees(b.state(joint)["angle"]) == pytest.approx(expected, abs=0.5)
    assert degrees(b, second) == pytest.approx(-35 + expected, abs=0.5)


@every_row("start", [0, 90, 170, -175, 400])
@every_row(("torque", "expected"), [(-4, -30), (4, 50)])
def test_limits_may_cross_half_a_turn(bench, solver, start, torque, expected):
    b, _, second, _ = hinge(bench, solver, start=start, has_limits=1, lower=-30, upper=50)
    b.force(1, second, torque=torque)
    b.run(3)
    assert degrees(b, second) == pytest.approx(start + expected, abs=0.5)


@every_row(("lower", "upper"), [(-200, 250), (150, 210), (-730, 1000)])
def test_limits_may_be_beyond_half_a_turn(bench, solver, lower, upper):
    for torque, expected in ((-4, lower), (4, upper)):
        b, _, _, joint = hinge(bench, solver, has_limits=1, lower=lower, upper=upper)
        b.force(1, 2, torque=torque)
        b.run(6)
        assert math.degrees(b.state(joint)["angle"]) == pytest.approx(expected, abs=0.5)


@every_row("speed", [30.0, -17.0])
def test_a_hinge_that_turns_many_times_keeps_counting(bench, solver, speed):
    b, _, second, joint = hinge(bench, solver)
    b.world.set_velocity(second, 0, 0, speed)
    b.run(20)
    assert b.world.angle[second] == pytest.approx(speed * 20, rel=1e-4)
    assert b.state(joint)["angle"] == pytest.approx(speed * 20, rel=1e-4)
    assert b.state(joint)["speed"] == pytest.approx(speed, rel=1e-4)


def test_a_limit_is_met_after_many_turns(bench, solver):
    b, _, second, joint = hinge(bench, solver, has_limits=1, lower=0, upper=10 * 360 + 90)
    b.force(1, second, torque=2)
    b.run(20)
    assert math.degrees(b.state(joint)["angle"]) == pytest.approx(3690, abs=0.5)


@every_row("load", [0.9, 1.25])
def test_a_turning_motor_holds_a_load_up_to_its_torque_and_no_further(bench, solver, load):
    b, _, second, joint = hinge(bench, solver, motor_kind=1, motor_target=0, motor_max=6)
    b.force(1, second, torque=6 * load)
    b.run(1)
    left = max(0, load - 1) * 6 / 0.5
    assert b.world.omega[second] == pytest.approx(left, rel=0.005, abs=1e-3)
    assert abs(b.state(joint)["motor_force"]) == pytest.approx(6 * min(1, load), rel=0.005)


@every_row("target", [30, -100, 270])
def test_a_turning_motor_goes_to_a_position_against_a_load(bench, solver, target):
    b, _, second, joint = hinge(
        bench, solver, motor_kind=2, motor_target=math.radians(target), motor_max=200
    )
    b.force(1, second, torque=-3)
    b.run(5)
    assert math.degrees(b.state(joint)["angle"]) == pytest.approx(target, abs=0.5)


def test_an_angular_spring_yields_by_torque_over_stiffness(bench, solver):
    b, _, second, joint = hinge(bench, solver, spring_kind=2, spring_1=20, spring_2=3)
    b.force(1, second, torque=5)
    b.run(6)
    assert b.state(joint)["angle"] == pytest.approx(5 / 20, rel=0.005)


def test_soft_limits_yield_by_torque_over_stiffness(bench, solver):
    b, _, second, joint = hinge(
        bench,
        solver,
        has_limits=1,
        lower=-20,
        upper=20,
        limit_spring_kind=2,
        limit_spring_1=40,
        limit_spring_2=5,
    )
    b.force(1, second, torque=-6)
    b.run(6)
    assert b.state(joint)["angle"] == pytest.approx(-math.radians(20) - 6 / 40, rel=0.005)


@every_row("iterations", [1, 3, 10, 40])
@every_row("warm", [False, True])
def test_a_soft_constraint_does_not_depend_on_iterations_or_warm_start(bench, iterations, warm):
    """One body on one spring: each step is v' = (v - h k x/m) / (1 + h c/m + h h k/m)."""
    h, k, c, m = 0.05, 39.478418, 1.5, 1.0
    b = bench(solver="sequential_impulse", iterations=iterations, warm_start=warm, dt=h)
    body = b.body(1, 0, mass=m)
    b.joint("prismatic", 0, body, anchor_ax=0, spring_kind=2, spring_1=k, spring_2=c)
    x, v = 1.0, 0.0
    for _ in range(60):
        v = (v - h * k * x / m) / (1 + h * c / m + h * h * k / m)
        x += h * v
        b.world.step()
        assert b.world.x[body] == pytest.approx(x, abs=2e-6)
