# SPDX-License-Identifier: MIT
"""Slides, wheels and mice: what they hold, what they leave free, and their motors."""

from __future__ import annotations

import pytest
from rigid2d.core import World, build, loads

from tests.rows import every_row

SOLVERS = ["soft_step", "sequential_impulse"]


def world(text: str, solver: str = "soft_step", gravity: float = -10.0) -> World:
    head = f"rigid: 1\nworld: {{gravity: [0, {gravity}], sleep: false, solver: {{type: {solver}}}}}"
    return build(loads(f"{head}\n{text}"))


BOX = "bodies: {box: {shape: {box: [1, 1]}, mass: 2, position: [0, 0]}}\n"


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_slide_leaves_its_axis_free_and_nothing_else(solver: str) -> None:
    made = world(
        f"{BOX}joints: {{j: {{type: prismatic, bodies: [world, box], axis: [3, -4]}}}}", solver
    )
    made.step(60)
    box = made["box"]
    # Down a slope of 4/3 with g 10: 8 m/s^2 along it.
    assert made.joint("j").translation == pytest.approx(4.0, rel=0.03)
    assert made.joint("j").speed == pytest.approx(8.0, rel=0.01)
    assert box.x * 4 == pytest.approx(-box.y * 3, abs=5e-3)
    assert box.angle == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_slide_stops_at_its_limits(solver: str) -> None:
    made = world(
        f"{BOX}joints: {{j: {{type: prismatic, bodies: [world, box], axis: [0, 1], "
        "limits: [-1.5, 2]}}",
        solver,
    )
    made.step(240)
    assert made["box"].y == pytest.approx(-1.5, abs=5e-3)
    assert made.joint("j").force[1] == pytest.approx(20, rel=1e-2)


def test_a_soft_limit_gives_by_its_stiffness() -> None:
    made = world(
        f"{BOX}joints: {{j: {{type: prismatic, bodies: [world, box], axis: [0, 1], "
        "limits: {lower: -1, upper: 2, spring: {stiffness: 200, damping: 40}}}}"
    )
    made.step(600)
    assert made["box"].y == pytest.approx(-1.1, abs=2e-3)  # m g / k = 0.1 beyond the limit


