# SPDX-License-Identifier: MIT
"""Very many births and deaths: each a copy of what was built once, and nothing stays behind."""

from __future__ import annotations

import math
from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SimulationError
from rigid2d.core.scene import limits
from rigid2d.core.scene.blocks.prototypes import prototypes
from rigid2d.core.world.building.copies import mould_of

RAIN = """
rigid: 1
world: {duration: 60, seed: 3}
prototypes:
  pair:
    bodies:
      one: {shapes: [{circle: 0.05}, {box: [0.2, 0.1], offset: [0.1, 0]}], points: {p: [0.1, 0]},
            tags: [drop]}
      two: {shape: {polygon: [[0, 0], [0.2, 0], [0.2, 0.2], [0.1, 0.05], [0, 0.2]]},
            position: [0.3, 0], angle: 20}
    joints: {rod: {type: revolute, bodies: [one, two], motor: {speed: 90, max_torque: 1}}}
    actuators: {jet: {type: thruster, body: two, force: [0.1, 0]}}
bodies: {floor: {type: static, shape: {box: [60, 1]}, position: [0, -3]}}
spawners: {rain: {use: pair, every: 0.004, at: ["=uniform(-9, 9)", 2], angle: "=uniform(0, 90)",
         velocity: %s}}
events: [{when: leave, tags: [drop], region: [[-20, -2], [20, 20]], do: [{delete: $a}]}]
"""


def test_births_of_a_step_together_have_the_bits_that_they_have_one_by_one() -> None:
    together = World(loads(RAIN % "[1, 0]"))
    # What reads the run is worked out after each birth.
    alone = World(loads(RAIN % "[=1 + 0*world.bodies, 0]"))
    for world in (together, alone):
        world.step(80)
    assert together.state_hash() == alone.state_hash()
    assert list(together) == list(alone)
    assert together.joint("rain[310].rod").definition == alone.joint("rain[310].rod").definition
    assert [*together["rain[310].two"].position] == [*alone["rain[310].two"].position]


STARS = """
rigid: 1
world: {duration: 60, seed: 3}
prototypes:
  star:
    bodies:
      one: {shapes: [{circle: 0.05},
                     {polygon: [[0, 0], [0.2, 0], [0.2, 0.2], [0.1, 0.05], [0, 0.2]]}],
            points: {p: [0.1, 0]}, angle: 20}
      two: {shape: {box: [0.5, 0.02]}, position: [0.5, 0.1], points: {q: [0, 0], r: [0.1, 0]}}
bodies: {floor: {type: static, shape: {box: [1, 1]}}}
spawners: {rain: {use: star, every: %s, at: ["=uniform(-9, 9)", 2], velocity: [1, 0],
         mirror: x, scale: 2}}
"""


@pytest.mark.parametrize("scene", [RAIN % "[1, 0]", STARS % 0.004, STARS % 0.02])
def test_copies_from_a_mould_are_those_that_were_built_one_by_one(stored: Any, scene: str) -> None:
    stored(loads(scene)).step(8)


@pytest.mark.parametrize(
    ("motions", "told"),
    [
        ([(0.0, math.nan, 0.0, 0.0, 0.0)] * 2, "body 0: y must be a finite number"),
        ([(0.0, 0.0, 0.0, 0.0, 0.0)] * 3, "motions must be those of whole copies"),
    ],
)
def test_copies_that_cannot_be_are_refused_as_a_whole(
    motions: list[tuple[float, float, float, float, float]], told: str
) -> None:
    world = World(loads(STARS % 0.02))
    star = [*world.roster.scene.prototypes["star"].bodies.values()]
    mould = mould_of(world.roster.scene, star)
    before = world.native.save()
    with pytest.raises(ValueError, match=told):
        world.native.add_copies(mould, motions, None, None)
    assert world.native.save() == before


def test_nothing_is_read_for_a_birth_that_is_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(loads(RAIN % "[1, 0]"))
    monkeypatch.setattr(prototypes.PrototypeBuilder, "_build", None)
    world.step(60)
    assert "rain[200].one" in list(world)


def crowded(spawner: str) -> World:
    """A world where what a spawner makes has no room, unless it is not asked for."""
    return World(
        loads(
            f"""
rigid: 1
world: {{dt: 0.1, gravity: [0, 0]}}
prototypes: {{dot: {{bodies: {{ball: {{shape: {{circle: 0.1}}, collide: false}}}}}}}}
bodies: {{block: {{type: static, shape: {{box: [1, 1]}}}}}}
spawners: {{gun: {{use: dot, {spawner}}}}}
"""
        )
    )


