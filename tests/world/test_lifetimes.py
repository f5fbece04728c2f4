# SPDX-License-Identifier: MIT
"""Births under a condition, for a time, and so many at once."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.errors import SceneError, SimulationError
from rigid2d.core.scene import expand

from tests.rows import every_row

DT = 1 / 60


def scene(blocks: str, more: str = "") -> Scene:
    return loads(f"""
rigid: 1
world: {{duration: 5, gravity: [0, 0]}}
state: {{open: 1, gone: 0, n: 0}}
prototypes:
  dot: {{bodies: {{ball: {{shape: {{circle: 0.1}}, tags: [dot]}}}}}}
  pair:
    bodies:
      one: {{shape: {{circle: 0.1}}, position: [0, 1], tags: [dot]}}
      two: {{shape: {{circle: 0.1}}, position: [0, 2], tags: [dot]}}
    joints: {{rod: {{type: distance, bodies: [one, two]}}}}
{more}
bodies: {{ball: {{shape: {{circle: 0.1}}, position: [-5, 0], tags: [dot]}}}}
{blocks}
""")


def rain(fields: str, more: str = "") -> Scene:
    return scene(f"spawners: {{rain: {{use: dot, at: [=world.time*3, 0], {fields}}}}}\n{more}")


def counts(given: Scene, steps: int = 180) -> list[int]:
    """How many were born and are there after each step, without the one that always is."""
    world = World(given)
    found = []
    for _ in range(steps):
        world.step()
        found.append(int(world.native.alive.sum()) - 2)
    return found


def test_what_is_born_for_a_time_is_there_for_that_time() -> None:
    there = counts(rain("every: 9, lifetime: 0.5"))
    assert [step for step, many in enumerate(there, start=1) if many] == [*range(1, 31)]


@every_row(
    ("lifetime", "steps"), [("500 ms", 30), ("0.001", 1), ("=0.1 + 0.2", 18), ("=world.n", None)]
)
def test_lifetimes_have_units_and_expressions(lifetime: str, steps: int | None) -> None:
    if steps is None:
        with pytest.raises(SceneError, match="has no `n`"):
            rain(f"every: 9, lifetime: {lifetime}")
        return
    assert sum(counts(rain(f'every: 9, lifetime: "{lifetime}"'))) == steps


def test_a_drawn_lifetime_is_one_of_each_birth() -> None:
    given = rain('every: 0.05, max: 20, lifetime: "=uniform(0.5, 2)"')
    there = counts(given)
    assert there[60] > 10
    falls = [a - b for a, b in pairwise(there) if a > b]
    assert len(falls) > 10  # not all at once
    assert there[-1] == 0
    assert there == counts(given)


def test_a_lifetime_that_comes_out_below_0_stops_the_run_by_its_path() -> None:
    world = World(rain('every: 9, lifetime: "=state.open - 3"'))
    with pytest.raises(SimulationError, match=r"spawners\.rain\.lifetime: gives -2"):
        world.step()


def test_bodies_and_joints_of_a_birth_go_together_and_what_is_gone_already_is_no_error() -> None:
    world = World(
        scene(
            "spawners: {rain: {use: pair, every: 9, lifetime: 1}}\n"
            "events: [{when: time, at: 0.5, do: [{delete: ball}]}]"
        )
    )
    world.step(30)
    world.remove("rain[0].one")
    world.step(20)
    assert "rain[0].two" in world.roster.bodies
    world.step(20)
    assert int(world.native.alive.sum()) == 1
    assert "rain[0].rod" not in world.roster.joints


def test_its_end_is_a_deletion() -> None:
    world = World(
        rain(
            "every: 9, lifetime: 0.5",
            "events: [{when: deleted, tags: [dot], do: [{add: {gone: 1}}, {log: gone}]}]",
        )
    )
    world.step(60)
    assert world.state["gone"] == 1
    assert [event.step for event in world.events.take() if event.kind == "log"] == [32]


def test_actions_have_lifetimes_too() -> None:
    world = World(
        scene("events: [{when: time, every: 0.5, do: [{spawn: {use: dot, lifetime: 0.25}}]}]")
    )
    there = []
    for _ in range(90):
        world.step()
        there.append(int(world.native.alive.sum()) - 2)
    assert there[:60] == ([1] * 15 + [0] * 14) + [1] * 15 + [0] * 15 + [1]


def test_so_many_are_there_at_once() -> None:
    there = counts(rain("every: 0.1, alive: 3, lifetime: 0.75"))
    assert max(there) == 3
    assert sum(many == 3 for many in there) > 90


def test_a_copy_counts_until_its_last_body_is_gone() -> None:
    world = World(scene("spawners: {rain: {use: pair, every: 0.1, alive: 2}}"))
    world.step(60)
    assert world.state["open"] == 1
    assert int(world.native.alive.sum()) - 2 == 4
    world.remove("rain[0].one")
    world.step(30)
    assert int(world.native.alive.sum()) - 2 == 3
    world.remove("rain[0].two")
    world.step(30)
    assert int(world.native.alive.sum()) - 2 == 4
    assert "rain[2].one" in world.roster.bodies


def test_what_is_left_out_is_not_counted_and_not_put_off() -> None:
    text = "every: 0.1, max: 5, alive: 1, lifetime: 0.35"
    world = World(rain(text, "events: [{when: deleted, tags: [dot], do: [{add: {gone: 1}}]}]"))
    world.step(240)
    assert world.state["gone"] == 5


def test_a_condition_decides_when_one_is_due() -> None:
    events = (
        "events:\n  - {when: time, at: 1, do: [{set: {state.open: 0}}]}\n"
        "  - {when: time, at: 2, do: [{set: {state.open: 1}}]}"
    )
    there = counts(rain("every: 0.1, from: 0.05, if: =state.open > 0", events))
    assert there[58] == 10
    assert there[59 + 59] == 10  # what was left out is not made up for
    assert there[179] == 20


def test_a_condition_sees_the_births_before_it() -> None:
    there = counts(rain("every: 0.001, if: =tags.dot.count < 6"), 3)
    assert there == [5, 5, 5]


def test_a_spawner_whose_condition_is_false_costs_nothing_however_often_it_is_due() -> None:
    world = World(rain('every: 1e-9, if: "=state.open > 2"'))
    world.step(60)
    world = World(rain("every: 1e-9, alive: 4"))
    world.step(60)
    assert int(world.native.alive.sum()) - 2 == 4


COPIES = """
  nest:
    bodies: {box: {shape: {box: [1, 1]}, position: [0, -3], collide: false}}
    spawners:
      eggs:
        {use: dot, every: 0.1, alive: 2, lifetime: 0.5, at: box, if: =box.y < -2 and state.open > 0}
