# SPDX-License-Identifier: MIT
"""Joints, springs and motors with the textbook solvers: document 000, parts 4 to 6."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import build, loads
from rigid2d.core.scene.model import Spring
from rigid2d.core.solvers import Joint
from rigid2d.core.solvers.joints import joint_rows
from rigid2d.core.solvers.system import Settings

from tests.search import tries
from tests.solvers.hand_made import bodies

KINDS = ["pgs_matrix", "textbook_impulse", "constraint_correction", "pgs_jrow"]
each_kind = pytest.mark.parametrize("kind", KINDS[: tries(3, 4)])

SCENE = """
rigid: 1
name: jointed
world: {{dt: {dt}, steps: 120, gravity: {gravity}, solver: {{type: {kind}}}}}
bodies:
  bob: {{shape: {{box: [2, 2]}}, mass: 1, position: [1, 0]{body}}}
  other: {{shape: {{box: [1, 1]}}, mass: 3, position: [5, 1]}}
{rest}
"""


def world_with(rest, kind="pgs_matrix", dt=1 / 60, gravity=(0, -9.81), body=""):
    values = {"rest": rest, "kind": kind, "dt": dt, "gravity": [*gravity], "body": body}
    return build(loads(SCENE.format(**values)))


def joint(text, **given):
    return world_with(f"joints: {{held: {{{text}}}}}", **given)


@each_kind
def test_a_prismatic_joint_lets_a_body_slide_along_its_axis_alone(kind):
    """Document 000, part 5, PointToLine and FixAngular: g / sqrt 2 along a slope of 45 degrees."""
    world = joint("type: prismatic, bodies: [world, bob], axis: [1, -1]", kind=kind)
    world.step(60)
    fallen = 9.81 / math.sqrt(2) * (1 + 1 / 60) / 2
    assert world.joint("held").translation == pytest.approx(fallen, rel=1e-5)
    x, y = world["bob"].position
    assert (x - 1 + y, world["bob"].angle) == pytest.approx((0, 0), abs=1e-5)


def test_a_prismatic_joint_that_is_reached_far_out_turns_neither_body():
    """Document 000, part 5: the lever of the first body goes to the second one's anchor."""
    two = "type: prismatic, bodies: [other, bob], axis: [1, 0]"
    world = joint(two, gravity=(0, 0))
    world["bob"].apply_impulse((0, 2))
    world.step(1)
    turn = world["bob"].angular_velocity
    assert turn == pytest.approx(world["other"].angular_velocity, rel=1e-5)
    # Together they keep both momenta.
    (_, bob), (_, other) = world["bob"].velocity, world["other"].velocity
    assert bob + 3 * other == pytest.approx(2, rel=1e-5)
    inertia = 4 / 6 + 3 / 6
    assert 1 * 1 * bob + 5 * 3 * other + inertia * turn == pytest.approx(2, rel=1e-4)


@pytest.mark.parametrize(("x", "limit", "back"), [(110.0, "most", -10.0), (-30.0, "least", 30.0)])
def test_what_is_beyond_a_limit_is_taken_back_at_the_full_rate(x, limit, back):
    """Document 000, part 5, MinMaxTranslation: between 0 and 100 along the axis, 10 px beyond."""
    placed = bodies([[0, 0, 0]] * 2, [np.inf, 1], inertias=[np.inf, 1], places=[[0] * 3, [x, 0, 0]])
    held = Joint("held", "prismatic", 0, 1, (0, 0), (0, 0), 0.0, 100.0)
    rows = {row.name: row for row in joint_rows(placed, held, Settings(1.0, correction_rate=1.0))}
    row = rows[f"held.{limit}"]
    assert row.bias == pytest.approx(back)
    assert (row.low, row.high) == ((-math.inf, 0) if limit == "most" else (0, math.inf))


@each_kind
def test_a_weld_keeps_the_angle_between_two_bodies(kind):
    """Document 000, part 5, FixAngular: one turns by 20 degrees, and the other one with it."""
    scene = (
        "joints: {held: {type: weld, bodies: [bob, other]}, "
        "pin: {type: revolute, bodies: [world, bob], anchor: [1, 0], motor: {speed: 20}}}"
    )
    world = world_with(scene, kind=f"{kind}, iterations: 80", gravity=(0, 0))
    world.step(60)
    assert math.degrees(world["bob"].angle) == pytest.approx(20, abs=0.2)
    assert math.degrees(world["other"].angle) == pytest.approx(20, abs=0.2)


