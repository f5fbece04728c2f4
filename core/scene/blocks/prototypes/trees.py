# SPDX-License-Identifier: MIT
"""Prototypes as written, before they are built."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...text.marks import Map, Seq
from ...values.functions import FUNCTIONS

_SEEDED = re.compile(
    rf"\b(?:{'|'.join(name for name, each in FUNCTIONS.items() if each.seeded)})\s*\("
)


def local(entries: Map, prefix: str) -> Map:
    """The entries whose names begin with a prefix, without it."""
    result = Map(entries.at)
    for name, value in entries.items():
        if name.startswith(prefix):
            mark = entries.keys_at[name], entries.values_at[name]
            result.put(name.removeprefix(prefix), value, *mark)
    return result


def marked(tree: Map, own: Mapping[str, Map]) -> Map:
    """The tree for places: with entries that an override made different among the others."""
    result = tree
    for section, entries in own.items():
        if entries and isinstance(tree.get(section), Map):
            result = result.copy()
            block = result[section] = tree[section].copy()
            for name in entries:
                block.put(name, entries[name], entries.keys_at[name], entries.values_at[name])
    return result


def is_file(tree: Map) -> bool:
    """Return whether a prototype has its own file."""
    return isinstance(tree.get("file"), str)


def counted(tree: Any) -> tuple[int, bool]:
    """Number of values of a tree, and whether it draws random numbers."""
    if isinstance(tree, (Map, Seq)):
        inner = [counted(each) for each in (tree.values() if isinstance(tree, Map) else tree)]
        return 1 + sum(size for size, _ in inner), any(seeded for _, seeded in inner)
    return 1, isinstance(tree, str) and bool(_SEEDED.search(tree))
