"""What the page says of scenes of document 000's engine, row by row."""

from __future__ import annotations

import json
import math

import pytest
from PIL import Image

from tests.importers.documented import Rows
from tests.importers.given import xman

ROWS = Rows("xmanphysics")
WALL = {"$type": "A.RectangleExportData, A", "Size": [100, 10], "MassData": {"Type": 2}}
BOX = {"$type": "A.RectangleExportData, A", "Size": [40, 20], "Center": {"X": 100, "Y": 50}}
CORNERS = [[0, 0], [30, 0], [0, 30]]
SOFT = {"ParameterType": 1, "Stiffness": 0.5, "Damping": 0.25}


@pytest.mark.parametrize("there", ROWS.how)
def test_a_row_of_the_page_is_true(there, tmp_path):
    ROWS.check(there, tmp_path)


def test_every_case_is_a_row_of_the_page():
    assert not ROWS.strangers()


def only(section):
    (made,) = section.values()
    return made


def body_of(**fields):
    made = xman(Bodies=[{**BOX, **fields}])
    return only(made.scene().bodies), made


def joint_of(kind, other=BOX, **fields):
    """A joint between a wall at the origin and a box."""
    given = {"$type": f"A.{kind}JointExportData, A", "BodyIndex1": 0, "BodyIndex2": 1, **fields}
    made = xman(Bodies=[WALL, other], Joints=[given])
    joints = made.scene().joints
    return (only(joints) if joints else None), made


def actuator_of(section, **fields):
    made = xman(Bodies=[BOX], **{section: [{"BodyIndex": 0, **fields}]})
    return only(made.scene().actuators), made


# ---------------------------------------------------------------- the world


@ROWS.shows("`Gravity`, `HasGravity`")
def _():
    assert xman(Bodies=[BOX], Gravity=0.003).scene().world.gravity == (0.0, 0.003)
    assert xman(Bodies=[BOX], Gravity=0.003, HasGravity=False).scene().world.gravity == (0, 0)
    made = xman(Bodies=[BOX])
    assert made.scene().world.gravity == (0.0, 0.001)
    return made


@ROWS.shows("`TimerIntervalInMilliseconds`")
def _():
    assert xman(Bodies=[BOX]).scene().world.dt == 50
    assert level([{"PrototypId": 0}], {"Bodies": [BOX]}).scene().world.dt == 20
    made = xman(Bodies=[BOX], TimerIntervalInMilliseconds=20)
    assert made.scene().world.dt == 20
    return made


@ROWS.shows("`IterationCount`, `SimulatorIterationCount`")
def _():
    assert (
        level([{"PrototypId": 0}], {"Bodies": [BOX]}, SimulatorIterationCount=9)
        .scene()
        .world.solver.iterations
        == 9
    )
    made = xman(Bodies=[BOX], IterationCount=7)
    solver = made.scene().world.solver
    assert (solver.kind, solver.iterations) == ("sequential_impulse", 7)
    return made


@ROWS.shows("`CollisionMatrix`, `CollisionCategory`")
def _():
    bodies = [{**BOX, "CollisionCategory": each} for each in (0, 1)]
    made = xman(Bodies=bodies, CollisionMatrix=[[True, False], [False, True]])
    collision = made.scene().collision
    a, b = (collision.categories.index(f"category_{i}") for i in (0, 1))
    assert collision.matrix[a][a]
    assert not collision.matrix[a][b]
    return made


# ---------------------------------------------------------------- bodies


@ROWS.shows("`RectangleExportData`: `Size`")
def _():
    body, made = body_of(Size=[40, 20])
    assert (body.shapes[0].source, max(body.shapes[0].points)) == ("box", (20.0, 10.0))
    return made


@ROWS.shows("`CircleExportData`: `Radius`")
def _():
    made = xman(Bodies=[{"$type": "CircleExportData, A", "Radius": 6, "MassData": {"Mass": 2}}])
    body = only(made.scene().bodies)
    assert body.shapes[0].radius == 6
    assert body.inertia == pytest.approx(2 * 6**2 / 12)
    return made


@ROWS.shows("`PolygonExportData`: `Points`, `PolygonType` 0")
def _():
    polygon = {"$type": "PolygonExportData, A", "Points": CORNERS, "PolygonType": 0}
    made = xman(Bodies=[polygon])
    assert set(only(made.scene().bodies).shapes[0].points) == {
        tuple(map(float, c)) for c in CORNERS
    }
    return made


@ROWS.shows("`PolygonType` 1, 2")
def _():
    words = ("EdgeWithNormalsPointingInside", "EdgeWithNormalsPointingOutside")
    for kind, side in ((1, "right"), (2, "left"), *zip(words, ("right", "left"), strict=True)):
        # Clockwise on the screen, where the inside is on the right.
        polygon = {"Points": CORNERS, "PolygonType": kind, "MassData": {"Type": 2}}
        made = xman(Bodies=[polygon])
        shape = only(made.scene().bodies).shapes[0]
        assert (shape.kind, shape.loop, shape.side) == ("chain", True, side)
    return made


