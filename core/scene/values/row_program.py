# SPDX-License-Identifier: MIT
"""Expressions compiled for the native code, which works out many rows of numbers in one call.

Each row has the bits that ``Expression.evaluate`` gives for it. Where that has no value, such as
after a division by zero, the number is NaN.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from . import seeded
from .expression import Expression
from .expression_parser import raised
from .expression_parts import Part
from .functions import ANY, FUNCTIONS

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
CODES = _native.OPERATIONS

_JOINED = {
    operator.add: "add",
    operator.sub: "subtract",
    operator.mul: "multiply",
    operator.truediv: "divide",
    operator.floordiv: "floor_divide",
    operator.mod: "modulo",
    raised: "power",
}
_IN_ROWS = {"join": "", "or": "either", "and": "both"}
"""Parts that follow one another from left to right, and the operations of two of them."""
_WHOLE = (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod)
"""Operators that make a whole number of two."""
_COMPARED = {
    operator.lt: "less",
    operator.le: "less_equal",
    operator.gt: "greater",
    operator.ge: "greater_equal",
    operator.eq: "equal",
    operator.ne: "unequal",
}
_PORTABLE = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "hypot", "exp", "log")
_CALLED = {
    "abs": "absolute",
    "sqrt": "root",
    "floor": "floor",
    "ceil": "ceil",
    "round": "round",
    "min": "least",
    "max": "most",
    "clamp": "clamp",
    "lerp": "lerp",
    **{name: name for name in _PORTABLE},
}
_NAMES = {FUNCTIONS[name].call: operation for name, operation in _CALLED.items()}
_DRAWN = {
    seeded.uniform: "uniform",
    seeded.normal: "normal",
    seeded.randint: "randint",
    seeded.choice: "drawn",
}


def _tried(function: Callable[..., Any]) -> Callable[..., float | None]:
    """A function that gives None where it has no value."""

    def exact(*numbers: float) -> float | None:
        try:
            return float(function(*numbers))
        except (ArithmeticError, ValueError):
            return None

    return exact


EXACT = {
    CODES["power"]: _tried(raised),
    CODES["hypot_many"]: _tried(FUNCTIONS["hypot"].call),
    **{CODES[name]: _tried(FUNCTIONS[name].call) for name in _PORTABLE},
}
"""The scalar functions, for the few numbers of which the native ones are not sure."""


class RowProgram:
    """Some expressions over rows of two tables.

    Args:
        expressions: none of them draws random numbers.
        columns: the place of each name: the table, 0 or 1, and its column.
        constants: the values of the other names.
    """

    def __init__(
        self,
        expressions: Sequence[Expression],
        columns: Mapping[str, tuple[int, int]],
        constants: Mapping[str, float],
    ) -> None:
        made = _Compiler(columns, constants)
        for index, expression in enumerate(expressions):
            made.result(index, expression.root)
        codes = np.array(made.codes, np.int32).reshape(-1, 5)
        self.results = len(expressions)
        self._run = _native.RowProgram(codes, made.constants, EXACT).run

    def run(
        self,
        first: Float64,
        second: Float64,
        results: Float64,
        singles: Float32 | None = None,
        low: Float32 | None = None,
        high: Float32 | None = None,
    ) -> int:
        """Fill ``results`` [rows, expressions] from tables [rows, columns].

        ``singles`` [rows, at most as many] takes the first ones in single precision, clipped to
        ``low`` and ``high`` where these are given. Returns the place of the first result that is
        not finite, row by row; -1 where all are.
        """
        kept = _none(len(results)) if singles is None else singles
        return self._run(first, second, results, kept, low, high)


class _Compiler:
    """Instructions of expressions, one after the other."""

    def __init__(
        self, columns: Mapping[str, tuple[int, int]], constants: Mapping[str, float]
    ) -> None:
        self.codes: list[tuple[int, int, int, int, int]] = []
        self.constants: list[float] = []
        self._columns, self._values = columns, constants
        self._free: list[int] = []
        self._count = 0
        self._block = -1  # the first of ANY registers that follow one another

    def result(self, index: int, part: Part) -> None:
        """Work out an expression as a column of the results."""
        found = self._part(part)
        self.codes.append((CODES["result"], 0, index, found, 0))
        self._free.append(found)

    def _do(self, operation: str, *operands: int) -> int:
        """The register of an operation's value; those of its operands are free after it."""
        out = self._put(operation, *operands)
        self._free += sorted(set(operands), reverse=True)
        return out

    def _put(self, operation: str, *operands: int) -> int:
        if self._free:
            out = self._free.pop()
        else:
            out, self._count = self._count, self._count + 1
        a, b, c = (*operands, 0, 0, 0)[:3]
        self.codes.append((CODES[operation], out, a, b, c))
        return out

    def _part(self, part: Part) -> int:
        """The register of a part; a long row of operators, such as a sum, is no deep one."""
        row: list[Part] = []
        while part.tree[0] in _IN_ROWS:
            row.append(part)
            part = part.tree[-2]
        kind, *pieces = part.tree
        register: int = getattr(self, f"_{kind}")(*pieces)
        whole = bool(row) and _is_whole(part)
        for each in reversed(row):
            kind, *_, right = each.tree
            operation = _JOINED[each.tree[1]] if kind == "join" else _IN_ROWS[kind]
            register = self._do(operation, register, self._part(right))
            whole = whole and _is_whole(right)
            if kind == "join" and whole:
                register = self._do("whole", register)
                whole = each.tree[1] in _WHOLE
        return register

    def _constant(self, value: float | bool) -> int:
        self.constants.append(float(value))
        return self._put("constant", len(self.constants) - 1)

    def _named(self, name: str) -> int:
        if name not in self._columns:
            return self._constant(self._values[name])
        table, column = self._columns[name]
        return self._put("load_two" if table else "load", column)

    def _not(self, inner: Part) -> int:
        return self._do("negation", self._part(inner))

    def _minus(self, inner: Part) -> int:
        """Of a truth value it is a whole number, which has no negative zero."""
        found = self._do("negative", self._part(inner))
        return self._do("whole", found) if _is_whole(inner) else found

    def _if(self, value: Part, condition: Part, other: Part) -> int:
        return self._do("choice", self._part(value), self._part(condition), self._part(other))

    def _compare(self, first: Part, links: Sequence[tuple[Callable[..., Any], Part]]) -> int:
        left, holds = self._part(first), -1
        for index, (compare, part) in enumerate(links):
            right = self._part(part)
            now = self._put(_COMPARED[compare], left, right)
            self._free.append(left)
            left = right
            holds = self._do("both", holds, now) if index else now
        self._free.append(left)
        return holds

    def _call(self, function: Callable[..., float], arguments: Sequence[Part]) -> int:
        operation = _NAMES[function]
        if operation in ("least", "most"):
            result = self._part(arguments[0])
            for each in arguments[1:]:
                result = self._do(operation, result, self._part(each))
            return result
        found = [self._part(part) for part in arguments]
        if operation == "hypot" and len(found) != 2:
            return self._of_many("hypot_many", found)
        return self._do(operation, *found)

    def _draw(self, function: Callable[..., float], turn: int, arguments: Sequence[Part]) -> int:
        found = [self._part(part) for part in arguments]
        if function is seeded.choice:
            return self._of_many("drawn", found, turn)
        out = self._put(_DRAWN[function], *found, turn)
        self._free += sorted(set(found), reverse=True)
        return out

    def _of_many(self, operation: str, found: Sequence[int], turn: int = 0) -> int:
        """Of numbers in registers that follow one another, which all such calls share."""
        if self._block < 0:
            self._block, self._count = self._count, self._count + ANY
        for index, each in enumerate(found):
            self.codes.append((CODES["copy"], self._block + index, each, 0, 0))
        out = self._put(operation, self._block, len(found), turn)
        self._free += found
        return out


