# SPDX-License-Identifier: MIT
"""The games: their recorded players win, others lose, and every replay is the same to the bit."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import World, load
from rigid2d.core.scene.script import KeyPress

SCENES = Path(__file__).resolve().parents[1] / "scenes"
# Who plays otherwise, and how that ends.
LOSERS = {
    "games/asteroids": ("[]", "fail"),
    "games/car_drifter": ("[{key: up, from: 0.5, to: 4}]", "lose"),
    "games/spider_box": (
        "[{key: space, from: 0.8, to: 0.9}, {key: up, from: 1.4, to: 2}, {key: x, from: 2.6}]",
        "fail",
    ),
    "show/level": ("[{key: right, from: 0.5}]", "fail"),
}
GAMES = pytest.mark.parametrize("name", LOSERS)


def played(name: str, inputs: Path | None = None) -> World:
    world = World(load(SCENES / f"{name}.yaml", inputs=inputs))
    end = world.scene.world.steps
    while not world.outcome and world.step_count < end:
        world.step(10)
    return world


@GAMES
def test_the_recorded_player_wins(name: str) -> None:
    assert played(name).outcome == "win"


@GAMES
def test_who_plays_badly_loses(name: str, tmp_path: Path) -> None:
    inputs, outcome = LOSERS[name]
    player = tmp_path / "player.yaml"
    player.write_text(inputs, encoding="utf-8")
    assert played(name, player).outcome == outcome


@GAMES
def test_a_replay_is_the_same_for_threads_and_lanes(name: str) -> None:
    scene = load(SCENES / f"{name}.yaml")
    one = World(scene)
    one.step(900)
    for threads, lanes in [(2, 0), (1, 1), (2, 4)]:
        other = World(scene, threads=threads, lanes=lanes)
        other.step(900)
        assert one.state_hash() == other.state_hash(), (threads, lanes)
        assert one.state == other.state


def test_a_hand_that_plays_what_was_recorded_plays_the_same(tmp_path: Path) -> None:
    path = SCENES / "games/spider_box.yaml"
    scene = load(path)
    nobody = tmp_path / "nobody.yaml"
    nobody.write_text("[]", encoding="utf-8")
    replay, live = World(scene), World(load(path, inputs=nobody))
    presses = [entry for entry in scene.inputs if isinstance(entry, KeyPress)]
    for step in range(900):
        for entry in presses:
            if round(entry.until / scene.world.dt) == step:
                live.controls.release(entry.key)
        for entry in presses:
            if round(entry.start / scene.world.dt) == step:
                live.controls.press(entry.key)
        live.step()
    replay.step(900)
    assert live.state_hash() == replay.state_hash()


def test_rocks_that_are_hit_break_into_shards() -> None:
    world = World(load(SCENES / "games/asteroids.yaml"))
    world.step(500)
    shards = [name for name in world if name.rpartition(".")[2].isdigit() and world[name].alive]
    assert world.state["rocks"] >= 2
    assert len(shards) > 6


def test_the_line_without_the_gates_before_it_is_no_round(tmp_path: Path) -> None:
    player = tmp_path / "player.yaml"
    player.write_text("[{key: up, from: 0.1, to: 3}]", encoding="utf-8")
    world = World(load(SCENES / "games/car_drifter.yaml", inputs=player))
    world.step(300)
    assert world["chassis"].y > 1
    assert world.state["rounds"] == 0


def test_the_level_has_a_hundred_instances_and_its_coins_are_counted_once() -> None:
    world = World(load(SCENES / "show/level.yaml"))
    scene = world.scene
    assert len({name.rpartition(".")[0] for name in scene.bodies if "." in name}) >= 100
    coins = [name for name, body in scene.bodies.items() if "coin" in body.tags]
    while not world.outcome:
        world.step(10)
    assert world.state["coins"] == sum(not world[name].alive for name in coins)
