# SPDX-License-Identifier: MIT
"""Nodes of an expression: their values, their known values before a run, and the compared ones."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from ...frozen import frozen
from .functions import Function

Values = Mapping[str, Any]
Node = Callable[[Values], Any]
Span = tuple[int, int]
"""The beginning and end of a piece in its source."""

SEED, PATH = "$seed", "$path"  # the entries of the values that seeded functions use
UNKNOWN: Final = object()
"""Facts about a node's value before its names have values."""


class ExpressionError(ValueError):
    """A problem of an expression, with its character (from 0) and name."""

    def __init__(self, message: str, offset: int = 0, name: str = "") -> None:
        super().__init__(message)
        self.name = name
        self.message = message
        self.offset = offset


@frozen
class Part:
    """A piece of an expression.

    Attributes:
        run: its value, with a value for each name.
        known: its value if the known names determine it, else UNKNOWN; raises ExpressionError if
            there can be none, for any values of the other names.
        numbers: the pieces that make its value a number; none if it is true or false.
    """

    run: Node
    known: Node
    numbers: tuple[Span, ...] = ()
    value: float | None = None
    """The number that it is whatever the names are, where that is known when it is read."""
    tree: tuple[Any, ...] = ()
    """Its operation and operands (``array_expression``)."""


def constant(value: float | bool, span: Span) -> Part:
    """A number, true or false."""
    give: Node = lambda v: value  # noqa: E731
    if isinstance(value, bool):
        return Part(give, give, tree=("constant", value))
    return Part(give, give, (span,), value, ("constant", value))


def named(name: str, is_truth: bool, span: Span) -> Part:
    """The value of a name."""
    numbers = () if is_truth else (span,)
    return Part(lambda v: v[name], lambda v: v.get(name, UNKNOWN), numbers, tree=("named", name))


def negated(inner: Part) -> Part:
    """``not`` of a piece."""
    run = inner.run
    return Part(lambda v: not run(v), _known_of(operator.not_, (inner,)), tree=("not", inner))


def signed(inner: Part, minus: bool, span: Span) -> Part:
    """A piece with a sign before it."""
    if inner.value is not None:
        return constant(-inner.value if minus else inner.value, span)
    run = inner.run
    if not minus:
        return Part(run, inner.known, (span,), tree=inner.tree)
    known = _known_of(operator.neg, (inner,))
    return Part(lambda v: -run(v), known, (span,), tree=("minus", inner))


def either(left: Part, right: Part) -> Part:
    """``or``: the right side counts where the left one is false."""
    first, second = left.run, right.run
    known = _guarded(left.known, lambda value: not value, right.known)
    numbers = left.numbers + right.numbers
    return Part(lambda v: first(v) or second(v), known, numbers, tree=("or", left, right))


def both(left: Part, right: Part) -> Part:
    """``and``: the right side counts where the left one is true."""
    first, second = left.run, right.run
    known = _guarded(left.known, bool, right.known)
    numbers = left.numbers + right.numbers
    return Part(lambda v: first(v) and second(v), known, numbers, tree=("and", left, right))


def _guarded(left: Node, goes_on: Callable[[Any], bool], right: Node) -> Node:
    def known(v: Values) -> Any:
        value = left(v)
        if value is UNKNOWN:
            right(v)  # it may count, so that it must have a value
            return UNKNOWN
        return right(v) if goes_on(value) else value

    return known


def chosen(value: Part, condition: Part, other: Part) -> Part:
    """``value if condition else other``."""
    first, decide, second = value.run, condition.run, other.run

    def known(v: Values) -> Any:
        decided = condition.known(v)
        if decided is UNKNOWN:
            value.known(v)
            other.known(v)
            return UNKNOWN
        return value.known(v) if decided else other.known(v)

    run: Node = lambda v: first(v) if decide(v) else second(v)  # noqa: E731
    numbers = value.numbers + other.numbers
    return Part(run, known, numbers, tree=("if", value, condition, other))


Comparison = Callable[[Any, Any], bool]


def compared(first: Part, links: Sequence[tuple[Comparison, Part]]) -> Part:
    """A comparison, or a chain of them such as ``0 < x <= 1``."""
    compares = [compare for compare, _ in links]

    def all_hold(*values: Any) -> bool:
        return all(
            compare(a, b) for compare, a, b in zip(compares, values, values[1:], strict=False)
        )

    known = _known_of(all_hold, (first, *(part for _, part in links)))
    left, tree = first.run, ("compare", first, tuple(links))
    if len(links) == 1:
        compare, right = links[0][0], links[0][1].run
        return Part(lambda v: compare(left(v), right(v)), known, tree=tree)
    chain = _chain(left, [(compare, part.run) for compare, part in links])
    return Part(chain, known, tree=tree)


def _chain(first: Node, links: list[tuple[Comparison, Node]]) -> Node:
    def evaluate(v: Values) -> bool:
        left = first(v)
        for compare, node in links:
            right = node(v)
            if not compare(left, right):
                return False
            left = right
        return True

    return evaluate


