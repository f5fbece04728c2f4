# SPDX-License-Identifier: MIT
"""Numbers of documents 003 and 004."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import build, loads
from rigid2d.core.solvers import Contact, Joint, Outline
from rigid2d.core.solvers.particles import Corners
from rigid2d.core.solvers.verlet import (
    Rod,
    relax,
    resolve,
    stiffness_share,
    verlet,
)

from tests.solvers.hand_made import bodies, take_step

UNIT_CIRCLE = {"kind": "distance", "a": 0, "b": 1, "least": 1.0, "most": 1.0}


def on_the_unit_circle(velocity, inertia, anchor):
    """A body of 1 kg held at (1, 0) by a rod of 1 m from the origin."""
    moving = bodies(
        [[0, 0, 0], velocity],
        [math.inf, 1],
        inertias=[math.inf, inertia],
        places=[[0, 0, 0], [1 - anchor[0], -anchor[1], 0]],
    )
    rod = Joint(name="rod", anchor_a=(0.0, 0.0), anchor_b=anchor, **UNIT_CIRCLE)
    report = take_step("constraint_correction", moving, [], joints=[rod], dt=1e-3, iterations=1)
    return moving.V[1], report


def test_a_particle_on_the_unit_circle_keeps_its_speed_along_it():
    """Document 003, 4.6: v = (0.3, 2) at (1, 0) gets the impulse (-0.3, 0)."""
    velocity, report = on_the_unit_circle([0.3, 2, 0], math.inf, (0.0, 0.0))
    assert report.solution == pytest.approx([-0.3], abs=1e-12)
    assert velocity == pytest.approx([0, 2, 0], abs=1e-12)


def test_a_body_on_the_unit_circle_keeps_its_point_on_it():
    """Document 003, 4.7: r = (0.1, 0.2), v = (0.3, 2), omega = 2: lambda = 0.0961538."""
    velocity, report = on_the_unit_circle([0.3, 2, 2], 1, (0.1, 0.2))
    assert report.solution == pytest.approx([0.1 / 1.04], abs=1e-12)
    assert velocity == pytest.approx([0.3 + 0.1 / 1.04, 2, 2 - 0.02 / 1.04], abs=1e-12)
    assert velocity == pytest.approx([0.396, 2, 1.98], abs=1e-3)
    point = (velocity[0] - velocity[2] * 0.2, velocity[1] + velocity[2] * 0.1)
    assert point == pytest.approx((0, 2.198077), abs=1e-6)


def test_verlet_from_rest_falls_as_the_sum_of_its_steps():
    """Document 004, V3: a = 9.81, 60 steps of 1/60 s make 4.98675 m (exact: 4.905)."""
    now, before = [0.0, 0.0], [0.0, 0.0]
    for _ in range(60):
        now, before = verlet(now, before, (0.0, 9.81), 1 / 60), now
    assert now == pytest.approx([0, 4.98675], abs=1e-9)


def test_an_edge_is_projected_with_lambda_1_6_where_it_is_hit_at_a_quarter():
    """Document 004, V9: x1 = (0, 0), x2 = (4, 0), t = 0.25, moved by (0, 0.5)."""
    table = Outline(1, np.array([[-9.0, -1.0], [9.0, -1.0], [9.0, 0.5], [-9.0, 0.5]]))
    hit = Outline(2, np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]))  # 1 kg a corner
    corners = Corners(bodies([[0, 0, 0]] * 3, [math.inf, math.inf, 3]), (table, hit))
    x = [list(point) for outline in (table, hit) for point in outline.corners.tolist()]
    contact = Contact(1, 2, (1.0, 0.25), (0.0, 1.0), 0.5, 0.0, 0.0, (0, 1, 0))
    push, _ = resolve(x, [list(each) for each in x], corners, contact)
    assert push == pytest.approx(1.6 * 0.5)
    assert x[4] == pytest.approx([0, 0.6])
    assert x[5] == pytest.approx([4, 0.2])
    assert x[6] == [2, 3]
    assert 0.75 * np.array(x[4]) + 0.25 * np.array(x[5]) == pytest.approx([1, 0.5])
    assert x[:4] == table.corners.tolist()


@pytest.mark.parametrize(("iterations", "share"), [(5, 0.129449), (20, 0.034064)])
def test_a_stiffness_of_a_half_is_shared_out_over_the_iterations(iterations, share):
    """Document 004, V6: k' = 1 - (1 - k)^(1/n), printed without the brackets."""
    assert stiffness_share(0.5, iterations) == pytest.approx(share, abs=1e-6)


