# SPDX-License-Identifier: MIT
"""Bodies that a recorded player drags, and players that play now."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import Scene, World, build, loads, simulate
from rigid2d.core.scene import expand
from rigid2d.core.scene.blocks.script.inputs import written_input
from rigid2d.core.scene.script import Drag, KeyPress
from rigid2d.core.scene.text.flow import flow
from rigid2d.core.world.script.player import Player

from tests.rows import every_row

DT = 1 / 60
BLOCKS = """
rigid: 1
world: {duration: 3, solver: {type: SOLVER}}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  low: {shape: {box: [1, 1]}, position: [0, 0.5]}
  top: {shape: {box: [1, 1]}, position: [0, 1.5]}
controls: {light: {set: {top.gravity_scale: 0.5}, on_release: {top.gravity_scale: 1}}}
"""
INPUTS = """
inputs:
  - {key: light, from: 0.2, to: 0.3}
  - {drag: top, point: [0.2, 0.1], from: 0.5, to: 1.5, max_force: 100,
     path: [[0.5, 0.2, 1.6], [0.6, 1, 3], [0.8, 3, 3]]}
"""


def scene(inputs: str = "", solver: str = "soft_step") -> Scene:
    return loads(BLOCKS.replace("SOLVER", solver) + inputs)


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_a_dragged_body_hangs_from_the_hand_as_from_a_spring_of_5_hz(solver: str) -> None:
    drag = "inputs: [{drag: top, path: [[0, 0, 4]]}]"
    world = build(scene(drag, solver))
    world.step(180)
    sag = 9.81 / (2 * math.pi * 5) ** 2  # m g / k with k = m (2 pi f)^2
    assert world["top"].y == pytest.approx(4 - sag, abs=1e-4)


def test_a_body_that_weighs_more_than_the_largest_force_is_not_lifted() -> None:
    world = build(scene("inputs: [{drag: top, max_force: 9, path: [[0, 0, 4]]}]"))
    world.step(180)
    assert world["top"].y == pytest.approx(1.5, abs=0.01)


def test_a_body_that_is_let_go_falls_and_the_joint_is_gone() -> None:
    world = build(scene("inputs: [{drag: top, to: 2, path: [[0, 0, 4]]}]"))
    world.step(120)
    height = world["top"].y
    assert "inputs[0]" in world.scene.joints
    world.step(24)
    assert "inputs[0]" not in world.scene.joints
    assert world["top"].y == pytest.approx(height - 9.81 * 0.4**2 / 2, abs=0.02)


def test_a_drag_of_a_body_that_left_does_nothing() -> None:
    world = build(scene("inputs: [{drag: top, from: 1, path: [[1, 0, 4]]}]"))
    world.remove("top")
    world.step(100)
    assert not world.scene.joints


def play(world: World, until: int) -> Player:
    """The same as INPUTS, done by hand."""
    assert world.script is not None
    player = world.script.player
    grab = None
    for step in range(until):
        if step == 12:
            player.press("light", step)
        if step == 18:
            player.release("light", step)
        if step == 30:
            grab = player.grab("top", (0.2, 0.1), (0.2, 1.6), 100.0, step)
        for at, target in ((36, (1.0, 3.0)), (48, (3.0, 3.0))):
            if grab is not None and step == at:
                grab.move(step, target)
        if grab is not None and step == 90:
            player.let_go(grab, step)
        world.step()
    return player


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_what_is_played_now_has_the_bits_of_what_was_recorded(solver: str) -> None:
    recorded = build(scene(INPUTS, solver))
    recorded.step(180)
    played = build(scene("", solver))
    play(played, 180)
    assert played.state_hash() == recorded.state_hash()


def test_what_was_played_is_the_record_that_replays_it() -> None:
    entries = play(build(scene()), 180).entries()
    assert entries == scene(INPUTS).inputs


@every_row(
    "entry",
    [
        "{key: light, from: 0.005, to: 0.009}",
        "{key: light, from: 0, to: 1.0e-13}",
        "{key: light, from: 0.00834, to: 0.01666}",
        "{drag: top, from: 0.011, to: 0.012, path: [[0.011, 1, 1]]}",
        "{drag: top, from: 0, to: 1.0e-13, path: [[0, 1, 1]]}",
    ],
)
def test_what_is_held_for_no_step_keeps_its_place_in_the_record(entry: str) -> None:
    first = scene(f"inputs: [{entry}, {{key: light, from: 0.1, to: 0.2}}]")
    entries = Player(first.inputs, DT).entries()
    again = scene(f"inputs: {flow([written_input(each, first.units) for each in entries])}")
    assert len(again.inputs) == 2
    assert Player(again.inputs, DT).entries() == entries
    worlds = [build(first), build(again)]
    for world in worlds:
        world.step(10)
    assert worlds[0].state_hash() == worlds[1].state_hash()


def test_an_expanded_scene_drags_alike() -> None:
    first = scene(INPUTS)
    assert loads(expand(first)).hash == first.hash
    assert simulate(loads(expand(first)))["top"].x[-1] == simulate(first)["top"].x[-1]


@pytest.mark.parametrize(("threads", "lanes"), [(2, 0), (1, 1), (1, 4)])
def test_drags_are_the_same_for_all_threads_and_lanes(threads: int, lanes: int) -> None:
    worlds = [build(scene(INPUTS)), build(scene(INPUTS), threads=threads, lanes=lanes)]
    for world in worlds:
        world.step(120)
    assert worlds[0].state_hash() == worlds[1].state_hash()


def test_a_world_restored_or_forked_in_the_middle_of_a_drag_goes_on_alike() -> None:
    whole = build(scene(INPUTS))
    whole.step(60)
    state, fork = whole.save(), whole.fork()
    again = build(scene(INPUTS))
    again.restore(state)
    for world in (whole, fork, again):
        world.step(60)
    assert whole.state_hash() == fork.state_hash() == again.state_hash()


def player(*entries: KeyPress | Drag) -> Player:
    return Player(entries, DT)


def test_a_key_that_is_let_go_in_the_step_in_which_it_was_pressed_is_held_for_one() -> None:
    keys = player()
    keys.press("up", 10)
    keys.release("up", 10)
    assert [[what for what, _, _ in keys.due(step)] for step in (10, 11)] == [
        ["press"],
        ["release"],
    ]


def test_a_key_that_is_pressed_again_at_once_was_never_let_go() -> None:
    keys = player()
    keys.press("up", 10)
    keys.release("up", 20)
    keys.press("up", 20)
    assert keys.due(20) == []


def test_what_was_cut_is_not_done_and_what_was_held_is_let_go() -> None:
    drag = Drag("top", (0.0, 0.0), 0.5, 2.0, ((0.5, 0.0, 1.0), (1.5, 1.0, 1.0)), 9.0)
    record = player(KeyPress("up", 0.5, 2.0), KeyPress("up", 3.0, 4.0), drag)
    assert record.has_more(60)
    record.cut(60)
    assert not record.has_more(60)
    assert [(each.start, each.until) for each in record.keys] == [(30, 60)]
    assert [(each.until, each.steps) for each in record.grabs] == [(60, [30])]


@every_row("dt", [1 / 60, 1 / 240, 0.01, 1 / 30, 16.7, 0.0123456789])
def test_times_of_a_record_lead_back_to_their_steps(dt: float) -> None:
    record = Player((), dt)
    for step in (0, 1, 2, 3, 59, 60, 61, 1000, 123457, 9_999_999):
        record.keys.clear()
        record.press("up", step)
        (entry,) = record.entries()
        assert Player((entry,), dt).keys[0].start == step
