# SPDX-License-Identifier: MIT
"""Damping slows moving bodies and does not change the loads of resting ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.rows import every_row

G = 9.81
JOINT_SOLVERS = ("auto", "direct", "iterative")
HOLDERS = {
    "rod": "type: distance, anchors: [[0, 0], [0, 0]], length: 1",
    "pin": "type: revolute, anchor: [0, 0]",
    "weld": "type: weld, anchor: [0, 0]",
    "spring": "type: distance, anchors: [[0, 0], [0, 0]], length: 0.9, spring: {stiffness: 200}",
}


@every_row("holder", list(HOLDERS))
@every_row("joints", JOINT_SOLVERS)
def test_all_of_a_damped_load_hangs_in_its_joint(run, solver, joints, holder):
    trace = run(
        f"""
world: {{duration: 6, sleep: false, solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  load: {{shape: {{box: [0.5, 0.5]}}, mass: 2, position: [0, -1], linear_damping: 5,
         angular_damping: 5}}
joints: {{holder: {{bodies: [world, load], {HOLDERS[holder]}}}}}
""",
        "holder.force",
    )
    assert trace["holder"].force[-1] == pytest.approx(2 * G, rel=1e-3)


def test_a_damped_load_stretches_its_spring_by_its_weight_over_the_stiffness(run, solver):
    load = run(
        f"""
world: {{duration: 10, sleep: false, air: {{linear_damping: 4}}, solver: {{type: {solver}}}}}
bodies: {{load: {{shape: {{circle: 0.2}}, mass: 2, position: [0, -1]}}}}
joints:
  spring: {{type: distance, bodies: [world, load], anchors: [[0, 0], [0, 0]], length: 1,
           spring: {{stiffness: 50}}}}
"""
    )["load"]
    assert load.y[-1] == pytest.approx(-1 - 2 * G / 50, abs=2e-4)


def test_the_ground_bears_all_of_what_rests_on_it_whatever_is_damped(make, solver):
    """A search over damping, masses and steps: a column of two boxes on the ground."""
    for seed in range(12):
        pick = random.Random(seed)
        dt, masses = 1 / pick.choice([30, 60, 240]), [10 ** pick.uniform(-1, 1) for _ in range(2)]
        damping = [pick.choice([0, 0.5, 3, 20]) for _ in range(4)]
        world = make(
            f"""
world: {{dt: {dt!r}, steps: 1, sleep: false, solver: {{type: {solver}}}}}
bodies:
  ground: {{type: static, shape: {{box: [9, 1]}}, position: [0, -0.5]}}
  a: {{shape: {{box: [1, 1]}}, position: [0, 0.5], mass: {masses[0]},
      linear_damping: {damping[0]}, angular_damping: {damping[1]}}}
  b: {{shape: {{box: [1, 1]}}, position: [0, 1.5], mass: {masses[1]},
      linear_damping: {damping[2]}, angular_damping: {damping[3]}}}
"""
        )
        for _ in range(round(3 / dt)):
            world.step()
        rows = world.native.contacts()
        ground = world["ground"].index
        on_ground = (rows["body_a"] == ground) | (rows["body_b"] == ground)
        assert sum(rows["normal_impulse"][on_ground]) / dt == pytest.approx(
            sum(masses) * G, rel=2e-3
        ), seed


@every_row("e", [0.3, 1])
@every_row(("c", "d"), [(5, 0), (0, 20), (20, 1)])
def test_an_impact_keeps_momentum_between_bodies_of_different_damping(run, solver, e, c, d):
    trace = run(
        f"""
world: {{gravity: [0, 0], dt: =1/30, steps: 8, sleep: false,
        solver: {{type: {solver}{", substeps: 1" if solver == "soft_step" else ""}}}}}
materials: {{m: {{restitution: {e}, friction: 0}}}}
defaults: {{material: m}}
bodies:
  a: {{shape: {{circle: 0.5}}, mass: 1, velocity: [8, 0], linear_damping: {c}}}
  b: {{shape: {{circle: 0.5}}, mass: 3, position: [1.3, 0], linear_damping: {d}}}
"""
    )
    a, b = trace["a"].vx, trace["b"].vx
    hit = int(np.flatnonzero(b)[0])
    # Air takes its share from both after the impact, in the same step.
    after_a, after_b = a[hit] * np.exp(c / 30), b[hit] * np.exp(d / 30)
    assert after_a + 3 * after_b == pytest.approx(a[hit - 1], rel=1e-5)
    assert after_b - after_a == pytest.approx(e * a[hit - 1], rel=1e-5)
