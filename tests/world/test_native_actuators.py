# SPDX-License-Identifier: MIT
"""Fields, and motors that begin and end, beside native scripts: with the bits, saved states and
errors of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import SimulationError, World, loads

from tests.scripts import alone, go, program, step_alike, try_to_go

SCENE = """
rigid: 1
world: {dt: 0.02, seed: 5, gravity: [0, -1], bounds: [[-20, -20], [20, 20]]}
vars: {k: 3}
state: {n: 0}
bodies:
  ball: {repeat: {i: 5}, shape: {circle: 0.4}, position: ["=-5 + 3*i", "=1 + i"],
    mass: "=0.5 + i", tags: [pulled]}
  wheel: {shape: {circle: 0.5}, position: [8, 0]}
  sled: {shape: {box: [2, 0.3]}, position: [12, 0], velocity: [-4, 0], angle: 10}
  fast: {shape: {box: [1, 0.4]}, position: [-9, 3], velocity: [30, 0], tags: [pulled]}
actuators:
  pull: {type: field, tags: [pulled], field: [=-k*x - 0.3*vx*abs(vx), =sin(3*t) * mass - y],
    start: 0.1, until: 1.9}
  turn: {type: rotary_motor, bodies: [wheel, 'ball[1]'], speed: 200, max_torque: 3, start: 0.3,
    until: 1.2}
  late: {type: rotary_motor, body: sled, speed: -20, max_torque: 9, start: 0.8}
  brake: {type: axial_friction, body: sled, direction: [1, 0], friction: 0.4, until: 0.9}
  gusts: {type: field, bodies: ['ball[0]', 'ball[1]'], field: [=4*exp(-y*y), 0.5], enabled: false}
controls: {g: {hold: gusts}}
inputs: [{key: g, from: 0.5, to: 1.0}]
events:
  - {when: collision, cooldown: 0.1, do: [{add: {n: 1}}]}
  - {when: time, at: 0.4, do: [{delete: 'ball[2]'}, {set: {pull.enabled: false}}]}
  - {when: time, at: 0.6, do: [{set: {pull.enabled: true}}]}
  - {when: time, at: 0.2, do: [{set: {turn.speed: 300, late.speed: 5}}]}
  - {when: time, at: 0.3, do: [{set: {turn.max_torque: 4}}]}
  - {when: time, at: 0.8, do: [{set: {late.enabled: false}}]}
  - {when: time, at: 0.9, do: [{set: {late.enabled: true, brake.friction: 0.3}}]}
  - {when: actuator_start, actuator: turn, do: [{add: {n: 100}}]}
  - {when: actuator_stop, actuator: turn, do: [{add: {n: 1000}}]}
  - {when: "=world.time > 1.5 and state.n > 1", do: [{delete: gusts}]}
"""


@pytest.mark.parametrize("stride", [1, 13])
def test_fields_have_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(SCENE)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride)
    assert here.state["n"] > 1101


def test_fields_go_on_from_a_saved_state_and_after_additions(stored: Any) -> None:
    scene = loads(SCENE)
    here, there = stored(scene), World(scene)
    for step in (23, 45, 70):
        for world in (here, there):
            world.step(step - world.step_count)
            if step == 45:
                wind = {"type": "field", "bodies": ["fast"], "field": ["=-x", 1]}
                world.add({"actuators": {"wind": wind}})
        assert here.save() == there.save()
        there = World(scene)
        there.restore(here.save())


def test_fields_need_no_python(stored: Any) -> None:
    scene = loads(SCENE)
    engine, runner = alone(scene)
    world = stored(scene)
    world.step(110)
    go(engine, runner, 110)
    assert engine.state_hash() == world.state_hash()


def test_a_field_without_a_value_is_the_error_of_python(stored: Any) -> None:
    scene = loads(SCENE.replace("0.5], enabled: false", "=1 / (x - x)], start: 0.7"))
    errors = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(100)
        errors.append((str(error.value), error.value.step, world.step_count, world.state_hash()))
    assert errors[0] == errors[1]
    engine, runner = alone(scene)
    assert try_to_go(engine, runner, 100) != 0
