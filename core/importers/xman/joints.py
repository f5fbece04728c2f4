# SPDX-License-Identifier: MIT
"""The joints of document 000's engine.

R1 and R2 are the vectors from the centres of the two bodies to the anchors, in the bodies' axes. A
soft joint's frequency is that of the reduced mass m = 1 / (1/m1 + 1/m2), for any joint: its
stiffness is m (2 pi f)², its damping 2 m z (2 pi f). Break values are impulses of one step.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...scene.blocks.joints.bars import SLENDER
from ...scene.model import Point
from ...scene.values.portable_math import atan2
from ..drafts.draft import Entry
from ..drafts.geometry import distance, unit
from ..drafts.places import LARGEST, Value
from .values import BodyData, ConvertedJoint, XmanBodies, kind_of, vector

_TURN = 2 * math.pi
_DEGREE = 180 / math.pi
_SMALLEST_BREAK = 1e-9


class _Joint:
    """A joint in conversion: its source and its entry."""

    def __init__(self, bodies: XmanBodies, value: Value, step: float) -> None:
        self.value, self.step = value, step
        self.a: BodyData = bodies.at(value, "BodyIndex1")
        self.b: BodyData = bodies.at(value, "BodyIndex2")
        self.arms = vector(value, "R1"), vector(value, "R2")
        self.entry: Entry = {}
        self.beside: Entry | None = None  # an axial motor of the same two bodies
        self.scale, self.offset = 1.0, 0.0  # from positions of motors there to those here
        self.losses: list[str] = []
        self.notes: list[str] = []

    def anchors(self, a: Point | None = None) -> list[list[float]]:
        return [list(self.arms[0] if a is None else a), list(self.arms[1])]

    def spring(self) -> Entry | None:
        """The joint's softness, None for a stiff one."""
        data = self.value.get("SoftData")
        if data is None:
            return None
        given = data.get("ParameterType")
        words = {"frequencyanddampingratio": 0, "stiffnessanddamping": 1, "stiff": 2}
        if given is not None and isinstance(given.data, str):
            kind = words.get(given.data.lower(), 2)
        else:
            kind = data.whole("ParameterType")
        if kind == 1:
            spring = {"stiffness": data.number("Stiffness"), "damping": data.number("Damping")}
        elif kind == 0:
            inverse = self.a.inverse_mass + self.b.inverse_mass
            mass = 1 / inverse if inverse > 0 else 0.0
            hertz = data.number("FrequencyHertz")
            rate = _TURN * hertz / 1000  # a millisecond
            ratio = data.number("DampingRatio")
            spring = {"stiffness": mass * rate * rate, "damping": 2 * mass * ratio * rate}
            if rate:
                self.notes.append(f"a spring of {hertz:g} Hz and the damping ratio {ratio:g}")
        else:
            return None
        return spring if spring["stiffness"] > 0 else None


def add_joints(bodies: XmanBodies, scene: Value, step: float) -> None:
    """The joints of a scene whose bodies are there."""
    makers: dict[str, tuple[str, Callable[[_Joint], None]]] = {
        "DistanceJointExportData": ("distance", _distance),
        "RevoluteJointExportData": ("revolute", _revolute),
        "PrismaticJointExportData": ("prismatic", _prismatic),
        "WheelJointExportData": ("wheel", _wheel),
        "WeldJointExportData": ("weld", _weld),
    }
    holders: dict[str, list[Entry]] = {}
    for value in scene.items("Joints"):
        kind = kind_of(value)
        if kind not in makers:
            raise value.fail(
                "unsupported", f"a joint of the type {kind!r}; known are {', '.join(makers)}"
            )
        word, make = makers[kind]
        joint = _Joint(bodies, value, step)
        if not (joint.a.moves or joint.b.moves) or joint.a is joint.b:
            why = "one body twice" if joint.a is joint.b else "two bodies that do not move"
            bodies.draft.lose(value, f"a joint between {why} holds nothing, and is left out")
            bodies.joints.append(None)
            continue
        joint.entry = {"type": word, "bodies": [joint.a.name, joint.b.name]}
        make(joint)
        if value.truth("CollideConnected"):
            joint.entry["collide"] = True
        _break(joint)
        name = _add(bodies, joint, word)
        entry = joint.entry
        if joint.beside is not None:
            entry = joint.beside
            name = bodies.draft.add(bodies.draft.joints, f"{name}_motor", entry, value)
        bodies.joints.append(ConvertedJoint(name, value, entry, joint.scale, joint.offset))
        for body in (joint.a, joint.b):
            holders.setdefault(body.name, []).append(joint.entry)
    _break_bars(bodies, holders, step)


