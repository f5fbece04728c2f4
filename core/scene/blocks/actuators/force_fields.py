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


def _settle(scope: Scope, text: str, place: int) -> str:
    expression = scope.context.compile(text)
    for name in sorted(expression.names, key=expression.offset):
        if name in NAMES or name in scope.values:
            continue
        known = dict.fromkeys((*NAMES, *scope.values))
        raise scope.fail(
            "unknown-name",
            f"a field knows {', '.join(NAMES)} and the scene's vars, and no `{name}`; "
            f"{nearest(name, known)}",
            *("field", place),
        )

    def value_of(match: re.Match[str]) -> str:
        name = match.group()
        if name in NAMES or name not in expression.names:
            return name
        value = scope.values[name]
        return f"({value!r})"

    return _NAME.sub(value_of, text.removeprefix("="))


def compile_field(field: tuple[str, str]) -> tuple[Expression, Expression]:
    return Expression(field[0]), Expression(field[1])
