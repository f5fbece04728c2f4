# SPDX-License-Identifier: MIT
"""Manifolds hold while their bodies hardly move; their points follow the motion."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import World, loads

SCENE = """
rigid: 1
world: {solver: SOLVER, steps: 10}
bodies:
  floor: {type: static, shape: {box: [4, 1]}, position: [0, -0.5]}
  boxes:
    repeat: {i: COUNT}
    shape: {box: [1, 0.5]}
    position: [=0.004 * i, =0.25 + 0.5 * i]
    angle: =0.01 * (i % 3 - 1)
    sleep: false
"""

SOLVERS = ["soft_step", "sequential_impulse"]


def stack(solver: str, count: int = 8, sleep: str = "false") -> World:
    text = SCENE.replace("SOLVER", f"{{type: {solver}}}").replace("COUNT", str(count))
    return World(loads(text.replace("sleep: false", f"sleep: {sleep}")))


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_points_of_a_settling_stack_follow_its_motion(solver: str) -> None:
    world = stack(solver)
    for _ in range(200):
        (x, y), angle = world["boxes[0]"].position, world["boxes[0]"].angle
        sine, cosine = math.sin(angle), math.cos(angle)
        corners = sorted(
            (x + cosine * side + 0.25 * sine, y + sine * side - 0.25 * cosine)
            for side in (-0.5, 0.5)
        )
        world.step()
        points = sorted(
            (contact.point_b[0], contact.separation)
            for contact in world.query.contacts()
            if contact.a == "floor"
        )
        if len(points) < 2:
            continue
        for (at, separation), (corner, height) in zip(points, corners, strict=True):
            assert separation == pytest.approx(height, abs=2e-6)
            assert at == pytest.approx(corner, abs=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("place", [(0.0, -1.5), (9.0, -0.5)])
def test_a_floor_that_is_placed_elsewhere_holds_nothing(
    solver: str, place: tuple[float, float]
) -> None:
    world = stack(solver, count=1)
    world.step(120)
    before = world["boxes[0]"].position[1]
    world["floor"].position = place
    world.step(12)
    assert world["boxes[0]"].position[1] == pytest.approx(before - 0.5 * 9.81 * 0.2**2, abs=0.02)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stack_that_rests_goes_on_alike_from_any_step(solver: str) -> None:
    world = stack(solver)
    for steps in (1, 40, 7, 1, 90):
        world.step(steps)
        other = stack(solver)
        other.restore(world.save())
        world.step(3)
        other.step(3)
        assert world.save() == other.save()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stack_that_sleeps_and_is_woken_goes_on_like_one_that_is_restored(solver: str) -> None:
    world = stack(solver, sleep="true")
    world.step(600)
    assert not world["boxes[0]"].awake
    other = world.fork()
    for one in (world, other):
        one["boxes[7]"].velocity = (0.5, 0)
        one.step(30)
    assert world.save() == other.save()
    assert world["boxes[7]"].position[0] > 0.03
