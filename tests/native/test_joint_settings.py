# SPDX-License-Identifier: MIT
"""Settings of joints in a running world: sleepers wake, invalid values raise, limits break."""

from __future__ import annotations

import contextlib
import math

import pytest

from tests.rows import every_row

G = 9.81
SET = {
    "motor": lambda w, joint, x: w.set_motor(joint, x, 100),
    "limits": lambda w, joint, x: w.set_limits(joint, x, x + 1),
    "spring": lambda w, joint, x: w.set_spring(joint, 2, 100 * x, 5),
}


def asleep(make, solver, **values):
    """A slider that has gone to sleep where it stood."""
    b = make(solver=solver, sleep=True)
    body = b.body(1, 0)
    joint = b.joint("prismatic", 0, body, (1, 0), **values)
    b.run(3)
    assert not b.world.awake[body]
    return b, body, joint


def test_a_new_motor_speed_wakes_its_bodies(bench, solver):
    b, body, joint = asleep(bench, solver, motor_kind=1, motor_target=0, motor_max=10)
    b.world.set_motor(joint, 2, 10)
    b.run(1)
    assert b.world.vx[body] == pytest.approx(2, rel=1e-3)


def test_new_limits_wake_their_bodies(bench, solver):
    b, body, joint = asleep(bench, solver, has_limits=1, lower=-1, upper=1)
    b.world.set_limits(joint, 0.1, 1)
    b.run(0.2)
    assert b.world.x[body] > 1.01


def test_a_new_target_wakes_what_a_mouse_holds(bench, solver):
    b = bench(solver=solver, sleep=True)
    body = b.body(0, 0)
    joint = b.joint("mouse", 0, body)
    b.run(3)
    assert not b.world.awake[body]
    b.world.set_joint_target(joint, 2, 1)
    b.run(5)
    assert (b.world.x[body], b.world.y[body]) == pytest.approx((2, 1), abs=0.02)


def test_a_force_that_is_switched_on_wakes_its_body(bench, solver):
    b = bench(solver=solver, sleep=True)
    body = b.body()
    force = b.force(1, body, x=2)
    b.world.set_force(force, 2, 0, 0, False)
    b.run(3)
    assert not b.world.awake[body]
    b.world.set_force(force, 2, 0, 0, True)
    b.run(1)
    assert b.world.vx[body] == pytest.approx(2, rel=1e-3)


@every_row(
    ("what", "value"),
    [(what, math.nan) for what in SET] + [("motor", math.inf), ("spring", math.inf)],
)
def test_a_setting_that_is_no_number_is_refused_or_harmless(bench, what, value):
    b = bench()
    joint = b.joint("prismatic", 0, b.body(), (0, 0), motor_kind=1)
    with contextlib.suppress(ValueError):
        SET[what](b.world, joint, value)
    b.run(1)
    assert b.finite()
    assert b.world.error is None


@every_row("what", list(SET))
@every_row("index", [-1, 1, 10**6])
def test_a_joint_that_is_not_there_cannot_be_set(bench, what, index):
    b = bench()
    b.joint("prismatic", 0, b.body(), (0, 0), motor_kind=1)
    with pytest.raises((IndexError, ValueError)):
        SET[what](b.world, index, 1.0)


@pytest.mark.parametrize("index", [-1, 1, 10**6])
def test_a_force_or_mouse_that_is_not_there_cannot_be_set(bench, index):
    b = bench()
    body = b.body()
    b.force(1, body)
    b.joint("mouse", 0, body)
    with pytest.raises((IndexError, ValueError)):
        b.world.set_force(index, 1, 0, 0, True)
    with pytest.raises((IndexError, ValueError)):
        b.world.set_joint_target(index, 1, 0)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_force_cannot_be_set_to_what_is_no_number(bench, bad):
    b = bench()
    force = b.force(1, b.body())
    for values in ((bad, 0, 0), (0, bad, 0), (0, 0, bad)):
        with pytest.raises(ValueError, match=r"force|torque|finite"):
            b.world.set_force(force, *values, True)


@every_row("share", [0.7, 1.1])  # a mouse is springy: it overshoots at first
@every_row("kind", ["revolute", "distance", "weld", "prismatic", "wheel", "mouse"])
def test_each_joint_breaks_above_its_force_and_not_below(bench, solver, kind, share):
    b = bench(solver=solver, gravity=(0, -G))
    body = b.body(0, -1, mass=3)
    values = {"distance": {"length": 1, "min_length": 1, "max_length": 1, "anchor_ay": 0}}
    given = values.get(kind, {"target_y": -1})
    at = None if kind in ("mouse", "distance") else (0, -1)
    joint = b.joint(kind, 0, body, at, break_force=3 * G / share, **given)
    b.run(1)
    assert b.state(joint)["broken"] == (share > 1)
    if share > 1:
        assert b.world.vy[body] < -8
        assert b.state(joint)["force_y"] == 0
    else:
        assert b.state(joint)["force_y"] == pytest.approx(3 * G, rel=0.02)


@every_row("share", [0.9, 1.1])
@every_row("kind", ["weld", "prismatic"])
def test_each_joint_that_holds_an_angle_breaks_above_its_torque(bench, solver, kind, share):
    b = bench(solver=solver)
    body = b.body(0, 0)
    joint = b.joint(kind, 0, body, (0, 0), break_torque=5 / share)
    b.force(1, body, torque=5)
    b.run(1)
    assert b.state(joint)["broken"] == (share > 1)
    if share > 1:
        assert b.world.omega[body] > 4
    else:
        assert abs(b.state(joint)["torque"]) == pytest.approx(5, rel=0.01)


@every_row("kind", ["prismatic", "wheel", "mouse", "axial_friction", "rotary_motor"])
def test_a_removed_joint_lets_go(bench, solver, kind):
    b = bench(solver=solver, gravity=(0, -G))
    body = b.body(0, 0)
    joint = b.joint(kind, 0, body, axis_y=0, motor_kind=1)
    b.run(0.5)
    b.world.remove_joint(joint)
    b.world.set_velocity(body, 0, 0, 2)
    b.run(0.5)
    assert b.world.vy[body] == pytest.approx(-G / 2, rel=1e-3)
    assert b.world.omega[body] == pytest.approx(2, rel=1e-5)
    assert b.state(joint)["broken"] == 1


def test_a_new_target_has_the_bits_that_a_new_search_for_mechanisms_gives(bench, solver):
    """Limits that are set to what they are have the mechanisms found anew."""
    hashes = []
    for searches in (False, True):
        b = bench(solver=solver)
        upper, lower = b.body(0, -0.5), b.body(0, -1.5)
        values = {"motor_kind": 1, "motor_max": 20, "has_limits": 1, "lower": -1, "upper": 1}
        joints = [
            b.joint("revolute", 0, upper, (0, 0), **values),
            b.joint("revolute", upper, lower, (0, -1), **values),
        ]
        for step in range(120):
            for i, joint in enumerate(joints):
                b.world.set_motor(joint, math.sin(step + i), 20 if step % 50 else 0)
                if searches:
                    b.world.set_limits(joint, -1, 1)
            b.world.step(1)
        hashes.append(b.world.state_hash())
    assert hashes[0] == hashes[1]
