# SPDX-License-Identifier: MIT
"""Small worlds of a batch, solved with the lanes across them: each has the bits of it alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rigid2d.core import Batch, World, _native, loads

from tests.rows import every_row
from tests.search import tries

WORLDS = 19  # of which some always remain that fill no lanes
LANES = _native.lanes_supported()


def random_scene(seed: int) -> dict[str, Any]:
    """A small mechanism: a chain or a tree of bars on pins, slides, rods, welds and wheels, with
    limits, motors and springs, some of it hanging free, some of it hitting a floor."""
    rng = np.random.default_rng(seed)
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    names = ["world"] if rng.random() < 0.8 else []
    touching = seed % 4 == 3
    if touching:
        bodies["floor"] = {"type": "static", "shape": {"box": [40, 1]}, "position": [0, -3.5]}
    for i in range(int(rng.integers(2, 7))):
        name, at = f"bar{i}", [float(x) for x in rng.uniform(-2, 2, 2)]
        bodies[name] = {
            "shape": {"box": [float(rng.uniform(0.1, 0.8)), 0.2]},
            "position": at,
            "angle": float(rng.uniform(-180, 180)),
            "mass": float(rng.uniform(0.1, 3)),
            "collide": touching,
        }
        if names:
            joints[f"joint{i}"] = random_joint(rng, [str(rng.choice(names)), name], at, seed)
        names.append(name)
    return {
        "rigid": 1,
        "world": {"dt": 0.02, "sleep": False, "gravity": [0.5, -9.81]},
        "bodies": bodies,
        "joints": joints,
    }


def random_joint(
    rng: np.random.Generator, pair: list[str], at: list[float], seed: int
) -> dict[str, Any]:
    kind = str(rng.choice(["revolute", "prismatic", "distance", "weld", "wheel"]))
    joint: dict[str, Any] = {"type": kind, "bodies": pair}
    if kind == "distance":
        joint["anchors"] = [[0, 0.3], [0.1, 0]]
        if rng.random() < 0.5:
            joint |= {"min_length": 0.2, "max_length": 3.0}
        return joint
    joint["anchor"] = [at[0] + 0.2, at[1]]
    if kind in ("revolute", "prismatic") and rng.random() < 0.4:
        joint["limits"] = [-20, 30] if kind == "revolute" else [-0.3, 0.4]
    if kind in ("revolute", "prismatic", "wheel") and rng.random() < 0.7:
        most = "max_force" if kind == "prismatic" else "max_torque"
        goal = "position" if kind != "wheel" and rng.random() < 0.4 else "speed"
        joint["motor"] = {goal: 2 if kind == "prismatic" else 90, most: float(rng.uniform(0, 20))}
    if seed % 3 == 2 and kind in ("revolute", "prismatic", "wheel"):
        joint["spring"] = {"frequency": float(rng.uniform(0.5, 8)), "damping_ratio": 0.2}
    return joint


def settings_of(scene: dict[str, Any]) -> list[str]:
    names = ["bar0.vx", "bar1.torque"]
    for name, joint in scene["joints"].items():
        if "motor" in joint:
            names.append(f"{name}.{'speed' if 'speed' in joint['motor'] else 'position'}")
            most = "max_force" if joint["type"] == "prismatic" else "max_torque"
            names.append(f"{name}.{most}")
    return names


def same_as_alone(batch: Batch, before: list[World], steps: int) -> None:
    batch.step(steps)
    for index, world in enumerate(before):
        world.step(steps)
        assert batch.world(index).save() == world.save(), index


def all_worlds(batch: Batch) -> list[World]:
    """Worlds of their own in the state of those of a batch."""
    return [batch.world(index) for index in range(WORLDS)]


@every_row("lanes", LANES)
@every_row("seed", range(tries(6, 20)))
def test_worlds_that_are_driven_apart_have_the_bits_that_they_have_alone(
    seed: int, lanes: int
) -> None:
    given = random_scene(seed)
    scene = loads(str(given).replace("True", "true").replace("False", "false"))
    batch, settings = Batch(scene, WORLDS, lanes=lanes), settings_of(given)
    rng = np.random.default_rng(seed)
    for round_ in range(4):
        values = rng.uniform(0, 10, (WORLDS, len(settings)))
        batch.write(settings, values)
        same_as_alone(batch, all_worlds(batch), 7)
        if round_ == 1:
            batch.reset(rng.random(WORLDS) < 0.3)
            same_as_alone(batch, all_worlds(batch), 5)


@pytest.mark.parametrize("lanes", LANES)
def test_a_world_that_stops_leaves_those_beside_it_their_bits(lanes: int) -> None:
    scene = loads(str(random_scene(1)).replace("True", "true").replace("False", "false"))
    batch = Batch(scene, WORLDS, lanes=lanes)
    speeds = np.zeros((WORLDS, 1))
    speeds[3] = 1e14
    batch.write(["bar0.vx"], speeds)
    worlds = all_worlds(batch)
    batch.step(10)
    assert list(batch.errors()) == [3]
    for index in (0, 2, 4, WORLDS - 1):
        worlds[index].step(10)
        assert batch.world(index).save() == worlds[index].save()


@pytest.mark.parametrize("lanes", LANES)
def test_worlds_that_part_within_a_call_have_the_bits_that_they_have_alone(lanes: int) -> None:
    scene = loads(
        "rigid: 1\nworld: {sleep: false}\nbodies:\n"
        "  floor: {type: static, shape: {box: [40, 1]}, position: [0, -2]}\n"
        "  arm: {shape: {box: [1, 0.2]}}\n"
        "  hand: {shape: {box: [1, 0.2]}, position: [1, 0]}\n"
        "joints: {elbow: {type: revolute, bodies: [arm, hand], anchor: [0.5, 0]}}\n"
    )
    batch = Batch(scene, WORLDS, lanes=lanes)
    # They reach the floor one after another, and some leave it again.
    batch.write(["hand.vy"], np.linspace(6, -6, WORLDS).reshape(-1, 1))
    same_as_alone(batch, all_worlds(batch), 60)


def test_worlds_that_attract_have_the_bits_of_one_alone() -> None:
    scene = loads(
        "rigid: 1\nworld: {gravity: [0, 0], attraction: {strength: 1, softening: 0.1}}\n"
        "defaults: {body: {collide: false}}\n"
        "bodies: {a: {shape: {circle: 0.1}, mass: 9}, b: {shape: {circle: 0.1}, position: [1, 0],"
        " velocity: [0, 3]}, c: {shape: {box: [0.1, 0.3]}, position: [-2, 0]}}"
    )
    alone = World(scene)
    alone.step(60)
    for lanes in LANES:
        batch = Batch(scene, 19, lanes=lanes)
        batch.step(60)
        assert tuple(batch.read(["b.x", "b.y"])[7]) == alone["b"].position


CARTS = """
rigid: 1
world: {dt: 0.02, sleep: false}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: 1, collide: false}
  pole: {shape: {box: [0.05, 1]}, position: [0, 0.5], mass: 0.1, angle: 2, collide: false}
