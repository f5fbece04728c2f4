# SPDX-License-Identifier: MIT
"""Spawned copies in the engine whose scripts drive, add and remove their own joints: with the bits,
saved states and events of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SimulationError

from tests.scripts import program, run_changed, step_alike

ROBOTS = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-14, -9], [14, 30]]}
state: {n: 0, m: 0, k: 0}
prototypes:
  robot:
    bodies:
      trunk: {shape: {box: [1, 0.5]}, tags: [robot]}
      arm: {shape: {box: [0.8, 0.1]}, position: [0.9, 0.2], points: {tip: [0.4, 0]}}
      hand: {shape: {box: [0.6, 0.1]}, position: [1.6, 0.2], points: {tip: [0.3, 0]}}
      bob: {shape: {circle: 0.2}, position: [0, 1]}
      slider: {shape: {box: [0.2, 0.2]}, position: [-1, 0]}
    joints:
      shoulder: {type: revolute, bodies: [trunk, arm], anchor: [0.5, 0.2], limits: [-80, 70],
        motor: {position: 10, max_torque: 4}}
      elbow: {type: revolute, bodies: [arm, hand], anchor: [1.3, 0.2], limits: [-90, 100],
        motor: {position: 0.5, relative: true, max_torque: 3}}
      string: {type: distance, bodies: [trunk, bob], anchors: [[0, 0], [0, 0]],
        min_length: 0.3, max_length: 1.2}
      bar: {type: prismatic, bodies: [trunk, slider], axis: [1, 0], anchor: [-1, 0],
        limits: [-0.5, 0.4], motor: {position: 0.1, max_force: 5}}
    animations:
      wave: {type: loop, duration: 0.8, tracks: {
        shoulder.motor.position: [[0, -20], [0.5, 50], [1, -20]],
        string.max_length: [[0, 1.2], [0.5, 0.8], [1, 1.2]]}}
      idle: {type: once, duration: 0.5, enabled: false, tracks: {
        elbow.motor.position: [[0, 0.2], [1, 0.9]]}}
    events:
      - {when: time, at: 0.2, do: [{set: {elbow.motor.position: "=0.3 + trunk.y/100"}},
          {play: idle}, {add: {n: 1}}]}
      - {when: time, at: 0.5, every: 0.3, do: [{add: {bar.motor.position: -0.02}},
          {add: {shoulder.motor.max_torque: 0.5}}, {add: {m: =shoulder.angle}}]}
      - {when: time, at: 0.7, do: [{stop: wave}, {set: {string.min_length: 0.4,
          shoulder.limits: [-70, 60], bar.limits: [-0.4, 0.3]}},
          {set: {elbow.motor.enabled: "=trunk.x > 0"}}]}
      - {when: time, at: 0.9, every: 0.11, do: [{add: {k: =elbow.angle}}, {reach: {
          tip: hand.points.tip, joints: [shoulder, elbow], target: [1.2, 0.8]}}]}
      - {when: time, at: 1.2, do: [{play: wave}, {add: {string.max_length: -0.1}}]}
      - {when: time, at: 1.9, do: [{delete: bob}, {delete: trunk}, {play: idle}]}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
spawners:
  a: {use: robot, every: 0.6, at: [-5, 3], max: 3}
  b: {use: robot, every: 0.7, at: [0, 3], angle: 30, mirror: x, scale: 1.3, pivot: center, max: 2}
  c: {use: robot, every: 0.8, at: [5, 3], angle: -90, mirror: y, scale: 0.8, max: 2}
"""


