# SPDX-License-Identifier: MIT
"""The mouse of document 000, part 4.6, in the textbook solvers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import UsageError, build, loads
from rigid2d.core.solvers import Joint, Soft
from rigid2d.core.solvers.mouse import solve_both

from tests.rows import every_row

from .hand_made import bodies, take_step

MICE = ["pgs_matrix", "pgs_jrow", "sequential_impulse", "constraint_correction"]
IN_SCENES = ["pgs_matrix", "pgs_jrow", "textbook_impulse", "constraint_correction"]

HELD = """
rigid: 1
name: held
world: {{steps: 60, gravity: [0, 0], solver: {{type: {kind}}}}}
bodies:
  crate: {{shape: {{box: [1, 1]}}, mass: 2, position: [0, 0]}}
joints:
  hand: {{type: mouse, body: crate, anchor: [0.5, 0.5], target: [0.5, 0.5], {more}}}
"""


def held(kind="pgs_matrix", more="stiff: true"):
    return build(loads(HELD.format(kind=kind, more=more)))


def pulled(solver, mouse, *, inertia=3.0, **settings):
    moving = bodies([[0, 0, 0], [0, 0, 0]], [np.inf, 2.0], inertias=[np.inf, inertia])
    report = take_step(solver, moving, [], joints=[mouse], **settings)
    return moving, report


@every_row("solver", MICE)
def test_a_rigid_mouse_has_all_of_its_error_gone_in_one_iteration(solver):
    """000, part 4.6: K^-1 solves both rows at once, and biasFactor is 1."""
    mouse = Joint("hand", "mouse", 0, 1, (0.3, -0.2), (0.4, 0.7), number=0)
    moving, _ = pulled(solver, mouse, iterations=1)
    vx, vy, omega = moving.V[1].tolist()
    speed = vx - omega * 0.7, vy + omega * 0.4
    assert speed == pytest.approx((0.3 - 0.4, -0.2 - 0.7), rel=1e-12)


def test_both_rows_are_solved_by_the_inverse_of_k():
    """000, part 4.6: K = [[1/m + ry^2/I, -rx ry/I], [-rx ry/I, 1/m + rx^2/I]]."""
    rx, ry, m, inertia = 0.4, 0.7, 2.0, 3.0
    k = (1 / m + ry * ry / inertia, -rx * ry / inertia, 1 / m + rx * rx / inertia)
    found = solve_both(k, (-0.1, -0.9), (0.0, 0.0), math.inf)
    wanted = np.linalg.solve([[k[0], k[1]], [k[1], k[2]]], [-0.1, -0.9])
    assert found == pytest.approx(wanted, rel=1e-12)


@every_row("solver", MICE)
def test_a_largest_force_bounds_the_length_of_both_rows_and_keeps_the_direction(solver):
    """000, part 4.6: if |sum| > MaxImpulse, it is scaled to that length."""
    mouse = Joint("hand", "mouse", 0, 1, (6.0, 8.0), (0.0, 0.0), most_force=0.5)
    moving, report = pulled(solver, mouse, dt=0.1)
    assert report.joints[0, :2] == pytest.approx((0.3 * 0.1, 0.4 * 0.1), rel=1e-12)
    assert moving.V[1, :2] == pytest.approx((0.3 * 0.1 / 2, 0.4 * 0.1 / 2), rel=1e-12)
    assert report.residual == 0.0


@every_row("solver", MICE)
@every_row("iterations", [1, 10])
def test_a_soft_mouse_is_an_implicit_spring_at_any_number_of_iterations(solver, iterations):
    """000, parts 4.4 and 4.6: v2 = (v1 - h k x / m) / (1 + h c / m + h^2 k / m)."""
    h, k, c, m = 0.05, 30.0, 2.0, 2.0
    mouse = Joint("hand", "mouse", 0, 1, (0.3, -0.4), (0.0, 0.0), soft=Soft(k, c))
    moving, _ = pulled(solver, mouse, dt=h, iterations=iterations)
    factor = h * k / m / (1 + h * c / m + h * h * k / m)
    assert moving.V[1, :2] == pytest.approx((0.3 * factor, -0.4 * factor), rel=1e-12)


@pytest.mark.parametrize("kind", IN_SCENES)
@pytest.mark.parametrize("mass", [1, 10, 1000])
def test_the_anchor_stays_glued_to_a_mouse_that_moves_by_ten_pixels(kind, mass):
    """000, part 4.6: cubes of different mass, clicked and dragged 10 px upward."""
    text = HELD.format(kind=kind, more="stiff: true").replace("mass: 2", f"mass: {mass}")
    world = build(loads(text))
    for step in range(1, 61):
        target = (0.5, 0.5 + step / 60)
        world.joint("hand").set_target(target)
        world.step()
        # A step is straight: what it turns bends the way by r (1 - cos) at most.
        turned = abs(world["crate"].angular_velocity) / 60
        bend = math.sqrt(0.5) * turned * turned
        assert world["crate"].world_point((0.5, 0.5)) == pytest.approx(target, abs=bend + 1e-6)


@pytest.mark.parametrize("kind", IN_SCENES)
def test_a_mouse_without_a_spring_pulls_as_that_of_the_engine_does(kind):
    """5 Hz and a damping ratio of 0.7, of the body's mass, implicit as the engine's."""
    ways = []
    for solver in (kind, "sequential_impulse"):
        world = held(solver, "max_force: 500")
        world.joint("hand").set_target((1.5, 0.5))
        world.step(10)
        ways.append((*world["crate"].position, world["crate"].angle))
    assert ways[0] == pytest.approx(ways[1], abs=0.02)


@pytest.mark.parametrize("kind", IN_SCENES)
def test_a_mouse_goes_on_in_a_saved_world_to_where_it_was_set(kind):
    world = held(kind)
    world.joint("hand").set_target((0.9, 0.7))
    world.step(3)
    state, fork = world.save(), world.fork()
    world.step(20)
    other = held(kind)
    other.restore(state)
    other.step(20)
    fork.step(20)
    assert other.save() == world.save() == fork.save()


def test_a_mouse_breaks_by_its_force_and_pulls_no_more():
    world = held(more="stiff: true, break: {force: 50}")
    world.joint("hand").set_target((9.0, 9.0))
    world.step(2)
    assert world.joint("hand").broken
    with pytest.raises(UsageError, match="gone"):
        world.joint("hand").set_target((0, 0))


@pytest.mark.parametrize("kind", IN_SCENES)
def test_what_is_dragged_follows_while_it_is_held(kind):
    text = """
rigid: 1
name: dragged
world: {{steps: 120, gravity: [0, 0], solver: {{type: {kind}}}}}
bodies:
  crate: {{shape: {{box: [1, 1]}}}}
inputs:
  - {{drag: crate, from: 0.2, to: 1.2, path: [[0.2, 1, 2]], max_force: 200}}
"""
    world = build(loads(text.format(kind=kind)))
    world.step(12)
    assert world["crate"].position == (0, 0)
    world.step(61)
    assert world["crate"].position == pytest.approx((1, 2), abs=0.01)
    assert "inputs[0]" not in world.scene.joints
