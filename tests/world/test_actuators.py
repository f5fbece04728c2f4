# SPDX-License-Identifier: MIT
"""Actuators in a running world: what they do, when, and what may be set."""

from __future__ import annotations

import pytest
from rigid2d.core import UsageError, World, build, loads, simulate

from tests.rows import every_row

SOLVERS = ["soft_step", "sequential_impulse"]
BOX = "bodies: {box: {shape: {box: [2, 1]}, mass: 2}}\n"  # inertia 2 (4 + 1) / 12 = 5/6


def world(text: str, *, gravity: float = 0.0, solver: str = "soft_step") -> World:
    head = f"world: {{gravity: [0, {gravity}], dt: 0.01, sleep: true, solver: {{type: {solver}}}}}"
    return build(loads(f"rigid: 1\n{head}\n{text}"))


def test_a_thruster_turns_with_its_body() -> None:
    made = world(
        "bodies: {box: {shape: {box: [2, 1]}, mass: 2, angle: 90}}\n"
        "actuators: {jet: {type: thruster, body: box, force: [0, 4]}}"
    )
    made.step(100)
    assert made["box"].velocity == pytest.approx((-2, 0), abs=1e-4)


def test_a_thruster_beside_the_centre_turns_its_body() -> None:
    made = world(
        f"{BOX}actuators: {{jet: {{type: thruster, body: box, at: [1, 0], force: [0, 5]}}}}"
    )
    made.step(1)
    assert made["box"].angular_velocity == pytest.approx(0.06, rel=1e-3)


def test_a_force_keeps_its_direction_and_each_body_gets_all_of_it() -> None:
    made = world(
        "bodies: {box: {repeat: {i: 2}, shape: {box: [1, 1]}, mass: =1 + i, angle: 45, "
        "position: [=9*i, 0], tags: [t]}}\nactuators: {w: {type: force, tags: [t], force: [2, 0]}}"
    )
    made.step(100)
    assert made["box[0]"].velocity == pytest.approx((2, 0), abs=1e-4)
    assert made["box[1]"].velocity == pytest.approx((1, 0), abs=1e-4)


def test_a_torque_turns() -> None:
    made = world(f"{BOX}actuators: {{t: {{type: torque, body: box, torque: 5}}}}")
    made.step(100)
    assert made["box"].angular_velocity == pytest.approx(6, rel=1e-4)


def test_a_force_acts_from_its_start_until_its_end() -> None:
    made = world(
        f"{BOX}actuators: {{t: {{type: force, body: box, force: [2, 0], start: 0.2, until: 0.7}}}}"
    )
    made.step(20)
    assert made["box"].velocity == (0, 0)
    made.step(100)
    assert made["box"].velocity[0] == pytest.approx(0.5, rel=1e-4)


def test_an_impulse_acts_once_at_its_time() -> None:
    made = world(
        f"{BOX}actuators: {{t: {{type: impulse, body: box, impulse: [4, 0], start: 0.5}}}}"
    )
    made.step(50)
    assert made["box"].velocity == (0, 0)
    made.step(50)
    assert made["box"].velocity[0] == pytest.approx(2, rel=1e-5)


