# SPDX-License-Identifier: MIT
"""Scripts of many tags, short periods, late times and long expressions, and of mice and materials
that are set, in the engine: with the bits of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import SimulationError, World, loads

from tests.scripts import program, run_changed, step_alike

TAGS = ", ".join(f"t{i}" for i in range(130))
TAGGED = f"""
rigid: 1
world: {{dt: 0.01}}
state: {{n: 0}}
prototypes: {{drop: {{bodies: {{dot: {{shape: {{circle: 0.1}}, tags: [t3, t70]}}}}}}}}
bodies:
  floor: {{type: static, shape: {{box: [9, 1]}}, position: [0, -1], tags: [{TAGS}]}}
  brick: {{repeat: {{i: 4}}, shape: {{box: [0.5, 0.3]}}, position: ["=i - 1.5", "=0.3 + 0.4 * i"],
    tags: [t0, t129]}}
  last: {{shape: {{box: [0.5, 0.5]}}, position: [0, 2], tags: [t129, t64]}}
probes: {{eye: {{ray: [[-4, -0.3], [4, -0.3]], ignore: [tags.t129]}}}}
events:
  - {{when: collision, tags: [t64, t100], do: [{{destroy: {{body: $a, count: 2, tags: [t70]}}}}]}}
  - {{when: "=tags.t70.count > 3", do: [{{delete: tags.t70}}]}}
  - {{when: deleted, tags: [t70], do: [{{add: {{n: "=tags.t129.mass"}}}}]}}
  - {{when: leave, tags: [t129], region: [[-1, -1], [1, 1]], do: [{{add: {{n: "=eye.hit"}}}}]}}
spawners: {{sky: {{use: drop, every: 0.1, at: [1, 1]}}}}
"""
DRAGGED = """
rigid: 1
world: {dt: 0.01}
state: {n: 0}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -1]}
  ball: {shape: {box: [0.5, 0.5]}, position: [0, 1]}
joints:
  hand: {type: mouse, body: ball, anchor: [0.1, 1], max_force: 60,
    spring: {frequency: 3 Hz, damping_ratio: 0.7}}
animations:
  swing: {type: once, duration: 0.4, tracks: {hand.target: [[0, [0.1, 1]], [1, [1, 2]]]}}
events:
  - {when: time, at: 0.5, every: 0.13, do: [{add: {n: 1, hand.target: [-0.1, "=state.n / 50"]}},
      {set: {hand.target.x: "=ball.y - 1"}}]}
  - {when: time, at: 1.1, do: [{delete: hand}]}
inputs: [{at: 0.7, set: {hand.target: [0, 1.5]}}]
"""
# A long sum, births at once, times that never come.
FAR = f"""
rigid: 1
world: {{dt: 10, duration: 1200}}
state: {{n: 0}}
prototypes: {{drop: {{bodies: {{dot: {{shape: {{circle: 0.1}}}}}}}}}}
bodies: {{ball: {{shape: {{circle: 1}}, gravity_scale: 0}}}}
events:
  - {{when: "={"+".join(["ball.x"] * 270)} >= 0", cooldown: 1e12, do: [{{add: {{n: 1}}}}]}}
  - {{when: time, at: 1e12, do: [{{log: late}}]}}
spawners: {{sky: {{use: drop, every: 1e-9, at: [1, 1], max: 3, lifetime: 1e12}}}}
"""
# Settings of materials, also of what is born and of pieces, and energies with those of fields.
MATERIALS = """
rigid: 1
world: {dt: 0.01}
state: {n: 0}
materials: {ice: {friction: 0.1}, wood: {friction: 0.6}}
prototypes: {drop: {bodies: {dot: {shape: {box: [0.2, 0.2]}, material: ice}}}}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], material: wood}
  ball: {shape: {box: [0.5, 0.3]}, position: [0, 1], velocity: [2, 0], material: ice, tags: [x]}
actuators:
  wind: {type: field, bodies: [ball], field: ["=-mass * (x - 1)", "=-mass * y"],
    potential: "=mass * ((x - 1) * (x - 1) + y * y) / 2", until: 0.9}
animations: {wet: {type: once, duration: 1, tracks: {materials.wood.friction: [[0, 0.5], [1, 0]]}}}
spawners: {sky: {use: drop, every: 0.2, at: [-1, 1], velocity: [1, 0]}}
events:
  - {when: time, at: 0.3, every: 0.1, do: [{add: {n: 1}},
      {set: {materials.ice.friction: "=state.n / 9", materials.ice.tangent_speed: 0.5}}]}
  - {when: time, at: 0.5, do: [{destroy: {body: ball, count: 2, tags: [y]}}]}
  - {when: "=world.total_energy - world.field_energy > 4", do: [{add: {n: "=world.stored_energy"}}]}
"""


@pytest.mark.parametrize("text", [TAGGED, DRAGGED, FAR, MATERIALS])
def test_nothing_of_it_needs_python(stored: Any, text: str) -> None:
    scene = loads(text)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, 7, 60)
    twin = there.fork()
    twin.restore(there.save())
    step_alike(here, twin, 11)


def test_periods_shorter_than_a_hundred_thousandth_of_a_step_come_too_often() -> None:
    text = "rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\nworld: {dt: 10, duration: 90}\n"
    times = "events: [{when: time, every: 1e-9, do: [{log: tick}]}]\n"
    world = World(loads(text + times))
    with pytest.raises(SimulationError, match="comes 10,000,000,011 times in one step"):
        world.step(1)


def test_changed_bytes_are_refused_or_run() -> None:
    assert run_changed(loads(TAGGED), 40, 5) > 5
