# SPDX-License-Identifier: MIT
"""Lines of a scene's text where each body, joint and so on is written, for highlighting."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BLOCKS = ("bodies", "joints", "actuators", "instances", "expect")


@lru_cache(maxsize=1)
def composed(text: str) -> Any:
    """The root node of a text; None for one that is no YAML. The last text is kept, as its lines
    and its outline are read one after the other, and parsing is what takes long."""
    try:
        return yaml.compose(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError):
        return None


def source_lines(text: str) -> dict[str, dict[str, tuple[int, int]]]:
    """Return the first and the last line, from 0, by block and key; keys of a list are numbers.

    Objects in included files are not found, and a text that is not YAML has no lines.
    """
    root = composed(text)
    if not isinstance(root, yaml.MappingNode):
        return {}
    lines = text.splitlines()
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for key, value in root.value:
        if key.value in BLOCKS:
            found[key.value] = {
                name: (first.line, _last(value_node, lines))
                for name, first, value_node in _entries(value)
            }
    return found


def _entries(node: Any) -> list[tuple[str, Any, Any]]:
    """Key, where it begins, and the value of each entry."""
    if isinstance(node, yaml.MappingNode):
        return [(str(key.value), key.start_mark, value) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(str(i), value.start_mark, value) for i, value in enumerate(node.value)]
    return []


def _last(node: Any, lines: list[str]) -> int:
    """The last line of a value; a block ends before the next key, and before comments on it."""
    first, end = node.start_mark.line, node.end_mark
    last = end.line
    if last >= len(lines) or not lines[last][: end.column].strip():
        last -= 1
    while last > first and _is_empty(lines[last]):
        last -= 1
    return int(max(last, first))


def _is_empty(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")
