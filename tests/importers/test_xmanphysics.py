# SPDX-License-Identifier: MIT
"""Scenes of document 000's engine."""

from __future__ import annotations

import json
import math

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import import_data, import_file
from rigid2d.core.world import World

from tests.importers.conftest import FILES
from tests.rows import every_row

WALL = {"Size": [100, 10], "MassData": {"Type": 2}}
BOX = {"Size": {"X": 40, "Y": 20}, "Center": {"X": 100, "Y": 50}}


def joint(kind, **fields):
    given = {"$type": f"Space.{kind}JointExportData, Engine", "BodyIndex1": 0, "BodyIndex2": 1}
    return {**given, **fields}


def only(section):
    (made,) = section.values()
    return made


def test_defaults_are_those_of_the_engine(xman):
    scene = xman(Bodies=[BOX]).scene()
    body = only(scene.bodies)
    assert (body.kind, body.mass, body.position) == ("dynamic", 1.0, (100.0, 50.0))
    assert (body.shapes[0].material.friction, body.shapes[0].material.restitution) == (1.0, 1.0)
    assert scene.units.y_down
    assert scene.units.time_per_second == 1000
    assert scene.world.gravity == (0.0, 0.001)
    assert scene.world.dt == 50.0
    assert (scene.world.solver.kind, scene.world.solver.iterations) == ("sequential_impulse", 50)
    assert scene.collision.friction_mixing == "max"
    assert scene.collision.restitution_mixing == "min"


@pytest.mark.parametrize("vector", [{"X": 3, "Y": -4}, [3, -4], "3;-4"])
def test_a_vector_has_three_forms(xman, vector):
    assert only(xman(Bodies=[{**BOX, "Center": vector}]).scene().bodies).position == (3.0, -4.0)


def test_lists_may_stand_under_values(xman):
    bodies = {"$type": "Body[], Engine", "$values": [BOX, WALL]}
    assert xman(Bodies=bodies).bodies == 2


@pytest.mark.parametrize(
    "mass", [{"Type": 2}, {"Type": 0, "Mass": 3.4028235e38}, {"Type": "Infinity"}]
)
def test_an_infinite_mass_is_static(xman, mass):
    assert only(xman(Bodies=[{**BOX, "MassData": mass}]).scene().bodies).kind == "static"


def test_a_density_counts_by_area(xman):
    made = xman(Bodies=[{**BOX, "MassData": {"Type": 1, "Density": 0.01}}])
    assert World(made.scene())["rectangle_0"].mass == pytest.approx(8.0)


def test_a_circle_keeps_the_moment_of_inertia_of_the_engine(xman):
    made = xman(Bodies=[{"Radius": 6, "MassData": {"Mass": 2}}])
    assert only(made.scene().bodies).inertia == pytest.approx(2 * 36 / 12)
    assert "m r²/12" in made.text


def test_a_polygon_turns_about_its_center(xman):
    points = [[0, 0], [30, 0], [30, 30], [0, 30]]
    made = xman(Bodies=[{"Points": points, "Center": [5, 6], "MassData": {"Mass": 3}}])
    body = only(made.scene().bodies)
    assert body.center_of_mass == (0.0, 0.0)
    assert body.inertia == pytest.approx(3 * 2 * 30**2 / 3)  # of a square about its corner
    assert body.position == (5.0, 6.0)


@pytest.mark.parametrize(("kind", "inside"), [(1, True), (2, False)])
def test_edges_are_solid_from_the_side_that_they_say(xman, kind, inside):
    points = [[-100, -100], [100, -100], [100, 100], [-100, 100]]
    ring = {"Points": points, "PolygonType": kind, "MassData": {"Type": 2}}
    ball = {"Radius": 10, "Center": [0, 0] if inside else [0, -150], "Restituion": 0}
    scene = xman(Bodies=[ring, ball]).scene()
    world = World(scene)
    world.step(100)
    # It lies on the edge below it: inside on the lower one, outside on the upper one.
    assert world["circle_1"].position[1] == pytest.approx(90 if inside else -110, abs=2)