joints:
  rail:
    {type: prismatic, bodies: [world, cart], axis: [1, 0], limits: [-0.6, 0.6],
     motor: {speed: 0, max_force: 1}}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0]}
"""


def one_by_one(world: World, steps: int) -> bytes:
    """The state after so many steps of which each is a call."""
    for _ in range(steps):
        world.native.step(1)
    return bytes(world.save())


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("lanes", LANES)
def test_carts_that_stay_in_the_lanes_have_the_bits_of_single_steps(
    lanes: int, threads: int
) -> None:
    scene = loads(CARTS)
    rng = np.random.default_rng(lanes)
    count = 70
    batch = Batch(scene, count, lanes=lanes, threads=threads)
    batch.write(["cart.vx", "pole.omega"], rng.uniform(-3, 3, (count, 2)))
    alone = [batch.world(index) for index in range(count)]
    for round_ in range(6):
        steps = int(rng.integers(1, 60))
        batch.step(steps)
        if round_ % 2:
            batch.read(["cart.x", "pole.angle"])
        for index in (0, 5, 17, 40, 69):
            assert bytes(batch.world(index).save()) == one_by_one(alone[index], steps)
        if round_ == 2:  # a force and a motor of some, which leave with those beside them
            some = rng.random(count) < 0.1
            some[5] = True
            values = rng.uniform(-9, 9, (count, 2))
            values[~some] = [0.0, 1.0]
            batch.write(["pole.force_x", "rail.max_force"], np.abs(values))
            alone = [batch.world(index) for index in range(count)]
        if round_ == 3:
            batch.reset(rng.random(count) < 0.2)
            alone = [batch.world(index) for index in range(count)]


@pytest.mark.parametrize("seed", range(tries(6, 20)))
def test_many_steps_in_a_call_have_the_bits_of_single_steps(seed: int) -> None:
    scene = loads(str(random_scene(seed)).replace("True", "true").replace("False", "false"))
    world, other = World(scene), World(scene)
    for steps in (9, 70, 8, 200):
        world.native.step(steps)
        assert bytes(world.save()) == one_by_one(other, steps)


def test_what_is_sampled_in_a_call_is_what_single_steps_read() -> None:
    scene = loads(str(random_scene(6)).replace("True", "true").replace("False", "false"))
    world, other = World(scene), World(scene)
    codes = np.array([[0, 1], [1, 2], [2, 1]], dtype=np.int32)
    rows = np.zeros((30, 3))
    assert world.native.run(90, 3, codes, rows) == 90
    for row in rows:
        other.native.step(1)
        other.native.step(1)
        other.native.step(1)
        expected = [other.native.x[1], other.native.y[2], other.native.angle[1]]
        assert row.tolist() == expected


@pytest.mark.parametrize("lanes", LANES)
def test_a_world_that_runs_away_in_the_lanes_stops_where_it_does_alone(lanes: int) -> None:
    scene = loads(
        "rigid: 1\nworld: {sleep: false, gravity: [1e9, 0]}\nbodies:\n"
        "  a: {shape: {circle: 0.1}, collide: false}\n"
        "  b: {shape: {circle: 0.1}, position: [1, 0], collide: false}\n"
        "joints: {arm: {type: weld, bodies: [a, b]}}\n"
    )
    batch = Batch(scene, WORLDS, lanes=lanes)
    speeds = np.linspace(0, 1e8, WORLDS).reshape(-1, 1)
    batch.write(["a.vx", "b.vx"], np.hstack([speeds, speeds]))
    alone = [batch.world(index) for index in range(WORLDS)]
    batch.step(400)
    for index, world in enumerate(alone):
        assert bytes(batch.world(index).save()) == one_by_one(world, 400)
    assert len(batch.errors()) == WORLDS


def test_worlds_whose_joints_are_on_other_bodies_have_the_bits_that_they_have_alone() -> None:
    scene = loads(
        "rigid: 1\nworld: {dt: 0.02, sleep: false}\ndefaults: {body: {collide: false}}\nbodies:\n"
        "  bar: {repeat: {i: 3}, shape: {box: [1, 0.2]}, position: [=i, 0], mass: =1+i}\njoints:\n"
        "  a: {type: revolute, bodies: ['bar[=randint(0, 1)]', 'bar[2]'], anchor: [1, 0]}\n"
        "  b: {type: revolute, bodies: ['bar[0]', 'bar[1]'], anchor: [0.5, 0]}\n"
    )
    batch = Batch(scene, WORLDS, seeds=0)
    batch.write(["bar[0].omega", "bar[2].omega"], [2.0, -5.0])
    alone = all_worlds(batch)
    batch.step(60)
    for index, world in enumerate(alone):
        assert bytes(batch.world(index).save()) == one_by_one(world, 60)


def test_worlds_that_get_other_settings_leave_those_beside_them_their_steps() -> None:
    width = max(LANES)
    batch = Batch(loads(CARTS.replace("0.02", "'=0.01+uniform(0,0.01)'")), 2 * width)
    alone = batch.world(0)
    batch.step(100)
    alone.step(100)
    batch.begin([width, width + 1], [1, 2])
    for index in (0, width - 1, 2 * width - 1):
        assert batch.world(index).state_hash() == alone.state_hash()


TAUT = """
rigid: 1
world: {dt: 0.02, sleep: false, gravity: [0, 0]}
defaults: {body: {collide: false}}
bodies:
  arm: {shape: {box: [1, 0.1]}, mass: 0.01, position: [0.5, 0]}
  load: {shape: {box: [0.5, 0.5]}, mass: 100, position: [1.5, 0]}
  tail: {shape: {box: [0.3, 0.1]}, mass: 0.1, position: [0, 0.5]}
