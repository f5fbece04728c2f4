# SPDX-License-Identifier: MIT
"""Bodies on kinematic bodies: their contact forces and their motion."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import _native

from tests.rows import every_row

from .conftest import GRAVITY

LIFT = """
world: {{dt: {dt}, solver: {{type: {solver}}}}}
bodies:
  lift: {{type: kinematic, shape: {{box: [4, 0.2]}}, position: [0, -0.1], velocity: [0, {v}]}}
  box: {{shape: {{box: [1, 1]}}, mass: 1, position: [0, 0.5], velocity: [0, {v}], {box}}}
  {other}
"""


def force(world, name):
    """The contact force on a body in the last step."""
    code = _native.CHANNELS["body.force"][0]
    return float(world.native.sample(np.array([[code, world[name].row + 1]], dtype=np.int32))[0])


def ride(make, acceleration, *, dt=1 / 60, solver="soft_step", v=3.3, box="", other="", time=0.5):
    """The force on the box in each step, while the lift's speed changes evenly; and the world."""
    world = make(LIFT.format(dt=dt, solver=solver, v=v, box=box, other=other))
    world.step(max(2, round(0.2 / dt)))
    forces = []
    for _ in range(round(time / dt)):
        v += acceleration * dt
        world["lift"].velocity = (0, v)
        world.step()
        forces.append(force(world, "box"))
    return np.array(forces), world


@every_row("dt", [1 / 30, 1 / 60, 1 / 240, 1 / 1000])
@every_row("acceleration", [-8, -3.3, -0.5, 2, 5])
def test_the_force_on_a_lift_is_that_of_weight_and_acceleration(make, solver, acceleration, dt):
    forces, _ = ride(make, acceleration, dt=dt, solver=solver)
    np.testing.assert_allclose(forces[3:], GRAVITY + acceleration, atol=0.1)


def test_a_scale_on_a_slowing_lift_bears_all_that_stands_on_it(make):
    """Three boxes of 1 kg; the lowest bears all, and is pressed by those above it as well."""
    other = (
        "top: {repeat: {i: 2}, shape: {box: [1, 1]}, mass: 1, position: [0, =1.5 + i], "
        "velocity: [0, 3.3]}"
    )
    forces, world = ride(make, -3.3, other=other)
    pressed = GRAVITY - 3.3
    np.testing.assert_allclose(forces[5:], (3 + 2) * pressed, rtol=0.05)
    assert force(world, "top[1]") == pytest.approx(pressed, rel=0.05)


@pytest.mark.parametrize("restitution", [0, 0.5, 0.9])
def test_nothing_bounces_on_a_lift_that_slows_down(make, restitution):
    forces, world = ride(make, -3.3, box=f"restitution: {restitution}")
    np.testing.assert_allclose(forces[3:], GRAVITY - 3.3, atol=0.1)
    assert world["box"].y - world["lift"].y == pytest.approx(0.6, abs=1e-3)


def test_a_lift_that_stops_at_once_lets_go_of_what_it_carries(make):
    """From there it flies: v^2 / 2 g."""
    world = make(LIFT.format(dt=1 / 240, solver="soft_step", v=3.3, box="", other=""))
    world.step(48)
    start = world["box"].y
    world["lift"].velocity = (0, 0)
    highest = start
    for _ in range(240):
        world.step()
        highest = max(highest, world["box"].y)
    assert highest - start == pytest.approx(3.3**2 / (2 * GRAVITY), rel=0.005)


def test_a_lift_that_falls_faster_than_bodies_do_leaves_them(make):
    """At 2 g there is nothing on the box, and it falls as it would alone."""
    world = make(LIFT.format(dt=1 / 240, solver="soft_step", v=0, box="", other=""))
    world.step(48)
    v = 0.0
    for _ in range(60):
        v -= 2 * GRAVITY / 240
        world["lift"].velocity = (0, v)
        world.step()
        assert force(world, "box") == pytest.approx(0, abs=1e-3)
    assert world["box"].velocity[1] == pytest.approx(-GRAVITY * 60 / 240, rel=1e-4)


def test_what_is_on_a_lift_goes_where_the_lift_goes(make):
    """A soft start, and a soft stop: nothing is lost of the height."""
    text = LIFT.format(dt=1 / 60, solver="soft_step", v=0, box="", other="") + (
        "animations: {ride: {type: once, duration: 2, easing: smooth, "
        "tracks: {lift.position: [[0, [0, -0.1]], [1, [0, 1.9]]]}}}"
    )
    world = make(text)
    world.step(150)
    assert world["box"].y == pytest.approx(2.5, abs=1e-3)


def test_a_turning_floor_that_slows_down_carries_on(make):
    """A plank that turns about its middle, with a box 1 m from there: at the start it moves up and
    down only, and the force is m (g + a)."""
    world = make(
        """
world: {dt: 0.005}
bodies:
  plank: {type: kinematic, shape: {box: [4, 0.2]}, position: [0, -0.1], angular_velocity: 0.4 rad/s}
  box: {shape: {box: [0.2, 0.2]}, mass: 1, position: [1, 0.1], velocity: [0, 0.4],
        angular_velocity: 0.4 rad/s}
"""
    )
    world.step(10)
    omega, forces = 0.4, []
    for _ in range(40):
        omega -= 3 * 0.005
        world["plank"].angular_velocity = omega
        world.step()
        forces.append(force(world, "box"))
    np.testing.assert_allclose(forces[5:], GRAVITY - 3, atol=0.3)


@pytest.mark.parametrize("speed", [0.5, -2])
def test_a_belt_presses_no_harder_than_a_floor(make, speed):
    world = make(
        "bodies:\n"
        "  belt: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], "
        f"tangent_speed: {speed}}}\n"
        "  box: {shape: {box: [1, 1]}, mass: 2, position: [0, 0.5]}"
    )
    world.step(30)
    for _ in range(100):
        world.step()
        assert force(world, "box") == pytest.approx(2 * GRAVITY, rel=0.01)
