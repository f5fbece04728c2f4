# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81
FREE = """
world: {{duration: 2, sleep: false, solver: {{type: {solver}}}, {more}}}
bodies:
  ball: {{shape: {{circle: 0.5}}, position: [1, 20], {ball}}}
"""


def text(solver: str, ball: str = "", more: str = "") -> str:
    return FREE.format(solver=solver, ball=ball, more=more)


def test_a_body_falls_half_g_t_squared(run, solver):
    ball = run(text(solver))["ball"]
    t = np.arange(len(ball.y)) / 60
    np.testing.assert_allclose(ball.y, 20 - G * t**2 / 2, atol=1e-3)
    np.testing.assert_allclose(ball.vy, -G * t, rtol=1e-4, atol=1e-4)
    assert np.all(ball.x == 1)


def test_a_projectile_flies_a_parabola(run, solver):
    ball = run(text(solver, "velocity: [3, 8]"))["ball"]
    t = np.arange(len(ball.x)) / 60
    np.testing.assert_allclose(ball.x, 1 + 3 * t, atol=1e-4)
    np.testing.assert_allclose(ball.y, 20 + 8 * t - G * t**2 / 2, atol=1e-3)
    assert np.argmax(ball.y) == pytest.approx(60 * 8 / G, abs=1.5)


def test_gravity_scale_scales_gravity(run, solver):
    vy = run(text(solver, "gravity_scale: 0.5"))["ball"].vy
    assert vy[-1] == pytest.approx(-G, rel=1e-4)
    weightless = run(text(solver, "gravity_scale: 0, velocity: [0, 1]"))["ball"]
    assert weightless.y[-1] == pytest.approx(22, abs=1e-4)


@every_row("c", [0.5, 5.0])
def test_linear_damping_is_an_exponential_decay(run, solver, c):
    ball = run(text(solver, f"gravity_scale: 0, velocity: [4, 0], linear_damping: {c}"))["ball"]
    t = np.arange(121) / 60
    np.testing.assert_allclose(ball.vx, 4 * np.exp(-c * t), rtol=1e-4)
    # Of the way, the trapezoid of the velocities of each step, of at most 1/60 s.
    np.testing.assert_allclose(ball.x - 1, 4 * (1 - np.exp(-c * t)) / c, rtol=(c / 60) ** 2 / 10)


@every_row("rate", [10, 100, 960])
def test_damping_is_the_same_at_any_step(run, solver, rate):
    more = f"dt: =1/{rate}, air: {{linear_damping: 2, angular_damping: 3}}"
    ball = run(text(solver, "velocity: [4, 0], angular_velocity: =180/pi*10", more))["ball"]
    assert ball.vx[-1] == pytest.approx(4 * math.exp(-4), rel=1e-4)
    assert ball.omega[-1] == pytest.approx(10 * math.exp(-6), rel=1e-4)
    assert ball.vy[-1] == pytest.approx(-G / 2 * (1 - math.exp(-4)), rel=1e-4)


def test_angular_damping_is_an_exponential_decay(run, solver):
    ball = run(text(solver, "angular_velocity: =180/pi*10, angular_damping: 2"))["ball"]
    t = np.arange(121) / 60
    np.testing.assert_allclose(ball.omega, 10 * np.exp(-2 * t), rtol=1e-4)
    np.testing.assert_allclose(ball.angle, 5 * (1 - np.exp(-2 * t)), rtol=2e-4, atol=1e-5)


def test_the_worlds_air_damps_every_body(run, solver):
    vx = run(text(solver, "velocity: [4, 0]", "air: {linear_damping: 1}"))["ball"].vx
    assert vx[-1] == pytest.approx(4 * math.exp(-2), rel=0.02)


def test_a_free_spin_turns_evenly_and_angles_are_not_wrapped(run, solver):
    ball = run(text(solver, "angular_velocity: 720"))["ball"]
    assert ball.angle[-1] == pytest.approx(8 * math.pi, rel=1e-4)


def test_terminal_velocity_is_g_over_c(run, solver):
    vy = run(text(solver, "linear_damping: 10"))["ball"].vy
    assert vy[-1] == pytest.approx(-G / 10, rel=0.01)


def test_a_force_accelerates_by_force_over_mass(make, solver):
    world = make(text(solver, "mass: 2, gravity_scale: 0"))
    ball = world["ball"]
    for _ in range(60):
        ball.apply_force((6, 0))
        world.step()
    assert ball.velocity[0] == pytest.approx(3, rel=1e-4)
    world.step(60)
    assert ball.velocity[0] == pytest.approx(3, rel=1e-4)


def test_a_torque_accelerates_by_torque_over_inertia(make, solver):
    world = make(text(solver, "mass: 2, gravity_scale: 0"))
    ball = world["ball"]
    assert ball.inertia == pytest.approx(0.5 * 2 * 0.25, rel=1e-6)
    for _ in range(60):
        ball.apply_torque(0.5)
        world.step()
    assert ball.angular_velocity == pytest.approx(2, rel=1e-4)


@every_row("rate", [30, 60, 960])
def test_a_torque_turns_by_half_alpha_t_squared(run, solver, rate):
    ball = run(
        f"""
world: {{duration: 2, dt: =1/{rate}, sleep: false, gravity: [0, 0], solver: {{type: {solver}}}}}
bodies: {{ball: {{shape: {{circle: 0.5}}, mass: 2, angular_velocity: -60}}}}
actuators: {{motor: {{type: torque, body: ball, torque: 0.5}}}}
"""
    )["ball"]
    t = np.arange(len(ball.angle)) / rate
    np.testing.assert_allclose(ball.angle, -np.pi / 3 * t + t**2, atol=5e-5)


def test_an_impulse_off_the_centre_moves_and_turns(make, solver):
    world = make(text(solver, "mass: 2, gravity_scale: 0"))
    ball = world["ball"]
    ball.apply_impulse((4, 0), at=(1, 20.5))
    assert ball.velocity == pytest.approx((2, 0))
    assert ball.angular_velocity == pytest.approx(-4 * 0.5 / 0.25)
    ball.apply_angular_impulse(2)
    assert ball.angular_velocity == pytest.approx(0, abs=1e-6)


def test_fixed_rotation_never_turns(make, solver):
    world = make(text(solver, "fixed_rotation: true"))
    ball = world["ball"]
    ball.apply_impulse((4, 0), at=(1, 20.5))
    world.step(60)
    assert ball.angle == 0
    assert ball.velocity[0] > 0


def test_a_kinematic_body_keeps_its_velocity(run, solver):
    ball = run(text(solver, "type: kinematic, velocity: [1, 2], angular_velocity: 90"))["ball"]
    assert ball.x[-1] == pytest.approx(3, rel=1e-5)
    assert ball.y[-1] == pytest.approx(24, rel=1e-5)
    assert ball.angle[-1] == pytest.approx(math.pi, rel=1e-5)


def test_velocity_is_that_of_the_centre_of_mass(run, solver):
    """A body whose centre lies off its origin: the centre flies straight, the origin circles it."""
    ball = run(
        text(
            solver,
            "gravity_scale: 0, center_of_mass: [1, 0], velocity: [1, 0], angular_velocity: 90",
        )
    )["ball"]
    centre_x = ball.x + np.cos(ball.angle)
    centre_y = ball.y + np.sin(ball.angle)
    t = np.arange(len(ball.x)) / 60
    np.testing.assert_allclose(centre_x, 2 + t, atol=1e-3)
    np.testing.assert_allclose(centre_y, 20, atol=1e-3)
    np.testing.assert_allclose(ball.vx, 1, atol=1e-5)
