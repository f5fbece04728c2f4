# SPDX-License-Identifier: MIT
"""Document 000, part 3, ResolverHelper3: a ball on a table, with gravity in three places of a step.

In one dimension, g = 0.001 px/ms^2, e = 0.9, dropped by 20 px, without position correction."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core.solvers import SOLVERS, Bodies, Contact, Memory, Settings, System

from tests.search import tries


def heights(external_force: str, dt: float, steps: int) -> list[float]:
    """How high the ball is above the table after each step of the documents' loop."""
    ball = Bodies(
        X=np.array([[0.0, 0, 0], [0, -20, 0]]),
        V=np.zeros((2, 3)),
        F=np.array([[0.0, 0, 0], [0, 0.001, 0]]),
        inverse_mass=np.array([[0.0, 0, 0], [1, 1, 0]]),
    )

    def touching(_outlines: object) -> list[Contact]:
        depth = float(ball.X[1, 1])
        return [Contact(1, 0, (0.0, depth), (0.0, 1.0), depth, 0.0, 0.9)] if depth >= 0 else []

    settings = Settings(dt=dt, position_correction=False, external_force=external_force)  # type: ignore[arg-type]
    memory, found = Memory(), []
    for _ in range(steps):
        SOLVERS["sequential_impulse"](System(ball, touching, settings, memory=memory))
        found.append(-float(ball.X[1, 1]))
    return found


@pytest.mark.parametrize(("dt", "height"), [(10, 4), (20, 17), (50, 98)])
def test_forces_before_the_constraints_end_in_a_steady_bounce(dt, height):
    found = heights("before", dt, 20000 // dt * 2)
    assert max(found[-10000 // dt :]) == pytest.approx(height, rel=0.15)


@pytest.mark.parametrize("dt", [50, 20, 10][: tries(2, 3)])
def test_forces_between_constraints_and_loop_let_the_bounces_decay(dt):
    found = heights("between", dt, 20000 // dt)
    assert max(found[-5000 // dt :]) < 2
    assert min(found) > -10
    assert math.isclose(found[-1], found[-2], abs_tol=1e-9)


@pytest.mark.parametrize("dt", [50, 20, 10][: tries(2, 3)])
def test_forces_after_the_loop_let_the_ball_fall_through(dt):
    found = heights("after", dt, 40000 // dt)
    assert found[-1] < -20
    assert found[-1] < found[-200] < found[-400]
