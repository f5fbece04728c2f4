# SPDX-License-Identifier: MIT
"""Force fields: expressions of place, time and motion, one for each direction of the force."""

from __future__ import annotations

import re
from typing import Any

from ...building.scope import Scope
from ...values.broken import BROKEN
from ...values.context import Context, Wrong
from ...values.expression import Expression
from ...values.kinds import EXPRESSION_SCHEMA, Kind, nearest, show
from ...values.quantity import Quantity

NAMES = ("x", "y", "t", "vx", "vy", "mass")
"""Names allowed in an expression of a field, besides vars and indices."""
PLACE_NAMES = ("x", "y", "mass")
"""Names allowed in a potential."""

_NUMBER = Quantity()
_NAME = re.compile(r"[^\W\d]\w*")


class FieldKind(Kind):
    """``["=...", "=..."]``: the force along x and along y; each may be a number."""

    def check(self, value: Any, context: Context) -> tuple[str, str]:
        if not isinstance(value, list) or len(value) != 2:
            raise Wrong("wrong-type", f"must be two expressions [=..., =...], not {show(value)}")
        wrong = Wrong()
        texts = []
        for place, each in enumerate(value):
            try:
                texts.append(_text(each, context))
            except Wrong as inner:
                wrong.findings += inner.under(place).findings
        if wrong.findings:
            raise wrong
        return texts[0], texts[1]

    def schema(self) -> dict[str, Any]:
        item = {"anyOf": [_NUMBER.schema(), EXPRESSION_SCHEMA]}
        return {"type": "array", "items": item, "minItems": 2, "maxItems": 2}


class PotentialKind(Kind):
    """``"=..."``: an energy; it may be a number."""

    def check(self, value: Any, context: Context) -> str:
        return _text(value, context)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [_NUMBER.schema(), EXPRESSION_SCHEMA]}


def _text(value: Any, context: Context) -> str:
    """An expression as it is written, with its sign `=`."""
    if not (isinstance(value, str) and value.lstrip().startswith("=")):
        number = _NUMBER.check(value, context)
        return f"={number!r}"
    text = value.strip()
    if context.compile(text).seeded:
        raise Wrong("expression", "a field has no random functions: it is the same at every step")
    return text


def build_field(scope: Scope, given: tuple[str, str]) -> tuple[str, str]:
    """The two expressions with the values of vars and indices in them."""
    made = [scope.attempt(_settle, BROKEN, scope, text, place) for place, text in enumerate(given)]
    scope.stop_if_failed()
    return made[0], made[1]


def build_potential(scope: Scope, given: str) -> str:
    """The expression of a potential energy, in the same way."""
    return _settle(scope, given, None)


def _settle(scope: Scope, text: str, place: int | None) -> str:
    expression = scope.context.compile(text)
    own, what = (NAMES, "field") if place is not None else (PLACE_NAMES, "potential")
    for name in sorted(expression.names, key=expression.offset):
        if name in own or name in scope.values:
            continue
        known = dict.fromkeys((*own, *scope.values))
        at = (what,) if place is None else (what, place)
        raise scope.fail(
            "unknown-name",
            f"a {what} knows {', '.join(own)} and the scene's vars, and no `{name}`; "
            f"{nearest(name, known)}",
            *at,
        )

    def value_of(match: re.Match[str]) -> str:
        name = match.group()
        if name in own or name not in expression.names:
            return name
        value = scope.values[name]
        return f"({value!r})"

    return _NAME.sub(value_of, text.removeprefix("="))


def compile_field(field: tuple[str, str]) -> tuple[Expression, Expression]:
    return Expression(field[0]), Expression(field[1])
