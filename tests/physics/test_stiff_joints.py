# SPDX-License-Identifier: MIT
"""Rows of welds of any stiffness: they stay at rest and sag by their load."""

from __future__ import annotations

import numpy as np
import pytest
import rigid2d.core

from tests.rows import every_row

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


@every_row("joints", ["auto", "direct", "iterative"])
@every_row("solver", SOLVERS)
@every_row("dt", [1 / 30, 1 / 60, 1 / 240])
@every_row(("count", "frequency"), [(2, 120), (3, 120), (6, 60), (5, 1000), (8, 10000)])
def test_a_row_of_stiff_welds_never_gets_more_energy_than_it_had(
    count, frequency, dt, solver, joints
):
    trace = rigid2d.core.simulate(
        rigid2d.core.loads(row_of_welds(count, frequency, solver, joints, dt))
    )
    assert trace["world"].energy.max() <= trace["world"].energy[0] + 1e-6
    assert np.isfinite(trace["world"].energy).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stiff_weld_sags_by_its_load(solver):
    """Three boxes of 0.25 kg welded in a row: the first weld bears the moment of all of them."""
    scene = rigid2d.core.loads(
        row_of_welds(3, 120, solver, "auto", 1 / 60).replace(
            "channels: [world.energy]", "channels: [first.force, first.torque]"
        )
    )
    trace = rigid2d.core.simulate(scene)
    weight = 3 * 0.25 * 9.81
    assert trace["first"].force[-1] == pytest.approx(weight, rel=1e-3)
    assert abs(trace["first"].torque[-1]) == pytest.approx(weight * 1.5, rel=2e-3)


JERKED = """\
rigid: 1
world: {dt: 1}
bodies:
  b0: {position: [-2.4, 2.41], restitution: 1, shape: {box: [20, 1]}}
  b1: {position: [0, 1], shape: {box: [20, 1]}, velocity: [-19.251542779329, 2000]}
  b2: {inertia: 1, mass: 1, position: [0, -1.827443784156], velocity: [9.84, 14.504281724486],
       shape: {chain: [[8, -1], [4.8, 0.044299171346], [1.6, -0.23], [-1.6, 0],
                       [-4.8, 0.805472228029], [-8, 0.34]], side: left}}
  floor: {position: [0, -1], shape: {box: [20, 1]}, type: static}
  curved: {shape: {chain: {path: M -2 0 Q 0 -2 2 0 T 1 1 a 2 -2 30 1 0 .5 -.5}}, type: static}
joints:
  mouse: {body: b0, type: mouse}
  wheel: {bodies: [b1, b0], motor: {max_torque: 100, speed: -76}, type: wheel}
actuators:
  spin: {body: b2, max_torque: 5, speed: -419.45, type: rotary_motor}
  kick: {body: b2, impulse: [0, 15.79], start: 0.1, type: impulse}
prototypes:
  pair:
    bodies:
      a: {shape: {box: [0.4, 0.2]}}
      b: {position: [1, 0], shape: {circle: 0.2}}
    joints: {pin: {bodies: [a, b], type: revolute}}
instances: {p: {at: [-1.4992469976690126, 3], repeat: {k: 2}, use: pair}}
controls: {up: kick}
inputs: [{from: 0, key: up, to: 0.3}, {at: 0, set: {world.gravity: [0, 5]}}]
"""


def test_a_motor_that_only_the_repeated_step_finds_overloaded_keeps_all_joints() -> None:
    world = rigid2d.core.build(rigid2d.core.loads(JERKED))
    world.step(3)
    assert world.frame().joint_broken.tolist() == [False] * 4