def test_a_spring_along_a_slide_sags_by_its_load() -> None:
    made = world(
        f"{BOX}joints: {{j: {{type: prismatic, bodies: [world, box], axis: [0, 1], "
        "spring: {stiffness: 100, damping: 20}}}"
    )
    made.step(600)
    assert made["box"].y == pytest.approx(-0.2, abs=2e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_motor_of_a_slide_lifts_up_to_its_force_and_no_further(solver: str) -> None:
    for force, speed in ((25.0, 0.5), (15.0, None)):
        made = world(
            f"{BOX}joints: {{j: {{type: prismatic, bodies: [world, box], axis: [0, 1], "
            f"motor: {{speed: 0.5, max_force: {force}}}}}}}",
            solver,
        )
        made.step(60)
        if speed is None:
            assert made.joint("j").speed == pytest.approx(-2.5, rel=2e-2)  # (15 - 20) / 2 for 1 s
        else:
            assert made.joint("j").speed == pytest.approx(speed, rel=1e-2)
            assert made.joint("j").motor_force == pytest.approx(20, rel=2e-2)


def test_a_slide_goes_to_a_position_relative_to_its_limits() -> None:
    made = world(
        f"{BOX}joints: {{j: {{type: prismatic, bodies: [world, box], axis: [1, 0], "
        "limits: [-1, 3], motor: {position: 0.75, relative: true, max_force: 100}}}"
    )
    made.step(300)
    assert made["box"].x == pytest.approx(2, abs=5e-3)


WHEEL = """
bodies:
  car: {type: static, shape: {box: [1, 0.2]}, position: [0, 1]}
  wheel: {shape: {circle: 0.5}, mass: 2, position: [0, 0]}
"""


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_motor_of_a_wheel_turns_it_at_its_speed(solver: str) -> None:
    made = world(
        f"{WHEEL}joints: {{j: {{type: wheel, bodies: [car, wheel], limits: [0, 0], "
        "motor: {speed: 360, max_torque: 9}}}",
        solver,
    )
    made.step(240)
    assert made["wheel"].angular_velocity == pytest.approx(6.283, rel=1e-2)
    assert made["wheel"].x == pytest.approx(0, abs=2e-3)


def test_a_suspension_sags_by_its_load_and_lets_the_wheel_turn() -> None:
    made = world(
        f"{WHEEL}joints: {{j: {{type: wheel, bodies: [car, wheel], "
        "spring: {stiffness: 100, damping: 20}}}"
    )
    made["wheel"].angular_velocity = 3
    made.step(600)
    assert made["wheel"].y == pytest.approx(-0.2, abs=2e-3)
    assert made["wheel"].angular_velocity == pytest.approx(3, rel=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_mouse_takes_a_point_of_its_body_to_the_target(solver: str) -> None:
    made = world(
        f"{BOX}joints: {{m: {{type: mouse, body: box, anchor: [0.5, 0], target: [3, 2]}}}}",
        solver,
        gravity=0.0,
    )
    made.step(600)
    assert made["box"].world_point((0.5, 0)) == pytest.approx((3, 2), abs=2e-2)


def test_a_mouse_pulls_no_harder_than_its_force() -> None:
    made = world(f"{BOX}joints: {{m: {{type: mouse, body: box, target: [0, 900], max_force: 30}}}}")
    made.step(60)
    assert made["box"].velocity[1] == pytest.approx(5, rel=1e-2)  # (30 - 20) / 2 for 1 s


def test_a_hinge_with_a_spring_turns_back_to_where_it_was() -> None:
    text = """
bodies: {arm: {shape: {box: [2, 0.2]}, mass: 1, angular_velocity: 200}}
joints: {j: {type: revolute, bodies: [world, arm], spring: {frequency: 1, damping_ratio: 0.7}}}
"""
    made = world(text)
    made.step(10)
    assert made.joint("j").angle > 0.2
    made.step(600)
    assert made.joint("j").angle == pytest.approx(0, abs=1e-3)


# ---------------------------------------------------------------- axial motors

ALL = [*SOLVERS, "pgs_matrix", "pgs_jrow", "constraint_correction"]


@pytest.mark.parametrize("solver", ALL)
def test_an_axial_motor_drives_along_its_axis_and_holds_nothing_else(solver: str) -> None:
    made = world(
        f"{BOX.replace('position', 'angular_velocity: 90, position')}joints: {{j: {{"
        "type: axial_motor, bodies: [world, box], axis: [3, 0], motor: {speed: 2, max_force: 8}}}",
        solver,
    )
    made.step(15)
    # 8 N on 2 kg are 4 m/s^2, for a quarter of a second.
    assert made["box"].velocity[0] == pytest.approx(1.0, rel=1e-3)
    made.step(45)
    box = made["box"]
    assert box.velocity[0] == pytest.approx(2.0, rel=1e-3)
    assert box.velocity[1] == pytest.approx(-10.0, rel=1e-3)  # it falls as it would
    assert box.angular_velocity == pytest.approx(1.5707963, rel=1e-3)
    assert made.joint("j").speed == pytest.approx(2.0, rel=1e-3)
    assert made.joint("j").translation == pytest.approx(box.x, abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("joints", ["direct", "iterative"])
def test_an_axial_motor_lifts_a_wheel_beside_its_joint(solver: str, joints: str) -> None:
    held = "bodies: [world, wheel], axis: [0, 1]"
    made = world(
        "bodies: {wheel: {shape: {circle: 0.5}, mass: 2}}\n"
        f"joints: {{axle: {{type: wheel, {held}, limits: [-1, 1], motor: {{speed: 90}}}}, "
        f"lift: {{type: axial_motor, {held}, motor: {{position: 0.6, max_force: 100}}}}}}",
        f"{solver}, joints: {joints}",
    )
    made.step(120)
    wheel = made["wheel"]
    assert (wheel.x, wheel.y) == (pytest.approx(0, abs=1e-4), pytest.approx(0.6, abs=2e-3))
    assert wheel.angular_velocity == pytest.approx(1.5707963, rel=1e-3)
    assert made.joint("lift").force[1] == pytest.approx(20, rel=1e-2)
    # Beyond the limits of the wheel it goes as far as they let it.
    made.set("lift.motor.position", 3.0)
    made.set("lift.motor.max_force", 500.0)
    made.step(240)
    assert wheel.y == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_axial_motor_between_free_bodies_keeps_their_momentum(solver: str) -> None:
    made = world(
        "bodies: {a: {shape: {box: [2, 1]}, mass: 3, angular_velocity: 40}, "
        "b: {shape: {circle: 0.3}, mass: 1, position: [2, 0.5], velocity: [0, 1]}}\n"
        "joints: {j: {type: axial_motor, bodies: [a, b], axis: [1, 0], anchor: [2, 0.5], "
        "motor: {speed: 1.5, max_force: 20}}}",
        solver,
        gravity=0,
    )

    def account() -> tuple[float, float, float]:
        spin = 0.0
        for name in "ab":
            body = made[name]
            spin += body.inertia * body.angular_velocity
            vx, vy = body.velocity
            spin += body.mass * (body.x * vy - body.y * vx)
        px, py = (sum(made[n].mass * made[n].velocity[k] for n in "ab") for k in (0, 1))
        return px, py, spin

    before = account()
    made.step(90)
    assert made.joint("j").speed == pytest.approx(1.5, abs=0.03)
    assert account() == pytest.approx(before, abs=2e-4)


# ---------------------------------------------------------------- ropes with a motor


@every_row("joints", ["direct", "iterative"])
@every_row("solver", ALL)
@every_row("motor", ["speed: -1", "position: 1, max_speed: 0.5"])
def test_a_driven_rope_only_pulls(solver: str, joints: str, motor: str) -> None:
    if solver not in SOLVERS and (joints == "iterative" or "position" in motor):
        pytest.skip("textbook solvers have no such choice")
    choice = f"{solver}, joints: {joints}" if solver in SOLVERS else solver
    made = world(
        "bodies: {ball: {shape: {circle: 0.2}, mass: 2, position: [0, -5], velocity: [0, 6]}}\n"
        "joints: {j: {type: distance, bodies: [world, ball], rope: true, max_length: 6, "
        f"motor: {{{motor}, max_force: 60}}}}}}",
        choice,
    )
    made.step(30)
    # Upwards it flies freely: 6 t - 5 t^2 after half a second.
    assert made["ball"].y == pytest.approx(-5 + 3 - 1.25, abs=0.06)
    assert made["ball"].velocity[1] == pytest.approx(1.0, abs=0.05)
    made.step(100)
    assert made.joint("j").force[1] >= -1e-3
    assert made["ball"].y > -4.0  # then it is wound up


def test_a_driven_rope_that_is_too_weak_slips() -> None:
    made = world(
        "bodies: {ball: {shape: {circle: 0.2}, mass: 2, position: [0, -1]}}\n"
        "joints: {j: {type: distance, bodies: [world, ball], rope: true, max_length: 3, "
        "motor: {speed: -1, max_force: 10}}}",
    )
    made.step(30)
    assert made["ball"].velocity[1] == pytest.approx(-2.5, rel=0.01)  # g less 10 N on 2 kg
    made.step(120)
    assert made["ball"].y == pytest.approx(-3, abs=0.01)  # and never longer