@ROWS.shows("`Center` that is not the centroid of a polygon")
def _():
    made = xman(Bodies=[{"Points": CORNERS, "Center": [5, 6], "MassData": {"Mass": 3}}])
    body = only(made.scene().bodies)
    assert (body.position, body.center_of_mass) == ((5.0, 6.0), (0.0, 0.0))
    return made


@ROWS.shows("`Center`, `AngleInDegree`, `AngleInRad`, `Velocity`, `AngularVelocity`")
def _():
    assert body_of(AngleInRad=1.5)[0].angle == pytest.approx(1.5)
    body, made = body_of(Center=[3, 4], AngleInDegree=90, Velocity=[1, 2], AngularVelocity=0.01)
    assert (body.position, body.velocity) == ((3.0, 4.0), (1.0, 2.0))
    assert body.angle == pytest.approx(math.pi / 2)
    assert body.angular_velocity == pytest.approx(0.01)
    return made


@ROWS.shows("`MassData`: `Type` 0 with `Mass`, 1 with `Density`")
def _():
    assert body_of(MassData={"Type": 0, "Mass": 7})[0].mass == 7
    body, made = body_of(MassData={"Type": 1, "Density": 0.5})
    assert body.shapes[0].material.density == 0.5
    return made


@ROWS.shows("`MassData`: `Type` 2, or a `Mass` beyond 1e15")
def _():
    assert body_of(MassData={"Type": 0, "Mass": 3.4e38})[0].kind == "static"
    body, made = body_of(MassData={"Type": 2})
    assert body.kind == "static"
    return made


@ROWS.shows("`Velocity`, `AngularVelocity` of what does not move")
def _():
    body, made = body_of(MassData={"Type": 2}, Velocity=[1, 0])
    assert body.velocity == (0.0, 0.0)
    return made


@ROWS.shows("`Friction`, `Restituion`")
def _():
    body, made = body_of(Friction=0.25, Restituion=0.75)
    material = body.shapes[0].material
    assert (material.friction, material.restitution) == (0.25, 0.75)
    collision = made.scene().collision
    assert (collision.friction_mixing, collision.restitution_mixing) == ("max", "min")
    return made


@ROWS.shows("`Restituion` above 1")
def _():
    body, made = body_of(Restituion=1.5)
    assert body.shapes[0].material.restitution == 1
    return made


@ROWS.shows("`BreakWhenMaxPushPullForceIsReached`, `MaxPushPullForce` of a bar of 5:1")
def _():
    bar = {"Size": [100, 10], "BreakWhenMaxPushPullForceIsReached": True, "MaxPushPullForce": 2}
    joint, made = joint_of("Weld", bar)
    assert joint.break_push_pull == pytest.approx(2 / 50)
    return made


@ROWS.shows("`BreakWhenMaxPushPullForceIsReached` of others (there from 2:1)")
def _():
    bar = {"Size": [40, 10], "BreakWhenMaxPushPullForceIsReached": True, "MaxPushPullForce": 2}
    joint, made = joint_of("Weld", bar)
    assert joint.break_push_pull == math.inf
    return made


# ---------------------------------------------------------------- joints


@ROWS.shows("`BodyIndex1`, `BodyIndex2`, `R1`, `R2`")
def _():
    joint, made = joint_of("Weld", R1=[1, 2], R2=[3, 4])
    assert (joint.body_a, joint.body_b) == ("rectangle_0", "rectangle_1")
    assert (joint.anchor_a, joint.anchor_b) == ((1.0, 2.0), (3.0, 4.0))
    return made


@ROWS.shows("`CollideConnected`")
def _():
    assert not joint_of("Weld")[0].collide
    joint, made = joint_of("Weld", CollideConnected=True)
    assert joint.collide
    return made


@ROWS.shows("`SoftData`: `ParameterType` 0, `FrequencyHertz`, `DampingRatio`")
def _():
    heavy = {**BOX, "MassData": {"Mass": 3}}
    soft = {"ParameterType": 0, "FrequencyHertz": 2, "DampingRatio": 0.5}
    given = {"$type": "DistanceJointExportData, A", "BodyIndex1": 0, "BodyIndex2": 1}
    bodies = [{**heavy, "Center": [0, 0]}, BOX]
    made = xman(Bodies=bodies, Joints=[{**given, "SoftData": soft}])
    spring, rate = only(made.scene().joints).spring, 2 * math.pi * 2 / 1000
    assert spring.stiffness == pytest.approx(3 / 4 * rate**2)
    assert spring.damping == pytest.approx(2 * 3 / 4 * 0.5 * rate)
    assert "2 Hz" in made.text
    return made


@ROWS.shows("`SoftData`: `ParameterType` 1, `Stiffness`, `Damping`")
def _():
    assert joint_of("Weld", SoftData={**SOFT, "ParameterType": 2})[0].spring is None
    joint, made = joint_of("Weld", SoftData=SOFT)
    assert (joint.spring.stiffness, joint.spring.damping) == (0.5, 0.25)
    return made


