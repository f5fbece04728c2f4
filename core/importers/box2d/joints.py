# SPDX-License-Identifier: MIT
"""Box2D's joints. Angles and translations count from the reference angle and the anchors there."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..drafts.draft import Entry
from ..drafts.places import Value
from .mechanisms import add_friction, add_gear
from .values import number, point, to_number
from .world import Box2dJoint, Box2dWorld

_TURNED = 1e-4  # radians by which two bodies that cannot turn may be off at the start


def add_joints(world: Box2dWorld, values: list[Value]) -> None:
    makers: dict[str, Callable[[Box2dJoint], None]] = {
        "revolute": _revolute,
        "prismatic": _prismatic,
        "distance": _distance,
        "rope": _rope,
        "wheel": _wheel,
        "weld": _weld,
        "pulley": _pulley,
        "mouse": _mouse,
    }
    lost = ("friction", "motor")
    made: dict[int, Box2dJoint] = {}
    for index, value in enumerate(values):
        kind = value.text("type")
        if kind == "gear":
            continue  # it goes with two others, wherever they stand
        if kind == "friction" and add_friction(world, index, value):
            continue
        if kind not in makers:
            if kind not in lost:
                known = ", ".join((*makers, "gear", *lost))
                held = value.get("type") or value
                raise held.fail("unknown-word", f"no type of joint is {kind!r}; known are {known}")
            world.draft.lose(value, f"a {kind} joint has no counterpart, and is left out")
            continue
        a, b = world.body(value, "bodyA"), world.body(value, "bodyB")
        if a is b or "dynamic" not in (a.kind, b.kind):
            world.draft.lose(value, "a joint that can move nothing, and is left out")
            continue
        joint = Box2dJoint(value, a, b)
        joint.entry = {
            "type": "distance" if kind == "rope" else kind,
            "bodies": [a.name, b.name],
            "anchors": [a.anchor(point(value, "anchorA")), b.anchor(point(value, "anchorB"))],
        }
        makers[kind](joint)
        made[index] = joint
        if value.truth("collideConnected"):
            joint.entry["collide"] = True
        draft = world.draft
        joint.name = draft.add(
            draft.joints, value.text("name") or f"{kind}_{index}", joint.entry, value
        )
        for loss in joint.losses:
            draft.lose(value, loss, joint.name)
    for index, value in enumerate(values):
        if value.text("type") == "gear":
            add_gear(world, index, value, made)


def _revolute(joint: Box2dJoint) -> None:
    start = joint.turned
    _put_limits(joint, start)
    _put_motor(joint, "maxMotorTorque", "max_torque")


def _prismatic(joint: Box2dJoint) -> None:
    _put_axis(joint)
    _put_limits(joint, 0.0)
    _put_motor(joint, "maxMotorForce", "max_force")
    _check_turned(joint)


def _wheel(joint: Box2dJoint) -> None:
    _put_axis(joint)
    _put_limits(joint, 0.0)
    _put_motor(joint, "maxMotorTorque", "max_torque")
    _put_spring(joint, "springFrequency", "springDampingRatio")


def _distance(joint: Box2dJoint) -> None:
    if joint.value.has("length"):
        joint.entry["length"] = max(number(joint.value, "length"), 0.0)
    _put_spring(joint, "frequency", "dampingRatio")


def _rope(joint: Box2dJoint) -> None:
    joint.entry |= {"rope": True, "max_length": max(number(joint.value, "maxLength"), 0.0)}


def _weld(joint: Box2dJoint) -> None:
    """With a frequency it holds the two points stiffly and is a spring for turns alone: a hinge.

    The spring swings 1 / (1/Ia + 1/Ib) there, the moments of inertia about the centres of mass.
    """
    hertz = number(joint.value, "frequency")
    inverse = sum(1 / each.inertia for each in (joint.a, joint.b) if each.inertia > 0)
    if hertz <= 0 or inverse <= 0:
        _check_turned(joint)
        return
    rate = 2 * math.pi * hertz
    damping = 2 * max(number(joint.value, "dampingRatio"), 0.0) * rate / inverse
    joint.entry["type"] = "revolute"
    spring: Entry = {"stiffness": rate * rate / inverse, "damping": damping}
    joint.entry["motor"] = {"position": -joint.turned, "spring": spring}


def _pulley(joint: Box2dJoint) -> None:
    """A rod over two wheels: it pushes too."""
    value = joint.value
    ratio = number(value, "ratio", default=1.0)
    grounds = (point(value, "groundAnchorA"), point(value, "groundAnchorB"))
    joint.entry |= {"ground_anchors": [list(each) for each in grounds], "rope": False}
    if value.has("lengthA") and value.has("lengthB"):
        joint.entry["length"] = number(value, "lengthA") + ratio * number(value, "lengthB")
    if ratio != 1.0:
        joint.entry["ratio"] = ratio


def _mouse(joint: Box2dJoint) -> None:
    """Body B is pulled to a point of the world."""
    value, entry = joint.value, joint.entry
    target, held = point(value, "target"), point(value, "anchorB")
    entry.pop("bodies")
    entry |= {"body": joint.b.name, "anchors": [list(target), list(held)]}
    given = value.get("maxForce")
    most = math.inf if given is None else to_number(given, limit=True)
    if math.isfinite(most):
        entry["max_force"] = max(most, 0.0)
    _put_spring(joint, "frequency", "dampingRatio")


def _put_axis(joint: Box2dJoint) -> None:
    axis = point(joint.value, "localAxisA", "localAxis1", default=(1.0, 0.0))
    joint.entry["axis"] = joint.a.axis(axis if axis != (0.0, 0.0) else (1.0, 0.0))


def _put_limits(joint: Box2dJoint, start: float) -> None:
    if not joint.value.truth("enableLimit"):
        return
    low, high = number(joint.value, "lowerLimit"), number(joint.value, "upperLimit")
    joint.entry["limits"] = [min(low, high) - start, max(low, high) - start]


def _put_motor(joint: Box2dJoint, most: str, field: str) -> None:
    if not joint.value.truth("enableMotor"):
        return
    motor: Entry = {"speed": number(joint.value, "motorSpeed")}
    given = joint.value.get(most)
    limit = math.inf if given is None else to_number(given, limit=True)
    if math.isfinite(limit):
        motor[field] = max(limit, 0.0)
    joint.entry["motor"] = motor


def _put_spring(joint: Box2dJoint, frequency: str, ratio: str) -> None:
    hertz = number(joint.value, frequency)
    if hertz > 0:
        damping = max(number(joint.value, ratio), 0.0)
        joint.entry["spring"] = {"frequency": hertz, "damping_ratio": damping}


def _check_turned(joint: Box2dJoint) -> None:
    if abs(math.remainder(joint.turned, 2 * math.pi)) > _TURNED:
        joint.losses.append("begins turned against its reference angle, and keeps that turn here")
