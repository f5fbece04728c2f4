# SPDX-License-Identifier: MIT
"""Turns objects about their origins or round a point; poses that are taken from a run."""

from __future__ import annotations

from dataclasses import replace

from ..scene.model import Body
from ..scene.values import portable_math
from .copies import copies_of
from .messages import TakePose, Turn
from .moving import (
    base,
    joints_of,
    joints_that_go,
    move_all,
    moved_places,
    named,
    places_of,
    root_beside,
)
from .numbers import (
    Amount,
    angle_decimals,
    angle_in_file,
    angle_of,
    change_number,
    change_point,
    known_value,
    length_decimals,
)
from .place import Place, Point, Root
from .places import find, look_up, root_of, split_path
from .text.draft import Draft
from .text.nodes import Node
from .text.texts import Refused
from .values import body_of, order_of, point_at, to_world, turned


def turn(draft: Draft, message: Turn) -> str:
    """Turn objects; the words for it."""
    moves = message.about is not None
    places = (moved_places if moves else places_of)(draft, message.what, message.in_prototype)
    radians = portable_math.radians(message.by)
    for place in places:
        if place.section in ("bodies", "instances"):
            turn_one(draft, place, message.by)
        elif message.about is None:
            raise Refused(f"{place.address} has no angle")
    if message.about is not None:
        x, y = message.about

        def by_of(at: Point) -> Point:
            to = turned((at[0] - x, at[1] - y), radians)
            return x + to[0] - at[0], y + to[1] - at[1]

        decimals = length_decimals(draft, message.step)
        move_all(draft, places, by_of, decimals, message.in_prototype, same=False)
        _turn_joints(draft, places, radians, by_of, decimals)
    return f"Turn {named(message.what)}"


def turn_one(draft: Draft, place: Place, degrees: float) -> None:
    """Turn a body or an instance about its origin."""
    for each in place.turned:
        degrees = -degrees if each.mirror else degrees
    by = angle_of(draft, degrees)
    now = None
    if place.section == "bodies" and not place.many and not place.turned:
        now = lambda: angle_in_file(draft, body_of(draft, place).angle)  # noqa: E731
    amount = Amount(by, 1.0, angle_decimals(draft), now=now)
    default = 0.0
    if now is not None and place.node(draft).get("angle") is None:
        default = now() if draft.root(draft.main).get("defaults") is not None else 0.0
    change_number(draft, place, ("angle",), amount, default, order_of(place.section))
    for own in copies_of(draft, place):
        if own.node(draft).get("angle") is not None:
            change_number(draft, own, ("angle",), Amount(by), None)


def _turn_joints(
    draft: Draft, places: list[Place], radians: float, by_of: object, decimals: int
) -> None:
    """Turn the directions of joints, of which all bodies are turned round a point."""
    own: dict[Root, set[str]] = {}
    for place in places:
        if place.section in ("bodies", "instances"):
            own.setdefault(root_beside(place), set()).add(place.label)
    for root, names in own.items():
        for joint, held in joints_of(draft, root, [base(each) for each in names]):
            copies = not root.path
            for each, ends in joints_that_go(draft, joint, held, names, copies=copies):
                node = each.node(draft)
                axis = point_at(draft, node.get("axis"))
                if axis is None or "world" in ends or node.get("anchors") is not None:
                    continue
                new = turned(axis, radians)
                amounts = [Amount(new[i], 0.0, 6) for i in (0, 1)]
                change_point(draft, each, ("axis",), amounts, None)


