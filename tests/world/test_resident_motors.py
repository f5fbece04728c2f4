# SPDX-License-Identifier: MIT
"""Worlds that stay in the lanes while motors are set and bodies pass walls: the bits of a world
stepped in stages."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from rigid2d.core import Batch, World, loads

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
