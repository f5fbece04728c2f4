# SPDX-License-Identifier: MIT
"""Moves objects, with what is fixed to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from .copies import copies_of
from .messages import Move
from .numbers import Amount, change_point, length_decimals
from .place import Place, Point, Root
from .places import find, look_up, root_of, roots
from .text.draft import Draft
from .text.nodes import Node, Path
from .text.texts import Refused
from .values import PLACES, body_of, order_of, point_at, position_of, to_world

COMMON_POINT = frozenset(("revolute", "weld", "prismatic", "wheel", "axial_motor"))
"""Joints whose point of the world is one of their body: it moves with that."""


def move(draft: Draft, message: Move) -> str:
    """Move objects; the words for the list of what may be undone."""
    places = moved_places(draft, message.what, message.in_prototype)
    if message.by is not None:
        by = message.by
    elif message.to is not None:
        now = position_of(draft, places[0])
        by = message.to[0] - now[0], message.to[1] - now[1]
    else:
        raise Refused("`move` needs `by` or `to`")
    decimals = length_decimals(draft, message.step)
    move_all(draft, places, lambda _: by, decimals, message.in_prototype)
    return f"Move {named(message.what)}"


def named(what: Sequence[str]) -> str:
    """The objects of an edit in words."""
    short = [each.partition(".")[2] or each for each in what]
    return short[0] if len(short) == 1 else f"{len(short)} objects"


def moved_places(draft: Draft, what: Sequence[str], prototype: str | None) -> list[Place]:
    """The places of objects that are moved: a question about one copy of a generator then says
    what becomes of its joints."""
    draft.besides = lambda name: _besides(draft, root_of(draft, prototype), name, what)
    return places_of(draft, what, prototype)


def places_of(draft: Draft, what: Sequence[str], prototype: str | None) -> list[Place]:
    """The places of objects, each once; a group stands for its members."""
    found: dict[tuple[str, Path], Place] = {}
    for address in _members(draft, what, prototype, ()):
        place = find(draft, address, prototype)
        found.setdefault((place.file, place.path), place)
    return [*found.values()]


def _members(
    draft: Draft, what: Sequence[str], prototype: str | None, seen: tuple[str, ...]
) -> Iterator[str]:
    for address in what:
        section, _, name = address.partition(".")
        if section != "groups":
            yield address
            continue
        if address in seen:
            continue
        root = root_of(draft, prototype)
        group = root.section(draft, "groups")
        node = None if group is None else group.get(name)
        if node is None:
            raise Refused(f"there is no `{address}`")
        for item in node.items:
            member = str(item.value)
            for kind in ("bodies", "instances", "groups"):
                inner = [f"{kind}.{member}"]
                if kind == "groups" and group is not None and group.get(member) is not None:
                    yield from _members(draft, inner, prototype, (*seen, address))
                elif kind != "groups" and look_up(draft, root, kind, member) is not None:
                    yield from inner
                    break


def move_all(
    draft: Draft,
    places: Sequence[Place],
    by_of: Callable[[Point], Point],
    decimals: int,
    prototype: str | None = None,
    *,
    same: bool = True,
) -> None:
    """Move objects by what depends on their place; ``same`` if it does not."""
    for place in places:
        by = by_of((0.0, 0.0)) if same else by_of(position_of(draft, place))
        if not same and place.many and len(_made(draft, place)) != 1:
            raise Refused(f"{place.address} stands for several objects; unroll the generator first")
        _move_one(draft, place, by, decimals)
    _move_joints(draft, places, by_of, decimals, same=same)


def _made(draft: Draft, place: Place) -> list[str]:
    objects = draft.scene.bodies if place.section == "bodies" else {}
    return [name for name in objects if name.startswith(f"{place.name}[")]


def _move_one(draft: Draft, place: Place, by: Point, decimals: int) -> None:
    for each in place.turned:
        by = each.back(by)
    if place.section == "joints":
        if not _move_joint(draft, place, by, decimals):
            raise Refused(f"the anchors of {place.address} are points of its bodies; move these")
        return
    if place.section == "camera":
        for i in (0, 1):
            _change(draft, place, ("rect", i), by, decimals, None)
        return
    key = PLACES.get(place.section)
    if key is None:
        raise Refused(f"{place.address} has no place")
    default = None if place.section in ("annotations", "spawners") else (0.0, 0.0)
    if place.section == "bodies" and place.node(draft).get("position") is None:
        default = _default(draft, place)
    _change(draft, place, (key,), by, decimals, default)
    for own in copies_of(draft, place):
        if own.node(draft).get(key) is not None:
            _change(draft, own, (key,), by, decimals, None)
    if place.section == "bodies":
        _move_tracks(draft, place, by, decimals)


def _default(draft: Draft, place: Place) -> Point:
    """The place of a body whose entry says none: the origin, unless `defaults` say another."""
    if place.turned or draft.root(draft.main).get("defaults") is None:
        return 0.0, 0.0
    return body_of(draft, place).position


def _change(
    draft: Draft,
    place: Place,
    keys: Sequence[str | int],
    by: Point,
    decimals: int,
    default: Point | None,
) -> None:
    amounts = [Amount(by[i], 1.0, decimals, now=_now(draft, place, keys, i)) for i in range(2)]
    change_point(draft, place, keys, amounts, default, order_of(place.section))


def _now(
    draft: Draft, place: Place, keys: Sequence[str | int], axis: int
) -> Callable[[], float | None] | None:
    """The present coordinate, where it is one number that the scene has."""
    if place.many or place.turned or tuple(keys) != ("position",) or place.section != "bodies":
        return None
    if place.path[0] == "prototypes":
        return None
    return lambda: _coordinate(draft, place, axis)


def _coordinate(draft: Draft, place: Place, axis: int) -> float | None:
    body = draft.scene.bodies.get(place.name)
    return None if body is None else body.position[axis]


# ---------------------------------------------------------------- what is fixed to bodies


def base(name: str) -> str:
    """The name of the generator or instance that a name begins with."""
    return re.split(r"[.\[]", name)[0]


def mentions(node: Node | None, names: Sequence[str]) -> bool:
    """Whether the characters of a value have one of some names in them."""
    if node is None:
        return False
    words = "|".join(re.escape(each) for each in names)
    return re.search(rf"(?<![\w.])(?:{words})(?!\w)", node.text[node.start : node.end]) is not None


def root_beside(place: Place) -> Root:
    """The tree in whose section a place is."""
    return Root(place.file, place.entry[:-2])


def joints_of(draft: Draft, root: Root, names: Sequence[str]) -> Iterator[tuple[Place, list[str]]]:
    """The joints of a tree on objects with these names, each with the names of its bodies."""
    section = root.section(draft, "joints")
    if section is None or section.kind != "map" or not mentions(section, names):
        return
    for key, entry in section.entries:
        if entry.kind != "map":
            continue
        bodies = entry.get("bodies") or entry.get("body")
        items = [] if bodies is None else bodies.items or [bodies]
        held = [str(each.value) for each in items]
        if any(base(each) in names for each in held):
            name = str(key.value)
            path = (*root.path, "joints", name)
            many = entry.get("repeat") is not None
            yield Place(f"joints.{name}", "joints", name, root.file, path, many), held


def _move_joints(
    draft: Draft,
    places: Sequence[Place],
    by_of: Callable[[Point], Point],
    decimals: int,
    *,
    same: bool,
) -> None:
    """Move the points of the world of joints whose bodies have moved."""
    by_root: dict[Root, list[Place]] = {}
    own = {(each.file, each.path) for each in places}
    for place in places:
        if place.section in ("bodies", "instances"):
            root = root_beside(place)  # files that are included are one tree with the scene's
            by_root.setdefault(root if root.path else Root(draft.main), []).append(place)
    for root, moved in by_root.items():
        names = [base(each.name) for each in moved]
        going = {each.label for each in moved}
        for joint, held in _joints_of_tree(draft, root, names, {each.file for each in moved}):
            if (joint.file, joint.path) in own:
                continue
            for each, ends in joints_that_go(draft, joint, held, going, copies=not root.path):
                if not _goes_along(draft, joint, ends):
                    continue
                anchor = each.node(draft).get("anchor")
                if anchor is None or anchor.kind != "seq":
                    continue
                by = by_of((0.0, 0.0) if same else _point_of(draft, each, anchor, moved[0]))
                for turn in moved[0].turned:
                    by = turn.back(by)
                for entry in (each, *copies_of(draft, each)):
                    if entry.node(draft).get("anchor") is not None:
                        _change(draft, entry, ("anchor",), by, decimals, None)


def joints_that_go(
    draft: Draft, joint: Place, held: Sequence[str], going: Collection[str], *, copies: bool = True
) -> Iterator[tuple[Place, Sequence[str]]]:
    """Yield a joint if all its bodies move, or those copies of a generated joint whose bodies all
    move, each with its bodies."""
    if _all_go(held, going):
        yield joint, held
    elif joint.many and copies and draft.changes_copies:
        for name, ends in _generated(draft, joint):
            if _all_go(ends, going):
                yield draft.own_entry(draft, replace(joint, name=name)), ends


def _generated(draft: Draft, joint: Place) -> list[tuple[str, tuple[str, str]]]:
    """The joints that a generator makes, with their bodies."""
    return [
        (name, (each.body_a, each.body_b))
        for name, each in draft.scene.joints.items()
        if name.startswith(f"{joint.name}[")
    ]


def _all_go(held: Sequence[str], going: Collection[str]) -> bool:
    free = [each.replace(" ", "") for each in held if each != "world"]
    return all(each in going or base(each) in going for each in free)


def _goes_along(draft: Draft, joint: Place, held: Sequence[str]) -> bool:
    """Whether the point of the world of a joint is one of its bodies, and goes where these go."""
    kind = joint.node(draft).get("type")
    return "world" not in held or (kind is not None and kind.value in COMMON_POINT)


def _besides(draft: Draft, root: Root, name: str, what: Sequence[str]) -> str:
    """Describe how moving one copy alone changes its joints whose world anchor is in the file."""
    going = {address.partition(".")[2] for address in what}
    along: list[str] = []
    stays: list[str] = []
    for joint, held in joints_of(draft, root, [base(name)]):
        node = joint.node(draft)
        point = node.get("anchor") or (node.get("anchors") if "world" in held else None)
        if point is None or point.kind != "seq":
            continue
        for each, ends in _generated(draft, joint) if joint.many else [(joint.name, held)]:
            if name not in ends:
                continue
            goes = _all_go(ends, going) and _goes_along(draft, joint, ends)
            (along if goes else stays).append(f"`{each}`")
    said = ""
    if along:
        said += f"; {_anchors(along)} {'goes' if len(along) == 1 else 'go'} along"
    if stays:
        where = "stays where it is" if len(stays) == 1 else "stay where they are"
        said += f"; {_anchors(stays)} {where} in the world"
    return said


def _anchors(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"the anchor of {names[0]}"
    some = (
        " and ".join(names) if len(names) == 2 else f"{names[0]} and {len(names) - 1} more joints"
    )
    return f"the anchors of {some}"


def _joints_of_tree(
    draft: Draft, root: Root, names: Sequence[str], files: Collection[str]
) -> Iterator[tuple[Place, list[str]]]:
    """The joints of a tree and of the files that are merged into it; those that win."""
    seen: set[str] = set()
    for each in [*roots(draft, root)]:
        for joint, held in [*joints_of(draft, each, names)]:
            if joint.name in seen:
                continue
            seen.add(joint.name)
            here = joint.file in files or root.path
            yield (joint if here else find(draft, joint.address)), held


def _point_of(draft: Draft, joint: Place, anchor: Node, body: Place) -> Point:
    """The point of the world of a joint beside a body that is moved."""
    said = None if body.turned else point_at(draft, anchor)
    if said is not None:
        return said
    known = draft.scene.joints.get(".".join((*body.instance, joint.name)))
    if known is None:
        raise Refused(f"the place of {joint.address} is not known; give it as two numbers first")
    holder = draft.scene.bodies.get(known.body_a)
    return known.anchor_a if holder is None else to_world(holder, known.anchor_a)


def _move_joint(draft: Draft, place: Place, by: Point, decimals: int) -> bool:
    """Move the points of the world that a joint says; whether there are any."""
    node = place.node(draft)
    found = False
    for key in ("anchor", "target"):
        point = node.get(key)
        if point is not None and point.kind == "seq":
            _change(draft, place, (key,), by, decimals, None)
            found = True
    grounds = node.get("ground_anchors")
    if grounds is not None and grounds.kind == "seq":
        for i in range(len(grounds.items)):
            _change(draft, place, ("ground_anchors", i), by, decimals, None)
        found = True
    bodies, anchors = node.get("bodies"), node.get("anchors")
    if bodies is not None and anchors is not None and anchors.kind == "seq":
        for i, each in enumerate(bodies.items):
            if each.value == "world" and anchors.items[i].kind == "seq":
                _change(draft, place, ("anchors", i), by, decimals, None)
                found = True
    return found


def _move_tracks(draft: Draft, place: Place, by: Point, decimals: int) -> None:
    """Move the way of a body that an animation leads."""
    root = root_beside(place)
    animations = root.section(draft, "animations")
    name = place.label
    if animations is None or not mentions(animations, [name]):
        return
    for key, entry in animations.entries:
        tracks = entry.get("tracks")
        if tracks is None or tracks.kind != "map":
            continue
        for track, value in tracks.entries:
            keys = (value.get("keys") if value.kind == "map" else value) or value
            head = ("keys",) if value.kind == "map" else ()
            if track.value != f"{name}.position" or keys.kind != "seq":
                continue
            path = (*root.path, "animations", str(key.value))
            animation = Place(f"animations.{key.value}", "animations", str(key.value),
                              root.file, path)  # fmt: skip
            for i, each in enumerate(keys.items):
                if len(each.items) == 2 and each.items[1].kind == "seq":
                    at = ("tracks", str(track.value), *head, i, 1)
                    _change(draft, animation, at, by, decimals, None)
