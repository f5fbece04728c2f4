# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81


def slope(solver: str, degrees: float, friction: float, body: str, lift: float) -> str:
    """A body on a slope that falls to +x: ``lift`` is from the surface to its centre."""
    a = math.radians(degrees)
    # The slope's top passes through the origin; its normal is (sin, cos).
    x, y = math.sin(a), math.cos(a)
    return f"""
world: {{duration: 2, solver: {{type: {solver}}}}}
defaults: {{material: {{friction: {friction}}}}}
bodies:
  slope: {{type: static, shape: {{box: [200, 2]}}, angle: {-degrees}, position: [{-x}, {-y}]}}
  body: {{{body}, position: [{x * lift!r}, {y * lift!r}], angle: {-degrees}}}
"""


def travelled(trace) -> np.ndarray:
    body = trace["body"]
    return np.hypot(body.x - body.x[0], body.y - body.y[0])


@every_row(("degrees", "friction"), [(10, 0.2), (26, 0.5), (44, 1.0)])
def test_a_box_sticks_below_the_angle_of_friction(run, solver, degrees, friction):
    assert math.tan(math.radians(degrees)) < friction
    trace = run(slope(solver, degrees, friction, "shape: {box: [1, 0.5]}", 0.25))
    assert travelled(trace)[-1] < 0.01
    assert abs(travelled(trace)[-1] - travelled(trace)[60]) < 0.002


@every_row(("degrees", "friction"), [(15, 0.2), (30, 0.5), (30, 0.0), (50, 1.0)])
def test_a_box_slides_above_it_with_the_right_acceleration(run, solver, degrees, friction):
    a = math.radians(degrees)
    expected = G * (math.sin(a) - friction * math.cos(a))
    body = run(slope(solver, degrees, friction, "shape: {box: [1, 0.5]}", 0.25))["body"]
    speed = np.hypot(body.vx, body.vy)
    assert (speed[-1] - speed[60]) == pytest.approx(expected, rel=0.02)


@every_row("degrees", [10, 30])
def test_a_disc_rolls_down_at_two_thirds_of_the_frictionless_acceleration(run, solver, degrees):
    body = run(slope(solver, degrees, 1.0, "shape: {circle: 0.5}", 0.5))["body"]
    speed = np.hypot(body.vx, body.vy)
    expected = G * math.sin(math.radians(degrees)) / 1.5
    assert speed[-1] - speed[60] == pytest.approx(expected, rel=0.02)


def test_a_disc_that_rolls_does_not_slip(run, solver):
    body = run(slope(solver, 20, 1.0, "shape: {circle: 0.5}", 0.5))["body"]
    speed = np.hypot(body.vx, body.vy)
    np.testing.assert_allclose(-body.omega[30:] * 0.5, speed[30:], rtol=0.01)


FLAT = """
world: {{duration: {seconds}, solver: {{type: {solver}}}}}
materials:
  floor: {{friction: {floor}, tangent_speed: {belt}}}
  body: {{friction: {body}, rolling_resistance: {rolling}}}
bodies:
  floor: {{type: static, shape: {{box: [400, 2]}}, position: [0, -1], material: floor}}
  body: {{shape: {shape}, position: [0, 0.5], velocity: [{v}, 0], material: body}}
"""


def flat(solver: str, shape: str = "{box: [1, 1]}", **changes: float) -> str:
    values = {"seconds": 3, "floor": 0.5, "body": 0.5, "rolling": 0, "v": 0, "belt": 0}
    return FLAT.format(solver=solver, shape=shape, **{**values, **changes})


def test_a_sliding_box_stops_after_v_squared_over_two_mu_g(run, solver):
    body = run(flat(solver, v=5))["body"]
    assert body.x[-1] == pytest.approx(25 / (2 * 0.5 * G), rel=0.03)
    assert abs(body.vx[-1]) < 1e-3


def test_a_skidding_disc_ends_rolling_at_two_thirds_of_its_speed(run, solver):
    body = run(flat(solver, "{circle: 0.5}", v=3))["body"]
    assert body.vx[-1] == pytest.approx(2, rel=0.01)
    assert body.omega[-1] == pytest.approx(-4, rel=0.01)


def test_a_disc_rolls_on_for_ever_without_rolling_resistance(run, solver):
    body = run(flat(solver, "{circle: 0.5}", v=3, seconds=20))["body"]
    assert body.vx[-1] == pytest.approx(2, rel=0.01)