@each_kind
def test_a_revolute_joint_stops_at_its_limits(kind):
    """Document 000, part 5, MinMaxAngular: a range of 70 degrees."""
    world = joint(
        "type: revolute, bodies: [world, bob], anchor: [0, 0], limits: [-45, 25]", kind=kind
    )
    world.step(240)
    assert math.degrees(world.joint("held").angle) == pytest.approx(-45, abs=0.1)
    # What holds it there is the torque of its weight about the pin.
    torque = 9.81 * math.cos(math.radians(45))
    assert world.joint("held").torque == pytest.approx(torque, rel=1e-3)


@each_kind
def test_equal_limits_hold_a_joint_where_they_are(kind):
    world = joint("type: revolute, bodies: [world, bob], anchor: [0, 0], limits: [0, 0]", kind=kind)
    world.step(120)
    assert world["bob"].position == pytest.approx((1, 0), abs=0.02)


@each_kind
def test_a_motor_speeds_a_body_up_by_its_torque_and_no_more_than_to_its_speed(kind):
    """Document 000, part 5, AngularMotor: the largest impulse is dt times the torque."""
    motor = "type: revolute, bodies: [world, bob], motor: {speed: 100, max_torque: 0.5}"
    world = joint(motor, kind=kind, gravity=(0, 0))
    world.step(30)
    inertia = 4 / 6
    assert world["bob"].angular_velocity == pytest.approx(0.5 / inertia * 0.5, rel=1e-4)
    assert world.joint("held").motor_force == pytest.approx(0.5, rel=1e-5)
    world.step(300)
    assert world["bob"].angular_velocity == pytest.approx(math.radians(100), rel=1e-4)


@each_kind
def test_a_motor_goes_to_its_position(kind):
    """Document 000, part 5, TranslationMotor: GoToReferencePosition."""
    motor = "type: prismatic, bodies: [world, bob], axis: [0, 1], motor: {position: 2}"
    world = joint(motor, kind=kind)
    world.step(120)
    assert world.joint("held").translation == pytest.approx(2, abs=1e-3)


@each_kind
def test_a_wheels_suspension_sinks_by_weight_over_stiffness(kind):
    """Document 000, part 5, the wheel joint; part 4: extension = m g / k at any step."""
    world = joint(
        "type: wheel, bodies: [world, bob], axis: [0, 1], spring: {stiffness: 100, damping: 20}",
        kind=kind,
    )
    world.step(240)
    assert world.joint("held").translation == pytest.approx(-0.0981, abs=1e-4)
    assert world["bob"].position[0] == pytest.approx(1, abs=1e-5)


@each_kind
def test_a_wheels_suspension_never_pushes_harder_than_its_largest_force(kind):
    world = joint(
        "type: wheel, bodies: [world, bob], axis: [0, 1], max_force: 4, spring: {stiffness: 100}",
        kind=kind,
    )
    world.step(60)
    assert world["bob"].velocity[1] < -(9.81 - 4) * 0.9


@each_kind
def test_a_soft_weld_sags_by_weight_over_stiffness(kind):
    """Document 000, part 5, 5.6."""
    world = joint(
        "type: weld, bodies: [world, bob], spring: {stiffness: 200, damping: 30}", kind=kind
    )
    world.step(240)
    assert world["bob"].position == pytest.approx((1, -9.81 / 200), abs=1e-4)


@each_kind
@pytest.mark.parametrize(
    "text",
    [
        "type: revolute, bodies: [world, bob], anchor: [-1, 0]",
        "type: distance, bodies: [world, bob], anchors: [[-2, 0], [0, 0.7]], length: 2",
        "type: wheel, bodies: [other, bob], axis: [0, 1]",
    ],
)
def test_a_frequency_speaks_of_what_the_spring_swings(kind, text):
    """As with the engine's own solvers, also where anchors lie off the centres."""
    spring = f"{text}, spring: {{frequency: 2, damping_ratio: 0}}"
    moves = ", velocity: [0.3, 0.4], angular_velocity: 30"
    ends = []
    for solver in (kind, "soft_step"):
        world = joint(spring, kind=solver, dt=1 / 960, gravity=(0, 0), body=moves)
        world.step(180)
        ends.append((*world["bob"].position, world["bob"].angle))
    assert ends[0] == pytest.approx(ends[1], abs=0.01)


