# SPDX-License-Identifier: MIT
"""Values of a template for all turns of its generator, evaluated at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .broken import BROKEN
from .context import Context, Wrong
from .expression import ExpressionError
from .expression_parts import PATH, SEED
from .names import NameTemplate, index_text
from .quantity import Deferred
from .words import has_word

if TYPE_CHECKING:
    from .seeded_arrays import Float64

Path = tuple[int | str, ...]

FEWEST = 8
"""Turns below which it is no quicker."""
MANY = 1000
"""Turns from which expressions are evaluated as arrays."""
ARRAY_WORK = 50
"""So many simple operations on arrays count as one."""
DRAWN_WORK = 5
"""The same in expressions that draw random numbers, which hash a text for each."""


class Columns:
    """The values in all turns, by those of the template that they come from.

    Only values that exist in every turn have a column. All others are found turn by turn, where
    their problems are reported. ``paths`` gives the paths of a place in all
    turns, as texts.
    """

    def __init__(
        self,
        turns: Sequence[Mapping[str, Any]],
        paths: Callable[[Path], list[str]],
        context: Context,
        may_spend: Callable[[int], bool],
    ) -> None:
        self._turns = turns
        self._paths = paths
        self._context = context
        self._may_spend = may_spend
        self._found: dict[int, Sequence[Any]] = {}  # by the identity of what is in `_kept`
        self._kept: list[Any] = []
        self._arrays: dict[str, Float64 | None] = {}  # the numbers of names; None for others

    def of(self, value: Any, turn: int, at: Path) -> Sequence[Any]:
        """Return a value in all turns, at a place in their entries; empty without a column.

        The column is found in the first turn only, since each search costs as much as a turn.
        """
        column = self._found.get(id(value))
        if column is None:
            if turn != 0:
                return ()
            column = self._found[id(value)] = self._column(value, at)
            self._kept.append(value)
        return column

    def _column(self, value: Any, at: Path) -> Sequence[Any]:
        try:
            if isinstance(value, Deferred):
                return self._numbers(value, at)
            if isinstance(value, NameTemplate):
                return self._names(value, at)
            return self._tuples(value, at) if isinstance(value, tuple) else ()
        except (ExpressionError, Wrong):
            return ()

    def _numbers(self, value: Deferred, at: Path) -> Sequence[Any]:
        names, first = value.expression.names, self._turns[0]
        if any(first.get(name, BROKEN) is BROKEN for name in names):
            return ()
        if has_word(first, names):
            return ()
        if len(self._turns) >= MANY:
            found = self._array(value, at)
            if found:
                return found
        if value.expression.seeded or not self._may_spend(value.work * len(self._turns)):
            return ()
        return value.evaluate_all(self._turns, self._context)

    def _array(self, value: Deferred, at: Path) -> Sequence[Any]:
        """The numbers as one array; empty if some are no floats, or a turn has none."""
        import numpy as np  # which few scenes need

        from .array_expression import is_float, over_arrays

        expression, count = value.expression, len(self._turns)
        arrays: dict[str, Any] = {name: self._named(name) for name in expression.names}
        if not is_float(expression.root) or any(column is None for column in arrays.values()):
            return ()
        work = 1 + value.work // (DRAWN_WORK if expression.seeded else ARRAY_WORK)
        if not self._may_spend(work * count):
            return ()
        if expression.seeded:
            arrays[PATH] = self._paths(at)
            arrays[SEED] = self._context.seed
            self._context.note_draws()
        try:
            with np.errstate(all="ignore"):
                found = over_arrays(expression)(arrays)
        except (ArithmeticError, ValueError):
            return ()
        if not np.isfinite(found).all():
            return ()
        return value.quantity.finish_all(np.broadcast_to(found, count).tolist(), self._context)

    def _named(self, name: str) -> Float64 | None:
        """The numbers of a name in all turns; None if they are not all floats."""
        if name not in self._arrays:
            import numpy as np

            found = [turn[name] for turn in self._turns]
            self._arrays[name] = np.array(found) if {*map(type, found)} == {float} else None
        return self._arrays[name]

    def _names(self, value: NameTemplate, at: Path) -> Sequence[str]:
        if value.kind is not None:
            return value.evaluate_all(self._turns, self._context)
        columns = [self.of(index, 0, at) for _, index in value.indices]
        if not all(columns):
            return ()
        texts = [map(index_text, column) for column in columns]
        return [f"{value.base}[{','.join(each)}]{value.rest}" for each in zip(*texts, strict=True)]

    def _tuples(self, value: tuple[Any, ...], at: Path) -> Sequence[tuple[Any, ...]]:
        columns: list[Sequence[Any]] = []
        for i, item in enumerate(value):
            varies = isinstance(item, _VARYING)
            column = self.of(item, 0, (*at, i)) if varies else [item] * len(self._turns)
            if not column:
                return ()
            columns.append(column)
        return list(zip(*columns, strict=True))


_VARYING = (Deferred, NameTemplate, tuple)