@ROWS.shows("`DistanceJointExportData`: `LengthPosition`")
def _():
    assert joint_of("Distance")[0].length == pytest.approx(math.hypot(100, 50))
    joint, made = joint_of("Distance", LengthPosition=70)
    assert joint.length == 70
    return made


@ROWS.shows("`MinLength`, `MaxLength` with `LimitIsEnabled`")
def _():
    fields = {"LimitIsEnabled": True, "MinLength": 10, "MaxLength": 60, "SoftData": SOFT}
    joint, made = joint_of("Distance", **fields)
    assert (joint.min_length, joint.max_length) == (10.0, 60.0)
    assert joint.length == pytest.approx(math.hypot(100, 50))  # beyond the stops
    return made


@ROWS.shows("`JointIsRope`")
def _():
    joint, made = joint_of("Distance", JointIsRope=True, LengthPosition=150)
    assert (joint.rope, joint.max_length) == (True, 150.0)
    return made


@ROWS.shows("`RevoluteJointExportData`: `LowerAngle`, `UpperAngle` with `LimitIsEnabled`")
def _():
    # The arms point right and left: 180 degrees, of 150 to 210.
    arms = {"R1": [50, 0], "R2": [-50, 0], "LimitIsEnabled": True}
    joint, made = joint_of("Revolute", **arms, LowerAngle=150, UpperAngle=210)
    assert joint.limits == pytest.approx((-math.pi / 6, math.pi / 6))
    return made


@ROWS.shows("limits of a `RevoluteJointExportData` with an `R1` or `R2` of no length")
def _():
    fields = {"R1": [50, 0], "LimitIsEnabled": True, "LowerAngle": 10, "UpperAngle": 40}
    joint, made = joint_of("Revolute", **fields)
    assert joint.limits == pytest.approx((0, math.pi / 6))
    return made


@ROWS.shows("`Motor` 1 of a `RevoluteJointExportData`: `MotorSpeed`, `MaxMotorTorque`")
def _():
    arms = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True, "UpperAngle": 30}
    joint, made = joint_of("Revolute", **arms, Motor=1, MotorSpeed=0.01, MaxMotorTorque=3)
    motor = joint.motor
    assert (motor.speed, motor.max_force) == (pytest.approx(0.01), 3.0)
    assert motor.stop_at_limits
    return made


@ROWS.shows("`Motor` 2 of a `RevoluteJointExportData`: `MotorPosition`")
def _():
    arms = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True, "UpperAngle": 30}
    joint, made = joint_of("Revolute", **arms, Motor=2, MotorPosition=0.5)
    assert joint.motor.position == pytest.approx(math.radians(15))
    return made


@ROWS.shows("`PrismaticJointExportData`: `MinTranslation`, `MaxTranslation` with `LimitIsEnabled`")
def _():
    fields = {"R1": [0, 50], "LimitIsEnabled": True, "MinTranslation": 0.5, "MaxTranslation": 2}
    joint, made = joint_of("Prismatic", **fields)
    assert (joint.anchor_a, joint.axis) == ((0.0, 0.0), (0.0, 1.0))
    assert joint.limits == (25.0, 100.0)
    return made


@ROWS.shows(
    "`Motor` 1, 2 of a `PrismaticJointExportData`: `MotorSpeed`, `MotorPosition`, `MaxMotorForce`"
)
def _():
    joint, _ = joint_of("Prismatic", R1=[50, 0], Motor=1, MotorSpeed=0.5, MaxMotorForce=9)
    assert (joint.motor.speed, joint.motor.max_force) == (0.5, 9.0)
    joint, made = joint_of("Prismatic", R1=[50, 0], Motor=2, MotorPosition=1.5)
    assert joint.motor.position == 75
    return made


@ROWS.shows("`WheelJointExportData`: `MinTranslation`, `MaxTranslation` with `LimitIsEnabled`")
def _():
    fields = {"R1": [0, 50], "LimitIsEnabled": True, "MinTranslation": 0, "MaxTranslation": 2}
    joint, made = joint_of("Wheel", **fields)
    assert (joint.axis, joint.limits) == ((0.0, 1.0), (0.0, 100.0))
    return made


@ROWS.shows(
    "`Motor` 2 of a `WheelJointExportData` with `SoftData`: `MotorPosition`, `MaxMotorForce`"
)
def _():
    fields = {"R1": [0, 50], "Motor": 2, "MotorPosition": 2, "MaxMotorForce": 0.5}
    joint, made = joint_of("Wheel", SoftData=SOFT, **fields)
    assert joint.anchor_a == (0.0, 100.0)  # where the spring rests
    assert (joint.spring.stiffness, joint.max_force) == (0.5, 0.5)
    return made


@ROWS.shows("`Motor` 2 of a `WheelJointExportData` without `SoftData`")
def _():
    joint, made = joint_of("Wheel", R1=[0, 50], Motor=2)
    assert joint.limits == (0.0, 0.0)
    return made


