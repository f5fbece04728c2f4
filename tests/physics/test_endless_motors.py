# SPDX-License-Identifier: MIT
"""Motors without a maximum: what they drive keeps its speed, whatever it pushes, hits and carries.

To what it meets it is a body whose motion is prescribed. A ball at rest leaves it with the speed of
the motor, or with (1 + e) times that where it bounces.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81
STEPS = [
    "dt: =1/30, solver: {substeps: 1, ",
    "dt: =1/60, solver: {",
    "dt: =1/240, solver: {substeps: 8, ",
]
JOINTS = ["auto", "iterative"]


@pytest.fixture(params=JOINTS)
def joints(request):
    return request.param


def world(solver, joints, step=STEPS[1], gravity=0.0, duration=1.0):
    if solver != "soft_step":
        step = step.replace("substeps: 1, ", "").replace("substeps: 8, ", "")
    return (
        f"world: {{gravity: [0, {-gravity}], duration: {duration}, sleep: false, "
        f"{step}type: {solver}, joints: {joints}}}}}"
    )


@every_row("motor", ["speed: 3", "position: 50"])
@every_row("step", STEPS)
@every_row("restitution", [0, 0.5, 1])
@every_row("mass", [0.01, 1, 100, 10000])
def test_a_ram_hits_as_a_wall_that_moves_does(run, solver, joints, step, motor, restitution, mass):
    trace = run(
        f"""
{world(solver, joints, step)}
defaults: {{material: {{restitution: {restitution}, friction: 0}}}}
bodies:
  ram: {{shape: {{box: [0.2, 1]}}, mass: 1, velocity: [3, 0]}}
  ball: {{shape: {{circle: 0.2}}, position: [0.5, 0], mass: {mass}}}
joints: {{rail: {{type: prismatic, bodies: [world, ram], axis: [1, 0], motor: {{{motor}}}}}}}
record: {{channels: [ram, ball, rail.speed, rail.motor_force]}}
"""
    )
    assert trace["ball"].vx[-1] == pytest.approx(3 * (1 + restitution), rel=2e-3)
    assert trace["ball"].vx.max() <= 3 * (1 + restitution) * 1.002
    assert trace["rail"].speed[1:] == pytest.approx(3.0, rel=2e-3)
    given = trace["rail"].motor_force.sum() * trace.dt
    assert given == pytest.approx(mass * trace["ball"].vx[-1], rel=2e-3, abs=1e-3)


@every_row("step", STEPS)
@every_row("mass", [1, 20, 1000])
def test_a_lift_rises_at_its_speed_and_bears_what_it_carries(run, solver, joints, step, mass):
    trace = run(
        f"""
{world(solver, joints, step, G)}
bodies:
  table: {{shape: {{box: [2, 0.2]}}, mass: 1, velocity: [0, 3]}}
  load: {{shape: {{box: [0.5, 0.5]}}, position: [0.3, 0.35], mass: {mass}, velocity: [0, 3]}}
joints: {{lift: {{type: prismatic, bodies: [world, table], axis: [0, 1], motor: {{speed: 3}}}}}}
record: {{channels: [table, load, lift.speed, lift.motor_force]}}
"""
    )
    assert trace["table"].vy == pytest.approx(3.0, rel=1e-3)
    assert trace["load"].vy == pytest.approx(3.0, rel=0.02)
    assert trace["load"].vy[-1] == pytest.approx(3.0, rel=1e-4)
    assert trace["lift"].motor_force[-1] == pytest.approx((1 + mass) * G, rel=1e-3)


ARM = "shape: {polygon: [[0, -0.1], [2, -0.1], [2, 0.1], [0, 0.1]]}, angular_velocity: =360/pi"
PIN = """joints:
  pin: {type: revolute, bodies: [world, arm], anchor: [0, 0], motor: {speed: =360/pi}}"""


@every_row("restitution", [0, 1])
@every_row("mass", [0.1, 100])
def test_a_light_paddle_bats_as_a_kinematic_one(run, solver, restitution, mass):
    def bat(arm, joints):
        return run(
            f"""
{world(solver, "auto", STEPS[2], duration=0.8)}
defaults: {{material: {{restitution: {restitution}, friction: 0}}}}
bodies:
  arm: {{{ARM}, {arm}}}
  ball: {{shape: {{circle: 0.2}}, position: [1.5, 0.5], mass: {mass}}}
{joints}
record: {{channels: [ball, arm]}}
"""
        )

    driven = bat("mass: 0.1, velocity: [0, 2]", PIN)
    kinematic = bat("type: kinematic", "")
    assert driven["arm"].omega == pytest.approx(2.0, rel=1e-3)
    for name in ("vx", "vy"):
        expected = kinematic.channel(f"ball.{name}")
        np.testing.assert_allclose(driven.channel(f"ball.{name}"), expected, atol=0.05)


@every_row("step", STEPS)
def test_what_hangs_on_a_driven_arm_by_a_weld_and_a_motor_hits_as_hard(run, solver, step):
    """Three arms of 0.1 kg in a row, the last of them held by a motor that stands still."""
    trace = run(
        f"""
{world(solver, "auto", step, duration=0.6)}
bodies:
  a: {{shape: {{box: [1, 0.1]}}, position: [0.5, 0], mass: 0.1}}
  b: {{shape: {{box: [1, 0.1]}}, position: [1.5, 0], mass: 0.1}}
  c: {{shape: {{box: [1, 0.1]}}, position: [2.5, 0], mass: 0.1}}
  ball: {{shape: {{circle: 0.2}}, position: [2.6, 0.3], mass: 100, friction: 0}}
