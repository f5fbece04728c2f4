# SPDX-License-Identifier: MIT
"""What the page says of worlds of Box2D and projects of R.U.B.E., row by row."""

from __future__ import annotations

import math

import pytest
from PIL import Image

from tests.importers.documented import Rows
from tests.importers.given import box2d, rube

ROWS = Rows("box2d-json and rube")
ROUND = {"density": 1, "circle": {"center": 0, "radius": 0.5}}
GROUND = {"name": "ground", "type": 0, "fixture": [ROUND]}
BALL = {"name": "ball", "type": 2, "position": {"x": 2, "y": 3}, "fixture": [ROUND]}
SPAN = {"x": [0, 2, 2], "y": [0, 0, 1]}


def ball_of(**fields):
    made = box2d([{**BALL, **fields}])
    return made.scene().bodies["ball"], made


def shape_of(**fields):
    body, made = ball_of(fixture=[fields])
    return body.shapes[0], made


def joint_of(kind, ground=GROUND, ball=BALL, **fields):
    given = {"name": "joint", "type": kind, "bodyA": 0, "bodyB": 1, **fields}
    made = box2d([ground, ball], [given])
    return made.scene().joints.get("joint"), made


# ---------------------------------------------------------------- the world, bodies


@ROWS.shows("`gravity`, `stepsPerSecond`, `allowSleep`")
def _():
    given = {"gravity": {"x": 1, "y": -3}, "stepsPerSecond": 50, "allowSleep": False}
    made = box2d([BALL], **given)
    world = made.scene().world
    assert (world.gravity, world.dt, world.sleep) == ((1.0, -3.0), 1 / 50, False)
    project = rube(metabody=[{**BALL, "fixture": []}], **given).scene().world
    assert (project.gravity, project.dt, project.sleep) == (world.gravity, world.dt, world.sleep)
    return made


@ROWS.shows("`body`: `name`, `type` 0, 1, 2, `position`, `angle`")
def _():
    kinds = [ball_of(type=index)[0].kind for index in (0, 1, 2)]
    assert kinds == ["static", "kinematic", "dynamic"]
    body, made = ball_of(angle=0.5)
    assert (body.name, body.position, body.angle) == ("ball", (2.0, 3.0), 0.5)
    return made


@ROWS.shows("`linearVelocity`, `angularVelocity`, `linearDamping`, `angularDamping`")
def _():
    body, made = ball_of(
        linearVelocity={"x": 1, "y": 2}, angularVelocity=3, linearDamping=0.1, angularDamping=0.2
    )
    assert (body.velocity, body.angular_velocity) == ((1.0, 2.0), 3.0)
    assert (body.linear_damping, body.angular_damping) == (0.1, 0.2)
    return made


@ROWS.shows("`gravityScale`, `bullet`, `fixedRotation`, `awake`, `allowSleep` of a body")
def _():
    body, made = ball_of(
        gravityScale=0.5, bullet=True, fixedRotation=True, awake=False, allowSleep=False
    )
    assert (body.gravity_scale, body.bullet, body.fixed_rotation) == (0.5, True, True)
    assert (body.awake, body.sleep) == (False, False)
    return made


@ROWS.shows("`massData-mass`, `massData-center`, `massData-I` that are not those of the fixtures")
def _():
    mass = {"massData-mass": 4, "massData-center": {"x": 0.5, "y": 0.5}, "massData-I": 5}
    body, made = ball_of(**mass)
    assert (body.mass, body.center_of_mass) == (4.0, (0.5, 0.5))
    assert body.inertia == pytest.approx(5 - 4 * 0.5)  # there it is about the origin
    return made


@ROWS.shows("a dynamic body whose fixtures have no `density`")
def _():
    body, made = ball_of(fixture=[{"circle": {"radius": 1}}])
    assert (body.mass, body.fixed_rotation) == (1.0, True)
    return made


@ROWS.shows("`active: false`")
def _():
    body, made = ball_of(active=False)
    assert not body.collide
    return made


@ROWS.shows("a body of `type` 0 without a `fixture`")
def _():
    post = {"type": 0, "position": {"x": 1, "y": 2}, "angle": math.pi / 2}
    ends = {"anchorA": {"x": 3, "y": 0}, "anchorB": 0, "localAxisA": {"x": 1, "y": 0}}
    ends["refAngle"] = -math.pi / 2
    joint, made = joint_of("prismatic", ground=post, **ends)
    assert (joint.body_a, list(made.scene().bodies)) == ("world", ["ball"])
    assert joint.anchor_a == pytest.approx((1, 5))
    assert joint.axis == pytest.approx((0, 1))
    return made