@ROWS.shows("`Motor` 1 of a `WheelJointExportData`, along its axis")
def _():
    joint, made = joint_of("Wheel", R1=[0, 50], Motor=1, MotorSpeed=1)
    assert joint.motor is None
    return made


@ROWS.shows("`R1` of no length of a `PrismaticJointExportData` or `WheelJointExportData`")
def _():
    assert joint_of("Prismatic")[0].axis == (1.0, 0.0)
    joint, made = joint_of("Wheel")
    assert joint.axis == (1.0, 0.0)
    return made


@ROWS.shows("`WeldJointExportData`")
def _():
    assert joint_of("Weld", SoftData=SOFT)[0].spring.stiffness == 0.5
    joint, made = joint_of("Weld")
    assert (joint.kind, joint.spring) == ("weld", None)
    return made


@ROWS.shows("`BreakWhenMaxForceIsReached`, `MaxForceToBreak`")
def _():
    joint, made = joint_of("Weld", BreakWhenMaxForceIsReached=True, MaxForceToBreak=5)
    assert joint.break_force == pytest.approx(5 / 50)
    return made


@ROWS.shows("`MinForceToBreak`, `MaxForceToBreak` of a `DistanceJointExportData`")
def _():
    fields = {"BreakWhenMaxForceIsReached": True, "MaxForceToBreak": 5, "MinForceToBreak": -10}
    joint, made = joint_of("Distance", **fields)
    assert (joint.break_push, joint.break_pull) == pytest.approx((5 / 50, 10 / 50))
    return made


@ROWS.shows("a joint between bodies that do not move, or of one body with itself")
def _():
    assert joint_of("Weld", BodyIndex1=1)[0] is None
    joint, made = joint_of("Weld", WALL)
    assert joint is None
    return made


# ---------------------------------------------------------------- actuators


@ROWS.shows("`Thrusters`: `BodyIndex`, `R1`, `ForceDirection`, `ForceLength`, `IsEnabled`")
def _():
    fields = {"R1": [1, 2], "ForceDirection": [3, 4], "ForceLength": 10, "IsEnabled": True}
    thruster, made = actuator_of("Thrusters", **fields)
    assert (thruster.kind, thruster.at, thruster.enabled) == ("thruster", (1.0, 2.0), True)
    assert thruster.force == pytest.approx((6, 8))
    return made


@ROWS.shows("`Motors`: `BodyIndex`, `RotaryForce`, `MaxSpeed`, `IsEnabled`")
def _():
    motor, made = actuator_of("Motors", RotaryForce=-2, MaxSpeed=0.01, IsEnabled=True)
    assert (motor.speed, motor.max_torque) == (pytest.approx(-0.01), 2.0)
    assert (motor.brake, motor.enabled) == (False, True)
    return made


@ROWS.shows("`Motors` without a `MaxSpeed`")
def _():
    motor, made = actuator_of("Motors", RotaryForce=2)
    assert (motor.speed, motor.torque, motor.enabled) == (None, 2.0, False)
    return made


@ROWS.shows("`BrakeIsEnabled` of `Motors`")
def _():
    made = xman(Bodies=[BOX], Motors=[{"BodyIndex": 0, "RotaryForce": 2, "BrakeIsEnabled": True}])
    brake = list(made.scene().actuators.values())[1]
    assert (brake.kind, brake.speed) == ("rotary_motor", 0.0)
    return made


@ROWS.shows("`AxialFrictions`: `BodyIndex`, `R1`, `ForceDirection`, `Friction`")
def _():
    fields = {"R1": [1, 2], "ForceDirection": [0, 2], "Friction": 0.25}
    tyre, made = actuator_of("AxialFrictions", **fields)
    assert (tyre.at, tyre.direction, tyre.max_force) == ((1.0, 2.0), (0.0, 1.0), 0.25)
    return made


# ---------------------------------------------------------------- levels

DRIVEN = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True, "UpperAngle": 90, "Motor": 2}
CRATE = {**BOX, "MassData": {"Type": 1, "Density": 0.5}}


def linked(kind, **fields):
    given = {"$type": f"A.{kind}JointExportData, A", "BodyIndex1": 0, "BodyIndex2": 1}
    return {**given, **fields}


def level(items, *scenes, **fields):
    """A level of items, which are made of prototypes 0, 1 and so on with these scenes."""
    prototypes = [
        {"Id": i, **(each if "TextureFile" in each else {"PhysicSceneData": each})}
        for i, each in enumerate(scenes)
    ]
    return xman(Prototyps={"PrototypItems": prototypes}, LevelItems=items, **fields)


def item_of(scene, folder=None, **fields):
    """One item as the simulator gets it, of the folder where pictures are."""
    given = {"PhysicLevelItems": [{"LevelItemId": 4, "PhysicSceneData": scene, **fields}]}
    return xman(folder=folder, **given)


