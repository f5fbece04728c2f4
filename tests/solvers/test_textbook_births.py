# SPDX-License-Identifier: MIT
"""Births under textbook solvers, with joints that break and joints that actions attach."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads

SOLVERS = ("soft_step", "sequential_impulse", "pgs_matrix")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_joint_of_a_copy_that_broke_is_known_and_saved(solver: str) -> None:
    scene = loads(
        f"rigid: 1\nworld: {{dt: 0.02, solver: {{type: {solver}}}}}\n"
        "bodies: {ground: {type: static, shape: {box: [30, 1]}, position: [0, -0.5]}}\n"
        "prototypes: {pair: {bodies: {post: {type: static, shape: {box: [1, 0.5]}},"
        " head: {shape: {circle: 0.2}, position: [1, 0.4]}}, joints: {neck: {type: revolute,"
        " bodies: [post, head], anchor: [0.7, 0.3], break: {force: 0.1}}}}}\n"
        "spawners: {s: {use: pair, every: 0.1, at: [0, 5], alive: 1}}\n"
    )
    world, other = World(scene), World(scene)
    world.step(12)
    assert world.joint("s[0].neck").broken
    other.restore(world.save())
    assert other.joint("s[0].neck").broken
    for each in (world, other):
        each.step(10)
    assert world.save() == other.save()


def test_a_joint_is_attached_in_the_step_of_a_birth_with_actuators() -> None:
    scene = loads(
        "rigid: 1\nworld: {dt: 0.02, solver: {type: pgs_matrix}}\n"
        "bodies: {arm: {shape: {box: [2, 0.2]}, position: [9, 3]}}\n"
        "prototypes: {rocket: {bodies: {hull: {shape: {box: [0.5, 0.3]}}}, actuators: {jet:"
        " {type: thruster, body: hull, force: [6, 0]}}}}\n"
        "spawners: {s: {use: rocket, every: 0.1, at: [0, 5]}}\n"
        "events: [{when: time, at: 0.3, do: [{attach: {name: tie, joint: {type: distance,"
        " bodies: [arm, world], anchors: [[0.5, 0], [9, 6]], max_length: 4}}}]}]\n"
    )
    world, other = World(scene), World(scene)
    world.step(40)
    for _ in range(40):
        other.step()
    assert world.save() == other.save()
    assert world["s[0].hull"].velocity[0] > 0.5
