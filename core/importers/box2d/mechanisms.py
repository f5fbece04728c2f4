# SPDX-License-Identifier: MIT
"""Box2D's gears, which tie two joints together, and its friction joints."""

from __future__ import annotations

import math

from ..drafts.draft import Entry
from ..drafts.places import LARGEST, Value
from .values import number, point, to_number
from .world import Box2dJoint, Box2dWorld, PlacedBody


def add_gear(world: Box2dWorld, index: int, value: Value, made: dict[int, Box2dJoint]) -> None:
    """The coordinate of the first joint and ``ratio`` times the second's stay one sum."""
    joints = [made.get(value.whole(field, default=-1)) for field in ("joint1", "joint2")]
    kinds = [joint.entry["type"] if joint is not None else "" for joint in joints]
    ratio = number(value, "ratio", default=1.0)
    entry: Entry | None = None
    why = "that is not between two hinges, or a hinge and a slide"
    if joints[0] is not None and joints[1] is not None and ratio != 0.0:
        if kinds == ["revolute", "revolute"]:
            entry = _gear(joints[0], joints[1], ratio)
            why = "whose wheels hang on different bodies"
        elif kinds == ["revolute", "prismatic"]:
            entry = _rack(joints[0], joints[1], -1 / ratio)
            why = "that moves the other way than a rack on this side of its wheel"
        elif kinds == ["prismatic", "revolute"]:
            entry = _rack(joints[1], joints[0], -ratio)
            why = "that moves the other way than a rack on this side of its wheel"
    if entry is None:
        world.draft.lose(value, f"a gear joint {why}, and is left out")
        return
    draft = world.draft
    draft.add(draft.joints, value.text("name") or f"gear_{index}", entry, value)


def _wheel(hinge: Box2dJoint) -> tuple[PlacedBody, float]:
    """The carrier of a hinge's wheel, and the sign of its turns; the wheel is A if B is static."""
    return (hinge.a, 1.0) if hinge.b.kind == "dynamic" else (hinge.b, -1.0)


def _gear(a: Box2dJoint, b: Box2dJoint, ratio: float) -> Entry | None:
    """There an angle is that of B against A."""
    ends = [_wheel(hinge) for hinge in (a, b)]
    carriers = {carrier.name if carrier.kind == "dynamic" else "" for carrier, _ in ends}
    if a is b or len(carriers) > 1:
        return None
    return {"type": "gear", "joints": [a.name, b.name], "ratio": ratio * ends[0][1] * ends[1][1]}


def _rack(hinge: Box2dJoint, slide: Box2dJoint, travel: float) -> Entry | None:
    """A slide that moves by ``travel`` for each radian of the hinge, like the rim of a wheel.

    The rim is on the rack's side of the wheel, and along the axis if both are on one line.
    """
    carrier, sign = _wheel(hinge)
    if slide.b.kind != "dynamic" or carrier.kind == "dynamic":
        return None
    (px, py), (hx, hy) = slide.end(), hinge.end()
    ax, ay = slide.axis()
    along = ax * (hy - py) + ay * (px - hx)
    if abs(along) <= 1e-9:
        along = 1.0
    if sign * travel * along < 0:
        return None
    return {"type": "rack", "joints": [hinge.name, slide.name], "radius": abs(travel)}


def add_friction(world: Box2dWorld, index: int, value: Value) -> bool:
    """Friction against a static body: that of a tyre along both axes, and of rotation."""
    a, b = world.body(value, "bodyA"), world.body(value, "bodyB")
    moving, held = (b, "anchorB") if a.kind == "static" else (a, "anchorA")
    if {a.kind, b.kind} != {"static", "dynamic"}:
        return False
    draft, name = world.draft, value.text("name") or f"friction_{index}"
    force, torque = (
        math.inf if given is None else max(to_number(given, limit=True), 0.0)
        for given in (value.get("maxForce"), value.get("maxTorque"))
    )
    at = list(point(value, held))
    for word, direction in (("x", [1.0, 0.0]), ("y", [0.0, 1.0])):
        tyre: Entry = {"type": "axial_friction", "body": moving.name, "at": at}
        tyre |= {"direction": direction, "max_force": min(force, LARGEST)}
        draft.add(draft.actuators, f"{name}_{word}", tyre, value)
    brake: Entry = {"type": "rotary_motor", "body": moving.name, "speed": 0.0}
    if math.isfinite(torque):
        brake["max_torque"] = torque
    name = draft.add(draft.actuators, f"{name}_turn", brake, value)
    draft.lose(value, "its largest force is one along each axis of the body, not of both", name)
    return True