def animated(columns, mask=None, scene=None, **fields):
    """An item with an animation; each column has the values of a joint or thruster."""
    if scene is None:
        scene = {"Bodies": [WALL, BOX], "Joints": [linked("Revolute", **DRIVEN)]}
    count = len(columns[0])
    frames = [
        {"Time": i / (count - 1), "Values": [column[i] for column in columns]} for i in range(count)
    ]
    mask = [True] * len(columns) if mask is None else mask
    animation = {"Frames": frames, "DurrationInSeconds": 2, "Type": 0, "PropertyIsAnimated": mask}
    return item_of(scene, AnimationData=[{**animation, **fields}])


def tracks_of(made):
    return {path: keys for a in made.scene().animations.values() for path, keys in tracks(a)}


def tracks(animation):
    return [
        (track.path, [list(key) for key in zip(track.times, track.values, strict=True)])
        for track in animation.tracks
    ]


def picture(folder, name="crate.png", size=(30, 40)):
    Image.new("RGB", size, "brown").save(folder / name)
    return name


@ROWS.shows("`Prototyps`: `PrototypItems` with `Id`, `PhysicSceneData`")
def _():
    items = [
        {"LevelItemId": i, "PrototypId": 1, "SizeFactor": s} for i, s in ((1, 1), (2, 2), (3, 2))
    ]
    made = level(items, {"Bodies": [BOX]}, {"Bodies": [CRATE]})
    assert made.text.count("use: prototype_1_2") == 2
    assert [body.name for body in made.scene().bodies.values()] == [
        f"item_{i}.rectangle_0" for i in (1, 2, 3)
    ]
    return made


@ROWS.shows("`PhysicSceneForAnimationNull` of a prototype")
def _():
    begun = {"Bodies": [{**BOX, "Center": [7, 8], "CollisionCategory": 3}]}
    drawn = {"Bodies": [{**BOX, "CollisionCategory": 0}]}
    prototype = {"Id": 0, "PhysicSceneData": drawn, "PhysicSceneForAnimationNull": begun}
    items = [{"LevelItemId": 1, "PrototypId": 0, "Position": [7 - 20, 8 - 10]}]
    made = xman(Prototyps={"PrototypItems": [prototype]}, LevelItems=items)
    assert only(made.scene().bodies).position == (7.0, 8.0)
    return made


@ROWS.shows(
    "`LevelItems`: `LevelItemId`, `PrototypId`, `Position`, `AngleInDegree`, `SizeFactor`, "
    "`LocalPivot`"
)
def _():
    fast = {**CRATE, "Velocity": [1, 0]}
    joint = linked(
        "Distance", R1=[0, 0], R2=[20, 0], LimitIsEnabled=True, MinLength=5, MaxLength=90
    )
    placed = {"Position": [500, 400], "AngleInDegree": 90, "SizeFactor": 0.5, "LocalPivot": [1, 1]}
    scene = {"Bodies": [{**WALL, "Size": [8, 8], "Center": [100, 50]}, fast], "Joints": [joint]}
    made = level([{"LevelItemId": 3, "PrototypId": 0, **placed}], scene)
    body = made.scene().bodies["item_3.rectangle_1"]
    # From the lower right corner of the box its centre is 20 px left and 10 px up.
    assert body.position == pytest.approx((500 + 5, 400 - 10))
    assert (body.angle, body.velocity) == (pytest.approx(math.pi / 2), pytest.approx((1, 0)))
    assert max(body.shapes[0].points) == (10.0, 5.0)
    rod = only(made.scene().joints)
    assert (rod.anchor_b, rod.min_length, rod.max_length) == ((10.0, 0.0), 2.5, 45.0)
    return made


@ROWS.shows("`LevelItemsExport` of a prototype that is a group")
def _():
    pile = [{"PrototypId": 0, "Position": [0, y], "LocalPivot": [0, 0]} for y in (0, -20)]
    prototypes = [
        {"Id": 0, "PhysicSceneData": {"Bodies": [CRATE]}},
        {"Id": 1, "LevelItemsExport": pile},
        {"Id": 2, "LevelItemsExport": [{"PrototypId": 1, "Position": [9, 9]}]},
    ]
    placed = {"PrototypId": 2, "Position": [500, 400], "SizeFactor": 0.5, "LocalPivot": [0.5, 1]}
    items = [{"LevelItemId": 3, **placed}]
    made = xman(Prototyps={"PrototypItems": prototypes}, LevelItems=items)
    lower, upper = made.scene().bodies.values()
    assert (lower.position, upper.position) == ((500.0, 395.0), (500.0, 385.0))
    assert [lower.name, upper.name] == ["item_3_0_0.rectangle_0", "item_3_0_1.rectangle_0"]
    return made


def square(x, half):
    return [[x - half, -half], [x + half, -half], [x + half, half], [x - half, half]]


