# SPDX-License-Identifier: MIT
"""Expressions over arrays: values of many worlds at once, each with the bits of its own world.

NumPy does only operations that IEEE 754 defines exactly; all others are those of the native code.
If a world has no value, such as after a division by zero, its number is not finite.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .expression import Expression
from .expression_parser import raised
from .expression_parts import PATH, SEED, Part
from .functions import FUNCTIONS
from .row_program import over_rows
from .seeded_arrays import OF_MANY

Arrays = Mapping[str, Any]
Node = Callable[[Arrays], Any]


def over_arrays(expression: Expression) -> Node:
    """A function of a number or an array for each name: the values, as numbers or an array.

    Of an expression that draws random numbers, SEED is an array of seeds, one for each row.
    """
    return _number(expression.root)


def _is_truth(part: Part) -> bool:
    """Whether its node gives truth values, not numbers."""
    kind, *pieces = part.tree
    if kind in ("or", "and"):
        return all(_is_truth(piece) for piece in pieces)
    return kind in ("compare", "not") or (kind == "constant" and isinstance(pieces[0], bool))


def is_float(part: Part) -> bool:
    """Whether each value is a float, not true, false or a whole number, if all names are floats."""
    kind, *pieces = part.tree
    if kind in ("named", "draw"):
        return True
    if kind == "constant":
        return isinstance(pieces[0], float)
    if kind == "if":
        return is_float(pieces[0]) and is_float(pieces[2])
    if kind == "minus":
        return is_float(pieces[0])
    if kind == "join":
        return is_float(pieces[1]) and is_float(pieces[2])
    return kind == "call" and all(map(is_float, pieces[1]))


def _number(part: Part) -> Node:
    """Return a value as a number, also true and false."""
    node = _node(part)
    return (lambda v: _as_number(node(v))) if _is_truth(part) else node


def _as_number(value: Any) -> Any:
    return value * 1.0 if isinstance(value, np.ndarray) else float(value)


def _truth(part: Part) -> Node:
    node = _node(part)
    return node if _is_truth(part) else lambda v: np.not_equal(node(v), 0.0)


def _node(part: Part) -> Node:
    kind, *pieces = part.tree
    return _MAKERS[kind](*pieces)


def _constant(value: float | bool) -> Node:
    return lambda v: value


def _named(name: str) -> Node:
    return operator.itemgetter(name)


def _not(inner: Part) -> Node:
    truth = _truth(inner)
    return lambda v: np.logical_not(truth(v))


def _minus(inner: Part) -> Node:
    number = _number(inner)
    return lambda v: -number(v)


def _or(left: Part, right: Part) -> Node:
    if _is_truth(left) and _is_truth(right):
        one, other = _node(left), _node(right)
        return lambda v: np.logical_or(one(v), other(v))
    first, second = _number(left), _number(right)

    def either(v: Arrays) -> Any:
        value = first(v)
        return np.where(np.not_equal(value, 0.0), value, second(v))

    return either


def _and(left: Part, right: Part) -> Node:
    if _is_truth(left) and _is_truth(right):
        one, other = _node(left), _node(right)
        return lambda v: np.logical_and(one(v), other(v))
    first, second = _number(left), _number(right)

    def both(v: Arrays) -> Any:
        value = first(v)
        return np.where(np.not_equal(value, 0.0), second(v), value)

    return both


def _if(value: Part, condition: Part, other: Part) -> Node:
    first, truth, second = _number(value), _truth(condition), _number(other)
    return lambda v: np.where(truth(v), first(v), second(v))


def _compare(first: Part, links: Sequence[tuple[Callable[[Any, Any], Any], Part]]) -> Node:
    left = _number(first)
    rest = [(compare, _number(part)) for compare, part in links]
    if len(rest) == 1:
        compare, right = rest[0]
        return lambda v: compare(left(v), right(v))

    def chain(v: Arrays) -> Any:
        before, holds = left(v), True
        for compare, node in rest:
            after = node(v)
            holds = np.logical_and(holds, compare(before, after))
            before = after
        return holds

    return chain


def _join(operation: Callable[[Any, Any], Any], left: Part, right: Part) -> Node:
    first, second = _number(left), _number(right)
    if operation in (operator.add, operator.sub, operator.mul):
        return lambda v: operation(first(v), second(v))
    if operation is raised and right.value == 2.0:  # which is rounded once in either
        return lambda v: np.square(first(v))
    if operation is operator.truediv:
        return lambda v: np.divide(first(v), second(v))
    return lambda v: over_rows(operation, first(v), second(v))


def _call(function: Callable[..., float], arguments: Sequence[Part]) -> Node:
    nodes = [_number(argument) for argument in arguments]
    known = _WHOLE.get(function)
    if known is not None:
        return lambda v: known(*[node(v) for node in nodes])
    return lambda v: over_rows(function, *[node(v) for node in nodes])


def _draw(function: Callable[..., float], turn: int, arguments: Sequence[Part]) -> Node:
    nodes = [_number(argument) for argument in arguments]
    of_many = OF_MANY[function]
    return lambda v: of_many(v[SEED], v[PATH], turn, *[node(v) for node in nodes])


def _least(*values: Any) -> Any:
    found = values[0]
    for value in values[1:]:
        found = np.where(np.less(value, found), value, found)
    return found


def _most(*values: Any) -> Any:
    found = values[0]
    for value in values[1:]:
        found = np.where(np.greater(value, found), value, found)
    return found


def _between(x: Any, low: Any, high: Any) -> Any:
    """As ``clamp`` has it, with no value where the bounds are the wrong way round."""
    return np.where(np.greater(low, high), np.nan, _least(_most(x, low), high))


_MAKERS: dict[str, Callable[..., Node]] = {
    "constant": _constant,
    "named": _named,
    "not": _not,
    "minus": _minus,
    "or": _or,
    "and": _and,
    "if": _if,
    "compare": _compare,
    "join": _join,
    "call": _call,
    "draw": _draw,
}
_ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.rint,
    "min": _least,
    "max": _most,
    "clamp": _between,
    "lerp": lambda a, b, t: a + (b - a) * t,
}
_WHOLE = {FUNCTIONS[name].call: function for name, function in _ELEMENTWISE.items()}
