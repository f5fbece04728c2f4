# SPDX-License-Identifier: MIT
"""Chipmunk's constraints as joints.

Limits and motors of angles are constraints of their own there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .drafts.draft import Entry
from .drafts.geometry import turned
from .drafts.places import LARGEST
from .space_import import SpaceImport, SpacePlace

_ENDLESS = LARGEST


def add_constraints(made: SpaceImport) -> None:
    """Convert joints, and add limits and motors of angles to the hinges of the same bodies."""
    makers: dict[str, Callable[[Any], Entry]] = {
        "PinJoint": _pin,
        "SlideJoint": _slide,
        "PivotJoint": _pivot,
        "GrooveJoint": _groove,
        "DampedSpring": _spring,
    }
    hinges: dict[tuple[str, str], Entry] = {}
    names: dict[int, str] = {}  # of hinges, by the identity of their entries
    later: list[tuple[int, str, Any]] = []
    for index, each in enumerate(made.space.constraints):
        word = type(each).__name__
        if word not in makers:
            later.append((index, word, each))
            continue
        pair = made.names.get(id(each.a), ""), made.names.get(id(each.b), "")
        if "dynamic" not in (made.kind(each.a), made.kind(each.b)):
            _lose(made, index, f"a {word} that can move nothing, and is left out")
            continue
        if word == "PivotJoint" and "world" in pair and each.max_force < _ENDLESS:
            _pulled(made, index, each, pair)
            continue
        entry = {**makers[word](each), "bodies": list(pair)}
        _put_in_world(entry, each, pair)
        if getattr(each, "collide_bodies", True):
            entry["collide"] = True
        name = _add(made, index, word, entry)
        if word == "PivotJoint":
            hinges.setdefault(pair, entry)
            names[id(entry)] = name
        if word != "DampedSpring" and each.max_force < _ENDLESS:
            _lose(made, index, f"a largest force of {each.max_force:g} before it gives way", name)
    for index, word, each in later:
        pair = made.names.get(id(each.a), ""), made.names.get(id(each.b), "")
        held = pair in hinges or pair[::-1] in hinges
        if word == "SimpleMotor" and "world" in pair and not held:
            _turned(made, index, each, pair)
            continue
        if word == "GearJoint":
            ends = [_hinge_at_rest(made, hinges, name) for name in pair]
            _gear(made, index, each, [names.get(id(end), "") for end in ends])
        else:
            _add_to_hinge(made, index, word, each, hinges, pair)


def _put_in_world(entry: Entry, each: Any, pair: tuple[str, str]) -> None:
    """Converts anchors and axes of static bodies without shapes to those of the world."""
    for i, end in enumerate((each.a, each.b)):
        if pair[i] == "world":
            x, y = turned((entry["anchors"][i][0], entry["anchors"][i][1]), end.angle)
            entry["anchors"][i] = [float(end.position[0] + x), float(end.position[1] + y)]
            if i == 0 and "axis" in entry:
                entry["axis"] = list(turned((entry["axis"][0], entry["axis"][1]), end.angle))


def _pulled(made: SpaceImport, index: int, each: Any, pair: tuple[str, str]) -> None:
    """A point of a body that is held to one of the world with no more than a force."""
    entry: Entry = {"type": "mouse", "bodies": list(pair)}
    entry["anchors"] = _anchors(each.anchor_a, each.anchor_b)
    _put_in_world(entry, each, pair)
    name = pair[1]
    if pair[0] != "world":
        entry["anchors"].reverse()
        name = pair[0]
    entry |= {"bodies": [], "body": name, "stiff": True, "max_force": float(each.max_force)}
    _add(made, index, "PivotJoint", entry)


def _turned(made: SpaceImport, index: int, each: Any, pair: tuple[str, str]) -> None:
    """A motor against the world, whose speed is that of A against B."""
    name, sign = (pair[1], -1.0) if pair[0] == "world" else (pair[0], 1.0)
    entry: Entry = {"type": "rotary_motor", "body": name, "speed": sign * float(each.rate)}
    if each.max_force < _ENDLESS:
        entry["max_torque"] = float(each.max_force)
    made.draft.add(
        made.draft.actuators, f"simple_motor_{index}", entry, SpacePlace(f"constraints[{index}]")
    )


def _add(made: SpaceImport, index: int, word: str, entry: Entry) -> str:
    draft = made.draft
    kind = entry.pop("type")
    bodies = entry.pop("bodies")
    ordered = {"type": kind, **({"bodies": bodies} if bodies else {})}
    rest = dict(entry)
    entry.clear()
    entry |= {**ordered, **rest}
    plain = "".join(f"_{c.lower()}" if c.isupper() else c for c in word).strip("_")
    return draft.add(draft.joints, f"{plain}_{index}", entry, SpacePlace(f"constraints[{index}]"))


def _lose(made: SpaceImport, index: int, message: str, name: str = "") -> None:
    made.draft.lose(SpacePlace(f"constraints[{index}]"), message, name)


def _anchors(a: Any, b: Any) -> list[list[float]]:
    return [[float(a[0]), float(a[1])], [float(b[0]), float(b[1])]]


def _pin(each: Any) -> Entry:
    anchors = _anchors(each.anchor_a, each.anchor_b)
    return {"type": "distance", "anchors": anchors, "length": float(each.distance)}


def _slide(each: Any) -> Entry:
    return {
        "type": "distance",
        "anchors": _anchors(each.anchor_a, each.anchor_b),
        "min_length": max(float(each.min), 0.0),
        "max_length": float(each.max),
    }


def _pivot(each: Any) -> Entry:
    return {"type": "revolute", "anchors": _anchors(each.anchor_a, each.anchor_b)}


def _groove(each: Any) -> Entry:
    """B's anchor stays on the way from groove_a to groove_b of A."""
    (ax, ay), (bx, by) = each.groove_a, each.groove_b
    length = math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    axis = [float(bx - ax), float(by - ay)] if length > 0 else [1.0, 0.0]
    return {
        "type": "wheel",
        "anchors": _anchors(each.groove_a, each.anchor_b),
        "axis": axis,
        "limits": [0.0, length],
    }