# They attach joints of many kinds to their own bodies, to others and to the world.
CRANES = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-14, -9], [14, 30]]}
state: {n: 0, m: 0, k: 0}
prototypes:
  crane:
    bodies:
      trunk: {shape: {box: [1, 0.5]}, tags: [robot], points: {top: [0.2, 0.25]}}
      leg: {repeat: {i: 2}, shape: {box: [0.1, 0.5]}, position: ["=0.6*i - 0.3", -0.6]}
      bob: {shape: {circle: 0.2}, position: [0.2, 1.2], points: {eye: [0, -0.1]}}
      ring: {shape: {circle: 0.25}, position: [1.2, 0.6], tags: [ring]}
    joints:
      hip: {repeat: {i: 2}, type: weld, bodies: [trunk, "leg[=i]"], anchor: ["=0.6*i - 0.3", -0.4]}
      string: {type: distance, bodies: [trunk, bob], anchors: [[0, 0], [0, 0]],
        min_length: 0.3, max_length: 1.2}
    events:
      - {when: time, at: 0.2, do: [
          {attach: {name: rope, joint: {type: distance, bodies: [trunk, ring], rope: true}}},
          {attach: {name: slide, joint: {type: prismatic, bodies: [trunk, bob], axis: [1, 0.5],
            anchor: [0.1, 0.2], limits: [-0.3, 0.4]}}}]}
      - {when: time, at: 0.4, every: 0.3, do: [{attach: {name: rope,
          joint: {type: revolute, bodies: [ring, bob], anchor: [1, 0.5]}}}]}
      - {when: time, at: 0.6, do: [{delete: string}, {attach: {name: pin,
          joint: {type: revolute, bodies: [trunk, world], anchor: trunk.points.top}}}]}
      - {when: time, at: 0.8, do: [{detach: pin}, {attach: {name: lift, joint: {type: pulley,
          bodies: [trunk, ring], ground_anchors: [[0, 3], [1, 3]],
          anchors: [[0, 0.1], [0, 0]]}}}]}
      - {when: time, at: 1.0, do: [{detach: rope}, {detach: slide}]}
      - {when: time, at: 1.3, do: [{delete: "leg[0]"}, {delete: "hip[1]"}, {attach: {name: rod,
          joint: {type: distance, bodies: [bob, world], anchors: [eye, [0, 2]]}}}]}
      - {when: deleted, joint: "hip[1]", do: [{add: {n: 1}}, {log: hip}]}
      - {when: deleted, joint: rope, do: [{add: {m: 1}}, {log: rope}]}
      - {when: deleted, joint: string, do: [{add: {m: 100}}, {log: string}]}
      - {when: deleted, joint: lift, do: [{add: {k: 1}}, {log: lift}]}
      - {when: collision, bodies: [ring, trunk], once: true, do: [{attach: {name: glue,
          joint: {type: weld, bodies: [$a, $b], anchor: $point}}}]}
      - {when: collision, tags: [ring, ground], once: true, do: [{attach: {name: anchor,
          joint: {type: wheel, bodies: [$a, $b], anchor: $point, axis: [0, 1]}}}]}
      - {when: time, at: 1.9, do: [{delete: bob}, {delete: trunk}]}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
spawners:
  a: {use: crane, every: 0.6, at: [-5, 3], max: 3}
  b: {use: crane, every: 0.7, at: [0, 3], angle: 30, mirror: x, scale: 1.3, pivot: center, max: 2}
  c: {use: crane, every: 0.8, at: [5, 3], angle: -90, mirror: y, scale: 0.8, max: 2, lifetime: 1.5}
"""

# They break, and speak of what is broken already.
POTS = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-14, -9], [14, 30]]}
state: {n: 0, m: 0, k: 0}
prototypes:
  flag: {bodies: {pole: {shape: {polygon: [[0, 0], [0.3, 0], [0, 0.1]]}}}}
  pot:
    bodies:
      core: {shape: {box: [0.6, 0.8]}, tags: [pot], points: {rim: [0.3, 0.4]}}
      lid: {repeat: {i: 2}, shape: {box: [0.3, 0.2]}, position: ["=0.4*i - 0.2", 0.6], tags: [lid]}
    joints:
      hip: {repeat: {i: 2}, type: weld, bodies: [core, "lid[=i]"], anchor: ["=0.4*i - 0.2", 0.5]}
    events:
      - {when: collision, tags: [pot, ground], once: true, do: [{add: {n: 1}}, {log: crack},
          {destroy: {body: core, count: 5, kick: {radial: 1}}}]}
      - {when: time, at: 0.9, do: [{destroy: {body: "lid[0]", count: 3}}]}
      - {when: time, at: 1.0, do: [{delete: core}, {add: {m: 1}}]}
      - {when: time, at: 1.1, do: [{impulse: {body: core, impulse: [0, 3]}},
          {move: {what: lid, by: [0, 0.3]}}]}
      - {when: time, at: 1.4, do: [{delete: lid}]}
      - {when: deleted, body: core, do: [{add: {k: 1}}, {log: gone}]}
      - {when: collision, tags: [lid, ground], do: [
          {destroy: {body: $a, count: 2, lifetime: 0.3}}]}
      - {when: "=core.points.rim.y < 2", do: [{add: {k: 100}}]}
      - {when: time, at: 0.3, do: [{spawn: {use: flag, at: core.points.rim, mirror: y, angle: 20,
          velocity: ["=core.points.rim.vx", 1]}}]}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
spawners:
  a: {use: pot, every: 0.6, at: [-5, 3], max: 3}
  b: {use: pot, every: 0.7, at: [0, 3], angle: 30, mirror: x, scale: 1.3, pivot: center, max: 2}
  c: {use: pot, every: 0.8, at: [5, 2], angle: -90, mirror: y, scale: 0.8, max: 2, lifetime: 1.5}
events:
  - {when: time, at: 1.5, every: 0.3, do: [{spawn: {use: pot, at: [0, 5]}}]}
  - {when: collision, tags: [pot, lid], cooldown: 0.7, do: [{destroy: {body: $b, count: 4}}]}
"""