"""


@pytest.mark.parametrize("way", ["instance", "birth"])
def test_spawners_of_instances_and_of_what_is_born(way: str) -> None:
    put = "instances: {left: {use: nest}, right: {use: nest, at: [9, 0]}}"
    if way == "birth":
        at = "[{spawn: {use: nest}}, {spawn: {use: nest, at: [9, 0]}}]"
        put = f"events: [{{when: time, do: {at}}}]"
    given = scene(f"{put}\noutcome: {{lose: =tags.dot.count > 5}}", COPIES)
    world, other = World(given), World(given)
    world.step(100)
    assert world.outcome == ""
    other.restore(world.save())
    for each in (world, other):
        each.step(33)
    assert world.save() == other.save()
    if way == "instance":
        again = loads(expand(given))
        assert World(again).physics_hash == world.physics_hash
    batch = Batch(given, 2)
    batch.step(133)
    assert batch.world(1).save() == world.save()
    names = [name for name in world.roster.bodies if "box" in name]
    for name in names:
        world.set(f"{name}.position", (0, 3))
    world.step(60)
    assert [*world.roster.bodies] == ["ball", *names]


def test_a_run_goes_on_from_a_saved_state() -> None:
    text = 'every: 0.05, alive: 7, lifetime: "=uniform(0.2, 1)", if: =state.open > 0'
    given = rain(text, "events: [{when: deleted, tags: [dot], do: [{add: {gone: 1}}]}]")
    world, other = World(given), World(given)
    other.step(3)
    for steps in (1, 20, 50):
        world.step(steps)
        other.restore(world.save())
        assert other.save() == world.save()
        for each in (world, other):
            each.step(10)
        assert other.save() == world.save()


def test_it_is_written_out_and_told_apart() -> None:
    words = ("", ", alive: 3", ", alive: 4", ", if: =state.open > 0", ", lifetime: 3")
    scenes = [rain(f"every: 0.1{more}") for more in words]
    assert len({World(each).physics_hash for each in scenes}) == len(words)
    for each in scenes:
        again = loads(expand(each))
        assert again.spawners["rain"] == each.spawners["rain"]
        assert World(again).physics_hash == World(each).physics_hash


@every_row(
    ("fields", "path", "message"),
    [
        ("lifetime: 0", "lifetime", "greater than 0"),
        ("lifetime: -2 s", "lifetime", "greater than 0"),
        ("lifetime: 3 m", "lifetime", "a time"),
        ("lifetime: =nobody.x", "lifetime", "`nobody`"),
        ("alive: 1.5", "alive", "whole"),
        ("alive: -1", "alive", "at least 0"),
        ("if: true", "if", "must be an expression"),
        ("if: =ball.x", "if", "compare it"),
        ('if: "=uniform(0, 1) > 0.5"', "if", "random numbers"),
        ("if: =$a.x > 0", "if", "there is no `$a.x` here"),
        ("limit: 3", "limit", "it is `alive`"),
        ("ttl: 3", "ttl", "it is `lifetime`"),
    ],
)
def test_what_is_wrong_is_told(fields: str, path: str, message: str) -> None:
    with pytest.raises(SceneError, match=re.escape(message)) as caught:
        rain(f"every: 0.1, {fields}")
    (problem,) = caught.value.problems
    assert problem.path == f"spawners.rain.{path}"
    assert problem.line == 14