def test_degrees_of_angles_and_radians_of_speeds(xman):
    body = only(xman(Bodies=[{**BOX, "AngleInDegree": 90, "AngularVelocity": 0.01}]).scene().bodies)
    assert body.angle == pytest.approx(math.pi / 2)
    assert body.angular_velocity == pytest.approx(0.01)


def test_a_distance_joint_rests_at_the_distance_at_the_start(xman):
    made = xman(Bodies=[WALL, BOX], Joints=[joint("Distance", LengthPosition="NaN")])
    assert only(made.scene().joints).length == pytest.approx(math.hypot(100, 50))


def test_a_rope_only_pulls(xman):
    fields = {"JointIsRope": True, "LengthPosition": 150}
    rope = only(xman(Bodies=[WALL, BOX], Joints=[joint("Distance", **fields)]).scene().joints)
    assert (rope.rope, rope.max_length) == (True, 150.0)


def test_a_frequency_is_that_of_the_reduced_mass(xman):
    soft = {"ParameterType": 0, "FrequencyHertz": 2, "DampingRatio": 0.5}
    fields = {"R2": [20, 0], "SoftData": soft}
    other = {**BOX, "Center": [0, 0], "MassData": {"Mass": 3}}
    made = xman(Bodies=[other, BOX], Joints=[joint("Distance", **fields)])
    spring = only(made.scene().joints).spring
    rate = 2 * math.pi * 2 / 1000
    assert spring.stiffness == pytest.approx(0.75 * rate**2)
    assert spring.damping == pytest.approx(2 * 0.75 * 0.5 * rate)
    assert "2 Hz" in made.text


def test_angles_of_limits_are_of_the_second_arm_against_the_first(xman):
    # The arms point right and left: 180 degrees, of 150 to 210.
    fields = {"R1": [50, 0], "R2": [-50, 0], "LimitIsEnabled": True}
    fields |= {"LowerAngle": 150, "UpperAngle": 210}
    made = xman(Bodies=[WALL, BOX], Joints=[joint("Revolute", **fields)])
    assert only(made.scene().joints).limits == pytest.approx((-math.pi / 6, math.pi / 6))


def test_limits_may_cross_zero(xman):
    fields = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True}
    fields |= {"LowerAngle": 350, "UpperAngle": 20}
    made = xman(Bodies=[WALL, BOX], Joints=[joint("Revolute", **fields)])
    limits = only(made.scene().joints).limits
    assert limits == pytest.approx((math.radians(-10), math.radians(20)))


def test_a_motor_by_position_goes_to_a_part_of_the_limits(xman):
    fields = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True, "Motor": 2}
    fields |= {"LowerAngle": 350, "UpperAngle": 20, "MotorPosition": 0.5, "MaxMotorTorque": 7}
    motor = only(
        xman(Bodies=[WALL, BOX], Joints=[joint("Revolute", **fields)]).scene().joints
    ).motor
    assert motor.position == pytest.approx(math.radians(5))
    assert motor.max_force == 7.0


def test_translations_are_multiples_of_the_first_arm_from_the_center(xman):
    fields = {"R1": [50, 0], "R2": [-50, -50], "LimitIsEnabled": True}
    fields |= {"MinTranslation": 0.5, "MaxTranslation": 2}
    slide = only(xman(Bodies=[WALL, BOX], Joints=[joint("Prismatic", **fields)]).scene().joints)
    assert slide.anchor_a == (0.0, 0.0)
    assert slide.axis == (1.0, 0.0)
    assert slide.limits == pytest.approx((25.0, 100.0))


def test_the_motor_of_a_wheel_by_position_is_its_suspension(xman):
    soft = {"ParameterType": 1, "Stiffness": 0.01, "Damping": 0.1}
    fields = {"R1": [0, 50], "R2": [0, 0], "Motor": 2, "SoftData": soft}
    wheel = only(xman(Bodies=[WALL, BOX], Joints=[joint("Wheel", **fields)]).scene().joints)
    assert wheel.anchor_a == pytest.approx((0.0, 50.0))
    assert (wheel.spring.stiffness, wheel.spring.damping) == (0.01, 0.1)


