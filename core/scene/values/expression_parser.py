# SPDX-License-Identifier: MIT
"""A small parser for expressions: text -> a function of the values of its names.

The grammar is Python's for numbers: ``+ - * / // % **``, comparisons (chains too),
``and or not``, ``x if c else y``, calls of the known functions, and names. A name may have an
index of whole numbers and parts behind dots, which may have one too (``car[3].wheel[0].y``); only
state expressions may use such.
Operators are parsed by precedence climbing (Pratt 1973); each rule returns a closure, so no text
of an author becomes Python code.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

from ...nearest import nearest_word
from .. import limits
from . import portable_math
from .expression_parts import (
    ExpressionError,
    Part,
    Span,
    both,
    called,
    chosen,
    compared,
    constant,
    either,
    joined,
    named,
    negated,
    signed,
)
from .foreign_words import advice, foreign_functions, look_up
from .functions import CONSTANTS, FUNCTIONS, WORDS
from .other_forms import LOOKALIKES, printed_character
from .units import UNITS

TRUTHS = ("broken", "asleep", "alive", "sliding", "enabled", "hit")
"""Quantities of a run that are true or false; the others are numbers."""

NO_LISTS = "there are no lists in expressions"
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>\$?[^\W\d]\w*)"
    r"|(?P<operator>\*\*|//|<=|>=|==|!=|[-+*/%<>(),\[\].]))"
)


def raised(a: float, b: float) -> float:
    """``a ** b``; an error where that is no real number."""
    if b == 2.0:
        return a * a  # rounded once, as the power is
    if a == 0.0 and b < 0.0:
        raise ZeroDivisionError
    result = portable_math.power(a, b)
    if math.isnan(result):
        raise ValueError("a negative number to a power that is not whole")
    return result


_BINARY: dict[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "+": (5, operator.add),
    "-": (5, operator.sub),
    "*": (6, operator.mul),
    "/": (6, operator.truediv),
    "//": (6, operator.floordiv),
    "%": (6, operator.mod),
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


_LIBRARIES = ("math", "Math", "np", "numpy", "cmath")


def _no_function(name: str) -> str:
    """A suggestion for an unknown function."""
    right = look_up(name, foreign_functions())
    if right:
        return advice(right)
    near = nearest_word(name, tuple(FUNCTIONS))
    return f"did you mean `{near}`?" if near else "known: " + ", ".join(FUNCTIONS)


class Parser:
    """Parses one expression; ``names``, ``work`` and ``seeded`` describe the part read so far."""

    def __init__(self, source: str) -> None:
        if len(source) > limits.EXPRESSION_LENGTH:
            raise ExpressionError(
                f"an expression of {len(source)} characters; the limit is "
                f"{limits.EXPRESSION_LENGTH}"
            )
        self.source = source
        self.tokens = self._tokens()
        operators = sum(
            (kind == "operator" and text not in "(),[].") or text in WORDS
            for kind, text, _ in self.tokens
        )
        if operators > limits.EXPRESSION_OPERATORS:
            raise ExpressionError(
                f"an expression of {operators} operators; the limit is "
                f"{limits.EXPRESSION_OPERATORS}"
            )
        self.next = 0
        self.depth = 0
        self.names: dict[str, int] = {}  # with the offset of the first use
        self.places: list[tuple[str, Span]] = []  # of all uses of names
        self.work = 0
        self.calls = 0  # of seeded functions
        self.root = self._whole()

    def _tokens(self) -> list[tuple[str, str, int]]:
        tokens: list[tuple[str, str, int]] = []
        position, end = 0, len(self.source.rstrip())
        while position < end:
            match = _TOKEN.match(self.source, position)
            if match is None:
                offset = (
                    position + len(self.source[position:]) - len(self.source[position:].lstrip())
                )
                raise ExpressionError(
                    self._stray(self.source[offset], self.source[offset + 1 : offset + 2]), offset
                )
            kind = str(match.lastgroup)
            tokens.append((kind, match.group(kind), match.start(kind)))
            position = match.end()
        tokens.append(("end", "", end))
        return tokens

    @staticmethod
    def _stray(character: str, following: str) -> str:
        if character == "^":
            return "`^` is not an operator; a power is written `**`"
        if character == "=":
            return "a single `=`; to compare, write `==`"
        if character in "&|":
            return f"`{character}` is not an operator; write `and` or `or`"
        if character == "!":
            return "`!` is not an operator; write `not`"
        if character in "'\"":
            return "texts are not allowed in expressions, only numbers"
        if character == "?":
            return "`?` is not an operator; a choice is written `a if condition else b`"
        if character in "{}":
            return "there are no braces in expressions; a var stands there by its name"
        printed = printed_character(character)
        if printed:
            return (
                f"{printed}, with no meaning in an expression; write `{LOOKALIKES[character][1]}`"
            )
        return f"the character `{character}` has no meaning in an expression"

    def _whole(self) -> Part:
        if len(self.tokens) == 1:
            raise ExpressionError("an empty expression; write a value behind the `=`")
        root = self._expression()
        kind, text, offset = self.tokens[self.next]
        if kind != "end":
            if text == ")":
                raise ExpressionError("a `)` without its `(`", offset)
            if text == ",":
                raise ExpressionError("a `,` outside of a call", offset)
            hint = "; expressions know no units" if text in UNITS else ""
            if text == "deg":
                hint += ", and a run's angles are in radians: 90 degrees are `pi/2`"
            raise ExpressionError(f"an operator is missing before `{text}`{hint}", offset)
        return root

    def _peek(self) -> str:
        return self.tokens[self.next][1]

    def _take(self) -> tuple[str, str, int]:
        token = self.tokens[self.next]
        self.next += 1
        return token

    def _accept(self, text: str) -> bool:
        if self.tokens[self.next][1] == text:
            self.next += 1
            return True
        return False

    def _start(self) -> int:
        return self.tokens[self.next][2]

    def _span(self, start: int) -> Span:
        """Return the text from ``start`` to the end of the last token."""
        _, text, offset = self.tokens[self.next - 1]
        return start, offset + len(text)

    def _expect(self, text: str, why: str) -> None:
        _, found, offset = self.tokens[self.next]
        if found != text:
            got = f"`{found}`" if found else "the end"
            raise ExpressionError(f"`{text}` expected {why}, but there is {got}", offset)
        self.next += 1

    def _deeper(self) -> None:
        self.depth += 1
        self.work += 1
        if self.depth > limits.EXPRESSION_DEPTH:
            raise ExpressionError(
                f"an expression nested more than {limits.EXPRESSION_DEPTH} levels deep; "
                "that is the limit",
                self.tokens[min(self.next, len(self.tokens) - 1)][2],
            )

    def _expression(self) -> Part:
        self._deeper()
        value = self._or()
        if self._accept("if"):
            condition = self._or()
            self._expect("else", "in `x if c else y`")
            value = chosen(value, condition, self._expression())
        self.depth -= 1
        return value

    def _or(self) -> Part:
        left = self._and()
        while self._accept("or"):
            left = either(left, self._and())
            self.work += 1
        return left

    def _and(self) -> Part:
        left = self._not()
        while self._accept("and"):
            left = both(left, self._not())
            self.work += 1
        return left

    def _not(self) -> Part:
        if self._accept("not"):
            self._deeper()
            inner = self._not()
            self.depth -= 1
            return negated(inner)
        return self._comparison()

    def _comparison(self) -> Part:
        first = self._sum(5)
        links: list[tuple[Callable[[Any, Any], bool], Part]] = []
        while self._peek() in _COMPARE:
            compare = _COMPARE[self._take()[1]]
            links.append((compare, self._sum(5)))
            self.work += 1
        return compared(first, links) if links else first

    def _sum(self, level: int) -> Part:
        start = self._start()
        left = self._sum(level + 1) if level < 6 else self._unary()
        while (entry := _BINARY.get(self._peek())) is not None and entry[0] == level:
            offset = self._take()[2]
            right = self._sum(level + 1) if level < 6 else self._unary()
            left = joined(entry[1], left, right, offset, self._span(start))
            self.work += 1
        return left

    def _unary(self) -> Part:
        start, sign = self._start(), self._peek()
        if sign not in ("-", "+"):
            return self._raised()
        self.next += 1
        self._deeper()
        inner = self._unary()
        self.depth -= 1
        return signed(inner, sign == "-", self._span(start))

    def _raised(self) -> Part:
        start = self._start()
        base = self._primary()
        if self._peek() != "**":
            return base
        offset = self._take()[2]
        self._deeper()
        exponent = self._unary()
        self.depth -= 1
        self.work += 20
        return joined(raised, base, exponent, offset, self._span(start))

    def _primary(self) -> Part:
        kind, text, offset = self._take()
        self.work += 1
        if kind == "number":
            return constant(float(text), self._span(offset))
        if text == "(":
            inner = self._expression()
            self._expect(")", "to close the `(`")
            return inner
        if kind == "name" and text not in WORDS:
            if self._peek() == "(":
                return self._call(text, offset)
            return self._name(text, offset)
        self.next -= 1
        if kind == "end":
            raise ExpressionError("the expression ends too early; a value is missing", offset)
        if text == "[":
            raise ExpressionError(f"{NO_LISTS}; one of two values is `a if i == 0 else b`", offset)
        raise ExpressionError(f"a value is missing before `{text}`", offset)

    def _call(self, name: str, offset: int) -> Part:
        function = FUNCTIONS.get(name)
        if function is None:
            raise ExpressionError(f"there is no function `{name}`; {_no_function(name)}", offset)
        self._take()
        arguments: list[Part] = []
        if not self._accept(")"):
            while True:
                arguments.append(self._expression())
                if not self._accept(","):
                    break
            self._expect(")", f"to close `{name}(`")
        if not function.fewest <= len(arguments) <= function.most:
            wanted = f"{function.fewest}"
            if len(arguments) > function.most > function.fewest:
                wanted = f"at most {function.most}"
            elif function.most > function.fewest:
                wanted = f"{function.fewest} or more"
            raise ExpressionError(
                f"`{name}` takes {wanted} argument{'s' if wanted != '1' else ''}, "
                f"not {len(arguments)}",
                offset,
            )
        self.work += function.work
        turn = self.calls
        self.calls += function.seeded
        return called(function, turn, arguments, self._span(offset))

    def _name(self, text: str, offset: int) -> Part:
        if text in CONSTANTS:
            return constant(CONSTANTS[text], self._span(offset))
        if self._accept("["):
            text += f"[{self._indices()}]"
        part = ""
        while self._accept("."):
            kind, part, where = self._take()
            if kind != "name":
                raise ExpressionError("a name is missing behind the `.`", where)
            text += f".{part}"
            if self._accept("["):
                text += f"[{self._indices()}]"
        library, _, name = text.rpartition(".")
        if library and self._peek() == "(":
            right = f"write `{name}(...)`" if name in FUNCTIONS else _no_function(name)
            raise ExpressionError(f"there is no function `{text}`; {right}", offset)
        if library in _LIBRARIES and name in CONSTANTS:
            raise ExpressionError(f"there is no `{text}`; write `{name}`", offset)
        self.names.setdefault(text, offset)
        self.places.append((text, self._span(offset)))
        return named(text, part in TRUTHS, self._span(offset))

    def _indices(self) -> str:
        indices: list[str] = []
        while True:
            sign = "-" if self._accept("-") else ""
            kind, text, where = self._take()
            if kind != "number":
                message = f"an index is a number, such as `ball[3]`; {NO_LISTS}"
                raise ExpressionError(message, where)
            indices.append(sign + text)
            if not self._accept(","):
                break
        self._expect("]", "to close the index")
        return ",".join(indices)