@ROWS.shows("`LevelItems` with `Points`, `Friction`, `Restiution`, `CollisionCategory`")
def _():
    fields = {"Friction": 0.25, "Restiution": 0.75, "CollisionCategory": 0}
    halves = [(0, 400), (0, 300), (200, 50)]
    items = [
        {"LevelItemId": i, "Points": square(x, half), **fields}
        for i, (x, half) in enumerate(halves)
    ]
    made = level(items)
    land, hole, island = made.scene().bodies.values()
    assert (land.shapes[0].kind, hole.shapes[0].kind) == ("chain", "chain")
    assert land.shapes[0].side != hole.shapes[0].side
    assert (island.shapes[0].kind, island.position) == ("polygon", (200.0, 0.0))
    material = land.shapes[0].material
    assert (land.kind, material.friction, material.restitution) == ("static", 0.25, 0.75)
    return made


@ROWS.shows("`LevelItems` with a `PolygonLevelItemId`: lawn")
def _():
    item = {"LevelItemId": 1, "PrototypId": 0}
    return level([item, {"LevelItemId": 2, "PolygonLevelItemId": 1}], {"Bodies": [BOX]})


@ROWS.shows("`PhysicLevelItems`: `PhysicSceneData` of each, an object or a text of JSON")
def _():
    inner = {"Bodies": [WALL, BOX]}
    items = [{"PhysicSceneData": inner}, {"PhysicSceneData": json.dumps(inner)}]
    made = xman(PhysicLevelItems=items)
    names = ["item_1_rectangle_0", "item_1_rectangle_1", "item_2_rectangle_2", "item_2_rectangle_3"]
    assert list(made.scene().bodies) == names
    return made


@ROWS.shows("an item without a `PhysicSceneData`")
def _():
    return xman(PhysicLevelItems=[{"PhysicSceneData": {"Bodies": [BOX]}}, {"LevelItemId": 2}])


@ROWS.shows(
    "`AnimationData`: `Frames` with `Time` and `Values`, `DurrationInSeconds`, `Type`, "
    "`StartTime`, `PropertyIsAnimated`"
)
def _():
    kinds = [animated([[0, 1, 0]], Type=i).scene().animations for i in (0, 1, 2)]
    assert [only(each).kind for each in kinds] == ["once", "loop", "manual"]
    assert animated([[0, 1]], mask=[False]).losses
    made = animated([[0, 0.5, 1]], StartTime=0.25)
    animation = only(made.scene().animations)
    assert (animation.duration, animation.start) == (2000.0, 0.25)
    assert [time for time, _ in only(tracks_of(made))] == [0.0, 0.5, 1.0]
    return made


@ROWS.shows("values of a hinge or slide whose `Motor` is 2")
def _():
    slide = linked("Prismatic", R1=[50, 0], Motor=2, MaxMotorForce=9)
    moved = animated([[0, 2]], scene={"Bodies": [WALL, BOX], "Joints": [slide]})
    assert tracks_of(moved) == {"prismatic_0.motor.position": [[0, 0], [1, 100]]}
    made = animated([[0, 1]])
    turned = only(tracks_of(made))
    assert [value for _, value in turned] == pytest.approx([0, math.pi / 2])
    return made


@ROWS.shows("values of a distance joint")
def _():
    made = animated([[40, 60]], scene={"Bodies": [WALL, BOX], "Joints": [linked("Distance")]})
    assert tracks_of(made) == {"distance_0.motor.position": [[0, 40], [1, 60]]}
    assert only(made.scene().joints).motor.max_force == math.inf
    return made


@ROWS.shows("values of a rope")
def _():
    rope = linked("Distance", JointIsRope=True)
    made = animated([[40, 60]], scene={"Bodies": [WALL, BOX], "Joints": [rope]})
    assert not only(made.scene().joints).rope
    assert tracks_of(made) == {"distance_0.motor.position": [[0, 40], [1, 60]]}
    return made


@ROWS.shows("values of a thruster")
def _():
    jet = {"BodyIndex": 0, "ForceDirection": [0, 1], "ForceLength": 1}
    made = animated([[False, True]], scene={"Bodies": [BOX], "Thrusters": [jet]})
    assert tracks_of(made) == {"thruster_0.enabled": [[0, False], [1, True]]}
    return made


@ROWS.shows("values of other joints, where they change")
def _():
    weld = {"Bodies": [WALL, BOX], "Joints": [linked("Revolute", **DRIVEN), linked("Weld")]}
    assert animated([[0, 1], [200, 200]], scene=weld).losses == ()
    made = animated([[0, 1], [200, 300]], scene=weld)
    assert len(tracks_of(made)) == 1
    return made


@ROWS.shows("values that an animation before moves")
def _():
    scene = {"Bodies": [WALL, BOX], "Joints": [linked("Revolute", **DRIVEN)]}
    frames = [{"Time": 0, "Values": [0]}, {"Time": 1, "Values": [1]}]
    animation = {"Frames": frames, "Type": 0, "PropertyIsAnimated": [True]}
    made = item_of(scene, AnimationData=[animation, animation])
    assert len(made.scene().animations) == 1
    return made


