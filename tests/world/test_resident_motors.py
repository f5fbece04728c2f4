# SPDX-License-Identifier: MIT
"""Worlds that stay in the lanes while motors are set and bodies pass walls: the bits of a world
stepped in stages."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from rigid2d.core import Batch, World, loads

from tests.rows import every_row
from tests.search import tries
from tests.world.test_side_by_side import random_scene

WALLS = 20  # more bodies than the lanes have places for
SCENE = f"""
rigid: 1
world: {{gravity: [0, 0], dt: 0.02, sleep: false}}
collision: {{categories: [default, car], ignore: [[car, car]]}}
bodies:
  wall: {{repeat: {{i: {WALLS}}}, type: static, shape: {{box: [4, 0.4]}},
    position: [=3.9*i - 20, -4]}}
  post: {{type: static, shape: {{circle: 0.5}}, position: [3.6, 0.3]}}
  car: {{mass: 900, category: car, shape: {{box: [3.6, 1.5]}}, center_of_mass: [0.2, 0],
    velocity: [4, 0], points: {{nose: [1.8, 0]}}}}
  wheel: {{repeat: {{s: [-1, 1]}}, mass: 20, category: car, shape: {{box: [0.6, 0.2]}},
    position: [1.2, =0.7*s], velocity: [4, 0]}}
joints:
  pin: {{repeat: {{s: [-1, 1]}}, type: revolute, bodies: [car, "wheel[=s]"], anchor: [1.2, =0.7*s],
    limits: {{lower: -35, upper: 35}}, motor: {{position: 0, max_torque: 3000}}}}
actuators:
  engine: {{type: thruster, body: car, force: [0, 0]}}
  rear: {{type: axial_friction, body: car, at: [-1.2, 0], direction: [0, 1], max_force: 5000}}
  front: {{repeat: {{s: [-1, 1]}}, type: axial_friction, body: "wheel[=s]", direction: [0, 1],
    max_force: 4000}}
  brake: {{type: rotary_motor, body: car, speed: 0, max_torque: 40}}
