# SPDX-License-Identifier: MIT
"""Random numbers that depend on a seed and a path only.

Each number is a hash of the scene's seed, the path of the value it is for and the number of the
call in its expression. Nothing else in a scene can change it, and there is no state.
"""

from __future__ import annotations

import math
from hashlib import blake2b

from . import portable_math


def _bits(seed: int, path: str, call: int, draw: int = 0) -> int:
    key = f"{seed}|{path}|{call}|{draw}".encode()
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")


def _unit(seed: int, path: str, call: int, draw: int = 0) -> float:
    """A number in (0, 1), from the upper 52 bits and a half, so that neither end is met."""
    return ((_bits(seed, path, call, draw) >> 12) + 0.5) * 2.0**-52


def uniform(seed: int, path: str, call: int, low: float, high: float) -> float:
    """A random number between low and high, uniformly distributed."""
    return low + (high - low) * _unit(seed, path, call)


def normal(seed: int, path: str, call: int, mean: float, deviation: float) -> float:
    """Normally distributed (Box and Muller 1958)."""
    radius = math.sqrt(-2.0 * portable_math.log(_unit(seed, path, call, 0)))
    turn = portable_math.cos(2.0 * math.pi * _unit(seed, path, call, 1))
    return mean + deviation * radius * turn


def randint(seed: int, path: str, call: int, low: float, high: float) -> float:
    """A whole number from low to high, both included; the bounds are rounded inwards."""
    first, last = math.ceil(low), math.floor(high)
    if last < first:
        raise ValueError("randint(a, b) needs a whole number between a and b")
    return float(first + (_bits(seed, path, call) * (last - first + 1) >> 64))


def choice(seed: int, path: str, call: int, *values: float) -> float:
    """A random item of the values, all equally likely."""
    return values[_bits(seed, path, call) * len(values) >> 64]
