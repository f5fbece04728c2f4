# SPDX-License-Identifier: MIT
"""Spawners of prototypes: those of instances, and those of what is spawned."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SceneError, SimulationError
from rigid2d.core.scene import expand, limits

CLOUDS = """
rigid: 1
world: {seed: 3, gravity: [0, 0]}
prototypes:
  drop: {bodies: {ball: {shape: {circle: 0.1}, tags: [drop]}}}
  cloud:
    vars: {most: 3}
    bodies:
      puff: {type: kinematic, shape: {box: [2, 0.4]}, points: {hole: [2, 0]}, velocity: [1, 0]}
    spawners:
      rain:
        {use: drop, every: 0.2, at: puff.points.hole, frame: puff, velocity: [0, -2], max: =most}
      hail: {use: drop, every: 0.3, at: ["=uniform(-1, 1)", -2], from: 0.35, until: 0.9}
  sky: {instances: {left: {use: cloud, at: [-4, 2]}, right: {use: cloud, at: [4, 2], mirror: x}}}
bodies: {floor: {type: static, shape: {box: [40, 1]}, position: [0, -20]}}
"""


def born(world: World, name: str) -> list[str]:
    return [body for body in world.roster.bodies if body.startswith(f"{name}[")]


def test_each_instance_has_the_spawners_of_its_prototype() -> None:
    lone = "lone: {use: cloud, vars: {most: 2}}"
    text = f"{CLOUDS}instances: {{here: {{use: sky, at: [0, 3]}}, {lone}}}"
    for source in (text, expand(loads(text))):
        world = World(loads(source))
        world.step(61)
        for name, most in (("here.left", 3), ("here.right", 3), ("lone", 2)):
            assert len(born(world, f"{name}.rain")) == most
            assert len(born(world, f"{name}.hail")) == 2
        drop = world["here.right.rain[0].ball"]
        assert drop.velocity == pytest.approx((-1, -2))
        assert drop.position == pytest.approx((2 - 1, 5 - 2), abs=0.05)


def test_an_instance_that_is_written_out_has_the_same_drops() -> None:
    scene = loads(f"{CLOUDS}instances: {{here: {{use: sky, at: [0, 3]}}}}")
    again = loads(expand(scene))
    assert again.hash == scene.hash
    worlds = World(scene), World(again)
    for world in worlds:
        world.step(61)
    assert worlds[0].state_hash() == worlds[1].state_hash()


def test_what_is_spawned_spawns_from_its_birth_to_its_end() -> None:
    text = (
        f"{CLOUDS}spawners: {{clouds: {{use: cloud, every: 0.5, max: 2, at: [0, 5], angle: 90}}}}"
    )
    for source in (text, expand(loads(text))):
        world = World(loads(source))
        world.step(20)
        assert len(born(world, "rain")) == 2
        assert world["rain[0].ball"].velocity == pytest.approx((2, 1))
        world.remove("clouds[0].puff")
        world.step(41)
        assert len(born(world, "rain")) == 2 + 3  # the first had two, the second cloud has all
        assert len(born(world, "hail")) == 1


@pytest.mark.parametrize("at", [10, 33])
def test_worlds_that_were_saved_or_forked_go_on_alike(at: int) -> None:
    scene = loads(
        f"{CLOUDS}spawners: {{clouds: {{use: cloud, every: 0.25, max: 2}}}}\n"
        "instances: {here: {use: sky, at: [0, 3]}}"
    )
    world, other = World(scene), World(scene)
    world.step(at)
    other.restore(world.save())
    fork = world.fork()
    for each in (world, other, fork):
        each.step(60 - at)
    assert world.save() == other.save() == fork.save()


def test_spawners_that_spawn_spawners_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODIES", 300)
    text = """
rigid: 1
world: {gravity: [0, 0]}
prototypes:
  cell:
    bodies: {core: {shape: {circle: 0.1}, collide: false}}
    spawners: {more: {use: cell, every: 0.1, from: 0.1}}
bodies: {floor: {type: static, shape: {box: [9, 1]}, position: [0, -9]}}
spawners: {first: {use: cell, every: 99}}
"""
    world = World(loads(text))
    with pytest.raises(SimulationError, match=r"prototypes\.cell\.spawners\.more: more than 300"):
        world.step(200)


def test_names_of_spawners_are_their_own() -> None:
    with pytest.raises(SceneError, match=r"there is no body `puf`; did you mean `puff`\?"):
        loads(CLOUDS.replace("frame: puff", "frame: puf"))


def test_what_a_program_adds_has_none() -> None:
    world = World(loads(f"{CLOUDS}instances: {{here: {{use: sky}}}}"))
    with pytest.raises(SceneError, match="has no `spawners` of its own"):
        world.add({"instances": {"more": {"use": "cloud"}}})
