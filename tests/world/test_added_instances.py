# SPDX-License-Identifier: MIT
"""Instances of the scene's prototypes that are added to a running world."""

from __future__ import annotations

from typing import Any

import pytest
import rigid2d.core
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import limits
from rigid2d.core.world import World, build

TEXT = """
rigid: 1
vars: {r: 0.1}
world: {duration: 1, seed: 4, dt: 0.01, gravity: [0, 0]}
prototypes:
  bullet: {bodies: {core: {shape: {circle: =r}}}}
  stone: {bodies: {core: {shape: {circle: "=uniform(1, 2)"}}}}
  car:
    vars: {size: 1}
    bodies:
      chassis: {shape: {box: [=2*size, 0.4]}}
      wheel: {shape: {circle: 0.3}, position: [0.5, -0.3]}
    joints: {axle: {type: revolute, bodies: [chassis, wheel], motor: {speed: 90, max_torque: 3}}}
    actuators: {jet: {type: thruster, body: chassis, force: [3, 0]}}
    instances: {nose: {use: bullet, at: [2, 0]}}
bodies: {floor: {type: static, shape: {box: [6, 1]}, position: [0, -5]}}
instances: {}
"""
RED = "red: {use: car, at: [1, 9], angle: 30, mirror: x, velocity: [1, 0], vars: {size: 1.5}}"


@pytest.fixture
def world() -> World:
    return build(rigid2d.core.loads(TEXT))


def refused(world: World, instances: dict[str, Any]) -> str:
    with pytest.raises(SceneError) as caught:
        world.add({"instances": instances})
    return str(caught.value)


def test_an_instance_comes_with_its_velocity(world: World) -> None:
    spot = {"use": "bullet", "at": [1, 2], "velocity": [3, 0]}
    assert list(world.add({"instances": {"b1": spot}})) == ["b1.core"]
    world.step(10)
    assert world["b1.core"].position == pytest.approx((1.3, 2.0))


def test_all_parts_come_under_the_instance_s_name(world: World) -> None:
    added = world.add(f"instances: {{{RED}}}")
    assert list(added) == ["red.chassis", "red.wheel", "red.nose.core", "red.axle", "red.jet"]
    assert world.joint("red.axle").definition.body_b == "red.wheel"
    assert world.actuator("red.jet").definition.bodies == ("red.chassis",)


def test_what_is_added_moves_as_if_it_had_been_there() -> None:
    late = build(rigid2d.core.loads(TEXT))
    late.add(f"instances: {{{RED}}}")
    early = build(rigid2d.core.loads(TEXT.replace("instances: {}", f"instances: {{{RED}}}")))
    for world in (late, early):
        world.step(50)
    for name in ("red.chassis", "red.wheel", "red.nose.core"):
        assert late[name].position == early[name].position
        assert late[name].angle == early[name].angle
    assert late["red.chassis"].angular_velocity != 0.0


def test_generators_make_instances_of_a_fragment(world: World) -> None:
    world.add("instances: {row: {use: bullet, repeat: {i: 3}, at: [=i, 2]}}")
    assert world["row[2].core"].position == (2.0, 2.0)


def test_joints_of_a_fragment_hold_its_instances(world: World) -> None:
    world.add(
        """
        instances: {a: {use: bullet}, b: {use: bullet, at: [1, 0]}}
        joints: {rod: {type: distance, bodies: [a.core, b.core]}}
        actuators: {wind: {type: force, body: a, force: [1, 0]}}
        """
    )
    world.step(20)
    assert world["b.core"].x - world["a.core"].x == pytest.approx(1.0)
    assert world["b.core"].velocity[0] > 0.0


def test_instances_that_draw_random_numbers_differ_by_their_names(world: World) -> None:
    radii = []
    for i in range(3):
        added = world.add({"instances": {f"s{i}": {"use": "stone", "at": [9 * i, 0]}}})
        radii.append(added[f"s{i}.core"].definition.shapes[0].radius)
    assert len(set(radii)) == 3
    again = build(rigid2d.core.loads(TEXT)).add({"instances": {"s1": {"use": "stone"}}})
    assert again["s1.core"].definition.shapes[0].radius == radii[1]