def joined(
    operation: Callable[[Any, Any], Any], left: Part, right: Part, offset: int, span: Span
) -> Part:
    """Two pieces with an operator between them, at ``offset``."""
    plain = operation in (operator.add, operator.sub, operator.mul)
    if plain and left.value is not None and right.value is not None:
        return constant(operation(left.value, right.value), span)
    first, second = left.run, right.run
    careful = _told(operation, offset)
    run: Node
    if plain:
        run = lambda v: operation(first(v), second(v))  # noqa: E731
    else:
        run = lambda v: careful(first(v), second(v))  # noqa: E731
    divides = operation in (operator.truediv, operator.floordiv, operator.mod)

    def known(v: Values) -> Any:
        a, b = left.known(v), right.known(v)
        if divides and b is not UNKNOWN and b == 0:
            a = 1.0  # whatever is divided by it
        return UNKNOWN if a is UNKNOWN or b is UNKNOWN else careful(a, b)

    return Part(run, known, (span,), tree=("join", operation, left, right))


def called(function: Function, turn: int, arguments: Sequence[Part], span: Span) -> Part:
    """A call of a function; ``turn`` counts those that draw random numbers."""
    careful = _told(function.call, span[0])
    plain = [argument.value for argument in arguments if argument.value is not None]
    if len(plain) == len(arguments) and not function.seeded:
        result = _tried(function.call, plain)
        if type(result) is float:
            return constant(result, span)
    runs = [argument.run for argument in arguments]
    if function.seeded:
        return Part(
            lambda v: careful(v[SEED], v[PATH], turn, *[run(v) for run in runs]),
            lambda v: UNKNOWN,
            (span,),
            tree=("draw", function.call, turn, tuple(arguments)),
        )
    return Part(
        lambda v: careful(*[run(v) for run in runs]),
        _known_of(careful, arguments),
        (span,),
        tree=("call", function.call, tuple(arguments)),
    )


def _tried(function: Callable[..., Any], values: Sequence[float]) -> Any:
    """The result of a function; None if it fails, which is reported when the value is needed."""
    try:
        return function(*values)
    except (ArithmeticError, ValueError):
        return None


def _told(function: Callable[..., Any], offset: int) -> Callable[..., Any]:
    """A function whose errors say where in the expression they are."""

    def call(*values: Any) -> Any:
        try:
            return function(*values)
        except ZeroDivisionError:
            raise ExpressionError("a division by zero", offset) from None
        except ExpressionError:
            raise
        except (ValueError, OverflowError) as error:
            raise ExpressionError(str(error), offset) from None

    return call


def _known_of(function: Callable[..., Any], parts: Sequence[Part]) -> Node:
    def known(v: Values) -> Any:
        values = [part.known(v) for part in parts]
        return UNKNOWN if any(value is UNKNOWN for value in values) else function(*values)

    return known


# ---------------------------------------------------------------- what a false condition compares


def sides(root: Part, text: str, values: Values, known: Iterable[str] = ()) -> Mapping[str, float]:
    """The sides of the comparisons because of which a condition does not hold.

    Of a difference, also as an absolute value, its two operands too. Numbers that are written
    out and the names ``known`` are left out.
    """
    skipped = set(known)
    found: dict[str, float] = {}
    for part in _compared(root, values, holds=False):
        for piece in _with_operands(part):
            name = _written(piece, text)
            if piece.value is None and name and name not in skipped:
                found[name] = float(piece.run(values))
    return found


def _compared(part: Part, values: Values, *, holds: bool) -> Iterator[Part]:
    """The operands of the comparisons because of which a piece holds, or does not."""
    kind, *pieces = part.tree
    if kind == "not":
        yield from _compared(pieces[0], values, holds=not holds)
    elif kind in ("and", "or"):
        for piece in pieces:
            if bool(piece.run(values)) == holds:
                yield from _compared(piece, values, holds=holds)
                if (kind == "and") is not holds:
                    return  # it alone decides
    elif kind == "if":
        value, condition, other = pieces
        yield from _compared(value if condition.run(values) else other, values, holds=holds)
    elif kind == "compare":
        first, links = pieces
        yield first
        left = first.run(values)
        for compare, right in links:
            yield right
            now = right.run(values)
            if not compare(left, now):
                return
            left = now


def _with_operands(part: Part) -> Iterator[Part]:
    yield part
    kind, *pieces = part.tree
    if kind == "call" and pieces[0] is abs:
        kind, *pieces = pieces[1][0].tree
    if kind == "join" and pieces[0] is operator.sub:
        yield from pieces[1:]


def _written(part: Part, text: str) -> str:
    """The text of a piece that is a number."""
    spans = part.numbers
    if not spans:
        return ""
    return text[min(start for start, _ in spans) : max(end for _, end in spans)].strip()
