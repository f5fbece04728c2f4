# SPDX-License-Identifier: MIT
"""Spawned copies with scripts of their own in the engine: with the bits, saved states and events
of Python's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SimulationError

from tests.scripts import alone, go, program, run_changed, step_alike, told

# Copies of every size and handedness, with each kind of event, action, birth and track.
HERD = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-14, -9], [14, 30]]}
state: {hits: 0, gone: 0, left: 0, snapped: 0, high: 0, met: 0, ticks: 0, lost: 0}
prototypes:
  spark: {bodies: {dot: {shape: {circle: 0.05}, tags: [spark]}},
    particles: {glow: {from: dot, rate: 9, life: 0.3}}}
  chip:
    vars: {size: 0.3}
    bodies: {core: {shape: {circle: =size}, tags: [chip], restitution: 0.3}}
    events:
      - {when: collision, tags: [chip, ground], if: =size > 0.1 and $impulse > 0, once: true, do: [
          {spawn: {use: chip, at: ["=$point.x + size", =$point.y + 1], vars: {size: =size/2},
            velocity: ["=uniform(-2, 2)", 3], lifetime: "=uniform(0.4, 0.6)"}},
          {add: {hits: "=1 + abs($a.vx)"}}, {delete: core}]}
      - {when: deleted, body: core, after: 0.1, do: [{add: {gone: 1}}, {log: gone},
          {spawn: {use: spark, at: $point}}]}
  beast:
    bodies:
      trunk: {shape: {box: [1, 0.5]}, tags: [beast], points: {nose: [0.8, 0.2]}}
      head: {shape: {circle: 0.2}, position: [1, 0.4], density: 0.2}
      leg: {repeat: {i: 2}, shape: {box: [0.1, 0.3]}, position: ["=0.6*i - 0.3", -0.6]}
    joints:
      neck: {type: revolute, bodies: [trunk, head], anchor: [0.7, 0.3], break: {force: 40}}
      knee: {repeat: {i: 2}, type: weld, bodies: [trunk, "leg[=i]"],
        anchor: ["=0.6*i - 0.3", -0.4]}
    events:
      - {when: joint_broken, joint: neck, after: 0.2, do: [{add: {snapped: 1}}, {delete: leg}]}
      - {when: "=trunk.y < 1.5 and neck.angle > -9 and trunk.left < 20", do: [
          {add: {high: 1}}, {sound: {name: roar, volume: =trunk.y/9}}]}
      - {when: time, at: 0.3, every: 0.25, do: [{add: {trunk.velocity.y: 1, ticks: 1}},
          {add: {trunk.angular_velocity: 40}},
          {impulse: {body: head, impulse: [0.02, 0.05], at: head}},
          {add: {head.velocity: [0.1, "=0.1 + 0.1*trunk.vx"]}}]}
      - {when: leave, body: trunk, region: [[-3, -2.5], [3, 9]], do: [{add: {left: 1}},
          {spawn: {use: spark, at: trunk.points.nose, frame: trunk, velocity: ["=head.x/50", 1]}}]}
      - {when: collision, bodies: [trunk, head], do: [{add: {met: 1}}]}
      - {when: collision, tags: [beast, ground], cooldown: 0.2, cooldown_per: pair, do: [
          {add: {met: "=$normal.y"}},
          {set: {$a.linear_damping: 0.2, head.gravity_scale: 0.9}}]}
      - {when: touch_end, tags: [beast, ground], once_per: pair, do: [
          {move: {what: leg, by: [0.01, 0.02], angle: 3}}]}
      - {when: time, at: 1.1, do: [{explode: {at: trunk, radius: 2, impulse: 0.3}}, {delete: head},
          {spawn: {use: chip, at: [0.5, 1], angle: 20, velocity: [0.5, 1], if_free: true,
            max_tries: 3, scale: 0.8, lifetime: "=uniform(0.2, 0.9)"}}]}
      - {when: time, at: 1.7, do: [{delete: trunk}, {add: {lost: "=trunk.x + leg[0].y"}}]}
  cart:
    bodies:
      deck: {type: kinematic, shape: {box: [2, 0.2]}, points: {end: [1, 0.4]}, tags: [cart]}
      door: {type: kinematic, shape: {box: [0.1, 0.5]}, position: [0, 0.4]}
    animations:
      ride: {type: loop, loop: ping_pong, duration: 0.7, start: 0.3, tracks: {deck.position:
        {keys: [[0, [0, 0]], [0.4, [0.5, 0.1]], [1, [1, 0.3]]], easing: smooth}}}
      turn: {type: once, duration: 1, tracks: {door.angle: [[0, 0], [1, 70]],
        door.gravity_scale: [[0, 1], [1, 0.5]]}}
      idle: {type: loop, duration: 1, enabled: false, tracks: {door.position:
        [[0, [0, 0]], [0.5, [1, 0]], [1, [0, 0]]]}}
    spawners:
      few: {use: spark, every: 0.15, from: 0.1, until: 1.6, at: deck.points.end, alive: 2,
        if: =door.angle < 1, velocity: ["=uniform(0, 1)", 1], lifetime: "=uniform(0.1, 0.5)"}
      wave: {use: chip, every: 0.5, at: [0.2, 1.2], frame: deck, angle: "=uniform(0, 90)",
        max: 3, if_free: true}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
  ramp: {type: static, shape: {box: [3, 0.2]}, position: [7, 1], angle: 50, tags: [ground]}
spawners:
  rain: {use: chip, every: 0.31, at: ["=uniform(-5, 5)", 6], angle: "=uniform(0, 360)", max: 4}
  east: {use: beast, every: 0.8, at: [6, 3], angle: 30, mirror: x, scale: 1.3, pivot: center,
    velocity: [1, 0]}
  west: {use: beast, every: 0.9, at: [-6, 2], mirror: y, velocity: [-6, 3]}
  carts: {use: cart, every: 1, at: ["=uniform(-3, 3)", 4], angle: 90, mirror: x, max: 2}
  lifts: {use: cart, every: 1.3, at: [0, 3], angle: "=uniform(-20, 20)", scale: 0.7, max: 2}
events:
  - {when: deleted, tags: [beast], do: [{add: {gone: 100}}]}
  - {when: time, at: 0.9, do: [{delete: tags.spark}, {spawn: {use: beast, at: [0, 8],
      frame: ramp}}]}
"""


