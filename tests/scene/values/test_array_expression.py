# SPDX-License-Identifier: MIT
"""Expressions over arrays give each row the bits that it has alone."""

from __future__ import annotations

import math

import numpy as np
from rigid2d.core.scene.values.array_expression import over_arrays
from rigid2d.core.scene.values.expression import ExpressionError, compile_expression
from rigid2d.core.scene.values.row_program import RowProgram

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


MORE = [
    "1/a.x > 0",
    "n > 0 and 1/n > 0.1",
    "1/n if n else -1",
    "0 < n < 1/a.x < 5",
    "not 1/n",
    "-(a.x > b.y) * (n == 0)",
    "hypot(a.x, b.y, n) + hypot(b.y)",
    "hypot(hypot(n, a.x, 1), b.y, hypot(2, n, b.y, a.x)) - hypot(3, a.x, n)",
    "atan2(sin(a.x), -(n > 5)) + acos(a.x/10) + asin(b.y/10) + log(b.y) + tan(a.x)",
    "a.x**n + a.x**-3 + abs(b.y)**1.7",
    "a.x // 0.3 % -b.y",
    "min(a.x > 0, b.y) + max(n, b.y > 0)",
    "clamp(a.x, n, -n)",
    "c - a.x",
]


@every_row("source", [*SOURCES, *MORE])
def test_each_row_of_a_program_has_the_bits_that_it_has_alone(source: str) -> None:
    program = RowProgram(
        [compile_expression("1"), compile_expression(source)],
        {"a.x": (0, 1), "b.y": (1, 0), "n": (0, 0)},
        {"c": 0.25},
    )
    first = np.array([[row["n"], row["a.x"]] for row in ROWS])
    second = np.array([[row["b.y"]] for row in ROWS])
    results = np.empty((len(ROWS), 2))
    lost = program.run(first, second, results)
    expected = np.array([alone(source, {**row, "c": 0.25}) for row in ROWS])
    found = np.where(np.isfinite(results[:, 1]), results[:, 1], math.nan)
    assert np.array_equal(found, expected, equal_nan=True)
    there = np.isfinite(expected)
    assert np.array_equal(np.signbit(found)[there], np.signbit(expected)[there])
    assert lost == (-1 if there.all() else 2 * int(np.argmin(there)) + 1)


def test_the_first_results_come_in_single_precision_too() -> None:
    program = RowProgram([compile_expression("x/3"), compile_expression("x")], {"x": (0, 0)}, {})
    results, singles = np.empty((2, 2)), np.empty((2, 1), np.float32)
    program.run(np.array([[1.0], [2.0]]), np.empty((2, 0)), results, singles)
    assert np.array_equal(singles[:, 0], np.array([1 / 3, 2 / 3], np.float32))
