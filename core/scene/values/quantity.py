# SPDX-License-Identifier: MIT
"""Numbers and booleans as authors write them: plain, with a unit, or as an expression."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import units
from .broken import BROKEN
from .context import TURNED, Context, Wrong
from .expression import Expression, ExpressionError, one_number
from .functions import CONSTANTS
from .kinds import EXPRESSION_SCHEMA, Kind, nearest, show
from .other_forms import as_number, as_truth
from .units import NUMBER, Powers
from .words import TABLES, Word


class Deferred:
    """A number evaluated where it is used, by ``evaluate``."""

    __slots__ = ("expression", "quantity")

    def __init__(self, expression: Expression, quantity: Quantity) -> None:
        self.expression = expression
        self.quantity = quantity

    def evaluate(self, values: Any, context: Context, path: str) -> float:
        """The number in the model's units; Wrong says why there is none."""
        expression = self.expression
        for name in expression.names:
            value = values.get(name, BROKEN)
            if value is BROKEN:
                raise without_value(expression, values)
            if type(value) is Word:
                raise _no_number(name, value, expression)
        try:
            result = context.evaluate(expression, values, path)
        except ExpressionError as error:
            raise Wrong("expression", error.message, (), error.offset) from None
        return self.quantity.finish(result, context, "the expression gives ")

    @property
    def work(self) -> int:
        """The cost of one evaluation."""
        return self.expression.work

    def evaluate_all(self, rows: Sequence[Any], context: Context) -> list[Any]:
        """The numbers for many sets of values; Wrong or ExpressionError if one has none."""
        return self.quantity.finish_all(self.expression.evaluate_all(rows), context)


def without_value(expression: Expression, values: Any) -> Wrong:
    """The names of an expression that have no value; none for vars that have their own problem."""
    wrong = Wrong()
    for name in sorted(expression.names, key=expression.offset):
        offset = expression.offset(name)
        group = name.partition("[")[0]
        if group != name and group in values:
            wrong.add("expression", one_number(name), (), offset)
        elif "." in name or "[" in name:
            readers = "conditions, actions and `expect` only"
            message = f"`{name}`: the state of a run can be used in {readers}"
            wrong.add("expression", message, (), offset)
        elif name not in values:
            constant = f"write `{name.lower()}`" if name.lower() in CONSTANTS else ""
            tables = values.get(TABLES, "")
            among = [known for known in values if known != TABLES] if tables else values
            hint = constant or nearest(name, among)
            message = f"there is no var or index `{name}`{tables}; {hint}"
            wrong.add("unknown-name", message, (), offset, f"var {name}")
    return wrong


def _no_number(name: str, word: Word, expression: Expression) -> Wrong:
    """The first cell of a column of a table that is not a number, where one is needed."""
    row, text = word.table.strange(word.column)
    got = f"{show(text)} is not a number" if text else "this cell is empty"
    hint = as_number(text)
    message = f"{got}, but `={expression.source}` needs one in each row of `{name}`{hint}"
    return Wrong("wrong-type", message, place=word.table.place(row, word.column))


_FORMULA = re.compile(r"[\w\s.+\-*/%()<>=,]{1,200}")


def _as_expression(text: str, context: Context) -> str:
    """A suggestion for an expression without its `=`; else nothing."""
    if not _FORMULA.fullmatch(text):
        return ""
    try:
        expression = Expression(f"={text.strip()}")
    except ExpressionError:
        return ""
    if not all(name in context.values for name in expression.names):
        return ""
    return f"; an expression begins with `=`: `={text.strip()}`"


# The largest magnitude of each dimension, so that squares stay finite in the engine.
SMALLEST = 1e-9  # of values that must be greater than 0
_LARGEST = {
    units.LENGTH: 1e9,
    units.ANGLE: 1e9,
    units.TIME: 1e12,
    units.ACCELERATION: 1e9,
}
_LARGEST_OTHER = 1e15
_INFINITE = ("inf", "+inf", "-inf", "infinity", "none", "unlimited")


