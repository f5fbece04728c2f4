# SPDX-License-Identifier: MIT
"""The elementary functions against the platform's, which are right to the last bit or two."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rigid2d.core.scene.values import portable_math

from tests.rows import every_row

anything = st.floats(allow_nan=False, allow_infinity=False)


def ulps(got: float, want: float) -> float:
    if got == want or (math.isnan(got) and math.isnan(want)):
        return 0.0
    return abs(got - want) / math.ulp(want)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "atan"])
@given(x=anything)
def test_a_function_of_any_number_is_within_two_units_of_the_platforms(name: str, x: float) -> None:
    mine: Callable[[float], float] = getattr(portable_math, name)
    assert ulps(mine(x), getattr(math, name)(x)) <= 2


@given(x=anything | st.floats(-10.0, 10.0))
def test_cosine_and_sine_together_are_those_that_each_gives(x: float) -> None:
    assert portable_math.cos_and_sin(x) == (portable_math.cos(x), portable_math.sin(x))


@pytest.mark.parametrize("name", ["asin", "acos"])
@given(x=st.floats(-1.0, 1.0))
def test_an_arc_function_is_within_two_units_of_the_platforms(name: str, x: float) -> None:
    assert ulps(getattr(portable_math, name)(x), getattr(math, name)(x)) <= 2


@given(x=st.floats(-745.0, 709.0))
def test_the_exponential_is_within_two_units_of_the_platforms(x: float) -> None:
    assert ulps(portable_math.exp(x), math.exp(x)) <= 2


@given(x=st.floats(min_value=5e-324, allow_infinity=False))
def test_the_logarithm_is_within_two_units_of_the_platforms(x: float) -> None:
    assert ulps(portable_math.log(x), math.log(x)) <= 2


@given(x=anything, y=anything)
def test_functions_of_two_numbers_are_within_two_units_of_the_platforms(x: float, y: float) -> None:
    assert ulps(portable_math.atan2(y, x), math.atan2(y, x)) <= 2
    want = math.hypot(x, y)
    assert portable_math.hypot(x, y) == want or ulps(portable_math.hypot(x, y), want) <= 2


@given(x=st.floats(1e-3, 1e3), y=st.floats(-50.0, 50.0))
def test_a_power_is_within_two_units_of_the_platforms(x: float, y: float) -> None:
    assert ulps(portable_math.power(x, y), math.pow(x, y)) <= 2


@every_row(
    ("base", "exponent", "want"),
    [
        (2.0, 10.0, 1024.0),
        (10.0, 15.0, 1e15),
        (2.0, -1074.0, 5e-324),
        (-2.0, 3.0, -8.0),
        (-2.0, 101.0, -(2.0**101)),
        (2.0, 0.5, math.sqrt(2.0)),
        (0.0, 0.0, 1.0),
        (0.0, 3.0, 0.0),
        (1.0, 1e300, 1.0),
        (2.0, 1e300, math.inf),
        (0.5, 1e300, 0.0),
        (-1.0, math.inf, 1.0),
        (math.inf, -1.0, 0.0),
    ],
)
def test_a_power_with_an_exact_value_has_it(base: float, exponent: float, want: float) -> None:
    assert portable_math.power(base, exponent) == want


def test_what_has_no_real_value_is_nan() -> None:
    assert math.isnan(portable_math.power(-8.0, 1.0 / 3.0))
    assert math.isnan(portable_math.log(-1.0))
    assert math.isnan(portable_math.asin(1.5))
    assert math.isnan(portable_math.acos(-1.5))
    assert math.isnan(portable_math.sin(math.inf))


def test_the_bits_of_some_values_never_change() -> None:
    got = [
        portable_math.sin(1.0),
        portable_math.cos(1e22),
        portable_math.exp(1.0),
        portable_math.log(10.0),
        portable_math.atan2(1.0, -3.0),
        portable_math.power(1.1, 0.3),
    ]
    assert [value.hex() for value in got] == [
        "0x1.aed548f090ceep-1",
        "0x1.0be2cef01c8f4p-1",
        "0x1.5bf0a8b145769p+1",
        "0x1.26bb1bbb55516p+1",
        "0x1.68f095fdf593cp+1",
        "0x1.076cebe41bf7ap+0",
    ]


@given(st.lists(st.floats(-1e150, 1e150), min_size=1, max_size=64))
def test_hypot_of_many_is_the_root_of_the_sum_of_the_squares(numbers: list[float]) -> None:
    want = math.hypot(*numbers)
    assert portable_math.hypot(*numbers) == want or ulps(portable_math.hypot(*numbers), want) <= 2


def test_hypot_of_many_takes_no_notice_of_order_zeros_and_signs() -> None:
    numbers = [0.1, 0.0, -3.7, 1e-9, 42.0]
    want = portable_math.hypot(*numbers)
    assert portable_math.hypot(*reversed(numbers)) == want
    assert portable_math.hypot(*(-each for each in numbers), 0.0) == want
    assert portable_math.hypot(0.0, 3.0, -4.0) == portable_math.hypot(3.0, 4.0) == 5.0
    assert portable_math.hypot(-2.5) == 2.5
    assert portable_math.hypot(0.0, 0.0, 0.0) == 0.0
    assert portable_math.hypot(1.0, math.inf, math.nan) == math.inf
    assert math.isnan(portable_math.hypot(1.0, 2.0, math.nan))
    assert portable_math.hypot(1e300, 1e300, 1e300) == 1e300 * math.sqrt(3)


def test_a_total_is_rounded_after_each_addition() -> None:
    """`sum` of Python 3.12 and later has 2.0 and 1.0 here."""
    assert portable_math.total([1e16, 1.0, 1.0, -1e16]) == 0.0
    assert portable_math.total([0.1] * 10) == 0.9999999999999999
    assert math.copysign(1.0, portable_math.total([-0.0])) == 1.0
