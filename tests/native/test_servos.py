# SPDX-License-Identifier: MIT
"""Springs and position motors that carry arms: each yields by its moment over its stiffness."""

from __future__ import annotations

import pytest

from tests.rows import every_row

G = 9.81


@pytest.fixture(
    params=[("soft_step", "auto"), ("soft_step", "iterative"), ("sequential_impulse", "auto")]
)
def solvers(request):
    return dict(zip(("solver", "joint_solver"), request.param, strict=True))


def arms(b, count, kind, stiffness, damping):
    """Arms of 1 m and 10 kg in a row, the first on the world, each held at its hinge."""
    names = {"spring": "spring", "motor": "motor_spring"}[kind]
    given = {f"{names}_kind": 2, f"{names}_1": stiffness, f"{names}_2": damping}
    if kind == "motor":
        given |= {"motor_kind": 2, "motor_max": 1e6}
    above, joints = 0, []
    for i in range(count):
        body = b.body(i + 0.5, 0, mass=10, inertia=10 / 12)
        joints.append(b.joint("revolute", above, body, (i, 0), **given))
        above = body
    return joints


@every_row(("stiffness", "damping"), [(2000, 200), (60000, 600), (60000, 6000)])
@every_row("kind", ["spring", "motor"])
def test_an_arm_sinks_by_its_moment_over_the_stiffness(bench, solvers, kind, stiffness, damping):
    b = bench(gravity=(0, -G), **solvers)
    (joint,) = arms(b, 1, kind, stiffness, damping)
    b.run(10)
    assert b.state(joint)["angle"] == pytest.approx(-10 * G / 2 / stiffness, rel=2e-3)
    assert abs(b.state(joint)["torque"]) == pytest.approx(10 * G / 2, rel=2e-3)


@every_row("kind", ["spring", "motor"])
def test_a_row_of_arms_sinks_at_each_hinge_by_what_hangs_on_it(bench, solvers, kind):
    b = bench(gravity=(0, -G), **solvers)
    joints = arms(b, 3, kind, 60000, 6000)
    b.run(15)
    for i, joint in enumerate(joints):
        moment = 10 * G * (3 - i) ** 2 / 2
        assert b.state(joint)["angle"] == pytest.approx(-moment / 60000, rel=5e-3)


@every_row("load", [0, 0.4, -0.4, 0.8, -0.8])
@every_row("kind", ["prismatic", "revolute", "distance"])
def test_a_motor_goes_to_its_position_and_stays(bench, solvers, kind, load):
    """25 N (or Nm) on 2 kg (or kg m^2), against a share of it: the motor brakes in time where it
    can, and swings past once where the load leaves it too little. Were it to push with all it has
    until it is there, it would swing for ever."""
    b = bench(**solvers)
    given = {"motor_kind": 2, "motor_target": 1.2, "motor_max": 25}
    if kind == "distance":  # from 1 m to 2.2 m
        body = b.body(1, 0, mass=2)
        joint = b.joint(kind, 0, body, **given | {"motor_target": 2.2})
    else:
        body = b.body(0, 0, mass=2, inertia=2)
        joint = b.joint(kind, 0, body, (0, 0), **given)
    turns = kind == "revolute"
    b.force(1, body, **{"torque" if turns else "x": 25 * load})
    name = {"prismatic": "translation", "revolute": "angle", "distance": "length"}[kind]
    start = b.state(joint)[name]
    seen = b.watch(7, lambda: b.state(joint)[name] - start)
    assert seen.max() < (3 if load > 0.5 else 1.21)
    assert seen[-60:] == pytest.approx(1.2, abs=2e-3)
    assert b.state(joint)["motor_force"] == pytest.approx(-25 * load, abs=0.1)


@every_row("unit", [1.0, 0.01, 100.0])
def test_a_rotary_motor_turns_to_its_position_as_fast_in_any_unit_of_length(bench, solvers, unit):
    """3 rad/s, whatever a metre is."""
    b = bench(length_unit=unit, **solvers)
    body = b.body()
    b.joint("rotary_motor", 0, body, motor_kind=2, motor_target=1.5)
    seen = b.watch(1, lambda: b.world.omega[body])
    assert seen[5:25] == pytest.approx(3.0, rel=2e-3)
    assert b.world.angle[body] == pytest.approx(1.5, abs=1e-3)
