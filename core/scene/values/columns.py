# SPDX-License-Identifier: MIT
"""Values of a template for all turns of its generator, evaluated at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .broken import BROKEN
from .context import Context, Wrong
from .expression import ExpressionError
from .names import NameTemplate, index_text
from .quantity import Deferred
from .words import has_word

FEWEST = 8
"""Turns below which it is no quicker."""


class Columns:
    """The values in all turns, by those of the template that they come from.

    Only values that exist in every turn have a column. All others are found turn by turn, where
    their problems are reported.
    """

    def __init__(
        self,
        turns: Sequence[Mapping[str, Any]],
        context: Context,
        may_spend: Callable[[int], bool],
    ) -> None:
        self._turns = turns
        self._context = context
        self._may_spend = may_spend
        self._found: dict[int, Sequence[Any]] = {}  # by the identity of what is in `_kept`
        self._kept: list[Any] = []

    def of(self, value: Any, turn: int) -> Sequence[Any]:
        """Return a value in all turns; empty without a column.

        The column is found in the first turn only, since each search costs as much as a turn.
        """
        column = self._found.get(id(value))
        if column is None:
            if turn != 0:
                return ()
            column = self._found[id(value)] = self._column(value)
            self._kept.append(value)
        return column

    def _column(self, value: Any) -> Sequence[Any]:
        try:
            if isinstance(value, Deferred):
                return self._numbers(value)
            if isinstance(value, NameTemplate):
                return self._names(value)
            return self._tuples(value) if isinstance(value, tuple) else ()
        except (ExpressionError, Wrong):
            return ()

    def _numbers(self, value: Deferred) -> Sequence[Any]:
        names, first = value.expression.names, self._turns[0]
        if any(first.get(name, BROKEN) is BROKEN for name in names):
            return ()
        if has_word(first, names):
            return ()
        if value.expression.seeded or not self._may_spend(value.work * len(self._turns)):
            return ()
        return value.evaluate_all(self._turns, self._context)

    def _names(self, value: NameTemplate) -> Sequence[str]:
        if value.kind is not None:
            return value.evaluate_all(self._turns, self._context)
        columns = [self.of(index, 0) for _, index in value.indices]
        if not all(columns):
            return ()
        texts = [map(index_text, column) for column in columns]
        return [f"{value.base}[{','.join(each)}]{value.rest}" for each in zip(*texts, strict=True)]

    def _tuples(self, value: tuple[Any, ...]) -> Sequence[tuple[Any, ...]]:
        columns: list[Sequence[Any]] = []
        for item in value:
            column = self.of(item, 0) if isinstance(item, _VARYING) else [item] * len(self._turns)
            if not column:
                return ()
            columns.append(column)
        return list(zip(*columns, strict=True))


_VARYING = (Deferred, NameTemplate, tuple)