def test_rolling_resistance_stops_a_disc(run):
    body = run(flat("soft_step", "{circle: 0.5}", v=3, rolling=0.05, seconds=10))["body"]
    assert abs(body.vx[-1]) < 1e-3
    # A torque of c r N against the spin, and friction that keeps it rolling: c g / (1 + I/m r^2).
    rolling = np.flatnonzero((body.vx < 1.9) & (body.vx > 0.5))
    fall = (body.vx[rolling[0]] - body.vx[rolling[-1]]) / ((rolling[-1] - rolling[0]) / 60)
    assert fall == pytest.approx(0.05 * G / 1.5, rel=0.1)


MIXED = {
    "min": lambda a, b: min(a, b),
    "max": lambda a, b: max(a, b),
    "mean": lambda a, b: (a + b) / 2,
    "product": lambda a, b: a * b,
    "geometric_mean": lambda a, b: math.sqrt(a * b),
}


@every_row("rule", list(MIXED))
def test_friction_of_two_materials_is_mixed_by_the_rule(run, solver, rule):
    text = flat(solver, v=30, floor=0.9, body=0.4, seconds=1)
    text += f"collision: {{friction_mixing: {rule}}}\n"
    vx = run(text)["body"].vx
    assert (vx[10] - vx[60]) / (50 / 60) == pytest.approx(MIXED[rule](0.9, 0.4) * G, rel=0.02)


@every_row("rule", list(MIXED))
def test_restitution_of_two_materials_is_mixed_by_the_rule(run, solver, rule):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 2, solver: {{type: {solver}}}}}
collision: {{restitution_mixing: {rule}}}
materials: {{a: {{restitution: 0.9}}, b: {{restitution: 0.4}}}}
bodies:
  wall: {{type: static, shape: {{box: [1, 4]}}, position: [3, 0], material: a}}
  ball: {{shape: {{circle: 0.5}}, velocity: [4, 0], material: b}}
"""
    )
    assert trace["ball"].vx[-1] == pytest.approx(-4 * MIXED[rule](0.9, 0.4), abs=0.03)


def test_a_conveyor_brings_a_box_to_its_speed(run, solver):
    vx = run(flat(solver, belt=2))["body"].vx
    assert vx[-1] == pytest.approx(2, rel=0.01)
    assert vx[30] < vx[60] + 1e-6


@pytest.mark.parametrize("is_set", [False, True])
def test_a_conveyor_carries_to_plus_x_on_a_screen_too(run, solver, is_set):
    trace = run(
        f"""
units: screen
world: {{duration: 3000, solver: {{type: {solver}}}}}
events: [{{when: time, at: 0, do: [{{set: {{belt.tangent_speed: 0.2}}}}]}}]
bodies:
  belt: {{type: static, shape: {{box: [4000, 100]}}, position: [0, 50],
          friction: 0.5, tangent_speed: {0 if is_set else 0.2}}}
  box: {{shape: {{box: [100, 100]}}, position: [0, -50], friction: 0.5}}
"""
    )
    assert trace["box"].vx[-1] == pytest.approx(0.2, rel=0.01)
    assert trace["box"].y[-1] == pytest.approx(-50, abs=2)


def test_a_conveyor_works_whichever_body_comes_first(run):
    trace = run(
        """
world: {duration: 3}
bodies:
  box: {shape: {box: [1, 1]}, position: [0, 0.5]}
  belt: {type: static, shape: {box: [400, 2]}, position: [0, -1], tangent_speed: 2}
"""
    )
    assert trace["box"].vx[-1] == pytest.approx(2, rel=0.01)


def test_a_kinematic_paddle_throws_balls_about(run, solver):
    trace = run(
        f"""
world: {{duration: 5, solver: {{type: {solver}}}}}
bodies:
  floor: {{type: static, shapes: [{{box: [8, 0.5], offset: [0, -4]}}, {{box: [0.5, 8],
    offset: [-4, 0]}}, {{box: [0.5, 8], offset: [4, 0]}}, {{box: [8, 0.5], offset: [0, 4]}}]}}
  paddle: {{type: kinematic, shape: {{box: [7, 0.4]}}, angular_velocity: 90}}
  ball: {{repeat: {{i: 6, j: 3}}, shape: {{circle: 0.3}}, position: [=i-2.5, =1+j*0.7]}}
"""
    )
    assert trace["paddle"].angle[-1] == pytest.approx(2.5 * math.pi, rel=1e-4)
    for name in trace:
        if name.startswith("ball"):
            assert abs(trace[name].x).max() < 4
            assert abs(trace[name].y).max() < 4
    speeds = [np.hypot(trace[n].vx, trace[n].vy).max() for n in trace if n.startswith("ball")]
    assert max(speeds) > 2
