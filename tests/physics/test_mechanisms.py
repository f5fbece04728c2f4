# SPDX-License-Identifier: MIT
"""Contacts on bodies that joints hold: what rests on a shelf or a beam rests quietly."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81
SHELF = """
world: {{duration: 5, sleep: false, solver: {{type: {solver}}}}}
bodies:
  shelf: {{shape: {{box: [4, 0.2]}}, position: [0, 1], mass: 1}}
  box: {{shape: {{box: [0.4, 0.4]}}, position: [{x}, 1.3], mass: {mass}}}
joints:
  wall: {{type: weld, bodies: [world, shelf], anchor: [0, 1]}}
"""


@every_row("mass", [0.5, 2, 5])
@every_row("x", [0, 1.5])
def test_a_box_on_a_welded_shelf_rests_quietly(run, solver, x, mass):
    text = SHELF.format(solver=solver, x=x, mass=mass)
    trace = run(text, "wall.force", "wall.torque", "box.y", "box.vy")
    weight = (1 + mass) * G
    assert trace["box"].y[-1] == pytest.approx(1.3, abs=0.02)
    assert abs(trace["box"].vy[120:]).max() < 0.05
    np.testing.assert_allclose(trace["wall"].force[120:], weight, rtol=0.05)
    assert abs(trace["wall"].torque[-1]) == pytest.approx(x * mass * G, rel=0.05, abs=0.2)


@every_row("mass", [20, 100, 1000])
@every_row("at", [0, -2])
@every_row("x", [0, 1.5])
def test_a_load_far_heavier_than_the_shelf_rests_on_it_too(run, x, at, mass):
    """Welded in its middle or at its end, a shelf of 1 kg bears a ton, to one in a thousand."""
    text = SHELF.format(solver="soft_step", x=x, mass=mass).replace(
        "anchor: [0,", f"anchor: [{at},"
    )
    trace = run(text, "wall.force", "wall.torque", "box.x", "box.y", "box.vy")
    assert abs(trace["box"].vy[60:]).max() < 0.01
    np.testing.assert_allclose(trace["wall"].force[120:], (1 + mass) * G, rtol=1e-3)
    moment = ((x - at) * mass - at) * G
    assert abs(trace["wall"].torque[-1]) == pytest.approx(moment, rel=0.02, abs=0.01 * mass)
    assert trace["box"].y[-1] == pytest.approx(1.3, abs=0.001 + 0.02 * mass / 1000)


@pytest.mark.parametrize("mass", [20, 100])
def test_a_heavy_load_rests_on_a_shelf_in_sequential_impulse(run, mass):
    text = SHELF.format(solver="sequential_impulse", x=1.5, mass=mass)
    trace = run(text, "wall.force", "box.y", "box.vy")
    assert abs(trace["box"].vy[60:]).max() < 0.02
    np.testing.assert_allclose(trace["wall"].force[120:], (1 + mass) * G, rtol=2e-3)


@every_row("held", ["limits: [0, 2]", "motor: {speed: 0, max_force: 1e6}"])
@every_row("drop", [0, 0.3])
@every_row("mass", [20, 1000])
def test_a_limit_or_a_strong_motor_bears_a_load_far_heavier_than_what_it_holds(
    run, solver, held, drop, mass
):
    trace = run(
        f"""
world: {{duration: 2, sleep: false, solver: {{type: {solver}}}}}
bodies:
  table: {{shape: {{box: [2, 0.2]}}, mass: 1}}
  load: {{shape: {{box: [0.5, 0.5]}}, position: [0.3, {0.35 + drop}], mass: {mass}}}
joints: {{lift: {{type: prismatic, bodies: [world, table], axis: [0, 1], {held}}}}}
""",
        "table.y",
        "load.vy",
        "lift.force",
    )
    assert abs(trace["table"].y).max() < 0.001
    assert abs(trace["load"].vy[60:]).max() < 0.001
    np.testing.assert_allclose(trace["lift"].force[60:], (1 + mass) * G, rtol=1e-3)


@every_row("max_force", [10, 1000])
def test_a_motor_that_a_blow_overcomes_takes_only_what_it_can_from_it(run, solver, max_force):
    """A ton at 3 m/s against a table of a kilogram: F t is what it is slowed down by."""
    trace = run(
        f"""
