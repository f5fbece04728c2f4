# SPDX-License-Identifier: MIT
"""Prismatic, wheel and mouse joints against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81
DOWN = (0.0, -G)


def slider(make, solver, mass=2.0, gravity=DOWN, **values):
    """A body 3 beside the world's origin that slides along x."""
    bench = make(solver=solver, gravity=gravity)
    body = bench.body(3, 0, mass=mass)
    return bench, body, bench.joint("prismatic", 0, body, (3, 0), **values)


@every_row("kind", ["prismatic", "wheel"])
@every_row("degrees", [-90, -30, 20, 145])
def test_a_slider_falls_along_its_axis_only(bench, solver, kind, degrees):
    b = bench(solver=solver, gravity=DOWN, dt=1 / 240)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    body = b.body(1, 2)
    joint = b.joint(kind, 0, body, (1, 2), axis_x=c, axis_y=s)
    b.run(1)
    dx, dy = b.world.x[body] - 1, b.world.y[body] - 2
    way = -G * s / 2
    assert dx * c + dy * s == pytest.approx(way, rel=0.005, abs=1e-3)
    assert dx * s - dy * c == pytest.approx(0, abs=1e-3)
    assert b.state(joint)["translation"] == pytest.approx(way, rel=0.005, abs=1e-3)
    speed = -G * s if kind == "prismatic" else 0  # a wheel's is that of its motor: the turning
    assert b.state(joint)["speed"] == pytest.approx(speed, rel=0.005, abs=1e-3)


def test_a_prismatic_carries_the_weight_across_its_axis(bench, solver):
    b, body, joint = slider(bench, solver)
    b.run(1)
    assert b.world.x[body] == pytest.approx(3, abs=1e-6)
    assert b.world.y[body] == pytest.approx(0, abs=2e-3)
    assert b.state(joint)["force_y"] == pytest.approx(2 * G, rel=1e-3)


def test_a_prismatic_does_not_let_its_body_turn_and_a_wheel_does(bench, solver):
    turned = {}
    for kind in ("prismatic", "wheel"):
        b = bench(solver=solver)
        body = b.body(0, 0, omega=3 if kind == "wheel" else 0)
        b.joint(kind, 0, body, (0, 0))
        if kind == "prismatic":
            b.world.apply_angular_impulse(body, 3)
        b.run(1)
        turned[kind] = b.world.angle[body]
    assert turned["prismatic"] == pytest.approx(0, abs=1e-3)
    assert turned["wheel"] == pytest.approx(3, rel=1e-3)


@every_row(("start", "turned", "expected"), [(0, 20, 20), (-40, 20, -20)])
@every_row("kind", ["weld", "prismatic"])
def test_a_fixed_angle_follows_the_other_body(bench, solver, kind, start, turned, expected):
    """Both at 0: one is turned by 20, so the other is at 20. One at -40: it is then at -20."""
    b = bench(solver=solver)
    first = b.body(0, 0, kind=1, omega=math.radians(turned))
    second = b.body(1, 0, angle=math.radians(start))
    b.joint(kind, first, second, (1, 0))
    b.run(1)
    assert math.degrees(b.world.angle[first]) == pytest.approx(turned, abs=1e-3)
    assert math.degrees(b.world.angle[second]) == pytest.approx(expected, abs=0.2)


def test_the_axis_turns_with_body_a(bench, solver):
    b = bench(solver=solver)
    rail = b.body(0, 0, kind=1, omega=math.pi / 2)
    body = b.body(2, 0)
    joint = b.joint("prismatic", rail, body, (2, 0), has_limits=1, lower=0, upper=0)
    b.run(1)
    assert b.world.x[body] == pytest.approx(0, abs=0.03)
    assert b.world.y[body] == pytest.approx(2, abs=0.03)
    assert b.world.angle[body] == pytest.approx(math.pi / 2, abs=0.02)
    assert b.state(joint)["translation"] == pytest.approx(0, abs=0.03)


