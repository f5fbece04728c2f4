# SPDX-License-Identifier: MIT
"""Writes the objects of a generator one by one, with names of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..scene.values.fields import copy_index
from .indices import RANDOM, worked_out
from .messages import Unroll
from .moving import named
from .place import Place, Root
from .places import look_up, root_of, split_path, taken
from .references import references
from .text.draft import Draft, quoted_like
from .text.expressions import is_expression
from .text.style import in_flow, keys_of
from .text.texts import Refused, dotted

_MOST = 500
_SECTIONS = ("bodies", "joints", "actuators", "instances")


def unroll_all(draft: Draft, message: Unroll) -> str:
    """Write the objects of generators one by one; the words for it."""
    root = root_of(draft, message.in_prototype)
    for address in message.what:
        section, name, rest = split_path(draft, root, address)
        found = look_up(draft, root, section, name)
        if found is None or rest:
            raise Refused(f"there is no `{address}`")
        if not found.many or found.chain:
            raise Refused(f"{address} is no generator")
        base = str(found.path[-1])
        made = unroll(draft, Place(address, section, base, found.root.file, found.path, True))
        draft.names += [f"{section}.{each}" for each in made.values()]
    return f"Unroll {named(message.what)}"


def unroll(draft: Draft, place: Place) -> dict[str, str]:
    """Write the objects of a generator one by one; their new names by the old ones."""
    draft.flush()
    base, section = str(place.path[-1]), place.section
    if place.path[0] == "prototypes" or section not in _SECTIONS:
        raise Refused(f"the generator `{base}` cannot be unrolled here")
    node = place.node(draft)
    repeat = node.get("repeat")
    assert repeat is not None
    if RANDOM.search(node.source):
        raise Refused(f"`{base}` draws random numbers, which others would get; change it by hand")
    indices = keys_of(repeat)
    if any(isinstance(each.value, str) and not is_expression(each.value)
           for _, each in repeat.entries):  # fmt: skip
        raise Refused(f"`{base}` is made from a table; change that")
    names = _names(draft, section, base)
    if len(names) > _MOST:
        raise Refused(f"`{base}` makes {len(names)} objects, too many to write one by one")
    used = taken(draft, Root(draft.main), ("bodies", "joints", "actuators", "instances", "vars"))
    new: dict[str, str] = {}
    whole = node.plain()
    overrides = whole.get("overrides") or {}
    fields = {k: v for k, v in whole.items() if k not in ("repeat", "when", "overrides")}
    for old in names:
        new[old] = _free(f"{base}_{_word(old[len(base) + 1 : -1])}", used)
        used.add(new[old])
    _rename_all(draft, place, base, new)
    draft.renamed.update({(section, old): name for old, name in new.items()})
    parent = place.path[:-1]
    flow = place.node(draft).flow
    for old in reversed(names):
        numbers = [float(each) for each in old[len(base) + 1 : -1].split(",")]
        values = dict(zip(indices, numbers, strict=True))
        own: dict[str, Any] = next(
            (v for k, v in overrides.items() if f"{base}[{copy_index(k)}]" == old), {}
        )
        both = {"shape", "shapes"} if {"shape", "shapes"} & own.keys() else own.keys()
        all_fields = {k: v for k, v in fields.items() if k not in both} | own
        value = worked_out(draft, all_fields, values, place.path)
        if not isinstance(value, dict):
            raise Refused(f"`{base}` cannot be unrolled")
        order = [base, new[old]]
        section_node = draft.need(place.file, parent)
        if flow or section_node.flow:
            written = in_flow(value)
        else:
            pad = draft.text(place.file).newline + "  "
            written = "".join(f"{pad}{in_flow(k)}: {in_flow(v)}" for k, v in value.items())
        draft.put_text(place.file, parent, new[old], written, order)
    draft.remove(place.file, place.path)
    return new


def _names(draft: Draft, section: str, base: str) -> list[str]:
    """The objects that a generator makes now."""
    if section == "instances":
        heads = [re.match(rf"{re.escape(base)}\[[^\]]*\]", name) for name in draft.scene.bodies]
        return [*dict.fromkeys(each[0] for each in heads if each is not None)]
    objects: Mapping[str, Any] = getattr(draft.scene, section)
    return [
        each for each in objects if each.startswith(f"{base}[") and "." not in each.split("]")[1]
    ]


def _word(indices: str) -> str:
    return indices.replace("-", "m").replace(".", "p").replace(",", "_").replace("+", "")


def _free(name: str, used: set[str]) -> str:
    found, count = name, 2
    while found in used:
        found, count = f"{name}_{count}", count + 1
    return found


def _rename_all(draft: Draft, place: Place, base: str, new: Mapping[str, str]) -> None:
    """Give references to the objects of a generator their new names."""
    one = re.compile(rf"(?<![\w.\]]){re.escape(base)}\[([^\]=]*)\]")
    root = Root(draft.main)
    for each in [*references(draft, root, place.section, base)]:
        if each.file == place.file and each.path[: len(place.path)] == place.path:
            continue
        old = str(each.node.value)
        text = one.sub(lambda m: new.get(m[0].replace(" ", ""), m[0]), old)
        if re.search(rf"(?<![\w.\]]){re.escape(base)}(?!\w)", text):
            line, _ = draft.text(each.file).line_of(each.node.start)
            raise Refused(
                f"{each.file}:{line}: {dotted(each.path)} refers to the generator `{base}` as a "
                "whole, or computes an index; change that first"
            )
        draft.queue(each.file, each.node, quoted_like(each.node, text))
    draft.flush()