@ROWS.shows("others without a `fixture`")
def _():
    body, made = ball_of(fixture=[])
    assert body.shapes[0].sensor
    return made


# ---------------------------------------------------------------- fixtures


@ROWS.shows("`fixture`: `circle` with `center`, `radius`")
def _():
    shape, made = shape_of(density=1, circle={"center": {"x": 1, "y": 2}, "radius": 0.5})
    assert (shape.kind, shape.radius, shape.points) == ("circle", 0.5, ((1.0, 2.0),))
    return made


@ROWS.shows("`fixture`: `polygon` with `vertices`")
def _():
    box = {"x": [0, 2, 2, 0], "y": [0, 0, 1, 1]}
    assert shape_of(density=1, polygon={"vertices": box})[0].source == "box"
    shape, made = shape_of(density=1, polygon={"vertices": SPAN})
    assert set(shape.points) == {(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)}
    return made


@ROWS.shows("`fixture`: `chain`, `loop`, `edge`")
def _():
    ends = {"vertex1": {"x": 0, "y": 0}, "vertex2": {"x": 2, "y": 1}}
    given = [{"chain": {"vertices": SPAN}}, {"loop": SPAN}, {"edge": ends}]
    made = box2d([{**GROUND, "fixture": given}])
    chain, loop, edge = made.scene().bodies["ground"].shapes
    assert [each.kind for each in (chain, loop, edge)] == ["chain", "chain", "segment"]
    assert (chain.side, chain.loop, loop.side, loop.loop) == ("both", False, "both", True)
    return made


@ROWS.shows("`density`, `friction`, `restitution`, `sensor`")
def _():
    shape, made = shape_of(**{**ROUND, "density": 3}, friction=0.25, restitution=0.5, sensor=True)
    material = shape.material
    assert (material.density, material.friction, material.restitution) == (3.0, 0.25, 0.5)
    assert shape.sensor
    return made


@ROWS.shows("`restitution` above 1")
def _():
    shape, made = shape_of(**ROUND, restitution=1.5)
    assert shape.material.restitution == 1
    return made


@ROWS.shows("`filter-categoryBits`, `filter-maskBits`, `filter-groupIndex`")
def _():
    def touch(a, b):
        """Whether two balls of these filters may touch."""
        bodies = [
            {**BALL, "name": name, "fixture": [{**ROUND, **f}]} for name, f in (("a", a), ("b", b))
        ]
        made = box2d(bodies)
        scene = made.scene()
        matrix = scene.collision.matrix
        first, second = (scene.bodies[name].shapes[0].category for name in "ab")
        index = scene.collision.categories.index
        return matrix[index(first)][index(second)], made

    bits = {"filter-categoryBits": 2, "filter-maskBits": 1}
    assert touch({}, bits)[0]
    assert not touch(bits, bits)[0]
    assert not touch({"filter-groupIndex": -3}, {"filter-groupIndex": -3})[0]
    together, made = touch({**bits, "filter-groupIndex": 3}, {**bits, "filter-groupIndex": 3})
    assert together
    return made


# ---------------------------------------------------------------- joints


@ROWS.shows("`joint`: `bodyA`, `bodyB`, `anchorA`, `anchorB`, `collideConnected`")
def _():
    ends = {"anchorA": {"x": 1, "y": 2}, "anchorB": {"x": 3, "y": 4}, "collideConnected": True}
    joint, made = joint_of("weld", **ends)
    assert (joint.body_a, joint.body_b, joint.collide) == ("ground", "ball", True)
    assert (joint.anchor_a, joint.anchor_b) == ((1.0, 2.0), (3.0, 4.0))
    return made


@ROWS.shows("`enableLimit`, `lowerLimit`, `upperLimit`, `refAngle`")
def _():
    limits = {"enableLimit": True, "lowerLimit": -1, "upperLimit": 1}
    assert joint_of("prismatic", **limits)[0].limits == (-1.0, 1.0)
    joint, made = joint_of("revolute", ball={**BALL, "angle": 0.75}, refAngle=0.25, **limits)
    assert joint.limits == (-1.5, 0.5)
    return made


