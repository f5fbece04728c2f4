# SPDX-License-Identifier: MIT
"""Values that are hard to bear, shared by the fuzzers."""

from __future__ import annotations

import math
import random
from typing import Any

NUMBERS: list[float] = [
    *(0.0, -0.0, 1.0, -1.0, 0.5, 1e-9, -1e-9, 1e-38, 1e-45, 1e-300, 5e-324),
    *(1e3, 1e7, 1e9, -1e9, 1e15, -1e15, 1.1e15, 3.4e38, 3.5e38, 1e300, 1.7e308),
    *(2.0**31, 2.0**31 - 1, -(2.0**31), 2.0**32, 2.0**63, 2.0**64),
    *(math.nan, math.inf, -math.inf, math.pi, 1e-3, 63.0, 64.0, 65.0),
]
WORDS: list[str] = [
    *("", " ", "ball", "b0", "world", "none", "null", "true", "=", "=1/0", "=b0.x", "=1e999"),
    *("=uniform(0, 1)", "=i", "1 m", "2 s", "-3 deg", "nan", "inf", "1e400", "9" * 400, "a" * 300),
    *("\x00", "\x1b[31m", "\n", "\u202e", "\ufeff", "\u00e9", "\u4e2d", "\U0001f600", "%s", "{}"),
    *("../x", "/dev/zero", ".", "-", "--", "-1", "b0[0]", "b0[=1]", "[", "{", "'", '"', "&a", "*a"),
]
ANYTHING: list[Any] = [
    *(None, True, False, [], {}, [[]], [None], {"a": 1}, {"": ""}, [1, 2], [1, 2, 3]),
    *([[0, 0], [1, 1]], [[math.nan, 0], [0, 0]], 10**18, -(10**18)),
    *NUMBERS,
    *WORDS,
]


def number(choose: random.Random) -> float:
    """An ordinary number, or now and then one that is not."""
    if choose.random() < 0.4:
        return choose.choice(NUMBERS)
    return choose.uniform(-1, 1) * 10 ** choose.uniform(-3, 3)


def anything(choose: random.Random) -> Any:
    """A value of any kind."""
    return choose.choice(ANYTHING)
