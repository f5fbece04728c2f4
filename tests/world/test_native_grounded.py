# SPDX-License-Identifier: MIT
"""Births of what is joined to the world, in the engine: with the bits, saved states and forks of
Python's runner."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads

from tests.scripts import alone, go, program, restore_and_fork, run_changed, step_alike

HUNG = """
rigid: 1
world: {dt: 0.02, seed: 5, solver: {type: soft_step}, bounds: [[-20, -9], [20, 30]]}
state: {n: 0, m: 0}
prototypes:
  swing:
    vars: {size: 0.3}
    bodies:
      bar: {shape: {box: [1.2, 0.2]}, position: [0.5, 0], angle: 20}
      bob: {shape: {circle: =size}, position: [0.2, -1.5], velocity: [0.5, 0]}
      cart: {shape: {box: [0.5, 0.3]}, position: [-1, 0.5]}
    joints:
      hinge: {type: revolute, bodies: [world, bar], anchor: [0, 0.1], limits: [-80, 70],
        motor: {position: 10, max_torque: 2}}
      rope: {type: distance, bodies: [bob, world], anchors: [[0, 0.1], [0.3, 0]], rope: true}
      rail: {type: prismatic, bodies: [world, cart], axis: [1, 0.5], anchor: [-1, 0.5],
        limits: [-0.4, 0.6], spring: {frequency: 2}}
      track: {type: wheel, bodies: [cart, world], axis: [0, 1], anchor: [-1, 0.5]}
  lift:
    bodies:
      one: {shape: {box: [0.4, 0.4]}, position: [-1, 0]}
      two: {shape: {box: [0.4, 0.6]}, position: [1, 0]}
    joints:
      rope: {type: pulley, bodies: [one, two], ground_anchors: [[-1, 2], [1, 2]],
        anchors: [[0, 0.2], [0, 0.3]]}
      hand: {type: mouse, body: one, anchor: [-1, 0], target: [-1.2, 0.3], max_force: 3}
bodies: {ground: {type: static, shape: {box: [60, 1]}, position: [0, -3]}}
spawners:
  a: {use: swing, every: 0.5, at: [-6, 3], max: 3, lifetime: 1.1}
  b: {use: swing, every: 0.6, at: ["=uniform(-3, 3)", 4], angle: 35, mirror: x, scale: 1.3, max: 2}
  c: {use: swing, every: 0.4, at: [6, 5], angle: -100, mirror: y, scale: 0.7, pivot: center}
  d: {use: swing, every: 0.4, at: [9, 3], vars: {size: "=0.2 + state.n/20"}, max: 3}
  e: {use: lift, every: 0.7, at: ["=uniform(-9, 9)", 8], angle: 12, mirror: y, scale: 1.2}
events:
  - {when: time, at: 0.1, every: 0.3, do: [{add: {n: 1}}, {spawn: {use: lift, at: [2, 9]}}]}
"""
SCRIPTED = """
    events:
      - {when: time, at: 0.3, do: [{set: {hinge.limits: [-60, 50], hinge.motor.position: -20}}]}
      - {when: time, at: 0.5, every: 0.2, do: [{add: {m: =hinge.angle + rope.length}},
          {set: {rope.max_length: 1.8}}]}
      - {when: time, at: 0.9, do: [{delete: rail}]}
      - {when: deleted, joint: rail, do: [{add: {n: 1}}]}
  lift:
"""


def hung(is_scripted: bool) -> Any:
    return loads(HUNG.replace("  lift:\n", SCRIPTED[1:], 1) if is_scripted else HUNG)


@pytest.mark.parametrize("is_scripted", [False, True])
@pytest.mark.parametrize("stride", [1, 17])
def test_copies_hang_where_they_are_born(stored: Any, stride: int, is_scripted: bool) -> None:
    scene = hung(is_scripted)
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride)
    assert here.state["n"] > 3
    names = ("a[1].hinge", "c[2].rail", "d[1].track", "e[1].rope", "lift[2].hand")
    assert all(name in here.roster.used for name in names)


@pytest.mark.parametrize("is_scripted", [False, True])
def test_they_go_on_from_saved_states_and_forks(stored: Any, is_scripted: bool) -> None:
    scene = hung(is_scripted)
    restore_and_fork(stored(scene), World(scene), 13)


def test_they_hang_in_the_world_of_a_textbook_solver(stored: Any) -> None:
    text = HUNG.replace("soft_step", "sequential_impulse")
    parts = [text[: text.index("  lift:\n")], text[text.index("bodies: {ground") :]]
    lines = [line for line in "".join(parts).splitlines() if "lift" not in line]
    scene = loads("\n".join(lines) + "\n")
    step_alike(stored(scene), World(scene), 7, 60)


def test_without_a_host_they_hang_as_well() -> None:
    lines = [line for line in HUNG.splitlines() if "  d:" not in line]
    scene = loads("\n".join(lines) + "\n")
    assert program(scene).is_whole
    engine, runner = alone(scene)
    go(engine, runner, 120)
    world = World(scene)
    world.step(120)
    assert world.state_hash() == engine.state_hash()


def test_changed_bytes_are_refused_or_run() -> None:
    assert run_changed(hung(False), 40, 30) > 5
