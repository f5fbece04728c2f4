# SPDX-License-Identifier: MIT
"""Springs of every joint that has one, against the closed form of the steps that are taken."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

ALONG = ["distance", "prismatic", "wheel"]


def sprung(make, kind, first, second, frequency=True, **options):
    """A body of mass 2 (inertia 2) on a spring that has its rest at 0, and how to look at it."""
    b = make(**options)
    given = {"spring_kind": 1 if frequency else 2, "spring_1": first, "spring_2": second}
    if kind == "distance":
        body = b.body(5, 0, mass=2, inertia=2)
        b.joint(kind, 0, body, length=5, **given)
        return b, body, lambda: b.world.x[body] - 5
    body = b.body(0, 0, mass=2, inertia=2)
    b.joint(kind, 0, body, (0, 0), **given)
    if kind == "revolute":
        return b, body, lambda: b.world.angle[body]
    return b, body, lambda: b.world.x[body]


def pushed(b, body, speed=1.0):
    """Given a speed along x and a spin, of which each joint leaves what it lets move."""
    b.world.set_velocity(body, speed, 0, speed)


@every_row("ratio", [0.0, 0.1, 0.7, 1.5])
@every_row("kind", [*ALONG, "revolute"])
def test_sequential_impulse_steps_a_spring_as_the_implicit_step_does(bench, kind, ratio):
    """v' = (v - h k x/m) / (1 + h c/m + h h k/m), x' = x + h v', to the end."""
    h, rate = 1 / 60, 2 * math.pi * 1.5
    b, body, look = sprung(bench, kind, 1.5, ratio, solver="sequential_impulse", dt=h)
    pushed(b, body)
    x, v, expected = 0.0, 1.0, [0.0]
    for _ in range(180):
        v = (v - h * rate**2 * x) / (1 + 2 * h * ratio * rate + h * h * rate**2)
        x += h * v
        expected.append(x)
    np.testing.assert_allclose(b.watch(3, look), expected, atol=2e-5)


@every_row("frequency", [0.5, 1.0, 4.0])
@every_row("kind", [*ALONG, "revolute"])
def test_an_undamped_spring_neither_gains_nor_loses_in_soft_step(bench, kind, frequency):
    """After 10 s at steps of 1/60 s its swing is v / w as at first."""
    b, body, look = sprung(bench, kind, frequency, 0)
    pushed(b, body)
    swing = abs(b.watch(10, look))
    amplitude = 1 / (2 * math.pi * frequency)
    cycle = round(60 / frequency)
    tolerance = 0.02 if frequency < 4 else 0.08  # 15 steps in a cycle miss its very top
    assert swing[:cycle].max() == pytest.approx(amplitude, rel=tolerance)
    assert swing[-4 * cycle :].max() == pytest.approx(amplitude, rel=tolerance)


@every_row("ratio", [0.05, 0.2, 0.5])
@every_row("kind", [*ALONG, "revolute"])
def test_a_damped_spring_swings_as_the_closed_form_in_soft_step(bench, kind, ratio):
    """x = v/w' exp(-z w t) sin(w' t) with w' = w sqrt(1 - z^2), at steps of 1/240 s."""
    b, body, look = sprung(bench, kind, 1, ratio, dt=1 / 240)
    pushed(b, body)
    rate = 2 * math.pi
    damped = rate * math.sqrt(1 - ratio**2)
    t = np.arange(4 * 240 + 1) / 240
    expected = np.exp(-ratio * rate * t) * np.sin(damped * t) / damped
    np.testing.assert_allclose(b.watch(4, look), expected, atol=0.01 / damped)


@pytest.mark.parametrize("kind", ["prismatic", "wheel", "distance"])
@pytest.mark.parametrize("masses", [(1, 3), (5, 5)])
def test_a_frequency_is_that_of_the_pair(bench, solver, kind, masses):
    """Two free bodies swing against each other with the reduced mass, at the frequency given."""
    b = bench(solver=solver, dt=1 / 1920)
    first, second = (b.body(i, 0, mass=m, inertia=m) for i, m in enumerate(masses))
    anchors = {"length": 1} if kind == "distance" else {"anchor_ax": 1}
    b.joint(kind, first, second, spring_kind=1, spring_1=2, **anchors)
    b.world.set_velocity(second, 1, 0, 0)
    gap = b.watch(3, lambda: b.world.x[second] - b.world.x[first] - 1)
    up = np.flatnonzero((gap[:-1] < 0) & (gap[1:] >= 0))
    assert np.diff(up).mean() / 1920 == pytest.approx(0.5, rel=0.005)


@every_row("kind", ALONG)
@every_row("dt", [1 / 30, 1 / 60, 1 / 240])
def test_a_sag_does_not_depend_on_the_step(bench, solver, kind, dt):
    """A load of 2 g on k sags by 2 g / k, to a thousandth."""
    b, _, look = sprung(bench, kind, 300, 40, False, solver=solver, dt=dt, gravity=(9.81, 0))
    assert b.watch(8, look)[-1] == pytest.approx(2 * 9.81 / 300, rel=1e-3)


@every_row("kind", ALONG)
def test_the_stiffest_springs_do_not_explode(bench, solver, kind):
    """1e6 N/m on 2 kg swings 112 times a second, faster than the steps of 1/60 s."""
    b, body, look = sprung(bench, kind, 1e6, 0, False, solver=solver, gravity=(9.81, 0))
    pushed(b, body, 0.5)
    seen = abs(b.watch(5, look))
    assert seen.max() < 0.1
    assert seen[-60:].max() < 0.01


def test_a_spring_is_set_while_the_world_runs(bench, solver):
    b, _, look = sprung(
        bench, "prismatic", 100, 30, False, solver=solver, gravity=(9.81, 0), dt=1 / 240
    )
    assert b.watch(5, look)[-1] == pytest.approx(2 * 9.81 / 100, rel=1e-3)
    b.world.set_spring(0, 2, 400, 30)
    assert b.watch(5, look)[-1] == pytest.approx(2 * 9.81 / 400, rel=1e-3)
    b.world.set_spring(0, 1, 1.0, 1.0)
    assert b.watch(8, look)[-1] == pytest.approx(9.81 / (2 * math.pi) ** 2, rel=1e-3)
