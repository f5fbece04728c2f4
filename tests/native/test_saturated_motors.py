# SPDX-License-Identifier: MIT
"""Motors with less force than they would need: beside each other, at limits, and what they read."""

from __future__ import annotations

import itertools

import pytest

from tests.rows import every_row

G = 9.81


def test_a_brake_holds_against_the_spin_beside_a_motor_that_is_too_weak_too(bench, solver):
    """Both brake a flywheel of 1 kg m^2: 16 rad/s less (50 + 20) / 1 times the time. Solved with
    what they would give if they could, the brake would push against the stiff motor instead."""
    b = bench(solver=solver)
    wheel = b.body(omega=16)
    motor = b.joint("revolute", 0, wheel, (0, 0), motor_kind=2, motor_target=-2, motor_max=50,
                    motor_spring_kind=2, motor_spring_1=1e5)  # fmt: skip
    brake = b.joint("rotary_motor", 0, wheel, (0, 0), motor_kind=1, motor_max=20)
    b.run(0.1)
    assert b.world.omega[wheel] == pytest.approx(16 - 70 * 0.1, rel=1e-4)
    assert b.state(motor)["motor_force"] == pytest.approx(-50, rel=1e-5)
    assert b.state(brake)["motor_force"] == pytest.approx(-20, rel=1e-5)


def test_opposed_motors_give_what_they_have(bench, solver):
    """Three motors on one wheel of 1 kg m^2, to 5, to -5 and to 9 rad/s, with 3, 4 and 2 N m: at
    rest they add up to 1 N m, whichever was found too weak first."""
    for order in itertools.permutations([(5, 3), (-5, 4), (9, 2)]):
        b = bench(solver=solver)
        wheel = b.body()
        b.joint("revolute", 0, wheel, (0, 0))
        for target, most in order:
            b.joint("rotary_motor", 0, wheel, (0, 0), motor_kind=1, motor_target=target,
                    motor_max=most)  # fmt: skip
        b.run(1)
        assert b.world.omega[wheel] == pytest.approx(1, rel=1e-4)
        assert [b.state(i)["motor_force"] for i in (1, 2, 3)] == pytest.approx(
            [most if target > 0 else -most for target, most in order], rel=1e-5
        )


@every_row("bound", ["lower", "upper"])
@every_row("most", [0.1, 100])
def test_a_brake_at_a_limit_reads_no_more_than_it_can_give(bench, solver, most, bound):
    """An arm of 2 kg leans on its limit with m g l / 2; its brake bears what it can of it."""
    side = 1 if bound == "lower" else -1
    b = bench(solver=solver, gravity=(0, -G))
    arm = b.body(0.5 * side, 0, mass=2, inertia=2 / 12)
    given = {"lower": -9, "upper": 9} | {bound: 0}
    joint = b.joint("revolute", 0, arm, (0, 0), has_limits=1, motor_kind=1, motor_max=most, **given)
    b.run(0.5)
    state = b.state(joint)
    assert state["angle"] == pytest.approx(0, abs=1e-4)
    assert state["torque"] == pytest.approx(side * 2 * G * 0.5, rel=1e-3)
    assert state["motor_force"] == pytest.approx(side * min(most, 2 * G * 0.5), rel=1e-3)


def test_many_weak_motors_in_a_chain_never_give_more_than_they_have(bench, solver):
    """An arm of twenty links falls, whatever its motors want."""
    b = bench(solver=solver, gravity=(0, -G))
    above, joints = 0, []
    for i in range(20):
        link = b.body(0.4 * i + 0.2, 0, mass=0.5, inertia=0.5 * 0.4**2 / 12)
        most = 0.3 * (1 + i % 4)
        joints.append((b.joint("revolute", above, link, (0.4 * i, 0), motor_kind=1 + i % 2,
                               motor_target=(-1) ** i, motor_max=most, has_limits=1,
                               lower=-0.5, upper=0.5), most))  # fmt: skip
        above = link
    for _ in range(120):
        b.run(1 / 60)
        for joint, most in joints:
            assert abs(b.state(joint)["motor_force"]) <= most * (1 + 1e-5)
            assert abs(b.state(joint)["angle"]) < 0.51
