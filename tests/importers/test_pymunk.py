# SPDX-License-Identifier: MIT
"""Spaces of pymunk: stand-ins with its attributes, and pymunk itself where it is installed."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import rigid2d.core
from rigid2d.core.errors import UsageError
from rigid2d.core.world import World

from tests.importers.given import (
    ALL,
    Blob,
    Circle,
    Poly,
    Segment,
    body,
    constraint,
    pair,
    shape,
    space,
)


def test_a_body_keeps_its_motion_and_mass():
    ball = body(position=(1, 2), angle=0.5, velocity=(3, 4), angular_velocity=-1, mass=7, moment=2)
    made = rigid2d.core.from_pymunk(space([ball], [shape(Circle, ball, radius=1, offset=(0, 0))]))
    got = made.scene().bodies["body_0"]
    assert (got.position, got.angle, got.velocity) == ((1.0, 2.0), 0.5, (3.0, 4.0))
    assert (got.angular_velocity, got.mass, got.inertia) == (-1.0, 7.0, 2.0)


def test_an_infinite_moment_never_turns():
    ball = body(moment=math.inf)
    made = rigid2d.core.from_pymunk(space([ball], [shape(Circle, ball, radius=1, offset=(0, 0))]))
    assert made.scene().bodies["body_0"].fixed_rotation


def test_the_radius_of_a_polygon_makes_it_larger():
    box = body()
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    made = rigid2d.core.from_pymunk(space([box], [shape(Poly, box, points=corners, radius=0.25)]))
    (got,) = made.scene().bodies["body_0"].shapes
    assert got.radius == 0.25
    for x, y in got.points:  # the corners of the core are those that pymunk has
        assert (abs(x), abs(y)) == pytest.approx((1, 1))


def test_a_thick_segment_is_a_capsule():
    rod = body()
    made = rigid2d.core.from_pymunk(
        space([rod], [shape(Segment, rod, a=(-1, 0), b=(1, 0), radius=0.1)])
    )
    assert made.scene().bodies["body_0"].shapes[0].kind == "capsule"


def test_shapes_of_the_static_body_are_a_body():
    world = space([], [])
    world.shapes.append(shape(Segment, world.static_body, a=(-1, 0), b=(1, 0)))
    assert rigid2d.core.from_pymunk(world).scene().bodies["static"].kind == "static"


def test_damping_is_the_part_of_the_velocity_that_is_left_after_a_second():
    ball = body()
    world = space([ball], [shape(Circle, ball, radius=1, offset=(0, 0))], damping=0.5)
    assert rigid2d.core.from_pymunk(world).scene().world.linear_damping == pytest.approx(
        math.log(2)
    )


def test_a_gravity_of_pixels_sets_the_length_unit():
    ball = body()
    circle = shape(Circle, ball, radius=10, offset=(0, 0))
    world = space([ball], [circle], gravity=(0, -900))
    assert rigid2d.core.from_pymunk(world).scene().world.length_unit == 90.0


def test_shapes_of_one_group_do_not_touch():
    a, b, shapes = pair()
    for each in shapes:
        each.filter = SimpleNamespace(categories=ALL, mask=ALL, group=3)
    collision = rigid2d.core.from_pymunk(space([a, b], shapes)).scene().collision
    index = collision.categories.index(next(n for n in collision.categories if "group_3" in n))
    assert not collision.matrix[index][index]
    assert collision.friction_mixing == collision.restitution_mixing == "product"


def test_joints_have_their_counterparts():
    a, b, shapes = pair()
    joints = [
        constraint("PinJoint", a, b, distance=2),
        constraint("SlideJoint", a, b, min=1, max=3),
        constraint("PivotJoint", a, b, anchor_a=(1, 0), anchor_b=(-1, 0), collide_bodies=False),
        constraint("GrooveJoint", a, b, groove_a=(0, 0), groove_b=(0, 4)),
        constraint("DampedSpring", a, b, rest_length=1.5, stiffness=20, damping=0.5),
    ]
    made = rigid2d.core.from_pymunk(space([a, b], shapes, joints)).scene().joints
    assert [joint.kind for joint in made.values()] == [
        "distance",
        "distance",
        "revolute",
        "wheel",
        "distance",
    ]
    pin, slide, pivot, groove, spring = made.values()
    assert pin.length == 2.0
    assert (slide.min_length, slide.max_length) == (1.0, 3.0)
    assert (pin.collide, pivot.collide) == (True, False)
    assert (groove.axis, groove.limits) == ((0.0, 1.0), (0.0, 4.0))
    assert (spring.length, spring.spring.stiffness) == (1.5, 20.0)


def test_a_limit_and_a_motor_belong_to_the_hinge_between_the_same_bodies():
    a, b, shapes = pair()
    joints = [
        constraint("PivotJoint", a, b),
        constraint("RotaryLimitJoint", b, a, min=-1, max=0.5),
        constraint("SimpleMotor", a, b, rate=3, max_force=10),
    ]
    (hinge,) = rigid2d.core.from_pymunk(space([a, b], shapes, joints)).scene().joints.values()
    assert hinge.limits == (-0.5, 1.0)
    assert (hinge.motor.speed, hinge.motor.max_force) == (-3.0, 10.0)


def test_what_has_no_counterpart_is_a_loss():
    a, b, shapes = pair()
    joints = [
        constraint("GearJoint", a, b),
        constraint("SimpleMotor", a, b, rate=3),
        constraint("PinJoint", a, b, distance=2, max_force=5),
    ]
    made = rigid2d.core.from_pymunk(space([a, b], shapes, joints))
    assert [loss.path for loss in made.losses] == [
        "constraints[2]",
        "constraints[0]",
        "constraints[1]",
    ]
    assert made.joints == 1


def test_anything_but_a_space_is_an_error_that_names_the_extra():
    with pytest.raises(UsageError, match=r"takes a pymunk.Space, not int.*rigid2d\[benchmark\]"):
        rigid2d.core.from_pymunk(3)


def test_an_unknown_shape_is_an_error():
    blob = body()
    with pytest.raises(UsageError, match="a shape of the type Blob"):
        rigid2d.core.from_pymunk(space([blob], [shape(Blob, blob)]))


def test_a_space_of_pymunk_itself_runs_as_it_does_there():
    pymunk = pytest.importorskip("pymunk")
    there = pymunk.Space()
    there.gravity = (0, -9.81)
    floor = pymunk.Segment(there.static_body, (-20, 0), (20, 0), 0.1)
    floor.friction = 1.0
    box = pymunk.Body(2, pymunk.moment_for_box(2, (1, 1)))
    box.position = (0, 3)
    box.velocity = (2, 0)
    outline = pymunk.Poly.create_box(box, (1, 1))
    outline.friction = 0.5
    bob = pymunk.Body(1, pymunk.moment_for_circle(1, 0, 0.2))
    bob.position = (7, 6)
    round_one = pymunk.Circle(bob, 0.2)
    rod = pymunk.PinJoint(there.static_body, bob, (5, 6), (0, 0))
    there.add(floor, box, outline, bob, round_one, rod)
    made = rigid2d.core.from_pymunk(there)
    assert made.losses == ()
    here = World(made.scene())
    seconds = 0.5  # in which the box falls freely and the pendulum swings
    here.step(30)
    for _ in range(3000):
        there.step(seconds / 3000)
    for body_there, name in zip(there.bodies, ("body_1", "body_2"), strict=True):
        assert here[name].position == pytest.approx(tuple(body_there.position), abs=0.05)
