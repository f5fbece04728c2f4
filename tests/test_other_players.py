# SPDX-License-Identifier: MIT
"""The games of the gallery: other players lose them, and all play alike on every machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core import World, load

GAMES = Path(__file__).resolve().parents[1] / "scenes/games"
LONGEST = 40.0

NOBODY = "[]"
ONLY_GAS = "[{key: up, from: 1.3, to: 9}, {key: left, from: 2, to: 9}]"
LEANS_TOO_LONG = """
- {key: down, from: 0.2, to: 1}
- {key: up, from: 4.13, to: 4.6}
- {key: right, from: 4.4, to: 6}
"""


def played(world: World) -> World:
    """The world when its game is over."""
    while not world.outcome and world.time < LONGEST:
        world.step(60)
    return world


def another_player(game: str, inputs: str, folder: Path) -> World:
    path = folder / "inputs.yaml"
    path.write_text(inputs, encoding="utf-8")
    return played(World(load(GAMES / game, inputs=path)))


@pytest.mark.parametrize(
    ("game", "outcome"),
    [
        ("moonlander.yaml", "win"),
        ("moonlander_crash.yaml", "lose"),
        ("motorbike.yaml", "win"),
        ("ski_jumper.yaml", "win"),
        ("bridge_builder.yaml", "win"),
        ("bridge_builder_weak.yaml", "lose"),
    ],
)
def test_the_recorded_player_ends_the_game(game: str, outcome: str) -> None:
    assert played(World(load(GAMES / game))).outcome == outcome


def test_a_lander_without_a_player_crashes(tmp_path: Path) -> None:
    world = another_player("moonlander.yaml", NOBODY, tmp_path)
    assert world.outcome == "lose"
    assert world.joint("strut_left").broken
    assert not world["hull"].alive
    assert world.state["fuel"] == 100


def test_an_empty_tank_stops_the_engine() -> None:
    world = World(load(GAMES / "moonlander.yaml", ["inputs=[{key: up}]"]))
    world.step(11 * 120)
    assert world.state["fuel"] == 0
    before = world["hull"].velocity[1]
    world.step(120)
    assert world["hull"].velocity[1] - before == pytest.approx(-1.62, abs=0.01)


def test_a_rider_who_only_leans_back_falls_on_his_head(tmp_path: Path) -> None:
    world = another_player("motorbike.yaml", ONLY_GAS, tmp_path)
    assert world.outcome == "lose"
    assert world.state["apples"] < 4


def test_a_jumper_who_leans_too_long_breaks_his_ski(tmp_path: Path) -> None:
    world = another_player("ski_jumper.yaml", LEANS_TOO_LONG, tmp_path)
    assert world.outcome == "lose"
    assert world.joint("skier.bow").broken


def test_a_bridge_as_low_as_the_weak_one_fails_by_its_height_alone() -> None:
    world = played(World(load(GAMES / "bridge_builder.yaml", ["vars.height=1.9"])))
    assert world.outcome == "lose"
    assert world.state["broken"] > 8


@pytest.mark.parametrize(
    "game",
    ["moonlander_crash.yaml", "motorbike.yaml", "ski_jumper.yaml", "bridge_builder_weak.yaml"],
)
def test_a_game_is_played_alike_with_threads_and_lanes(game: str) -> None:
    scene = load(GAMES / game)
    runs = [
        played(World(scene, threads=threads, lanes=lanes)) for threads, lanes in ((1, 1), (2, 0))
    ]
    first, second = [
        (run.outcome, run.step_count, dict(run.state), run.state_hash()) for run in runs
    ]
    assert first == second