world: {{gravity: [0, 0], duration: 0.5, sleep: false, solver: {{type: {solver}}}}}
bodies:
  table: {{shape: {{box: [2, 0.2]}}, mass: 1}}
  load: {{shape: {{box: [0.5, 0.5]}}, position: [0, 0.36], mass: 1000, velocity: [0, -3]}}
joints:
  lift: {{type: prismatic, bodies: [world, table], axis: [0, 1],
    motor: {{speed: 0, max_force: {max_force}}}}}
""",
        "table.vy",
        "load.vy",
        "lift.motor_force",
    )
    slowed = -3 * 1000 / 1001 + max_force * 0.49 / 1001
    assert trace["load"].vy[-1] == pytest.approx(slowed, abs=0.03)
    assert trace["table"].vy.min() > -6.1
    assert abs(trace["lift"].motor_force).max() <= max_force * 1.0001


@every_row("mass", [0.1, 1, 10, 100])
def test_a_heavy_load_turns_a_light_arm_as_one_body_would(run, mass):
    """A box of side 0.4 lying without friction on the free end of a hinged arm of 1 kg: while they
    touch, (m l^2 / 3 + M d^2) alpha = (m l / 2 + M d) g for small turns."""
    text = """
world: {{duration: 0.2, dt: =1/240, sleep: false}}
defaults: {{material: {{friction: 0}}}}
bodies:
  arm: {{shape: {{box: [2, 0.02]}}, position: [1, 0], mass: 1}}
  load: {{shape: {{circle: 0.2}}, position: [0.6, 0.21], mass: {mass}}}
joints:
  hinge: {{type: revolute, bodies: [world, arm], anchor: [0, 0]}}
"""
    trace = run(text.format(mass=mass), "arm.angle", "load.y")
    turning = (1 * 2 / 2 + mass * 0.6) * G / (1 * 2**2 / 3 + mass * 0.6**2)
    fall = 0.5 * turning * 0.1**2
    # The arm alone would fall by 0.73 g, the load by g at 0.6 m: they press on each other.
    assert -trace["arm"].angle[24] == pytest.approx(fall, rel=0.03)


@pytest.mark.parametrize("friction", [0, 0.6, 1])
def test_a_seesaw_with_equal_loads_stays_level(run, friction):
    """The loads lie above the pivot, so it is not stable: it doubles any tilt in 0.65 s."""
    trace = run(
        f"""
world: {{duration: 3, sleep: false}}
defaults: {{material: {{friction: {friction}}}}}
bodies:
  plank: {{shape: {{box: [4, 0.2]}}, position: [0, 1], mass: 1}}
  left: {{shape: {{box: [0.4, 0.4]}}, position: [-1.5, 1.3], mass: 2}}
  right: {{shape: {{box: [0.4, 0.4]}}, position: [1.5, 1.3], mass: 2}}
joints:
  pivot: {{type: revolute, bodies: [world, plank], anchor: [0, 1]}}
""",
        "plank.angle",
        "pivot.force",
    )
    assert abs(trace["plank"].angle).max() < 0.03
    np.testing.assert_allclose(trace["pivot"].force[60:], 5 * G, rtol=0.05)


def test_a_beam_on_a_hinge_and_a_post_shares_its_load(run):
    """A load in the middle: half on the hinge, half on the post, which stands 3.8 m away."""
    trace = run(
        """
world: {duration: 5, sleep: false}
bodies:
  beam: {shape: {box: [4, 0.2]}, position: [0, 1], mass: 1}
  post: {type: static, shape: {segment: [[1.9, 0], [1.9, 0.9]]}, friction: 0}
  load: {shape: {box: [0.4, 0.4]}, position: [0, 1.3], mass: 2}
joints:
  hinge: {type: revolute, bodies: [world, beam], anchor: [-2, 1]}
""",
        "hinge.force",
        "beam.angle",
    )
    assert trace["hinge"].force[-1] == pytest.approx(3 * G * (1 - 2 / 3.9), rel=0.03)
    assert abs(trace["beam"].angle[-1]) < 0.01
