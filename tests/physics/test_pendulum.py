# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

G = 9.81


def pendulum(solver: str, degrees: float, joint: str, more: str = "") -> str:
    a = math.radians(degrees)
    step = "dt: =1/240" if solver == "soft_step" else "dt: =1/960"
    return f"""
world: {{duration: 20, {step}, solver: {{type: {solver}}}, sleep: false}}
bodies:
  bob: {{shape: {{circle: 0.1}}, position: [{2 * math.sin(a)!r}, {-2 * math.cos(a)!r}], {more}}}
joints:
  pivot: {joint}
"""


ROD = "{type: distance, bodies: [world, bob], anchors: [[0, 0], [0, 0]]}"
HINGE = "{type: revolute, bodies: [world, bob], anchor: [0, 0]}"


def agm(a: float, b: float) -> float:
    """The arithmetic-geometric mean, which gives the pendulum's exact period."""
    for _ in range(20):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


def exact_period(degrees: float, length: float = 2.0, turning: float = 0.0) -> float:
    """T = 2 pi sqrt(l/g) / agm(1, cos(amplitude/2)); ``turning``: I/(m l) of the bob's spin."""
    small = 2 * math.pi * math.sqrt((length + turning) / G)
    return small / agm(1, math.cos(math.radians(degrees) / 2))


@pytest.mark.parametrize("degrees", [3, 45, 90, 150])
def test_a_ball_on_a_rod_has_the_period_of_a_point(run, period, solver, degrees):
    bob = run(pendulum(solver, degrees, ROD))["bob"]
    t = np.arange(len(bob.x)) * (20 / (len(bob.x) - 1))
    assert period(t, bob.x) == pytest.approx(exact_period(degrees), rel=0.005)


@pytest.mark.parametrize("degrees", [3, 90])
def test_a_ball_fixed_to_its_arm_turns_with_it(run, period, solver, degrees):
    """The physical pendulum: I = m l^2 + m r^2/2."""
    bob = run(pendulum(solver, degrees, HINGE))["bob"]
    t = np.arange(len(bob.x)) * (20 / (len(bob.x) - 1))
    expected = exact_period(degrees, turning=0.5 * 0.1**2 / 2)
    assert period(t, bob.x) == pytest.approx(expected, rel=0.005)
    np.testing.assert_allclose(np.hypot(bob.x, bob.y), 2, atol=0.005)


def test_a_hinge_reports_the_angle_of_its_pendulum(run):
    trace = run(pendulum("soft_step", 60, HINGE), "bob.angle", "pivot.angle")
    np.testing.assert_allclose(trace["pivot"].angle, trace["bob"].angle, atol=1e-4)
    assert trace["pivot"].angle.min() < -1.9


def test_a_pendulum_keeps_its_energy(run):
    text = pendulum("soft_step", 90, HINGE)
    energy = run(text, "world.energy").world.energy
    swing = G * 2 * math.pi * 0.1**2 * 1.0  # m g l, from the pivot to the lowest point
    assert abs(energy - energy[0]).max() < 0.03 * swing


def test_a_rod_pulls_with_weight_and_centripetal_force(run, solver):
    """At the lowest point after a fall from the horizontal: 3 m g."""
    trace = run(pendulum(solver, 90, ROD, "mass: 2"), "bob.x", "pivot.force")
    lowest = np.flatnonzero((trace["bob"].x[:-1] > 0) & (trace["bob"].x[1:] <= 0))[0]
    assert trace["pivot"].force[lowest] == pytest.approx(3 * 2 * G, rel=0.02)


def test_a_hanging_body_pulls_with_its_weight(run, solver):
    trace = run(pendulum(solver, 0, ROD, "mass: 2"), "pivot.force", "pivot.length")
    assert trace["pivot"].force[-1] == pytest.approx(2 * G, rel=0.001)
    assert trace["pivot"].length[-1] == pytest.approx(2, abs=0.001)