def test_a_rod_without_length_is_a_pin():
    pin = "type: distance, bodies: [world, bob], anchors: [[0, 0], [-1, 0]], length: 0"
    world = joint(pin)
    world.step(60)
    assert world.joint("held").length < 0.02


@each_kind
def test_a_spring_presses_against_the_stop_that_lies_before_its_rest(kind):
    world = joint(
        "type: distance, bodies: [world, bob], anchors: [[0, 0], [0, 0]], length: 3, "
        "max_length: 1, spring: {stiffness: 10}",
        kind=kind,
        gravity=(0, 0),
    )
    world.step(60)
    assert world.joint("held").length == pytest.approx(1, abs=1e-3)
    assert world.joint("held").force == pytest.approx((0, 0), abs=1e-2)


@each_kind
def test_a_joint_breaks_when_it_bears_more_than_it_can(kind):
    """Document 000, parts 7 to 11: the largest force of a joint."""
    world = joint(
        "type: distance, bodies: [world, bob], anchors: [[1, 3], [0, 0]], break: {pull: 9}",
        kind=kind,
    )
    world.step(1)
    assert world.joint("held").broken
    assert [str(event) for event in world.events.take()] == ["joint_broken held"]
    world.step(59)
    assert world["bob"].velocity[1] == pytest.approx(-9.81 * 59 / 60, rel=1e-5)


@each_kind
def test_a_joint_that_bears_its_load_does_not_break(kind):
    text = "type: distance, bodies: [world, bob], anchors: [[1, 3], [0, 0]], break: "
    for limit in ("{pull: 9.9}", "{push: 1}", "{force: 9.9}"):
        world = joint(text + limit, kind=kind)
        world.step(60)
        assert not world.joint("held").broken


@each_kind
def test_a_rotary_motor_turns_a_body_and_never_brakes_it_when_told_so(kind):
    motor = (
        "actuators: {m: {type: rotary_motor, body: bob, speed: 50, max_torque: 1, brake: false}}"
    )
    for spin, torque in ((0, 1), (90, 0)):
        world = world_with(motor, kind=kind, gravity=(0, 0), body=f", angular_velocity: {spin}")
        before = world["bob"].angular_velocity
        world.step(6)
        gained = world["bob"].angular_velocity - before
        assert gained == pytest.approx(torque * 0.1 / (4 / 6), abs=1e-5)


@each_kind
def test_axial_friction_brakes_along_its_direction_alone(kind):
    """Document 000, part 6: a wheel seen from above."""
    tyre = "actuators: {grip: {type: axial_friction, body: bob, direction: [1, 0], max_force: 2}}"
    moving = ", velocity: [3, 4]"
    world = world_with(tyre, kind=kind, gravity=(0, 0), body=moving)
    world.step(60)
    assert world["bob"].velocity == pytest.approx((1, 4), abs=1e-4)
    world.step(60)
    assert world["bob"].velocity == pytest.approx((0, 4), abs=1e-4)


@each_kind
def test_what_is_set_while_it_runs_counts_is_saved_and_goes_with_a_fork(kind):
    rest = (
        "joints: {hinge: {type: revolute, bodies: [world, bob], motor: {speed: 0}}, "
        "spring: {type: distance, bodies: [world, other], anchors: [[5, 3], [0, 0]], "
        "spring: {stiffness: 1}}}\n"
        "actuators: {grip: {type: axial_friction, body: bob, direction: [1, 0], max_force: 2}}"
    )
    world = world_with(rest, kind=kind, gravity=(0, 0))
    world.joint("hinge").set_motor(speed=2)
    world.joint("spring").set_spring(Spring(stiffness=300.0))
    world.actuator("grip").set("max_force", 7)
    world["other"].position = (5, 0)
    world.step(3)
    assert world["bob"].angular_velocity == pytest.approx(2, rel=1e-5)
    state, fork = world.save(), world.fork()
    other = world_with(rest, kind=kind, gravity=(0, 0))
    other.restore(state)
    for each in (world, fork, other):
        each.step(20)
    assert world.save() == fork.save() == other.save()
    assert abs(world["other"].velocity[1]) > 1


