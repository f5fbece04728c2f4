# SPDX-License-Identifier: MIT
"""New objects of every section, where a person would write them, and the order of objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .local import SHAPES
from .messages import Add, Collide, Group, Keyframe, Reorder
from .place import Place, Root
from .places import LISTS, WHOLE, entry_in, find, root_of, taken
from .renaming import ALONE, NAMED, check_name
from .text.draft import Draft, alike
from .text.nodes import Node, Path
from .text.style import MOST, number, rounded
from .text.texts import Refused, dotted

ONE = {
    "bodies": "body", "joints": "joint", "actuators": "force", "instances": "copy",
    "materials": "material", "vars": "value", "groups": "group", "animations": "animation",
    "spawners": "spawner", "particles": "particles", "probes": "probe", "prototypes": "part",
    "controls": "key", "state": "state",
}  # fmt: skip


def add(draft: Draft, message: Add) -> str:
    """Add an object to a section; the words for it."""
    root = root_of(draft, message.in_prototype)
    name = insert(draft, root, message.section, message.name, message.value, message.near)
    return f"Add {name}"


def insert(
    draft: Draft,
    root: Root,
    section: str,
    name: str | None,
    value: Any,
    near: str | None = None,
) -> str:
    """Put an object into a section under a name that is free; the name."""
    value = rounded(value, MOST)
    near = near.rpartition(".")[2] if near else None
    if section in LISTS:
        if root.path:
            node = draft.node(root.file, (*root.path, section))
            if node is None:
                draft.put(root.file, root.path, section, [value])
                index = 0
            else:
                index = len(node.items)
                draft.append(root.file, (*root.path, section), value)
        else:
            index = draft.add_item(root.file, section, value)
        draft.names.append(f"{section}[{index}]")
        return f"{section}[{index}]"
    if section in WHOLE:
        if root.section(draft, section) is not None:
            raise Refused(f"there is a `{section}` already; set its properties")
        draft.put(root.file, root.path, section, value) if root.path else draft.add_section(
            root.file, section, value
        )
        draft.names.append(section)
        return section
    if section == "controls" and name:
        if entry_in(draft, root, section, name) is not None:
            raise Refused(f"the key `{name}` has controls already; set these")
        free = name
    else:
        free = free_name(draft, root, section, name or _word(section, value, near))
        check_name(draft, root, section, free)
    path = (*root.path, section)
    if root.path and draft.node(root.file, path) is None:
        draft.put(root.file, root.path, section, {free: value})
    else:
        draft.add_entry(root.file, path, free, value, near)
    draft.names.append(f"{section}.{free}")
    return free


def _word(section: str, value: Any, near: str | None) -> str:
    """A word for a new object: that of its neighbour, of its type or of its shape."""
    if near:
        return re.sub(r"_?\d+$", "", near) or near
    if isinstance(value, Mapping):
        shape = value.get("shape")
        if isinstance(shape, Mapping):
            kind = next((each for each in SHAPES if each in shape), None)
            if kind is not None:
                return {"circle": "ball", "chain": "ground"}.get(kind, kind)
        for key in ("use", "type"):
            if isinstance(value.get(key), str) and value[key] not in ("static", "kinematic"):
                return str(value[key])
    return ONE.get(section, "object")


def free_name(draft: Draft, root: Root, section: str, name: str) -> str:
    """A name that no other object has: `crate`, `crate_2`, ..."""
    sections = (section,) if section in ALONE else (*(s for s in NAMED if s not in ALONE),)
    used = taken(draft, root, sections)
    if name not in used:
        return name
    base = re.sub(r"_\d+$", "", name)
    count = 2
    while f"{base}_{count}" in used:
        count += 1
    return f"{base}_{count}"


def group(draft: Draft, message: Group) -> str:
    """Make a group of bodies; the words for it."""
    root = root_of(draft, message.in_prototype)
    members = []
    for address in message.what:
        section, _, name = address.partition(".")
        if section not in ("bodies", "instances", "groups"):
            raise Refused(f"{address} cannot be in a group, which has bodies")
        find_one(draft, root, section, name)
        members.append(name)
    name = insert(draft, root, "groups", message.name, members)
    return f"Group {name}"


def find_one(draft: Draft, root: Root, section: str, name: str) -> None:
    """Raise Refused if there is no such object."""
    from .places import look_up

    if look_up(draft, root, section, name) is None:
        raise Refused(f"there is no `{section}.{name}`")


def collide(draft: Draft, message: Collide) -> str:
    """Say whether two categories collide; the words for it."""
    file, path = draft.main, ("collision",)
    node = draft.node(file, path)
    pairs = node.get("collide") if node is not None else None
    wanted = message.value
    key = "collide" if pairs is not None else "ignore"
    if pairs is None:
        wanted = not message.value
        pairs = node.get("ignore") if node is not None else None
    both = {message.a, message.b}
    at = [i for i, each in enumerate(pairs.items if pairs is not None else [])
          if {str(n.value) for n in each.items} == both]  # fmt: skip
    if wanted and not at:
        pair = [message.a, message.b]
        if pairs is not None and pairs.kind == "seq":
            draft.append(file, (*path, key), pair)
        elif node is not None and node.kind == "map":
            draft.put(file, path, key, [pair], ("categories", "ignore", "collide"))
        else:
            draft.add_section(file, "collision", {key: [pair]})
    elif not wanted and at:
        assert pairs is not None
        assert node is not None
        if len(pairs.items) > len(at):
            for i in reversed(at):
                draft.remove(file, (*path, key, i))
        elif key == "collide":
            draft.replace(file, (*path, key), [])
        else:
            draft.remove(file, (*path, key) if len(node.entries) > 1 else path)
    verb = "collide" if message.value else "do not collide"
    return f"{message.a} and {message.b} {verb}"


def reorder(draft: Draft, message: Reorder) -> str:
    """Put an object at another place among its neighbours; the words for it."""
    place = find(draft, message.what[0], message.in_prototype)
    *to, last = place.path
    parent = draft.need(place.file, tuple(to))
    text = draft.text(place.file).text
    if parent.kind == "seq":
        assert isinstance(last, int)
        index, spans = last, [(each.start, each.end) for each in parent.items]
    else:
        names = [str(key.value) for key, _ in parent.entries]
        index = names.index(str(last))
        spans = [(key.start, max(key.end, value.end)) for key, value in parent.entries]
    new = min(message.to, len(spans) - 1)
    if new == index:
        return f"Put {place.address} at {new}"
    order = [*range(len(spans))]
    order.insert(new, order.pop(index))
    chunks = spans if parent.flow else _chunks(text, parent, spans)
    pieces = [text[a:b] for a, b in chunks]
    end = chunks[-1][1]
    if not parent.flow and not pieces[-1].endswith("\n"):
        newline = draft.text(place.file).newline
        pieces[-1] += newline
        gaps = [text[chunks[i][1] : chunks[i + 1][0]] for i in range(len(chunks) - 1)] + [""]
        joined = "".join(pieces[o] + gaps[i] for i, o in enumerate(order))
        joined = joined.removesuffix(newline)
    else:
        gaps = [text[chunks[i][1] : chunks[i + 1][0]] for i in range(len(chunks) - 1)] + [""]
        joined = "".join(pieces[o] + gaps[i] for i, o in enumerate(order))
    draft.splice(place.file, chunks[0][0], end, joined)
    draft.names.append(f"{place.section}[{new}]" if parent.kind == "seq" else place.address)
    return f"Put {place.address} at {new}"


def _chunks(text: str, parent: Node, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The whole lines of each entry of a block, with the comments above it."""
    starts = []
    for start, _ in spans:
        begin = text.rfind("\n", 0, start) + 1
        if parent.kind == "map" and text[begin:start].strip():
            raise Refused("the first of these begins behind a dash; change it by hand")
        while begin > parent.start:
            above = text.rfind("\n", 0, begin - 1) + 1
            if not text[above:begin].strip().startswith("#"):
                break
            begin = above
        starts.append(begin)
    end = text.find("\n", spans[-1][1])
    ends = [*starts[1:], len(text) if end < 0 else end + 1]
    return [*zip(starts, ends, strict=True)]


