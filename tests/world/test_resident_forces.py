# SPDX-License-Identifier: MIT
"""Worlds that stay in the lanes while forces push them: the bits of a world stepped in stages."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from rigid2d.core import Batch, World, loads

SCENE = """
rigid: 1
world: {dt: 0.02, sleep: false}
defaults: {body: {collide: false}}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: 1, linear_damping: 0.3}
  pole: {shape: {box: [0.05, 1]}, position: [0, 0.5], mass: 0.1, angle: 2, angular_damping: 0.2}
  top: {shape: {box: [0.1, 0.6]}, position: [0, 1.3], mass: 0.2}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, 0]}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0]}
  neck: {type: revolute, bodies: [pole, top], anchor: [0, 1]}
actuators:
  push: {type: force, body: cart, force: [0, 0]}
  jet: {type: thruster, body: top, at: [0.05, 0.2], force: [0, 1], enabled: false}
  spin: {type: torque, body: pole, torque: 0.01}
  late: {type: force, body: top, at: [0.1, 0], force: [0.2, 0.1], START}
"""
SETTINGS = ("push.force", "jet.force.x", "jet.enabled", "spin.torque")


def drawn(random: Random) -> list[float]:
    return [
        random.uniform(-10, 10),
        random.uniform(-1, 1),
        random.uniform(-1, 1),
        float(random.random() < 0.5),
        random.uniform(-0.2, 0.2),
    ]


def reference(scene: str) -> World:
    """A world whose steps are done in stages, since these are measured."""
    world = World(loads(scene))
    world.measure_stages()
    return world


def set_all(world: World, row: list[float]) -> None:
    x, y, across, enabled, torque = row
    world.set("push.force", (x, y))
    world.set("jet.force", (across, world.actuator("jet").now.force[1]))
    world.set("jet.enabled", bool(enabled))
    world.set("spin.torque", torque)


@pytest.mark.parametrize("late", ["enabled: false", "start: 0.3"])
@pytest.mark.parametrize("count", [1, 5, 40])
def test_worlds_of_a_batch_have_the_bits_of_steps_in_stages(count: int, late: str) -> None:
    text, random = SCENE.replace("START", late), Random(count)
    batch = Batch(loads(text), count)
    alone = [reference(text) for _ in range(count)]
    for turn in range(30):
        if turn % 3 != 2:
            table = [drawn(random) for _ in range(count)]
            batch.write(SETTINGS, table)
            for world, row in zip(alone, table, strict=True):
                set_all(world, row)
        fallen = random.randrange(count)
        if turn % 4 == 1:  # one begins anew, another one is moved
            batch.reset(np.arange(count) == fallen)
            alone[fallen] = reference(text)
            places = np.array([[world["cart"].velocity[0]] for world in alone])
            moved = random.randrange(count)
            places[moved] += 0.25
            batch.write(["cart.vx"], places)
            for world, place in zip(alone, places.tolist(), strict=True):
                world["cart"].velocity = (place[0], world["cart"].velocity[1])
        steps = random.choice((1, 1, 1, 2, 7))
        batch.step(steps)
        for world in alone:
            world.step(steps)
        read = batch.read(["pole.x", "top.y", "cart.vx", "top.omega", "pole.angle"])
        for row, world in zip(read.tolist(), alone, strict=True):
            pole, top, cart = world["pole"], world["top"], world["cart"]
            expected = [pole.x, top.y, cart.velocity[0], top.angular_velocity, pole.angle]
            assert row == expected
        seen = random.randrange(count)
        assert batch.world(seen).save() == alone[seen].save()
    assert [batch.world(i).save() for i in range(count)] == [world.save() for world in alone]


def test_a_world_alone_has_the_bits_of_steps_in_stages_between_any_calls() -> None:
    text, random = SCENE.replace("START", "enabled: false"), Random(7)
    world, other = World(loads(text)), reference(text)
    for turn in range(60):
        for each in (world, other):
            each.step(1 + turn % 3)
        chance = random.random()
        if chance < 0.3:
            row = drawn(random)
            for each in (world, other):
                set_all(each, row)
        elif chance < 0.4:
            for each in (world, other):
                each["cart"].apply_force((3, 1))
        elif chance < 0.5:
            for each in (world, other):
                each.set("world.gravity", (0, -9 - turn % 2))
        elif chance < 0.6:
            world, other = world.fork(), other.fork()
            other.measure_stages()
        elif chance < 0.7:
            state = world.save()
            world.step(5)
            world.restore(state)
        assert world["top"].angle == other["top"].angle
        assert world.bodies.x.tolist() == other.bodies.x.tolist()
        assert world.save() == other.save()
    assert world.state_hash() == other.state_hash()
