# SPDX-License-Identifier: MIT
"""Worlds of Box2D, as b2dJson and R.U.B.E. write them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import import_data
from rigid2d.core.world import World

from tests.rows import every_row

CIRCLE = [{"density": 1, "friction": 0.2, "circle": {"center": 0, "radius": 0.5}}]
SQUARE = [{"density": 1, "polygon": {"vertices": {"x": [0, 1, 1, 0], "y": [0, 0, 1, 1]}}}]
GROUND = {"name": "ground", "type": 0}
BALL = {"name": "ball", "type": 2, "position": {"x": 2, "y": 3}, "fixture": CIRCLE}


def joint(kind, **fields):
    return {"type": kind, "name": "joint", "bodyA": 0, "bodyB": 1, **fields}


def only(section):
    (made,) = section.values()
    return made


def test_a_body_keeps_its_fields(box2d):
    fields = {
        "angle": 0.5,
        "linearVelocity": {"x": 1, "y": 2},
        "angularVelocity": 3,
        "linearDamping": 0.1,
        "angularDamping": 0.2,
        "gravityScale": 0.5,
        "bullet": True,
    }
    body = box2d([{**BALL, **fields}]).scene().bodies["ball"]
    assert (body.position, body.angle, body.velocity) == ((2.0, 3.0), 0.5, (1.0, 2.0))
    assert (body.angular_velocity, body.linear_damping, body.angular_damping) == (3.0, 0.1, 0.2)
    assert (body.gravity_scale, body.bullet) == (0.5, True)


@pytest.mark.parametrize(("index", "kind"), [(0, "static"), (1, "kinematic"), (2, "dynamic")])
def test_types_of_bodies_are_numbers(box2d, index, kind):
    assert only(box2d([{**BALL, "type": index}]).scene().bodies).kind == kind


def test_a_number_may_be_its_bits(box2d):
    body = {**BALL, "position": {"x": "3FC00000", "y": "C0000000"}}
    assert only(box2d([body]).scene().bodies).position == (1.5, -2.0)


def test_a_polygon_along_the_axes_is_a_box(box2d):
    made = box2d([{"type": 2, "fixture": SQUARE}])
    assert "box: [1, 1], offset: [0.5, 0.5]" in made.text


def test_a_mass_of_its_own_is_about_the_centre_of_mass(box2d):
    mass = {"massData-mass": 4, "massData-center": {"x": 0.5, "y": 0.5}, "massData-I": 5}
    made = box2d([{"type": 2, "name": "a", "fixture": SQUARE, **mass}]).scene()
    body = World(made)["a"]
    assert body.mass == pytest.approx(4)
    assert made.bodies["a"].inertia == pytest.approx(5 - 4 * 0.5)


def test_a_mass_that_follows_from_the_shapes_is_not_said(box2d):
    inertia = math.pi / 4 * 0.25 / 2
    mass = {"massData-mass": math.pi / 4, "massData-I": inertia}
    assert "mass" not in box2d([{**BALL, **mass}]).text


def test_what_has_no_density_weighs_1_and_does_not_turn(box2d):
    body = only(box2d([{**BALL, "fixture": [{"circle": {"radius": 1}}]}]).scene().bodies)
    assert (body.mass, body.fixed_rotation) == (1.0, True)


@every_row(
    ("groups", "masks", "touch"),
    [((0, 0), (0xFFFF, 0xFFFF), True), ((0, 0), (2, 2), False), ((-1, -1), (0xFFFF, 0xFFFF), False),
     ((5, 5), (0, 0), True), ((-1, -2), (0xFFFF, 0xFFFF), True)],
)  # fmt: skip
def test_filters_say_who_touches_whom(box2d, groups, masks, touch):
    bodies = []
    for i, (group, mask) in enumerate(zip(groups, masks, strict=True)):
        fixture = {**CIRCLE[0], "filter-groupIndex": group, "filter-maskBits": mask}
        # Two overlapping balls are pushed apart unless they do not touch.
        bodies.append({**BALL, "name": f"b{i}", "position": {"x": 0.5 * i, "y": 0}})
        bodies[-1]["fixture"] = [fixture]
    world = World(box2d(bodies).scene())
    world.step(30)
    apart = world["b1"].x - world["b0"].x
    assert (apart > 0.6) == touch


def test_limits_count_from_the_reference_angle(box2d):
    fields = {"refAngle": 0.25, "enableLimit": True, "lowerLimit": -1, "upperLimit": 1}
    made = box2d([GROUND, {**BALL, "angle": 0.75}], [joint("revolute", **fields)])
    assert made.scene().joints["joint"].limits == (-1.5, 0.5)


def test_a_motor_keeps_its_speed_and_strength(box2d):
    fields = {"enableMotor": True, "motorSpeed": 3, "maxMotorTorque": 8}
    motor = box2d([GROUND, BALL], [joint("revolute", **fields)]).scene().joints["joint"].motor
    assert (motor.speed, motor.max_force) == (3.0, 8.0)


def test_joints_have_their_counterparts(box2d):
    joints = [
        joint("distance", length=2, frequency=4, dampingRatio=0.5),
        joint("rope", maxLength=5),
        joint("wheel", localAxisA={"x": 0, "y": 1}, springFrequency=2, springDampingRatio=0.7),
        joint("prismatic", localAxisA={"x": 1, "y": 0}),
        joint("weld"),
    ]
    made = list(box2d([GROUND, BALL], joints).scene().joints.values())
    assert [each.kind for each in made] == ["distance", "distance", "wheel", "prismatic", "weld"]
    assert (made[0].length, made[0].spring.frequency) == (2.0, 4.0)
    assert (made[1].rope, made[1].max_length) == (True, 5.0)
    assert (made[2].axis, made[2].spring.damping_ratio) == ((0.0, 1.0), 0.7)


def test_a_joint_without_a_counterpart_is_a_loss(box2d):
    made = box2d([GROUND, BALL], [joint("motor")])
    assert [(loss.path, made.joints) for loss in made.losses if "motor" in loss.message] == [
        ("joint[0]", 0)
    ]


def hinge(body, flip=False, **fields):
    a, b = (body, 0) if flip else (0, body)
    anchors = {"anchorA": {"x": 2 * body, "y": 3}, "anchorB": 0}
    if flip:
        anchors = {"anchorA": 0, "anchorB": {"x": 2 * body, "y": 3}}
    return {"type": "revolute", "bodyA": a, "bodyB": b, **anchors, **fields}


@pytest.mark.parametrize(("flip", "sign"), [(False, -1), (True, 1)])
def test_a_gear_ties_two_hinges_wherever_it_stands(box2d, flip, sign):
    drive = {"enableMotor": True, "motorSpeed": 2, "maxMotorTorque": 1e6}
    gear = {"type": "gear", "joint1": 1, "joint2": 2, "ratio": 3}
    bodies = [GROUND, BALL, {**BALL, "name": "other", "position": {"x": 4, "y": 3}}]
    world = World(box2d(bodies, [gear, hinge(1, flip), hinge(2, **drive)]).scene())
    world.step(60)
    assert world["other"].angular_velocity == pytest.approx(2, rel=1e-3)
    assert world["ball"].angular_velocity == pytest.approx(sign * 6, rel=1e-3)


@every_row(
    "gear",
    [
        {"joint1": 1, "joint2": 9},
        {"joint1": 1, "joint2": 1},
        {"joint1": 1, "joint2": 3},
        {"joint1": 1, "joint2": 2, "ratio": 0},
        {},
    ],
)
def test_a_gear_that_no_scene_can_have_is_a_loss(box2d, gear):
    bodies = [GROUND, BALL, {**BALL, "name": "other", "position": {"x": 4, "y": 3}}]
    joints = [{"type": "gear", **gear}, hinge(1), hinge(2), {**hinge(2), "bodyA": 1}]
    made = box2d(bodies, joints)
    assert [loss.path for loss in made.losses] == ["joint[0]"]
    assert made.joints == 3


def test_a_pulley_is_a_rope_over_two_wheels(box2d):
    bodies = [
        {"name": "light", "type": 2, "position": {"x": 0, "y": 0}, "fixture": CIRCLE},
        {"name": "heavy", "type": 2, "position": {"x": 4, "y": 0}, "fixture": CIRCLE},
    ]
    bodies[1]["fixture"] = [{**CIRCLE[0], "density": 3}]
    ends = {"groundAnchorA": {"x": 0, "y": 5}, "groundAnchorB": {"x": 4, "y": 5}}
    pulley = joint("pulley", **ends, lengthA=5, lengthB=5, ratio=1, anchorA=0, anchorB=0)
    world = World(box2d(bodies, [pulley], stepsPerSecond=240).scene())
    world.step(120)
    assert world["light"].velocity[1] == pytest.approx(10 * 0.5 / 2, rel=1e-3)
    assert world["heavy"].velocity[1] == pytest.approx(-10 * 0.5 / 2, rel=1e-3)


def test_a_mouse_pulls_its_body_to_the_target(box2d):
    mouse = joint("mouse", target={"x": 5, "y": 6}, anchorB=0, maxForce=500, frequency=3)
    made = box2d([GROUND, BALL], [{**mouse, "dampingRatio": 1}])
    assert only(made.scene().joints).max_force == 500
    world = World(made.scene())
    world.step(240)
    assert world["ball"].position == pytest.approx((5, 6), abs=0.05)


def test_a_joint_to_a_body_that_is_not_there_names_its_place(box2d):
    with pytest.raises(SceneError, match=r"joint\[0\].bodyB: there is no body 1"):
        box2d([BALL], [joint("weld")])


@pytest.mark.parametrize(
    ("fixture", "message"),
    [
        ({}, "a fixture is a circle, polygon"),
        ({"polygon": {"vertices": {"x": [1, 2], "y": [1]}}}, "2 x and 1 y"),
        ({"circle": {"radius": 1, "center": 3}}, "must be a vector"),
    ],
)
def test_a_mistake_in_a_fixture_names_its_place(box2d, fixture, message):
    with pytest.raises(SceneError, match=rf"body\[0\].fixture\[0\].*: {message}"):
        box2d([{"type": 2, "fixture": [fixture]}])


def test_a_project_of_rube_refers_to_bodies_by_id():
    path = Path(__file__).parent / "files" / "pendulum.rube"
    scene = import_data(path.read_text()).scene()
    assert (scene.joints["rod"].body_a, scene.joints["rod"].body_b) == ("post", "bob")
    assert scene.bodies["rim"].shapes[0].loop
    world = World(scene)
    world.step(60)
    assert math.hypot(world["bob"].x, world["bob"].y - 5) == pytest.approx(2, abs=1e-3)


def test_objects_of_other_files_are_a_loss():
    meta = {"metabody": [{"id": 1, "type": "dynamic"}], "metaobject": [{"file": "/etc/passwd"}]}
    made = import_data(json.dumps({"metaworld": meta}))
    assert [loss.path for loss in made.losses][-1] == "metaworld.metaobject"


def test_a_restitution_beyond_1_is_told_as_changed(box2d):
    made = box2d([GROUND, {**BALL, "fixture": [{**CIRCLE[0], "restitution": 1.4}]}])
    assert made.scene().bodies["ball"].shapes[0].material.restitution == 1
    assert "restitution 1.4 became 1" in [loss.message for loss in made.losses]


@pytest.mark.parametrize(("side", "ratio"), [(-1, -0.5), (1, 0.5)])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_gear_between_a_hinge_and_a_slide_is_a_rack(box2d, side, ratio, swapped):
    wheel = {**BALL, "name": "wheel", "position": {"x": 4, "y": 3}}
    bar = {**BALL, "name": "bar", "position": {"x": 4, "y": 3 + 2 * side}}
    turns = {"anchorA": {"x": 4, "y": 3}, "anchorB": 0}
    turns |= {"enableMotor": True, "motorSpeed": 2, "maxMotorTorque": 1e6}
    slide = {"type": "prismatic", "bodyA": 0, "bodyB": 2, "localAxisA": {"x": 1, "y": 0}}
    slide |= {"anchorA": {"x": 4, "y": 3 + 2 * side}, "anchorB": 0}
    gear = {"type": "gear", "joint1": 0, "joint2": 1, "ratio": 1 / ratio}
    if swapped:
        gear |= {"joint1": 1, "joint2": 0, "ratio": ratio}
    joints = [{"type": "revolute", "bodyA": 0, "bodyB": 1, **turns}, slide, gear]
    made = box2d([GROUND, wheel, bar], joints)
    assert made.losses == ()
    world = World(made.scene())
    world.step(60)
    # The angle and 1 / ratio times the way stay one sum.
    assert world["wheel"].angle + (world["bar"].x - 4) / ratio == pytest.approx(0, abs=1e-3)
    assert world["wheel"].angle == pytest.approx(2, rel=0.01)


def test_a_soft_weld_is_a_hinge_with_a_spring_as_stiff_as_there(box2d):
    weld = joint("weld", frequency=2, dampingRatio=0, anchorA={"x": 2, "y": 3}, anchorB=0)
    spun = {**BALL, "angularVelocity": 1}
    world = World(box2d([GROUND, spun], [weld], gravity=0, stepsPerSecond=480).scene())
    world.step(60)  # a quarter of a swing at 2 Hz: its largest turn
    assert world["ball"].angle == pytest.approx(1 / (2 * math.pi * 2), rel=1e-3)
    assert world["ball"].position == pytest.approx((2, 3))


def test_friction_joints_brake_motion_and_turns(box2d):
    brake = joint("friction", maxForce=2, maxTorque=0.01, anchorB=0)
    fast = {**BALL, "linearVelocity": {"x": 3, "y": 0}}
    spun = {**BALL, "name": "spun", "position": {"x": 9, "y": 0}, "angularVelocity": 1}
    brakes = [brake, {**brake, "bodyB": 2}]
    world = World(box2d([GROUND, fast, spun], brakes, gravity=0).scene())
    world.step(60)
    mass = math.pi / 4
    assert world["ball"].velocity[0] == pytest.approx(3 - 2 / mass, rel=1e-3)
    assert world["spun"].angular_velocity == pytest.approx(1 - 0.01 / (mass * 0.125), rel=1e-3)
