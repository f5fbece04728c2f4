"""Rows of welds as stiff as one likes: they keep still, and sag by what hangs on them."""

from __future__ import annotations

import numpy as np
import pytest
import rigid.core

SOLVERS = ["soft_step", "sequential_impulse"]


def row_of_welds(count: int, frequency: float, solver: str, joints: str, dt: float) -> str:
    return f"""
rigid: 1
world: {{dt: {dt!r}, duration: 3, sleep: false, solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  b: {{repeat: {{i: {count}}}, shape: {{box: [1, 0.25]}}, position: ["=i + 0.5", 0]}}
joints:
  first: {{type: weld, bodies: [world, "b[0]"], anchor: [0, 0],
    spring: &s {{frequency: {frequency}, damping_ratio: 0.5}}}}
  next: {{repeat: {{i: {count - 1}}}, type: weld, bodies: ["b[=i]", "b[=i+1]"],
    anchor: [=i+1, 0], spring: *s}}
record: {{channels: [world.energy]}}
"""


@pytest.mark.parametrize("joints", ["auto", "direct", "iterative"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("dt", [1 / 30, 1 / 60, 1 / 240])
@pytest.mark.parametrize(
    ("count", "frequency"), [(2, 120), (3, 120), (6, 60), (5, 1000), (8, 10000)]
)
def test_a_row_of_stiff_welds_never_gets_more_energy_than_it_had(
    count, frequency, dt, solver, joints
):
    trace = rigid.core.simulate(
        rigid.core.loads(row_of_welds(count, frequency, solver, joints, dt))
    )
    assert trace["world"].energy.max() <= trace["world"].energy[0] + 1e-6
    assert np.isfinite(trace["world"].energy).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stiff_weld_sags_by_its_load(solver):
    """Three boxes of 0.25 kg welded in a row: the first weld bears the moment of all of them."""
    scene = rigid.core.loads(
        row_of_welds(3, 120, solver, "auto", 1 / 60).replace(
            "channels: [world.energy]", "channels: [first.force, first.torque]"
        )
    )
    trace = rigid.core.simulate(scene)
    weight = 3 * 0.25 * 9.81
    assert trace["first"].force[-1] == pytest.approx(weight, rel=1e-3)
    assert abs(trace["first"].torque[-1]) == pytest.approx(weight * 1.5, rel=2e-3)