def test_what_breaks_a_joint_is_an_impulse_of_one_step_there(xman):
    fields = {"BreakWhenMaxForceIsReached": True, "MaxForceToBreak": 5}
    weld = only(xman(Bodies=[WALL, BOX], Joints=[joint("Weld", **fields)]).scene().joints)
    assert weld.break_force == pytest.approx(0.1)


def test_a_bar_that_breaks_comes_off_by_its_joints(xman):
    bar = {"Size": [100, 10], "BreakWhenMaxPushPullForceIsReached": True, "MaxPushPullForce": 2}
    made = xman(Bodies=[WALL, bar], Joints=[joint("Weld")])
    assert only(made.scene().joints).break_push_pull == pytest.approx(0.04)
    assert any("comes off" in loss.message for loss in made.losses)


def test_a_thick_bar_keeps_together_and_says_so(xman):
    bar = {**BOX, "BreakWhenMaxPushPullForceIsReached": True}
    assert ["5:1" in loss.message for loss in xman(Bodies=[bar]).losses] == [True]


def test_a_joint_between_bodies_that_do_not_move_is_left_out(xman):
    made = xman(Bodies=[WALL, WALL], Joints=[joint("Weld")])
    assert made.joints == 0
    assert made.losses[0].path == "Joints[0]"


def test_categories_that_do_not_touch(xman):
    bodies = [{**BOX, "CollisionCategory": each} for each in (0, 1)]
    scene = xman(Bodies=bodies, CollisionMatrix=[[True, False], [False, True]]).scene()
    names, matrix = scene.collision.categories, scene.collision.matrix
    first, second = names.index("category_0"), names.index("category_1")
    assert matrix[first][first]
    assert matrix[second][second]
    assert not matrix[first][second]


def test_a_thruster_pushes_in_its_direction(xman):
    thruster = {"BodyIndex": 0, "R1": [1, 2], "ForceDirection": [3, 4], "ForceLength": 10}
    made = only(xman(Bodies=[BOX], Thrusters=[thruster]).scene().actuators)
    assert (made.force, made.at, made.enabled) == (pytest.approx((6.0, 8.0)), (1.0, 2.0), False)


def test_a_direction_may_be_as_short_as_a_number_can_be(xman):
    thruster = {"BodyIndex": 0, "ForceDirection": [0, 5e-324], "ForceLength": 10}
    assert only(xman(Bodies=[BOX], Thrusters=[thruster]).scene().actuators).force == (0.0, 10.0)


def test_items_of_a_level_have_bodies_of_their_own(xman):
    items = [{"PhysicSceneData": {"Bodies": [WALL, BOX], "Joints": [joint("Weld")]}}] * 2
    scene = xman(PhysicLevelItems=items, HasGravity=False).scene()
    assert [(j.body_a, j.body_b) for j in scene.joints.values()] == [
        ("item_1_rectangle_0", "item_1_rectangle_1"),
        ("item_2_rectangle_2", "item_2_rectangle_3"),
    ]
    assert scene.world.gravity == (0.0, 0.0)


@every_row(
    ("lists", "message"),
    [
        ({"Bodies": [{}]}, "Bodies\\[0\\]: a body of the type ''"),
        ({"Bodies": [BOX], "Joints": [{"$type": "GearJoint, E"}]}, "Joints\\[0\\]: a joint of the"),
        ({"Bodies": [BOX], "Joints": [joint("Weld")]}, "BodyIndex2: there is no body 1"),
        ({"Bodies": [{**BOX, "Center": "1;x"}]}, "Center: must be a vector"),
        ({"Bodies": [{**BOX, "MassData": {"Type": 7}}]}, "MassData.Type: must be 0"),
        ({"Bodies": [{"Points": [[0, 0], [1, 1]]}]}, "Points: a polygon needs 3 corners"),
        ({"Bodies": [BOX], "CollisionMatrix": [[True], []]}, "CollisionMatrix: must be a square"),
    ],
)
def test_a_mistake_names_its_place(xman, lists, message):
    with pytest.raises(SceneError, match=message):
        xman(**lists)


