# SPDX-License-Identifier: MIT
"""`clamp` and `external_force` of the engine's sequential_impulse: what the documents warn of."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import build, load, loads

SCENES = Path(__file__).parents[2] / "scenes"

CUBE_AGAINST_WALL = """
rigid: 1
name: cube
units: screen
world:
  dt: 50
  gravity: [0, 0.00015]
  sleep: false
  solver: {{type: sequential_impulse, iterations: 100, warm_start: false,
            position_correction: false, friction_limit: gravity, clamp: {clamp}}}
materials: {{m: {{restitution: 1, friction: 1}}}}
defaults: {{material: m}}
bodies:
  cube: {{shape: {{box: [140, 140]}}, mass: 1, gravity_scale: 0, velocity: [0.1, 0]}}
  wall: {{type: static, shape: {{box: [100, 400]}}, position: [119.999, 17]}}
"""


@pytest.mark.parametrize(
    ("clamp", "v", "omega"),
    [("accumulated", (-0.1, 0), 0), ("each", (-0.103336, 0.003336), 4.7657e-5)],
)
def test_the_clamp_decides_how_the_cube_leaves_the_wall(clamp, v, omega):
    """Document 000, part 3: `Example2` and `Example3`, in the engine itself."""
    world = build(loads(CUBE_AGAINST_WALL.format(clamp=clamp)))
    world.step()
    cube = world["cube"]
    assert cube.velocity[0] == pytest.approx(v[0], abs=2e-6)
    assert abs(cube.velocity[1]) == pytest.approx(v[1], abs=2e-6)
    assert abs(cube.angular_velocity) == pytest.approx(omega, abs=2e-8)


def test_without_any_clamp_bodies_glue_together():
    """Document 000, part 3, ResolverHelper0: impulses that pull."""
    ends = []
    for clamp in ("accumulated", "none"):
        world = build(loads(CUBE_AGAINST_WALL.format(clamp=clamp)))
        world.step()
        ends.append(world["cube"].velocity[0])
    assert ends[0] == pytest.approx(-0.1, abs=1e-6)
    assert ends[1] > -0.05


BALL = """
rigid: 1
name: ball
units: screen
world:
  dt: 50
  steps: 400
  gravity: [0, 0.001]
  sleep: false
  solver: {{type: sequential_impulse, position_correction: false, external_force: {force}}}
materials: {{m: {{restitution: 0.9, friction: 0}}}}
defaults: {{material: m}}
bodies:
  table: {{type: static, shape: {{box: [400, 4000]}}, position: [0, 2000]}}
  ball: {{shape: {{circle: 15}}, position: [0, -35]}}
"""


def heights(force, steps=400):
    """How high above the table's face the ball is after each step, dropped from 20 px."""
    world = build(loads(BALL.format(force=force)))
    found = []
    for _ in range(steps):
        world.step()
        found.append(-15 - world["ball"].position[1])
    return found


def test_forces_before_the_constraints_make_a_ball_bounce_ever_higher():
    """Document 000, part 3, ResolverHelper3, variant 1; at 50 ms it ends far above 20 px."""
    found = heights("before")
    assert max(found[-100:]) > 2 * 20
    assert max(found[-100:]) > max(found[:50]) + 5


def test_forces_between_constraints_and_loop_let_a_ball_come_to_rest():
    """Document 000, part 3, ResolverHelper3, variant 2."""
    found = heights("between")
    assert max(found) < 20.01
    assert max(found[-100:]) - min(found[-100:]) < 0.1
    assert abs(found[-1]) < 5


def test_forces_after_the_loop_let_a_ball_fall_through_the_table():
    """Document 000, part 3, ResolverHelper3, variant 3."""
    found = heights("after", 1000)
    assert found[-1] < found[700] - 5 < found[400] - 10
    assert found[-1] < -50


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("clamp: twice", "accumulated, each, none"),
        ("external_force: never", "before, between, after"),
    ],
)
def test_a_word_that_an_option_does_not_know_is_an_error(setting, words):
    text = BALL.format(force="between").replace("external_force: between", setting)
    with pytest.raises(Exception, match=words.split(", ")[1]):
        loads(text)


@pytest.mark.parametrize("force", ["between", "after"])
def test_a_ball_bounces_as_in_one_dimension_by_hand(force: str) -> None:
    """Its speed at a step's start is turned where the gap is below 2 px, then gravity acts, and it
    moves by the mean of both."""
    gravity, dt, gap, restitution = 0.001, 50.0, 2.0, 0.9
    setting = f"world.solver.external_force={force}"
    world = build(load(SCENES / "solvers/external_force.yaml", overrides=[setting]))
    y, speed = -35.0, 0.0
    for _ in range(40):
        world.step()
        if y + 15.0 >= -gap and speed > 0.0:
            speed = -restitution * speed
        y += dt * (speed + 0.5 * gravity * dt)
        speed += gravity * dt
        assert world["ball"].y == pytest.approx(y, abs=1e-3)
