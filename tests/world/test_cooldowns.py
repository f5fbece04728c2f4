# SPDX-License-Identifier: MIT
"""Events that do not happen again for a time after they did."""

from __future__ import annotations

import re

import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand

from tests.rows import every_row

DT = 1 / 60


def hopping(event: str, balls: int = 1, more: str = "") -> Scene:
    return loads(f"""
rigid: 1
world: {{duration: 3, gravity: [0, -10]}}
state: {{n: 0}}
bodies:
  floor:
    {{type: static, shape: {{box: [40, 1]}}, position: [0, -0.5], restitution: 1, tags: [ground]}}
  ball:
    repeat: {{i: {balls}}}
    shape: {{circle: 0.1}}
    position: [=2*i, =0.12 + 0.02*i]
    tags: [ball]
events:
  - {{when: collision, tags: [ball, ground], do: [{{log: touch}}]}}
  - {event}
{more}
""")


class Logged:
    """A world after some steps, and the steps of what it logged."""

    def __init__(self, scene: Scene, steps: int = 180) -> None:
        world = World(scene)
        world.step(steps)
        self._told = world.events.take()

    def of(self, text: str) -> list[int]:
        return [event.step for event in self._told if event.kind == "log" and event.a == text]


def spared(steps: list[int], cooldown: float) -> list[int]:
    """Those that are as long as a cooldown after the last of them."""
    kept: list[int] = []
    for step in steps:
        if not kept or (step - kept[-1]) * DT >= cooldown - 1e-9:
            kept.append(step)
    return kept


@pytest.mark.parametrize("cooldown", [0.001, 0.1, 0.2, 0.25, 0.7, 9.0])
def test_it_happens_again_after_its_cooldown_and_no_sooner(cooldown: float) -> None:
    rule = f"{{when: collision, tags: [ball, ground], cooldown: {cooldown}, do: [{{log: hit}}]}}"
    logged = Logged(hopping(rule))
    assert len(logged.of("touch")) > 8
    assert logged.of("hit") == spared(logged.of("touch"), cooldown)


def test_a_cooldown_has_units() -> None:
    rule = "{when: collision, tags: [ball, ground], cooldown: %s, do: [{log: hit}]}"
    first, second = (Logged(hopping(rule % each)) for each in ("0.25", "250 ms"))
    assert first.of("hit") == second.of("hit") != first.of("touch")


def test_an_entry_has_one_cooldown_and_pairs_have_their_own() -> None:
    rule = "{when: collision, tags: [ball, ground], cooldown: 0.5%s, do: [{add: {n: 1}}]}"
    each = World(hopping(rule % ", cooldown_per: pair", balls=3))
    all_ = World(hopping(rule % "", balls=3))
    alone = World(hopping(rule % ""))
    for world in (each, all_, alone):
        world.step(60)
    assert all_.state["n"] == alone.state["n"] == 2
    assert each.state["n"] == 6


def test_what_does_not_happen_by_its_if_does_not_cool_down() -> None:
    rule = (
        "{when: collision, tags: [ball, ground], if: =world.time > 0.5, cooldown: 9, "
        "do: [{log: hit}]}"
    )
    logged = Logged(hopping(rule))
    assert logged.of("hit") == [next(step for step in logged.of("touch") if step * DT > 0.5)]


def test_it_counts_from_what_happened_and_not_from_what_is_done_after_it() -> None:
    rule = "{when: collision, tags: [ball, ground], cooldown: 0.5, after: 0.4, do: [{log: hit}]}"
    logged = Logged(hopping(rule))
    wanted = [step + 24 for step in spared(logged.of("touch"), 0.5)]
    assert logged.of("hit") == [step for step in wanted if step <= 180]


def test_other_kinds_have_it() -> None:
    for when in (
        "when: time, every: 0.05",
        '"when": "=sin(60*world.time) > 0"',
        "when: leave, tags: [ball], region: [[-5, -1], [5, 0.11]]",
        "when: touch_end, tags: [ball, ground]",
    ):
        often, seldom = (
            Logged(hopping(f"{{{when}{more}, do: [{{log: hit}}]}}"))
            for more in ("", ", cooldown: 0.3")
        )
        assert len(often.of("hit")) > 8, when
        assert seldom.of("hit") == spared(often.of("hit"), 0.3), when