def test_instances_alike_share_what_their_prototype_is_made_of(world: World) -> None:
    added = world.add("instances: {a: {use: bullet}}") | world.add("instances: {b: {use: bullet}}")
    assert added["a.core"].definition.shapes is added["b.core"].definition.shapes


def test_a_world_keeps_few_prototypes_however_many_are_added(world: World) -> None:
    for i in range(limits.PROTOTYPES_KEPT + 20):
        world.add({"instances": {f"c{i}": {"use": "car", "vars": {"size": 1 + i / 100}}}})
    basis = world.scene.basis
    assert basis is not None
    assert basis.prototype_builder is not None
    assert len(basis.prototype_builder._built) == limits.PROTOTYPES_KEPT


def test_added_instances_are_saved_and_restored(world: World) -> None:
    world.add(f"instances: {{{RED}}}")
    world.step(10)
    other = build(rigid2d.core.loads(TEXT))
    other.restore(world.save())
    for each in (world, other):
        each.step(20)
    assert other["red.wheel"].position == world["red.wheel"].position


@pytest.mark.parametrize(
    ("instances", "message"),
    [
        ({"x": {"use": "cars"}}, "instances.x.use: there is no prototype `cars`; did you mean"),
        ({"x": {"at": [0, 0]}}, "`use` is missing"),
        ({"floor": {"use": "car"}}, "there is a body `floor` too"),
        ({"x": {"use": "car", "vars": {"sise": 1}}}, "the prototype `car` has no var `sise`"),
        ({"old": {"use": "bullet"}}, "something else with the name `old.core`"),
        ({"x": {"use": "car", "at": [0, "two"]}}, "instances.x.at[1]"),
    ],
)
def test_wrong_instances_are_told(world: World, instances: dict[str, Any], message: str) -> None:
    world.add({"instances": {"old": {"use": "bullet"}}})
    world.remove("old.core")
    assert message in refused(world, instances)


def test_the_name_of_a_scene_s_instance_is_not_given_again() -> None:
    world = build(rigid2d.core.loads(TEXT.replace("instances: {}", f"instances: {{{RED}}}")))
    assert "something else with the name `red`" in refused(world, {"red": {"use": "bullet"}})
    with pytest.raises(SceneError, match="something else with the name `red`"):
        world.add("bodies: {red: {shape: {circle: 1}}}")


def test_vars_that_a_prototype_cannot_have_are_told_each_time(world: World) -> None:
    wrong = {"x": {"use": "car", "vars": {"size": -1}}}
    first = refused(world, wrong)
    assert "prototypes.car.bodies.chassis.shape.box[0]: must be greater than 0" in first
    assert "(in the instance `x`, line 1)" in first
    assert refused(world, wrong) == first
    assert list(world) == ["floor"]


def test_a_scene_without_prototypes_says_so() -> None:
    world = build(rigid2d.core.loads("rigid: 1\nbodies: {a: {shape: {circle: 1}}}"))
    assert "there is no prototype `car`" in refused(world, {"x": {"use": "car"}})


@pytest.mark.parametrize(
    "block",
    [
        "animations: {spin: {type: once, duration: 1, tracks: {core.angle: [[0, 0], [1, 90]]}}}",
        "controls: {x: {set: {core.friction: 0}}}",
    ],
)
def test_what_moves_by_itself_is_not_added(block: str) -> None:
    text = TEXT.replace("bullet: {", f"bullet: {{{block}, ").replace(
        "{core: {shape: {circle: =r}}}", "{core: {type: kinematic, shape: {circle: =r}}}"
    )
    world = build(rigid2d.core.loads(text))
    message = refused(world, {"x": {"use": "bullet"}})
    assert "no `animations` and `controls` of its own" in message
    assert list(world) == ["floor"]