@dataclass(eq=False, repr=False)
class Quantity(Kind):
    """A number of one of some dimensions, in a range; messages name the first dimension.

    ``above`` is an exclusive bound, ``low`` and ``high`` are inclusive.
    If ``infinite`` numbers are allowed, -.inf is one of them if there is no lower bound.
    """

    dimensions: tuple[Powers, ...] = (NUMBER,)
    low: float | None = None
    above: float | None = None
    high: float | None = None
    whole: bool = False
    infinite: bool = False
    per_time: bool = False  # a plain number is per scene time, not Hz
    instead: str = ""  # what to write instead of an infinite number
    too_low: str = ""  # what to write instead of 0, where that is not above the bound

    def check(self, value: Any, context: Context) -> float | Deferred:
        if isinstance(value, str):
            return self._check_text(value, context)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Wrong("wrong-type", f"must be {self.wanted()}, not {show(value)}")
        return self.finish(value, context)

    def _check_text(self, text: str, context: Context) -> float | Deferred:
        if text.lstrip().startswith("="):
            shift = len(text) - len(text.lstrip())
            expression = context.compile(text.strip())
            if shift:
                text = text.strip()
            values = context.values
            if expression.seeded or not all(name in values for name in expression.names):
                return Deferred(expression, self)
            return self._deferred(expression, context)
        try:
            measure = units.parse(text)
        except ValueError as error:
            hint = "" if as_number(text) else _as_expression(text, context)
            raise Wrong("wrong-unit", str(error) + hint) from None
        if measure is None:
            endless = self.infinite and text.strip().lower() in _INFINITE
            hint = "; no limit is `.inf`, with a dot" if endless else ""
            hint = hint or as_number(text) or _as_expression(text, context)
            raise Wrong("wrong-type", f"must be {self.wanted()}, not the text {show(text)}{hint}")
        if measure.powers == NUMBER:
            return self.finish(measure.number, context)
        if measure.powers not in self.dimensions:
            name, example = units.NAMES[self.dimensions[0]]
            raise Wrong(
                "wrong-unit",
                f"{show(text)} is {units.describe(measure.powers)}, but {name} is needed here"
                + (f", such as {example}" if self.dimensions[0] != NUMBER else "")
                + _as_expression(text, context),
            )
        value = context.converter.plain(measure)
        if self.per_time:
            value = context.to_model(value, measure.powers)
        return self.finish(value, context)

    def _deferred(self, expression: Expression, context: Context) -> float:
        return Deferred(expression, self).evaluate(context.values, context, "")

    def finish(self, value: Any, context: Context, said: str = "") -> float:
        """Check the range of a plain number and turn it into the model's units."""
        if type(value) is float:
            low, high = self._allowed
            if low <= value <= high:
                return context.to_model(value, self.dimensions[0]) if self._turned else value
        if isinstance(value, bool):
            raise Wrong(
                "wrong-type", f"must be {self.wanted()}, but {said or 'it is '}{show(value)}"
            )
        number = float(value)
        if not math.isfinite(number):
            if self._may_be(number):
                return number
            raise Wrong("out-of-range", self._not_finite(number))
        if (
            (self.above is not None and not number > self.above)
            or (self.low is not None and number < self.low)
            or (self.high is not None and number > self.high)
            or (self.whole and number != math.floor(number))
            or abs(number) > self.largest
            or (self.above == 0.0 and number < SMALLEST and self.dimensions[0] != NUMBER)
        ):
            raise Wrong("out-of-range", self._refusal(number, said))
        return number if self.per_time else context.to_model(number, self.dimensions[0])

    def finish_all(self, values: list[Any], context: Context) -> list[Any]:
        """``finish`` of many numbers; Wrong if one is out of range."""
        low, high = self._allowed
        if self._turned or {*map(type, values)} != {float}:
            return [self.finish(value, context) for value in values]
        if low <= min(values) and max(values) <= high:
            return values
        return [self.finish(value, context) for value in values]

    @cached_property
    def _allowed(self) -> tuple[float, float]:
        """From the least to the largest of the numbers that need no closer look."""
        if self.whole:
            return math.inf, -math.inf
        low = -self.largest if self.low is None else max(self.low, -self.largest)
        high = self.largest if self.high is None else min(self.high, self.largest)
        if self.above is not None:
            low = max(low, math.nextafter(self.above, math.inf))
        if self.above == 0.0 and self.dimensions[0] != NUMBER:
            low = max(low, SMALLEST)
        return low, high

    @cached_property
    def _turned(self) -> bool:
        """Whether the model has this dimension in other units."""
        return not self.per_time and self.dimensions[0] in TURNED

    def _may_be(self, infinite: float) -> bool:
        if not self.infinite or math.isnan(infinite):
            return False
        return infinite > 0 or (self.low is None and self.above is None)

    def _not_finite(self, number: float) -> str:
        """The sentence for an infinite number, or none, that is not allowed."""
        if self.infinite and not math.isnan(number):
            return self._refusal(number, "")
        hint = f"; {self.instead}" if self.instead and number > 0 else ""
        finite = "" if self.infinite else "finite "
        return f"must be a {finite}number, not {show(number)}{hint}"

    @property
    def largest(self) -> float:
        return _LARGEST.get(self.dimensions[0], _LARGEST_OTHER)

    def _refusal(self, number: float, said: str) -> str:
        """The sentence for a number that is out of range."""
        got = f"but {said}{show(number)}" if said else f"not {show(number)}"
        if self.above is not None and not number > self.above:
            hint = f"; {self.too_low}" if self.too_low and number == 0.0 else ""
            return f"must be greater than {show(self.above)}, {got}{hint}"
        if self.low is not None and number < self.low:
            return f"must be at least {show(self.low)}, {got}"
        if self.high is not None and number > self.high:
            return f"must be at most {show(self.high)}, {got}"
        if self.whole and number != math.floor(number):
            return f"must be a whole number, {got}"
        if abs(number) > self.largest:
            return f"must not be larger than {show(self.largest)} (the limit), {got}"
        return f"must be at least {show(SMALLEST)} (the smallest that is supported), {got}"

    def wanted(self) -> str:
        name, example = units.NAMES[self.dimensions[0]]
        if self.dimensions[0] == NUMBER:
            return "a whole number" if self.whole else "a number"
        return f"{name}: a number or a text such as {example}"

    def schema(self) -> dict[str, Any]:
        number: dict[str, Any] = {"type": "integer" if self.whole else "number"}
        if self.low is not None:
            number["minimum"] = self.low
        if self.above is not None:
            number["exclusiveMinimum"] = self.above
        if self.high is not None:
            number["maximum"] = self.high
        text = {
            "type": "string",
            "pattern": "^\\s*(=|[-+.]?[0-9])",
            "description": f"{units.NAMES[self.dimensions[0]][0]} with a unit, or an expression",
        }
        return {"anyOf": [number, text], "examples": self._examples()}

    def _examples(self) -> list[Any]:
        """A number that it may be, the same with a unit, and an expression."""
        low = self.low if self.low is not None else self.above
        number = 1.0 if low is None or low < 1.0 else low + 1.0
        number = number if self.high is None else min(number, self.high)
        plain = int(number) if number.is_integer() else number
        text = units.NAMES[self.dimensions[0]][1]
        with_unit = [] if self.dimensions[0] == NUMBER else [text.strip("`'\"")]
        return [plain, *with_unit, "=n"]


