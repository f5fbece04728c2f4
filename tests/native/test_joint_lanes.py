# SPDX-License-Identifier: MIT
"""Loads of joints solved one by one do not depend on the joints in the same lanes."""

from __future__ import annotations

import math

import numpy as np
from rigid2d.core import _native
from rigid2d.core._native import lanes_supported

from tests.rows import every_row

KINDS = ("revolute", "prismatic", "wheel", "rotary_motor")


def tangle(b, random: np.random.Generator) -> list[int]:
    """Twelve bodies held by joints of all sorts: springs, motors, limits, or none of them."""
    bodies = [
        b.body(i % 4, i // 4, vx=random.uniform(-2, 2), omega=random.uniform(-3, 3), inertia=0.2)
        for i in range(12)
    ]
    joints = []
    for i, body in enumerate(bodies):
        kind = KINDS[random.integers(len(KINDS))]
        other = bodies[i - 1] if i and kind != "rotary_motor" and random.random() < 0.7 else 0
        given: dict[str, float] = {}
        if kind in ("prismatic", "wheel"):
            angle = random.uniform(-3, 3)
            given |= {"axis_x": math.cos(angle), "axis_y": math.sin(angle)}
        if kind != "rotary_motor" and random.random() < 0.4:
            spring = _native.SPRING_KINDS["frequency"]
            given |= {"spring_kind": spring, "spring_1": 4.0, "spring_2": 0.3}
        if kind == "rotary_motor" or random.random() < 0.5:
            target = random.choice([-1.5, 0.0, 2.0])
            given |= {"motor_kind": 1, "motor_target": target, "motor_max": 3.0}
        if kind in ("revolute", "prismatic") and random.random() < 0.4:
            given |= {"has_limits": True, "lower": -0.2, "upper": 0.3}
        at = (b.world.x[body], b.world.y[body])
        joints.append(b.joint(kind, other, body, at, **given))
    return joints


@every_row("seed", range(12))
def test_every_width_leaves_the_same_bytes(bench, solver, seed):
    states = []
    for lanes in lanes_supported():
        random = np.random.default_rng(seed)
        b = bench(lanes=lanes, solver=solver, joint_solver="iterative", gravity=(0.0, -9.81))
        joints = tangle(b, random)
        seen = []
        for _ in range(12):
            b.world.step(int(random.integers(1, 4)))
            seen.append((b.world.joint_state().tobytes(), b.world.save()))
            joint = joints[random.integers(len(joints))]
            if random.random() < 0.5:
                b.world.set_motor(joint, random.uniform(-2, 2), random.choice([1.0, math.inf]))
            else:
                b.world.set_spring(joint, 1, 5.0, 0.5)
        states.append(seen)
    assert all(state == states[0] for state in states)
