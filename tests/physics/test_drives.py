# SPDX-License-Identifier: MIT
"""Sliders, wheels, motors and forces as scenes describe them, in either kind of units."""

from __future__ import annotations

import pytest

from tests.rows import every_row

G = 9.81
UNITS = {"": (1.0, 1.0, 1.0), "units: screen\n": (100.0, 1000.0, -1.0)}


@every_row("share", [0.8, 1.25])
def test_a_tyre_of_friction_f_holds_f_times_the_weight(run, solver, share):
    """A pull of share times 0.5 m g: what exceeds it accelerates the body."""
    push = 0.5 * 2 * G * share
    trace = run(
        f"""
world: {{gravity: [0, -9.81], duration: 1, sleep: false, solver: {{type: {solver}}}}}
bodies:
  cart: {{shape: {{circle: 0.2}}, mass: 2, gravity_scale: 0}}
actuators:
  tyre: {{type: axial_friction, body: cart, direction: [1, 0], friction: 0.5}}
  pull: {{type: force, body: cart, force: [{push!r}, 0]}}
"""
    )
    expected = max(0.0, share - 1) * 0.5 * G
    assert trace["cart"].vx[-1] == pytest.approx(expected, rel=0.01, abs=1e-3)


def test_a_rotary_motor_turns_by_degrees_per_second(run, solver):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 2, sleep: false, solver: {{type: {solver}}}}}
bodies:
  wheel: {{shape: {{circle: 0.5}}, mass: 1}}
actuators:
  spin: {{type: rotary_motor, body: wheel, speed: 180, max_torque: 100}}
"""
    )
    assert trace["wheel"].omega[-1] == pytest.approx(3.14159265, rel=1e-3)


def test_an_elevator_rises_at_its_speed_with_the_force_of_its_weight(run, solver):
    trace = run(
        f"""
world: {{duration: 2, sleep: false, solver: {{type: {solver}}}}}
bodies:
  cabin: {{shape: {{box: [1, 1]}}, mass: 50}}
joints:
  shaft: {{type: prismatic, bodies: [world, cabin], anchor: [0, 0], axis: [0, 1],
          limits: [0, 1.5], motor: {{speed: 0.5, max_force: 1000}}}}
""",
        "shaft.translation",
        "shaft.speed",
        "shaft.motor_force",
        "cabin.angle",
    )
    assert trace["shaft"].speed[-1] == pytest.approx(0.5, rel=1e-3)
    assert trace["shaft"].translation[-1] == pytest.approx(1, abs=0.02)
    assert trace["shaft"].motor_force[-1] == pytest.approx(50 * G, rel=0.01)
    assert abs(trace["cabin"].angle).max() < 1e-4


@pytest.mark.parametrize("units", list(UNITS))
def test_a_car_sits_on_its_springs(run, solver, units):
    """Half of the weight on each spring: a sag of m g / (2 k), in metres or in pixels."""
    length, time, up = UNITS[units]
    m, k = 8.0, 400.0 / time**2
    gravity = up * -G * length / time**2
    trace = run(
        f"""{units}
world: {{duration: {5 * time}, gravity: [0, {gravity!r}], sleep: false, dt: {time / 240!r},
        solver: {{type: {solver}}}}}
bodies:
  hub: {{repeat: {{i: 2}}, type: static, shape: {{circle: {0.1 * length}}},
        position: ["={length}*(2*i-1)", 0]}}
  body: {{shape: {{box: [{3 * length}, {0.2 * length}]}}, mass: {m}, position: [0, 0]}}
joints:
  leg: {{repeat: {{i: 2}}, type: wheel, bodies: [body, "hub[=i]"],
        anchor: ["={length}*(2*i-1)", 0], axis: [0, 1],
        spring: {{stiffness: {k!r}, damping: {60.0 / time!r}}}}}
""",
        "body.y",
        "body.angle",
    )
    sag = m * G / (2 * 400) * length
    assert trace["body"].y[-1] == pytest.approx(-up * sag, rel=0.01)
    assert abs(trace["body"].angle).max() < 1e-3


def test_a_motor_far_from_its_position_turns_steadily_and_needs_no_torque_for_it(run):
    """At 3 rad/s, as fast as stiff motors go, from 1 s on; 750 degrees are 13.09 rad away."""
    trace = run(
        """
world: {gravity: [0, 0], duration: 6}
bodies:
  arm: {shape: {box: [2, 0.2]}, position: [1, 0], mass: 3}
joints:
  pin: {type: revolute, bodies: [world, arm], anchor: [0, 0],
    motor: {position: 750, max_torque: 500}}
record: {channels: [arm, pin.angle, pin.motor_force]}
"""
    )
    cruise = slice(60, 180)
    assert trace["arm"].omega[cruise] == pytest.approx([3.0] * 120, rel=1e-3)
    assert abs(trace["pin"].motor_force[cruise]).max() < 5
    assert trace["pin"].angle[-1] == pytest.approx(13.08997, abs=1e-3)


@every_row("joints", ["direct", "iterative"])
@every_row("speed", [-90, 90])
def test_a_motor_without_a_limit_stops_at_the_joints_limits(run, solver, joints, speed):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 3, solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0], mass: 3}}
  cart: {{shape: {{box: [1, 1]}}, position: [0, 5], mass: 3}}
joints:
  pin: {{type: revolute, bodies: [world, arm], anchor: [0, 0], limits: [-30, 30],
    motor: {{speed: {speed}}}}}
  rail: {{type: prismatic, bodies: [world, cart], limits: [-0.5, 0.5],
    motor: {{speed: {speed / 90}}}}}
record: {{channels: [pin.angle, rail.translation]}}
"""
    )
    side = 1 if speed > 0 else -1
    assert trace["pin"].angle[-1] == pytest.approx(side * 0.5235988, abs=1e-3)
    assert abs(trace["pin"].angle).max() < 0.5235988 + 0.005
    assert trace["rail"].translation[-1] == pytest.approx(side * 0.5, abs=1e-3)
