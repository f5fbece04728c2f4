# SPDX-License-Identifier: MIT
"""Thrusters, forces, impulses, rotary motors and axial frictions against closed forms."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import _native

from tests.rows import every_row

G = 9.81
THRUSTER, FORCE, IMPULSE = 0, 1, 2


def test_a_force_accelerates_by_force_over_mass(bench, solver):
    b = bench(solver=solver)
    body = b.body(mass=4)
    b.force(FORCE, body, x=6, y=-2)
    b.run(2)
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx((3, -1), rel=1e-4)
    assert b.world.x[body] == pytest.approx(3, rel=0.01)
    assert b.world.omega[body] == 0


def test_a_force_beside_the_centre_turns_by_its_lever(bench, solver):
    b = bench(solver=solver)
    body = b.body(mass=1e6, inertia=8)
    b.force(FORCE, body, at_x=0.5, at_y=0, y=2)
    b.run(0.5)
    assert b.world.omega[body] == pytest.approx(0.5 * 2 / 8 * 0.5, rel=0.002)


def test_without_a_point_a_force_acts_at_the_centre_of_mass(bench, solver):
    b = bench(solver=solver)
    body = b.body(center_x=0.7, center_y=-0.2)
    b.force(FORCE, body, y=3)
    b.run(1)
    assert b.world.omega[body] == pytest.approx(0, abs=1e-6)


@every_row("kind", [THRUSTER, FORCE])
def test_a_torque_turns_by_torque_over_inertia(bench, solver, kind):
    b = bench(solver=solver)
    body = b.body(inertia=0.25)
    b.force(kind, body, torque=-2)
    b.run(0.5)
    assert b.world.omega[body] == pytest.approx(-4, rel=1e-4)
    assert (b.world.vx[body], b.world.vy[body]) == (0, 0)


def test_a_thruster_pushes_along_the_body_axes(bench, solver):
    b = bench(solver=solver)
    body = b.body(angle=math.radians(30), mass=2)
    b.force(THRUSTER, body, x=10)
    b.run(1)
    expected = (5 * math.cos(math.radians(30)), 2.5)
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx(expected, rel=1e-4)


def test_a_thruster_turns_with_its_body_and_a_force_does_not(bench, solver):
    """Turned once in a second: the thruster's pushes cancel, the force's add up."""
    b = bench(solver=solver, dt=1 / 240)
    spun, pushed = (b.body(x, omega=2 * math.pi) for x in (0, 10))
    b.force(THRUSTER, spun, x=10)
    b.force(FORCE, pushed, x=10)
    b.run(1)
    assert (b.world.vx[spun], b.world.vy[spun]) == pytest.approx((0, 0), abs=0.02)
    assert b.world.vx[pushed] == pytest.approx(10, rel=1e-4)


def test_a_turning_thruster_gives_the_integral_of_its_direction(bench, solver):
    """Half a turn in half a second: v = F / (m w) (sin, 1 - cos), to second order in the step."""
    b = bench(solver=solver)
    body = b.body(mass=2, omega=2 * math.pi)
    b.force(THRUSTER, body, x=10, at_x=0)
    b.run(0.5)
    expected = 10 / (2 * 2 * math.pi) * 2
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx(
        (0, expected), abs=0.002 * expected
    )


def test_a_thruster_at_a_point_turns_by_its_lever(bench, solver):
    b = bench(solver=solver)
    body = b.body(angle=1, mass=1e6, inertia=4)
    b.force(THRUSTER, body, at_x=-1, at_y=0.5, x=2, y=3)
    b.run(0.5)
    assert b.world.omega[body] == pytest.approx((-1 * 3 - 0.5 * 2) / 4 * 0.5, rel=1e-3)


@every_row("kind", [THRUSTER, FORCE])
def test_a_force_acts_from_its_start_until_its_end(bench, solver, kind):
    b = bench(solver=solver, dt=1 / 64)
    body = b.body()
    b.force(kind, body, x=4, start=0.5, until=1.25)
    speed = b.watch(2, lambda: b.world.vx[body])
    assert speed[32] == 0
    assert speed[-1] == pytest.approx(4 * 0.75, rel=1e-4)
    assert speed[80] == speed[-1]


def test_an_impulse_acts_once_at_its_time(bench, solver):
    b = bench(solver=solver, dt=1 / 64)
    body = b.body(mass=2, inertia=0.5)
    b.force(IMPULSE, body, at_x=0.25, at_y=0, y=3, torque=1, start=0.5)
    speed = b.watch(2, lambda: b.world.vy[body])
    assert speed[32] == 0
    assert speed[33] == pytest.approx(1.5, rel=1e-4)
    assert speed[-1] == speed[33]
    assert b.world.omega[body] == pytest.approx((0.25 * 3 + 1) / 0.5, rel=1e-3)


def test_a_force_is_switched_and_set_while_the_world_runs(bench, solver):
    b = bench(solver=solver)
    body = b.body()
    force = b.force(FORCE, body, x=3)
    b.run(1)
    b.world.set_force(force, 3, 0, 0, False)
    b.run(1)
    assert b.world.vx[body] == pytest.approx(3, rel=1e-4)
    b.world.set_force(force, -1, 2, 0.5, True)
    b.run(1)
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx((2, 2), rel=1e-3)
    assert b.world.omega[body] == pytest.approx(0.5, rel=1e-3)


def test_a_force_on_a_static_body_does_nothing(bench, solver):
    b = bench(solver=solver)
    for kind in (0, 1):
        b.force(FORCE, b.body(kind=kind), x=1e9, torque=1e9)
    b.run(1)
    assert not b.world.x.any()
    assert not b.world.angle.any()


def test_a_thruster_as_strong_as_the_weight_lets_a_body_hover(bench, solver):
    b = bench(solver=solver, gravity=(0, -G))
    body = b.body(0, 5, mass=3)
    b.force(THRUSTER, body, y=3 * G)
    b.run(3)
    assert b.world.y[body] == pytest.approx(5, abs=1e-3)


def test_a_sleeping_body_is_woken_by_its_force(bench, solver):
    b = bench(solver=solver, sleep=True)
    body = b.body()
    b.force(FORCE, body, x=1, start=3)
    b.run(2.9)
    assert not b.world.awake[body]
    b.run(1.1)
    assert b.world.vx[body] == pytest.approx(1, rel=0.02)


@pytest.mark.parametrize("column", ["x", "torque", "at_x"])
def test_a_force_that_is_infinite_is_refused(bench, column):
    b = bench()
    with pytest.raises(ValueError, match=column):
        b.force(FORCE, b.body(), **{"at_x": 0.0, "at_y": 0.0, column: math.inf})


@every_row("speed", [5.0, -20.0])
def test_a_rotary_motor_reaches_its_speed(bench, solver, speed):
    b = bench(solver=solver)
    body = b.body(inertia=0.5)
    joint = b.joint("rotary_motor", 0, body, motor_kind=1, motor_target=speed, motor_max=40)
    b.run(1)
    assert b.world.omega[body] == pytest.approx(speed, rel=1e-3)
    assert b.state(joint)["speed"] == pytest.approx(speed, rel=1e-3)


@every_row("load", [0.9, 1.2])
def test_a_rotary_motor_holds_a_load_up_to_its_torque_and_no_further(bench, solver, load):
    b = bench(solver=solver)
    body = b.body(inertia=0.5)
    joint = b.joint("rotary_motor", 0, body, motor_kind=1, motor_max=10)
    b.force(FORCE, body, torque=-10 * load)
    b.run(1)
    left = max(0, load - 1) * 10 / 0.5
    assert b.world.omega[body] == pytest.approx(-left, rel=0.005, abs=1e-3)
    assert b.state(joint)["motor_force"] == pytest.approx(10 * min(1, load), rel=0.005)


def test_a_rotary_motor_does_not_move_its_body(bench, solver):
    b = bench(solver=solver)
    body = b.body(center_x=0.5, vx=1)
    b.joint("rotary_motor", 0, body, motor_kind=1, motor_target=9, motor_max=1e9)
    b.run(1)
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx((1, 0), abs=1e-5)


def tyre(make, solver, force=2.0, **values):
    """A wheel of mass 2 seen from above that rolls along its y and is braked along its x."""
    b = make(solver=solver)
    body = b.body(mass=2, **values)
    return b, body, b.joint("axial_friction", 0, body, axis_x=1, axis_y=0, motor_max=force)


def test_a_tyre_pushed_sideways_is_braked(bench, solver):
    b, body, joint = tyre(bench, solver, vx=3)
    b.run(1)
    assert b.world.vx[body] == pytest.approx(2, rel=1e-3)
    assert b.world.x[body] == pytest.approx(2.5, rel=0.01)
    assert b.state(joint)["force_x"] == pytest.approx(-2, rel=1e-3)
    b.run(3)
    assert b.world.vx[body] == pytest.approx(0, abs=1e-5)
    assert b.world.x[body] == pytest.approx(3**2 / 2, rel=0.01)


def test_a_tyre_rolls_freely_along(bench, solver):
    b, body, _ = tyre(bench, solver, vy=3)
    b.run(2)
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx((0, 3), abs=1e-6)


def test_a_tyre_brakes_along_its_own_axis_when_turned(bench, solver):
    turn = math.radians(30)
    b, body, _ = tyre(bench, solver, angle=turn, force=1e6, vx=4)
    b.run(1)
    along = -4 * math.sin(turn)  # what is left is the part along the turned y
    expected = (-along * math.sin(turn), along * math.cos(turn))
    assert (b.world.vx[body], b.world.vy[body]) == pytest.approx(expected, abs=1e-3)


@every_row("push", [1.8, 2.5])
def test_a_tyre_holds_a_push_up_to_its_force_and_no_further(bench, solver, push):
    b, body, _ = tyre(bench, solver)
    b.force(FORCE, body, x=push)
    b.run(1)
    assert b.world.vx[body] == pytest.approx(max(0, push - 2) / 2, rel=0.005, abs=1e-4)


def test_axial_friction_beside_the_centre_brakes_the_spin(bench, solver):
    b = bench(solver=solver)
    body = b.body(mass=1e6, inertia=0.5, omega=4)
    b.joint("axial_friction", 0, body, anchor_bx=1, axis_x=0, axis_y=1, motor_max=1)
    b.run(1)
    assert b.world.omega[body] == pytest.approx(4 - 1 / 0.5, rel=0.002)


def test_axial_friction_damps_a_pendulum(bench, solver):
    """Coulomb's friction F along the path takes 4 F l / (m g) from the swing in each period."""
    tops = {}
    for force in (0.0, 0.05):
        b = bench(solver=solver, gravity=(0, -G), dt=1 / 480)
        bob = b.body(math.sin(0.2), -math.cos(0.2), inertia=1e-3)
        b.joint("distance", 0, bob, length=1, min_length=1, max_length=1)
        b.joint("axial_friction", 0, bob, axis_x=1, axis_y=0, motor_max=force)
        b.world.set_velocity(bob, 0, 0, 0)
        angle = b.watch(4.2, lambda b=b, bob=bob: math.atan2(b.world.x[bob], -b.world.y[bob]))
        tops[force] = angle[round(3.2 * 480) :].max()
    assert tops[0.0] == pytest.approx(0.2, rel=0.01)
    assert tops[0.05] == pytest.approx(0.2 - 2 * 4 * 0.05 / G, rel=0.03)


@pytest.mark.parametrize("kind", ["rotary_motor", "axial_friction", "mouse"])
def test_what_acts_against_the_world_is_refused_between_two_bodies(bench, kind):
    b = bench()
    first, second = b.body(), b.body()
    with pytest.raises(ValueError, match="world"):
        b.joint(kind, first, second)


def test_forces_are_the_same_bits_on_any_lanes_and_threads(bench):
    def final(lanes: int, threads: int) -> int:
        b = bench(lanes=lanes, threads=threads, gravity=(0, -G))
        for i in range(40):
            body = b.body(i, 0, omega=0.1 * i, angle=0.3 * i)
            b.force(THRUSTER, body, at_x=0.1, at_y=0.2, x=1 + i, y=0.5)
            kind = ("rotary_motor", "axial_friction", "mouse", "prismatic", "wheel")[i % 5]
            b.joint(kind, 0, body, axis_x=0.6, axis_y=0.8, motor_max=5 + i, motor_kind=i % 2)
        b.run(1)
        assert b.finite()
        return b.world.state_hash()

    hashes = {final(n, threads) for n in _native.lanes_supported() for threads in (1, 3)}
    assert len(hashes) == 1
