"""The kinds of values that fields hold: how each is checked, and what its JSON Schema is.

A kind annotates a field of an input model. Checking gives the value in the model's units, or a
``Deferred`` where an expression needs the indices of a generator or the path of its value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from . import limits, units
from .colors import parse_color
from .context import Context, Wrong
from .expression import Expression, ExpressionError
from .units import NUMBER, Powers

EXPRESSION_SCHEMA = {"type": "string", "pattern": "^\\s*=", "description": "an expression"}


class Kind:
    """Base of all kinds: joins ``check`` and ``schema`` to pydantic."""

    def check(self, value: Any, context: Context) -> Any:
        """The value for the model; raises Wrong."""
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what an author may write."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.schema()

    def _validate(self, value: Any, info: ValidationInfo) -> Any:
        try:
            return self.check(value, info.context)  # type: ignore[arg-type]
        except Wrong as wrong:
            raise PydanticCustomError("scene", "wrong", {"findings": wrong.findings}) from None


def show(value: Any) -> str:
    """A value as a message names it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if len(value) != 1 else "a list of one item"
    if isinstance(value, (int, float)):
        return f"{value:.12g}"
    text = str(value)
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


def nearest(word: str, known: Any, label: str = "did you mean") -> str:
    """``did you mean `x`?``, or the known ones, or nothing if there are none."""
    names = [str(name) for name in known]
    near = get_close_matches(str(word), names[:20_000], 1)
    if near:
        return f"{label} `{near[0]}`?"
    if not names:
        return "there are none"
    listed = ", ".join(names[:12])
    return f"known: {listed}{', ...' if len(names) > 12 else ''}"


class Deferred:
    """A number that is known only where it is used; ``evaluate`` gives it."""

    __slots__ = ("expression", "quantity")

    def __init__(self, expression: Expression, quantity: Quantity) -> None:
        self.expression = expression
        self.quantity = quantity

    def evaluate(self, values: Any, context: Context, path: str) -> float:
        """The number in the model's units; Wrong says why there is none."""
        expression = self.expression
        for name in expression.names:
            if name in context.broken:
                raise Wrong("")  # the var's own problem is reported
            if name not in values:
                raise Wrong(_unknown(name, values), (), expression.offset(name))
        try:
            result = expression.evaluate(values, seed=context.seed, path=path)
        except ExpressionError as error:
            raise Wrong(error.message, (), error.offset) from None
        return self.quantity.finish(result, context, "the expression gives ")


def _unknown(name: str, values: Any) -> str:
    if "." in name or "[" in name:
        return f"`{name}`: the state of a run can be used in `expect` only"
    return f"there is no var or index `{name}`; {nearest(name, values)}"


# The largest magnitude of each dimension, so that squares stay finite in the engine.
SMALLEST = 1e-9  # of what must be greater than 0
_LARGEST = {units.LENGTH: 1e9, units.ANGLE: 1e9, units.TIME: 1e12}