"""
SETTINGS = ("pin[-1].position", "pin[1].position", "engine.force.x")
STRENGTH = "pin[1].max_torque"
CHANNELS = [
    *("car.x", "car.vy", "car.points.nose.x", "pin[1].angle", "pin[-1].speed", "car.contacts"),
    *("car.kinetic_energy", "world.contacts"),
]


def reference() -> World:
    """A world whose steps are done in stages, since these are measured."""
    world = World(loads(SCENE))
    world.measure_stages()
    return world


def test_such_a_car_goes_side_by_side_with_others() -> None:
    world = reference()
    world.step(3)
    assert world.native.why_alone() is None


@pytest.mark.parametrize("count", [1, 5, 21])
def test_steered_cars_have_the_bits_of_steps_in_stages(count: int) -> None:
    random = Random(count)
    batch = Batch(loads(SCENE), count)
    alone = [reference() for _ in range(count)]
    touched = 0
    for turn in range(45):
        if turn % 4 != 3:
            table = [
                [random.uniform(-30, 30), random.uniform(-30, 30), random.uniform(-2000, 6000)]
                for _ in range(count)
            ]
            batch.write(SETTINGS, table)
            for world, row in zip(alone, table, strict=True):
                world.set("pin[-1].motor.position", row[0])
                world.set("pin[1].motor.position", row[1])
                world.set("engine.force", (row[2], 0))
        if turn % 6 == 5:  # a motor without a maximum has rows of another kind
            most = [[float("inf") if random.random() < 0.1 else 3000.0] for _ in range(count)]
            batch.write([STRENGTH], most)
            for world, (value,) in zip(alone, most, strict=True):
                world.set("pin[1].motor.max_torque", value)
        if turn % 7 == 6:
            fallen = random.randrange(count)
            batch.reset(np.arange(count) == fallen)
            alone[fallen] = reference()
        if turn % 5 == 1 or turn % 14 == 6:  # a push in the next step, also in a first one
            pushes = [random.uniform(-9000, 9000) for _ in range(count)]
            batch.write(["car.force_y"], np.array(pushes).reshape(-1, 1))
            for world, push in zip(alone, pushes, strict=True):
                world["car"].apply_force((0, push))
        steps = random.choice((1, 1, 2, 5, 9))
        batch.step(steps)
        rows = batch.read(CHANNELS).tolist()
        for row, world in zip(rows, alone, strict=True):
            world.step(steps)
            car, wheels = world["car"], (world.joint("pin[-1]"), world.joint("pin[1]"))
            assert row[:2] == [car.x, car.velocity[1]]
            assert row[3:5] == [wheels[1].angle, wheels[0].speed]
            touched += row[5] > 0
        seen = random.randrange(count)
        assert batch.world(seen).save() == alone[seen].save()
    assert touched > 0
    assert [batch.world(i).save() for i in range(count)] == [world.save() for world in alone]


def test_a_steered_car_alone_has_the_bits_of_steps_in_stages() -> None:
    world, other, random = World(loads(SCENE)), reference(), Random(3)
    for turn in range(80):
        for each in (world, other):
            each.step(1 + 5 * (turn % 9 == 0))
        if turn % 3 == 0:
            angle = random.uniform(-30, 30)
            for each in (world, other):
                each.set("pin[1].motor.position", angle)
                each.set("engine.force", (3000, 0))
        assert world.joint("pin[1]").angle == other.joint("pin[1]").angle
        if turn % 10 == 9:
            assert world.save() == other.save()
    assert world.state_hash() == other.state_hash()


def driven_scene(seed: int) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """A mechanism that flies past posts, with tyres, motors and forces; its settings, by their
    names in a batch and in a world."""
    random, given = Random(seed), random_scene(4 * seed)
    given["collision"] = {"categories": ["default", "bar"], "ignore": [["bar", "bar"]]}
    actuators: dict[str, Any] = {}
    names: list[tuple[str, str]] = []
    for name, body in given["bodies"].items():
        body |= {"collide": True, "category": "bar"}
        if random.random() < 0.5:
            actuators[f"tyre_{name}"] = {
                "type": "axial_friction",
                "body": name,
                "direction": [0, 1],
                "max_force": random.uniform(0.1, 6),
            }
        if random.random() < 0.5:
            actuators[f"motor_{name}"] = {"type": "rotary_motor", "body": name, "speed": 90}
            actuators[f"motor_{name}"]["max_torque"] = random.uniform(0, 3)
            names.append((f"motor_{name}.speed",) * 2)
    for name, joint in given["joints"].items():
        if "motor" in joint:
            goal = "speed" if "speed" in joint["motor"] else "position"
            names.append((f"{name}.{goal}", f"{name}.motor.{goal}"))
    for i in range(12):
        at = [random.uniform(-6, 6), random.uniform(-6, 2)]
        post = {"type": "static", "shape": {"circle": 0.2}, "position": at}
        given["bodies"][f"post{i}"] = post
    return given | {"actuators": actuators}, names


@every_row("seed", range(tries(6, 40)))
def test_mechanisms_that_fly_past_posts_have_the_bits_of_steps_in_stages(seed: int) -> None:
    given, names = driven_scene(seed)
    scene = loads(str(given).replace("True", "true").replace("False", "false"))
    random, count = Random(seed), 11
    batch, alone = Batch(scene, count), [World(scene) for _ in range(count)]
    for world in alone:
        world.measure_stages()
    speeds = [random.uniform(-3, 3) for _ in range(count)]
    batch.write(["bar0.vx"], np.array(speeds).reshape(-1, 1))
    for world, speed in zip(alone, speeds, strict=True):
        world["bar0"].velocity = (speed, world["bar0"].velocity[1])
    for turn in range(12):
        if names and turn % 3 != 2:
            values = [[random.uniform(-30, 30) for _ in names] for _ in alone]
            batch.write([name for name, _ in names], values)
            for world, row in zip(alone, values, strict=True):
                for (_, path), value in zip(names, row, strict=True):
                    world.set(path, value)
        steps = random.choice((1, 1, 2, 4))
        batch.step(steps)
        for world in alone:
            world.step(steps)
        seen = turn % count
        assert batch.world(seen).save() == alone[seen].save()
    assert [batch.world(i).save() for i in range(count)] == [world.save() for world in alone]
