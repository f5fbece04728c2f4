# SPDX-License-Identifier: MIT
"""Pairs that are far apart are left alone until they can have come near; nothing is missed."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads

from tests.rows import every_row

SCENE = """
rigid: 1
world: {gravity: [0, 0], solver: SOLVER, steps: 10}
defaults: {material: {friction: 0, restitution: 0}}
bodies:
  wall: {type: static, shape: {box: [1, 4]}, position: [2.06, 0]}
  a: {shape: {box: [1, 1]}, position: [0, 0], sleep: false}
  b: {shape: {box: [1, 1]}, position: [1.05, 0], sleep: false}
"""


def world(solver: str) -> World:
    return World(loads(SCENE.replace("SOLVER", f"{{type: {solver}}}")))


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_a_pair_meets_that_has_rested_apart_and_is_then_pushed(solver: str) -> None:
    pushed = world(solver)
    pushed.step(30)
    pushed["a"].velocity = (0.6, 0)
    pushed.step(12)
    a, b = pushed["a"], pushed["b"]
    assert a.position[0] == pytest.approx(0.06, abs=0.005)
    assert b.position[0] == pytest.approx(1.06, abs=0.005)


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_a_body_set_into_another_it_was_apart_from_is_pushed_out(solver: str) -> None:
    moved = world(solver)
    moved.step(30)
    moved["a"].position = (0.1, 0)
    moved.step(60)
    a, b = moved["a"], moved["b"]
    assert b.position[0] - a.position[0] > 0.97


@every_row("speed", [0.1, 3.0, 50.0, 400.0])
def test_the_instant_of_a_meeting_does_not_depend_on_how_long_it_was_apart(speed: float) -> None:
    met = []
    for wait in (0, 40):
        free = world("soft_step")
        free.step(wait)
        free["a"].velocity = (speed, 0)
        free.step(60)
        met.append(free["b"].position)
    assert met[0] == met[1]