def test_an_impulse_is_what_it_was_set_to_before_its_time() -> None:
    made = world(
        f"{BOX}actuators: {{t: {{type: impulse, body: box, impulse: [4, 0], start: 0.5}}}}"
    )
    made.set("t.impulse", (0, 6))
    made.set("t.angular_impulse", -5)
    made.step(100)
    assert made["box"].velocity == pytest.approx((0, 3), rel=1e-5)
    assert made["box"].angular_velocity == pytest.approx(-6, rel=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_rotary_motor_reaches_its_speed_with_its_torque(solver: str) -> None:
    made = world(
        f"{BOX}actuators: {{m: {{type: rotary_motor, body: box, speed: 180, max_torque: 1}}}}",
        solver=solver,
    )
    made.step(100)
    assert made["box"].angular_velocity == pytest.approx(1.2, rel=1e-3)  # torque / inertia for 1 s
    made.step(300)
    assert made["box"].angular_velocity == pytest.approx(3.1416, rel=1e-3)


def test_a_rotary_motor_with_a_torque_goes_on_and_on() -> None:
    made = world(f"{BOX}actuators: {{m: {{type: rotary_motor, body: box, torque: 5}}}}")
    made.step(200)
    assert made["box"].angular_velocity == pytest.approx(12, rel=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_tyre_brakes_across_and_rolls_freely_along(solver: str) -> None:
    made = world(
        "bodies: {car: {shape: {box: [2, 1]}, mass: 3, velocity: [4, 3]}}\n"
        "actuators: {t: {type: axial_friction, body: car, direction: [0, 1], friction: 0.2}}",
        solver=solver,
    )
    made.step(100)
    # 0.2 times 9.81 m/s^2, since the scene has no gravity of its own.
    assert made["car"].velocity == pytest.approx((4, 3 - 1.962), rel=1e-3)
    made.step(200)
    assert made["car"].velocity == pytest.approx((4, 0), abs=1e-3)


def test_a_motor_and_a_tyre_act_in_their_time_only() -> None:
    made = world(
        f"{BOX}actuators:\n"
        "  m: {type: rotary_motor, body: box, speed: 180, max_torque: 1, start: 0.25, until: 0.5}\n"
    )
    made.step(25)
    assert made["box"].angular_velocity == 0
    made.step(200)
    assert made["box"].angular_velocity == pytest.approx(0.3, rel=1e-3)


def test_whole_runs_and_single_steps_switch_alike() -> None:
    text = f"""rigid: 1
world: {{gravity: [0, 0], dt: 0.01, steps: 60}}
{BOX}actuators:
  m: {{type: rotary_motor, body: box, speed: 180, max_torque: 1, start: 0.105, until: 0.4}}
record: {{channels: [box.omega]}}
"""
    scene = loads(text)
    stepped = build(scene)
    for _ in range(60):
        stepped.step()
    assert simulate(scene).values[-1, 0] == stepped["box"].angular_velocity


def test_an_actuator_that_is_off_can_be_set_on_and_wakes_its_body() -> None:
    made = world(
        "bodies:\n  floor: {type: static, shape: {box: [9, 1]}, position: [0, -1]}\n"
        "  box: {shape: {box: [1, 1]}, mass: 1}\n"
        "actuators: {jet: {type: thruster, body: box, force: [0, 30], enabled: false}}",
        gravity=-10.0,
    )
    made.step(300)
    assert not made["box"].awake
    made.set("jet.enabled", True)
    made.step(50)
    assert made["box"].velocity[1] == pytest.approx(10, rel=1e-2)
    made.actuator("jet").enabled = False
    made.step(10)
    assert made["box"].velocity[1] == pytest.approx(9, rel=1e-2)


def test_what_an_actuator_does_can_be_set() -> None:
    made = world(
        f"{BOX}actuators:\n  f: {{type: force, body: box, force: [0, 0]}}\n"
        "  m: {type: rotary_motor, body: box, speed: 90, max_torque: 1}\n"
    )
    made.set("f.force", (0, 4))
    made.set("m.speed", -1.0)
    made.set("m.max_torque", 100)
    made.step(100)
    assert made["box"].velocity[1] == pytest.approx(2, rel=1e-4)
    assert made["box"].angular_velocity == pytest.approx(-1, rel=1e-3)
    assert made.actuator("m").now.speed == -1
    assert made.actuator("m").definition.speed == pytest.approx(1.5708, rel=1e-4)


def test_an_actuator_of_a_removed_body_rests() -> None:
    made = world(f"{BOX}actuators: {{m: {{type: rotary_motor, body: box, speed: 90, until: 0.5}}}}")
    made.remove("box")
    made.set("m.speed", 3.0)
    made.step(100)
    assert made.step_count == 100


@every_row("solver", [*SOLVERS, "pgs_matrix", "verlet", "constraint_correction"])
def test_an_actuator_that_is_removed_pushes_no_more(solver: str) -> None:
    made = world(f"{BOX}actuators: {{f: {{type: force, body: box, force: [4, 0]}}}}", solver=solver)
    made.step(5)
    assert made.remove("f") == ["f"]
    before = made["box"].velocity[0]
    made.step(5)
    assert made["box"].velocity[0] == pytest.approx(before, rel=1e-6)
    assert before > 0.05


@every_row(
    ("path", "value", "words"),
    [
        ("jet.enabled", 1, "True or False"),
        ("jet.enabld", True, "did you mean 'enabled'"),
        ("jet.force", 3, "two numbers"),
        ("jet", True, "and a setting"),
        ("jett.enabled", True, "did you mean 'jet'"),
        ("actuators.jet.enabled", True, "write 'jet.enabled'"),
        ("box.mass", 3, "known: position"),
        ("m.max_torque", -3, "must not be negative"),
        ("m.torque", 3, "goes by speed"),
        ("pin.limits", (1, 2), "has no limits"),
        ("pin.target", (1, 2), "is no mouse"),
        ("pin.motor.speed", 3, "has no motor"),
        ("pin.motr.speed", 3, "no setting of the joint pin"),
    ],
)
def test_what_cannot_be_set_is_explained(path: str, value: object, words: str) -> None:
    made = world(
        f"{BOX}joints: {{pin: {{type: revolute, bodies: [world, box]}}}}\n"
        "actuators:\n  jet: {type: thruster, body: box, force: [0, 4]}\n"
        "  m: {type: rotary_motor, body: box, speed: 90}\n"
    )
    with pytest.raises(UsageError, match=words):
        made.set(path, value)


def test_joints_and_bodies_can_be_set_by_their_paths() -> None:
    made = world(
        f"{BOX}joints:\n"
        "  pin: {type: revolute, bodies: [world, box], limits: [-9, 9], motor: {speed: 90}}\n"
    )
    made.set("pin.limits", (-0.5, 0.5))
    made.set("pin.motor.enabled", False)
    made.set("box.angular_velocity", -2.0)
    made.step(10)
    assert made["box"].angular_velocity == pytest.approx(-2, rel=1e-3)
    made.set("pin.motor.enabled", True)
    made.step(100)
    assert made.joint("pin").angle == pytest.approx(0.5, abs=1e-2)


def test_the_target_of_a_mouse_moves() -> None:
    made = world(f"{BOX}joints: {{m: {{type: mouse, body: box}}}}")
    made.set("m.target", (1.0, 2.0))
    made.step(400)
    assert made["box"].position == pytest.approx((1, 2), abs=1e-2)
