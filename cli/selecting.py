# SPDX-License-Identifier: MIT
"""Selection of scenes by `-k`: words, with `and`, `or`, `not` and parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rigid2d.core.errors import UsageError

Matcher = Callable[[str], bool]

_TOKEN = re.compile(r"\s*(?:(?P<mark>[()])|(?P<word>[^\s()]+))")
_KEYWORDS = ("and", "or", "not")
_DEEPEST = 50


def matcher(expression: str) -> Matcher:
    """A function that matches paths by an expression: each word is a part of a path, in any case.

    Raises:
        UsageError: with the place that cannot be read.
    """
    return _ExpressionReader(expression).read()


class _ExpressionReader:
    """`or` of `and` of words, `not` words and parentheses, from left to right."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tokens = list(self._split())
        self.at = 0

    def read(self) -> Matcher:
        if not self.tokens:
            raise UsageError("-k: give a part of a path, as in `-k 'arch or not stacking'`")
        found = self._either(0)
        if self.at < len(self.tokens):
            raise self._fail("`and` or `or` is missing before this")
        return found

    def _split(self) -> Iterator[tuple[str, int]]:
        for match in _TOKEN.finditer(self.expression):
            token = match["mark"] or match["word"]
            yield token, match.end() - len(token)

    def _next_is(self, *words: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][0].lower() in words

    def _either(self, depth: int) -> Matcher:
        parts = [self._all(depth)]
        while self._next_is("or"):
            self.at += 1
            parts.append(self._all(depth))
        return lambda path: any(part(path) for part in parts)

    def _all(self, depth: int) -> Matcher:
        parts = [self._one(depth)]
        while self._next_is("and"):
            self.at += 1
            parts.append(self._one(depth))
        return lambda path: all(part(path) for part in parts)

    def _one(self, depth: int) -> Matcher:
        if depth > _DEEPEST:
            raise self._fail("this is too deep")
        if self._next_is("not"):
            self.at += 1
            negated = self._one(depth + 1)
            return lambda path: not negated(path)
        if self._next_is("("):
            self.at += 1
            inner = self._either(depth + 1)
            if not self._next_is(")"):
                raise self._fail("a `)` is missing")
            self.at += 1
            return inner
        if self.at >= len(self.tokens) or self._next_is(")", *_KEYWORDS):
            raise self._fail("a part of a path is missing")
        word = self.tokens[self.at][0].lower()
        self.at += 1
        return lambda path: word in path.lower()

    def _fail(self, message: str) -> UsageError:
        if self.at >= len(self.tokens):
            return UsageError(f"-k {self.expression!r}: {message} at the end")
        token, place = self.tokens[self.at]
        return UsageError(f"-k {self.expression!r}: {message}: {token!r}, letter {place + 1}")
