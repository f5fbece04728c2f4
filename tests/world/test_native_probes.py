# SPDX-License-Identifier: MIT
"""Probes that native scripts read: with the bits of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads

from tests.scripts import alone, go, program, step_alike

# Eyes of all kinds on what moves, comes and goes; frames that are removed; filters by names, tags
# and categories.
SCENE = """
rigid: 1
world: {dt: 0.02, seed: 5, gravity: [0, -3], bounds: [[-20, -20], [20, 20]]}
state: {n: 0, %s}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop]}}}}
collision: {categories: [default, ghost]}
bodies:
  ground: {type: static, shape: {box: [30, 1]}, position: [0, -0.5], tags: [floor]}
  robot: {shapes: [{box: [1, 0.5]}, {box: [0.3, 0.3], offset: [0.5, 0.4]}], position: [0, 3],
    angular_velocity: 100, velocity: [1, 3], tags: [own]}
  ball: {repeat: {i: 4}, shape: {circle: 0.4}, position: ["=-5 + 3*i", "=1 + i"], tags: [ball]}
  ghost: {shape: {circle: 1, category: ghost}, position: [2, 4]}
  gate: {type: static, shape: {box: [2, 2], sensor: true}, position: [-2, 1]}
groups: {some: [robot, 'ball[1]', ground]}
probes:
  eye: {ray: [[0, 0], ["=6 + state.n / 100", -2]], frame: robot, ignore: [robot, tags.drop]}
  down: {ray: [[3, 9], [3, -9]], only: [tags.ball, tags.drop, ground]}
  dark: {ray: [[-9, 1], [9, 1]], categories: [ghost]}
  zone: {shape: {polygon: [[-2, 0], [2, 0], [2, 2], [0, 1], [-2, 2]]}, at: [=robot.x, 0.2],
    angle: 10, ignore: [tags.floor]}
  hold: {shape: {circle: 1.5}, frame: robot, only: [tags.ball, tags.drop]}
  nose: {velocity_of: robot, at: [0.5, 0]}
  lost: {velocity_of: 'ball[2]', at: [0.1, 0.2], frame: robot}
spawners:
  rain: {use: drop, every: 0.05, until: 1.5, at: ["=uniform(-9, 9)", 9], if: =zone.count < 5}
events:
  - {when: time, every: 0.06, do: [{add: {n: 1}}, {set: {%s}}]}
  - {when: =eye.hit and eye.distance > 3, do: [{add: {n: 100}}]}
  - {when: =zone.count > 2, do: [{add: {n: 1000}}]}
  - {when: time, at: 0.9, do: [{delete: 'ball[2]'}]}
  - {when: time, at: 0.3, do: [{destroy: {body: 'ball[1]', count: 4, kick: {random: 1}}}]}
  - {when: time, at: 2.3, do: [{delete: robot}, {delete: tags.drop}]}
"""
READINGS = (
    *("eye.hit", "eye.distance", "eye.x", "eye.y", "eye.normal_x", "eye.normal_y"),
    *("eye.tags.floor", "eye.groups.some", "down.distance", "down.tags.drop", "dark.x"),
    *("zone.hit", "zone.count", "zone.x", "zone.y", "zone.tags.own", "hold.count"),
    *("zone.bodies.ball", "hold.bodies.ball", "down.bodies.ground", "zone.bodies.robot"),
    *("nose.vx", "nose.vy", "nose.speed", "nose.x", "nose.y", "lost.speed", "lost.vx"),
)


@pytest.fixture(name="text")
def _text() -> str:
    names = [f"r{i}" for i in range(len(READINGS))]
    read = [f'state.{name}: "={each}"' for name, each in zip(names, READINGS, strict=True)]
    return SCENE % (", ".join(f"{name}: 0" for name in names), ", ".join(read))


@pytest.mark.parametrize("stride", [1, 13])
def test_probes_have_the_bits_of_python(text: str, stored: Any, stride: int) -> None:
    scene = loads(text)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride)
    assert here.state["n"] > 1100
    assert sum(value != 0 for value in here.state.values()) > 5


def test_probes_need_no_python(text: str, stored: Any) -> None:
    scene = loads(text)
    engine, runner = alone(scene)
    world = stored(scene)
    for step in (40, 75, 110):
        world.step(step - world.step_count)
        go(engine, runner, step)
        assert engine.state_hash() == world.state_hash()
        assert [*runner.variables] == [*world.state.values()]


ALONE = """
rigid: 1
state: {n: 0}
bodies:
  wall: {repeat: {i: 3}, type: static, shape: {box: [1, 1]}, position: [=2*i, 0], tags: [hard]}
  ball: {shape: {circle: 0.4}, position: [-3, 0], velocity: [2, 0]}
probes: {eye: {ray: [[0, 0], [2, 0]], frame: ball, ignore: [ball]}}
events: [{when: "=eye.bodies.wall > 0 and eye.tags.hard == 1", do: [{add: {n: "=eye.distance"}}]}]
"""


def test_names_are_those_of_pieces_and_births_too(stored: Any) -> None:
    scene = loads(ALONE)
    assert program(scene).is_whole
    step_alike(stored(scene), World(scene), 7)
    coming = """
prototypes: {stone: {bodies: {wall: {shape: {circle: 0.3}, tags: [hard]}}}}
spawners: {stones: {use: stone, every: 0.3, at: [-1.5, 2], velocity: [0, -1], max: 4}}
"""
    breaks = "{when: time, at: 0.2, do: [{destroy: {body: 'wall[0]', count: 5}}]}"
    text = ALONE + coming + "world: {gravity: [0, 0]}"
    text = text.replace("events: [", f"events: [{breaks}, ")
    scene = loads(text)
    assert program(scene).is_whole
    for stride in (1, 11):
        here, there = stored(scene), World(scene)
        step_alike(here, there, stride, 150)
        assert here.state["n"] > 0
    half = World(scene)
    half.step(60)
    later = World(scene)
    later.restore(half.save())
    later.step(90)
    assert later.save() == here.save()
    engine, runner = alone(scene)
    go(engine, runner, 60)
    state, saved = engine.save(), runner.save()
    again, other = alone(scene)
    again.restore(state)
    other.restore(saved)
    go(again, other, 150)
    assert again.state_hash() == here.state_hash()
    # A state ends with the bodies of which those that were born are pieces.
    with pytest.raises(ValueError, match="damaged"):
        other.restore(saved[:-4] + (-5).to_bytes(4, "little", signed=True))
