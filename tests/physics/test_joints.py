# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

G = 9.81
HANGING = """
world: {{duration: 2, solver: {{type: {solver}}}, sleep: false}}
bodies:
  weight: {{shape: {{box: [0.5, 0.5]}}, mass: 3, position: [0, -2]}}
joints:
  holder: {{type: {kind}, bodies: [world, weight], break: {{force: {force}}}}}
"""
KINDS = {
    "distance": "distance, anchors: [[0, 0], [0, 0]]",
    "revolute": "revolute, anchor: [0, -2]",
    "weld": "weld, anchor: [0, -2]",
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_joint_holds_a_weight_below_its_breaking_force(watch, solver, kind):
    recorder = watch(HANGING.format(solver=solver, kind=KINDS[kind], force=3 * G * 1.5))
    assert recorder.trace["weight"].y[-1] == pytest.approx(-2, abs=0.02)
    assert recorder.events == []


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_joint_breaks_above_its_breaking_force_and_lets_go(watch, solver, kind):
    recorder = watch(HANGING.format(solver=solver, kind=KINDS[kind], force=3 * G * 0.8))
    assert recorder.trace["weight"].y[-1] < -10
    assert [(event.kind, event.a) for event in recorder.events] == [("joint_broken", "holder")]
    assert recorder.trace.broken == {"holder": recorder.events[0].step}


def test_a_weld_breaks_by_torque(watch):
    recorder = watch(
        """
world: {duration: 1}
bodies:
  beam: {shape: {box: [2, 0.1]}, mass: 1, position: [1, 0]}
joints:
  wall: {type: weld, bodies: [world, beam], anchor: [0, 0], break: {torque: 9}}
"""
    )
    assert [event.kind for event in recorder.events] == ["joint_broken"]


CANTILEVER = """
world: {{duration: 2, solver: {{type: {solver}}}, sleep: false}}
bodies:
  beam: {{shape: {{box: [2, 0.1]}}, mass: 1, position: [1, 0]}}
joints:
  wall: {{type: weld, bodies: [world, beam], anchor: [0, 0]}}
"""


def test_a_weld_holds_a_beam_and_reports_its_moment(run, solver):
    text = CANTILEVER.format(solver=solver)
    trace = run(text, "beam.angle", "wall.force", "wall.torque")
    assert abs(trace["beam"].angle).max() < 0.02
    assert trace["wall"].force[-1] == pytest.approx(G, rel=0.02)
    assert abs(trace["wall"].torque[-1]) == pytest.approx(G * 1.0, rel=0.05)


def test_force_and_torque_on_body_b_have_a_sign(make):
    world = make(CANTILEVER.format(solver="soft_step"))
    world.step(120)
    wall = world.joint("wall")
    assert wall.force[1] == pytest.approx(G, rel=0.02)
    assert wall.torque == pytest.approx(G, rel=0.05)


def hinge(solver: str, options: str, gravity: str = "[0, 0]", duration: float = 4) -> str:
    return f"""
world: {{duration: {duration}, gravity: {gravity}, solver: {{type: {solver}}}, sleep: false}}
bodies:
  arm: {{shape: {{box: [1, 0.2]}}, mass: 1, position: [0.5, 0]}}
joints:
  hinge: {{type: revolute, bodies: [world, arm], anchor: [0, 0], {options}}}
"""


def test_a_motor_turns_a_hinge_at_its_speed(run, solver):
    arm = run(hinge(solver, "motor: {speed: 90, max_torque: 50}"))["arm"]
    assert arm.omega[-1] == pytest.approx(math.pi / 2, rel=0.01)
    assert arm.angle[-1] == pytest.approx(2 * math.pi, rel=0.05)


def test_a_motor_accelerates_by_its_torque_over_inertia(run, solver):
    arm = run(hinge(solver, "motor: {speed: 3600, max_torque: 0.5}", duration=1))["arm"]
    inertia = (1 + 0.04) / 12 + 0.25
    assert arm.omega[-1] == pytest.approx(0.5 / inertia, rel=0.02)


def test_a_motor_too_weak_for_the_weight_lets_it_sink(run, solver):
    strong = run(hinge(solver, "motor: {speed: 0, max_torque: 6}", "[0, -9.81]", 1))["arm"]
    weak = run(hinge(solver, "motor: {speed: 0, max_torque: 4}", "[0, -9.81]", 1))["arm"]
    assert abs(strong.angle[-1]) < 0.02
    assert weak.angle[-1] < -0.3


def test_limits_stop_a_hinge(run, solver):
    trace = run(hinge(solver, "limits: [-30, 45]", "[0, -9.81]"), "hinge.angle")
    angle = np.degrees(trace["hinge"].angle)
    assert angle.min() > -33
    assert angle[-1] == pytest.approx(-30, abs=1)
    up = run(hinge(solver, "limits: [-30, 45]", "[0, 9.81]"), "hinge.angle")["hinge"].angle
    assert np.degrees(up[-1]) == pytest.approx(45, abs=1)


@pytest.mark.parametrize(
    ("motor", "expected"),
    [
        ("position: 30, max_torque: 100", 30),
        ("position: 0.25, relative: true, max_torque: 100", -15),
    ],
)
def test_a_motor_goes_to_a_position(run, motor, expected):
    text = hinge("soft_step", f"limits: [-40, 60], motor: {{{motor}}}")
    angle = run(text, "hinge.angle")["hinge"].angle
    assert np.degrees(angle[-1]) == pytest.approx(expected, abs=1)


def test_a_motor_is_changed_while_the_world_runs(make):
    world = make(hinge("soft_step", "motor: {speed: 90, max_torque: 50}"))
    world.step(60)
    world.joint("hinge").set_motor(speed=-math.pi)
    world.step(60)
    assert world["arm"].angular_velocity == pytest.approx(-math.pi, rel=0.01)


def test_a_joint_between_two_moving_bodies_keeps_momentum(run, solver):
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 3, solver: {{type: {solver}}}}}
bodies:
  a: {{shape: {{box: [1, 0.2]}}, mass: 1, position: [0.5, 0], velocity: [0, 3]}}
  b: {{shape: {{box: [1, 0.2]}}, mass: 2, position: [1.5, 0], angular_velocity: 200}}
joints:
  pin: {{type: revolute, bodies: [a, b], anchor: [1, 0]}}
""",
        "world.momentum_x",
        "world.momentum_y",
        "world.angular_momentum",
    )
    np.testing.assert_allclose(trace.world.momentum_y, 3, atol=0.01)
    np.testing.assert_allclose(trace.world.momentum_x, 0, atol=0.01)
    spin = trace.world.angular_momentum
    np.testing.assert_allclose(spin, spin[0], rtol=0.03)


def test_a_joint_goes_with_its_body(make):
    world = make(HANGING.format(solver="soft_step", kind=KINDS["distance"], force=1000))
    world.step(10)
    world.remove("weight")
    world.step(10)
    assert world.joint("holder").broken
    assert not world["weight"].alive