@every_row(
    ("text", "message"),
    [
        ('{"Bodies": [{}]}', r"PhysicSceneData\.Bodies\[0\]: a body of the type ''"),
        ('{"Bodies":\n [}', r"PhysicSceneData: this is not JSON: .*, at 2:3 of the text"),
    ],
)
@every_row("kind", ["items", "prototypes"])
def test_a_mistake_in_a_scene_that_is_a_text_is_told_by_the_place_of_the_text(kind, text, message):
    scene = f'{{"Id": 0, "PhysicSceneData":\n   {json.dumps(text)}}}'
    lists = {
        "items": '"PhysicLevelItems": [%s]',
        "prototypes": '"Prototyps": {"PrototypItems": [%s]}',
    }
    level = "{" + lists[kind] % scene + ', "LevelItems": [{"PrototypId": 0}]}'
    with pytest.raises(SceneError, match=message) as caught:
        import_data(level, "xmanphysics")
    assert (caught.value.problems[0].line, caught.value.problems[0].column) == (2, 4)


def test_a_preloaded_spring_keeps_its_rest_length_beyond_the_stops(xman):
    soft = {"ParameterType": 1, "Stiffness": 0.01, "Damping": 0.1}
    fields = {"SoftData": soft, "LimitIsEnabled": True, "MinLength": 10, "MaxLength": 60}
    made = xman(Bodies=[WALL, BOX], Joints=[joint("Distance", **fields)])
    spring = only(made.scene().joints)
    assert (spring.min_length, spring.max_length) == (10.0, 60.0)
    assert spring.length == pytest.approx(math.hypot(100, 50))


def test_a_distance_joint_breaks_by_push_and_pull_apart(xman):
    fields = {"BreakWhenMaxForceIsReached": True, "MaxForceToBreak": 5, "MinForceToBreak": -10}
    rod = only(xman(Bodies=[WALL, BOX], Joints=[joint("Distance", **fields)]).scene().joints)
    assert (rod.break_push, rod.break_pull) == (pytest.approx(0.1), pytest.approx(0.2))
    assert rod.break_force == math.inf


def test_a_suspension_has_its_largest_force(xman):
    soft = {"ParameterType": 1, "Stiffness": 0.01}
    fields = {"R1": [0, 50], "Motor": 2, "SoftData": soft, "MaxMotorForce": 0.5}
    wheel = only(xman(Bodies=[WALL, BOX], Joints=[joint("Wheel", **fields)]).scene().joints)
    assert wheel.max_force == 0.5


def test_a_motor_by_speed_stops_at_its_limits(xman):
    fields = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True, "UpperAngle": 30, "Motor": 1}
    fields |= {"MotorSpeed": 0.01, "MaxMotorTorque": 3}
    motor = only(
        xman(Bodies=[WALL, BOX], Joints=[joint("Revolute", **fields)]).scene().joints
    ).motor
    assert motor.stop_at_limits
    assert motor.speed == pytest.approx(0.01)


@pytest.mark.parametrize(("force", "speed"), [(2, 0.01), (-2, -0.01)])
def test_a_motor_pushes_up_to_its_speed_and_never_brakes(xman, force, speed):
    motor = {"BodyIndex": 0, "RotaryForce": force, "MaxSpeed": 0.01, "IsEnabled": True}
    made = only(xman(Bodies=[BOX], Motors=[motor]).scene().actuators)
    assert (made.speed, made.max_torque, made.brake) == (pytest.approx(speed), 2.0, False)


