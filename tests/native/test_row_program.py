# SPDX-License-Identifier: MIT
"""Functions over rows have the bits of the scalar ones; unfit instructions are refused."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core.scene.values.expression_parser import raised
from rigid2d.core.scene.values.functions import FUNCTIONS
from rigid2d.core.scene.values.row_program import CODES, EXACT, over_rows

SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, -1.7e308, 1 - 2**-53]


def numbers(seed: str, largest: float) -> list[float]:
    """Numbers of all sizes, of few and of many bits."""
    chance = random.Random(seed)
    found = [chance.uniform(-largest, largest) for _ in range(250)]
    found += [math.copysign(10 ** chance.uniform(-12, 2), chance.random() - 0.5) for _ in range(40)]
    found += [chance.randint(-16, 16) / 16 * largest for _ in range(40)]
    found += [chance.randint(-9, 9) * math.pi / 2 for _ in range(10)]
    found += [struct.unpack("d", chance.randbytes(8))[0] for _ in range(20)]
    return [*found, *SPECIAL]


def bits(value: float) -> bytes:
    return b"nan" if math.isnan(value) else struct.pack("d", value)


def same_bits(function: Callable[..., float], *columns: list[float]) -> bool:
    found = over_rows(function, *[np.array(column) for column in columns]).tolist()
    for row, value in zip(zip(*columns, strict=True), found, strict=True):
        try:
            alone = float(function(*row))
        except (ArithmeticError, ValueError):
            alone = math.nan
        if bits(alone) != bits(value):
            return False
    return True


@pytest.mark.parametrize(
    ("name", "largest"),
    [
        *[("sin", 7.0), ("cos", 7.0), ("tan", 7.0), ("atan", 9.0)],
        *[("asin", 1.0), ("acos", 1.0), ("exp", 600.0), ("log", 50.0)],
    ],
)
def test_a_function_of_one_number_has_the_bits_of_the_scalar_one(name: str, largest: float) -> None:
    assert same_bits(FUNCTIONS[name].call, numbers(name, largest))


@pytest.mark.parametrize("name", ["atan2", "hypot"])
def test_a_function_of_two_numbers_has_the_bits_of_the_scalar_one(name: str) -> None:
    assert same_bits(FUNCTIONS[name].call, numbers("y", 5.0), numbers("x", 5.0))


def test_a_length_of_three_numbers_has_the_bits_of_the_scalar_one() -> None:
    assert same_bits(FUNCTIONS["hypot"].call, *[numbers(each, 5.0) for each in "xyz"])


@pytest.mark.parametrize("exponents", [[-7.0, -1.0, 2.0, 3.0, 12.0], [0.5, -1.5, 2.2, 1 / 3]])
def test_a_power_has_the_bits_of_the_scalar_one(exponents: list[float]) -> None:
    bases = numbers("base", 5.0)
    assert same_bits(raised, bases, (exponents * len(bases))[: len(bases)])


LOAD, SIN, RESULT = CODES["load"], CODES["sin"], CODES["result"]


@pytest.mark.parametrize(
    ("codes", "problem"),
    [
        ([[999, 0, 0, 0, 0]], "no such operation"),
        ([[SIN, 1, 0, 0, 0]], "read too early"),
        ([[LOAD, 0, 0, 0, 0], [SIN, 0, 0, 0, 0]], "writes what it reads"),
        ([[LOAD, 5000, 0, 0, 0]], "too many registers"),
        ([[LOAD, 0, -1, 0, 0]], "no such column"),
        ([[CODES["constant"], 0, 1, 0, 0]], "no such constant"),
        ([[LOAD, 0, 0, 0, 0], [RESULT, 0, -1, 0, 0]], "no such column"),
        ([[LOAD, 0, 0, 0, 0], [CODES["hypot_many"], 1, 0, 9, 0]], "read too early"),
    ],
)
def test_instructions_that_do_not_fit_are_refused(codes: list[list[int]], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        _native.RowProgram(np.array(codes, np.int32), [1.0], EXACT)


def test_tables_of_another_shape_are_refused() -> None:
    codes = np.array([[LOAD, 0, 1, 0, 0], [RESULT, 0, 0, 0, 0]], np.int32)
    program = _native.RowProgram(codes, [], EXACT)
    none, out = np.empty((3, 0)), np.empty((3, 1))
    with pytest.raises(ValueError, match="other columns"):
        program.run(np.zeros((3, 1)), none, out, np.empty((3, 0), np.float32))
    with pytest.raises(ValueError, match="as many rows"):
        program.run(np.zeros((2, 2)), none, out, np.empty((3, 0), np.float32))


def test_numbers_lie_within_the_bounds_of_their_columns() -> None:
    low, high = np.array([0.0, -1.0]), np.array([1.0, math.inf])
    assert _native.are_within(np.array([[0.0, 5.0], [1.0, -1.0]]), low, high)
    assert not _native.are_within(np.array([[0.0, 5.0], [1.1, -1.0]]), low, high)
    assert not _native.are_within(np.array([[0.0, math.nan]]), low, high)
