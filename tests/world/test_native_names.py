# SPDX-License-Identifier: MIT
"""Names of instances that have, or are the beginning of names of, what is born: what actions on
them reach in the engine, and what readings of them count, with the bits of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads

from tests.scripts import alone, go, program, restore_and_fork, step_alike

CAR = """
rigid: 1
world: {dt: 0.01, gravity: [0, -1]}
state: {n: 0, m: 0}
prototypes:
  drop: {bodies: {core: {shape: {circle: 0.1}, tags: [d]}}}
  car:
    bodies:
      hull: {shape: {box: [1, 0.4]}}
      wheel: {repeat: {i: 2}, shape: {circle: 0.2}, position: ["=i", -0.4]}
    spawners: {smoke: {use: drop, every: 0.1, at: [0, 1]}}
    events:
      - {when: time, at: 0.2, do: [{spawn: {use: drop, name: pop, at: [0, 3]}}, %s
          {attach: {name: tie, joint: {type: distance, bodies: [hull, "wheel[1]"]}}}]}
bodies: {brick: {repeat: {i: 2}, shape: {box: [0.4, 0.4]}, position: ["=5 + i", 0]}}
instances: {car: {use: car, at: [0, 2]}}
probes: {box: {shape: {box: [9, 9]}, at: [0, 0]}}
events:
  - {when: time, at: 0.1, do: [{spawn: {use: drop, name: car.wheel, at: [3, 0]}},
      {spawn: {use: drop, name: cars, at: [4, 0]}}]}
  - {when: time, at: 0.35, do: [{destroy: {body: "car.wheel[0]", count: 2}}]}
  - {when: time, at: 0.37, do: [{move: {what: car, by: [0, 1], angle: 20}},
      {move: {what: car.wheel, by: [0, 1]}}, {move: {what: brick, by: [0, 1]}}]}
  - {when: time, at: 0.4, every: 0.1, do: [{add: {n: =box.bodies.car, m: =box.bodies.car.wheel}}]}
  - {when: time, at: 0.65, do: [{delete: car.wheel}]}
  - {when: time, at: 0.87, do: [{delete: car}, {delete: brick}]}
"""
COPIED = "{copy: {what: hull, by: [2, 1], name: twin}},"


@pytest.mark.parametrize("more", ["", COPIED])
@pytest.mark.parametrize("stride", [1, 17])
def test_names_have_what_is_born_inside_them(stored: Any, stride: int, more: str) -> None:
    scene = loads(CAR % more)
    assert program(scene).is_whole == (not more)
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride, 100)
    assert here.state["n"] > here.state["m"] > 0
    left = {name.partition("[")[0] for name in there.roster.born.values()}
    assert left == {"cars", "car.smoke"}  # of the last births


def test_they_go_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(CAR % COPIED)
    restore_and_fork(stored(scene), World(scene), 11)


def test_names_of_what_is_added_from_outside_count(stored: Any) -> None:
    scene = loads(CAR % "")
    here, there = stored(scene), World(scene)
    circle = {"circle": 0.2}
    more = {"repeat": {"i": 6}, "when": "=i > 3", "shape": circle, "position": ["=i", 3]}
    for world in (here, there):
        world.step(20)
        world.add({"bodies": {"brick": more, "bricks": {"shape": circle}}})
    assert "brick[4]" in here.bodies
    step_alike(here, there, 7, 100)
    assert "brick[4]" not in here.bodies
    assert "bricks" in there.bodies


def test_without_a_host_they_are_saved_as_well() -> None:
    scene = loads(CAR % "")
    engine, runner = alone(scene)
    go(engine, runner, 50)
    state, saved = engine.save(), runner.save()
    go(engine, runner, 100)
    again, other = alone(scene)
    again.restore(state)
    other.restore(saved)
    go(again, other, 100)
    assert again.state_hash() == engine.state_hash()
    assert runner.save() == other.save()