@pytest.mark.parametrize("stride", [1, 17])
def test_joints_of_copies_are_driven_with_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(ROBOTS)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride, 70)
    for world in (here, there):
        world.joint("a[0].elbow").set_motor(position=0.1)  # which goes on from there
        world.joint("b[0].string").set_lengths(0.2, 0.7)
    step_alike(here, there, stride, 130)
    there = there.fork()
    step_alike(here, there, stride, 150)


@pytest.mark.parametrize("text", [CRANES, POTS])
@pytest.mark.parametrize("stride", [1, 17])
def test_copies_join_and_break_with_the_bits_of_python(stored: Any, text: str, stride: int) -> None:
    scene = loads(text)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    for end in (50, 100, 150):
        step_alike(here, there, stride, end)
        if end == 50:
            there = there.fork()
        else:
            there, old = World(scene), there
            there.restore(old.save())


def test_machines_break_with_a_textbook_solver_too(stored: Any) -> None:
    scene = loads(POTS.replace("seed: 5,", "seed: 5, solver: {type: pgs_matrix},"))
    assert program(scene).is_whole
    step_alike(stored(scene), World(scene), 13, 52)


FAILING = """
rigid: 1
world: {dt: 0.02}
state: {n: 0}
prototypes:
  arm:
    bodies:
      trunk: {shape: {box: [1, 0.5]}}
      arm: {shape: {box: [0.8, 0.1]}, position: [0.9, 0.2]}
    joints:
      shoulder: {type: revolute, bodies: [trunk, arm], anchor: [0.5, 0.2], limits: [-80, 70],
        motor: {position: 0.1, relative: true, max_torque: 4}}
    %s
bodies: {ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}}
spawners: {a: {use: arm, every: 0.1, at: [0, 3], mirror: x, angle: 20, scale: 1.5}}
"""
ACTIONS = [
    "set: {trunk.velocity: [=1/state.n, 0]}",
    "set: {trunk.velocity.x: 1}",
    "add: {trunk.velocity.x: =1e16+state.n}",
    "set: {trunk.friction: =state.n-1}",
    "set: {shoulder.motor.position: =2+state.n}",
    "set: {shoulder.limits: [=2+state.n, -50]}",
    "impulse: {body: trunk, impulse: [=2e15+state.n, 0]}",
    "move: {what: trunk, by: [1, =2e16+state.n]}",
    "spawn: {use: arm, name: more, at: trunk, lifetime: =1/state.n}",
]
SCRIPTS = [f"events: [{{when: time, at: 0.2, do: [{{{each}}}]}}]" for each in ACTIONS] + [
    "events: [{when: =1/state.n > 2, do: [{add: {n: 1}}]}]",
    "events: [{when: time, at: 0.2, every: 1e-6, do: [{add: {n: 1}}]}]",
    "events: [{when: time, at: 0.1, if: =1/state.n > 2, do: [{add: {n: 1}}]}]",
    "spawners: {s: {use: arm, every: 0.1, at: trunk, lifetime: =1/state.n}}",
    "spawners: {s: {use: arm, every: 0.000002, at: trunk}}",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_failures_of_copies_have_the_words_of_python(stored: Any, script: str) -> None:
    scene, said = loads(FAILING % script), []
    assert program(scene).is_whole
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(40)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_changed_programs_of_machines_are_refused_or_run() -> None:
    assert run_changed(loads(CRANES), 40, 30) > 5