def test_a_motor_without_a_speed_is_a_torque(xman):
    made = xman(Bodies=[BOX], Motors=[{"BodyIndex": 0, "RotaryForce": 2}])
    motor = only(made.scene().actuators)
    assert (motor.speed, motor.torque, motor.enabled) == (None, 2.0, False)


def test_actuators_on_bodies_that_do_not_move_are_kept(xman):
    motor = {"BodyIndex": 0, "RotaryForce": 2, "IsEnabled": True}
    made = xman(Bodies=[WALL, BOX], Motors=[motor], Thrusters=[{"BodyIndex": 0, "ForceLength": 1}])
    assert made.actuators == 2
    World(made.scene()).step(3)


def test_bodies_with_a_mass_and_bodies_with_a_density_go_together(xman):
    heavy = {**BOX, "MassData": {"Type": 0, "Mass": 3}}
    light = [{**BOX, "MassData": {"Type": 1, "Density": 0.001}, "Center": [0, y]} for y in (0, 99)]
    made = xman(Bodies=[*light, heavy]).scene().bodies
    width, height = BOX["Size"]["X"], BOX["Size"]["Y"]
    assert [body.mass for body in made.values()] == [None, None, 3.0]
    assert [body.shapes[0].material.density for body in list(made.values())[:2]] == [0.001, 0.001]
    assert width * height > 0


def test_keys_of_a_level_move_what_they_moved_there():
    made = import_file(FILES / "level.xmanphysics.json")
    world = World(made.scene())
    arm = world["item_1.rectangle_1"]
    world.step(50)
    before = arm.angle
    world.controls.press(
        "up"
    )  # "Animation Backward": from the middle to a tenth of 140 degrees in 1 s
    world.step(50)
    assert arm.angle - before == pytest.approx(-math.radians(140) * 0.4, rel=0.01)


def test_a_level_that_no_file_of_the_editor_can_be_is_an_error(xman):
    item = {"LevelItemId": 1, "PrototypId": 3}
    with pytest.raises(SceneError, match=r"LevelItems\[0\].PrototypId: there is no prototype 3"):
        xman(Prototyps={"PrototypItems": []}, LevelItems=[item])


def test_groups_within_themselves_end(xman):
    group = {"Id": 1, "LevelItemsExport": [{"PrototypId": 1}]}
    with pytest.raises(SceneError, match="groups of groups more than 8 deep"):
        xman(Prototyps={"PrototypItems": [group]}, LevelItems=[{"PrototypId": 1}])


def test_groups_of_groups_are_bounded(xman):
    some = [{"PrototypId": 0}] * 20
    groups = [
        {"Id": i + 1, "LevelItemsExport": [{**each, "PrototypId": i} for each in some]}
        for i in range(6)
    ]
    prototypes = [{"Id": 0, "PhysicSceneData": {"Bodies": [BOX]}}, *groups]
    with pytest.raises(SceneError, match="more than 10,000 objects in groups"):
        xman(Prototyps={"PrototypItems": prototypes}, LevelItems=[{"PrototypId": 6}])


@every_row(
    ("prototype", "path"),
    [
        ({"TextureData": {"Textures": [0]}}, r"TextureData\.Textures\[0\]"),
        ({"PhysicSceneForAnimationNull": {"Bodies": [0]}}, r"ForAnimationNull\.Bodies\[0\]"),
        ({"PhysicSceneData": {"Bodies": [BOX], "Thrusters": [{"R1": []}]}}, r"Thrusters\[0\]\.R1"),
        (
            {"PhysicSceneData": {"Bodies": [BOX], "Thrusters": [{"R1": 10**400}]}},
            r"Thrusters\[0\]\.",
        ),
    ],
)
def test_what_a_prototype_has_wrong_is_told_by_its_place_in_another_size_too(xman, prototype, path):
    whole = {"Id": 1, "PhysicSceneData": {"Bodies": [BOX]}, **prototype}
    with pytest.raises(SceneError, match=path):
        xman(Prototyps={"PrototypItems": [whole]}, LevelItems=[{"PrototypId": 1, "SizeFactor": 2}])