@pytest.mark.parametrize("stride", [1, 13])
def test_copies_have_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(HERD)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    if stride == 13:
        for world in (here, there):
            world.events.enable_births()
    step_alike(here, there, stride, 140)
    assert all(there.state.values())


@pytest.mark.parametrize("seed", [1, 2])
def test_copies_go_on_from_saved_states_and_forks(stored: Any, seed: int) -> None:
    scene, drawn = loads(HERD), random.Random(seed)
    here, there = stored(scene), World(scene)
    while here.step_count < 100:
        for world in (here, there):
            world.step(1 + seed * 7)
        assert here.save() == there.save()
        if drawn.random() < 0.5:
            there, old = World(scene), there
            there.restore(old.save())
        elif drawn.random() < 0.5:
            there = there.fork()
    assert here.state_hash() == there.state_hash()


# A machine that hangs on the world, and chips whose vars are worked out.
MIXED = """
rigid: 1
world: {dt: 0.02, seed: 5, gravity: [0, -3]}
state: {n: 0, m: 0, k: 0}
prototypes:
  chip:
    vars: {size: 0.2}
    bodies: {core: {shape: {circle: =size}, tags: [chip]}}
    events:
      - {when: collision, tags: [chip, ground], do: [{add: {n: =size}}, {delete: core},
          {spawn: {use: machine, at: ["=$point.x", =$point.y + 2], lifetime: 0.5}}]}
  machine:
    bodies: {hull: {shape: {box: [0.4, 0.2]}, tags: [hull]}}
    actuators: {jet: {type: thruster, body: hull, force: [0, 1]}}
    joints: {rope: {type: distance, bodies: [hull, world], anchors: [[0, 0], [0, 3]], rope: true}}
    controls: {up: {hold: jet, do: [{add: {k: 1}}]}}
    events: [{when: time, at: 0.2, do: [{add: {m: 1}}, {spawn: {use: chip, at: hull}}]}]
bodies: {ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}}
spawners:
  rain: {use: chip, every: 0.21, at: ["=uniform(-5, 5)", 1]}
  drawn: {use: chip, every: 0.3, at: ["=uniform(-5, 5)", 1], vars: {size: "=uniform(0.1, 0.3)"}}
inputs: [{key: up, from: 1.3, to: 1.5}]
"""


def test_copies_that_come_later_follow_each_other(stored: Any) -> None:
    scene = loads(MIXED)
    found = program(scene)
    assert not found.is_whole
    assert len(found.scripted) == 3  # those that are drawn come later
    here, there = stored(scene), World(scene)
    for _ in range(60):
        for world in (here, there):
            world.step(2)
        assert told(here) == told(there)
        assert here.save() == there.save()
    assert all(there.state.values())


# The host copies a body in a step in which bodies of copies were removed.
ASKING = """
rigid: 1
world: {dt: 0.02}
state: {n: 0}
prototypes:
  pair:
    bodies:
      one: {shape: {circle: 0.2}}
      two: {shape: {circle: 0.2}, position: [1, 0], tags: [two]}
    events:
      - {when: time, at: 0.2, do: [{copy: {what: one, by: [0, 1], name: twin}}]}
      - {when: deleted, body: two, do: [{add: {n: 1}}]}
      - {when: collision, bodies: [one], do: [{add: {n: 100}}]}
bodies: {ground: {type: static, shape: {box: [90, 1]}, position: [0, -0.5]}}
spawners: {rain: {use: pair, every: 0.1, at: [=40*world.time - 20, 1], max: 6}}
events: [{when: time, at: 0.1, every: 0.1, do: [{delete: tags.two}]}]
"""


def test_removals_before_a_copy_by_the_host_are_told_once(stored: Any) -> None:
    scene = loads(ASKING)
    here, there = stored(scene), World(scene)
    step_alike(here, there, 4, 60)
    assert there.state["n"] > 106


def test_values_that_come_out_impossible_end_the_run_with_the_same_words(stored: Any) -> None:
    scene = loads(HERD.replace("=1 + abs($a.vx)", "=1/(state.met - state.met)"))
    said = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(120)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert "prototypes.chip.events[0].do[1]" in said[0]


def test_a_run_without_a_host_has_copies_too() -> None:
    scene = loads(HERD)
    engine, runner = alone(scene)
    go(engine, runner, 30)
    world = World(scene)
    world.step(30)
    assert engine.state_hash() == world.state_hash()


def test_changed_programs_with_copies_are_refused_or_run() -> None:
    assert run_changed(loads(HERD), 60, 50) > 10