def _spring(each: Any) -> Entry:
    return {
        "type": "distance",
        "anchors": _anchors(each.anchor_a, each.anchor_b),
        "length": max(float(each.rest_length), 0.0),
        "spring": {"stiffness": float(each.stiffness), "damping": float(each.damping)},
    }


def _hinge_at_rest(
    made: SpaceImport, hinges: dict[tuple[str, str], Entry], name: str
) -> Entry | None:
    """Return the hinge of a body on a static one."""
    for (a, b), hinge in hinges.items():
        other = b if a == name else a
        still = other == "world" or made.draft.bodies[other].get("type") == "static"
        if name in (a, b) and still:
            return hinge
    return None


def _gear(made: SpaceImport, index: int, each: Any, hinges: list[str]) -> None:
    """There A turns ``ratio`` times while B turns once, the same way."""
    if not all(hinges) or hinges[0] == hinges[1] or not each.ratio:
        _lose(made, index, "a GearJoint of bodies that are not on hinges of their own that stand")
        return
    entry: Entry = {"type": "gear", "bodies": [], "joints": hinges, "ratio": -float(each.ratio)}
    if getattr(each, "collide_bodies", True):
        entry["collide"] = True
    name = _add(made, index, "GearJoint", entry)
    off = each.b.angle * each.ratio - each.a.angle - each.phase
    if abs(off) > 1e-6:
        _lose(made, index, f"wheels that begin {off:g} rad out of phase stay so", name)


def _add_to_hinge(
    made: SpaceImport,
    index: int,
    word: str,
    each: Any,
    hinges: dict[tuple[str, str], Entry],
    pair: tuple[str, str],
) -> None:
    """A limit or a motor of an angle belongs to the hinge between its two bodies."""
    sign = 1.0
    hinge = hinges.get(pair)
    if hinge is None and pair[::-1] in hinges:
        hinge, sign = hinges[pair[::-1]], -1.0
    fields = {
        "RotaryLimitJoint": "limits",
        "SimpleMotor": "motor",
        "DampedRotarySpring": "motor",
        "RatchetJoint": "pitch",
    }
    field = fields.get(word, "")
    if not field:
        _lose(made, index, f"a {word} has no counterpart, and is left out")
        return
    if hinge is None or field in hinge:
        _lose(made, index, f"a {word} without a hinge of its own between its bodies")
        return
    if ("limits" in hinge or "pitch" in hinge) and field in ("limits", "pitch"):
        _lose(made, index, f"a {word} of a hinge that has limits or teeth already")
        return
    if word == "RatchetJoint":
        hinge |= {"type": "ratchet", "pitch": abs(float(each.ratchet))}
        if sign * each.ratchet < 0:
            hinge["direction"] = "negative"
        return
    if word == "RotaryLimitJoint":
        start = each.b.angle - each.a.angle
        ends = sorted((sign * (each.min - start), sign * (each.max - start)))
        hinge["limits"] = [float(end) for end in ends]
        return
    if word == "DampedRotarySpring":
        # There A's angle against B's comes to rest; a motor that gives way may rest anywhere.
        rest = sign * (-float(each.rest_angle) - (each.b.angle - each.a.angle))
        spring = {"stiffness": float(each.stiffness), "damping": float(each.damping)}
        hinge["motor"] = {"position": rest, "spring": spring}
        return
    motor: Entry = {"speed": -sign * float(each.rate)}  # there A gains on B
    if each.max_force < _ENDLESS:
        motor["max_torque"] = float(each.max_force)
    hinge["motor"] = motor