@every_row("kind", ["prismatic", "wheel"])
@every_row(("pull", "expected"), [(30, 1.5), (-30, -0.5)])
def test_a_slider_stops_at_its_limits(bench, solver, kind, pull, expected):
    b = bench(solver=solver, gravity=(pull, 0))
    body = b.body(3, 0)
    joint = b.joint(kind, 0, body, (3, 0), has_limits=1, lower=-0.5, upper=1.5)
    way = b.watch(3, lambda: b.state(joint)["translation"])
    assert way[-1] == pytest.approx(expected, abs=2e-3)
    assert way.max() < 1.52
    assert way.min() > -0.52
    assert b.state(joint)["force_x"] == pytest.approx(-pull, rel=0.01)
    assert b.world.x[body] == pytest.approx(3 + expected, abs=2e-3)


def test_a_slider_that_starts_beyond_its_limit_is_brought_back(bench, solver):
    b, _, joint = slider(bench, solver, gravity=(3, 0), has_limits=1, lower=-9, upper=-0.1)
    b.run(4)
    assert b.state(joint)["translation"] == pytest.approx(-0.1, abs=0.002)


def test_equal_limits_hold_a_slider_where_it_is(bench, solver):
    b, body, joint = slider(bench, solver, gravity=(40, -G), has_limits=1, lower=0, upper=0)
    b.run(2)
    assert b.world.x[body] == pytest.approx(3, abs=2e-3)
    assert b.state(joint)["force_x"] == pytest.approx(-80, rel=0.01)


def test_limits_are_changed_while_the_world_runs(bench, solver):
    b, _, joint = slider(bench, solver, gravity=(9, 0), has_limits=1, lower=0, upper=1)
    b.run(2)
    b.world.set_limits(joint, 0, 2)
    b.run(2)
    assert b.state(joint)["translation"] == pytest.approx(2, abs=2e-3)


def test_soft_limits_give_by_force_over_stiffness(bench, solver):
    b, _, joint = slider(
        bench,
        solver,
        gravity=(5, 0),
        has_limits=1,
        lower=-1,
        upper=0.5,
        limit_spring_kind=2,
        limit_spring_1=100,
        limit_spring_2=20,
    )
    b.run(5)
    assert b.state(joint)["translation"] == pytest.approx(0.5 + 2 * 5 / 100, rel=0.005)


@every_row("kind", ["prismatic", "wheel"])
def test_a_spring_along_the_axis_sags_by_m_g_over_k(bench, solver, kind):
    b = bench(solver=solver, gravity=DOWN)
    body = b.body(0, 5, mass=2)
    spring = {"spring_kind": 2, "spring_1": 150.0, "spring_2": 20.0}
    joint = b.joint(kind, 0, body, (0, 5), axis_x=0, axis_y=1, **spring)
    b.run(6)
    assert b.state(joint)["translation"] == pytest.approx(-2 * G / 150, rel=0.002)
    assert b.state(joint)["force_y"] == pytest.approx(2 * G, rel=0.002)


@pytest.mark.parametrize("kind", ["prismatic", "wheel"])
@pytest.mark.parametrize("mass", [1.0, 7.0])
def test_a_spring_by_frequency_swings_at_it_whatever_the_mass(bench, solver, kind, mass):
    b = bench(solver=solver, dt=1 / 1920)
    body = b.body(0, 0, mass=mass, vx=1)
    joint = b.joint(kind, 0, body, (0, 0), spring_kind=1, spring_1=2)
    way = b.watch(3, lambda: b.state(joint)["translation"])
    up = np.flatnonzero((way[:-1] < 0) & (way[1:] >= 0))
    assert np.diff(up).mean() / 1920 == pytest.approx(0.5, rel=0.005)


