# SPDX-License-Identifier: MIT
"""Values that a player sets while a scene is played: they are in no program."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import RigidError
from rigid2d.core.world.script import Player, player_of

SCENE = loads(
    "rigid: 1\nworld: {dt: 0.02}\nstate: {pressed: 0}\nmaterials: {ice: {friction: 0.1}}\n"
    "bodies:\n"
    "  floor: {type: static, shape: {box: [20, 1]}, position: [0, -1], material: ice}\n"
    "  ball: {shape: {circle: 0.3}, position: [0, 3]}\n"
    "actuators: {push: {type: force, body: ball, force: [5, 0], enabled: false}}\n"
    "controls: {a: {hold: push, set: {ball.friction: 0.9}, do: [{add: {pressed: 1}}]}}\n"
)


def played() -> World:
    """A world with a player that presses a key and sets values, two of them before a step."""
    world = World(SCENE)
    player = player_of(world)
    player.press("a", 10)
    player.release("a", 40)
    player.set({"world.gravity": (0.0, -5.0), "push.force": (9.0, 1.0)}, 10, None)
    player.set({"ball.velocity": (1.0, 2.0)}, 25, None)
    player.set({"materials.ice.friction": 0.9}, 26, None)
    return world


def ends(world: World, stride: int) -> tuple[int, float]:
    while world.step_count < 80:
        world.step(min(stride, 80 - world.step_count))
    assert world.script is not None
    return world.state_hash(), world.script.state["pressed"]


@pytest.mark.parametrize("stride", [1, 7, 80])
def test_strides_do_not_matter(stride: int) -> None:
    assert ends(played(), stride) == ends(played(), 10)
    assert ends(played(), stride)[1] == 1.0


@pytest.mark.parametrize("at", [9, 10, 25, 26])
def test_forks_go_on_with_them(at: int) -> None:
    world = played()
    world.step(at)
    twin = world.fork()
    assert ends(twin, 7) == ends(world, 80) == ends(played(), 80)


def test_keys_are_pressed_before_values_are_set() -> None:
    world = World(SCENE)
    player = player_of(world)
    player.set({"push.enabled": False}, 5, None)  # which the key begins
    player.press("a", 5)
    world.step(20)
    assert world["ball"].velocity[0] == 0.0


@pytest.mark.parametrize("stride", [1, 300])
def test_there_may_be_one_before_each_step(stride: int) -> None:
    world = World(SCENE)
    player: Player = player_of(world)
    for step in range(1500):
        player.set({"ball.velocity": (float(step), 50.0)}, step, None)
    for _ in range(0, 1500, stride):
        world.step(stride)
    assert world["ball"].velocity[0] == 1499.0
    assert world["ball"].position[0] == pytest.approx(0.02 * 1499 * 750)


def test_one_that_cannot_be_set_is_an_error_before_its_step() -> None:
    world = World(SCENE)
    player_of(world).set({"ball.restitution": -5.0}, 5, None)
    with pytest.raises(RigidError, match="restitution must not be negative"):
        world.step(20)
    assert world.step_count == 5
    world.step(20)
    assert world.step_count == 25
