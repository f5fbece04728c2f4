# SPDX-License-Identifier: MIT
"""Joints that Python attaches and particles that it counts, while the script runs in the engine:
with the bits, saved states and words of Python's runner."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import SimulationError, World, loads
from rigid2d.core.scene import limits
from rigid2d.core.scene.blocks.joints.joints import JointBuilder

from tests.scripts import program, restore_and_fork, step_alike

BARE = """
rigid: 1
world: {dt: 0.01, seed: 3, gravity: [0, -6], solver: {type: soft_step}}
state: {n: 0, ends: 0}
prototypes:
  stone: {bodies: {core: {shape: {circle: 0.2}, tags: [stone], points: {grip: [0.1, 0.1]}}}}
  magnet:
    bodies:
      head: {shape: {box: [0.5, 0.3]}, tags: [stone], points: {hook: [0, -0.1]}}
      tail: {shape: {box: [0.2, 0.2]}, position: [0.5, 0]}
    joints: {neck: {type: weld, bodies: [head, tail], anchor: [0.3, 0]}}
    events:
      - {when: collision, tags: [stone, ball], cooldown: 0.4, do: [{attach: {name: hold,
          joint: {type: revolute, bodies: [$a, $b], anchor: hook}}}, {add: {n: 10}}]}
      - {when: time, at: 0.6, every: 0.4, do: [{detach: hold}]}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], points: {grip: [0, 0.5]}}
  ball: {repeat: {i: 3}, shape: {circle: 0.3}, position: ["=2 * i", "=0.6 + 0.4 * i"],
    points: {grip: [0.1, 0.2]}, tags: [ball]}
joints: {"tie[0]": {type: distance, bodies: ["ball[1]", "ball[2]"]}}
spawners:
  rain: {use: stone, every: 0.13, at: ["=uniform(-1, 5)", 3], velocity: [0, -4]}
  hooks: {use: magnet, every: 0.31, at: ["=uniform(-1, 5)", 2], angle: 30, mirror: x, scale: 1.2,
    lifetime: 1.2}
events:
  - {when: collision, tags: [ball, stone], cooldown: 0.05, do: [{add: {n: 1}}, {attach: {name: bond,
      joint: {type: distance, bodies: [$a, $b], anchors: [grip, grip], spring: {frequency: 3}}}},
      {log: bound}]}
  - {when: time, at: 0.4, every: 0.5, do: [{detach: bond}, {copy: {what: "ball[0]", by: [0, 2],
      name: more}}]}
  - {when: deleted, joint: bond, do: [{add: {ends: 1}}]}
"""


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
@pytest.mark.parametrize("stride", [1, 13])
def test_a_joint_of_which_the_program_has_no_rules_is_attached_by_python(
    stored: Any, stride: int, solver: str
) -> None:
    scene = loads(BARE.replace("soft_step", solver).replace('"tie[0]"', "tie"))
    assert not program(scene).is_whole
    here, there = stored(scene), World(scene)
    if stride == 13:
        for world in (here, there):
            world.events.enable_births()
    step_alike(here, there, stride, 100)
    assert here.state["n"] > 2
    assert here.state["ends"] > 0


def test_they_go_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(BARE.replace('"tie[0]"', "tie"))
    restore_and_fork(stored(scene), World(scene), 11)


def fails_alike(here: World, there: World, end: int, message: str) -> None:
    said = []
    for world in (here, there):
        with pytest.raises(SimulationError) as error:
            world.step(end)
        said.append((str(error.value), world.step_count))
    assert said[0] == said[1]
    assert message in said[0][0]


FULL = """
rigid: 1
world: {dt: 0.01}
bodies:
  a: {shape: {box: [1, 1]}}
  b: {shape: {box: [1, 1]}, position: [3, 0]}
joints: {p: {type: revolute, bodies: [a, b], anchor: [1, 0]}}
actuators: {spin: {type: rotary_motor, body: b, speed: 3, max_torque: 1}}
events:
  - {when: time, at: 0.02, every: 0.02, do: [{attach: {name: t, joint: {type: distance,
      bodies: [a, b], spring: {frequency: 1}}}}]}
  - {when: time, at: 0.05, do: [{detach: p}, {detach: t}]}
"""


def test_the_limit_of_joints_is_told_in_its_words(
    stored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "JOINTS", 4)
    monkeypatch.setattr(JointBuilder, "most", 4)
    scene = loads(FULL)
    assert program(scene).is_whole
    fails_alike(stored(scene), World(scene), 60, "joints.t[5]: the scene has more than 4 joints")


SPARKS = """
rigid: 1
world: {dt: 0.01, seed: 2, gravity: [0, 0]}
state: {n: 0}
prototypes:
  spark:
    vars: {rate: 20}
    bodies: {core: {shape: {circle: 0.1}}}
    particles: {glow: {from: core, rate: =rate, life: 0.5}}
  mine:
    bodies: {core: {shape: {circle: 0.1}}}
    particles: {glow: {from: core, rate: 9, life: 0.5}}
    events: [{when: time, at: 0.1, do: [{add: {n: 1}}]}]
bodies: {rock: {shape: {circle: 0.1}}}
particles: {dust: {from: rock, rate: 5, life: 1}}
spawners: {s: %s}
"""
MOST = 6
BIRTHS = [
    "{use: spark, every: 0.05, at: [0, 1], lifetime: 0.2%s}",
    "{use: spark, every: 0.005, at: [0, 1], lifetime: 0.01%s}",
    "{use: spark, every: 0.05, at: [0, 1], vars: {rate: 15}, lifetime: 0.2%s}",
    "{use: spark, every: 0.05, at: [0, 1], vars: {rate: =20 + state.n}, lifetime: 0.2%s}",
    "{use: mine, every: 0.05, at: [0, 1], lifetime: 0.2%s}",
]


@pytest.mark.parametrize("spawner", BIRTHS)
def test_python_counts_particles_near_their_limit(
    stored: Any, spawner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMITTERS", MOST)
    scene = loads(SPARKS % (spawner % ""))
    step_alike(stored(scene), World(scene), 7, 60)
    scene = loads(SPARKS % (spawner % "").replace("lifetime: 0.2", "lifetime: 0.3"))
    if "0.005" not in spawner:
        message = "7 emitters of particles at a time; the limit is 6"
        fails_alike(stored(scene), World(scene), 60, message)
