# SPDX-License-Identifier: MIT
"""Words of tables: what a column of a CSV file holds that is not a column of numbers."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

Place = tuple[str, int, int]
"""A file, and the 1-based line and column in it."""
TABLES = "$tables"
"""The entry of the values of a turn that says which tables its columns are from."""


class Cells(Protocol):
    """A table as its words know it."""

    def place(self, row: int, column: int) -> Place:
        """The place of a cell in its file."""

    def strange(self, column: int) -> tuple[int, str]:
        """The first cell of a column that is not a number: its row and its text."""


class Word(NamedTuple):
    """A text in a column of a table, and the first cell that holds it."""

    text: str
    table: Cells
    row: int
    column: int

    @property
    def place(self) -> Place:
        return self.table.place(self.row, self.column)


class TableName(str):
    """The name of a CSV file, whose rows are the turns of a generator."""

    __slots__ = ()


def has_word(values: Any, names: Any) -> bool:
    """Whether any of these names stands for a word."""
    return any(type(values.get(name)) is Word for name in names)
