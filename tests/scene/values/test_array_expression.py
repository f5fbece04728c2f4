# SPDX-License-Identifier: MIT
"""Expressions over arrays give each row the bits that it has alone."""

from __future__ import annotations

import math

import numpy as np
from rigid.core.scene.values.array_expression import over_arrays
from rigid.core.scene.values.expression import ExpressionError, compile_expression

from tests.rows import every_row

ROWS = [
    {"a.x": x, "b.y": y, "n": n}
    for x in (-3.7, -1.0, -0.0, 0.0, 0.3, 1.0, 2.5, 1e300)
    for y in (-2.0, 0.0, 0.5, 7.25)
    for n in (0.0, 3.0)
]
SOURCES = [
    "1",
    "a.x",
    "-a.x + 2*b.y - n/3",
    "a.x/b.y",
    "a.x // b.y",
    "a.x % b.y",
    "a.x**2 + abs(b.y)**0.5",
    "a.x > b.y",
    "not a.x > b.y and n == 3",
    "a.x or b.y",
    "a.x and b.y",
    "1 if -1 < a.x <= b.y else 2*n",
    "(a.x > 0) + (b.y > 0)",
    "-(a.x > 0)",
    "b.y/a.x if a.x != 0 else 0",
    "min(a.x, b.y, n) + max(a.x, b.y)",
    "clamp(a.x, -1, n)",
    "lerp(a.x, b.y, 0.3)",
    "floor(a.x) + ceil(b.y) + round(n/2)",
    "sqrt(abs(b.y)) + sin(n) + cos(b.y) + hypot(b.y, n) + exp(-n)",
    "sqrt(a.x)",
    "atan2(b.y, n) + pi",
]


def alone(source: str, row: dict[str, float]) -> float:
    try:
        return float(compile_expression(source).evaluate(row))
    except ExpressionError:
        return math.nan


@every_row("source", SOURCES)
def test_each_row_has_the_value_that_it_has_alone(source: str) -> None:
    columns = {name: np.array([row[name] for row in ROWS]) for name in ROWS[0]}
    with np.errstate(all="ignore"):
        found = np.broadcast_to(over_arrays(compile_expression(source))(columns), (len(ROWS),))
    expected = np.array([alone(source, row) for row in ROWS])
    found = np.where(np.isfinite(found), found, math.nan)
    assert np.array_equal(found, expected, equal_nan=True)
