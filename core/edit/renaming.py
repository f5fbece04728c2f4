# SPDX-License-Identifier: MIT
"""Gives an object another name, everywhere."""

from __future__ import annotations

import re

from ..scene.building.generators import name_problem
from .messages import Rename
from .place import Root
from .places import LISTS, WHOLE, find, root_of, roots, taken
from .references import references
from .text.draft import Draft, quoted_like
from .text.texts import Refused
from .words import WORDS, rename_word

NAMED = (
    "bodies", "instances", "joints", "actuators", "groups", "animations", "prototypes",
    "materials", "vars", "spawners", "particles", "probes", "controls", "state",
)  # fmt: skip
ALONE = frozenset(("prototypes", "materials", "controls", "state"))
"""Sections whose names may be those of objects of other sections."""
_RANDOM = re.compile(r"\b(?:uniform|normal|randint|choice)\s*\(")


def rename(draft: Draft, message: Rename) -> str:
    """Rename one object; the words for it."""
    if len(message.what) != 1:
        raise Refused("one object is renamed at a time")
    draft.choices.setdefault("included", "there")
    word = message.what[0].partition(".")
    if word[0] in WORDS and word[2] and message.in_prototype is None:
        return rename_word(draft, word[0], word[2], message.to)
    place = find(draft, message.what[0], message.in_prototype)
    if place.section in LISTS or place.section in WHOLE or place.section not in NAMED:
        raise Refused(f"{place.address} has no name that could be changed here")
    old, new = str(place.path[-1]), message.to
    if old == new:
        return f"Rename {old}"
    root = root_of(draft, message.in_prototype)
    check_name(draft, root, place.section, new)
    home = Root(place.file, place.path[:-2])
    top = root if not home.path and not root.path else home
    for each in [*references(draft, top, place.section, old)]:
        text = each.renamed(new)
        draft.queue(each.file, each.node, quoted_like(each.node, text))
    found = None
    for tree in roots(draft, top):  # the entry, and those that it replaces in other files
        section = tree.section(draft, place.section)
        entry = None if section is None else section.entry(old)
        if entry is not None:
            found = found or entry
            draft.queue(tree.file, entry[0], new)
            if tree.file != draft.main:
                draft.notes.append(f"written into {tree.file}")
    if found is None:
        raise Refused(f"{place.address} is said elsewhere; rename it there")
    if _RANDOM.search(found[1].source):
        draft.notes.append("its random numbers depend on its name, and are others now")
    draft.only_numbers = False
    draft.flush()
    draft.names.append(f"{place.section}.{new}")
    return f"Rename {old}"


def check_name(draft: Draft, root: Root, section: str, name: str) -> None:
    """Raise Refused for a name that an object cannot have."""
    kind = {"bodies": "body", "joints": "joint", "instances": "instance"}.get(section, "object")
    problem = name_problem(name, kind)
    if (not problem and "." in name) or "[" in name:
        problem = f"`{name}` has parts of other names in it"
    if problem:
        raise Refused(problem)
    sections = (section,) if section in ALONE else (*(s for s in NAMED if s not in ALONE),)
    if name in taken(draft, root, sections):
        raise Refused(f"there is a `{name}` already")
