# SPDX-License-Identifier: MIT
"""Keys of spawned copies in the engine: with the bits, saved states and events of Python's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rigid2d.core import Batch, World, loads
from rigid2d.core.errors import RigidError

from tests.scripts import alone, go, program, restore_and_fork, run_changed, step_alike, told

# Carts and boats share a key with each other and with the scene, others are their own.
FLEET = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-14, -9], [14, 30]]}
state: {n: 0, m: 0, k: 0, r: 0, s: 0}
prototypes:
  spark: {bodies: {dot: {shape: {circle: 0.05}, tags: [spark]}}}
  cart:
    bodies:
      hull: {shape: {box: [0.8, 0.3]}, tags: [cart]}
      lift: {type: kinematic, shape: {box: [0.4, 0.1]}, position: [0, 1]}
    actuators:
      jet: {type: thruster, body: hull, force: [9, 1]}
      back: {type: force, body: hull, force: [-4, 0]}
    animations:
      raise: {type: manual, duration: 0.5, return_to: 0.2, tracks: {
        lift.position: [[0, [0, 1]], [1, [0.3, 2]]], jet.force: [[0, [9, 1]], [1, [4, 0]]]}}
    controls:
      up: {hold: [jet, raise.forward], do: [{add: {k: "=1 + jet.enabled"}}], every: 0.07}
      down: {hold: [raise.backward, back], set: {back.force: [-3, 1], hull.gravity_scale: 0.5},
        on_release: {set: {hull.velocity: [0.2, 1]}, do: [{add: {r: "=hull.x + 20"}},
        {spawn: {use: spark, at: [0.1, 0.5], velocity: ["=uniform(-1, 1)", 1], lifetime: 0.6}}]}}
    events: [{when: actuator_start, actuator: jet, do: [{add: {s: 1}}]}]
  boat:
    bodies: {hull: {shape: {box: [0.6, 0.4]}, tags: [boat]}}
    actuators: {jet: {type: thruster, body: hull, force: [2, 6], enabled: false}}
    controls:
      up: {do: [{add: {hull.velocity.y: 0.5}}, {add: {n: 1}}], every: 0.11, on_release: {do: [
        {delete: hull}, {add: {m: 1}}]}}
      left: {hold: jet, do: [{impulse: {body: hull, impulse: [-0.3, 0.2]}}, {log: left}]}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  gate: {type: kinematic, shape: {box: [0.4, 2]}, position: [9, 1]}
animations: {shut: {type: manual, duration: 1, tracks: {gate.angle: [[0, 0], [1, 90]]}}}
controls: {up: {hold: shut.forward, do: [{add: {m: 0.1}}], every: 0.2}}
spawners:
  a: {use: cart, every: 0.31, at: ["=uniform(-5, 5)", 2], angle: "=uniform(0, 360)", lifetime: 0.9}
  b: {use: cart, every: 0.5, at: [-3, 2], mirror: x, scale: 1.4, max: 3}
  c: {use: boat, every: 0.43, at: [4, 3], mirror: y, angle: 30, alive: 2}
inputs:
  - {key: up, from: 0.2, to: 0.8}
  - {key: down, from: 0.5, to: 1.0}
  - {key: left, from: 0.9, to: 1.3}
  - {key: up, from: 1.2, to: 1.9}
  - {key: down, from: 1.6, to: 2.1}
"""


@pytest.mark.parametrize("stride", [1, 13])
def test_keys_of_copies_have_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(FLEET)
    assert len(program(scene).scripted) == 3
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride)
    assert all(there.state.values())


def test_they_are_pressed_by_hand(stored: Any) -> None:
    scene, drawn = loads(FLEET), random.Random(3)
    here, there = stored(scene), World(scene)
    for _ in range(60):
        key, down = drawn.choice(("up", "down", "left")), drawn.random() < 0.5
        for world in (here, there):
            (world.controls.press if down else world.controls.release)(key)
            world.step(2)
        assert told(here) == told(there)
        assert here.state_hash() == there.state_hash()
    assert here.save() == there.save()


def test_held_keys_go_on_from_saved_states_and_forks(stored: Any) -> None:
    scene = loads(FLEET)
    restore_and_fork(stored(scene), World(scene), 11)


def test_a_batch_has_them_too(stored: Any) -> None:
    scene = loads(FLEET)
    batch, world = Batch(scene, 2), stored(scene)
    for _ in range(8):
        batch.step(15)
        world.step(15)
        assert batch.world(0).save() == batch.world(1).save() == world.save()


def without_actuators(text: str) -> str:
    """The scene with keys that move and act alone, whose program is whole."""
    for old, new in (("hold: [jet, raise.forward]", "hold: raise.forward"), ("jet.enabled", "1")):
        text = text.replace(old, new)
    text = text.replace("hold: [raise.backward, back], set: {back.force: [-3, 1], ", "set: {")
    text = text.replace("hold: jet, do", "do").replace(
        ", jet.force: [[0, [9, 1]], [1, [4, 0]]]", ""
    )
    text = text.replace(
        "    events: [{when: actuator_start, actuator: jet, do: [{add: {s: 1}}]}]\n", ""
    )
    start = text.index("    actuators:\n")
    text = text[:start] + text[text.index("    animations:\n") :]
    jet = "    actuators: {jet: {type: thruster, body: hull, force: [2, 6], enabled: false}}\n"
    return text.replace(jet, "")


def test_a_run_without_a_host_has_keys_of_copies() -> None:
    scene = loads(without_actuators(FLEET))
    engine, runner = alone(scene)
    go(engine, runner, 110)
    world = World(scene)
    world.step(110)
    assert engine.state_hash() == world.state_hash()
    assert world.state["n"] > 5


def test_changed_programs_with_keys_are_refused_or_run() -> None:
    assert run_changed(loads(without_actuators(FLEET)), 60, 60) > 10


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        (
            '{add: {k: "=1 + jet.enabled"}}',
            '{add: {k: "=1/(state.k - state.k)"}}',
            "controls.up.do[0]",
        ),
        ('{add: {r: "=hull.x + 20"}}', '{add: {r: "=sqrt(-1 - hull.y**2)"}}', "on_release"),
        ("every: 0.07", "every: 0.000001", "controls.up"),
    ],
)
def test_failures_of_keys_have_the_words_of_python(
    stored: Any, old: str, new: str, path: str
) -> None:
    scene = loads(FLEET.replace(old, new))
    said = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(RigidError) as error:
            world.step(120)
        said.append((str(error.value), world.step_count))
    assert said[0] == said[1]
    assert path in said[0][0]
