# SPDX-License-Identifier: MIT
"""Numbers of many bodies that native scripts read: with the bits of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.scene.model import Scene

from tests.scripts import alone, go, program, step_alike

AGGREGATES = (
    *("count", "mass", "kinetic_energy", "potential_energy"),
    *("momentum_x", "momentum_y", "center_x", "center_y"),
    *("min.x", "max.y", "mean.speed", "sum.angle", "sum.normal_force", "max.contacts"),
    *("area", "momentum", "left", "right", "top", "bottom"),
)
# Tags and groups whose bodies are born, broken and removed; one of them is out of balance, another
# has no mass.
SCENE = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-12, -6], [12, 30]]}
state: {few: 0, %s}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop, wet]}}}}
bodies:
  ground: {type: static, shape: {box: [14, 1]}, position: [0, -0.5], tags: [wet, ground]}
  hammer: {shapes: [{box: [2, 0.2]}, {box: [0.5, 0.8], offset: [1, 0], density: 9}],
    position: [1, 3], angle: 33, velocity: [1e-3, 4], angular_velocity: 300, tags: [wet, old]}
  ball: {repeat: {i: 4}, shape: {circle: 0.4}, position: ["=-5 + 3*i", "=3 + i"], tags: [old]}
  loner: {type: kinematic, shape: {circle: 0.5}, position: [-6, 5], velocity: [0.5, 0]}
groups: {some: ['ball[1]', hammer, loner, 'ball[3]']}
spawners: {rain: {use: drop, every: 0.05, until: 1.5, at: ["=uniform(-9, 9)", 9],
  if: "=tags.drop.count < 12", velocity: ["=tags.wet.momentum_x / 9", -3]}}
events:
  - {when: collision, tags: [drop, ground], do: [{delete: $a}]}
  - {when: time, every: 0.06, do: [{set: {%s}}]}
  - {when: "=tags.drop.max.y < 5 and tags.drop.count > 3", do: [{add: {few: 1}}]}
  - {when: time, at: 0.7, do: [{delete: 'ball[1]'}, {destroy: {body: hammer, count: 3}},
      {add: {few: "=groups.some.count"}}]}
  - {when: time, at: 1.1, do: [{delete: tags.drop}, {add: {few: "=10 * tags.drop.count"}}]}
outcome: {win: "=tags.old.min.y < -5"}
"""


@pytest.fixture(name="gathering")
def _gathering() -> Scene:
    numbers, read = [], []
    for kind in ("tags.drop", "tags.wet", "tags.old", "groups.some"):
        for aggregate in AGGREGATES:
            name = f"n{len(numbers)}"
            numbers.append(f"{name}: 0")
            read.append(f'state.{name}: "={kind}.{aggregate}"')
    return loads(SCENE % (", ".join(numbers), ", ".join(read)))


@pytest.mark.parametrize("stride", [1, 13])
def test_aggregates_have_the_bits_of_python(gathering: Scene, stored: Any, stride: int) -> None:
    assert program(gathering).is_whole
    here, there = stored(gathering), World(gathering)
    step_alike(here, there, stride)
    assert here.state == there.state
    assert here.state["few"] > 1
    assert len({*here.state.values()}) > 30


def test_aggregates_go_on_from_a_saved_state_and_after_additions(
    gathering: Scene, stored: Any
) -> None:
    here, there = stored(gathering), World(gathering)
    for step in (23, 45, 70):
        for world in (here, there):
            world.step(step - world.step_count)
            late = {"shape": {"box": [1, 1]}, "tags": ["wet"], "position": [step / 10, 4]}
            world.add({"bodies": {f"late{step}": late}})
        assert here.save() == there.save()
        there = World(gathering)
        there.restore(here.save())


def test_aggregates_need_no_python(gathering: Scene, stored: Any) -> None:
    engine, runner = alone(gathering)
    world = stored(gathering)
    for step in (40, 90):
        world.step(step - world.step_count)
        go(engine, runner, step)
        assert engine.state_hash() == world.state_hash()
        assert [*runner.variables] == [*world.state.values()]
