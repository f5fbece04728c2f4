"""Contacts on bodies that joints hold: what rests on a shelf or a beam rests quietly."""

from __future__ import annotations

import numpy as np
import pytest

G = 9.81
SHELF = """
world: {{duration: 5, sleep: false, solver: {{type: {solver}}}}}
bodies:
  shelf: {{shape: {{box: [4, 0.2]}}, position: [0, 1], mass: 1}}
  box: {{shape: {{box: [0.4, 0.4]}}, position: [{x}, 1.3], mass: {mass}}}
joints:
  wall: {{type: weld, bodies: [world, shelf], anchor: [0, 1]}}
"""


@pytest.mark.parametrize("mass", [0.5, 2, 5])
@pytest.mark.parametrize("x", [0, 1.5])
def test_a_box_on_a_welded_shelf_rests_quietly(run, solver, x, mass):
    text = SHELF.format(solver=solver, x=x, mass=mass)
    trace = run(text, "wall.force", "wall.torque", "box.y", "box.vy")
    weight = (1 + mass) * G
    assert trace["box"].y[-1] == pytest.approx(1.3, abs=0.02)
    assert abs(trace["box"].vy[120:]).max() < 0.05
    np.testing.assert_allclose(trace["wall"].force[120:], weight, rtol=0.05)
    assert abs(trace["wall"].torque[-1]) == pytest.approx(x * mass * G, rel=0.05, abs=0.2)


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