@ROWS.shows("a loop that does not end as it begins, and jumps")
def _():
    made = animated([[0, 1]], Type=1)
    assert [time for time, _ in only(tracks_of(made))] == [0.0, 0.99, 1.0]
    return made


@ROWS.shows("`KeyboardMappings`, `KeyboardMappingTables`: `Key`, `HandlerId`")
def _():
    # Hinges without limits come first, then thrusters, motors, and animations back and forth.
    free = linked("Revolute", R1=[50, 0], MotorSpeed=0.01, MaxMotorTorque=3)
    scene = {
        "Bodies": [WALL, BOX],
        "Joints": [linked("Revolute", **DRIVEN), free],
        "Thrusters": [{"BodyIndex": 1, "ForceLength": 1}],
        "Motors": [{"BodyIndex": 1, "RotaryForce": 1}],
    }
    frames = [{"Time": 0, "Values": [0, 0, False]}, {"Time": 1, "Values": [1, 0, False]}]
    animation = {"Frames": frames, "Type": 2, "PropertyIsAnimated": [True, False, False]}
    keys = [{"Key": key, "HandlerId": i} for i, key in enumerate((44, 24, "Space", 23, 25))]
    made = item_of(scene, AnimationData=[animation], KeyboardMappings=keys)
    for line in (
        "up: thruster_0",
        "space: rotary_motor_1",
        "left: item_1_animation_0.backward",
        "right: item_1_animation_0.forward",
        "a: {set: {revolute_1.motor.max_torque: 3}, on_release: {revolute_1.motor.max_torque: 0}}",
    ):
        assert f"  {line}\n" in made.text
    prototype = {"Id": 0, "PhysicSceneData": scene, "AnimationData": [{"AnimationData": animation}]}
    tables = [{"LevelItemId": 7, "Entries": keys}]
    items = [{"LevelItemId": i, "PrototypId": 0} for i in (7, 8)]
    given = {"Prototyps": {"PrototypItems": [prototype]}, "LevelItems": items}
    placed = xman(**given, KeyboardMappingTables=tables)
    assert "  right: item_7.animation_0.forward\n" in placed.text
    assert "item_8." not in placed.text
    assert placed.losses == ()
    return made


@ROWS.shows("a `Key` that has no name here")
def _():
    jet = {"BodyIndex": 0, "ForceLength": 1}
    keys = [{"Key": 171, "HandlerId": 0}]
    return item_of({"Bodies": [BOX], "Thrusters": [jet]}, KeyboardMappings=keys)


@ROWS.shows(
    "`TextureData`: `TextureFile`, `DeltaX`, `DeltaY`, `Width`, `Height`, `DeltaAngle`, "
    "`ColorFactor`, `ZValue`"
)
def _(folder):
    given = {"TextureFile": f".\\{picture(folder)}", "DeltaX": 1, "DeltaY": 2, "Width": 50}
    given |= {"Height": 60, "DeltaAngle": 90, "ColorFactor": "255, 128, 0", "ZValue": 3}
    made = item_of({"Bodies": [BOX]}, folder, TextureData={"Textures": [given]})
    body = only(made.scene().bodies)
    texture = body.texture
    assert (texture.offset, texture.size, body.z) == ((1.0, 2.0), (50.0, 60.0), 3)
    assert (texture.angle, texture.tint) == (pytest.approx(math.pi / 2), "#ff8000ff")
    return made


@ROWS.shows("`IsInvisible`")
def _():
    made = item_of({"Bodies": [BOX]}, TextureData={"Textures": [{"IsInvisible": True}]})
    assert not only(made.scene().bodies).visible
    return made


@ROWS.shows("`MakeFirstPixelTransparent`")
def _(folder):
    given = {"TextureFile": picture(folder), "MakeFirstPixelTransparent": True}
    made = item_of({"Bodies": [BOX]}, folder, TextureData={"Textures": [given]})
    assert only(made.scene().bodies).texture is not None
    return made


@ROWS.shows("a picture that is not in the folder of the scene")
def _(folder):
    for name in ("none.png", "../crate.png", "C:\\crate.png"):
        given = {"TextureFile": name}
        made = item_of({"Bodies": [BOX]}, folder / "inner", TextureData={"Textures": [given]})
        assert made.losses
    picture(folder)
    given = {"TextureFile": "crate.png"}
    made = item_of({"Bodies": [BOX]}, TextureData={"Textures": [given]})  # nobody says the folder
    assert only(made.scene().bodies).texture is None
    return made


