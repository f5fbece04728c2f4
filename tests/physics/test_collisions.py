# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81


def two_balls(solver: str, restitution: float, masses: tuple[float, float]) -> str:
    return f"""
world: {{gravity: [0, 0], duration: 2, solver: {{type: {solver}}}}}
materials: {{ball: {{restitution: {restitution}, friction: 0}}}}
bodies:
  a: {{shape: {{circle: 0.5}}, material: ball, mass: {masses[0]}, position: [-2, 0],
       velocity: [4, 0]}}
  b: {{shape: {{circle: 0.5}}, material: ball, mass: {masses[1]}, position: [2, 0]}}
"""


@every_row("masses", [(1.0, 1.0), (1.0, 3.0), (5.0, 1.0)])
@every_row("e", [0.0, 0.5, 1.0])
def test_two_balls_leave_with_the_speeds_of_a_central_collision(run, solver, e, masses):
    trace = run(two_balls(solver, e, masses))
    m1, m2 = masses
    mean = m1 * 4 / (m1 + m2)
    assert trace["a"].vx[-1] == pytest.approx(mean - e * 4 * m2 / (m1 + m2), abs=0.03)
    assert trace["b"].vx[-1] == pytest.approx(mean + e * 4 * m1 / (m1 + m2), abs=0.03)


def test_momentum_is_kept_in_every_step(run, solver):
    trace = run(two_balls(solver, 0.5, (1.0, 3.0)))
    momentum = trace["a"].vx + 3 * trace["b"].vx
    np.testing.assert_allclose(momentum, 4, rtol=1e-5)


def test_energy_is_kept_by_an_elastic_and_halved_by_a_plastic_collision(run, solver):
    elastic = run(two_balls(solver, 1.0, (1.0, 1.0)), "world.energy").world.energy
    assert elastic[-1] == pytest.approx(elastic[0], rel=0.01)
    plastic = run(two_balls(solver, 0.0, (1.0, 1.0)), "world.energy").world.energy
    assert plastic[-1] == pytest.approx(plastic[0] / 2, rel=0.02)


def test_an_oblique_collision_of_equal_balls_leaves_at_a_right_angle(run, solver):
    text = two_balls(solver, 1.0, (1.0, 1.0)).replace("[-2, 0]", "[-2, 0.5]")
    text = text.replace("duration: 2", "duration: 2, dt: =1/960")
    trace = run(text)
    a = np.array([trace["a"].vx[-1], trace["a"].vy[-1]])
    b = np.array([trace["b"].vx[-1], trace["b"].vy[-1]])
    assert np.linalg.norm(a) > 0.5
    assert abs(a @ b) < 0.02 * np.linalg.norm(a) * np.linalg.norm(b) + 0.05
    assert a @ a + b @ b == pytest.approx(16, rel=0.02)


CROWD = """
world: {{gravity: [0, 0], duration: 4, seed: 3, solver: {{type: {solver}, {more}}}}}
materials: {{ball: {{restitution: 1, friction: 0}}}}
defaults: {{material: ball}}
bodies:
  ball:
    repeat: {{i: 6, j: 6}}
    shape: {{circle: 0.3}}
    position: [=i, =j]
    velocity: ["=uniform(-2, 2)", "=uniform(-2, 2)"]
"""


def test_a_crowd_keeps_its_momentum(run, solver):
    text = CROWD.format(solver=solver, more="")
    trace = run(text, "world.momentum_x", "world.momentum_y")
    for momentum in (trace.world.momentum_x, trace.world.momentum_y):
        np.testing.assert_allclose(momentum, momentum[0], atol=1e-4)


def test_a_frictionless_crowd_never_gains_energy(run, solver):
    energy = run(CROWD.format(solver=solver, more=""), "world.energy").world.energy
    assert energy.max() <= energy[0] * 1.02


