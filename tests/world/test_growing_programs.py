# SPDX-License-Identifier: MIT
"""Copies with scripts whose vars are worked out, which a program takes in while it runs: with the
bits, saved states and events of Python's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rigid2d.core import Batch, World, loads
from rigid2d.core.errors import SimulationError

from tests.scripts import restore_and_fork, step_alike

WALKERS = """
rigid: 1
world: {dt: 0.02, seed: 3, gravity: [0, -5], bounds: [[-14, -9], [14, 30]]}
state: {n: 0, m: 0, k: 0, gone: 0}
prototypes:
  bit:
    vars: {r: 0.1}
    bodies: {dot: {shape: {circle: =r}, tags: [bit]}}
    events:
      - {when: collision, tags: [bit, ground], once: true, do: [{add: {k: =r}}, {delete: dot}]}
      - {when: deleted, body: dot, after: 0.1, do: [{add: {gone: "=1 + uniform(0, 1)"}}]}
  walker:
    vars: {size: 0.3, speed: 60, kind: 1}
    bodies:
      hull: {shape: {box: ["=2*size", =size]}, tags: [walker], points: {nose: [=size, 0]}}
      wheel: {shape: {circle: =size/2}, position: [0, =-size]}
    joints: {axle: {type: revolute, bodies: [hull, wheel], anchor: [0, =-size],
      motor: {speed: =speed, max_torque: 50}}}
    animations: {wag: {type: loop, duration: 1, tracks: {
      hull.gravity_scale: [[0, 1], [0.5, =size], [1, 1]]}}}
    spawners: {drip: {use: bit, every: 0.31, at: hull.points.nose, max: 3, lifetime: 0.9,
      vars: {r: "=uniform(0.05, 0.2)"}}}
    events:
      - {when: time, at: 0.3, every: 0.4, do: [
          {set: {axle.motor.speed: "=-speed*uniform(0, 1)"}}, {add: {m: =size}}]}
      - {when: =hull.y < 0.2 + size, do: [{add: {hull.velocity: [0, =3*size]}}, {log: low},
          {spawn: {use: bit, at: [0, =2*size], frame: hull, lifetime: 1,
            vars: {r: =size/4 + hull.vx/1000}}}]}
      - {when: collision, tags: [walker, ground], cooldown: 0.3, do: [{add: {n: =$impulse*size}},
          {attach: {name: rope, joint: {type: distance, bodies: [hull, $b],
            anchors: [[0, 0], [0, 0.2]], spring: {frequency: 1, damping_ratio: 1}}}}]}
      - {when: time, at: 1.9, if: =kind > 1, do: [{delete: hull}]}
bodies: {ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}}
spawners:
  rain: {use: walker, every: 0.41, at: ["=uniform(-5, 5)", 3], angle: "=uniform(0, 360)",
    vars: {size: "=uniform(0.2, 0.5)", kind: "=randint(0, 3)"}, lifetime: "=uniform(1, 3)",
    scale: 0.9}
  same: {use: walker, every: 0.7, at: ["=uniform(-5, 5)", 3], vars: {size: 0.25, speed: 10}}
events:
  - {when: time, at: 0.2, every: 0.9, do: [{spawn: {use: walker, at: [0, 5], mirror: x, scale: 0.8,
      vars: {size: =0.3 + state.n/100000, speed: =70 + state.m/100}}}]}
"""
# Dust whose kind is drawn, so that most of it has a script that the program has already.
DUST = """
rigid: 1
world: {dt: 0.02, seed: 1}
state: {n: 0}
bodies: {ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}}
prototypes:
  grain:
    vars: {weight: 0}
    bodies: {dot: {shape: {circle: 0.1}}}
    events: [{when: time, at: 0.05, do: [{add: {n: =weight}}]}]
spawners:
  dust: {use: grain, every: 0.02, at: ["=uniform(-5, 5)", 3], lifetime: 0.1, vars: {weight: DRAWN}}
"""


@pytest.mark.parametrize("stride", [1, 23])
def test_scripts_that_come_later_have_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(WALKERS)
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride, 120)
    assert all(there.state.values())


def test_they_go_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(WALKERS.replace("dt: 0.02", "dt: 0.02, solver: {type: sequential_impulse}"))
    restore_and_fork(stored(scene), World(scene), 13)


def test_worlds_of_a_batch_have_programs_of_their_own(stored: Any) -> None:
    scene = loads(WALKERS)
    here, batch = stored(scene), Batch(scene, 3, threads=2)
    for _ in range(9):
        here.step(10)
        batch.step(10)
    assert {batch.world(i).state_hash() for i in range(3)} == {here.state_hash()}


@pytest.mark.parametrize("drawn", ['"=uniform(0, 1)"', '"=randint(0, 3)"'])
def test_scripts_of_copies_that_are_gone_are_forgotten(stored: Any, drawn: str) -> None:
    scene = loads(DUST.replace("DRAWN", drawn))
    here, there = stored(scene), World(scene)
    step_alike(here, there, 50, 400)
    assert there.state["n"] > 0
    assert there.script is not None
    native = there.script.native
    assert native is not None
    assert len(native.program.births) < 80


def test_an_error_in_a_script_that_came_later_has_the_words_of_python(stored: Any) -> None:
    scene = loads(WALKERS.replace("{m: =size}", '{m: "=size/(kind - 2)"}'))
    said = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(200)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert "prototypes.walker.events[0]" in said[0]


def test_a_script_that_measures_comes_later_too(stored: Any) -> None:
    """The shapes of bodies that are there are passed on then."""
    scene = loads(
        """
rigid: 1
world: {dt: 0.02}
state: {n: 0}
prototypes:
  plain: {bodies: {dot: {shape: {circle: 0.2}}}}
  seer:
    vars: {far: 0}
    bodies: {eye: {shape: {circle: 0.2}}}
    events: [{when: time, at: 0.1, every: 0.1, do: [{add: {n: =eye.left + far}},
      {explode: {at: eye, radius: 2, impulse: 0.1}}]}]
bodies: {box: {shape: {box: [1, 1]}, position: [0.5, 3]}}
spawners:
  few: {use: plain, every: 0.2, at: ["=uniform(-2, 2)", 2]}
  seers: {use: seer, every: 0.3, at: ["=uniform(-2, 2)", 3], vars: {far: "=uniform(0, 1)"}}
"""
    )
    here, there = stored(scene), World(scene)
    step_alike(here, there, 7, 120)
    assert there.state["n"] != 0


def test_random_runs_are_those_of_python(stored: Any) -> None:
    for seed in range(3):
        drawn = random.Random(seed)
        text = WALKERS.replace("seed: 3", f"seed: {seed + 10}")
        text = text.replace(
            "scale: 0.9", drawn.choice(["mirror: x", "mirror: y, scale: 1.2", "max: 4"])
        )
        scene = loads(text)
        step_alike(stored(scene), World(scene), drawn.choice([3, 7, 20]), 60)
