# SPDX-License-Identifier: MIT
"""Bodies wedged in a gap: their velocity equals their motion."""

from __future__ import annotations

import pytest

from tests.rows import every_row

GAP = """
world: {{duration: 5, sleep: false, solver: {{type: {solver}}}}}
bodies:
  left: {{type: static, shape: {{box: [1, 4]}}, position: [-1, 0]}}
  right: {{type: static, shape: {{box: [1, 4]}}, position: [1, 0]}}
  box: {{shape: {{box: [{width}, 1]}}}}
  load: {{shape: {{box: [0.9, 1]}}, position: [0, 1], mass: {mass}}}
"""


@every_row("mass", [0.01, 100])
@every_row("width", [1.02, 1.06, 1.1, 1.2])
@every_row("friction", [0, 0.5, 2])
def test_a_wedged_body_moves_as_fast_as_its_velocity_says(make, solver, width, mass, friction):
    text = GAP.format(solver=solver, width=width, mass=mass)
    world = make(text + f"defaults: {{body: {{friction: {friction}}}}}\n")
    box = world["box"]
    for _ in range(60):
        world.step()
    y, expected = box.position[1], 0.0
    for _ in range(30):
        world.step()
        expected += world.scene.world.dt * box.velocity[1]
    assert box.position[1] - y == pytest.approx(expected, rel=0.03, abs=0.02)
