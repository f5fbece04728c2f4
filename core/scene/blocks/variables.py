# SPDX-License-Identifier: MIT
"""Units and vars, which must be known before the rest of a scene can be checked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from .. import limits
from ..building.structure import validate
from ..model import Units
from ..text.marks import Map
from ..text.problems import Report
from ..values import units
from ..values.broken import BROKEN, Unclear
from ..values.context import Compiler, Context, Wrong
from ..values.expression import Expression, ExpressionError
from ..values.fields import Input, about
from ..values.functions import RESERVED
from ..values.kinds import EXPRESSION_SCHEMA, Custom, OneOf, nearest, show
from ..values.other_forms import as_number
from ..values.quantity import Deferred, Quantity
from ..values.units import Converter

SCREEN = Units(length="px", time="ms", angle="deg", y="down")
PIXELS_PER_METRE = 100.0
_UNITS_SCHEMA = {"anyOf": [{"enum": ["si", "screen"]}, {"model": "UnitsInput"}]}


def _pass(value: Any, context: Context) -> Any:
    return value


# Both are read before the rest can be checked.
UnitsField = Annotated[Any, Custom(_pass, _UNITS_SCHEMA)]
_PLAIN_VAR = {"type": ["number", "boolean", "string"]}
_RANGE_SCHEMA = {"type": "array", "items": Quantity().schema(), "minItems": 2, "maxItems": 2}
_VAR_SCHEMA = {"anyOf": [_PLAIN_VAR, {"model": "VarInput"}]}
VarsField = dict[str, Annotated[Any, Custom(_pass, _VAR_SCHEMA)]] | None


class _Any(Quantity):
    """The value of a var: a number in its own units, or true or false."""

    def finish(self, value: Any, context: Context, said: str = "") -> Any:
        return value if isinstance(value, bool) else super().finish(value, context, said)


_ANY = _Any()


def _check_given(value: Any, context: Context) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lstrip().startswith("="):
        expression: Expression = context.compile(value.strip())
        return Deferred(expression, _ANY)
    if isinstance(value, str):
        try:
            measure = units.parse(value)
        except ValueError as error:
            raise Wrong("wrong-unit", str(error)) from None
        if measure is not None:
            return context.converter.plain(measure)
    return _ANY.check(value, context)


GIVEN_VAR = Custom(_check_given, {"anyOf": [{"type": "boolean"}, _ANY.schema(), EXPRESSION_SCHEMA]})
"""The given value of a prototype's var."""


class UnitsInput(Input):
    length: Annotated[str, OneOf(("m", "cm", "px"))] = about("m (default), cm or px.", "m")
    time: Annotated[str, OneOf(("s", "ms"))] = about("s (default) or ms.", "s")
    angle: Annotated[str, OneOf(("deg", "rad"))] = about("deg (default) or rad.", "deg")
    y: Annotated[str, OneOf(("up", "down"))] = about(
        "Where +y points on the screen: up (default) or down.", "up"
    )


class VarInput(Input):
    form: ClassVar[str] = "`{value: 9.81, range: [0, 20]}`"
    needed: ClassVar[tuple[str, ...]] = ("value", "range")
    value: Annotated[Any, Custom(_pass, _PLAIN_VAR)] = about(
        "Its value: a number, a text with a unit, or an expression; it lies in the range."
    )
    range: Annotated[Any, Custom(_pass, _RANGE_SCHEMA)] = about(
        "From where to where a slider moves it, [low, high]."
    )


def read_units(tree: Map, report: Report) -> Units:
    """The units of a scene: ``si``, ``screen`` or the long form."""
    value = tree.get("units")
    if value is None or value == "si":
        if "units" in tree and value is None:
            report.add_unread(("units",))
            report.add(("units",), "wrong-type", "must be si, screen or a mapping, not nothing")
        return Units()
    if value == "screen":
        return SCREEN
    if not isinstance(value, dict):
        report.add_unread(("units",))
        report.add(
            ("units",),
            "unknown-word" if isinstance(value, str) else "wrong-type",
            f"must be si, screen or {{length: m|cm|px, time: s|ms, angle: deg|rad, y: up|down}}, "
            f"not {show(value)}",
        )
        return Units()
    context = Context(Units(), Converter(Units()), {}, 0, Compiler())
    checked = validate(UnitsInput, value, context, report, ("units",))
    given = {name: getattr(checked, name) for name in UnitsInput.model_fields}
    known = {name: word for name, word in given.items() if word is not BROKEN}
    if len(known) < len(given):
        report.add_unread(("units",))
    return Units(**known)