joints:
  axle: {type: revolute, bodies: [world, arm], anchor: [0, 0]}
  grip: {type: revolute, bodies: [arm, load], anchor: [1, 0]}
  hinge: {type: revolute, bodies: [arm, tail], anchor: [0, 0.2]}
"""
SPINNING = {"arm.omega": 20.0, "arm.vy": 10.0, "load.vy": 30.0}


def test_a_world_whose_pull_ends_goes_on_with_the_masses_that_it_has() -> None:
    world, other = World(loads(TAUT)), World(loads(TAUT))
    for each in (world, other):
        each.native.set_velocity(1, 0.0, SPINNING["arm.vy"], SPINNING["arm.omega"])
        each.native.set_velocity(2, 0.0, SPINNING["load.vy"], 0.0)
        each.step(5)
        each.native.remove_joint(1)
    world.native.step(60)
    for _ in range(60):
        other.native.step(1)
    assert bytes(world.native.save()) == bytes(other.native.save())


@pytest.mark.parametrize("lanes", LANES)
def test_so_do_worlds_side_by_side(lanes: int) -> None:
    batch = Batch(loads(TAUT), WORLDS, lanes=lanes)
    batch.write(list(SPINNING), list(SPINNING.values()))
    for _ in range(3):
        batch.step(1)
        batch.write(["tail.torque"], [0.0])
    still = [f"{body}.{speed}" for body in ("arm", "load", "tail") for speed in ("vx", "vy")]
    turning = ["arm.omega", "load.omega", "tail.omega"]
    batch.write(still + turning, [0.0] * 6 + [0.3] * 3)
    alone = all_worlds(batch)
    batch.step(60)
    for index, world in enumerate(alone):
        assert bytes(batch.world(index).save()) == one_by_one(world, 60)