@ROWS.shows("`BackgroundImage`, `BackgroundImageMode`")
def _(folder):
    scene, item = {"Bodies": [BOX]}, {"LevelItemId": 1, "PrototypId": 0}
    fields = {"BackgroundImage": picture(folder), "folder": folder}
    fits = [
        level([item], scene, BackgroundImageMode=mode, **fields).scene().render.background.fit
        for mode in (0, 1)
    ]
    assert fits == ["stretch", "contain"]
    (layer,) = level([item], scene, BackgroundImageMode=2, **fields).scene().layers
    assert (layer.at, layer.scale) == ((15.0, 20.0), 1.0)
    items = [{"PhysicSceneData": scene}]
    image = {"FileName": fields["BackgroundImage"], "Mode": 1}
    made = xman(PhysicLevelItems=items, BackgroundImage=image, folder=folder)
    assert made.scene().render.background.fit == "contain"
    return made


@ROWS.shows("`ForegroundImage`, on the ground (`BackgroundImage` in its holes)")
def _(folder):
    items = [{"LevelItemId": i, "Points": square(x, 50)} for i, x in ((1, 0), (2, 200))]
    made = level(items, ForegroundImage=picture(folder), folder=folder)
    left, right = made.scene().bodies.values()
    assert left.texture.size == right.texture.size == (300.0, 100.0)
    assert (left.texture.offset, right.texture.offset) == ((100.0, 0.0), (-100.0, 0.0))
    return made


@ROWS.shows("`BackgroundItems`, and prototypes with a `TextureFile`")
def _(folder):
    tree = {"TextureFile": picture(folder), "ZValue": -2}
    placed = {"Position": [700, 400], "SizeFactor": 2, "LocalPivot": [0.5, 1]}
    items = [{"LevelItemId": 1, "PrototypId": 1, **placed}, {"LevelItemId": 2, "PrototypId": 0}]
    made = level(items, {"Bodies": [BOX]}, tree, folder=folder)
    (layer,) = made.scene().layers
    assert (layer.at, layer.scale, layer.z) == ((700.0, 360.0), 2.0, -2)
    given = {**tree, "Center": [700, 360], "Width": 60, "Height": 80}
    simulated = xman(
        PhysicLevelItems=[{"PhysicSceneData": {"Bodies": [BOX]}}],
        BackgroundItems=[given],
        folder=folder,
    )
    assert simulated.scene().layers == made.scene().layers
    return made


@ROWS.shows("a background that is turned")
def _(folder):
    tree = {"TextureFile": picture(folder)}
    items = [{"LevelItemId": 1, "PrototypId": 1, "AngleInDegree": 30}, {"PrototypId": 0}]
    return level(items, {"Bodies": [BOX]}, tree, folder=folder)


@ROWS.shows("`TagdataEntries` of bodies: `TagType`, `TagId`, `Names`, `Color`, `AnchorPoints`")
def _():
    tag = {"TagType": 2, "TagId": 1, "Names": ["leg"], "Color": 3, "AnchorPoints": [[0, 10]]}
    made = item_of({"Bodies": [WALL, BOX]}, TagdataEntries=[tag])
    body = made.scene().bodies["item_1_rectangle_1"]
    assert (set(body.tags), body.points) == ({"leg", "color_3"}, {"anchor_0": (0.0, 10.0)})
    return made


@ROWS.shows("`TagdataEntries` of other things, `TagData`")
def _():
    tags = {"Tags": [{"Id": "crate", "Name": "box"}]}
    assert level([{"PrototypId": 0}], {"Bodies": [BOX]}, TagData=tags).losses
    return item_of({"Bodies": [BOX]}, TagdataEntries=[{"TagType": 3, "TagId": 0, "Names": ["a"]}])


@ROWS.shows(
    "`CameraTrackedLevelItemId`, `CameraTrackerData`: `Mode`, `CameraZoom`, "
    "`DistanceToScreenBorder`, `MaxBorder`"
)
def _():
    tracker = {"Mode": 1, "CameraZoom": 1.5, "MaxBorder": "0, 0, 900, 500"}
    items = [{"LevelItemId": i, "PrototypId": 0} for i in (3, 5)]
    fields = {"CameraTrackedLevelItemId": 5, "CameraTrackerData": tracker}
    camera = level(items, {"Bodies": [BOX]}, **fields).scene().camera
    assert (camera.mode, camera.style) == ("follow", "center")
    assert camera.target == "item_5.rectangle_0"
    assert (camera.zoom, camera.bounds) == (1.5, ((0.0, 0.0), (900.0, 500.0)))
    tracker |= {"Mode": 0, "DistanceToScreenBorder": 40}
    made = level(items, {"Bodies": [BOX]}, **fields)
    assert (made.scene().camera.style, made.scene().camera.margin) == ("keep_in", 40.0)
    two = level(items, {"Bodies": [BOX, {**BOX, "Center": [0, 0]}]}, **fields)
    assert len(two.scene().camera.targets) == 2
    return made


@ROWS.shows("`UseCameraAutoZoom`, where it follows nothing")
def _():
    fields = {"UseCameraAutoZoom": True, "CameraTrackedLevelItemId": -1, "CameraTrackerData": {}}
    made = level([{"PrototypId": 0}], {"Bodies": [BOX]}, **fields)
    assert (made.scene().camera.mode, made.scene().camera.fit) == ("fit", "start")
    return made
