# SPDX-License-Identifier: MIT
"""Actions that come later, and what lets them not come at all: ``after`` and ``unless``."""

from __future__ import annotations

import pytest
from rigid2d.core import Scene, World, loads
from rigid2d.core.scene import expand

BOMB = """
rigid: 1
world: {{gravity: [0, 0]}}
state: {{n: 0, defused: 0}}
bodies: {{ball: {{shape: {{circle: 0.5}}, tags: [ball]}}}}
inputs: [{{at: {defused}, do: [{{set: {{state.defused: 1}}}}]}}]
events: [{{when: time, at: 1, after: 1, unless: {unless}, do: [{{add: {{n: 1}}}}]}}]
"""


def bomb(defused: float, unless: str = "=state.defused > 0") -> Scene:
    return loads(BOMB.format(defused=defused, unless=unless))


@pytest.mark.parametrize(("defused", "bangs"), [(0.5, 0), (1.9, 0), (2.1, 1)])
def test_what_is_due_is_not_done_where_it_is_dropped_by_then(defused: float, bangs: int) -> None:
    world = World(bomb(defused))
    world.step(150)
    assert world.state["n"] == bangs


def test_what_was_so_before_and_is_no_more_drops_nothing() -> None:
    world = World(bomb(0.5, "=world.time < 1.5"))
    world.step(150)
    assert world.state["n"] == 1


def test_what_another_event_of_the_same_step_changed_counts() -> None:
    first = "{when: time, at: 2, do: [{set: {state.defused: 1}}]}"
    text = BOMB.format(defused=9, unless="=state.defused > 0")
    text = text.replace("events: [", f"events: [{first}, ")
    world = World(loads(text))
    world.step(150)
    assert world.state == {"n": 0, "defused": 1}


@pytest.mark.parametrize(("speed", "times"), [(2.0, 1), (5.0, 0)])
def test_the_names_of_the_event_are_known(speed: float, times: int) -> None:
    text = f"""
rigid: 1
world: {{gravity: [0, 0]}}
state: {{n: 0}}
bodies:
  wall: {{type: static, shape: {{box: [1, 9]}}, tags: [wall]}}
  ball: {{shape: {{circle: 0.5}}, position: [-2, 0], velocity: [{speed}, 0], mass: 1, tags: [ball]}}
events:
  - {{when: collision, tags: [ball, wall], after: 0.1, unless: =$impulse > 3 and $a.x < 0,
      do: [{{add: {{n: 1}}}}]}}
"""
    for source in (text, expand(loads(text))):
        world = World(loads(source))
        world.step(120)
        assert world.state["n"] == times


def test_of_who_is_gone_nothing_drops_what_is_due() -> None:
    text = """
rigid: 1
state: {n: 0}
bodies:
  floor: {type: static, shape: {box: [9, 1]}}
  ball: {shape: {circle: 0.5}, position: [0, 2], tags: [ball]}
events:
  - {when: collision, tags: [ball], after: 0.5, unless: =$a.alive, do: [{add: {n: 1}}]}
  - {when: collision, tags: [ball], after: 0.2, do: [{delete: $a}]}
"""
    world = World(loads(text))
    world.step(120)
    assert world.state["n"] == 1


@pytest.mark.parametrize("at", [30, 90])
def test_what_waits_is_dropped_after_a_world_was_saved_and_forked(at: int) -> None:
    world = World(bomb(1.9))
    world.step(at)
    fork, other = world.fork(), World(bomb(1.9))
    other.restore(world.save())
    for each in (world, fork, other):
        each.step(150 - at)
        assert each.state["n"] == 0
    assert world.save() == fork.save() == other.save()


def test_instances_have_their_own_names_in_it() -> None:
    text = """
rigid: 1
world: {gravity: [0, 0]}
state: {n: 0}
prototypes:
  mine:
    bodies: {shell: {shape: {circle: 0.2}}}
    events: [{when: time, at: 0.1, after: 0.5, unless: =shell.x > 3, do: [{add: {n: 1}}]}]
instances: {near: {use: mine}, far: {use: mine, at: [5, 0]}}
"""
    world = World(loads(text))
    world.step(60)
    assert world.state["n"] == 1


def test_scenes_with_and_without_it_are_told_apart() -> None:
    plain = BOMB.format(defused=1, unless="false").replace(" unless: false,", "")
    assert loads(plain).hash != bomb(1).hash
