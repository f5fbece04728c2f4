# SPDX-License-Identifier: MIT
"""Actuators of what is born, and those that act on bodies with its tags, in the engine: with the
bits, saved states and events of Python's runner."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads

from tests.scripts import restore_and_fork, step_alike

BORN = """
rigid: 1
world: {dt: 0.02, seed: 8, solver: {type: soft_step}, bounds: [[-9, -9], [9, 30]]}
state: {starts: 0, stops: 0}
prototypes:
  probe:
    bodies:
      hull: {shape: {box: [0.5, 0.3]}, tags: [hot]}
      wheel: {shape: {circle: 0.2}, position: [0.6, 0], mass: 0.4}
    joints: {axle: {type: revolute, bodies: [hull, wheel], anchor: [0.6, 0]}}
    actuators:
      jet: {type: thruster, body: hull, at: [-0.2, 0], force: [6, 0], until: 1.1}
      spin: {type: rotary_motor, bodies: [wheel, hull], speed: -90, max_torque: 2, start: 0.6}
      wind: {type: force, bodies: [hull, wheel], force: [-2, 1]}
      twist: {type: torque, body: wheel, torque: 0.3, enabled: false}
      skid: {type: axial_friction, body: hull, max_force: 3, start: 0.4, until: 1.4}
      well: {type: field, body: wheel, field: ["=-3*x + sin(t)", "=2 - 0.1*vy"]}
      blow: {type: impulse, body: hull, impulse: [0.3, 1], start: 0.9}
  mote: {bodies: {core: {shape: {circle: 0.15}, tags: [hot]}}}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.3}, position: [3, 4], tags: [hot]}
actuators:
  heat: {type: field, tags: [hot], field: ["=-x", "=9 - y"], start: 0.2}
  turn: {type: rotary_motor, tags: [hot], speed: 50, max_torque: 0.5, until: 1.5}
  rise: {type: force, tags: [hot], force: [0, 2]}
spawners:
  sky: {use: probe, every: 0.23, at: ["=uniform(-4, 4)", "=uniform(2, 5)"],
    angle: "=uniform(0, 360)", lifetime: 0.8}
  big: {use: probe, every: 0.5, at: [0, 6], scale: 1.5, mirror: x, alive: 2}
  dust: {use: mote, every: 0.11, at: ["=uniform(-4, 4)", 7]}
events:
  - {when: time, at: 0.3, every: 0.4, do: [{set: {rise.enabled: "=world.time > 0.6"}}]}
  - {when: time, at: 1.0, do: [{delete: turn}, {delete: ball}]}
  - {when: actuator_start, do: [{add: {starts: 1}}]}
  - {when: actuator_stop, do: [{add: {stops: 1}}]}
"""
SOLVERS = ["soft_step", "sequential_impulse"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("stride", [1, 13])
def test_actuators_of_what_is_born_have_the_bits_of_python(
    stored: Any, stride: int, solver: str
) -> None:
    scene = loads(BORN.replace("soft_step", solver))
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride)
    assert here.state["starts"] > 20
    assert here.state["stops"] > 5
    assert "sky[9].jet" in here.actuators.definitions


def test_they_go_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(BORN)
    restore_and_fork(stored(scene), World(scene), 11)


def test_actuators_that_were_added_begin_and_end_at_their_times(stored: Any) -> None:
    scene = loads(BORN)
    here, there = stored(scene), World(scene)
    rotary = {"type": "rotary_motor", "body": "ball", "speed": 900, "max_torque": 400}
    for world in (here, there):
        world.step(10)
        world.add({"actuators": {"late": {**rotary, "start": 0.5, "until": 0.9}}})
    step_alike(here, there, 7, 48)
    assert here.save() == there.save()
    for world in (here, there):
        world.set("late.enabled", False)
    step_alike(here, there, 5, 80)


def test_actuators_by_tags_act_on_copies_of_bodies(stored: Any) -> None:
    scene = loads(
        "rigid: 1\nworld: {dt: 0.02, gravity: [0, 0]}\n"
        "bodies: {ball: {shape: {circle: 0.3}, position: [3, 4], tags: [hot]}}\n"
        "actuators: {heat: {type: field, tags: [hot], field: [=-x, =9 - y]}}\n"
        "events: [{when: time, at: 0.1, every: 0.3, do: [{copy: {what: ball, by: [0, 2],"
        " name: twin}}]}]\n"
    )
    here, there = stored(scene), World(scene)
    step_alike(here, there, 9, 45)
    assert there["twin[0]"].velocity[0] < -1.0