def _add(bodies: XmanBodies, joint: _Joint, word: str) -> str:
    draft = bodies.draft
    name = draft.add(draft.joints, f"{word}_{len(draft.joints)}", joint.entry, joint.value)
    for note in joint.notes:
        draft.note(name, note)
    for loss in joint.losses:
        draft.lose(joint.value, loss, name)
    return name


# ---------------------------------------------------------------- kinds


def _distance(joint: _Joint) -> None:
    value, entry = joint.value, joint.entry
    entry["anchors"] = joint.anchors()
    now = distance(joint.a.point(joint.arms[0]), joint.b.point(joint.arms[1]))
    given = value.get("LengthPosition")
    is_number = given is not None and isinstance(given.data, (int, float)) and given.data >= 0
    length = given.as_number() if is_number and given is not None else now
    low, high = value.number("MinLength"), value.limit("MaxLength", default=100.0)
    limited, rope = value.truth("LimitIsEnabled"), value.truth("JointIsRope")
    if rope:
        entry |= {"rope": True, "max_length": length}
        return
    spring = joint.spring()
    if spring is None and not limited:
        entry["length"] = length
        return
    if limited:
        entry |= {"min_length": max(min(low, high), 0.0), "max_length": max(low, high, 0.0)}
    if spring is not None:
        entry |= {"length": length, "spring": spring}


def _revolute(joint: _Joint) -> None:
    value, entry = joint.value, joint.entry
    entry["anchors"] = joint.anchors()
    limited = value.truth("LimitIsEnabled")
    low, high = value.number("LowerAngle"), value.number("UpperAngle")
    reach = (high - low) % 360 if limited else 360.0
    if limited and reach == 0 and high != low:
        reach = 360.0
    beyond = _beyond_lowest(joint, low if limited else 0.0, reach)
    if limited:
        entry["limits"] = [-beyond, reach - beyond]
    joint.scale, joint.offset = reach, -beyond
    kind = value.whole("Motor")
    if kind == 1:
        _put_motor(joint, speed_motor(value), "max_torque")
    elif kind == 2:
        now = min(max(beyond / reach, 0.0), 1.0) if reach > 0 else 0.0
        part = value.number("MotorPosition", default=now)
        _put_motor(joint, {"position": part * reach - beyond}, "max_torque")
        spring = joint.spring()
        if spring is not None:
            entry["motor"]["spring"] = spring


def _beyond_lowest(joint: _Joint, low: float, reach: float) -> float:
    """Degrees by which R2's direction exceeds the lowest angle from R1's at the start."""
    first, second = (
        body.direction(arm) for body, arm in zip((joint.a, joint.b), joint.arms, strict=True)
    )
    if unit(first) is None or unit(second) is None:
        if joint.value.truth("LimitIsEnabled"):
            joint.losses.append("limits from an arm without length; the start counts as the lowest")
        return 0.0
    angle = (atan2(second[1], second[0]) - atan2(first[1], first[0])) * _DEGREE
    beyond = (angle - low) % 360
    # Outside the range it is nearer to one of the ends.
    return beyond - 360 if beyond - reach > 360 - beyond else beyond


def _prismatic(joint: _Joint) -> None:
    """Translations count from A's centre along R1, in multiples of its length."""
    value, entry = joint.value, joint.entry
    length = distance((0.0, 0.0), joint.arms[0])
    entry["anchors"] = joint.anchors((0.0, 0.0))
    entry["axis"] = list(_axis(joint))
    joint.scale = length
    if value.truth("LimitIsEnabled"):
        low, high = _translations(joint)
        entry["limits"] = [low * length, high * length]
    kind = value.whole("Motor")
    if kind == 1:
        _put_motor(joint, {"speed": value.number("MotorSpeed")}, "max_force")
    elif kind == 2:
        part = value.number("MotorPosition", default=1.0)
        _put_motor(joint, {"position": part * length}, "max_force")
        spring = joint.spring()
        if spring is not None:
            entry["motor"]["spring"] = spring


