# SPDX-License-Identifier: MIT
"""Texts with values in braces: ``v = {ball.speed:.1f} m/s``.

Braces contain an expression, as after ``=`` elsewhere, and after a colon the format of the
number, in Python's format mini-language for numbers only. ``{{`` and ``}}`` are
braces. Between dollar signs is a formula, whose braces are its own; ``$$`` is a dollar sign.
"""

from __future__ import annotations

import re

from ...frozen import frozen
from .expression import Expression
from .expression_parts import ExpressionError

MOST_FIELDS = 32
LONGEST = 1000  # characters
WIDEST = 60  # of a number that is filled up with blanks or other characters
MOST_DECIMALS = 20
_SPEC = re.compile(
    r"(?:[^{}]?[<>=^])?[-+ ]?#?0?(?P<width>\d{1,4})?[,_]?(?:\.(?P<decimals>\d{1,4}))?[eEfFgGd%]?"
)
# A dollar sign of a formula has no space on its inner side and no digit after it, so that
# `$5 and $6` are two amounts.
_FORMULA = re.compile(r"\$((?=\S)(?:[^$\\\n]|\\[^\n])+?(?<=\S))\$(?!\d)")


@frozen
class Field:
    """A value in a text: its expression, its format, and the place of its brace."""

    expression: Expression
    spec: str
    offset: int


@frozen
class TextFormula:
    """A formula in a text, in the notation of TeX, and the place of its dollar sign."""

    source: str
    offset: int


class TextTemplate:
    """A text, its values and formulas. ExpressionError has the problem and its character."""

    def __init__(self, source: str) -> None:
        self.pieces: list[str | Field | TextFormula] = []
        if len(source) > LONGEST:
            raise ExpressionError(f"a text of {len(source)} characters; the limit is {LONGEST}")
        at, plain = 0, ""
        while at < len(source):
            letter = source[at]
            if letter in "{}$" and source[at : at + 2] == 2 * letter:
                plain, at = plain + letter, at + 2
            elif letter == "$" and (formula := _FORMULA.match(source, at)):
                self.pieces += [plain] if plain else []
                plain = ""
                self.pieces.append(TextFormula(formula[1], at))
                at = formula.end()
            elif letter == "{":
                end = source.find("}", at)
                if end < 0:
                    raise ExpressionError("the brace is not closed; a brace itself is `{{`", at)
                self.pieces += [plain] if plain else []
                plain = ""
                self.pieces.append(_field(source[at + 1 : end], at))
                at = end + 1
            elif letter == "}":
                raise ExpressionError("no brace was opened; a brace itself is `}}`", at)
            else:
                plain, at = plain + letter, at + 1
        self.pieces += [plain] if plain else []
        if len(self.fields) > MOST_FIELDS:
            raise ExpressionError(f"more than {MOST_FIELDS} values; that is the limit")

    @property
    def formulas(self) -> list[TextFormula]:
        return [piece for piece in self.pieces if isinstance(piece, TextFormula)]

    @property
    def fields(self) -> list[Field]:
        return [piece for piece in self.pieces if isinstance(piece, Field)]


def _field(inside: str, at: int) -> Field:
    source, _, spec = inside.partition(":")
    found = _SPEC.fullmatch(spec)
    if found is None:
        message = f"`{spec}` is no format of a number; one is `.2f`, with two decimals"
        raise ExpressionError(message, at + 2 + len(source))
    for name, most in (("width", WIDEST), ("decimals", MOST_DECIMALS)):
        if found[name] is not None and int(found[name]) > most:
            raise ExpressionError(f"the {name} may be at most {most}", at + 2 + len(source))
    try:
        written(-1.5, spec)
    except ValueError as error:
        message = f"`{spec}` is no format of a number: {str(error).lower()}"
        raise ExpressionError(message, at + 2 + len(source)) from None
    try:
        return Field(Expression(source), spec, at)
    except ExpressionError as error:
        raise ExpressionError(error.message, at + 1 + error.offset, error.name) from None


def written(value: float, spec: str) -> str:
    """A number as a format of a text has it; a dash where there is none."""
    if isinstance(value, bool) and not spec:
        return "true" if value else "false"
    if value != value:
        return "–"
    if spec.endswith("d"):
        return format(round(value), spec) if abs(value) < 1e300 else "–"
    return format(float(value), spec or "g")