@dataclass(frozen=True, eq=False)
class Quantity(Kind):
    """A number of one of some dimensions, in a range; the first dimension is what messages name.

    ``above`` is a bound that the number itself must not touch, ``low`` and ``high`` may be met.
    """

    dimensions: tuple[Powers, ...] = (NUMBER,)
    low: float | None = None
    above: float | None = None
    high: float | None = None
    whole: bool = False
    infinite: bool = False
    per_time: bool = False  # a plain number is per scene time, not Hz

    def check(self, value: Any, context: Context) -> float | Deferred:
        if isinstance(value, str):
            return self._check_text(value, context)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Wrong(f"must be {self.wanted()}, not {show(value)}")
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
            raise Wrong(str(error)) from None
        if measure is None:
            raise Wrong(f"must be {self.wanted()}, not the text {show(text)}")
        if measure.powers == NUMBER:
            return self.finish(measure.number, context)
        if measure.powers not in self.dimensions:
            name, example = units.NAMES[self.dimensions[0]]
            raise Wrong(
                f"{show(text)} is {units.describe(measure.powers)}, but {name} is needed here"
                + (f", such as {example}" if self.dimensions[0] != NUMBER else "")
            )
        value = context.converter.plain(measure)
        if self.per_time:
            value = context.to_model(value, measure.powers)
        return self.finish(value, context)

    def _deferred(self, expression: Expression, context: Context) -> float:
        return Deferred(expression, self).evaluate(context.values, context, "")

    def finish(self, value: Any, context: Context, said: str = "") -> float:
        """Check the range of a plain number and turn it into the model's units."""
        if isinstance(value, bool):
            raise Wrong(f"must be {self.wanted()}, but {said or 'it is '}{show(value)}")
        number = float(value)
        if not math.isfinite(number):
            if self.infinite and number > 0:
                return math.inf
            raise Wrong(f"must be a finite number, not {show(number)}")
        if (
            (self.above is not None and not number > self.above)
            or (self.low is not None and number < self.low)
            or (self.high is not None and number > self.high)
            or (self.whole and number != math.floor(number))
            or abs(number) > self.largest
            or (self.above == 0.0 and number < SMALLEST and self.dimensions[0] != NUMBER)
        ):
            raise Wrong(self._refusal(number, said))
        return number if self.per_time else context.to_model(number, self.dimensions[0])

    @property
    def largest(self) -> float:
        return _LARGEST.get(self.dimensions[0], 1e30)

    def _refusal(self, number: float, said: str) -> str:
        """The sentence for a number that is out of range."""
        got = f"but {said}{show(number)}" if said else f"not {show(number)}"
        if self.above is not None and not number > self.above:
            return f"must be greater than {show(self.above)}, {got}"
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
        return {"anyOf": [number, text]}


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
class Tuple(Kind):
    """A list of a fixed number of values of one kind: a point, a rectangle, a range."""

    item: Kind
    count: int
    form: str  # as messages and the reference write it, such as [x, y]

    def check(self, value: Any, context: Context) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Wrong(f"must be {self.form}, not {show(value)}")
        if len(value) != self.count:
            texts = [item for item in value if isinstance(item, str)]
            cut = any(text.startswith("=") and text.count("(") > text.count(")") for text in texts)
            hint = '; quote an expression that holds a comma: "=max(a, b)"' if cut else ""
            raise Wrong(f"must be {self.form}, with {self.count} items, not {len(value)}{hint}")
        return _each(self.item, value, context)

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": self.item.schema(),
            "minItems": self.count,
            "maxItems": self.count,
        }


@dataclass(frozen=True, eq=False)
class ListOf(Kind):
    """A list of values of one kind."""

    item: Kind
    form: str
    fewest: int = 0
    most: int = limits.NODES

    def check(self, value: Any, context: Context) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Wrong(f"must be {self.form}, not {show(value)}")
        if len(value) < self.fewest:
            raise Wrong(f"must be {self.form}: at least {self.fewest} of them, not {len(value)}")
        if len(value) > self.most:
            raise Wrong(f"has {len(value)} items; the limit is {self.most}")
        return _each(self.item, value, context)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.item.schema(), "minItems": self.fewest}


def _each(item: Kind, value: list[Any], context: Context) -> tuple[Any, ...]:
    result: list[Any] = []
    wrong: Wrong | None = None
    for i, entry in enumerate(value):
        try:
            result.append(item.check(entry, context))
        except Wrong as error:
            error.under(i)
            if wrong is None:
                wrong = error
            else:
                wrong.findings += error.findings
    if wrong is not None:
        raise wrong
    return tuple(result)


@dataclass(frozen=True, eq=False)
class Flag(Kind):
    """true or false, or an expression that is."""

    def check(self, value: Any, context: Context) -> bool | Deferred:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lstrip().startswith("="):
            expression = context.compile(value.strip())
            return Deferred(expression, TRUTH)
        hint = ""
        if isinstance(value, str) and value.lower() in ("yes", "no", "on", "off", "y", "n"):
            hint = f"; in this format {show(value)} is a text"
        raise Wrong(f"must be true or false, not {show(value)}{hint}")

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, EXPRESSION_SCHEMA]}


@dataclass(frozen=True, eq=False)
class _Truth(Quantity):
    def finish(self, value: Any, context: Context, said: str = "") -> Any:
        return bool(value)


