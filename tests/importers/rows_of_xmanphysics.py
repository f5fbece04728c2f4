# SPDX-License-Identifier: MIT
"""What the page says of scenes of document 000's engine, row by row."""

from __future__ import annotations

import math

import pytest

from tests.importers.documented import Rows, only
from tests.importers.given import xman

ROWS = Rows("xmanphysics")
WALL = {"$type": "A.RectangleExportData, A", "Size": [100, 10], "MassData": {"Type": 2}}
BOX = {"$type": "A.RectangleExportData, A", "Size": [40, 20], "Center": {"X": 100, "Y": 50}}
CORNERS = [[0, 0], [30, 0], [0, 30]]
SOFT = {"ParameterType": 1, "Stiffness": 0.5, "Damping": 0.25}


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


def level(items, *scenes, **fields):
    """A level of items, which are made of prototypes 0, 1 and so on with these scenes."""
    prototypes = [
        {"Id": i, **(each if "TextureFile" in each else {"PhysicSceneData": each})}
        for i, each in enumerate(scenes)
    ]
    return xman(Prototyps={"PrototypItems": prototypes}, LevelItems=items, **fields)


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