def _wheel(joint: _Joint) -> None:
    """Its motor works along the axis: with a spring it is the suspension, else an axial motor."""
    value, entry = joint.value, joint.entry
    length = distance((0.0, 0.0), joint.arms[0])
    kind, spring = value.whole("Motor"), joint.spring()
    place = value.number("MotorPosition", default=1.0) * length
    rest = place if kind == 2 and spring is not None else 0.0
    axis = _axis(joint)
    entry["anchors"] = joint.anchors((axis[0] * rest, axis[1] * rest))
    entry["axis"] = list(axis)
    if value.truth("LimitIsEnabled"):
        low, high = _translations(joint)
        entry["limits"] = [low * length - rest, high * length - rest]
    if kind == 2 and spring is not None:
        entry["spring"] = spring
        most = value.limit("MaxMotorForce")
        if math.isfinite(most):
            entry["max_force"] = most
    elif kind in (1, 2):
        drive = {"speed": value.number("MotorSpeed")} if kind == 1 else {"position": place}
        joint.scale = length
        joint.beside = {
            **{"type": "axial_motor", "bodies": entry["bodies"], "anchors": entry["anchors"]},
            **{"axis": entry["axis"], "motor": _limited(drive, value, "max_force")},
            "visible": False,
        }


def _weld(joint: _Joint) -> None:
    joint.entry["anchors"] = joint.anchors()
    spring = joint.spring()
    if spring is not None:
        joint.entry["spring"] = spring


def _axis(joint: _Joint) -> Point:
    axis = unit(joint.arms[0])
    if axis is None:
        joint.losses.append("no axis, as the first anchor is at the body's centre; [1, 0] is taken")
    return axis or (1.0, 0.0)


def _translations(joint: _Joint) -> tuple[float, float]:
    low = joint.value.number("MinTranslation", default=-1.0)
    high = joint.value.number("MaxTranslation", default=1.0)
    return min(low, high), max(low, high)


def speed_motor(value: Value) -> Entry:
    """The motor of a hinge that turns with its speed."""
    return _limited({"speed": value.number("MotorSpeed") * _DEGREE}, value, "max_torque")


def _limited(motor: Entry, value: Value, most: str) -> Entry:
    """A motor with its largest force."""
    limit = value.limit("MaxMotorTorque" if most == "max_torque" else "MaxMotorForce")
    return {**motor, most: max(limit, 0.0)} if math.isfinite(limit) else motor


def _put_motor(joint: _Joint, motor: Entry, most: str) -> None:
    """A motor; one by speed stops at limits, and does not push on."""
    motor = _limited(motor, joint.value, most)
    if "speed" in motor and "limits" in joint.entry:
        motor["stop_at_limits"] = True
    joint.entry["motor"] = motor


# ---------------------------------------------------------------- breaking


def _break(joint: _Joint) -> None:
    value = joint.value
    if not value.truth("BreakWhenMaxForceIsReached"):
        return
    most = value.limit("MaxForceToBreak", default=1.0) / joint.step
    if joint.entry["type"] == "distance" and value.has("MinForceToBreak"):
        pull = -value.limit("MinForceToBreak") / joint.step
        limits = {"push": most, "pull": pull}
    else:
        limits = {"force": most}
    limits = {name: max(limit, _SMALLEST_BREAK) for name, limit in limits.items()}
    limits = {name: limit for name, limit in limits.items() if limit < LARGEST}
    if limits:
        joint.entry["break"] = limits


def _break_bars(bodies: XmanBodies, holders: dict[str, list[Entry]], step: float) -> None:
    """A body that breaks along its length: the joints that hold it do so here."""
    for name, value in bodies.fragile.items():
        most = value.limit("MaxPushPullForce", default=1.0) / step
        box = bodies.draft.bodies[name].get("shape", {}).get("box", [1.0, 1.0])
        slender = max(box) >= SLENDER * min(box)
        if not slender or bodies.draft.bodies[name].get("type") == "static":
            bodies.draft.lose(value, f"breaks when pushed or pulled; bars are {SLENDER:g}:1", name)
            continue
        for entry in holders.get(name, ()):
            limits = entry.setdefault("break", {})
            limits["push_pull"] = min(limits.get("push_pull", math.inf), max(most, _SMALLEST_BREAK))
        bodies.draft.lose(value, "comes off by its joints where the body itself broke", name)
    bodies.fragile.clear()
