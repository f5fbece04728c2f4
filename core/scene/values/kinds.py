# SPDX-License-Identifier: MIT
"""Kinds of field values: their checks, and their JSON Schema.

A kind annotates a field of an input model. Checking gives the value in the model's units, or
something to be resolved where an expression needs the indices of a generator or the path of its
value (see ``quantity`` and ``names``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from ...nearest import may_search, nearest_name, nearest_word, only_word
from .. import limits
from .colors import parse_color
from .context import Context, Wrong
from .foreign_words import first_of, meanings_of
from .other_forms import as_list

_NAMES = 20_000  # among which the nearest is searched
_LISTED = 12  # where none is near
_JOINT_OF = re.compile(r"^b2|^Simple|_?[Jj]oint(2[Dd])?$")  # what other engines put round words
_NOTHING = ("none", "off", "zero", "no", "0")
EXPRESSION_SCHEMA = {"type": "string", "pattern": "^\\s*=", "description": "an expression"}


class Kind:
    """Base of all kinds: joins ``check`` and ``schema`` to pydantic."""

    def check(self, value: Any, context: Context) -> Any:
        """The value for the model; raises Wrong."""
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its written values."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(self.schema())  # a copy: pydantic writes the field's default into it

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
        return f"a list of {len(value)} items" if len(value) != 1 else "a list of one item"
    if isinstance(value, (int, float)):
        return f"{value:.12g}"
    text = str(value)
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


def missing_key(key: str, needed: Sequence[str]) -> str:
    """The message on a mapping without a required key."""
    return f"`{key}` is missing" + (f"; needed are {', '.join(needed)}" if len(needed) > 1 else "")


def nearest(word: str, known: Any, *first: str, what: str = "") -> str:
    """``did you mean `x`?``, or the known ones after the ``first``, or how to make the first one.

    A tuple holds words of the format, which stay the same. ``what`` is the kind of a name.
    """
    if what and not known and not first:
        return first_of(what, word)
    if isinstance(known, tuple):
        return _hint(nearest_word(str(word), known), known)
    enough = _NAMES if may_search(20 * min(len(known), _NAMES)) else _LISTED + 1
    names = [str(name) for name in islice(chain(first, known), enough)]
    names = [name for name in names if not name.endswith(":")]  # no name is valid with a colon
    return _hint(nearest_name(str(word), names), names)


def _hint(near: str, names: Sequence[str]) -> str:
    if near:
        return f"did you mean `{near}`?"
    if not names:
        return "there are none"
    listed = ", ".join(names[:_LISTED])
    return f"known: {listed}{', ...' if len(names) > _LISTED else ''}"


@dataclass(eq=False, repr=False)
class Tuple(Kind):
    """A list of a fixed number of values of one kind: a point, a rectangle, a range."""

    item: Kind
    count: int
    form: str  # as messages and the reference write it, such as [x, y]
    hint: str = ""  # what to write for a single pair where pairs are wanted
    alone: str = ""  # what to write for a single number, such as [{0}, {0}] or [0, {down}]
    none: str = ""  # corrections of booleans such as `false`
    few: str = ""  # what to write where an item is missing
    many: str = ""  # what to write where there are more items
    lists: str = ""  # what to write where the items are lists themselves

    def check(self, value: Any, context: Context) -> tuple[Any, ...]:
        if not isinstance(value, list):
            hint = "" if isinstance(self.item, Tuple) else self._hint(value, context)
            raise Wrong("wrong-type", f"must be {self.form}, not {show(value)}{hint}")
        if isinstance(self.item, Tuple) and not _holds_lists(value):
            inner = ", ".join(show(each) for each in value[:_LISTED])
            hint = self.hint or _in_pairs(value, self.count, self.item.count)
            raise Wrong("wrong-type", f"must be {self.form}, not [{inner}]{hint}")
        if self.lists and value and all(isinstance(item, list) for item in value):
            raise Wrong("wrong-type", f"must be {self.form}, not {show(value)}{self.lists}")
        if len(value) != self.count:
            texts = [item for item in value if isinstance(item, str)]
            cut = any(text.startswith("=") and text.count("(") > text.count(")") for text in texts)
            hint = '; quote an expression that holds a comma: "=max(a, b)"' if cut else ""
            few = len(value) < self.count
            hint = hint or (self.few if few else f"{self.many}{_decimals(value, self.count)}")
            other = "" if cut else self._hint(value, context)
            if other:
                raise Wrong("wrong-type", f"must be {self.form}, not {show(value[0])}{other}")
            wrong = Wrong(
                "wrong-type",
                f"must be {self.form}, with {self.count} items, not {len(value)}{hint}",
            )
            # More items mean something else, so that nothing is said of each.
            raise _with_items(wrong, self.item, value, context) if few and not cut else wrong
        return _each(self.item, value, context)

    def _hint(self, value: Any, context: Context) -> str:
        """The form that this format has for a value written as in another one."""
        if self.none and (value is None or value is False or str(value).lower() in _NOTHING):
            return f"; write `{self.none}`"
        sign = "-" if context.units.y == "up" else ""
        return as_list(value, self.count, self.alone.replace("{down}", f"{sign}{{0}}"))

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": self.item.schema(),
            "minItems": self.count,
            "maxItems": self.count,
        }


@dataclass(eq=False, repr=False)
class ListOf(Kind):
    """A list of values of one kind."""

    item: Kind
    form: str
    fewest: int = 0
    most: int = limits.NODES

    def check(self, value: Any, context: Context) -> tuple[Any, ...]:
        if not isinstance(value, list):
            hint = f"; write `[{value}]`" if isinstance(value, str) and len(value) < 60 else ""
            raise Wrong("wrong-type", f"must be {self.form}, not {show(value)}{hint}")
        if isinstance(self.item, Tuple) and len(value) > 1 and not _holds_lists(value):
            pairs = _in_pairs(value, len(value) // self.item.count, self.item.count)
            if pairs:
                message = f"must be {self.item.form}, not {show(value[0])}{pairs}"
                raise Wrong("wrong-type", message, (0,))
            _each(self.item, value[:1], context)  # the others are wrong in the same way
        if len(value) < self.fewest:
            wrong = Wrong(
                "wrong-type",
                f"must be {self.form}: at least {self.fewest} of them, not {len(value)}",
            )
            raise _with_items(wrong, self.item, value, context)
        if len(value) > self.most:
            raise Wrong("limit", f"has {len(value)} items; the limit is {self.most}")
        return _each(self.item, value, context)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.item.schema(), "minItems": self.fewest}


def _decimals(value: list[Any], count: int) -> str:
    """A suggestion where the items may be whole numbers and decimals round commas."""
    whole = all(isinstance(item, int) and not isinstance(item, bool) for item in value)
    if not whole or not count < len(value) <= 2 * count:
        return ""
    if len(value) < 2 * count:
        return "; if `0,5` is meant as a number, write `0.5`"
    pairs = [f"{value[i]}.{value[i + 1]}" for i in range(0, len(value), 2)]
    return f"; if these are decimal commas, write `[{', '.join(pairs)}]`"


def _holds_lists(value: list[Any]) -> bool:
    return any(isinstance(each, list) for each in value)


def _in_pairs(value: list[Any], count: int, each: int) -> str:
    """A suggestion for numbers of several points in a row; nothing for others."""
    numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in value)
    if not numbers or not value or len(value) != count * each:
        return ""
    groups = [value[i : i + each] for i in range(0, min(len(value), 2 * each), each)]
    shown = ", ".join(f"[{', '.join(show(number) for number in group)}]" for group in groups)
    return f"; write `[{shown}{', ...' if len(value) > 2 * each else ''}]`"


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


def _with_items(wrong: Wrong, item: Kind, value: list[Any], context: Context) -> Wrong:
    """Problems of a list as a whole, and of its items."""
    try:
        _each(item, value, context)
    except Wrong as inner:
        wrong.findings += inner.findings
    return wrong


@dataclass(eq=False, repr=False)
class OneOf(Kind):
    """A word of a list; ``others`` maps synonyms to these words."""

    words: tuple[str, ...]
    others: Mapping[str, str] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)  # sentences for other values

    def check(self, value: Any, context: Context) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        words = ", ".join(self.words)
        if not isinstance(value, str):
            raise Wrong("wrong-type", f"must be one of {words}, not {show(value)}")
        foreign = next((each for each in meanings_of(value) if each in self.words), "")
        plain = _JOINT_OF.sub("", value).lower()
        same = next((each for each in (value.lower(), plain) if each in self.words), "")
        near = self.others.get(value.lower()) or foreign or same or nearest_word(value, self.words)
        near = near or self.others.get(nearest_word(value.lower(), tuple(self.others)), "")
        hint = f"; did you mean `{near}`?" if near else ""
        said = self.instead.get(plain)
        hint = f"; {said}" if said else hint
        message = f"must be one of {words}, not {show(value)}{hint}"
        raise Wrong("unknown-word", message, meant="" if said else only_word(value, self.words))

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


@dataclass(eq=False, repr=False)
class Text(Kind):
    """Any text; ``form`` is its purpose."""

    form: str = "a text"

    def check(self, value: Any, context: Context) -> str:
        if not isinstance(value, str):
            hint = "; put it in quotes" if isinstance(value, (bool, int, float)) else ""
            raise Wrong("wrong-type", f"must be {self.form}, not {show(value)}{hint}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.form}


@dataclass(eq=False, repr=False)
class Color(Kind):
    """A colour: a CSS name or ``#rrggbb``."""

    def check(self, value: Any, context: Context) -> str:
        if not isinstance(value, str):
            raise Wrong(
                "wrong-type", f"must be a colour such as tomato or '#ff6347', not {show(value)}"
            )
        try:
            parse_color(value)
        except ValueError as error:
            raise Wrong("unknown-word", str(error)) from None
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": "a CSS colour name or #rrggbb"}


@dataclass(eq=False, repr=False)
class Custom(Kind):
    """A kind with a check and a schema of its own."""

    function: Callable[[Any, Context], Any]
    json_schema: dict[str, Any]

    def check(self, value: Any, context: Context) -> Any:
        return self.function(value, context)

    def schema(self) -> dict[str, Any]:
        return self.json_schema


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