joints:
  pin: {{type: revolute, bodies: [world, a], anchor: [0, 0], motor: {{speed: 90}}}}
  weld: {{type: weld, bodies: [a, b], anchor: [1, 0]}}
  elbow: {{type: revolute, bodies: [b, c], anchor: [2, 0], motor: {{speed: 0}}}}
record: {{channels: [c.omega, ball.speed, elbow.angle]}}
"""
    )
    assert trace["c"].omega[2:] == pytest.approx(math.pi / 2, rel=0.01)
    assert abs(trace["elbow"].angle).max() < 0.002
    assert trace["ball"].speed[-1] > math.pi / 2 * 2.6


@every_row("step", STEPS)
def test_two_loads_at_once_leave_a_ram_alike(run, solver, joints, step):
    trace = run(
        f"""
{world(solver, joints, step)}
bodies:
  ram: {{shape: {{box: [0.2, 2]}}, mass: 1, velocity: [2, 0]}}
  light: {{shape: {{circle: 0.2}}, position: [0.5, 0.6], mass: 0.1}}
  heavy: {{shape: {{circle: 0.2}}, position: [0.4, -0.6], mass: 1000}}
joints: {{rail: {{type: prismatic, bodies: [world, ram], axis: [1, 0], motor: {{speed: 2}}}}}}
record: {{channels: [ram, light, heavy]}}
"""
    )
    assert trace["ram"].vx == pytest.approx(2.0, rel=1e-3)
    assert trace["light"].vx[-1] == pytest.approx(2.0, rel=1e-3)
    assert trace["heavy"].vx[-1] == pytest.approx(2.0, rel=1e-3)
    assert abs(trace["ram"].omega).max() < 1e-3


@every_row("max_force", [30, 300])
def test_a_ram_with_a_maximum_pushes_with_just_that(run, solver, joints, max_force):
    """It and its load are pushed together: (m + M) a = F."""
    trace = run(
        f"""
{world(solver, joints, duration=2)}
bodies:
  ram: {{shape: {{box: [0.2, 1]}}, mass: 1}}
  ball: {{shape: {{circle: 0.2}}, position: [0.3, 0], mass: 100, friction: 0}}
joints:
  rail: {{type: prismatic, bodies: [world, ram], axis: [1, 0],
    motor: {{speed: 50, max_force: {max_force}}}}}
record: {{channels: [ram, ball, rail.motor_force]}}
"""
    )
    assert trace["rail"].motor_force[1:] == pytest.approx(max_force, rel=1e-4)
    assert trace["ball"].vx[-1] == pytest.approx(max_force / 101 * 2, rel=0.01)


def test_a_ram_that_meets_a_wall_stays_in_front_of_it(run, solver, joints):
    trace = run(
        f"""
{world(solver, joints, duration=2)}
bodies:
  ram: {{shape: {{box: [0.2, 1]}}, mass: 1}}
  wall: {{type: static, shape: {{box: [0.2, 2]}}, position: [1, 0]}}
joints: {{rail: {{type: prismatic, bodies: [world, ram], axis: [1, 0], motor: {{speed: 3}}}}}}
record: {{channels: [ram]}}
"""
    )
    assert trace["ram"].x.max() < 0.9


def test_a_motor_s_force_is_the_mean_of_the_step_that_a_blow_falls_in(run, solver, joints):
    """The ram reaches the ball in the middle of a step."""
    trace = run(
        f"""
{world(solver, joints, "dt: =1/30, solver: {", duration=0.5)}
bodies:
  ram: {{shape: {{box: [0.2, 1]}}, mass: 1, velocity: [3, 0]}}
  ball: {{shape: {{circle: 0.2}}, position: [0.5, 0], mass: 2}}
joints: {{rail: {{type: prismatic, bodies: [world, ram], axis: [1, 0], motor: {{speed: 3}}}}}}
record: {{channels: [rail.motor_force, rail.force]}}
"""
    )
    assert trace["rail"].motor_force.sum() / 30 == pytest.approx(2 * 3, rel=1e-3)
    assert trace["rail"].force.sum() / 30 == pytest.approx(2 * 3, rel=0.01)
