# SPDX-License-Identifier: MIT
"""Heavy machines on light feet: they come to rest as what they are made of would in one piece."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import Trace, loads, simulate

GRAVITY = 9.81


def landed(leg: float, speed: float, solver: str, dt: str = "=1/120") -> Trace:
    """A hull of 960 kg on two welded legs, half a millimetre above the ground."""
    return simulate(
        loads(f"""
rigid: 1
world: {{duration: 1, dt: {dt}, solver: {solver}}}
collision: {{categories: [default, ship], ignore: [[ship, ship]]}}
bodies:
  ground: {{type: static, shape: {{box: [60, 1]}}, position: [0, -0.5]}}
  hull: {{shape: {{box: [3, 1]}}, mass: 960, position: [0, 1.5505],
         velocity: [0, {-speed}], category: ship}}
  left: {{shape: {{box: [0.3, 1.1]}}, mass: {leg}, position: [-1.2, 0.5505],
         velocity: [0, {-speed}], category: ship}}
  right: {{shape: {{box: [0.3, 1.1]}}, mass: {leg}, position: [1.2, 0.5505],
          velocity: [0, {-speed}], category: ship}}
joints:
  left_weld: {{type: weld, bodies: [hull, left], anchor: [-1.2, 1.075]}}
  right_weld: {{type: weld, bodies: [hull, right], anchor: [1.2, 1.075]}}
record: {{channels: [hull, left.force, right.force, world.energy]}}
""")
    )


SOLVERS = [
    "{type: soft_step}",
    "{type: soft_step, substeps: 1}",
    "{type: soft_step, substeps: 16, joints: direct}",
    "{type: sequential_impulse}",
]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("dt", ["=1/30", "=1/60", "=1/480"])
def test_a_hull_on_light_legs_does_not_rebound(solver: str, dt: str) -> None:
    trace = landed(20, 0.65, solver, dt)
    assert trace["hull"].vy.max() < 0.02 * 0.65


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("speed", [0.1, 3, 10])
def test_landing_gives_a_hull_no_energy(solver: str, speed: float) -> None:
    energy = landed(10, speed, solver).world.energy
    assert energy.max() <= energy[0] + 1e-3 * (980 / 2) * speed**2


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("leg", [10, 20, 100])
def test_the_legs_of_a_hull_at_rest_bear_its_weight_steadily(solver: str, leg: float) -> None:
    trace = landed(leg, 0.65, solver)
    weight = (960 + 2 * leg) * GRAVITY
    late = trace.t > 0.3
    left, right = trace["left"].force[late], trace["right"].force[late]
    assert left + right == pytest.approx(np.full(left.size, weight), rel=0.02)
    assert np.ptp(left) < 0.02 * weight


@pytest.mark.parametrize("substeps", [1, 4, 8, 16])
def test_four_legs_held_by_motors_bear_alike_and_steadily(substeps: int) -> None:
    legs = {"near_back": -0.65, "near_front": 0.65, "far_back": -0.65, "far_front": 0.65}
    bodies = "".join(
        f"  {name}: {{shape: {{capsule: [[0, 0.35], [0, -0.35]], radius: 0.08}}, mass: 1.5,"
        f" position: [{x}, 0.43], category: dog}}\n"
        for name, x in legs.items()
    )
    hips = "".join(
        f"  {name}_hip: {{type: revolute, bodies: [trunk, {name}], anchor: [{x}, 0.8],"
        f" motor: {{position: 0, max_torque: 160}}}}\n"
        for name, x in legs.items()
    )
    forces = ", ".join(f"{name}.force" for name in legs)
    trace = simulate(
        loads(f"""
rigid: 1
world: {{duration: 3, dt: =1/120, solver: {{substeps: {substeps}}}}}
collision: {{categories: [default, dog], ignore: [[dog, dog]]}}
bodies:
  ground: {{type: static, shape: {{box: [30, 1]}}, position: [0, -0.5], friction: 0.9}}
  trunk: {{shape: {{box: [1.7, 0.42]}}, mass: 20, position: [0, 1], category: dog}}
{bodies}joints:
{hips}record: {{channels: [{forces}]}}
""")
    )
    late = trace.t > 2
    for name in legs:
        force = trace[name].force[late]
        assert force == pytest.approx(np.full(force.size, 26 * GRAVITY / 4), rel=0.02)