@pytest.mark.parametrize("more", ["", ", if_free: true, max: 5"])
def test_births_that_are_too_many_for_one_step_are_told_before_there_is_any(more: str) -> None:
    world = crowded(f"every: 1e-9{more}")  # a hundred million a step
    with pytest.raises(
        SimulationError,
        match=r"spawners\.gun: more than 10,000 births in one step; .*every.*step 1,",
    ):
        world.step(1)
    assert list(world) == ["block"]


def test_births_of_one_step_are_counted_anew_where_a_saved_step_is_taken_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "BIRTHS_AT_ONCE", 15)
    world = crowded("every: 0.01, at: [5, 0]")
    saved = world.save()
    for _ in range(3):
        world.restore(saved)
        world.step(1)
    assert len(list(world)) == 12


def test_looking_for_free_places_ends_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TRIES_AT_ONCE", 100)
    crowded("every: 0.01, if_free: true").step(3)
    with pytest.raises(
        SimulationError, match=r"spawners\.gun: more than 100 tries to find places for bodies"
    ):
        crowded('every: 0.01, if_free: true, max_tries: 20, angle: "=uniform(0, 9)"').step(1)


def test_ten_thousand_births_and_deaths_leave_nothing_behind() -> None:
    world = World(
        loads(
            """
rigid: 1
world: {duration: 60, dt: 0.01, gravity: [0, 0]}
prototypes:
  dot: {bodies: {ball: {shape: {circle: 0.1}, collide: false, tags: [dot], velocity: [9, 0]}}}
bodies: {floor: {type: static, shape: {box: [1, 1]}, position: [0, -3]}}
spawners: {gun: {use: dot, every: 0.0005}}
events: [{when: leave, tags: [dot], region: [[-1, -1], [0.2, 1]], do: [{delete: $a}]}]
"""
        )
    )
    world.step(250)
    slots, roster = world.native.body_count, world.roster
    world.step(250)
    assert world.script is not None
    assert world.script.reactions is not None
    assert world.script.reactions.acting.spawning.births == 10_001
    assert world.native.body_count == slots
    assert len(roster.bodies) == len(roster.ids) == len(roster.born) + 1 < 500
    assert len(roster.tagged["dot"]) == len(roster.born)
    assert len(roster.used.save()) == 1


def test_a_world_lists_what_was_born_in_the_order_of_the_births() -> None:
    world = World(
        loads(
            """
rigid: 1
prototypes: {dot: {bodies: {ball: {shape: {circle: 0.1}}}}}
bodies: {floor: {type: static, shape: {box: [9, 1]}}}
spawners: {gun: {use: dot, every: 0.1, at: [0, 5]}}
"""
        )
    )
    assert world.bodies.added == []
    world.step(20)
    assert world.bodies.added == [f"gun[{i}].ball" for i in range(4)]
    world.remove("gun[1].ball")
    world.add({"bodies": {"late": {"shape": {"circle": 0.1}, "position": [3, 3]}}})
    assert world.bodies.added == ["gun[0].ball", "gun[2].ball", "gun[3].ball", "late"]


def test_a_copy_that_is_too_large_for_the_engine_is_told_by_its_path() -> None:
    text = """
rigid: 1
prototypes: {bar: {bodies: {rod: {shape: {capsule: [[0, 0], [1, 0]], radius: 0.1}}}}}
bodies: {floor: {type: static, shape: {box: [1, 1]}}}
spawners: {bars: {use: bar, every: 1, scale: 1e15}}
"""
    with pytest.raises(SimulationError, match=r"^spawners\.bars: an end .* at most 1e15"):
        World(loads(text)).step(1)


def breaking(count: int) -> World:
    """Crates, all of which break into nine pieces each at the end of the first step."""
    smash = ", ".join(f"{{destroy: {{body: 'crate[{i}]'}}}}" for i in range(count))
    return World(
        loads(
            f"""
rigid: 1
world: {{gravity: [0, 0]}}
bodies: {{crate: {{repeat: {{i: {count}}}, shape: {{box: [1, 1]}}, position: [=2*i, 0]}}}}
events:
- {{when: time, at: 0.01, do: [{smash}]}}
"""
        )
    )


def test_the_pieces_of_what_is_destroyed_are_births_of_the_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "BIRTHS_AT_ONCE", 27)
    breaking(3).step(2)
    world = breaking(4)
    with pytest.raises(SimulationError) as caught:
        world.step(2)
    assert "events[0].do[3]" in str(caught.value)
    assert "more than 27 births in one step, with the pieces of what is destroyed" in str(
        caught.value
    )
    assert world.native.has_body(world.roster.ids["crate[3]"])  # which is still whole


def test_the_pieces_of_what_is_destroyed_are_births_of_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "BIRTHS", 26)
    with pytest.raises(SimulationError, match="more than 26 bodies were born in this run"):
        breaking(3).step(2)
