# SPDX-License-Identifier: MIT
"""Tags that bodies of a file have or may get while it runs, as written."""

from __future__ import annotations

from typing import Any

from .text.marks import Map, Seq

_SECTIONS = ("bodies", "defaults", "prototypes", "instances", "events", "controls", "inputs")


def written_tags(tree: Map) -> tuple[str, ...]:
    """The tags of bodies, instances and pieces, each once."""
    found: dict[str, None] = {}
    for section in _SECTIONS:
        if section in tree:
            _collect(section, tree[section], found)
    return tuple(found)


def _collect(key: str, value: Any, found: dict[str, None]) -> None:
    """Those in a value; events and actuators name the tags of others."""
    if isinstance(value, Map):
        for name, inner in value.items():
            if name == "tags" and isinstance(inner, Seq):
                found |= {tag: None for tag in inner if isinstance(tag, str)}
            elif name != "actuators":
                _collect(name, inner, found)
    elif isinstance(value, Seq):
        for each in value:
            if key != "events":
                _collect("", each, found)
            elif isinstance(each, Map) and "do" in each:
                _collect("do", each["do"], found)
