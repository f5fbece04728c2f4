# SPDX-License-Identifier: MIT
"""Springs and lengths of joints as set-points: by tracks, keys and actions, saved and restored."""

from __future__ import annotations

import pytest
from rigid2d.core import SceneError, UsageError, World, build
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

SCENE = """
rigid: 1
world: {gravity: [0, -10], dt: =1/60}
bodies:
  post: {type: static, shape: {box: [0.2, 0.2]}, position: [0, 4]}
  arm: {mass: 1, shape: {box: [2, 0.1]}, position: [1, 4], collide: false}
  ball: {mass: 1, shape: {circle: 0.2}, position: [4, 2], linear_damping: 5}
  bob: {mass: 1, shape: {circle: 0.2}, position: [7, 2], linear_damping: 5}
joints:
  tie: {type: weld, bodies: [post, arm], anchor: [0, 4], spring: {stiffness: 50, damping: 2}}
  rope: {type: distance, bodies: [world, ball], anchor: [4, 4], rope: true, max_length: 2}
  coil: {type: distance, bodies: [world, bob], anchor: [7, 4], spring: {frequency: 1}}
"""
ROD = """
rigid: 1
bodies:
  arm: {shape: {box: [2, 0.1]}}
  ball: {shape: {circle: 0.2}, position: [0, -2]}
joints:
  tie: {type: weld, bodies: [world, arm]}
  rod: {type: distance, bodies: [world, ball], anchor: [0, 0], min_length: 1, max_length: 5}
"""
DRIVEN = """
animations:
  winch: {type: once, duration: 1, tracks: {rope.max_length: [[0, 2], [1, 1]]}}
  harden: {type: once, duration: 1, tracks: {tie.spring.stiffness: [[0, 50], [1, 400]]}}
controls:
  s: {set: {tie.spring.damping: 50}, on_release: {tie.spring.damping: 2}}
  d: {do: [{add: {rope.max_length: -0.25}}, {set: {coil.spring.frequency: "=2 + 0*ball.y"}}]}
inputs: [{key: s, from: 0.5, to: 0.7}, {key: d, from: 1.2, to: 1.3}]
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return loads(SCENE + DRIVEN)


def test_tracks_keys_and_actions_set_springs_and_lengths(scene: Scene) -> None:
    world = build(scene)
    world.step(36)
    assert world.joint("rope").length == pytest.approx(1.4, abs=1e-3)
    assert world.springs["tie"].stiffness == pytest.approx(50 + 0.6 * 350)
    assert world.springs["tie"].damping == 50
    world.step(144)
    assert world.joint("rope").length == pytest.approx(0.75, abs=1e-3)
    assert world.springs["tie"].damping == 2
    assert world.springs["coil"].frequency == 2


def test_a_saved_world_goes_on_with_the_springs_and_lengths_that_were_set(scene: Scene) -> None:
    world, other = build(scene), build(scene)
    world.step(80)
    other.restore(world.save())
    fork = world.fork()
    for each in (world, other, fork):
        each.step(40)
    assert world.state_hash() == other.state_hash() == fork.state_hash()
    assert world.save() == other.save() == fork.save()
    again = build(loads(expand(scene)))
    again.step(120)
    assert again.state_hash() == world.state_hash()


def test_a_length_of_an_instance_is_scaled_with_it() -> None:
    part = """
    bodies:
      bob: {shape: {circle: 0.1}, position: [0, -1]}
    joints: {rope: {type: distance, bodies: [world, bob], rope: true, max_length: 1}}
    animations: {winch: {type: once, duration: 1, tracks: {rope.max_length: [[0, 1], [1, 0.5]]}}}
"""
    instances = "instances: {big: {use: hoist, scale: 3, at: [0, 5]}}"
    world = build(loads(f"rigid: 1\nprototypes:\n  hoist:{part}{instances}"))
    world.step(90)
    assert world.lengths["big.rope"] == (0, 1.5)


@pytest.fixture(scope="module")
def world() -> World:
    return build(loads(ROD))


def test_a_shortest_length_above_the_longest_is_as_long_as_that(world: World) -> None:
    rod = world.joint("rod")
    rod.set_lengths(shortest=4)
    rod.set_lengths(longest=3)
    assert world.lengths["rod"] == (4, 3)
    world.step(200)
    assert rod.length == pytest.approx(3, abs=0.02)
    rod.set_limits(1, 2)
    assert world.lengths["rod"] == (1, 2)


@every_row(
    ("joint", "given", "message"),
    [
        ("tie", {"longest": 2}, "no distance joint"),
        ("rod", {"shortest": -1}, "must not be negative"),
        ("rod", {"longest": float("nan")}, "longest"),
    ],
)
def test_lengths_that_a_joint_cannot_have_are_refused(
    world: World, joint: str, given: dict[str, float], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        world.joint(joint).set_lengths(**given)


@every_row(
    ("setting", "message"),
    [
        ("tie.spring.frequency: 2", "has `stiffness` and `damping`, not `frequency`"),
        ("coil.spring.stiffness: 2", "has `frequency` and `damping_ratio`, not `stiffness`"),
        ("coil.spring.frequency: 0", "greater than 0"),
        ("tie.spring.damping: -1", "at least 0"),
        ("rope.spring.damping: 1", "the joint `rope` has no spring; give it one"),
        ("rope.min_length: 1", "the joint `rope` has no `min_length`; give it one to change"),
        ("rope.max_length: -1", "at least 0"),
        ("tie.max_length: 1", "`max_length` of the joint `tie` cannot be set"),
        ("tie.stiffness: 1", "did you mean `spring.stiffness`?"),
    ],
)
def test_what_cannot_be_set_of_a_joint_is_told(setting: str, message: str) -> None:
    with pytest.raises(SceneError) as raised:
        loads(f"{SCENE}controls: {{k: {{set: {{{setting}}}}}}}")
    (problem,) = raised.value.problems
    assert message in problem.message