def test_joints_keep_their_impulses_when_another_one_goes():
    rest = (
        "joints: {first: {type: weld, bodies: [world, bob]}, "
        "second: {type: weld, bodies: [world, other]}}"
    )
    world = world_with(rest, kind="pgs_jrow, iterations: 1")
    world.step(60)
    there = world["other"].position
    world.joint("first").remove()
    world.step(1)
    assert world["other"].position == pytest.approx(there, abs=1e-6)


def test_a_state_of_another_version_is_refused():
    world = world_with("")
    with pytest.raises(ValueError, match="another version of rigid"):
        world.native.restore(b'{"step": 3}' + b"\n" + world.native.save().partition(b"\n")[2])


SLIDE = "type: prismatic, bodies: [world, bob], axis: [0, 1], "


@each_kind
@pytest.mark.parametrize(
    "spring", ["stiffness: 100, damping: 20", "frequency: 1.5915494309189535, damping_ratio: 1"]
)
def test_a_motor_with_a_spring_gives_way_by_the_load_over_its_stiffness(kind, spring):
    """Document 000, part 5, TranslationMotor (Soft): k = m (2 pi f)^2 = 100 for 1 kg."""
    world = joint(f"{SLIDE}motor: {{position: 0.5, spring: {{{spring}}}}}", kind=kind)
    world.step(90)
    assert world.joint("held").translation == pytest.approx(0.5 - 9.81 / 100, abs=1e-4)
    assert world.joint("held").motor_force == pytest.approx(9.81, rel=1e-3)


@each_kind
def test_a_motor_with_a_spring_and_a_largest_force_gives_no_more(kind):
    """Document 000, part 5, TranslationMotor: its impulse is at most dt times MaxMotorForce."""
    motor = "motor: {position: 0, max_force: 5, spring: {stiffness: 1000, damping: 1}}"
    world = joint(SLIDE + motor, kind=kind)
    world.step(30)
    assert world["bob"].velocity[1] == pytest.approx(-(9.81 - 5) / 2, rel=0.02)


@each_kind
@pytest.mark.parametrize("sign", [1, -1])
def test_a_soft_limit_gives_way_by_the_load_over_its_stiffness(kind, sign):
    """Document 000, 4.7: all constraints can be soft. One way a limit pushes, and not the other."""
    ends = "lower: -0.2, upper: 3" if sign > 0 else "lower: -3, upper: 0.2"
    limits = f"limits: {{{ends}, spring: {{stiffness: 100, damping: 20}}}}"
    world = joint(SLIDE + limits, kind=kind, gravity=(0, -9.81 * sign))
    world.step(6)
    assert world["bob"].velocity[1] == pytest.approx(-sign * 9.81 / 10, rel=1e-5)  # it falls freely
    world.step(90)
    rest = -sign * (0.2 + 9.81 / 100)
    assert world.joint("held").translation == pytest.approx(rest, abs=1e-4)


@each_kind
@pytest.mark.parametrize("speed", [1, -1])
def test_a_motor_that_stops_at_limits_presses_on_none(kind, speed):
    motor = f"limits: [-0.5, 0.5], motor: {{speed: {speed}, max_force: 50, stop_at_limits: true}}"
    world = joint(SLIDE + motor, kind=kind, gravity=(0, 0))
    world.step(36)
    assert world.joint("held").translation == pytest.approx(speed * 0.5, abs=1e-5)
    assert world.joint("held").motor_force == pytest.approx(0, abs=1e-4)
    assert world.joint("held").force == pytest.approx((0, 0), abs=1e-4)


@each_kind
def test_a_motor_that_stopped_at_a_limit_holds_there_with_what_it_has(kind):
    motor = "limits: [-0.5, 0.5], motor: {speed: 1, max_force: 50, stop_at_limits: true}"
    world = joint(SLIDE + motor, kind=kind)
    world.step(36)
    assert world.joint("held").translation == pytest.approx(0.5, abs=1e-5)
    assert world.joint("held").motor_force == pytest.approx(9.81, rel=1e-4)


def test_soft_motors_and_limits_are_saved_with_a_world():
    limits = "limits: {lower: -0.2, upper: 3, spring: {stiffness: 100, damping: 2}}, "
    motor = "motor: {position: 0.5, spring: {stiffness: 30, damping: 1}}"
    world = joint(SLIDE + limits + motor)
    world.step(10)
    again = joint(SLIDE + limits + motor)
    again.restore(world.save())
    fork = world.fork()
    for each in (world, again, fork):
        each.step(20)
    assert world.state_hash() == again.state_hash() == fork.state_hash()
