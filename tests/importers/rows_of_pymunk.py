# SPDX-License-Identifier: MIT
"""What the page says of spaces of pymunk, row by row, by stand-ins that have its attributes."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from rigid.core import from_pymunk

from tests.importers.documented import Rows, only
from tests.importers.given import (
    ALL,
    Circle,
    Poly,
    Segment,
    body,
    constraint,
    pair,
    shape,
    space,
)

ROWS = Rows("pymunk")


def body_of(kind=Circle, outline=(), **fields):
    owner = body(**fields)
    outline = {"radius": 1, "offset": (0, 0), **dict(outline)}
    made = from_pymunk(space([owner], [shape(kind, owner, **outline)]))
    return made.scene().bodies["body_0"], made


def joint_of(kind, hinge=False, **fields):
    """A constraint of two balls, with a hinge between them where it needs one."""
    a, b, shapes = pair()
    joints = [constraint("PivotJoint", a, b)] if hinge else []
    made = from_pymunk(space([a, b], shapes, [*joints, constraint(kind, a, b, **fields)]))
    joints = list(made.scene().joints.values())
    return (joints[0] if joints else None), made


@ROWS.shows("`space.gravity`, `space.damping`")
def _():
    owner = body()
    balls = [shape(Circle, owner, radius=1, offset=(0, 0))]
    assert from_pymunk(space([owner], balls, gravity=(0, -900))).scene().world.length_unit == 90
    made = from_pymunk(space([owner], balls, gravity=(1, -9), damping=0.5))
    world = made.scene().world
    assert world.gravity == (1.0, -9.0)
    assert (world.linear_damping, world.angular_damping) == pytest.approx([math.log(2)] * 2)
    return made


@ROWS.shows("`body_type`, `position`, `angle`, `velocity`, `angular_velocity`")
def _():
    assert [body_of(kind=Circle, body_type=i)[0].kind for i in range(3)] == [
        "dynamic",
        "kinematic",
        "static",
    ]
    got, made = body_of(position=(1, 2), angle=0.5, velocity=(3, 4), angular_velocity=-1)
    assert (got.position, got.angle) == ((1.0, 2.0), 0.5)
    assert (got.velocity, got.angular_velocity) == ((3.0, 4.0), -1.0)
    return made


@ROWS.shows("`mass`, `moment`, `center_of_gravity`")
def _():
    assert body_of(moment=math.inf)[0].fixed_rotation
    got, made = body_of(mass=7, moment=2, center_of_gravity=(0.5, 0))
    assert (got.mass, got.inertia, got.center_of_mass) == (7.0, 2.0, (0.5, 0.0))
    return made


def held(kind, post=None, **fields):
    """A constraint of a ball with something that stands and has no shapes."""
    post = body(2, position=(1, 2), angle=math.pi / 2) if post is None else post
    ball = body(position=(1, 5))
    given = constraint(kind, post, ball, **{"anchor_a": (3, 0), **fields})
    outline = shape(Circle, ball, radius=1, offset=(0, 0))
    return from_pymunk(space([ball], [outline], [given], static_body=post))


@ROWS.shows("a static body without shapes")
def _():
    groove = only(held("GrooveJoint", groove_a=(3, 0), groove_b=(4, 0)).scene().joints)
    assert groove.axis == pytest.approx((0, 1))
    made = held("PivotJoint")
    joint = only(made.scene().joints)
    assert (joint.body_a, list(made.scene().bodies)) == ("world", ["body_0"])
    assert joint.anchor_a == pytest.approx((1, 5))
    return made


@ROWS.shows("others without shapes")
def _():
    made = from_pymunk(space([body()], []))
    assert made.scene().bodies["body_0"].shapes[0].sensor
    return made


@ROWS.shows("`Circle`: `radius`, `offset`")
def _():
    got, made = body_of(outline={"radius": 2, "offset": (1, 3)})
    assert (got.shapes[0].radius, got.shapes[0].points) == (2.0, ((1.0, 3.0),))
    return made


@ROWS.shows("`Segment`: `a`, `b`, `radius`")
def _():
    ends = {"a": (-1, 0), "b": (1, 0)}
    assert body_of(Segment, {**ends, "radius": 0})[0].shapes[0].kind == "segment"
    got, made = body_of(Segment, {**ends, "radius": 0.25})
    assert (got.shapes[0].kind, got.shapes[0].radius) == ("capsule", 0.25)
    return made


@ROWS.shows("`Poly`, with a `radius` around its corners")
def _():
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    got, made = body_of(Poly, {"points": corners, "radius": 0.25})
    assert got.shapes[0].radius == 0.25
    assert {(abs(x), abs(y)) for x, y in got.shapes[0].points} == {(1.0, 1.0)}
    return made


@ROWS.shows("`friction`, `elasticity`")
def _():
    got, made = body_of(outline={"friction": 0.25, "elasticity": 0.5})
    material, collision = got.shapes[0].material, made.scene().collision
    assert (material.friction, material.restitution) == (0.25, 0.5)
    assert collision.friction_mixing == collision.restitution_mixing == "product"
    return made


@ROWS.shows("an `elasticity` above 1")
def _():
    got, made = body_of(outline={"elasticity": 1.5})
    assert got.shapes[0].material.restitution == 1
    return made


@ROWS.shows("`sensor`, `filter`")
def _():
    a, b, shapes = pair()
    for each in shapes:
        each.filter = SimpleNamespace(categories=ALL, mask=ALL, group=3)
        each.sensor = True
    made = from_pymunk(space([a, b], shapes))
    scene = made.scene()
    outline = scene.bodies["body_0"].shapes[0]
    index = scene.collision.categories.index(outline.category)
    assert outline.sensor
    assert not scene.collision.matrix[index][index]
    return made


@ROWS.shows("`surface_velocity` along a `Segment`")
def _():
    for ends in ({"a": (0, 0), "b": (3, 4)}, {"a": (3, 4), "b": (0, 0)}):
        belt = {**ends, "radius": 0, "surface_velocity": (6, 8)}
        got, made = body_of(Segment, belt)
        assert got.shapes[0].material.tangent_speed == pytest.approx(10)
    return made


@ROWS.shows("`surface_velocity` otherwise")
def _():
    got, made = body_of(outline={"surface_velocity": (2, 0)})
    assert got.shapes[0].material.tangent_speed == 2
    return made


@ROWS.shows("`collide_bodies`")
def _():
    assert joint_of("PivotJoint")[0].collide
    joint, made = joint_of("PivotJoint", collide_bodies=False)
    assert not joint.collide
    return made


@ROWS.shows("`PinJoint`, `SlideJoint`")
def _():
    slide, _ = joint_of("SlideJoint", min=1, max=3)
    assert (slide.kind, slide.min_length, slide.max_length) == ("distance", 1.0, 3.0)
    pin, made = joint_of("PinJoint", distance=2)
    assert (pin.kind, pin.length) == ("distance", 2.0)
    return made


@ROWS.shows("`PivotJoint`")
def _():
    joint, made = joint_of("PivotJoint", anchor_a=(1, 0), anchor_b=(-1, 0))
    assert (joint.kind, joint.anchor_a, joint.anchor_b) == ("revolute", (1.0, 0.0), (-1.0, 0.0))
    return made


@ROWS.shows("`PivotJoint` with a `max_force` to a static body without shapes")
def _():
    made = held("PivotJoint", max_force=7)
    joint = only(made.scene().joints)
    assert (joint.kind, joint.stiff, joint.max_force) == ("mouse", True, 7.0)
    assert joint.anchor_a == pytest.approx((1, 5))
    return made


@ROWS.shows("`GrooveJoint`")
def _():
    joint, made = joint_of("GrooveJoint", groove_a=(0, 0), groove_b=(0, 4))
    assert (joint.kind, joint.axis, joint.limits) == ("wheel", (0.0, 1.0), (0.0, 4.0))
    return made


@ROWS.shows("`DampedSpring`")
def _():
    joint, made = joint_of("DampedSpring", rest_length=1.5, stiffness=20, damping=0.5)
    assert (joint.kind, joint.length) == ("distance", 1.5)
    assert (joint.spring.stiffness, joint.spring.damping) == (20.0, 0.5)
    return made


@ROWS.shows("`RotaryLimitJoint`")
def _():
    joint, made = joint_of("RotaryLimitJoint", hinge=True, min=-1, max=0.5)
    assert joint.limits == (-1.0, 0.5)
    return made


@ROWS.shows("`SimpleMotor`")
def _():
    joint, made = joint_of("SimpleMotor", hinge=True, rate=3, max_force=10)
    assert (joint.motor.speed, joint.motor.max_force) == (-3.0, 10.0)
    return made


@ROWS.shows("`DampedRotarySpring`")
def _():
    fields = {"rest_angle": 0.5, "stiffness": 20, "damping": 0.25}
    joint, made = joint_of("DampedRotarySpring", hinge=True, **fields)
    assert joint.motor.position == pytest.approx(-0.5)
    assert (joint.motor.spring.stiffness, joint.motor.spring.damping) == (20.0, 0.25)
    return made


@ROWS.shows("`RatchetJoint`")
def _():
    joint, made = joint_of("RatchetJoint", hinge=True, ratchet=-0.5, phase=0)
    assert (joint.kind, joint.pitch) == ("ratchet", -0.5)
    return made


def geared(**fields):
    """Two balls, each on a hinge of its own that stands, and a gear."""
    a, b, shapes = pair()
    post = body(2, position=(0, 0))
    hinges = [
        constraint("PivotJoint", post, a),
        constraint("PivotJoint", post, b, anchor_a=(2, 0)),
    ]
    gear = constraint("GearJoint", a, b, **{"ratio": 3, "phase": 0, **fields})
    nail = shape(Circle, post, radius=0.1, offset=(0, 0))
    made = from_pymunk(space([a, b, post], [*shapes, nail], [*hinges, gear]))
    return list(made.scene().joints.values())[-1], made


@ROWS.shows("`GearJoint`")
def _():
    gear, made = geared()
    assert (gear.kind, gear.ratio) == ("gear", -3.0)
    return made


@ROWS.shows("`GearJoint` that begins out of phase")
def _():
    return geared(phase=0.5)[1]


@ROWS.shows("`SimpleMotor` without such a hinge, against a static body without shapes")
def _():
    made = held("SimpleMotor", rate=3, max_force=10)
    motor = only(made.scene().actuators)
    assert (motor.kind, motor.speed, motor.max_torque) == ("rotary_motor", -3.0, 10.0)
    return made


@ROWS.shows("these five otherwise")
def _():
    kinds = ("RotaryLimitJoint", "SimpleMotor", "DampedRotarySpring", "RatchetJoint", "GearJoint")
    made = [joint_of(kind)[1] for kind in kinds]
    assert all(each.losses and each.joints == 0 for each in made)
    return made[0]


@ROWS.shows("`max_force` of a joint, before it gives way")
def _():
    joint, made = joint_of("PinJoint", distance=2, max_force=5)
    assert joint.break_force == math.inf
    return made


@ROWS.shows("a joint that can move nothing")
def _():
    posts = body(2), body(2, position=(2, 0))
    shapes = [shape(Circle, each, radius=0.5, offset=(0, 0)) for each in posts]
    made = from_pymunk(space(list(posts), shapes, [constraint("PivotJoint", *posts)]))
    assert made.joints == 0
    return made