@pytest.mark.parametrize("iterations", [1, 5, 20])
def test_the_stretch_that_is_left_does_not_hang_on_the_iterations(iterations):
    """Document 004, V6: a rod of stiffness 0.5 keeps half of its stretch."""
    x = [[0.0, 0.0], [3.0, 0.0]]
    for _ in range(iterations):
        relax(x, [1.0, 1.0], Rod(0, 1, 2.0, 2.0), stiffness_share(0.5, iterations))
    assert x[1][0] - x[0][0] == pytest.approx(2.5, abs=1e-12)


def test_a_rod_moves_its_ends_by_the_inverse_masses():
    """Document 004, V5: s1 = m2 / (m1 + m2) d; a rod alone is right after one pass."""
    x = [[0.0, 0.0], [4.0, 0.0]]
    relax(x, [1.0, 1 / 3], Rod(0, 1, 2.0, 2.0), 1.0)
    assert x == pytest.approx(np.array([[1.5, 0], [3.5, 0]]))


def test_a_pendulum_swings_and_loses_as_the_formulas_of_the_document_do():
    """Document 003, M5, M7 and M9: of the energy it swings with a third is gone after 5 s."""
    text = """
rigid: 1
name: pendulum
world: {solver: {type: constraint_correction}}
bodies: {bob: {shape: {circle: 0.1}, position: [1, 0]}}
joints: {rod: {type: distance, bodies: [world, bob], length: 1}}
"""
    world = build(loads(text))
    x, y, vx, vy, h = 1.0, 0.0, 0.0, 0.0, 1 / 60
    for _ in range(300):
        world.step()
        vy -= 9.81 * h
        length = math.sqrt(x * x + y * y)
        along = (x * vx + y * vy) / length
        vx, vy = vx - along * x / length, vy - along * y / length
        x, y = x + h * vx, y + h * vy
        length = math.sqrt(x * x + y * y)
        x, y = x / length, y / length
        assert (world["bob"].x, world["bob"].y) == pytest.approx((x, y), abs=1e-3)
    assert 0.5 * (vx * vx + vy * vy) / 9.81 + y == pytest.approx(-0.36, abs=0.005)


@pytest.mark.parametrize(("friction", "slides"), [(0.5, 0.0), (0.2, 1.0)])
def test_a_box_on_a_slope_rests_or_slides_as_coulomb_says(friction, slides):
    """Document 003 tells of no friction; what this has is Coulomb's: g (sin a - mu cos a)."""
    a = math.radians(20)
    text = f"""
rigid: 1
name: slope
world: {{dt: 0.02, solver: {{type: constraint_correction}}}}
materials: {{m: {{friction: {friction}}}}}
defaults: {{material: m}}
bodies:
  slope: {{type: static, shape: {{box: [20, 1]}}, angle: -20}}
  box: {{shape: {{box: [1, 1]}}, angle: -20, position: [{math.sin(a)}, {math.cos(a)}]}}
"""
    world = build(loads(text))
    world.step(50)
    way = math.hypot(world["box"].x - math.sin(a), world["box"].y - math.cos(a))
    wanted = slides * 0.5 * 9.81 * (math.sin(a) - friction * math.cos(a)) * 1.02
    assert way == pytest.approx(wanted, abs=0.03)