def instructions_of(
    expression: Expression, columns: Mapping[str, int], constants: Mapping[str, float]
) -> tuple[list[tuple[int, int, int, int, int]], list[float]]:
    """The instructions of one expression over one row, and their constants.

    ``columns`` are the places of names in the row, ``constants`` the values of the others.
    """
    made = _Compiler({name: (0, column) for name, column in columns.items()}, constants)
    made.result(0, expression.root)
    return made.codes, made.constants


def _none(rows: int) -> Float32:
    return np.empty((rows, 0), np.float32)


def _is_whole(part: Part) -> bool:
    """Whether Python has a whole number or a truth value there, not a float."""
    kind, *pieces = part.tree
    if kind in ("compare", "not"):
        return True
    if kind == "constant":
        return isinstance(pieces[0], bool)
    if kind in ("or", "and", "if", "minus"):
        return all(map(_is_whole, pieces))
    return kind == "join" and pieces[0] in _WHOLE and all(map(_is_whole, pieces[1:]))


@cache
def _alone(operation: str, count: int) -> Any:
    """The program of one operation on the columns of a table."""
    if operation == "hypot" and count != 2:
        operation = "hypot_many"
    operands = (0, count, 0) if operation == "hypot_many" else (0, 1, 0)
    codes = [(CODES["load"], column, column, 0, 0) for column in range(count)]
    codes += [(CODES[operation], count, *operands), (CODES["result"], 0, 0, count, 0)]
    return _native.RowProgram(np.array(codes, np.int32), [], EXACT).run


def over_rows(function: Callable[..., float], *values: Any) -> Any:
    """A function of numbers or arrays, row by row; NaN where it has no value.

    It is one that NumPy would give other bits on other machines: a division with a remainder, a
    power, or one of trigonometry, ``exp``, ``log`` and ``hypot``.
    """
    operation = _JOINED.get(function) or _NAMES[function]
    whole = np.broadcast_arrays(*values)
    table = np.stack([each.ravel() for each in whole], axis=1).astype(np.float64, order="C")
    results = np.empty((len(table), 1))
    _alone(operation, len(whole))(table, table[:, :0].copy(), results, _none(len(table)))
    return results.reshape(whole[0].shape)
