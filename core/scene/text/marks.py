# SPDX-License-Identifier: MIT
"""Values of a file with the positions that they were read at: mappings, lists."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...errors import Kind, Problem, SceneError
from .. import limits

_QUOTE = re.compile(r'`[^`]*`|"[^"]*"')
_LONGEST = 2000
"""Characters of a message."""


class Mark(NamedTuple):
    """The place of a value: file, 1-based line and column.

    ``text`` is the distance from the column to a scalar's own text (1 after a quote), or -1 for
    a text of several lines, whose characters cannot be counted from the column.
    """

    file: str
    line: int = 0
    column: int = 0
    text: int = 0


new_mark = tuple.__new__  # quicker than the class itself, which Python wrote


class Map(dict[str, Any]):
    """A mapping with its place, and the places of its keys and values."""

    __slots__ = ("at", "keys_at", "values_at")

    def __init__(self, at: Mark) -> None:
        super().__init__()
        self.at = at
        self.keys_at: dict[str, Mark] = {}
        self.values_at: dict[str, Mark] = {}

    def put(self, key: str, value: Any, key_at: Mark, value_at: Mark) -> None:
        self[key] = value
        self.keys_at[key] = key_at
        self.values_at[key] = value_at

    def copy(self) -> Map:
        """A shallow copy with the same places."""
        other = Map(self.at)
        other.update(self)
        other.keys_at = dict(self.keys_at)
        other.values_at = dict(self.values_at)
        return other


class Seq(list[Any]):
    """A list with its place, and the places of its items."""

    __slots__ = ("at", "items_at")

    def __init__(self, at: Mark) -> None:
        super().__init__()
        self.at = at
        self.items_at: list[Mark] = []

    def copy(self) -> Seq:
        """A shallow copy with the same places."""
        other = Seq(self.at)
        other.extend(self)
        other.items_at = list(self.items_at)
        return other


def fail(mark: Mark, kind: Kind, message: str, path: str = "") -> SceneError:
    """The error with one problem at ``mark``."""
    return SceneError([Problem(mark.file, mark.line, mark.column, path, message, kind)])


def short(text: str) -> str:
    """A text of the file as a message shows it, which may be as long as the file."""
    return text if len(text) <= limits.NAME_LENGTH else f"{text[: limits.NAME_LENGTH]}..."


def with_short_quotes(message: str) -> str:
    """A message whose quotes of the file are as short as those of ``short``."""
    if len(message) <= limits.NAME_LENGTH:
        return message
    told = _QUOTE.sub(lambda quote: f"{quote[0][0]}{short(quote[0][1:-1])}{quote[0][0]}", message)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}..."
