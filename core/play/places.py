# SPDX-License-Identifier: MIT
"""Finds the value of a var or of a joint's number in the text of a scene, and replaces it there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from ..errors import SceneError, UsageError
from ..scene.text.marks import Map
from ..scene.text.yaml_reader import Reader, decode

BOM = b"\xef\xbb\xbf"
ENTRY = 2
"""Keys of a path that name an entry."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def with_value(data: bytes, path: Sequence[str], number: str, file: str) -> bytes:
    """Return the bytes of a scene file with another number at a path, otherwise unchanged.

    A var may say its number under ``value``.

    Raises SceneError with line and column for a text that is not a scene, such as an incomplete
    file, and UsageError if the value is in another file or is not a plain number.
    """
    text = decode(data, file)
    tree = _read(text, file)
    start, end, found = _place(text, path, file)
    changed = text[:start] + number + text[end:]
    if _read(changed, file) != _with(tree, found, _read(number, file)):
        line = text.count("\n", 0, start) + 1
        raise UsageError(f"{file}:{line}: {'.'.join(path)} cannot be written anew there")
    return (BOM if data.startswith(BOM) else b"") + changed.encode()


def _read(text: str, file: str) -> Any:
    reader = Reader()
    tree = reader.read(text, file)
    if reader.problems:
        raise SceneError(reader.problems)
    return tree


def _with(tree: Any, path: tuple[str, ...], value: Any) -> Any:
    """A tree with another value at a path."""
    if not path:
        return value
    changed = Map.copy(tree)
    changed[path[0]] = _with(tree[path[0]], path[1:], value)
    return changed


def _place(text: str, keys: Sequence[str], file: str) -> tuple[int, int, tuple[str, ...]]:
    """Return the first and last character of the value, and its path."""
    events = iter(_Loader(text).get_event, None)
    path: tuple[str, ...] = ()
    event = _first(events)
    for key in (*keys, "value") if keys[0] == "vars" else keys:
        if key == "value" and not isinstance(event, yaml.MappingStartEvent):
            break
        if isinstance(event, yaml.AliasEvent):
            break
        found = _value_of(events, key) if isinstance(event, yaml.MappingStartEvent) else None
        if found is None:
            whence = "it stands in a file that it includes"
            if len(path) >= ENTRY:
                whence = "it comes from a default"
            elif keys[0] != "vars":
                whence = f"{whence}, or an instance or a generator makes it"
            raise UsageError(f"{file} does not say {'.'.join(keys)} itself; {whence}")
        event, path = found, (*path, key)
    mark: Any = event.start_mark
    where = f"{file}:{mark.line + 1}:{mark.column + 1}: {'.'.join(keys)}"
    if isinstance(event, yaml.AliasEvent):
        raise UsageError(f"{where} is an alias; change it where its anchor is")
    plain = isinstance(event, yaml.ScalarEvent) and not event.anchor and not event.tag
    if not plain or event.style in ("|", ">"):
        raise UsageError(f"{where} is no plain number that could be written anew")
    if event.value.lstrip().startswith("="):
        raise UsageError(f"{where} is an expression; change it there")
    return mark.index, event.end_mark.index, path


def _first(events: Iterator[Any]) -> Any:
    """The event that begins the value of a document."""
    beginnings = (yaml.StreamStartEvent, yaml.DocumentStartEvent)
    return next(event for event in events if not isinstance(event, beginnings))


def _value_of(events: Iterator[Any], key: str) -> Any:
    """The event that begins the value of a key of the mapping that has just begun."""
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            return None
        found = isinstance(event, yaml.ScalarEvent) and event.value == key
        value = next(events)
        if found:
            return value
        _pass_over(value, events)
    return None


def _pass_over(event: Any, events: Iterator[Any]) -> None:
    depth = 0
    while True:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if not depth:
            return
        event = next(events)