@every_row("speed", [1.5, -0.7])
def test_a_sliding_motor_reaches_its_speed(bench, solver, speed):
    b, body, joint = slider(
        bench, solver, gravity=(-3, 0), motor_kind=1, motor_target=speed, motor_max=100
    )
    b.run(1)
    assert b.world.vx[body] == pytest.approx(speed, rel=1e-3)
    assert b.state(joint)["speed"] == pytest.approx(speed, rel=1e-3)
    assert b.state(joint)["motor_force"] == pytest.approx(2 * 3, rel=0.01)


@every_row("excess", [0.9, 1.1])
def test_a_sliding_motor_holds_a_load_up_to_its_force_and_no_further(bench, solver, excess):
    """Against a load of excess times its force of 20, what is left accelerates the body."""
    b, body, joint = slider(
        bench, solver, gravity=(10 * excess, 0), motor_kind=1, motor_target=0, motor_max=20
    )
    b.run(1)
    assert b.world.vx[body] == pytest.approx(max(0, excess - 1) * 10, rel=0.005, abs=1e-3)
    assert abs(b.state(joint)["motor_force"]) == pytest.approx(20 * min(1, excess), rel=0.005)


@every_row("target", [0.8, -0.4])
def test_a_sliding_motor_goes_to_a_position_and_stays(bench, solver, target):
    b, _, joint = slider(
        bench, solver, gravity=(-9, 0), motor_kind=2, motor_target=target, motor_max=500
    )
    b.run(4)
    assert b.state(joint)["translation"] == pytest.approx(target, abs=2e-3)
    b.world.set_motor(joint, target + 0.5, 500)
    b.run(4)
    assert b.state(joint)["translation"] == pytest.approx(target + 0.5, abs=2e-3)


def test_a_wheel_motor_turns_the_wheel_at_its_speed(bench, solver):
    b = bench(solver=solver)
    car = b.body(0, 0, mass=10, inertia=1e6)
    wheel = b.body(0, -1, inertia=0.5)
    joint = b.joint(
        "wheel", car, wheel, (0, -1), axis_x=0, axis_y=1, motor_kind=1, motor_target=-8, motor_max=9
    )
    b.run(1)
    assert b.world.omega[wheel] == pytest.approx(-8, rel=1e-3)
    assert b.state(joint)["speed"] == pytest.approx(-8, rel=1e-3)
    assert abs(b.state(joint)["translation"]) < 1e-3


def test_a_wheel_motor_accelerates_by_torque_over_inertia(bench, solver):
    b = bench(solver=solver)
    wheel = b.body(0, 0, inertia=0.5)
    joint = b.joint("wheel", 0, wheel, (0, 0), motor_kind=1, motor_target=100, motor_max=3)
    b.run(1)
    assert b.world.omega[wheel] == pytest.approx(3 / 0.5, rel=1e-3)
    assert b.state(joint)["motor_force"] == pytest.approx(3, rel=1e-3)


@every_row("local", [(0, 0), (0.3, -0.2)])
def test_a_mouse_brings_its_point_to_the_target(bench, solver, local):
    b = bench(solver=solver, gravity=DOWN)
    body = b.body(1, 1, mass=2, inertia=0.3, angular_damping=2)
    joint = b.joint(
        "mouse", 0, body, anchor_bx=local[0], anchor_by=local[1], target_x=4, target_y=3
    )
    b.run(8)
    assert b.point(body, local) == pytest.approx((4, 3), abs=0.03)
    b.world.set_joint_target(joint, -1, 2)
    b.run(8)
    assert b.point(body, local) == pytest.approx((-1, 2), abs=0.03)


@every_row("share", [0.9, 1.1])
def test_a_mouse_lifts_no_more_than_its_force(bench, solver, share):
    b = bench(solver=solver, gravity=DOWN)
    body = b.body(0, 0, mass=2)
    b.joint("mouse", 0, body, target_y=50, motor_max=2 * G * share)
    b.run(1)
    assert b.world.vy[body] == pytest.approx(G * (share - 1), rel=0.005)
