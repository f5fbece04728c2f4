# SPDX-License-Identifier: MIT
"""Single copies of generators: their entries of `overrides`.

While one is edited, its entry has all fields, worked out for it, so that any edit finds them.
Afterwards those that are as the generator has them are taken out again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..scene.values.fields import copy_index
from .indices import RANDOM, worked_out
from .place import Place
from .text.draft import Draft, alike
from .text.nodes import Path
from .text.style import keys_of
from .text.texts import Refused
from .values import order_of

OF_GENERATORS = ("repeat", "when", "overrides")
"""Fields of generators that no copy has."""
_NEW = ("overrides",)


def own_entry(draft: Draft, place: Place) -> Place:
    """The place of one copy of a generator, with all its fields in `overrides`."""
    draft.flush()
    base = str(place.path[-1])
    index = place.name[len(base) + 1 : -1]
    node = place.node(draft)
    overrides = node.get("overrides")
    key = next((k for k in keys_of(overrides) if copy_index(k) == index), index)
    path: Path = (*place.path, "overrides", key)
    own = draft.node(place.file, path)
    said = set(keys_of(own)) if own is not None else set()
    said |= {"shape", "shapes"} if said & {"shape", "shapes"} else set()
    added = _fields(draft, place, index, said)
    made: Path = path
    if overrides is None:
        made = path[:-1]
        draft.put(place.file, place.path, "overrides", {key: added})
    elif own is None:
        draft.put(place.file, path[:-1], key, added)
    else:
        made = ()
        for name, value in added.items():
            draft.put(place.file, path, name, value, order_of(place.section))
    draft.copies.append((place.file, path, added, made))
    return replace(place, path=path, many=False)


def _fields(draft: Draft, place: Place, index: str, said: set[str]) -> dict[str, Any]:
    """The fields of a copy that its own entry does not say, as the generator has them for it."""
    node = place.node(draft)
    repeat = node.get("repeat")
    names = keys_of(repeat)
    values = dict(zip(names, map(float, index.split(",")), strict=True))
    found: dict[str, Any] = {}
    for key, value in node.entries:
        name = str(key.value)
        if name in (*OF_GENERATORS, "<<") or name in said:
            continue
        if RANDOM.search(value.source) is None:
            found[name] = worked_out(draft, value.plain(), values, (*place.path, name))
        elif name in ("position", "angle"):
            raise Refused(
                f"the {name} of `{place.name}` is drawn at random; set it, or write the copies one "
                "by one"
            )
    return found


def fold(draft: Draft) -> None:
    """Take out again what single copies have in common with their generators."""
    draft.flush()
    for file, path, added, made in draft.copies:
        node = draft.node(file, path)
        if node is None:
            continue
        now = node.plain()
        kept = {k: v for k, v in now.items() if k not in added or not alike(added[k], v)}
        if made:
            draft.remove(file, path)
            if kept:
                draft.put(file, path[:-1], str(path[-1]), kept)
            continue
        for name in [*added]:
            if name in now:
                draft.remove(file, (*path, name))
                if name in kept:
                    draft.put(file, path, name, kept[name])
        _remove_empty(draft, file, path)
    for file, made in {(file, made) for file, _, _, made in draft.copies if made[-1:] == _NEW}:
        value = draft.need(file, made).plain()  # once more, with the breaks of lines that it needs
        draft.remove(file, made)
        if value:
            draft.put(file, made[:-1], "overrides", value)
    draft.copies.clear()


def _remove_empty(draft: Draft, file: str, path: Path) -> None:
    """Take out an entry of `overrides` without fields, and `overrides` without entries."""
    for each in (path, path[:-1]):
        node = draft.node(file, each)
        if node is not None and not node.entries:
            draft.remove(file, each)


def forget(draft: Draft, file: str, path: Path, index: str) -> None:
    """Take out the entry of a copy that a generator does not make any more."""
    overrides = draft.node(file, (*path, "overrides"))
    for key in keys_of(overrides) if overrides is not None else ():
        if copy_index(key) == index:
            draft.remove(file, (*path, "overrides", key))
            _remove_empty(draft, file, (*path, "overrides", key))


def copies_of(draft: Draft, place: Place) -> Iterator[Place]:
    """The places of the copies of a generator that have fields of their own."""
    overrides = place.node(draft).get("overrides") if place.many else None
    for key in keys_of(overrides) if overrides is not None else ():
        yield replace(place, path=(*place.path, "overrides", key), many=False)