@dataclass(eq=False, repr=False)
class Either(Kind):
    """A quantity whose dimension depends on another field; kept as written until that is known."""

    first: Quantity
    second: Quantity

    def check(self, value: Any, context: Context) -> Written:
        try:
            self.first.check(value, context)
        except Wrong as wrong:
            try:
                self.second.check(value, context)
            except Wrong:
                raise wrong from None
        return Written(value)

    def schema(self) -> dict[str, Any]:
        return self.first.schema()


class Written:
    """A value as the author wrote it, to be checked as another kind later."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclass(eq=False, repr=False)
class Flag(Kind):
    """true or false, or an expression that is."""

    def check(self, value: Any, context: Context) -> bool | Deferred:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lstrip().startswith("="):
            expression = context.compile(value.strip())
            return Deferred(expression, TRUTH)
        said = f'"{value}"' if isinstance(value, str) else show(value)
        raise Wrong("wrong-type", f"must be true or false, not {said}{as_truth(value)}")

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, EXPRESSION_SCHEMA]}


@dataclass(eq=False, repr=False)
class _Truth(Quantity):
    def finish(self, value: Any, context: Context, said: str = "") -> Any:
        return bool(value)

    def finish_all(self, values: list[Any], context: Context) -> list[Any]:
        return list(map(bool, values))


TRUTH = _Truth()