def test_instances_and_what_is_born_cool_down_by_themselves() -> None:
    world = World(
        loads("""
rigid: 1
world: {duration: 3, gravity: [0, -10]}
state: {n: 0, m: 0}
prototypes:
  hopper:
    bodies:
      ball: {shape: {circle: 0.1}, position: [0, 0.12], restitution: 1}
    events:
      - {when: collision, cooldown: 0.5, do: [{add: {n: 1}}]}
      - {when: collision, do: [{add: {m: 1}}]}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], restitution: 1}
instances: {left: {use: hopper, at: [-3, 0]}, right: {use: hopper, at: [3, 0.01]}}
events: [{when: time, at: 0.001, do: [{spawn: {use: hopper}}, {spawn: {use: hopper, at: [1, 0]}}]}]
""")
    )
    world.step(61)
    assert world.state["m"] > 20
    assert world.state["n"] == 8


def test_a_run_goes_on_from_a_saved_state_and_a_copy() -> None:
    rule = (
        "{when: collision, tags: [ball, ground], cooldown: 0.4, cooldown_per: pair, "
        "do: [{log: hit}, {add: {n: 1}}]}"
    )
    scene = hopping(rule, balls=3)
    world, other = World(scene), World(scene)
    world.step(40)
    other.step(7)
    other.restore(world.save())
    twin = world.fork() if hasattr(world, "fork") else other
    for each in (world, other, twin):
        each.step(60)
    assert world.save() == other.save() == twin.save()
    assert world.state["n"] > 3


def test_worlds_of_a_batch_have_their_own() -> None:
    rule = "{when: collision, tags: [ball, ground], cooldown: 0.4, do: [{add: {n: 1}}]}"
    scene = hopping(rule, balls=2)
    batch, alone = Batch(scene, 2), World(scene)
    batch.step(90)
    alone.step(90)
    assert batch.world(0).save() == batch.world(1).save() == alone.save()


def test_it_is_written_out_and_told_apart() -> None:
    rule = "{when: collision, tags: [ball, ground]%s, do: [{add: {n: 1}}]}"
    words = ("", ", cooldown: 0.4", ", cooldown: 0.5", ", cooldown: 0.5, cooldown_per: pair")
    scenes = [hopping(rule % more) for more in words]
    assert len({World(each).physics_hash for each in scenes}) == 4
    for each in scenes:
        again = loads(expand(each))
        assert again.events[1].cooldown == each.events[1].cooldown
        assert again.events[1].per_pair == each.events[1].per_pair
        assert World(again).physics_hash == World(each).physics_hash


@every_row(
    ("event", "path", "message"),
    [
        ("{when: collision, cooldown: -1, do: [{log: a}]}", "cooldown", "greater than 0"),
        ("{when: collision, cooldown: 0, do: [{log: a}]}", "cooldown", "greater than 0"),
        ("{when: collision, cooldown: 2 m, do: [{log: a}]}", "cooldown", "time"),
        ("{when: collision, once: true, cooldown: 2, do: [{log: a}]}", "cooldown", "`once`"),
        ("{when: collision, cooldown_per: pair, do: [{log: a}]}", "cooldown_per", "`cooldown`"),
        ("{when: time, cooldown: 1, cooldown_per: pair, do: [{log: a}]}", "cooldown_per", "`time`"),
        ("{when: collision, debounce: 1, do: [{log: a}]}", "debounce", "it is `cooldown`"),
    ],
)
def test_what_is_wrong_is_told(event: str, path: str, message: str) -> None:
    with pytest.raises(SceneError, match=re.escape(message)) as caught:
        hopping(event)
    (problem,) = caught.value.problems
    assert problem.path == f"events[1].{path}"
    assert problem.line == 15
