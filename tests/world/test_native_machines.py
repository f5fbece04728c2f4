# SPDX-License-Identifier: MIT
"""Spawned copies in the engine whose scripts drive, add and remove their own joints: with the bits,
saved states and events of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads

from tests.scripts import program, run_changed, step_alike

ROBOTS = """
rigid: 1
world: {dt: 0.02, seed: 5, bounds: [[-14, -9], [14, 30]]}
state: {n: 0, m: 0, k: 0}
prototypes:
  robot:
    bodies:
      trunk: {shape: {box: [1, 0.5]}, tags: [robot]}
      arm: {shape: {box: [0.8, 0.1]}, position: [0.9, 0.2], points: {tip: [0.4, 0]}}
      hand: {shape: {box: [0.6, 0.1]}, position: [1.6, 0.2], points: {tip: [0.3, 0]}}
      bob: {shape: {circle: 0.2}, position: [0, 1]}
      slider: {shape: {box: [0.2, 0.2]}, position: [-1, 0]}
    joints:
      shoulder: {type: revolute, bodies: [trunk, arm], anchor: [0.5, 0.2], limits: [-80, 70],
        motor: {position: 10, max_torque: 4}}
      elbow: {type: revolute, bodies: [arm, hand], anchor: [1.3, 0.2], limits: [-90, 100],
        motor: {position: 0.5, relative: true, max_torque: 3}}
      string: {type: distance, bodies: [trunk, bob], anchors: [[0, 0], [0, 0]],
        min_length: 0.3, max_length: 1.2}
      bar: {type: prismatic, bodies: [trunk, slider], axis: [1, 0], anchor: [-1, 0],
        limits: [-0.5, 0.4], motor: {position: 0.1, max_force: 5}}
    animations:
      wave: {type: loop, duration: 0.8, tracks: {
        shoulder.motor.position: [[0, -20], [0.5, 50], [1, -20]],
        string.max_length: [[0, 1.2], [0.5, 0.8], [1, 1.2]]}}
      idle: {type: once, duration: 0.5, enabled: false, tracks: {
        elbow.motor.position: [[0, 0.2], [1, 0.9]]}}
    events:
      - {when: time, at: 0.2, do: [{set: {elbow.motor.position: "=0.3 + trunk.y/100"}},
          {play: idle}, {add: {n: 1}}]}
      - {when: time, at: 0.5, every: 0.3, do: [{add: {bar.motor.position: -0.02}},
          {add: {shoulder.motor.max_torque: 0.5}}, {add: {m: =shoulder.angle}}]}
      - {when: time, at: 0.7, do: [{stop: wave}, {set: {string.min_length: 0.4,
          shoulder.limits: [-70, 60], bar.limits: [-0.4, 0.3]}},
          {set: {elbow.motor.enabled: "=trunk.x > 0"}}]}
      - {when: time, at: 0.9, every: 0.11, do: [{add: {k: =elbow.angle}}, {reach: {
          tip: hand.points.tip, joints: [shoulder, elbow], target: [1.2, 0.8]}}]}
      - {when: time, at: 1.2, do: [{play: wave}, {add: {string.max_length: -0.1}}]}
      - {when: time, at: 1.9, do: [{delete: bob}, {delete: trunk}, {play: idle}]}
bodies:
  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
spawners:
  a: {use: robot, every: 0.6, at: [-5, 3], max: 3}
  b: {use: robot, every: 0.7, at: [0, 3], angle: 30, mirror: x, scale: 1.3, pivot: center, max: 2}
  c: {use: robot, every: 0.8, at: [5, 3], angle: -90, mirror: y, scale: 0.8, max: 2}
"""


@pytest.mark.parametrize("stride", [1, 17])
def test_joints_of_copies_are_driven_with_the_bits_of_python(in_python: Any, stride: int) -> None:
    scene = loads(ROBOTS)
    assert program(scene).is_whole
    here, there = in_python(scene), World(scene)
    step_alike(here, there, stride, 70)
    for world in (here, there):
        world.joint("a[0].elbow").set_motor(position=0.1)  # which goes on from there
        world.joint("b[0].string").set_lengths(0.2, 0.7)
    step_alike(here, there, stride, 130)
    there = there.fork()
    step_alike(here, there, stride, 150)


def test_changed_programs_of_machines_are_refused_or_run() -> None:
    assert run_changed(loads(ROBOTS), 40, 30) > 5