@ROWS.shows("`enableMotor`, `motorSpeed`, `maxMotorTorque`, `maxMotorForce`")
def _():
    motor = joint_of("prismatic", enableMotor=True, motorSpeed=2, maxMotorForce=9)[0].motor
    assert (motor.speed, motor.max_force) == (2.0, 9.0)
    joint, made = joint_of("revolute", enableMotor=True, motorSpeed=3, maxMotorTorque=8)
    assert (joint.motor.speed, joint.motor.max_force) == (3.0, 8.0)
    return made


@ROWS.shows("`prismatic`, `wheel`: `localAxisA`")
def _():
    axis = {"localAxisA": {"x": 0, "y": 1}}
    assert joint_of("prismatic", **axis)[0].axis == (0.0, 1.0)
    joint, made = joint_of("wheel", **axis)
    assert joint.axis == (0.0, 1.0)
    return made


@ROWS.shows("`wheel`: `springFrequency`, `springDampingRatio`")
def _():
    joint, made = joint_of("wheel", springFrequency=2, springDampingRatio=0.7)
    assert (joint.spring.frequency, joint.spring.damping_ratio) == (2.0, 0.7)
    return made


@ROWS.shows("`distance`: `length`, `frequency`, `dampingRatio`")
def _():
    joint, made = joint_of("distance", length=2, frequency=4, dampingRatio=0.5)
    assert (joint.length, joint.spring.frequency, joint.spring.damping_ratio) == (2.0, 4.0, 0.5)
    return made


@ROWS.shows("`rope`: `maxLength`")
def _():
    joint, made = joint_of("rope", maxLength=5)
    assert (joint.kind, joint.rope, joint.max_length) == ("distance", True, 5.0)
    return made


@ROWS.shows("`weld`")
def _():
    joint, made = joint_of("weld")
    assert (joint.kind, joint.spring) == ("weld", None)
    return made


@ROWS.shows("`weld` with `frequency`, `dampingRatio`, which gives in turns alone")
def _():
    joint, made = joint_of("weld", frequency=5, dampingRatio=0.5, refAngle=0.25)
    inertia, rate = math.pi / 4 * 0.125, 2 * math.pi * 5
    assert (joint.kind, joint.motor.position) == ("revolute", 0.25)
    assert joint.motor.spring.stiffness == pytest.approx(inertia * rate**2)
    assert joint.motor.spring.damping == pytest.approx(inertia * rate)
    return made


@ROWS.shows("`weld` or `prismatic` that begins turned against its `refAngle`")
def _():
    assert len(joint_of("weld", refAngle=0.5)[1].losses) == 1
    return joint_of("prismatic", refAngle=0.5)[1]


@ROWS.shows("`pulley`: `groundAnchorA`, `groundAnchorB`, `lengthA`, `lengthB`, `ratio`")
def _():
    grounds = {"groundAnchorA": {"x": 0, "y": 9}, "groundAnchorB": {"x": 2, "y": 9}}
    joint, made = joint_of("pulley", ground=BALL, **grounds, lengthA=5, lengthB=6, ratio=2)
    assert (joint.kind, joint.rope, joint.ratio, joint.length) == ("pulley", False, 2.0, 17.0)
    assert joint.ground_anchors == ((0.0, 9.0), (2.0, 9.0))
    return made


@ROWS.shows("`mouse`: `target`, `maxForce`, `frequency`, `dampingRatio`")
def _():
    joint, made = joint_of(
        "mouse", target={"x": 5, "y": 6}, maxForce=7, frequency=3, dampingRatio=1
    )
    assert (joint.kind, joint.anchor_a, joint.max_force) == ("mouse", (5.0, 6.0), 7.0)
    assert (joint.spring.frequency, joint.spring.damping_ratio) == (3.0, 1.0)
    return made


def geared(**gear):
    """Two balls on hinges that stand, and a gear between the hinges."""
    other = {**BALL, "name": "other", "position": {"x": 4, "y": 3}}
    hinges = [
        {"type": "revolute", "bodyA": 0, "bodyB": i, "anchorA": {"x": 2 * i, "y": 3}, "anchorB": 0}
        for i in (1, 2)
    ]
    slide = {"type": "prismatic", "bodyA": 0, "bodyB": 1}
    gear = {"type": "gear", "name": "gear", "joint1": 0, "joint2": 1, **gear}
    made = box2d([GROUND, BALL, other], [*hinges, slide, gear])
    return made.scene().joints.get("gear"), made


