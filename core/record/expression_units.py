# SPDX-License-Identifier: MIT
"""Units of expressions over the state of a run, for axes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..errors import UsageError
from ..scene.model import Scene, Units
from ..scene.values import functions
from ..scene.values.expression import Expression
from ..scene.values.expression_parser import raised
from ..scene.values.expression_parts import Part
from .channel_units import unit_of
from .channels import resolve_channels

Powers = tuple[Fraction, ...]
"""The powers of mass, length, time and radian in a unit."""
NUMBER, UNKNOWN = "number", "unknown"
"""A number of the scene file may be of any unit; a sum with it has that of the rest."""
Found = Powers | str

_RAISED = {"1": "", "2": "²", "3": "³", "4": "⁴"}
_NONE: Powers = (Fraction(0),) * 4
_RADIAN: Powers = (*_NONE[:3], Fraction(1))
_CALLS = {name: function.call for name, function in functions.FUNCTIONS.items()}
_ALIKE = [_CALLS[name] for name in ("abs", "min", "max", "floor", "ceil", "round", "hypot")]
_PURE = [_CALLS[name] for name in ("sin", "cos", "tan", "exp", "log")]
_ANGLES = [_CALLS[name] for name in ("asin", "acos", "atan", "atan2")]


def unit_of_expression(source: str, scene: Scene) -> str:
    """The unit of an expression that fits its scene; empty where it has none or is not known.

    A number times a quantity is of no known unit: the number may have one itself.
    """
    expression = Expression(source)
    names = [name for name in expression.names if name not in scene.vars]
    shown = {name: _shown(name, scene) for name in names}
    found = _found(expression.root, shown, scene.units)
    if isinstance(found, str) or found == _NONE:
        return ""
    for unit in shown.values():
        if found == _powers(unit, scene.units):
            return unit
    return _written(found, scene.units)


def _shown(name: str, scene: Scene) -> str:
    try:
        return unit_of(resolve_channels(scene, [name])[0], scene)
    except UsageError:
        return ""


def _found(part: Part, shown: dict[str, str], units: Units) -> Found:
    """The unit of a piece of an expression."""
    kind, *rest = part.tree or ("",)
    if part.value is not None:
        return NUMBER
    inner: list[Found]
    if kind == "named":
        unit = shown.get(rest[0], "")
        return _powers(unit, units) if unit else NUMBER
    if kind == "minus":
        return _found(rest[0], shown, units)
    if kind == "if":
        return _alike([_found(rest[0], shown, units), _found(rest[2], shown, units)])
    if kind == "join":
        left, right = (_found(each, shown, units) for each in rest[1:])
        return _joined(rest[0], left, right, rest[2].value)
    if kind == "call":
        inner = [_found(each, shown, units) for each in rest[1]]
        return _called(rest[0], inner)
    return UNKNOWN


def _joined(operation: Any, left: Found, right: Found, number: float | None) -> Found:
    if operation in (operator.add, operator.sub, operator.mod):
        return _alike([left, right])
    if operation is raised and number is not None and not isinstance(left, str):
        return tuple(each * Fraction(number).limit_denominator(12) for each in left)
    if left == right == NUMBER:
        return NUMBER
    if isinstance(left, str) or isinstance(right, str):
        return UNKNOWN
    if operation is operator.mul:
        return _without_turns([a + b for a, b in zip(left, right, strict=True)])
    if operation is operator.truediv:
        return _without_turns([a - b for a, b in zip(left, right, strict=True)])
    return UNKNOWN


def _called(call: Any, inner: Sequence[Found]) -> Found:
    if call in _ALIKE:
        return _alike(inner)
    if call in _PURE:
        return _NONE
    if call in _ANGLES:
        return _RADIAN
    if call is _CALLS["sqrt"] and not isinstance(inner[0], str):
        return tuple(each / 2 for each in inner[0])
    if call is _CALLS["clamp"] or call is _CALLS["lerp"]:
        return _alike(inner[:1] if call is _CALLS["clamp"] else inner[:2])
    return UNKNOWN


def _alike(found: Sequence[Found]) -> Found:
    """The common unit, of numbers with a quantity that of the quantity."""
    kinds = {each for each in found if each != NUMBER}
    return kinds.pop() if len(kinds) == 1 else UNKNOWN if kinds else NUMBER


def _without_turns(powers: Sequence[Fraction]) -> Powers:
    """An angle times a length is a length: the arc."""
    mass, length, time, radian = powers
    return (mass, length, time, Fraction(0) if length or mass else radian)


def _powers(unit: str, units: Units) -> Powers:
    """The powers of a unit as axes have it."""
    known = {text: powers for powers, text in _words(units)}
    if unit in known:
        return known[unit]
    found = dict.fromkeys(("kg", units.length, units.time, "rad"), Fraction(0))
    for place, part in enumerate(unit.split("/")):
        for word in part.split():
            name = word.rstrip("²³")
            if name in found:
                found[name] += (-1 if place else 1) * {"²": 2, "³": 3}.get(word[-1], 1)
    return tuple(found.values())


def _words(units: Units) -> list[tuple[Powers, str]]:
    """Units with a name of their own."""
    if (units.length, units.time) != ("m", "s"):
        return []
    named = {"N": (1, 1, -2, 0), "J": (1, 2, -2, 0), "N m": (1, 2, -2, 0), "W": (1, 2, -3, 0)}
    return [(tuple(map(Fraction, powers)), text) for text, powers in named.items()]


def _written(powers: Powers, units: Units) -> str:
    for known, text in _words(units):
        if known == powers:
            return text
    names = ("kg", units.length, units.time, "rad")
    parts: list[list[str]] = [[], []]
    for name, power in zip(names, powers, strict=True):
        if power:
            parts[power < 0].append(name + _RAISED.get(str(abs(power)), f"^({abs(power)})"))
    above, below = " ".join(parts[0]), " ".join(parts[1])
    if not below:
        return above
    below = f"({below})" if len(parts[1]) > 1 else below
    return f"{above or '1'}/{below}"
