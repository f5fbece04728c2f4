# SPDX-License-Identifier: MIT
"""Pairs that are known are not looked up again: no result shows it."""

from __future__ import annotations

import numpy as np
import pytest

APART = np.array([[True, True, False], [True, True, True], [False, True, True]])


def crowd(b) -> tuple[list[int], list[int]]:
    """Forty balls that overlap in a box, neighbours pinned to each other, of three categories."""
    b.world.set_collision_matrix(APART)
    for x, y, width, height in ((-5, 0, 1, 12), (5, 0, 1, 12), (0, -5, 12, 1), (0, 5, 12, 1)):
        b.box(b.body(x, y, kind=0), width, height)
    bodies = []
    for i in range(40):
        body = b.body(-3.5 + i % 8, -2.5 + i // 8, vx=3 - i % 7, vy=4 - i % 9)
        b.ball(body, 0.55, category=i % 3)
        bodies.append(body)
    b.world.finish()
    joints = []
    for one, other in zip(bodies[::2], bodies[1::2], strict=True):
        at = (b.world.x[one] + 0.5, b.world.y[one])
        joints.append(b.joint("revolute", one, other, at))
    return bodies, joints


@pytest.mark.parametrize("change", ["nothing", "joints", "categories", "matrix"])
def test_a_world_that_forgets_which_pairs_it_knows_goes_on_alike(bench, change):
    """What is restored looks every pair up."""
    worlds = bench(), bench()
    for step in range(60):
        for b in worlds:
            if step == 0:
                bodies, joints = crowd(b)
            if change == "joints" and 20 <= step < 20 + len(joints):
                b.world.remove_joint(joints[step - 20])
            if change == "categories" and step >= 20:
                b.world.set_body(bodies[step - 20], "category", step % 3)
            if change == "matrix" and step == 20:
                b.world.set_collision_matrix(np.ones((3, 3), dtype=np.bool_))
            if b is worlds[1]:
                b.world.restore(b.world.save())
            assert b.world.step() == 1
        assert worlds[0].world.state_hash() == worlds[1].world.state_hash()
        pairs = [b.world.statistics()["contacts"] for b in worlds]
        assert pairs[0] == pairs[1] > 0
