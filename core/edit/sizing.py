# SPDX-License-Identifier: MIT
"""Scales objects, and puts the origin of a body at another point of it."""

from __future__ import annotations

from .copies import copies_of
from .local import Map, change_actuators, change_anchors, change_rest, change_shape, shapes_of
from .messages import Pivot, Scale
from .moving import joints_of, move_all, named, places_of, root_beside
from .numbers import Amount, change_number, change_point, known_value, length_decimals
from .place import Place, Point, Root
from .places import turned_of
from .text.draft import Draft
from .text.style import rounded
from .text.texts import Refused
from .values import body_of, order_of, point_at, position_of, to_local


def scale(draft: Draft, message: Scale) -> str:
    """Scale objects; the words for it."""
    x, y = message.by
    if not (x > 0 and y > 0):
        raise Refused("a factor is greater than 0; `mirror` reflects")
    places = places_of(draft, message.what, message.in_prototype)
    decimals = length_decimals(draft, message.step)
    by = Map((x, y), (0.0, 0.0), decimals)
    for place in places:
        if place.section == "instances":
            if x != y:
                raise Refused(f"{place.address} is an instance, which is scaled evenly")
            amount = Amount(0.0, x, 4)
            change_number(draft, place, ("scale",), amount, 1.0, order_of("instances"))
        elif place.section == "bodies":
            _scale_body(draft, place, by)
        elif place.section == "layers":
            if x != y:
                raise Refused("a layer is scaled evenly")
            default = 0.01 * draft.scene.world.length_unit
            change_number(draft, place, ("scale",), Amount(0.0, x, 6), default)
        elif message.about is None:
            raise Refused(f"{place.address} has no size")
    if message.about is not None:
        ax, ay = message.about

        def by_of(at: Point) -> Point:
            return (x - 1.0) * (at[0] - ax), (y - 1.0) * (at[1] - ay)

        if x != y:
            for place in places:
                if place.section == "bodies" and body_of(draft, place).angle:
                    raise Refused(f"{place.address} is turned; scale it evenly")
        move_all(draft, places, by_of, decimals, message.in_prototype, same=False)
    return f"Scale {named(message.what)}"


def _scale_body(draft: Draft, place: Place, by: Map) -> None:
    node = place.node(draft)
    shapes = shapes_of(place, node)
    if not shapes and not place.turned:
        raise Refused(f"{place.address} says no shape itself")
    for keys, shape in shapes:
        change_shape(draft, place, keys, shape, by)
    change_rest(draft, place, by)
    for own in copies_of(draft, place):
        for keys, shape in shapes_of(own, own.node(draft)):
            change_shape(draft, own, keys, shape, by)
    name = str(place.path[-1])
    for joint, held in joints_of(draft, root_beside(place), [name]):
        change_anchors(draft, joint, held, name, by)
    change_actuators(draft, place, name, by)


def pivot(draft: Draft, message: Pivot) -> str:
    """Put the origin of a body at a point of the world; nothing is seen to move."""
    (place,) = places_of(draft, message.what[:1], message.in_prototype)
    if place.section == "instances":
        return _pivot_of_instance(draft, place, message)
    if place.section != "bodies" or place.many or place.turned:
        raise Refused(f"{place.address} is no single body")
    body = body_of(draft, place)
    decimals = length_decimals(draft, message.step) + 1
    at = float(round(message.at[0], decimals)), float(round(message.at[1], decimals))
    dx, dy = to_local(body, at)
    by = Map((1.0, 1.0), (-dx, -dy), decimals + 3)  # so that nothing is seen to move
    name = str(place.path[-1])
    root = root_beside(place)
    for joint, held in [*joints_of(draft, root, [name])]:
        _keep_anchor(draft, joint, held, name)
    node = place.node(draft)
    shapes = shapes_of(place, node)
    if not shapes:
        raise Refused(f"{place.address} says no shape itself")
    for keys, shape in shapes:
        if shape.get("half_space") is not None:
            raise Refused("a half-space has no other origin")
        change_point(draft, place, (*keys, "offset"), by.amounts(), (0.0, 0.0))
    change_rest(draft, place, by)
    for joint, held in joints_of(draft, root, [name]):
        change_anchors(draft, joint, held, name, by)
    change_actuators(draft, place, name, by)
    to = at[0] - body.position[0], at[1] - body.position[1]
    amounts = [Amount(to[i], 1.0, decimals, now=known_value(body.position[i])) for i in (0, 1)]
    default = None if node.get("position") is not None else body.position
    change_point(draft, place, ("position",), amounts, default, order_of("bodies"))
    return f"Pivot of {named(message.what)}"


def _pivot_of_instance(draft: Draft, place: Place, message: Pivot) -> str:
    """Put the pivot of an instance at a point of the world; nothing is seen to move."""
    if place.many or place.turned:
        raise Refused(f"{place.address} is no single instance")
    node = place.node(draft)
    was = node.get("pivot")
    before = (0.0, 0.0) if was is None else point_at(draft, was)
    if before is None:
        raise Refused(
            f"the pivot of {place.address} is {was.source if was else ''}, no two numbers"
        )
    decimals = length_decimals(draft, message.step)
    at = float(round(message.at[0], decimals)), float(round(message.at[1], decimals))
    now = position_of(draft, place)
    by = at[0] - now[0], at[1] - now[1]
    inner = turned_of(draft, Root(place.file), place.path).back(by)
    for key, change, digits, old in (
        ("pivot", inner, decimals + 3, before),
        ("at", by, decimals, now),
    ):
        amounts = [Amount(change[i], 1.0, digits, now=known_value(old[i])) for i in (0, 1)]
        change_point(draft, place, (key,), amounts, (0.0, 0.0), order_of("instances"))
    return f"Pivot of {named(message.what)}"


def _keep_anchor(draft: Draft, joint: Place, held: list[str], name: str) -> None:
    """Say the point of a joint that is at a body's origin because the file says none."""
    node = joint.node(draft)
    if node.get("anchor") is not None or node.get("anchors") is not None:
        return
    kind = node.get("type")
    if kind is None or kind.value in ("gear", "rack", "mouse", "custom"):
        return
    known = draft.scene.joints.get(joint.name)
    if known is None:
        raise Refused(f"{joint.address} is at the origin of {name}; say its anchor first")
    if kind.value in ("distance", "pulley"):
        points = [[*known.anchor_a], [*known.anchor_b]]
        draft.put(joint.file, joint.path, "anchors", rounded(points, 6), order_of("joints"))
    elif held and held[-1] == name:
        at = rounded([*draft.scene.bodies[name].position], 6)
        draft.put(joint.file, joint.path, "anchor", at, order_of("joints"))
