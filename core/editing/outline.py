# SPDX-License-Identifier: MIT
"""A scene's text as plain data, with the lines of its entries, for forms and trees of a page."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

import yaml

from ..page.source_lines import composed

DEEPEST = 40
LINES_TO = 3
"""Levels of keys whose lines are told."""
_PREFIX = "tag:yaml.org,2002:"
_COLOR = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:''|[^'])*')|(?<![^\s\[{,:])(#[0-9A-Fa-f]{3,8})\b""")
"""A text in quotes, or a colour that is none."""

Lines = dict[str, tuple[int, int]]


def outline(text: str) -> tuple[Any, Lines]:
    """The tree of a text, and the first and last line, from 0, of its entries by path.

    Scalars are numbers, booleans and null where they look like these, and texts otherwise. Both are
    empty for a text that is no YAML.
    """
    root = composed(text)
    if root is None:
        return {}, {}
    lines: Lines = {}
    rows = text.split("\n")
    tree = _plain(root, "", 0, lines, rows)
    return (tree if isinstance(tree, dict) else {}), lines


def _plain(node: Any, path: str, depth: int, lines: Lines, rows: list[str]) -> Any:
    if depth > DEEPEST:
        return None
    if isinstance(node, yaml.MappingNode):
        found = {}
        for key, value in node.value:
            name = str(key.value)
            inner = f"{path}.{name}" if path else name
            if depth < LINES_TO:
                lines[inner] = (key.start_mark.line, _last(value, rows))
            found[name] = _plain(value, inner, depth + 1, lines, rows)
        return found
    if isinstance(node, yaml.SequenceNode):
        entries = []
        for i, value in enumerate(node.value):
            inner = f"{path}[{i}]"
            if depth < LINES_TO:
                lines[inner] = (value.start_mark.line, _last(value, rows))
            entries.append(_plain(value, inner, depth + 1, lines, rows))
        return entries
    return None if node is None else scalar(node)


def scalar(node: Any) -> Any:
    """The value of a scalar."""
    text = str(node.value)
    if node.style in ("'", '"', "|", ">"):
        return text
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if node.tag in (f"{_PREFIX}int", f"{_PREFIX}float"):
        try:
            number = float(text.replace("_", ""))
        except ValueError:
            return text
        if not isfinite(number):
            return text
        return int(number) if number == int(number) and abs(number) < 1e15 else number
    return text


def _last(node: Any, rows: list[str]) -> int:
    """The last line of a value, without what is before the next entry."""
    first, end = int(node.start_mark.line), node.end_mark
    last = int(end.line)
    if last >= len(rows) or not rows[last][: end.column].strip():
        last -= 1
    while last > first and (not rows[last].strip() or rows[last].lstrip().startswith("#")):
        last -= 1
    return max(last, first)


def value_of(text: str) -> Any:
    """The value that a text says, as it would say it in a file: ``[1, 2]``, ``=n``, ``2 m``.

    Colours such as ``#ff6347`` need no quotes: a field has no comments.
    """
    said = _COLOR.sub(lambda found: found[1] or f"'{found[2]}'", text)
    tree, _ = outline(f"value: {said}") if text.strip() else ({"value": ""}, {})
    return tree.get("value", text)
