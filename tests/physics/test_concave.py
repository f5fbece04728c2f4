"""Bodies that are concave, or made of several shapes: their parts act as the one body they are."""

from __future__ import annotations

import pytest

U = "[[-0.5,-0.3], [0.5,-0.3], [0.5,0.3], [0.3,0.3], [0.3,-0.1], [-0.3,-0.1], [-0.3,0.3], [-0.5,0.3]]"

FLAT = """
world: {{gravity: [0, 0], duration: 1, solver: {{type: {solver}}}}}
bodies:
  floor: {{type: static, shape: {{box: [4, 1]}}, position: [{beside}, -0.5]}}
  body: {{shape: {{polygon: {shape}}}, position: [0, {height}], angle: {angle}}}
"""


@pytest.mark.parametrize("tilt", [-0.3, 0.3])
@pytest.mark.parametrize("side", [0, 90, 180, 270])
@pytest.mark.parametrize("beside", [-1.8, -1, 0, 1, 1.8])
def test_a_floor_pushes_no_part_along_itself(make, solver, beside, side, tilt):
    height = 0.29 if side % 180 == 0 else 0.49
    world = make(
        FLAT.format(solver=solver, beside=beside, shape=U, height=height, angle=side + tilt)
    )
    world.step()
    _, rows = world.native.contacts()
    assert len(rows) > 0
    for _, _, nx, ny, separation in rows[:, :5].tolist():
        assert abs(nx) < 0.01
        assert ny > 0.99
        assert -0.02 < separation < 0.005