class Vars(Mapping[str, Any]):
    """The vars of a scene, each evaluated when it is first asked for, so that order is free.

    ``known`` are the values of others.
    """

    def __init__(
        self,
        tree: Map,
        units_: Units,
        report: Report,
        compiler: Compiler,
        known: Mapping[str, Any] | None = None,
    ) -> None:
        self._compiler = compiler
        self._tangled = 0  # vars that refer to each other in a circle or too deeply
        self.tree = tree
        self.report = report
        given = tree.get("vars")
        self._known: dict[str, Any] = {**(known or {})}
        self.given: dict[str, Any] = {**self._known, **(given if isinstance(given, dict) else {})}
        self.ranges: dict[str, tuple[float, float]] = {}
        self.seed = self._seed()
        self.units = units_
        self._open: list[str] = []
        self.any_name = report.may_have("vars")  # not all names are known
        self._converter: Converter | None = None

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            if name not in self.given:
                raise KeyError(name)
            self._known[name] = self._evaluate(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)

    def __contains__(self, name: object) -> bool:
        return name in self.given

    @property
    def converter(self) -> Converter:
        """The converter of unit texts; in a px scene a metre has ``world.length_unit`` pixels."""
        if self._converter is None:
            self._converter = Converter(self.units, PIXELS_PER_METRE)
            world = self.tree.get("world")
            given = world.get("length_unit") if isinstance(world, dict) else None
            if self.units.length == "px" and given is not None:
                context = Context(self.units, self._converter, self, self.seed, self._compiler)
                try:
                    size = Quantity(above=0.0).check(given, context)
                    if isinstance(size, float):
                        self._converter = Converter(self.units, size)
                except Wrong:
                    pass  # the world block reports it
        return self._converter

    def _seed(self) -> int:
        world = self.tree.get("world")
        seed = world.get("seed") if isinstance(world, dict) else None
        return seed if isinstance(seed, int) and not isinstance(seed, bool) else 0

    def check_all(self) -> dict[str, Any]:
        """Every var's value; problems go to the report."""
        for name in self.given:
            if not name.isidentifier() or name in RESERVED:
                self.report.add_key(
                    ("vars", name),
                    "invalid-name",
                    f"{show(name)} cannot be the name of a var: use letters, digits and _, and no "
                    "word of expressions",
                )
                self._known[name] = BROKEN
            if self._tangled > limits.PROBLEMS:
                self._known.setdefault(name, BROKEN)  # each would be followed a long way
            self[name]
        return Unclear(self._known) if self.any_name else dict(self._known)

    def _evaluate(self, name: str) -> Any:
        if name in self._open:
            circle = " -> ".join([*self._open[self._open.index(name) :], name])
            raise ExpressionError(f"vars refer to each other in a circle: {circle}")
        if len(self._open) >= limits.VAR_DEPTH:
            raise ExpressionError(
                f"vars refer to each other more than {limits.VAR_DEPTH} levels deep; that is the "
                "limit. List them in the order in which they need each other"
            )
        self._open.append(name)
        given = self.given[name]
        try:
            if isinstance(given, Map):
                return self._ranged(name, given)
            return self._value(name, given)
        except Wrong as wrong:
            self.report.add_wrong(("vars", name), wrong)
            return BROKEN
        finally:
            self._open.pop()

    def _ranged(self, name: str, given: Map) -> Any:
        """Return the value of a var with a range, which is stored in ``ranges``."""
        place = ("vars", name)
        context = Context(self.units, Converter(self.units), {}, self.seed, self._compiler)
        validate(VarInput, given, context, self.report, place)
        if not VarInput.model_fields.keys() >= given.keys():
            return BROKEN  # an unknown key may be what is missing
        for key in VarInput.needed:
            if key not in given:
                message = f"`{key}` is missing: a var with a range is {VarInput.form}"
                raise Wrong("missing-key", message)
        ends = given["range"]
        if not isinstance(ends, list) or len(ends) != 2:
            raise Wrong("wrong-type", f"must be a range [low, high], not {show(ends)}", ("range",))
        low, high = (self._number(name, end, ("range", i)) for i, end in enumerate(ends))
        value = self._number(name, given["value"], ("value",))
        if any(each is BROKEN for each in (low, high, value)):
            return BROKEN
        if not low < high:
            raise Wrong("out-of-range", "the first of a range is the lower one", ("range",))
        if not low <= value <= high:
            message = f"must lie in its range, {low:g} to {high:g}, not be {show(value)}"
            raise Wrong("out-of-range", message, ("value",))
        self.ranges[name] = (low, high)
        return value

    def _number(self, name: str, given: Any, place: tuple[int | str, ...]) -> Any:
        """A number of a var with a range."""
        try:
            value = self._value(name, given)
        except Wrong as wrong:
            raise wrong.under(*place) from None
        if isinstance(value, bool):
            raise Wrong("wrong-type", f"must be a number, not {show(value)}", place)
        return value

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().startswith("="):
            return self._expression(name, value.strip())
        if isinstance(value, str):
            try:
                measure = units.parse(value)
            except ValueError as error:
                raise Wrong("wrong-unit", str(error)) from None
            if measure is not None:
                value = self.converter.plain(measure)
        if isinstance(value, (int, float)) and math.isfinite(value):
            return float(value)
        kind = "a finite number" if isinstance(value, float) else "a number, true or false"
        hint = as_number(value) if isinstance(value, str) else ""
        raise Wrong("wrong-type", f"must be {kind}, not {show(value)}{hint}")

    def _expression(self, name: str, source: str) -> Any:
        try:
            expression = self._compiler.compile(source)
            unknown = [used for used in expression.names if used not in self.given]
            if unknown:
                raise self._no_vars(unknown, expression)
            values = {used: self[used] for used in sorted(expression.names, key=expression.offset)}
            if any(value is BROKEN for value in values.values()):
                return BROKEN
            return self._compiler.evaluate(expression, values, self.seed, f"vars.{name}")
        except ExpressionError as error:
            if error.message.startswith("vars refer"):
                if self._open[0] != name:
                    raise  # it is the first one's problem
                self._tangled += 1
            raise Wrong("expression", error.message, (), error.offset) from None

    def _no_vars(self, unknown: list[str], expression: Expression) -> Wrong:
        wrong = Wrong()
        for name in sorted(unknown, key=expression.offset):
            if not self.any_name:
                message = f"there is no var `{name}`; {nearest(name, self.given, what='vars')}"
                wrong.add("unknown-name", message, (), expression.offset(name), f"var {name}")
        return wrong
