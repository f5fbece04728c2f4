# SPDX-License-Identifier: MIT
"""Worlds of a batch that begin anew take the memory they had, and nothing else of what was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import Batch, World, load, loads

SCENES = Path(__file__).resolve().parents[2] / "scenes"
CART = """
rigid: 1
world: {dt: 0.02, sleep: false}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: 1, collide: false}
  pole: {shape: {box: [0.05, 1]}, position: [0, 0.5], mass: 0.1, angle: 2, collide: false}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, 0], motor: {speed: 0, max_force: 0}}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0]}
"""
# Contacts, sleep, a joint that breaks, a spring, a body that leaves: what a
# run has made must be gone, whichever part of the engine keeps it.
BUSY = """
rigid: 1
world: {bounds: [[-10, -5], [10, 20]]}
bodies:
  ground: {type: static, shape: {chain: [[-9, 2], [-3, 0], [3, 0], [9, 2]]}}
  ball: {repeat: {i: 6}, shape: {circle: 0.2}, position: [=0.11 * i - 2, =0.6 + 0.45 * i]}
  box: {shape: {box: [0.6, 0.4]}, position: [2, 0.3], bullet: true}
  hung: {shape: {box: [0.2, 0.2]}, mass: 5, position: [5, 6]}
  arm: {shape: {box: [1, 0.1]}, position: [-5, 6]}
  leaver: {shape: {circle: 0.1}, position: [0, 15], velocity: [40, 0]}
joints:
  thread: {type: distance, bodies: [world, hung], anchors: [[5, 8], [5, 6]], break: {force: 10}}
  hinge: {type: revolute, bodies: [world, arm], anchor: [-5.5, 6]}
  spring: {type: distance, bodies: [arm, world], anchors: [[-4.5, 6], [-4.5, 8]],
           spring: {frequency: 3, damping_ratio: 0.1}}
"""
TEXTS = {
    "cart": CART,
    "busy": BUSY,
    "one by one": BUSY.replace("20]]", "20]], solver: {joints: iterative}"),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_world_that_begins_anew_is_one_that_was_never_stepped(text: str) -> None:
    scene = loads(text)
    used, fresh = Batch(scene, 2), Batch(scene, 1)
    used.step(150)
    used.reset(np.array([True, False]))
    assert used.world(0).save() == fresh.world(0).save() == World(scene).save()
    for steps in (1, 2, 147):
        used.step(steps)
        fresh.step(steps)
        assert used.world(0).save() == fresh.world(0).save()


def test_so_is_one_whose_motor_is_set_before_its_first_step() -> None:
    scene = loads(CART)
    batch, alone = Batch(scene, 1), World(scene)
    batch.step(5)
    batch.reset()
    batch.write(["rail.speed", "rail.max_force"], [[0.5, 100.0]])
    alone.joint("rail").set_motor(speed=0.5, max_force=100.0)
    batch.step(5)
    alone.step(5)
    assert batch.world(0).state_hash() == alone.state_hash()


def test_a_world_that_was_changed_before_it_was_stepped_begins_as_any_other() -> None:
    scene = loads(CART)
    batch, alone = Batch(scene, 3), World(scene)
    changed = batch.world(0)
    changed.remove("pin")
    changed.step(3)
    other = World(scene)
    other.remove("pin")
    other.step(3)
    assert changed.save() == other.save()
    batch.step(3)
    alone.step(3)
    assert batch.world(1).save() == alone.save()


def test_one_layout_after_another_leaves_nothing_of_the_first() -> None:
    scene = load(SCENES / "tasks" / "lunar_lander.yaml")
    used, fresh = Batch(scene, 2, seeds=[1, 2]), Batch(scene, 2, seeds=[3, 4])
    used.step(120)
    used.reset(seeds=[3, 4])
    for _ in range(2):
        assert used.world(0).save() == fresh.world(0).save()
        assert used.world(1).save() == fresh.world(1).save()
        used.step(100)
        fresh.step(100)
