# SPDX-License-Identifier: MIT
"""A value that is set leaves the same saved state, whoever sets it: a world, a handle, a batch."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from rigid2d.core import Batch, World, loads
from rigid2d.core.errors import UsageError

from tests.search import tries

SEEDS = range(tries(15, 60))
SEVERAL = 3  # worlds of a batch, each with values of its own
SHAPES = ("{circle: 0.3}", "{box: [0.6, 0.4]}", "{polygon: [[0, 0], [0.7, 0.1], [0.2, 0.6]]}")


def a_scene(choose: random.Random) -> str:
    """Bodies of all kinds on a floor, some tied, some driven."""
    count = choose.randrange(2, 7)
    solver = choose.choice(["soft_step", "sequential_impulse"])
    lines = [
        "rigid: 1",
        f"world: {{duration: 9, solver: {{type: {solver}}}}}",
        "bodies:",
        "  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}",
        "  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [5, 1]}",
    ]
    for i in range(count):
        x, y = round(choose.uniform(-3, 3), 2), round(choose.uniform(0.4, 4), 2)
        angle = choose.choice([0, 30, -77])
        shape = choose.choice(SHAPES)
        lines.append(f"  b{i}: {{shape: {shape}, position: [{x}, {y}], angle: {angle}}}")
    lines += [
        "joints:",
        f"  hinge: {{type: revolute, bodies: [b0, b1], motor: {{speed: {choose.choice([0, 40])},",
        f"          max_torque: 3, enabled: {choose.choice(['true', 'false'])}}}}}",
        "  slide: {type: prismatic, bodies: [world, b1], motor: {position: 0.2, max_force: 20}}",
        "actuators:",
        "  jet: {type: thruster, bodies: [b0, b1], force: [0, 2]}",
        f"  spin: {{type: rotary_motor, body: b0, speed: 20, max_torque: 0.3,"
        f" enabled: {choose.choice(['true', 'false'])}}}",
        "  tyre: {type: axial_friction, bodies: [b0, b1], friction: 0.4}",
        "  push: {type: force, body: b1, force: [1, 0]}",
        "  turn: {type: torque, body: b1, torque: 0.2}",
    ]
    return "\n".join(lines)


def a_value(choose: random.Random, least: float = -3.0) -> float:
    """A number that floats of 32 bits do not hold, or one that they do."""
    return choose.choice([0.0, 1.0, 0.1, choose.uniform(max(least, -3.0), 3.0)])


def settings(bodies: list[str]) -> dict[str, Callable[[random.Random], list[float]]]:
    """What can be set in a world and in a batch alike, with how to draw its values."""
    found: dict[str, Callable[[random.Random], list[float]]] = {}

    def numbers(count: int, least: float = -3.0) -> Callable[[random.Random], list[float]]:
        return lambda choose: (
            [abs(a_value(choose)) if least == 0.0 else a_value(choose)]
            + [a_value(choose) for _ in range(count - 1)]
        )

    def switch(choose: random.Random) -> list[float]:
        return [float(choose.random() < 0.5)]

    for body in bodies:
        found |= {f"{body}.position": numbers(2), f"{body}.velocity": numbers(2)}
        found |= {f"{body}.angle": numbers(1), f"{body}.angular_velocity": numbers(1)}
    found |= {"hinge.motor.speed": numbers(1), "hinge.motor.max_torque": numbers(1, 0.0)}
    found |= {"hinge.motor.enabled": switch, "slide.motor.enabled": switch}
    found |= {"slide.motor.position": numbers(1), "slide.motor.max_force": numbers(1, 0.0)}
    found |= {"jet.force": numbers(2), "jet.enabled": switch, "jet.torque": numbers(1)}
    found |= {"spin.speed": numbers(1), "spin.max_torque": numbers(1, 0.0), "spin.enabled": switch}
    found |= {"tyre.friction": numbers(1, 0.0), "tyre.max_force": numbers(1, 0.0)}
    found |= {"tyre.enabled": switch, "push.force": numbers(2), "push.enabled": switch}
    found |= {"turn.torque": numbers(1), "turn.enabled": switch}
    return found


def as_given(name: str, values: list[float]) -> Any:
    """A value as a world takes it."""
    if name.endswith(".enabled"):
        return bool(values[0])
    return values[0] if len(values) == 1 else tuple(values)


def by_handle(world: World, name: str, value: Any) -> None:
    """Set something by its handle."""
    owner, _, setting = name.partition(".")
    if owner in world.roster.bodies:
        setattr(world[owner], setting, value)
    elif owner in world.roster.joints:
        world.joint(owner).set_motor(**{setting.removeprefix("motor."): value})
    else:
        world.actuator(owner).set(setting, value)


def header(state: bytes) -> Any:
    return json.loads(state.split(b"\n", 2)[1])


def alike(world: World, other: World, what: object) -> None:
    """The two save the same bytes."""
    one, two = world.save(), other.save()
    assert header(one) == header(two), what
    assert one == two, what


@pytest.mark.parametrize("seed", SEEDS)
def test_worlds_handles_and_batches_set_alike_and_go_on_alike(seed: int) -> None:
    choose = random.Random(seed)
    scene = loads(a_scene(choose))
    worlds = [World(scene) for _ in range(SEVERAL)]
    handled = World(scene)
    batch = Batch(scene, SEVERAL)
    drawn = settings([name for name in scene.bodies if name != "floor"])
    for turn in range(10):
        for _ in range(choose.randrange(1, 5)):
            name = choose.choice([*drawn])
            rows = [drawn[name](choose) for _ in range(SEVERAL)]
            if choose.random() < 0.5:
                batch.write([name], rows)
            else:
                batch.set(name, [row[0] for row in rows] if len(rows[0]) == 1 else rows)
            for world, row in zip(worlds, rows, strict=True):
                world.set(name, as_given(name, row))
            by_handle(handled, name, as_given(name, rows[0]))
            if turn < 2:
                alike(worlds[1], batch.world(1), (turn, name, rows[1]))
        if choose.random() < 0.3:
            push, body = a_value(choose), choose.choice(["b0", "b1"])
            batch.write([f"{body}.force_x", f"{body}.torque"], [push, 0.5])
            for world in (*worlds, handled):
                world[body].apply_force((push, 0.0))
                world[body].apply_torque(0.5)
        steps = choose.choice([1, 1, 2, 13])
        batch.step(steps)
        for world in (*worlds, handled):
            world.step(steps)
        alike(handled, worlds[0], (turn, steps))
        for i, world in enumerate(worlds):
            alike(world, batch.world(i), (turn, steps, i))


def test_several_settings_in_one_call_are_set_one_after_the_other() -> None:
    scene = loads(a_scene(random.Random(5)))
    world, batch = World(scene), Batch(scene, 2)
    names = ["b0.velocity", "b0.position", "hinge.motor.enabled", "hinge.motor.max_torque"]
    batch.write(names, [0.1, 0.2, 1.1, 2.2, 0.0, 0.7])
    for name, value in zip(names, [(0.1, 0.2), (1.1, 2.2), False, 0.7], strict=True):
        world.set(name, value)
    alike(world, batch.world(1), names)
    batch.set("hinge.motor.enabled", 1)
    world.set("hinge.motor.enabled", True)
    alike(world, batch.world(0), "enabled")
    assert (
        header(world.save())["motors"]["hinge"] == [0.0, 0.7, True]
        or scene.joints["hinge"].motor.speed
    )


def test_one_number_of_a_point_leaves_the_other() -> None:
    scene = loads(a_scene(random.Random(6)))
    world, batch = World(scene), Batch(scene, 1)
    batch.write(["jet.force.y", "b0.vx", "b1.x"], [0.3, 0.7, 0.9])
    world.set("jet.force", (0.0, 0.3))
    world["b0"].velocity = 0.7, world["b0"].velocity[1]
    world["b1"].position = 0.9, world["b1"].position[1]
    alike(world, batch.world(0), "axes")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300])
def test_what_no_world_takes_no_batch_takes(value: float) -> None:
    scene = loads(a_scene(random.Random(7)))
    batch = Batch(scene, 1)
    before = batch.world(0).save()
    for name in ("b0.angle", "hinge.motor.speed", "spin.speed"):
        with pytest.raises(UsageError):
            batch.set(name, value)
    for name in ("hinge.motor.max_torque", "spin.max_torque", "tyre.friction"):
        with pytest.raises(UsageError):
            batch.set(name, -1.0)
    assert batch.world(0).save() == before


def test_a_world_that_begins_anew_knows_nothing_of_what_was_set() -> None:
    scene = loads(a_scene(random.Random(8)))
    batch = Batch(scene, 2)
    before = batch.world(0).save()
    batch.set("hinge.motor.speed", 0.1)
    batch.set("spin.speed", 0.1)
    batch.set("jet.force", [0.1, 0.2])
    batch.step(3)
    batch.reset([True, False])
    assert batch.world(0).save() == before
    assert batch.world(1).save() != before
