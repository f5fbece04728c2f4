# SPDX-License-Identifier: MIT
"""Bodies that scripts break in the engine: with the bits, saved states and events of Python's."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rigid2d.core import World, _native, load, loads
from rigid2d.core.scene.model import Scene

from tests.scripts import alone, go, program, step_alike, try_to_go

# Bodies of every form, broken in every way, also pieces of pieces, and those of what was born.
BROKEN = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-30, -9], [30, 30]]}
state: {n: 0, gone: 0}
prototypes:
  rock: {bodies: {stone: {shape: {regular_polygon: {sides: 7, radius: 0.5}}, tags: [rock]},
    moon: {shape: {circle: 0.2}, position: [1, 0]}},
    joints: {rod: {type: distance, bodies: [stone, moon]}}}
  cart: {bodies: {deck: {shape: {polygon: [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]],
      holes: [[[-0.6, -0.2], [-0.3, -0.2], [-0.4, 0.3]], [[0.2, -0.4], [0.5, 0.2], [0, 0.1]]]},
      tags: [old], texture: {file: stick.png, size: [2, 1], along: [fore, aft]}},
    fore: {shape: {circle: 0.2}, position: [1, 0.8]}, aft: {shape: {circle: 0.2},
      position: [-1, 1], angular_velocity: 90}}}
bodies:
  ground: {type: static, shape: {box: [60, 1]}, position: [0, -0.5], tags: [ground]}
  letter: {shape: {polygon: [[0, 0], [1.5, 0], [1.5, 1.5], [1, 1.5], [1, 0.5], [0.5, 0.5],
    [0.5, 1.5], [0, 1.5]]}, position: [-8, 1], tags: [old], angular_velocity: 40, velocity: [1, 2]}
  wheel: {shape: {circle: 0.8}, position: [-5, 2], tags: [old], fixed_rotation: true}
  plank: {shapes: [{box: [3, 0.3]}, {box: [0.4, 1], radius: 0.1, offset: [1, 0.6], density: 3},
    {circle: 0.3, sensor: true}], position: [-1, 2], angle: 20, mass: 4, tags: [old],
    points: {end: [1.5, 0]}}
  lift: {type: kinematic, shape: {capsule: [[-0.7, 0], [0.7, 0.1]], radius: 0.3}, position: [3, 3],
    velocity: [0, 0.5], angular_velocity: 20, tags: [old]}
  stick: {shape: {box: [4, 0.2]}, mass: 1, inertia: 2, position: [6, 3], tags: [old],
    texture: {file: stick.png, size: [6, 1]}}
  ring: {shape: {polygon: [[-1, -1], [1, -1], [1, 1], [-1, 1]], holes: [[[-0.5, -0.5], [0.5, -0.5],
    [0.5, 0.5], [-0.5, 0.5]]]}, position: [-11, 4], angular_velocity: 50, tags: [old],
    texture: {file: stick.png, size: [3, 2], along: [wheel, lift]}}
  wire: {shape: {segment: [[-12, 0.5], [-9, 0.5]]}, type: static}
joints: {pin: {type: revolute, bodies: [wheel, world], anchor: [-5, 2]}}
actuators: {push: {type: force, bodies: [letter, wheel], force: [0.5, 0]}}
spawners: {sky: {use: rock, every: 0.35, at: ["=uniform(9, 20)", 5], velocity: [0, -6], scale: 1.2,
  mirror: x}, road: {use: cart, every: 0.6, at: [-14, 3], angle: 30, max: 2}}
events:
  - {when: collision, tags: [rock, ground], do: [
      {destroy: {body: $a, method: voronoi, count: 5, tags: [chip], kick: {radial: 1, random: 1,
      spin: 90}}}, {add: {n: "=1 + abs($a.vx)"}}]}
  - {when: collision, tags: [chip, ground], after: 0.1, do: [{destroy: {body: $a, count: 2, seed: 8,
      tags: [], lifetime: 0.3, collide: false}}]}
  - {when: deleted, tags: [chip], do: [{add: {gone: 1}}]}
  - {when: time, at: 0.2, do: [{destroy: {body: letter, count: 4}}, {set: {lift.velocity: [1, 0]}}]}
  - {when: time, at: 0.3, do: [{destroy: {body: wheel, method: voronoi, count: 9}}]}
  - {when: time, at: 0.4, do: [{destroy: {body: plank, count: 3, kick: {random: 2}}}, {log: crack}]}
  - {when: time, at: 0.5, do: [{destroy: {body: lift, count: 2}}, {destroy: {body: lift}}]}
  - {when: collision, tags: [old, ground], once_per: pair, after: 0.3, do: [
      {destroy: {body: $a, method: voronoi, count: 3, tags: [], kick: {radial: 0.5}}}]}
"""


PICTURES = r",\s*texture: \{[^}]*\}"
"""The only parts that need a file."""


@pytest.fixture(name="broken")
def _broken(tmp_path: Path) -> Scene:
    Image.new("RGB", (6, 1), "tan").save(tmp_path / "stick.png")
    (tmp_path / "broken.yaml").write_text(BROKEN)
    return load(tmp_path / "broken.yaml")


@pytest.mark.parametrize("stride", [1, 13, 120])
def test_pieces_have_the_bits_of_python(broken: Scene, stored: Any, stride: int) -> None:
    assert program(broken).is_whole
    here, there = stored(broken), World(broken)
    if stride == 13:
        for world in (here, there):
            world.events.enable_births()
    step_alike(here, there, stride)
    names = list(here.bodies)
    assert any(name.count(".") == 3 for name in names)  # a piece of a piece of what was born
    assert here.state["n"] > 5
    assert here.state["gone"] > 5
    assert [each.texture for each in here.scene.bodies.values()] == [
        each.texture for each in there.scene.bodies.values()
    ]


def test_pieces_go_on_from_a_saved_state_and_after_changes(broken: Scene, stored: Any) -> None:
    here, there = stored(broken), World(broken)
    for step in (23, 45, 70, 100):
        for world in (here, there):
            world.step(step - world.step_count)
        if step == 45:
            for world in (here, there):
                world.destroy("stick", count=2)
                world.add(
                    {
                        "bodies": {
                            "late": {"shape": {"box": [1, 1]}, "tags": ["rock"], "position": [8, 2]}
                        }
                    }
                )
        assert here.save() == there.save()
        later = World(broken)
        later.restore(there.save())
        there = later


def test_pieces_without_python_have_its_bits(broken: Scene, stored: Any) -> None:
    engine, runner = alone(broken)
    world = stored(broken)
    for step in (60, 120):
        world.step(step - world.step_count)
        go(engine, runner, step)
        assert engine.state_hash() == world.state_hash()
        again, other = alone(broken)
        again.restore(engine.save())
        other.restore(runner.save())
        assert other.save() == runner.save()
        engine, runner = again, other


def test_changed_pieces_are_refused_or_run() -> None:
    scene = loads(re.sub(PICTURES, "", BROKEN))
    engine, runner = alone(scene)
    go(engine, runner, 50)
    state, data, drawn, refused = runner.save(), program(scene).data, random.Random(3), 0
    for _ in range(150):
        changed, other = bytearray(state), bytearray(data)
        for each in (changed, other):
            each[drawn.randrange(15, len(each))] = drawn.choice((0, 1, 255, drawn.randrange(256)))
        try:
            _native.ScriptProgram(bytes(other))
        except ValueError:
            refused += 1
        try:
            runner.restore(bytes(changed))
            try_to_go(engine, runner, engine.step_count + 1)
        except ValueError:
            refused += 1
        runner.restore(state)
    assert refused > 20