DROP = """
world: {{duration: 2.5, dt: =1/240, solver: {{type: {solver}, {more}}}}}
materials: {{ball: {{restitution: {e}}}, floor: {{restitution: 0}}}}
bodies:
  floor: {{type: static, shape: {{box: [10, 1]}}, position: [0, -0.5], material: floor}}
  ball: {{shape: {{circle: 0.5}}, position: [0, 4.5], material: ball, bullet: true}}
"""


@every_row("e", [0.3, 0.6, 0.9])
def test_a_ball_bounces_to_e_squared_of_its_height(run, solver, e):
    y = run(DROP.format(solver=solver, e=e, more=""))["ball"].y
    lowest = np.argmax(np.diff(y) > 0)
    assert y[lowest:].max() - 0.5 == pytest.approx(4 * e**2, rel=0.05, abs=0.05)


def test_an_elastic_ball_comes_back_to_where_it_fell_from(run, solver):
    text = DROP.format(solver=solver, e=1, more="").replace("duration: 2.5", "duration: 9")
    y = run(text)["ball"].y - 0.5
    tops = y[1:-1][(y[1:-1] >= y[:-2]) & (y[1:-1] > y[2:])]
    assert len(tops) >= 4
    np.testing.assert_allclose(tops, 4, rtol=0.05)


def test_a_slow_impact_does_not_bounce(run):
    text = DROP.format(solver="soft_step", e=0.9, more="").replace("[0, 4.5]", "[0, 0.51]")
    y = run(text)["ball"].y
    assert y[60:].max() < 0.505


def test_a_box_dropped_flat_lands_without_turning(run, solver):
    trace = run(
        f"""
world: {{duration: 3, solver: {{type: {solver}}}}}
bodies:
  floor: {{type: static, shape: {{box: [10, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, position: [0, 2]}}
"""
    )
    box = trace["box"]
    assert abs(box.angle).max() < 0.01
    assert box.y[-1] == pytest.approx(0.5, abs=0.02)
    assert abs(box.vy[-1]) < 0.01


CRADLE = """
world: {duration: 2.2, dt: =1/240}
materials: {steel: {restitution: 1, friction: 0, density: 7.8}}
defaults: {material: steel}
bodies:
  ball:
    repeat: {i: 5}
    shape: {circle: 0.25}
    position: ["=i*0.55 - (2*sin(pi/6) if i == 0 else 0)", "=0 if i > 0 else 2-2*cos(pi/6)"]
joints:
  rod:
    repeat: {i: 5}
    type: distance
    bodies: [world, "ball[=i]"]
    anchors: [[=i*0.55, 2], [0, 0]]
"""


def test_newtons_cradle_hands_the_blow_to_the_last_ball(run):
    trace = run(CRADLE)
    first, last = trace["ball[0]"], trace["ball[4]"]
    start = 0.0
    assert first.y[0] == pytest.approx(2 - 2 * np.cos(np.pi / 6), abs=1e-6)
    quarter = 240 * 2 * np.pi * np.sqrt(2 / G) / 4
    swung = slice(int(1.3 * quarter), int(2.7 * quarter))
    assert last.y[swung].max() > 0.85 * first.y[0]
    for middle in range(1, 4):
        assert trace[f"ball[{middle}]"].y[swung].max() < start + 0.05
    assert abs(first.vx[int(1.6 * quarter)]) < 0.3


def test_two_bodies_joined_flying_apart_keep_their_centre(run, solver):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 3, solver: {{type: {solver}}}}}
bodies:
  a: {{shape: {{circle: 0.2}}, mass: 1, position: [0, 0], velocity: [0, 2]}}
  b: {{shape: {{circle: 0.2}}, mass: 3, position: [2, 0]}}
joints:
  rod: {{type: distance, bodies: [a, b], anchors: [[0, 0], [0, 0]]}}
"""
    )
    t = np.arange(181) / 60
    centre = (trace["a"].y + 3 * trace["b"].y) / 4
    np.testing.assert_allclose(centre, t * 0.5, atol=1e-3)
    length = np.hypot(trace["a"].x - trace["b"].x, trace["a"].y - trace["b"].y)
    np.testing.assert_allclose(length, 2, atol=0.01)
