# SPDX-License-Identifier: MIT
"""Copies of objects, prototypes made of objects, and instances of prototypes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .deleting import check_not_behind, remove_units
from .entries import free_name, insert
from .messages import Duplicate, Instance, MakePrototype
from .moving import joints_of, mentions, move_all, named, places_of, root_beside
from .numbers import angle_of, length_decimals
from .place import Place, Root
from .places import LISTS, entry_in, in_radians, names_of, prototype_root, root_of
from .references import Reference, in_value, pattern_of, references
from .text.draft import Draft, quoted_like
from .text.nodes import Path
from .text.style import rounded
from .text.texts import Refused


def duplicate(draft: Draft, message: Duplicate) -> str:
    """Copy objects, with the joints and forces among them; the words for it."""
    places = places_of(draft, message.what, message.in_prototype)
    decimals = length_decimals(draft, message.step)
    more = _among(draft, places)
    for _ in range(message.count):
        made = _copies(draft, [*places, *more], message.in_prototype)
        places, more = made[: len(places)], made[len(places) :]
        if any(message.by):
            move_all(draft, places, lambda _: message.by, decimals, message.in_prototype)
            draft.flush()
        draft.names += [each.address for each in places]
    return f"Duplicate {named(message.what)}"


def _among(draft: Draft, places: Sequence[Place]) -> list[Place]:
    """The joints and forces of which all bodies are among objects."""
    found: list[Place] = []
    own = {(each.file, each.path) for each in places}
    by_root: dict[Root, set[str]] = {}
    for place in places:
        if place.section in ("bodies", "instances"):
            by_root.setdefault(root_beside(place), set()).add(str(place.path[-1]))
    for root, names in by_root.items():
        for joint, held in joints_of(draft, root, [*names]):
            free = [re.split(r"[.\[]", each)[0] for each in held if each != "world"]
            if free and all(each in names for each in free) and (joint.file, joint.path) not in own:
                found.append(joint)
        section = root.section(draft, "actuators")
        if section is None or section.kind != "map" or not mentions(section, [*names]):
            continue
        for key, entry in section.entries:
            body = entry.get("body")
            if body is None or re.split(r"[.\[]", str(body.value))[0] not in names:
                continue
            path: Path = (*root.path, "actuators", str(key.value))
            if (root.file, path) not in own:
                name = str(key.value)
                found.append(Place(f"actuators.{name}", "actuators", name, root.file, path))
    return found


def _copies(draft: Draft, places: Sequence[Place], prototype: str | None) -> list[Place]:
    """Copies of entries under new names, which refer to each other as the originals do."""
    made: list[Place] = []
    new: dict[tuple[str, str], str] = {}
    for place in places:
        draft.flush()
        if place.section in LISTS:
            made.append(_copy_item(draft, place))
            continue
        old = str(place.path[-1])
        home = Root(place.file, place.path[:-2])
        top = root_of(draft, prototype) if not home.path else home
        name = free_name(draft, top, place.section, old)
        _copy_entry(draft, place, old, name)
        new[place.section, old] = name
        path = (*place.path[:-1], name)
        made.append(Place(f"{place.section}.{name}", place.section, name, place.file, path,
                          place.many, turned=place.turned))  # fmt: skip
    for copy in made:
        _rename_in(draft, copy, new)
    return made


def _copy_entry(draft: Draft, place: Place, old: str, name: str) -> None:
    parent = draft.need(place.file, place.path[:-1])
    found = parent.entry(old)
    assert found is not None
    key, value = found
    text = draft.text(place.file)
    if value.kind == "alias":
        body = text.text[key.end : value.end]
    else:
        pieces, last = [], key.end
        for _, node in value.walk():
            if node.anchor and node.kind != "alias":
                pieces.append(text.text[last : node.start])
                last = node.content
        body = "".join([*pieces, text.text[last : value.end]])
    if parent.flow:
        end = max(key.end, value.end)
        draft.splice(place.file, end, end, f", {name}{body}")
        return
    end = draft.line_end(text.text, max(key.end, value.end))
    indent = " " * key.column
    draft.splice(place.file, end, end, f"{text.newline}{indent}{name}{body}")


def _copy_item(draft: Draft, place: Place) -> Place:
    index = place.path[-1]
    assert isinstance(index, int)
    value = place.node(draft).plain()
    draft.append(place.file, place.path[:-1], value, index + 1)
    path = (*place.path[:-1], index + 1)
    return Place(f"{place.section}[{index + 1}]", place.section, str(index + 1), place.file, path)


def _rename_in(draft: Draft, place: Place, new: Mapping[tuple[str, str], str]) -> None:
    """Make a copy refer to the copies."""
    depth = len(place.path) - 2
    for (section, old), name in new.items():
        node = place.node(draft)
        pattern = pattern_of(old)
        for each in [*in_value(place.file, place.path, node, section, pattern, depth)]:
            draft.queue(each.file, each.node, quoted_like(each.node, each.renamed(name)))
        draft.flush()


# ---------------------------------------------------------------- prototypes


def make_prototype(draft: Draft, message: MakePrototype) -> str:
    """Make a prototype of objects, and an instance of it in their place; the words for it."""
    if message.in_prototype is not None:
        raise Refused("a prototype is made of objects of the scene")
    root = Root(draft.main)
    places = places_of(draft, message.what, None)
    for each in places:
        if each.section not in ("bodies", "joints", "actuators", "instances"):
            raise Refused(f"{each.address} cannot be in a prototype here")
        if each.file != draft.main or each.turned:
            raise Refused(f"{each.address} is said elsewhere; a prototype is made of one file's")
        check_not_behind(draft, root, each)
    whole = [*places, *_among(draft, places)]
    whole = [*{(each.file, each.path): each for each in whole}.values()]
    name = free_name(draft, root, "prototypes", message.name)
    instance = free_name(draft, root, "instances", message.name)
    within = {each.path for each in whole}
    for place in whole:
        for said in [*references(draft, root, place.section, str(place.path[-1]))]:
            if any(said.path[: len(p)] == p for p in within):
                continue
            _follow(draft, said, instance, str(place.path[-1]))
        draft.flush()
    blocks: dict[str, dict[str, object]] = {}
    for section in ("bodies", "instances", "joints", "actuators"):
        for place in whole:
            if place.section == section:
                node = place.node(draft)
                _check_alone(draft, place)
                blocks.setdefault(section, {})[str(place.path[-1])] = node.plain()
    remove_units(draft, {(each.file, each.path): each.address for each in whole})
    if root.section(draft, "bodies") is None and "bodies" not in blocks:
        raise Refused("a prototype has a body")
    draft.add_entry(root.file, ("prototypes",), name, blocks)
    draft.add_entry(root.file, ("instances",), instance, {"use": name})
    draft.names += [f"instances.{instance}", f"prototypes.{name}"]
    return f"Make the prototype {name}"


def _check_alone(draft: Draft, place: Place) -> None:
    for _, node in place.node(draft).walk():
        if node.kind == "alias" or node.anchor:
            raise Refused(f"{place.address} shares values by `&` or `*`; write them out first")


def _follow(draft: Draft, reference: Reference, instance: str, old: str) -> None:
    new = reference.renamed(f"{instance}.{old}")
    draft.queue(reference.file, reference.node, quoted_like(reference.node, new))


def instance(draft: Draft, message: Instance) -> str:
    """Put an instance of a prototype, or of a file, into the scene; the words for it."""
    root = root_of(draft, message.in_prototype)
    if message.file is not None:
        known = entry_in(draft, Root(draft.main), "prototypes", message.use)
        if known is None:
            if draft.find_file(message.file, draft.main) is None:
                raise Refused(f"there is no file `{message.file}` in the folder of the scene")
            insert(draft, Root(draft.main), "prototypes", message.use, {"file": message.file})
            draft.names.clear()
    elif prototype_root(draft, Root(draft.main), message.use) is None:
        known_names = ", ".join(sorted(names_of(draft, Root(draft.main), "prototypes"))) or "none"
        raise Refused(f"there is no prototype `{message.use}`; known: {known_names}")
    decimals = length_decimals(draft, message.step)
    value: dict[str, object] = {"use": message.use}
    at = rounded([*message.at], decimals)
    if any(at):
        value["at"] = at
    if message.angle:
        value["angle"] = rounded(angle_of(draft, message.angle), 5 if in_radians(draft) else 2)
    name = insert(draft, root, "instances", message.name or message.use, value)
    return f"Add {name}"
