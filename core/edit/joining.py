# SPDX-License-Identifier: MIT
"""Joints between bodies, their anchors in the form that the file has, and their handles."""

from __future__ import annotations

import math
from typing import Any

from ..scene.blocks.joints.types import JOINT_TYPES
from ..scene.model import WORLD, Body
from ..scene.values import portable_math
from .entries import insert
from .messages import Anchor, Join, Joint
from .moving import named
from .numbers import Amount, change_number, change_point, known_value, length_decimals
from .place import Place, Point
from .places import find, in_radians, root_of
from .text.draft import Draft
from .text.style import rounded
from .text.texts import Refused
from .values import evaluated, order_of, point_at, to_local, turned

ONE_POINT = frozenset(("revolute", "weld", "prismatic", "wheel", "axial_motor", "ratchet", "mouse"))
"""Types that have one point, which is said in the world."""
NO_POINT = frozenset(("gear", "rack"))


def join(draft: Draft, message: Join) -> str:
    """Join two bodies at a point, or at a point each; the words for it."""
    kind = message.type
    if kind not in JOINT_TYPES:
        raise Refused(f"there is no joint `{kind}`; known: {', '.join(JOINT_TYPES)}")
    decimals = length_decimals(draft, message.step)
    names = [each.removeprefix("bodies.") for each in message.bodies]
    ends = [_body(draft, each, message.in_prototype) for each in names]
    fields: dict[str, Any] = {"type": kind}
    if kind == "mouse":
        fields["body"] = names[1] if names[0] == "world" else names[0]
    else:
        fields["bodies"] = names
    points = [*message.at]
    if kind in NO_POINT:
        raise Refused(f"a {kind} is between two joints; add it with `joints: [a, b]`")
    if kind == "pulley":
        if len(points) != 2:
            raise Refused("a pulley has the two points of its wheels")
        fields["ground_anchors"] = rounded([[*p] for p in points], decimals)
    elif len(points) == 1 and kind in ONE_POINT:
        if not _is_default(kind, ends, points[0], decimals):
            fields["anchor"] = rounded([*points[0]], decimals)
    else:
        pair = points if len(points) == 2 else [points[0], points[0]]
        local = [to_local(end, p) for end, p in zip(ends, pair, strict=True)]
        anchors = rounded([[*p] for p in local], decimals)
        if kind != "distance" or any(any(p) for p in anchors):
            fields["anchors"] = anchors
    fields |= message.fields
    root = root_of(draft, message.in_prototype)
    return f"Join {insert(draft, root, 'joints', message.name or _word(kind), fields)}"


def _word(kind: str) -> str:
    return {"revolute": "hinge", "distance": "rod", "prismatic": "slide", "axial_motor": "drive",
            "mouse": "pull"}.get(kind, kind)  # fmt: skip


def _is_default(kind: str, ends: list[Body], point: Point, decimals: int) -> bool:
    """Whether a joint without an anchor has this one: the origin of its second body."""
    if kind == "mouse" or ends[1] is WORLD:
        return False
    at = ends[1].position
    return portable_math.dist(at, point) < 0.5 * 10.0**-decimals


def _body(draft: Draft, name: str, prototype: str | None) -> Body:
    if name == "world":
        return WORLD
    if prototype is not None:
        place = find(draft, f"bodies.{name}", prototype)
        node = place.node(draft)
        position = point_at(draft, node.get("position")) or (0.0, 0.0)
        angle = evaluated(draft, node.get("angle")) or 0.0
        radians = angle if in_radians(draft) else portable_math.radians(angle)
        return Body(name, position=position, angle=radians)
    body = draft.scene.bodies.get(name)
    if body is None:
        raise Refused(f"there is no body `{name}`")
    return body


def anchor(draft: Draft, message: Anchor) -> str:
    """Move an anchor of a joint to a point of the world, in the form of the file."""
    place = find(draft, message.what[0], message.in_prototype)
    if place.section != "joints":
        raise Refused(f"{place.address} is no joint")
    node = place.node(draft)
    decimals = length_decimals(draft, message.step)
    said = f"Anchor of {named(message.what)}"
    if node.get("ground_anchors") is not None and message.end is not None:
        _put_point(draft, place, ("ground_anchors", message.end), message.to, decimals)
        return said
    if node.get("anchors") is not None:
        ends = [0, 1] if message.end is None else [message.end]
        bodies = _held(draft, place)
        for end in ends:
            body = _end(draft, place, bodies[end], message.in_prototype)
            _put_point(draft, place, ("anchors", end), to_local(body, message.to), decimals)
        return said
    kind = str(getattr(node.get("type"), "value", ""))
    if kind in NO_POINT:
        raise Refused(f"a {kind} has no anchors; its joints have")
    one = kind in ONE_POINT or "world" in _held(draft, place)
    if message.end is not None and not (one and kind != "distance"):
        known = draft.scene.joints.get(place.name)
        if known is None or place.turned:
            raise Refused(f"{place.address} says no anchors")
        points = [[*known.anchor_a], [*known.anchor_b]]
        bodies = _held(draft, place)
        body = _end(draft, place, bodies[message.end], message.in_prototype)
        points[message.end] = [*to_local(body, message.to)]
        if node.get("anchor") is not None:
            draft.flush()
            draft.remove(place.file, (*place.path, "anchor"))
        draft.put(
            place.file, place.path, "anchors", rounded(points, decimals + 1), order_of("joints")
        )
        return said
    existing = node.get("anchor")
    if existing is not None and existing.kind == "scalar":
        at = rounded([*message.to], decimals)
        draft.replace(place.file, (*place.path, "anchor"), at)  # it was a point's name
        return said
    to = message.to
    for each in place.turned:
        to = each.back(to)
    if place.turned:
        raise Refused(f"open the prototype alone to move {place.address}")
    amounts = [Amount(to[i], 0.0, decimals, now=known_value(to[i])) for i in (0, 1)]
    change_point(draft, place, ("anchor",), amounts, (0.0, 0.0), order_of("joints"))
    return said


