# SPDX-License-Identifier: MIT
"""Motors that go to a position: with a speed, whatever they carry and push."""

from __future__ import annotations

from math import pi

import pytest
import rigid2d.core

from tests.rows import every_row

JOINTS = ["auto", "direct", "iterative"]


@pytest.fixture(params=JOINTS)
def joints(request):
    return request.param


def world(solver, joints, gravity="[0, 0]"):
    return (
        f"world: {{gravity: {gravity}, duration: 2, sleep: false, "
        f"solver: {{type: {solver}, joints: {joints}}}}}"
    )


def test_an_arm_turns_at_three_radians_a_second_and_reads_so(run, solver, joints):
    trace = run(
        f"""
{world(solver, joints)}
bodies: {{arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0], mass: 3}}}}
joints: {{pin: {{type: revolute, bodies: [world, arm], anchor: [0, 0], motor: {{position: 180}}}}}}
record: {{channels: [arm, pin.angle, pin.speed]}}
"""
    )
    cruise = slice(5, 55)
    assert trace["pin"].speed[cruise] == pytest.approx([3.0] * 50, rel=2e-3)
    assert trace["arm"].omega[cruise] == pytest.approx([3.0] * 50, rel=2e-3)
    assert trace["pin"].angle[30] == pytest.approx(1.5, rel=5e-3)
    assert trace["pin"].angle[-1] == pytest.approx(3.14159265, abs=1e-4)


@every_row("load", [0.1, 1, 10])
def test_a_load_does_not_slow_a_lift(run, solver, joints, load):
    trace = run(
        f"""
{world(solver, joints, "[0, -9.81]")}
bodies:
  table: {{shape: {{box: [2, 0.2]}}, mass: 3}}
  load: {{shape: {{box: [0.5, 0.5]}}, position: [0, 0.35], mass: {load}}}
joints: {{lift: {{type: prismatic, bodies: [world, table], axis: [0, 1], motor: {{position: 3}}}}}}
record: {{channels: [table, load, lift.speed, lift.motor_force]}}
"""
    )
    assert trace["table"].vy[20:50] == pytest.approx([3.0] * 30, rel=0.01)
    assert trace["load"].vy[30] == pytest.approx(3.0, rel=0.01)
    assert trace["lift"].motor_force[40] == pytest.approx((3 + load) * 9.81, rel=0.02)
    assert trace["table"].y[-1] == pytest.approx(3.0, abs=1e-3)


def test_a_ball_in_the_way_leaves_with_the_speed_of_the_piston(run, solver, joints):
    trace = run(
        f"""
{world(solver, joints)}
bodies:
  piston: {{shape: {{box: [0.2, 1]}}, mass: 3}}
  ball: {{shape: {{circle: 0.2}}, position: [0.5, 0], mass: 1}}
joints:
  rail: {{type: prismatic, bodies: [world, piston], axis: [1, 0], motor: {{position: 2}}}}
record: {{channels: [piston, ball]}}
"""
    )
    assert trace["ball"].vx[-1] == pytest.approx(3.0, rel=0.06)
    assert trace["piston"].x[-1] == pytest.approx(2.0, abs=1e-3)


@every_row("torque", [None, 40])
def test_a_position_beyond_a_limit_is_gone_to_as_far_as_the_limit(run, solver, joints, torque):
    most = "" if torque is None else f", max_torque: {torque}"
    trace = run(
        f"""
{world(solver, joints)}
bodies: {{arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0], mass: 3}}}}
joints:
  pin: {{type: revolute, bodies: [world, arm], anchor: [0, 0], limits: [-60, 60],
    motor: {{position: 120{most}}}}}
record: {{channels: [pin.angle, pin.motor_force]}}
"""
    )
    assert trace["pin"].angle[-1] == pytest.approx(1.0471976, abs=2e-3)
    if torque is not None:
        assert trace["pin"].motor_force[-1] == pytest.approx(torque, rel=1e-3)


def test_a_position_that_moves_is_followed_exactly_with_its_speed(solver, joints):
    scene = rigid2d.core.loads(
        f"""
rigid: 1
{world(solver, joints)}
bodies: {{slider: {{shape: {{box: [1, 1]}}, mass: 1}}}}
joints:
  rail: {{type: prismatic, bodies: [world, slider], axis: [1, 0], motor: {{position: 0}}}}
"""
    )
    moving = rigid2d.core.build(scene)
    for step in range(60):
        moving.joint("rail").set_motor(position=(step + 1) / 60)
        moving.step()
    assert moving["slider"].velocity[0] == pytest.approx(1.0, rel=1e-4)
    assert moving.joint("rail").speed == pytest.approx(1.0, rel=1e-4)
    assert moving["slider"].x == pytest.approx(1.0, abs=1e-4)


def test_an_animation_faster_than_a_motor_goes_is_fallen_behind(run, solver):
    """A flipper that is to turn by 58 degrees in 0.08 s; one by speed does."""
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 0.5, dt: =1/120, solver: {{type: {solver}}}}}
bodies:
  slow: {{shape: {{capsule: [[0, 0], [1, 0]], radius: 0.1}}}}
  quick: {{shape: {{capsule: [[0, 0], [1, 0]], radius: 0.1}}, position: [5, 0]}}
joints:
  pivot: {{type: revolute, bodies: [world, slow], motor: {{position: 0}}}}
  other:
    type: revolute
    bodies: [world, quick]
    limits: [0, 58]
    motor: {{speed: -800, max_torque: 60}}
animations:
  swing: {{type: once, duration: 0.08, tracks: {{pivot.motor.position: [[0, 0], [1, 58]]}}}}
inputs: [{{at: 0, set: {{other.motor.speed: 1000}}}}]
"""
    )
    whole = 58 * pi / 180
    assert trace["slow"].angle[24] == pytest.approx(3 * 0.2, rel=5e-3)
    assert trace["slow"].angle[-1] == pytest.approx(whole, abs=1e-4)
    assert trace["quick"].angle[10] == pytest.approx(whole, abs=2e-2)


def test_in_pixels_and_milliseconds_an_arm_turns_as_fast(run, solver):
    trace = run(
        f"""
units: screen
world: {{gravity: [0, 0], duration: 1000, sleep: false, solver: {{type: {solver}}}}}
bodies: {{arm: {{shape: {{box: [200, 20]}}, position: [100, 0], mass: 3}}}}
joints: {{pin: {{type: revolute, bodies: [world, arm], anchor: [0, 0], motor: {{position: 170}}}}}}
record: {{channels: [arm.omega]}}
"""
    )
    assert trace["arm"].omega[20] == pytest.approx(3e-3, rel=2e-3)


@every_row("gap", [0.0, 4e-16, 1e-9])
def test_a_rod_whose_ends_all_but_coincide_is_a_pin(run, solver, gap):
    """A box hung at a corner falls to the lowest place that the pin leaves it."""
    trace = run(
        f"""
world: {{duration: 2, solver: {{type: {solver}}}}}
bodies: {{box: {{shape: {{box: [1, 1]}}, position: [0, 0]}}}}
joints:
  rod: {{type: distance, bodies: [world, box], anchors: [[{0.5 + gap!r}, 0.5], [0.5, 0.5]]}}
record: {{channels: [box, rod.force]}}
"""
    )
    distance = ((trace["box"].x - 0.5) ** 2 + (trace["box"].y - 0.5) ** 2) ** 0.5
    assert distance == pytest.approx([0.5**0.5] * len(distance), abs=2e-3)
    assert trace["rod"].force.max() < 3 * 9.81
