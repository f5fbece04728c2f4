# SPDX-License-Identifier: MIT
"""Areas and sides of bodies, explosions and types of bodies of events in native scripts: with the
bits of Python's."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from rigid2d.core import World, loads
from rigid2d.core.compiled.script import parts_for_python

from tests.scripts import alone, changed, go, program, run_changed, step_alike

# All kinds of shapes: born in two sizes and mirrored, broken, copied from Python, of other types.
MEASURED = """
rigid: 1
units: {y: %(y)s}
world: {dt: 0.01, seed: 3, gravity: [0, %(down)s9], bounds: [[-40, -40], [40, 40]]}
state: {n: 0, s: 0, r: 0}
prototypes:
  drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop, some]},
    ell: {shape: {polygon: [[0, 0], [1, 0], [1, 0.3], [0.3, 0.3], [0.3, 1], [0, 1]]},
      position: [0.5, 0.4], angle: 33, tags: [some]}}}
bodies:
  floor: {type: static, shape: {half_space: {normal: [0, %(up)s1]}}, position: [0, %(down)s3],
    tags: [floor, some]}
  brick: {repeat: {i: 3}, shape: {box: [0.8, 0.4], radius: 0.1}, position: ["=-3 + i", 0],
    angle: 20, velocity: [0.3, 1], angular_velocity: 30, tags: [some]}
  wire: {type: kinematic, shape: {chain: [[0, 0], [1, 0.3], [2, -0.2]]},
    position: [5, 2], velocity: [0, 0.2], tags: [some, line]}
  ring: {shape: {box: [1, 1], holes: [[[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]]]},
    position: [3, 4], tags: [some]}
  pill: {shapes: [{capsule: [[-0.5, 0], [0.5, 0.1]], radius: 0.2}, {circle: 0.9, sensor: true}],
    position: [9, 5], tags: [some, hit]}
groups: {pair: ["brick[2]", wire]}
events:
  - {when: time, at: 0.05, every: 0.06, do: [{set: {state.s: "=tags.some.left + tags.drop.area"}},
      {add: {s: "=groups.pair.top - tags.line.bottom + brick[0].right + tags.hit.momentum"}}]}
  - {when: "=pill.top > tags.line.top and pill.left < 30", do: [{add: {n: 1}}]}
  - {when: time, at: 0.2, every: 0.31, do: [{explode: {at: [0, "=uniform(-1, 1)"], radius: 6,
      impulse: "=0.5 + state.n / 9"}}]}
  - {when: time, at: 0.33, every: 0.3, do: [{explode: {at: ring, radius: 3, impulse: -0.2}}]}
  - {when: collision, tags: [some, floor], if: "=$a.top < $b.right", cooldown: 0.2, do: [
      {explode: {at: $point, radius: 2, impulse: "=0.1 + abs($normal.y)"}}, {add: {r: "=$a.top"}}]}
  - {when: collision, tags: [drop, floor], if: "=tags.drop.count > 3", do: [{delete: $a},
      {add: {s: "=$a.left + $a.bottom"}}]}
  - {when: collision, tags: [hit, floor], do: [{set: {$a.type: kinematic}}, {add: {n: 1}},
      {set: {$a.velocity: [0, "=9 * state.n - 9"]}}]}
  - {when: time, at: 1, do: [{destroy: {body: "brick[1]", count: 4}}, {delete: wire}]}
spawners:
  sky: {use: drop, every: 0.17, at: ["=uniform(-4, 4)", 6], max: 5, scale: 0.5, angle: 10}
  rain: {use: drop, every: 0.23, at: [1, 7], max: 5, mirror: x, velocity: [1, 0]}
"""
SCENES = [
    MEASURED % {"y": y, "down": down, "up": up}
    for y, down, up in (("up", "-", ""), ("down", "-", ""))
]


@pytest.mark.parametrize("text", SCENES)
@pytest.mark.parametrize("stride", [1, 17])
def test_measures_have_the_bits_of_python(stored: Any, text: str, stride: int) -> None:
    scene = loads(text)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride, 160)
    assert here.state["n"] > 0
    assert here.state["r"] != 0.0


def test_they_go_on_from_a_saved_state_and_after_additions(stored: Any) -> None:
    scene = loads(SCENES[0])
    here, there = stored(scene), World(scene)
    for step in (33, 75, 120, 160):
        for world in (here, there):
            world.step(step - world.step_count)
            late = {"shape": {"box": [1, 1], "radius": 0.2}, "tags": ["some"]}
            world.add({"bodies": {f"late{step}": {**late, "position": [step / 40, 3]}}})
        assert here.save() == there.save()
        there = World(scene)
        there.restore(here.save())


def test_they_go_on_without_a_host() -> None:
    scene = loads(SCENES[0])
    whole, runner = alone(scene)
    go(whole, runner, 77)
    engine, state = whole.save(), runner.save()
    go(whole, runner, 150)
    world = World(scene)
    world.step(150)
    assert whole.state_hash() == world.state_hash()
    half, again = alone(scene)
    half.restore(engine)
    again.restore(state)
    go(half, again, 150)
    assert again.save() == runner.save()
    assert half.state_hash() == whole.state_hash()


def test_changed_programs_and_states_of_them_do_no_harm() -> None:
    assert run_changed(loads(SCENES[0]), 60, 30) > 5
    engine, runner = alone(loads(SCENES[0]))
    go(engine, runner, 60)
    state, drawn = runner.save(), random.Random(5)
    nothing = np.empty((0, 2), np.int32)
    for _ in range(40):
        try:
            runner.restore(changed(state, len(state) // 2, drawn))
        except ValueError:
            runner.restore(state)
            continue
        runner.run(engine, engine.step_count + 1, 0, nothing, np.empty((0, 0)), nothing)


def test_messages_of_explosions_name_their_place() -> None:
    text = SCENES[0].replace("impulse: -0.2", 'impulse: "=1 / (state.n - state.n)"')
    with pytest.raises(Exception, match=r"events\[3\]\.do\[0\]\.explode\.impulse"):
        World(loads(text)).step(60)


def test_pages_measure_and_explode() -> None:
    assert [parts_for_python(loads(text)) for text in SCENES] == [[] for _ in SCENES]