TRUTH = _Truth()


@dataclass(frozen=True, eq=False)
class OneOf(Kind):
    """One of some words; ``later`` are words of the format that are not supported yet."""

    words: tuple[str, ...]
    later: tuple[str, ...] = ()

    def check(self, value: Any, context: Context) -> str:
        if isinstance(value, str):
            if value in self.words:
                return value
            if value in self.later:
                raise Wrong(
                    f"`{value}` is not supported yet; supported are {', '.join(self.words)}"
                )
        words = ", ".join(self.words)
        if not isinstance(value, str):
            raise Wrong(f"must be one of {words}, not {show(value)}")
        near = get_close_matches(value, self.words, 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise Wrong(f"must be one of {words}, not {show(value)}{hint}")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True, eq=False)
class Text(Kind):
    """Any text; ``form`` says what for."""

    form: str = "a text"

    def check(self, value: Any, context: Context) -> str:
        if not isinstance(value, str):
            hint = "; put it in quotes" if isinstance(value, (bool, int, float)) else ""
            raise Wrong(f"must be {self.form}, not {show(value)}{hint}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.form}


@dataclass(frozen=True, eq=False)
class Name(Kind):
    """The name of a body, category, ...; one in a generator may be ``link[=i+1]``."""

    form: str
    computed: bool = False

    def check(self, value: Any, context: Context) -> str | NameTemplate:
        if not isinstance(value, str) or not value:
            hint = "; put it in quotes" if isinstance(value, (bool, int, float)) else ""
            raise Wrong(f"must be {self.form}, not {show(value)}{hint}")
        if len(value) > limits.NAME_LENGTH:
            raise Wrong(f"a name of {len(value)} characters; the limit is {limits.NAME_LENGTH}")
        return NameTemplate(value, context) if self.computed and "[=" in value else value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.form}


class NameTemplate:
    """A name with indices that are expressions: ``link[=i+1]`` or ``cell[=i,=j]``."""

    __slots__ = ("base", "indices", "text")

    def __init__(self, text: str, context: Context) -> None:
        self.text = text
        self.base, _, rest = text.partition("[")
        if not rest.endswith("]"):
            raise Wrong(f"{show(text)}: the indices of a name stand in `[` and `]` at its end")
        self.indices: list[tuple[int, Expression]] = []
        offset = len(self.base) + 1
        for part in _split(rest[:-1]):
            source = part.strip()
            lead = offset + len(part) - len(part.lstrip())
            try:
                self.indices.append((lead, context.compile(source)))
            except Wrong as wrong:
                raise wrong.shifted(lead) from None
            offset += len(part) + 1

    def evaluate(self, values: Any, context: Context, path: str) -> str:
        """The name for these values of the indices."""
        names = []
        for lead, expression in self.indices:
            try:
                number = Deferred(expression, Quantity()).evaluate(values, context, path)
            except Wrong as wrong:
                raise wrong.shifted(lead) from None
            names.append(index_text(number))
        return f"{self.base}[{','.join(names)}]"


def _split(text: str) -> list[str]:
    """Cut at the commas that stand outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def index_text(number: float) -> str:
    """An index as names write it: 3 for 3.0, the shortest decimal otherwise."""
    return str(int(number)) if number == math.floor(number) else repr(number)


@dataclass(frozen=True, eq=False)
class Color(Kind):
    """A colour: a CSS name or ``#rrggbb``."""

    def check(self, value: Any, context: Context) -> str:
        if not isinstance(value, str):
            raise Wrong(f"must be a colour such as tomato or '#ff6347', not {show(value)}")
        try:
            parse_color(value)
        except ValueError as error:
            raise Wrong(str(error)) from None
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": "a CSS colour name or #rrggbb"}


@dataclass(frozen=True, eq=False)
class Custom(Kind):
    """A kind with a check and a schema of its own."""

    function: Callable[[Any, Context], Any]
    json_schema: dict[str, Any]

    def check(self, value: Any, context: Context) -> Any:
        return self.function(value, context)

    def schema(self) -> dict[str, Any]:
        return self.json_schema