@ROWS.shows("`gear` between two hinges on one body, or on static ones: `joint1`, `joint2`, `ratio`")
def _():
    gear, made = geared(ratio=3)
    assert (gear.kind, gear.ratio) == ("gear", 3.0)
    return made


@ROWS.shows("`gear` between a hinge and a slide")
def _():
    # The slide of ball 1 goes along x, below the hinge of ball 2 at the same height: on one line.
    rack, made = geared(joint1=1, joint2=2, ratio=-4)
    assert (rack.kind, abs(rack.ratio)) == ("rack", 0.25)
    return made


@ROWS.shows("`gear` between others, or against the side of its rack")
def _():
    assert geared(joint1=2, joint2=2)[1].losses
    gear, made = geared(joint1=1, joint2=2, ratio=4)
    assert gear is None
    return made


@ROWS.shows("`friction` against a static body: `maxForce`, `maxTorque`")
def _():
    made = joint_of("friction", maxForce=3, maxTorque=4, anchorB={"x": 0.25, "y": 0})[1]
    x, y, turn = made.scene().actuators.values()
    assert [(each.direction, each.max_force, each.at) for each in (x, y)] == [
        ((1.0, 0.0), 3.0, (0.25, 0.0)),
        ((0.0, 1.0), 3.0, (0.25, 0.0)),
    ]
    assert (turn.kind, turn.speed, turn.max_torque) == ("rotary_motor", 0.0, 4.0)
    return made


@ROWS.shows("`friction` between moving bodies; `motor`")
def _():
    assert joint_of("motor")[1].losses
    return joint_of("friction", ground=BALL)[1]


@ROWS.shows("a joint without a dynamic body")
def _():
    joint, made = joint_of("weld", ball={**BALL, "type": 1})
    assert joint is None
    return made


# ---------------------------------------------------------------- what else there is


def picture(folder, **fields):
    Image.new("RGB", (40, 20), "brown").save(folder / "x.png")
    return {"file": "x.png", "body": 0, "center": 0, "scale": 3, **fields}


@ROWS.shows(
    "`image`, `metaimage` of a `body`: `file`, `center`, `scale`, `aspectScale`, `angle`, `flip`, "
    "`colorTint`, `opacity`, `renderOrder`"
)
def _(folder):
    image = picture(folder, center={"x": 1, "y": 2}, aspectScale=2, angle=0.5, flip=True)
    image |= {"colorTint": [255, 0, 0, 255], "opacity": 0.5, "renderOrder": 3}
    made = box2d([BALL], image=[image], folder=folder)
    texture = made.scene().bodies["ball"].texture
    assert (texture.offset, texture.size, texture.angle) == ((1.0, 2.0), (12.0, 3.0), 0.5)
    assert (texture.mirror, texture.tint, texture.z) == ("x", "#ff000080", 3)
    body = {**BALL, "id": 7, "type": "dynamic", "fixture": []}
    project = rube(folder=folder, metabody=[body], metaimage=[{**image, "body": 7}])
    assert project.scene().bodies["ball"].texture == texture
    return made


@ROWS.shows("`image`, `metaimage` of no `body`")
def _(folder):
    image = picture(folder, body=-1, center={"x": 1, "y": 2}, renderOrder=-2)
    made = box2d([BALL], image=[image], folder=folder)
    (layer,) = made.scene().layers
    assert (layer.at, layer.scale, layer.z) == ((1.0, 2.0), 3 / 20, -2)
    return made


@ROWS.shows("those that are turned, flipped or stretched")
def _(folder):
    return box2d([BALL], image=[picture(folder, body=-1, angle=0.5)], folder=folder)


@ROWS.shows("further images of a body, and pictures that are not in the folder of the scene")
def _(folder):
    image = picture(folder)
    assert len(box2d([BALL], image=[image, image], folder=folder).losses) == 1
    return box2d([BALL], image=[{**image, "file": "none.png"}], folder=folder)


@ROWS.shows("`metaobject` of projects")
def _():
    made = rube(metabody=[{**BALL, "type": "dynamic", "fixture": []}], metaobject=[{"file": "x"}])
    assert made.losses[-1].path == "metaworld.metaobject"
    return made


@ROWS.shows("`customProperties`")
def _():
    return ball_of(customProperties=[{"name": "life", "int": 3}])[1]