# ---------------------------------------------------------------- keys of animations


def keyframe(draft: Draft, message: Keyframe) -> str:
    """Set, move or delete a key of a track; the words for it."""
    place = find(draft, f"animations.{message.animation}", message.in_prototype)
    said = f"{message.animation}: {message.track} at {number(message.at, 3)}"
    tracks = (*place.path, "tracks")
    if draft.node(place.file, tracks) is None:
        draft.put(place.file, place.path, "tracks", {message.track: [[message.at, message.value]]})
        return f"Key {said}"
    path: Path = (*tracks, message.track)
    node = draft.node(place.file, path)
    if node is not None and node.kind == "map":
        path = (*path, "keys")
        node = node.get("keys")
    if node is None:
        if message.do != "set":
            raise Refused(f"there is no track {message.track}")
        draft.put(place.file, tracks, message.track, [[message.at, rounded(message.value, MOST)]])
        return f"Key {said}"
    times = [_time(place, each) for each in node.items]
    found = [i for i, time in enumerate(times) if abs(time - message.at) < 1e-6]
    if message.do == "set":
        value = rounded(message.value, MOST)
        ends = {times[0], times[-1]} if times else set()
        also = ends - {message.at} if _returns(place.node(draft)) and message.at in ends else set()
        _set_key(draft, place, path, times, found, message.at, value)
        for other in also:
            index = times.index(other)
            if not alike(draft.need(place.file, (*path, index, 1)).plain(), value):
                draft.replace(place.file, (*path, index, 1), value)
                draft.notes.append("a loop ends as it begins: its other end has the value too")
        return f"Key {said}"
    if not found:
        raise Refused(f"there is no key at {number(message.at, 6)}")
    if message.do == "delete":
        if len(times) > 1:
            draft.remove(place.file, (*path, found[0]))
        else:
            draft.remove(place.file, (*tracks, message.track))
        return f"Delete key {said}"
    if message.to is None:
        raise Refused("`move` needs `to`")
    others = [time for i, time in enumerate(times) if i != found[0]]
    if any(abs(time - message.to) < 1e-6 for time in others):
        raise Refused(f"there is a key at {number(message.to, 6)} already")
    at = sum(time < message.to for time in others)
    if at == found[0]:
        draft.replace(place.file, (*path, found[0], 0), rounded(message.to, 6))
    else:
        key = draft.need(place.file, (*path, found[0])).plain()
        key[0] = rounded(message.to, 6)
        draft.remove(place.file, (*path, found[0]))
        draft.append(place.file, path, key, at)
    return f"Move key {said}"


def _returns(animation: Node) -> bool:
    """Whether the first and the last key of an animation have to be equal."""
    kind, loop = animation.get("type"), animation.get("loop")
    return kind is not None and kind.value == "loop" and (loop is None or loop.value != "ping_pong")


def _time(place: Place, node: Node) -> float:
    first = node.get(0)
    value = None if first is None else first.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(f"a key of {place.address} has no plain time; change it by hand")
    return float(value)


def _set_key(
    draft: Draft,
    place: Place,
    path: Path,
    times: list[float],
    found: list[int],
    at: float,
    value: Any,
) -> None:
    if found:
        if not alike(draft.need(place.file, (*path, found[0], 1)).plain(), value):
            draft.replace(place.file, (*path, found[0], 1), value)
        return
    index = sum(time < at for time in times)
    draft.append(place.file, path, [rounded(at, 6), value], index)


def dotted_of(place: Place) -> str:
    return dotted(place.path)
