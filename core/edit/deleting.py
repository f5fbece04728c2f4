# SPDX-License-Identifier: MIT
"""Takes objects out, with what cannot be without them."""

from __future__ import annotations

import re

from .copies import forget
from .messages import Delete
from .moving import named
from .place import Place, Root
from .places import LISTS, find, look_up, root_of, roots, split_path
from .references import references
from .text.draft import Draft
from .text.nodes import Path
from .text.texts import Refused, dotted

ENTRIES = frozenset(
    ("joints", "actuators", "spawners", "particles", "probes", "controls", "instances")
)
"""Sections whose entries go as a whole."""
Unit = tuple[str, Path]


def delete(draft: Draft, message: Delete) -> str:
    """Delete objects; the words for it."""
    root = root_of(draft, message.in_prototype)
    units: dict[Unit, str] = {}
    for address in message.what:
        if _left_out(draft, root, address):
            continue
        place = find(draft, address, message.in_prototype)
        units[place.file, place.path] = place.address
        check_not_behind(draft, root, place)
    first = dict(units)
    _add_dependents(draft, root, units)
    more = {unit: said for unit, said in units.items() if unit not in first}
    if more:
        said = [*more.values()]
        shown = ", ".join(said[:6]) + (f" and {len(said) - 6} more" if len(said) > 6 else "")
        answer = draft.ask(
            "dependents",
            ", ".join(message.what),
            f"without {named(message.what)} there cannot be: {shown}",
            {"delete": f"delete these too ({len(said)})", "keep": "keep them"},
        )
        if answer == "keep":
            units = first
        else:
            draft.notes.append(f"deleted with it: {shown}")
    remove_units(draft, units)
    return f"Delete {named(message.what)}"


def check_not_behind(draft: Draft, root: Root, place: Place) -> None:
    """Raise Refused if another file says an object too, which would be there instead."""
    if place.section in LISTS or len(place.path) < 2 or place.file != root.file:
        return
    for tree in roots(draft, root):
        section = tree.section(draft, place.section)
        known = section is not None and section.get(str(place.path[-1])) is not None
        if known and tree.file != place.file:
            raise Refused(f"{place.address} would be that of {tree.file} then; delete it there too")


def _left_out(draft: Draft, root: Root, address: str) -> bool:
    """Leave one object of a generator out by its `when`, if that is wanted."""
    section, name, _ = split_path(draft, root, address)
    found = look_up(draft, root, section, name) if section not in LISTS and name else None
    if found is None or not found.many or found.chain or name == found.path[-1]:
        return False
    base = str(found.path[-1])
    node = draft.need(found.root.file, found.path)
    repeat = node.get("repeat")
    indices = [str(key.value) for key, _ in repeat.entries] if repeat is not None else []
    numbers = name[len(base) + 1 : -1].split(",")
    if len(indices) != len(numbers):
        return False
    options = {
        "when": f"leave `{name}` out by `when`",
        "generator": f"delete the generator `{base}` with all that it makes",
        "unroll": f"write the objects of `{base}` one by one first",
    }
    answer = draft.ask("generated", address, f"`{name}` comes of the generator `{base}`", options)
    if answer != "when":
        return False
    is_it = " and ".join(f"{i} == {n}" for i, n in zip(indices, numbers, strict=True))
    term = f"{indices[0]} != {numbers[0]}" if len(indices) == 1 else f"not ({is_it})"
    old = node.get("when")
    when = f"={term}"
    if old is not None:
        body = str(old.value).strip().removeprefix("=").strip()
        loose = re.search(r"\b(?:or|if)\b", body) is not None
        when = f"={f'({body})' if loose else body} and {term}"
    keys = [str(key.value) for key, _ in node.entries]
    order = ["type", "repeat", "when", *(k for k in keys if k not in ("type", "repeat", "when"))]
    draft.put(found.root.file, found.path, "when", when, order)
    forget(draft, found.root.file, found.path, ",".join(numbers))
    return True


def _add_dependents(draft: Draft, root: Root, units: dict[Unit, str]) -> None:
    """Add what refers to objects that go, and what refers to that."""
    waiting = [*units]
    while waiting:
        file, path = waiting.pop()
        if len(path) < 2 or isinstance(path[-1], int):
            continue
        top = Root(file, path[:-2])
        top = root if not top.path and not root.path else top
        section = str(path[-2])
        for each in references(draft, top, section, str(path[-1])):
            if any(each.file == f and each.path[: len(p)] == p for f, p in units):
                continue
            unit = _unit_of(draft, each.file, each.path, _depth(draft, each.path, top))
            if unit not in units:
                units[unit] = dotted(unit[1])
                waiting.append(unit)


def _depth(draft: Draft, path: Path, top: Root) -> int:
    if path[0] == "prototypes" and len(path) > 2:
        return 2
    return 0


def _unit_of(draft: Draft, file: str, path: Path, depth: int) -> Unit:
    """Entries that have to be deleted with a reference."""
    inner = path[depth:]
    section = inner[0]
    head = path[:depth]
    entry = (*head, *inner[:2])
    if section in ENTRIES or section in LISTS:
        return file, entry
    if section == "animations":
        tracks = draft.need(file, entry).get("tracks")
        alone = tracks is None or len(tracks.entries) <= 1 or inner[2] != "tracks"
        return file, entry if alone else (*head, *inner[:4])
    if section == "groups":
        members = draft.need(file, entry).items
        return file, entry if len(members) <= 1 else (*head, *inner[:3])
    if section == "collision":
        pairs = draft.need(file, entry).items
        alone = len(pairs) <= 1 and len(draft.need(file, (*head, section)).entries) > 1
        if len(pairs) <= 1:
            return file, entry if alone else (*head, section)
        return file, (*head, *inner[:3])
    if section in ("camera", "outcome"):
        return file, (*head, section)
    if section in ("minimap", "render", "record"):
        items = draft.need(file, entry)
        if items.kind == "seq" and len(items.items) > 1 and len(inner) > 2:
            return file, (*head, *inner[:3])
        alone = len(draft.need(file, (*head, section)).entries) == 1
        return file, (*head, section) if alone else entry
    if section == "bodies" and len(inner) > 3 and inner[2] == "texture":
        return file, (*head, *inner[:4])
    node = draft.need(file, path)
    line, column = draft.text(file).line_of(node.start)
    at = draft.problem(file, node, dotted(path), "refers to what would be deleted")
    raise Refused(f"{file}:{line}:{column}: {dotted(path)} refers to it; change that first", at)


def remove_units(draft: Draft, units: dict[Unit, str]) -> None:
    """Remove entries, the last of a list first so that the numbers of others stay."""
    paths = [*units]
    kept = [
        (f, p) for f, p in paths
        if not any(f == g and p != q and p[: len(q)] == q for g, q in paths)
    ]  # fmt: skip
    for file, path in sorted(kept, key=lambda u: [_rank(k) for k in u[1]], reverse=True):
        draft.remove(file, path)


def _rank(key: str | int) -> tuple[int, int, str]:
    return (0, key, "") if isinstance(key, int) else (1, 0, key)
