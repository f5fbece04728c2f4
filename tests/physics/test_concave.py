# SPDX-License-Identifier: MIT
"""Bodies that are concave, or made of several shapes: their parts act as the one body they are."""

from __future__ import annotations

import math

import numpy as np

from tests.rows import every_row
from tests.search import tries

U = (
    "[[-0.5,-0.3], [0.5,-0.3], [0.5,0.3], [0.3,0.3], "
    "[0.3,-0.1], [-0.3,-0.1], [-0.3,0.3], [-0.5,0.3]]"
)

FLAT = """
world: {{gravity: [0, 0], duration: 1, solver: {{type: {solver}}}}}
bodies:
  floor: {{type: static, shape: {{box: [4, 1]}}, position: [{beside}, -0.5]}}
  body: {{shape: {{polygon: {shape}}}, position: [0, {height}], angle: {angle}}}
"""


@every_row("tilt", [-0.3, 0.3])
@every_row("side", [0, 90, 180, 270])
@every_row("beside", [-1.8, -1, 0, 1, 1.8])
def test_a_floor_pushes_no_part_along_itself(make, solver, beside, side, tilt):
    height = 0.29 if side % 180 == 0 else 0.49
    world = make(
        FLAT.format(solver=solver, beside=beside, shape=U, height=height, angle=side + tilt)
    )
    world.step()
    rows = world.native.contacts()
    assert len(rows) > 0
    assert (abs(rows["normal_x"]) < 0.01).all()
    assert (rows["normal_y"] > 0.99).all()
    assert (rows["separation"] > -0.02).all()
    assert (rows["separation"] < 0.005).all()


ARROW = "shape: {polygon: [[-0.4,-0.4], [0.4,-0.4], [0.4,0.4], [0,-0.2]]}"
ANGLE = "shape: {polygon: [[-0.5,-0.5], [0.5,-0.5], [0.5,0], [0,0], [0,0.5], [-0.5,0.5]]}"
STAR = (
    "shape: {polygon: [[0,0.5], [-0.12,0.15], [-0.5,0.15], [-0.2,-0.08], [-0.3,-0.45], "
    "[0,-0.22], [0.3,-0.45], [0.2,-0.08], [0.5,0.15], [0.12,0.15]]}"
)
CROSS = "shapes: [{box: [1, 0.2]}, {box: [0.2, 1]}]"
DUMBBELL = (
    "shapes: [{circle: 0.2, offset: [-0.3, 0]}, {circle: 0.2, offset: [0.3, 0]}, {box: [0.6, 0.1]}]"
)
KINDS = (ARROW, ANGLE, STAR, f"shape: {{polygon: {U}}}", CROSS, DUMBBELL)
ROOMS = {
    "trough": """
  floor: {type: static, shape: {box: [4, 1]}, position: [0, -1]}
  wall: {repeat: {s: [-1, 1]}, type: static, shape: {box: [1, 16]}, position: [=2*s, 5]}
""",
    "box": """
  floor: {repeat: {y: [-1, 4]}, type: static, shape: {box: [6, 1]}, position: [0, =y]}
  wall: {repeat: {s: [-1, 1]}, type: static, shape: {box: [1, 6]}, position: [=2.5*s, 1]}
""",
    "bowl": "\n  bowl: {type: static, shape: {chain: ["
    + ", ".join(
        f"[{2.5 * math.cos(i * math.pi / 12):.5f}, {1.5 + 2.5 * math.sin(i * math.pi / 12):.5f}]"
        for i in range(24)
    )
    + "], loop: true, side: left}}\n",
}


def tumble(random: np.random.Generator, solver: str) -> str:
    """Bodies that are thrown and spun in a room, at all restitutions, frictions and steps."""
    rate = random.choice([30, 60, 120, 240, 480])
    e, f = random.choice([0, 0.3, 0.7, 1, 1, 1]), random.choice([0, 0, 0.2, 0.6, 1])
    text = f"""
world: {{gravity: [0, {random.choice([0, -9.81])}], duration: 4, dt: =1/{rate}, sleep: false,
         solver: {{type: {solver}}}}}
materials: {{m: {{restitution: {e}, friction: {f}}}}}
defaults: {{material: m}}
bodies:{ROOMS[random.choice(list(ROOMS))]}"""
    spin, speed = random.choice([0, 5, 10, 30]), random.choice([0, 1, 3, 8])
    for i in range(random.integers(1, 4)):
        x, y = ((-0.75, 0.9), (0.75, 0.9), (0, 2.4))[i] + random.uniform(-0.05, 0.05, 2)
        vx, vy = random.uniform(-speed, speed, 2)
        text += (
            f"  b{i}: {{{random.choice(KINDS)}, mass: {random.choice([1, 1, 0.1, 10])}, "
            f"position: [{x}, {y}], angle: {random.uniform(0, 360)}, velocity: [{vx}, {vy}], "
            f"angular_velocity: {random.uniform(-spin, spin)} rad/s}}\n"
        )
    return text


def test_no_tumbling_body_gains_energy(make, solver):
    for seed in range(tries(50, 250)):
        world = make(tumble(np.random.default_rng(seed), solver))
        native = world.native
        lowest = -9.81 * float(native.mass[1:].sum())
        first = sum(native.energy())
        # The iteration leaves an impact of several points a little inexact.
        most = first + 0.01 * max(first - lowest, 0)
        for _ in range(20):
            world.step(round(0.2 / world.scene.world.dt))
            assert sum(native.energy()) <= most, seed


@every_row("dt", ["1/30", "1/60", "1/120"])
@every_row("friction", [0, 0.5])
def test_a_spinning_arrow_keeps_its_energy_in_a_trough(run, solver, dt, friction):
    energy = run(
        f"""
world: {{duration: 20, dt: ={dt}, sleep: false, solver: {{type: {solver}}}}}
materials: {{m: {{restitution: 1, friction: {friction}}}}}
defaults: {{material: m}}
bodies:{ROOMS["trough"]}
  arrow: {{{ARROW}, position: [-0.7, 0.7], angular_velocity: 500}}
""",
        "world.energy",
    ).world.energy
    assert energy.max() < energy[0] + 0.01 * abs(energy[0])


def test_what_turns_into_a_floor_pays_for_being_lifted_out_of_it(run):
    """A corner that goes through the floor within a step is put back on it: the work that takes is
    taken from the speed with which the corner went down, not from that of the middle."""
    for rate in range(30, 60):
        energy = run(
            f"""
world: {{duration: 1, dt: =1/{rate}, sleep: false}}
bodies:
  floor: {{type: static, shape: {{box: [40, 1]}}, position: [0, -0.5], restitution: 1}}
  bar: {{shape: {{box: [1.6, 0.1]}}, position: [0, 0.95], velocity: [0, 2],
         angular_velocity: -20 rad/s, friction: 0}}
""",
            "world.energy",
        ).world.energy
        assert energy.max() < 1.001 * energy[0], rate
