"""Box2D's joints. Angles and translations count from the reference angle and the anchors there."""

from __future__ import annotations

import math
from collections.abc import Callable

from .box2d_json import Placed, World, number, point, to_number
from .draft import Entry
from .places import Value

_TURNED = 1e-4  # radians by which two bodies that cannot turn may be off at the start


class _Joint:
    """One joint on its way."""

    def __init__(self, value: Value, a: Placed, b: Placed) -> None:
        self.value, self.a, self.b = value, a, b
        self.entry: Entry = {}
        self.losses: list[str] = []

    @property
    def turned(self) -> float:
        """The angle at the start, from the reference angle."""
        reference = number(self.value, "refAngle", "referenceAngle")
        return self.b.angle - self.a.angle - reference


def add_joints(world: World, values: list[Value]) -> None:
    makers: dict[str, Callable[[_Joint], None]] = {
        "revolute": _revolute,
        "prismatic": _prismatic,
        "distance": _distance,
        "rope": _rope,
        "wheel": _wheel,
        "weld": _weld,
    }
    lost = ("friction", "motor", "gear", "pulley", "mouse")
    for index, value in enumerate(values):
        kind = value.text("type")
        if kind not in makers:
            if kind not in lost:
                known = ", ".join((*makers, *lost))
                held = value.get("type") or value
                raise held.fail("unknown-word", f"no type of joint is {kind!r}; known are {known}")
            world.draft.lose(value, f"a {kind} joint has no counterpart, and is left out")
            continue
        a, b = world.body(value, "bodyA"), world.body(value, "bodyB")
        if a is b or "dynamic" not in (a.kind, b.kind):
            world.draft.lose(value, "a joint that can move nothing, and is left out")
            continue
        joint = _Joint(value, a, b)
        joint.entry = {
            "type": "distance" if kind == "rope" else kind,
            "bodies": [a.name, b.name],
            "anchors": [list(point(value, "anchorA")), list(point(value, "anchorB"))],
        }
        makers[kind](joint)
        if value.truth("collideConnected"):
            joint.entry["collide"] = True
        draft = world.draft
        name = draft.add(draft.joints, value.text("name") or f"{kind}_{index}", joint.entry, value)
        for loss in joint.losses:
            draft.lose(value, loss, name)


def _revolute(joint: _Joint) -> None:
    start = joint.turned
    _put_limits(joint, start)
    _put_motor(joint, "maxMotorTorque", "max_torque")


def _prismatic(joint: _Joint) -> None:
    _put_axis(joint)
    _put_limits(joint, 0.0)
    _put_motor(joint, "maxMotorForce", "max_force")
    _check_turned(joint)


def _wheel(joint: _Joint) -> None:
    _put_axis(joint)
    _put_limits(joint, 0.0)
    _put_motor(joint, "maxMotorTorque", "max_torque")
    _put_spring(joint, "springFrequency", "springDampingRatio")


def _distance(joint: _Joint) -> None:
    if joint.value.has("length"):
        joint.entry["length"] = max(number(joint.value, "length"), 0.0)
    _put_spring(joint, "frequency", "dampingRatio")


def _rope(joint: _Joint) -> None:
    joint.entry |= {"rope": True, "max_length": max(number(joint.value, "maxLength"), 0.0)}


def _weld(joint: _Joint) -> None:
    _put_spring(joint, "frequency", "dampingRatio")
    if "spring" in joint.entry:
        joint.losses.append("the spring of a weld gives along lines too, not for turns alone")
    _check_turned(joint)


def _put_axis(joint: _Joint) -> None:
    axis = point(joint.value, "localAxisA", "localAxis1", default=(1.0, 0.0))
    joint.entry["axis"] = list(axis if axis != (0.0, 0.0) else (1.0, 0.0))


def _put_limits(joint: _Joint, start: float) -> None:
    if not joint.value.truth("enableLimit"):
        return
    low, high = number(joint.value, "lowerLimit"), number(joint.value, "upperLimit")
    joint.entry["limits"] = [min(low, high) - start, max(low, high) - start]


def _put_motor(joint: _Joint, most: str, field: str) -> None:
    if not joint.value.truth("enableMotor"):
        return
    motor: Entry = {"speed": number(joint.value, "motorSpeed")}
    given = joint.value.get(most)
    limit = math.inf if given is None else to_number(given, limit=True)
    if math.isfinite(limit):
        motor[field] = max(limit, 0.0)
    joint.entry["motor"] = motor


def _put_spring(joint: _Joint, frequency: str, ratio: str) -> None:
    hertz = number(joint.value, frequency)
    if hertz > 0:
        damping = max(number(joint.value, ratio), 0.0)
        joint.entry["spring"] = {"frequency": hertz, "damping_ratio": damping}


def _check_turned(joint: _Joint) -> None:
    if abs(math.remainder(joint.turned, 2 * math.pi)) > _TURNED:
        joint.losses.append("begins turned against its reference angle, and keeps that turn here")
