# SPDX-License-Identifier: MIT
"""The functions and constants that expressions know, each with its number of arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from . import portable_math, seeded

ANY = 64  # arguments at most, where any number is allowed


class Function(NamedTuple):
    """``call`` takes the arguments; of a seeded one also seed, path and call number before them.

    ``work`` is its cost in simple operations, counted against the limit.
    """

    call: Callable[..., float]
    fewest: int
    most: int
    work: int = 4
    seeded: bool = False


def _sqrt(x: float) -> float:
    if x < 0.0:
        raise ValueError("the square root of a negative number")
    return math.sqrt(x)


def _log(x: float) -> float:
    if x <= 0.0:
        raise ValueError("the logarithm of a number that is not positive")
    return portable_math.log(x)


def _arc(function: Callable[[float], float], name: str) -> Callable[[float], float]:
    def checked(x: float) -> float:
        if not -1.0 <= x <= 1.0:
            raise ValueError(f"{name} of a number outside -1..1")
        return function(x)

    return checked


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    def checked(x: float) -> float:
        return float(function(x)) if math.isfinite(x) else x

    return checked


def _clamp(x: float, low: float, high: float) -> float:
    if low > high:
        raise ValueError("clamp(x, low, high) needs low <= high")
    return min(max(x, low), high)


def _lerp(a: float, b: float, t: float) -> float:
    return a + (b - a) * t


CONSTANTS: dict[str, float | bool] = {"pi": math.pi, "true": True, "false": False}

FUNCTIONS: dict[str, Function] = {
    "sin": Function(portable_math.sin, 1, 1, 40),
    "cos": Function(portable_math.cos, 1, 1, 40),
    "tan": Function(portable_math.tan, 1, 1, 40),
    "asin": Function(_arc(portable_math.asin, "asin"), 1, 1, 60),
    "acos": Function(_arc(portable_math.acos, "acos"), 1, 1, 60),
    "atan": Function(portable_math.atan, 1, 1, 40),
    "atan2": Function(portable_math.atan2, 2, 2, 40),
    "sqrt": Function(_sqrt, 1, 1),
    "abs": Function(abs, 1, 1),
    "min": Function(min, 2, ANY),
    "max": Function(max, 2, ANY),
    "floor": Function(_whole(math.floor), 1, 1),
    "ceil": Function(_whole(math.ceil), 1, 1),
    "round": Function(_whole(round), 1, 1),
    "hypot": Function(portable_math.hypot, 1, ANY, 20),
    "exp": Function(portable_math.exp, 1, 1, 20),
    "log": Function(_log, 1, 1, 20),
    "clamp": Function(_clamp, 3, 3),
    "lerp": Function(_lerp, 3, 3),
    "uniform": Function(seeded.uniform, 2, 2, 20, True),
    "normal": Function(seeded.normal, 2, 2, 80, True),
    "randint": Function(seeded.randint, 2, 2, 20, True),
    "choice": Function(seeded.choice, 1, ANY, 20, True),
}

WORDS = frozenset(("and", "or", "not", "if", "else"))
RESERVED = frozenset(FUNCTIONS) | frozenset(CONSTANTS) | WORDS
