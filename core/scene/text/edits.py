# SPDX-License-Identifier: MIT
"""Changes a scene's text at the places of its keys and values; everything else is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import yaml

from .yaml_reader import Reader

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Edits:
    """Changes of one text, which are made together by ``result``.

    A pattern is a path with dots, in which ``*`` is any key of a mapping or any item of a list:
    ``bodies.*.mass``. A value with an alias is changed where its anchor is.

    Raises SceneError for a text that is no YAML.
    """

    def __init__(self, text: str, file: str) -> None:
        Reader().read(text, file)
        self._text = text
        self._root: Any = yaml.compose(text, Loader=_Loader)
        self._changes: dict[tuple[int, int], str] = {}

    def rename(self, pattern: str, name: str) -> None:
        """Call the keys that a pattern names otherwise."""
        for key, _ in self._find(pattern):
            if key is not None:
                self._changes[_span(key)] = name

    def replace(self, pattern: str, change: Callable[[str], str]) -> None:
        """Pass the texts of the values that a pattern names through a function.

        The values of ``result`` must not overlap: change a value or what is inside it.
        """
        for _, value in self._find(pattern):
            span = _span(value)
            self._changes[span] = change(self._text[slice(*span)])

    def result(self) -> str:
        """The text with all changes."""
        parts, end = [], 0
        for (begin, stop), new in sorted(self._changes.items()):
            if begin < end:
                raise ValueError(f"two changes overlap at character {begin}")
            parts += [self._text[end:begin], new]
            end = stop
        return "".join([*parts, self._text[end:]])

    def _find(self, pattern: str) -> Iterator[tuple[Any, Any]]:
        """The nodes of the keys and values that a pattern names; an item of a list has no key."""
        found: list[tuple[Any, Any]] = [(None, self._root)]
        for name in pattern.split("."):
            found = [pair for _, value in found for pair in _inside(value, name)]
        return iter(found)


def _inside(node: Any, name: str) -> Iterator[tuple[Any, Any]]:
    if isinstance(node, yaml.MappingNode):
        yield from (pair for pair in node.value if name in ("*", pair[0].value))
    elif isinstance(node, yaml.SequenceNode) and name == "*":
        yield from ((None, item) for item in node.value)


def _span(node: Any) -> tuple[int, int]:
    """The first character of a key or value, and the one after it."""
    return node.start_mark.index, node.end_mark.index
