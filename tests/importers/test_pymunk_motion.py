# SPDX-License-Identifier: MIT
"""Imported spaces move as pymunk moves them, where it is installed."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import build, from_pymunk

pymunk = pytest.importorskip("pymunk")

STEP = 1 / 480  # of pymunk, whose integrator is of the first order


def make_space(gravity=(0, -9.81)):
    space = pymunk.Space()
    space.gravity = gravity
    space.iterations = 30
    return space


def box(space, x, y, **fields):
    body = pymunk.Body(1, pymunk.moment_for_box(1, (1, 1)))
    body.center_of_gravity = fields.pop("center_of_gravity", (0, 0))
    body.position = x, y
    for name, value in fields.items():
        setattr(body, name, value)
    shape = pymunk.Poly.create_box(body, (1, 1))
    shape.friction = 0.5
    space.add(body, shape)
    return body


def apart(space, *bodies, seconds=2.0):
    """Distance and angle of bodies from their poses in pymunk."""
    world = build(from_pymunk(space).scene())
    names = [name for name, body in world.scene.bodies.items() if body.kind == "dynamic"]
    worst = 0.0
    for _ in range(round(seconds / world.scene.world.dt)):
        world.step()
        for _ in range(round(world.scene.world.dt / STEP)):
            space.step(STEP)
        for body, name in zip(bodies, names, strict=True):
            (x, y), there = world[name].position, body.position
            turned = abs(world[name].angle - body.angle)
            worst = max(worst, math.hypot(x - there.x, y - there.y), turned)
    return worst


def test_a_body_flies_as_there():
    space = make_space()
    body = box(space, 0, 5, velocity=(1, 2), angular_velocity=3)
    assert apart(space, body) < 0.03


def test_a_body_turns_about_its_centre_of_gravity_as_there():
    space = make_space()
    body = box(space, 0, 1, center_of_gravity=(0.2, 0.1), angle=0.4, angular_velocity=3)
    assert apart(space, body) < 0.03


def strong(joint, force):
    joint.max_force = force
    return joint


JOINTS = {
    "PinJoint": ((1, 0), lambda frame, b: [pymunk.PinJoint(frame, b, (0, 0), (0, 0))]),
    "PivotJoint": ((1, 0), lambda frame, b: [pymunk.PivotJoint(frame, b, (0, 0))]),
    "SlideJoint": (
        (0.5, 0),
        lambda frame, b: [pymunk.SlideJoint(frame, b, (0, 0), (0, 0), 0.2, 1.5)],
    ),
    "GrooveJoint": (
        (0, 0),
        lambda frame, b: [pymunk.GrooveJoint(frame, b, (-1, 1), (2, -2), (0, 0))],
    ),
    "DampedSpring": (
        (0, -1),
        lambda frame, b: [pymunk.DampedSpring(frame, b, (0, 0), (0, 0), 1, 50, 1)],
    ),
    "SimpleMotor": (
        (1, 0),
        lambda frame, b: [pymunk.PivotJoint(frame, b, (0, 0)), pymunk.SimpleMotor(frame, b, 2)],
    ),
    "SimpleMotor without a hinge": (
        (1, 0),
        lambda frame, b: [pymunk.SimpleMotor(frame, b, 2)],
    ),
    "SimpleMotor of the other body": (
        (1, 0),
        lambda frame, b: [pymunk.SimpleMotor(b, frame, 2)],
    ),
    "PivotJoint with a largest force": (
        (1, 0),
        lambda frame, b: [strong(pymunk.PivotJoint(frame, b, (0, 0)), 1e5)],
    ),
    "RotaryLimitJoint": (
        (1, 0),
        lambda frame, b: [
            pymunk.PivotJoint(frame, b, (0, 0)),
            pymunk.RotaryLimitJoint(frame, b, -0.5, 0.5),
        ],
    ),
    "DampedRotarySpring": (
        (1, 0),
        lambda frame, b: [
            pymunk.PivotJoint(frame, b, (0, 0)),
            pymunk.DampedRotarySpring(frame, b, 0.3, 40, 1),
        ],
    ),
    "DampedRotarySpring of the other body": (
        (1, 0),
        lambda frame, b: [
            pymunk.PivotJoint(frame, b, (0, 0)),
            pymunk.DampedRotarySpring(b, frame, 0.3, 40, 1),
        ],
    ),
}


@pytest.mark.parametrize("name", JOINTS)
def test_a_constraint_holds_a_body_as_there(name):
    place, make = JOINTS[name]
    space = make_space()
    body = box(space, *place)
    space.add(*make(space.static_body, body))
    assert apart(space, body, seconds=1.0) < 0.03


def test_a_body_lands_and_slides_as_there():
    space = make_space()
    body = box(space, 0, 0.7, velocity=(2, 0))
    floor = pymunk.Segment(space.static_body, (-9, 0), (9, 0), 0.1)
    floor.friction = 0.8
    space.add(floor)
    assert apart(space, body, seconds=1.0) < 0.05


def wheel(space, x, spin=0.0):
    body = box(space, x, 0, angular_velocity=spin)
    space.add(pymunk.PivotJoint(space.static_body, body, (x, 0), (0, 0)))
    return body


@pytest.mark.parametrize("ratio", [3.0, -0.5])
def test_a_gear_turns_as_there(ratio):
    space = make_space()
    first, second = wheel(space, 0), wheel(space, 4)
    motor = pymunk.SimpleMotor(space.static_body, second, -1.5)
    space.add(motor, pymunk.GearJoint(first, second, 0, ratio))
    assert apart(space, first, second, seconds=1.0) < 0.03
    assert abs(first.angle) > 0.5


@pytest.mark.parametrize(("teeth", "spin"), [(0.5, -3), (0.5, 3), (-0.5, -3), (-0.5, 3)])
def test_a_ratchet_turns_one_way_as_there(teeth, spin):
    space = make_space()
    body = wheel(space, 0, spin)
    space.add(pymunk.RatchetJoint(space.static_body, body, 0, teeth))
    assert apart(space, body, seconds=1.0) < 0.06  # it lets a wheel back by what it corrects
    assert (abs(body.angle) > 1) == (teeth * spin > 0)


def test_a_gear_without_hinges_that_stand_is_a_loss():
    space = make_space()
    a, b = wheel(space, 0), box(space, 4, 0)
    space.add(pymunk.GearJoint(a, b, 0, 2))
    (loss,) = [each for each in from_pymunk(space).losses if "GearJoint" in each.message]
    assert loss.path == "constraints[1]"
