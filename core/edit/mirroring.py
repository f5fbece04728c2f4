# SPDX-License-Identifier: MIT
"""Reflects objects left and right, or top and bottom."""

from __future__ import annotations

from .arranging import box_of
from .local import (
    Map,
    change_actuators,
    change_anchors,
    change_rest,
    change_shape,
    kind_of,
    shapes_of,
)
from .messages import Mirror
from .moving import joints_of, named, places_of, root_beside
from .numbers import Amount, angle_decimals, change_number, change_point, length_decimals
from .place import Place, Root
from .places import in_radians
from .text.draft import Draft
from .text.nodes import Node
from .text.texts import Refused
from .values import body_of, order_of

TURNING = frozenset(("revolute", "wheel", "ratchet"))


def mirror(draft: Draft, message: Mirror) -> str:
    """Reflect objects; the words for it."""
    places = places_of(draft, message.what, message.in_prototype)
    axis = 0 if message.axis == "x" else 1
    at = message.at
    if at is None:
        boxes = [box_of(draft, each) for each in places]
        at = (min(b[axis] for b in boxes) + max(b[axis + 2] for b in boxes)) / 2
    decimals = length_decimals(draft, message.step) + 1
    own = Map((-1.0, 1.0) if axis == 0 else (1.0, -1.0), (0.0, 0.0), decimals)
    world = Map(own.times, (2 * at, 0.0) if axis == 0 else (0.0, 2 * at), decimals)
    seen = set()
    for place in places:
        if place.turned or place.many:
            raise Refused(f"{place.address} is not said alone; it cannot be mirrored")
        if place.section == "bodies":
            _mirror_body(draft, place, own, world)
        elif place.section == "instances":
            _mirror_instance(draft, place, axis, world)
        elif place.section not in ("joints", "annotations", "layers"):
            raise Refused(f"{place.address} cannot be mirrored")
        elif place.section != "joints":
            change_point(draft, place, ("at",), world.amounts(), None)
    by_root: dict[Root, list[Place]] = {}
    for place in places:
        if place.section in ("bodies", "instances"):
            by_root.setdefault(root_beside(place), []).append(place)
    for root, moved in by_root.items():
        names = [str(each.path[-1]) for each in moved]
        bodies = {str(each.path[-1]) for each in moved if each.section == "bodies"}
        for joint, held in joints_of(draft, root, names):
            free = [each for each in held if each != "world"]
            whole = all(each in bodies for each in free)
            if whole and joint.path not in seen:
                seen.add(joint.path)
                _mirror_joint(draft, joint, held, own, world)
            elif not whole:
                for name in free:
                    if name in bodies:
                        change_anchors(draft, joint, held, name, own)
    return f"Mirror {named(message.what)}"


def _mirror_body(draft: Draft, place: Place, own: Map, world: Map) -> None:
    node = place.node(draft)
    body = body_of(draft, place)
    x, y = body.position
    default = None if node.get("position") is not None else (x, y)
    amounts = world.amounts()
    change_point(draft, place, ("position",), amounts, default, order_of("bodies"))
    minus = Amount(0.0, -1.0, angle_decimals(draft))
    for key in ("angle", "angular_velocity"):
        if node.get(key) is not None:
            change_number(draft, place, (key,), minus, None)
    if node.get("velocity") is not None:
        change_point(draft, place, ("velocity",), own.amounts(), None)
    for keys, shape in shapes_of(place, node):
        _mirror_shape(draft, place, keys, shape, own)
    change_rest(draft, place, own)
    change_actuators(draft, place, str(place.path[-1]), own)
    texture = node.get("texture")
    if texture is not None and texture.kind == "map" and texture.get("angle") is not None:
        change_number(draft, place, ("texture", "angle"), minus, None)


def _mirror_shape(
    draft: Draft, place: Place, keys: tuple[str | int, ...], shape: Node, own: Map
) -> None:
    kind = kind_of(shape)
    if shape.get("one_way") is not None or kind == "half_space":
        raise Refused(f"{place.address} has a side; mirror it by hand")
    if kind == "regular_polygon":
        sides = shape.at((kind, "sides"))
        even = sides is not None and isinstance(sides.value, int) and sides.value % 2 == 0
        if own.times[0] < 0 and not even:
            half = 3.141592653589793 if in_radians(draft) else 180.0
            amount = Amount(half, -1.0, angle_decimals(draft))
            change_number(draft, place, (*keys, "angle"), amount, 0.0)
        elif shape.get("angle") is not None:
            change_number(draft, place, (*keys, "angle"), Amount(0.0, -1.0, 4), None)
        if shape.get("offset") is not None:
            change_point(draft, place, (*keys, "offset"), own.amounts(), None)
        return
    change_shape(draft, place, keys, shape, own)
    if shape.get("angle") is not None:
        change_number(draft, place, (*keys, "angle"), Amount(0.0, -1.0, 4), None)
    if kind == "chain":
        side = shape.get("side")
        now = "left" if side is None else str(side.value)
        if now != "both":
            draft.flush()
            other = "left" if now == "right" else "right"
            path = (*place.path, *keys)
            if other == "left":
                draft.remove(place.file, (*path, "side"))
            else:
                draft.put(place.file, path, "side", other)


def _mirror_instance(draft: Draft, place: Place, axis: int, world: Map) -> None:
    node = place.node(draft)
    change_point(draft, place, ("at",), world.amounts(), (0.0, 0.0), order_of("instances"))
    angle = angle_decimals(draft)
    if node.get("angle") is not None:
        change_number(draft, place, ("angle",), Amount(0.0, -1.0, angle), None)
    draft.flush()
    now = node.get("mirror")
    wanted = "x" if axis == 0 else "y"
    if now is None:
        draft.put(place.file, place.path, "mirror", wanted, order_of("instances"))
    elif now.value == wanted:
        draft.remove(place.file, (*place.path, "mirror"))
    else:
        draft.remove(place.file, (*place.path, "mirror"))
        half = 3.141592653589793 if in_radians(draft) else 180.0
        order = order_of("instances")
        change_number(draft, place, ("angle",), Amount(half, 1.0, angle), 0.0, order)
        draft.flush()


def _mirror_joint(draft: Draft, joint: Place, held: list[str], own: Map, world: Map) -> None:
    node = joint.node(draft)
    anchor, anchors = node.get("anchor"), node.get("anchors")
    if anchor is not None and anchor.kind == "seq":
        change_point(draft, joint, ("anchor",), world.amounts(), None)
    for i, each in enumerate(held if anchors is not None and anchors.kind == "seq" else []):
        assert anchors is not None
        if anchors.items[i].kind == "seq":
            by = world if each == "world" else own
            change_point(draft, joint, ("anchors", i), by.amounts(), None)
    if node.get("axis") is not None:
        change_point(draft, joint, ("axis",), own.amounts(), None)
    kind = node.get("type")
    if kind is None or kind.value not in TURNING:
        return
    minus = Amount(0.0, -1.0, 4)
    for key in ("speed", "position"):
        relative = node.at(("motor", "relative"))
        if node.at(("motor", key)) is not None and (relative is None or relative.value is not True):
            change_number(draft, joint, ("motor", key), minus, None)
    limits = node.get("limits")
    if limits is not None and kind.value == "revolute":
        if limits.kind != "seq" or not all(
            isinstance(each.value, (int, float)) for each in limits.items
        ):
            raise Refused(f"the limits of {joint.address} cannot be exchanged; change them by hand")
        low, high = (float(each.value) for each in limits.items)
        draft.flush()
        draft.replace(joint.file, (*joint.path, "limits"), [-high, -low])
