# SPDX-License-Identifier: MIT
"""Writes the value of a slider: of a var or of a joint's number, where the file says it plainly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import SceneError, UsageError
from ..scene.text.marks import Map
from ..scene.text.yaml_reader import Reader, decode
from .files import BOM
from .text.nodes import Node, Text

ENTRY = 2
"""Keys of a path that name an entry."""


def with_value(data: bytes, path: Sequence[str], number: str, file: str) -> bytes:
    """Return the bytes of a scene file with another number at a path, otherwise unchanged.

    A var may say its number under ``value``.

    Raises SceneError with line and column for a text that is not a scene, such as an incomplete
    file, and UsageError if the value is in another file or is not a plain number.
    """
    text = decode(data, file)
    tree = _read(text, file)
    place = Text(text, file)
    node, found = _find(place, path)
    changed = place.with_splices([(node.start, node.end, number)]).text
    if _read(changed, file) != _with(tree, found, _read(number, file)):
        line, _ = place.line_of(node.start)
        raise UsageError(f"{file}:{line}: {'.'.join(path)} cannot be written anew there")
    return (BOM if data.startswith(BOM) else b"") + changed.encode()


def _read(text: str, file: str) -> Any:
    reader = Reader()
    tree = reader.read(text, file)
    if reader.problems:
        raise SceneError(reader.problems)
    return tree


def _with(tree: Any, path: Sequence[str], value: Any) -> Any:
    """A tree with another value at a path."""
    if not path:
        return value
    changed = Map.copy(tree)
    changed[path[0]] = _with(tree[path[0]], path[1:], value)
    return changed


def _find(text: Text, keys: Sequence[str]) -> tuple[Node, tuple[str, ...]]:
    """The plain number that a path leads to, and its whole path."""
    node, path = text.root, tuple(keys)
    for depth, key in enumerate(keys):
        if node.kind == "alias":
            break
        inner = node.get(key)
        if inner is None:
            raise UsageError(
                f"{text.name} does not say {'.'.join(keys)} itself; {_whence(path, depth)}"
            )
        node = inner
    if keys[0] == "vars" and node.kind == "map":
        inner = node.get("value")
        if inner is None:
            raise UsageError(f"{text.name} does not say {'.'.join(keys)} itself; it has no `value`")
        node, path = inner, (*path, "value")
    line, column = text.line_of(node.start)
    where = f"{text.name}:{line}:{column}: {'.'.join(keys)}"
    if node.kind == "alias":
        raise UsageError(f"{where} is an alias; change it where its anchor is")
    if node.kind != "scalar" or node.content != node.start or node.style in ("|", ">"):
        raise UsageError(f"{where} is no plain number that could be written anew")
    if str(node.value).lstrip().startswith("="):
        raise UsageError(f"{where} is an expression; change it there")
    return node, path


def _whence(path: Sequence[str], depth: int) -> str:
    """Where a value comes from that a file does not say."""
    if depth >= ENTRY:
        return "it comes from a default"
    whence = "it stands in a file that it includes"
    return whence if path[0] == "vars" else f"{whence}, or an instance or a generator makes it"
