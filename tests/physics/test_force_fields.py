# SPDX-License-Identifier: MIT
"""Fields: forces by place and time, against closed forms."""

from __future__ import annotations

from math import cos, hypot, pi

import pytest
from rigid2d.core.errors import SceneError, SimulationError

from tests.rows import every_row

SPRING = """
world: {{gravity: [0, 0], dt: =1/240, solver: {{type: {solver}}}}}
vars: {{k: 4}}
defaults: {{body: {{collide: false}}}}
bodies:
  b: {{repeat: {{i: 3}}, shape: {{circle: 0.1}}, mass: 1, position: [=i + 1, 0], velocity: [0, 1]}}
actuators:
  pull: {{type: field, body: b, field: {field}}}
"""


def test_a_field_that_grows_with_the_distance_is_an_oscillator(make, solver):
    world = make(SPRING.format(solver=solver, field="[=-k*x, =-k*y]"))
    steps = round(pi * 240)
    world.step(steps)
    for i in range(3):
        body = world[f"b[{i}]"]
        assert body.x == pytest.approx((i + 1) * cos(2 * steps / 240), abs=2e-3)
        energy = 0.5 * hypot(*body.velocity) ** 2 + 2 * (body.x**2 + body.y**2)
        assert energy == pytest.approx(0.5 + 2 * (i + 1) ** 2, rel=1e-3)


def test_a_field_by_time_is_that_of_the_middle_of_a_step(make, solver):
    world = make(SPRING.format(solver=solver, field="['=cos(3*t)', 0]"))
    world.step(240)
    assert world["b[0]"].x == pytest.approx(1 + (1 - cos(3)) / 9, abs=1e-4)


def test_a_field_may_speak_of_velocity_and_mass(make, solver):
    text = SPRING.format(solver=solver, field="[=-mass*vy, =mass*vx]")
    world = make(text)
    world.step(240)  # turns velocities by a radian a second
    assert hypot(*world["b[0]"].velocity) == pytest.approx(1, rel=5e-3)
    assert world["b[0]"].velocity[1] == pytest.approx(cos(1), abs=1e-2)


def test_a_field_ends_when_it_is_switched_off(make):
    world = make(SPRING.format(solver="soft_step", field="[=-k*x, =-k*y]"))
    world.step(60)
    world.set("pull.enabled", False)
    velocity = world["b[1]"].velocity
    world.step(60)
    assert world["b[1]"].velocity == pytest.approx(velocity)


def test_a_forked_and_a_restored_world_have_the_same_field(make, solver):
    text = SPRING.format(solver=solver, field="[=-k*x, =-k*y + t]")
    world = make(text)
    world.step(50)
    state, fork = world.save(), world.fork()
    world.step(20)
    fork.step(20)
    other = make(text, lanes=4)
    other.restore(state)
    other.step(20)
    assert world.state_hash() == fork.state_hash() == other.state_hash()


def test_a_field_without_a_value_stops_the_run(make):
    world = make(SPRING.format(solver="soft_step", field="['=1/(t - t)', 0]"))
    with pytest.raises(SimulationError, match="the field 'pull' has no value at t = 0"):
        world.step(1)


@every_row(
    ("field", "message"),
    [
        ("[=z, 0]", "a field knows x, y, t, vx, vy, mass and the scene's vars, and no `z`"),
        ("=x", "must be two expressions"),
        ("['=uniform(0, 1)', 0]", "no random functions"),
        ("['=sin(', 0]", "a value is missing"),
        ("[left, 0]", "must be a number"),
    ],
)
def test_what_is_wrong_with_a_field_is_told(make, field, message):
    with pytest.raises(SceneError) as caught:
        make(SPRING.format(solver="soft_step", field=field))
    assert any(message in problem.message for problem in caught.value.problems)
