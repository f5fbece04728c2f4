# SPDX-License-Identifier: MIT
"""Joints whose settings make little sense: what comes is defined, and stays so."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core.errors import UsageError

from tests.rows import every_row

ARM = """
world: {{gravity: [0, -10], duration: 3, sleep: false, solver: {{type: {solver}}}}}
bodies: {{arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0]}}}}
joints: {{j: {{bodies: [world, arm], anchor: [0, 0], {joint}}}}}
"""
SLIDE = ARM.replace("position: [1, 0]", "")


def test_a_limit_on_one_side_leaves_the_other_free(make, solver):
    """An arm that falls from the horizontal swings to -180 degrees, unless it is held at -90."""
    swings = make(ARM.format(solver=solver, joint="type: revolute, limits: [-.inf, 10]"))
    held = make(ARM.format(solver=solver, joint="type: revolute, limits: [-90, .inf]"))
    lowest = [0.0, 0.0]
    for _ in range(180):
        for i, world in enumerate((swings, held)):
            world.step()
            lowest[i] = min(lowest[i], world.joint("j").angle)
    assert lowest[0] == pytest.approx(-math.pi, abs=0.1)
    assert lowest[1] == pytest.approx(-math.pi / 2, abs=0.02)


@every_row("kind", ["prismatic", "wheel"])
def test_a_slide_with_a_limit_on_one_side(make, solver, kind):
    text = SLIDE.format(solver=solver, joint=f"type: {kind}, axis: [0, 1], limits: [LIMITS]")
    falls = make(text.replace("LIMITS", "-.inf, 1"))
    lies = make(text.replace("LIMITS", "-0.5, .inf"))
    falls.step(60)
    lies.step(120)
    assert falls.joint("j").translation == pytest.approx(-5, rel=0.03)
    assert lies.joint("j").translation == pytest.approx(-0.5, abs=0.01)


def test_limits_may_be_lifted_while_running(make, solver):
    world = make(ARM.format(solver=solver, joint="type: revolute, limits: [-20, 20]"))
    world.step(60)
    assert world.joint("j").angle == pytest.approx(-math.radians(20), abs=0.02)
    world.set("j.limits", (-math.inf, math.inf))
    world.step(30)
    assert world.joint("j").angle < -1
    with pytest.raises(UsageError, match="finite number"):
        world.set("j.limits", (math.nan, 1))


def test_an_infinite_strength_is_reached_at_once(make, solver):
    """Whatever hangs on it: 90 degrees a second; sequential_impulse needs some steps."""
    motor = "type: revolute, motor: {speed: 90, max_torque: .inf}"
    world = make(ARM.format(solver=solver, joint=motor))
    world.step(60)
    assert world.joint("j").angle == pytest.approx(math.pi / 2, rel=0.01)
    world.joint("j").set_motor(max_torque=0)
    world.step(60)
    world.joint("j").set_motor(max_torque=math.inf)
    world.step(6)
    assert world.joint("j").speed == pytest.approx(math.pi / 2, rel=0.01)


def test_an_actuators_strength_may_be_set_to_infinity(make, solver):
    text = f"""
world: {{gravity: [0, 0], sleep: false, solver: {{type: {solver}}}}}
bodies: {{fan: {{shape: {{box: [2, 0.2]}}}}}}
actuators: {{spin: {{type: rotary_motor, body: fan, speed: 360, max_torque: 0}}}}
"""
    world = make(text)
    world.step(10)
    assert world["fan"].angular_velocity == 0
    world.set("spin.max_torque", math.inf)
    world.step()
    assert world["fan"].angular_velocity == pytest.approx(2 * math.pi, rel=1e-5)


@every_row("value", ["strong", [1], {}, math.nan, -1, 1e300])
def test_a_strength_that_is_none_is_refused(make, value):
    world = make(ARM.format(solver="soft_step", joint="type: revolute, motor: {speed: 90}"))
    with pytest.raises(UsageError):
        world.set("j.motor.max_torque", value)
    world.step()


def test_what_breaks_at_infinity_never_breaks(run, solver):
    joint = "type: revolute, break: {force: .inf, torque: .inf}"
    trace = run(ARM.format(solver=solver, joint=joint), "j.broken", "j.force")
    assert np.isfinite(trace.values).all()
    assert trace["j"].broken.max() == 0


@every_row("kind", ["weld", "prismatic", "revolute"])
def test_a_body_that_begins_after_millions_of_turns_is_held_as_it_stands(make, solver, kind):
    """1e9 degrees are 17.5 million radians; single precision has steps of two there."""
    limits = ", limits: [0, 0]" if kind == "revolute" else ""
    world = make(
        f"""
world: {{gravity: [0, -10], sleep: false, solver: {{type: {solver}}}}}
bodies: {{arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0], angle: 1.0e+9}}}}
joints: {{j: {{type: {kind}, bodies: [world, arm]{limits}}}}}
"""
    )
    start = world["arm"].angle
    assert world.joint("j").angle == 0
    world.step(60)
    assert world["arm"].angle == pytest.approx(start, abs=1e-3)


@every_row("kind", ["wheel", "prismatic", "weld", "revolute"])
@every_row("frequency", [1e-9, 0.3, 0.6, 1, 3])
@every_row("ratio", [0, 1e-6, 1])
def test_a_spring_at_the_edge_of_a_substep_stays_finite(make, kind, frequency, ratio):
    """Substeps of an eighth of a second: 0.64 Hz and up are stepped implicitly, slower ones not.

    What a spring sees as mass changes as its body turns, so that a step may end on the other side.
    """
    world = make(
        f"""
world: {{gravity: [0, -10], dt: 0.5, sleep: false}}
bodies:
  a: {{shape: {{box: [1, 0.2]}}, position: [0.5, 2]}}
  b: {{shape: {{box: [1, 0.2]}}, position: [1.5, 2]}}
joints:
  pin: {{type: revolute, bodies: [world, a], anchor: [0, 2]}}
  j:
    type: {kind}
    bodies: [a, b]
    anchor: [1, 2]
    spring: {{frequency: {frequency}, damping_ratio: {ratio}}}
"""
    )
    world.step(20)
    assert np.isfinite(world.bodies.pose()).all()


def test_an_endless_motor_that_has_overshot_its_limits_comes_back(make):
    """A slide thrown far beyond its limits and beyond where its motor wants it."""
    world = make(
        """
world: {gravity: [0, -10], dt: 0.5, sleep: false, solver: {substeps: 1}}
bodies: {b: {shape: {box: [1, 0.2]}, position: [1.5, 2]}}
joints:
  j:
    type: distance
    bodies: [world, b]
    anchors: [[1, 2], [0.5, 0]]
    min_length: 0.5
    max_length: 2
    motor: {position: 5}
"""
    )
    for _ in range(40):
        world.step()
        assert np.isfinite(world.bodies.pose()).all()
        assert abs(world.joint("j").motor_force) < 1e9