def take_pose(draft: Draft, message: TakePose) -> str:
    """Write places and angles of bodies as they are in a run."""
    lengths, angles = length_decimals(draft, message.step), angle_decimals(draft)
    root = root_of(draft, message.in_prototype)
    left = []
    for name, (x, y, degrees) in message.poses.items():
        now = draft.scene.bodies.get(name)
        if now is None:
            left.append(name)
            continue
        same = abs(now.position[0] - x) + abs(now.position[1] - y) < 0.5 * 10.0**-lengths
        if same and abs(portable_math.degrees(now.angle) - degrees) < 0.5 * 10.0**-angles:
            continue
        found = look_up(draft, root, "bodies", name)
        if found is None or found.chain:
            left.append(name)
            continue
        if found.many:
            options = {
                "copy": "say them for each body, in `overrides`",
                "unroll": "write its bodies one by one",
                "skip": "leave it as it is",
            }
            question = f"`{found.path[-1]}` is a generator, whose bodies are at one place each"
            if draft.ask("generated", f"bodies.{name}", question, options) == "skip":
                left.append(name)
                continue
        place = find(draft, f"bodies.{name}", message.in_prototype)
        position = place.node(draft).get("position")
        target = (x, y)
        amounts = [
            Amount(target[i] - now.position[i], 1.0, lengths, now=known_value(now.position[i]))
            for i in (0, 1)
        ]
        default = None if position is not None else now.position
        change_point(draft, place, ("position",), amounts, default, order_of("bodies"))
        radians = now.angle
        change = Amount(
            angle_of(draft, degrees) - angle_in_file(draft, radians),
            1.0,
            angles,
            now=known_value(angle_in_file(draft, radians)),
        )
        written = place.node(draft).get("angle")
        default_angle = None if written is not None else angle_in_file(draft, radians)
        change_number(draft, place, ("angle",), change, default_angle, order_of("bodies"))
    draft.flush()
    _take_anchors(draft, root, message, {*message.poses} - {*left})
    if left:
        draft.notes.append(f"left as they are: {', '.join(left[:8])}")
    return "Take the pose"


def _take_anchors(draft: Draft, root: Root, message: TakePose, taken: set[str]) -> None:
    """Move the points and axes of joints that are said in the world to where they are now."""
    decimals, counts = length_decimals(draft, message.step), False
    for name, joint in draft.scene.joints.items():
        first, second = (draft.scene.bodies.get(each) for each in (joint.body_a, joint.body_b))
        if first is None or second is None or not taken & {first.name, second.name}:
            continue  # a point of the world stays where it is
        found = look_up(draft, root, "joints", name)
        node = None if found is None else draft.node(found.root.file, found.path)
        if found is None or node is None or found.many or found.chain:
            continue
        a, b = _posed(first, message), _posed(second, message)
        to, by = to_world(b, joint.anchor_b), a.angle - first.angle
        turn = (b.angle - a.angle) - (second.angle - first.angle)
        apart = portable_math.dist(to_world(a, joint.anchor_a), to)
        counts = counts or (_counts(node) and (abs(turn) > 0.01 or apart > 0.01))
        if node.get("anchors") is not None:
            continue
        place = find(draft, f"joints.{name}", message.in_prototype)
        axis, said = point_at(draft, node.get("axis")), point_at(draft, node.get("anchor"))
        if axis is not None and abs(by) > 1e-9:
            amounts = [Amount(each, 0.0, 6) for each in turned(axis, by)]
            change_point(draft, place, ("axis",), amounts, None)
        if said is not None and portable_math.dist(to, said) >= 0.5 * 10.0**-decimals:
            amounts = [Amount(to[i] - said[i], 1.0, decimals) for i in (0, 1)]
            change_point(draft, place, ("anchor",), amounts, None)
        draft.flush()
    if counts:
        draft.notes.append("limits and positions of joints count from the new pose now")


def _posed(body: Body, message: TakePose) -> Body:
    """A body as it is in the run."""
    pose = message.poses.get(body.name)
    if pose is None:
        return body
    x, y, degrees = pose
    return replace(body, position=(x, y), angle=portable_math.radians(degrees))


def _counts(joint: Node) -> bool:
    """Whether a joint has angles or lengths that count from its start."""
    motor = joint.get("motor")
    return joint.get("limits") is not None or (
        motor is not None and motor.get("position") is not None
    )


def section_of(draft: Draft, address: str, prototype: str | None) -> str:
    return split_path(draft, root_of(draft, prototype), address)[0]