def _put_point(
    draft: Draft, place: Place, keys: tuple[str | int, ...], to: Point, decimals: int
) -> None:
    path = (*place.path, *keys)
    node = draft.node(place.file, path)
    if node is not None and node.kind == "scalar":
        draft.replace(place.file, path, rounded([*to], decimals))
        return
    amounts = [Amount(to[i], 0.0, decimals, now=known_value(to[i])) for i in (0, 1)]
    change_point(draft, place, keys, amounts, None)


def _held(draft: Draft, place: Place) -> list[str]:
    bodies = place.node(draft).get("bodies")
    if bodies is None or len(bodies.items) != 2:
        raise Refused(f"{place.address} does not say two bodies")
    return [str(each.value) for each in bodies.items]


def _end(draft: Draft, place: Place, name: str, prototype: str | None) -> Body:
    if place.many or place.turned:
        raise Refused(f"{place.address} stands for several joints; unroll it first")
    return _body(draft, name, prototype)


def joint(draft: Draft, message: Joint) -> str:
    """Set limits, axis, length, motor or spring by their handles; the words for it."""
    place = find(draft, message.what[0], message.in_prototype)
    if place.section != "joints":
        raise Refused(f"{place.address} is no joint")
    kind = str(getattr(place.node(draft).get("type"), "value", ""))
    turns = kind in JOINT_TYPES and JOINT_TYPES[kind].turns and kind != "wheel"
    if message.limits is not None:
        _put_limits(draft, place, message.limits, turns)
    if message.axis is not None:
        _put_axis(draft, place, message.axis, message.in_prototype)
    draft.flush()
    if message.length is not None:
        if message.length < 0:
            raise Refused("a length is not below 0")
        _put(draft, place, ("length",), rounded(message.length, 4))
    for name, values in (("motor", message.motor), ("spring", message.spring)):
        for key, value in (values or {}).items():
            _put(draft, place, (name, key), rounded(value, 6))
    return f"Change {named(message.what)}"


def _put(draft: Draft, place: Place, keys: tuple[str, ...], value: Any) -> None:
    """Set, or with None unset, a value in a joint and the mapping around it."""
    from .properties import remove

    path = (*place.path, *keys)
    node = draft.node(place.file, path)
    if value is None:
        if node is not None:
            remove(draft, place.file, path)
        return
    if node is not None:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if number and isinstance(node.value, (int, float)):
            change_number(draft, place, keys, Amount(float(value), 0.0, 6), None)
            draft.flush()
        else:
            draft.replace(place.file, path, value)
        return
    if len(keys) > 1 and draft.node(place.file, path[:-1]) is None:
        draft.put(place.file, place.path, keys[0], {keys[1]: value}, order_of("joints"))
    else:
        draft.put(place.file, path[:-1], keys[-1], value, order_of("joints"))


def _put_limits(
    draft: Draft, place: Place, limits: tuple[float | None, float | None], turns: bool
) -> None:
    """Set limits in degrees, or in lengths; None is no limit on a side."""
    factor = portable_math.radians(1.0) if turns and in_radians(draft) else 1.0
    digits = 1 if turns and not in_radians(draft) else 4
    node = place.node(draft).get("limits")
    path = (*place.path, "limits")
    values = [
        rounded(each * factor, digits) if each is not None else (-math.inf, math.inf)[i]
        for i, each in enumerate(limits)
    ]
    if all(each is None for each in limits):
        if node is not None:
            draft.remove(place.file, path)
        return
    if values[0] > values[1]:
        raise Refused("the lower limit is not above the upper one")
    if node is None:
        draft.put(place.file, place.path, "limits", values, order_of("joints"))
    elif node.kind == "map":
        for key, value in zip(("lower", "upper"), values, strict=True):
            if math.isinf(value):
                if node.get(key) is not None:
                    draft.remove(place.file, (*path, key))
            else:
                draft.put(place.file, path, key, value)
    else:
        draft.replace(place.file, path, values)


def _put_axis(draft: Draft, place: Place, axis: Point, prototype: str | None) -> None:
    length = portable_math.hypot(*axis)
    if not length:
        raise Refused("an axis has a direction")
    if place.node(draft).get("anchors") is not None:  # then it is in the axes of the first body
        body = _end(draft, place, _held(draft, place)[0], prototype)
        axis = turned(axis, -body.angle)
    x, y = axis[0] / length, axis[1] / length
    new = rounded([x, y], 4)
    draft.flush()
    _put(draft, place, ("axis",), new)
