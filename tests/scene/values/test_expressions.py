# SPDX-License-Identifier: MIT
"""Expressions: values, precedence, limits, errors with their place."""

from __future__ import annotations

import contextlib
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rigid2d.core.scene.values.expression import ExpressionError, compile_expression

from tests.rows import every_row


def value(source: str, **names: Any) -> Any:
    return compile_expression(source).evaluate(names)


@every_row(
    ("source", "want"),
    [
        ("=1 + 2*3", 7.0),
        ("=(1 + 2)*3", 9.0),
        ("=2**3**2", 512.0),
        ("=-2**2", -4.0),
        ("=2**-1", 0.5),
        ("=7 // 2", 3.0),
        ("=-7 // 2", -4.0),
        ("=-7 % 3", 2.0),
        ("=1 < 2 < 3", True),
        ("=1 < 3 < 2", False),
        ("=not 1 == 2", True),
        ("=1 if 0 else 2 if 0 else 3", 3.0),
        ("=0 or 5", 5.0),
        ("=1 and 0", 0.0),
        ("=pi", math.pi),
        ("=sqrt(16)", 4.0),
        ("=abs(-3)", 3.0),
        ("=min(3, 1, 2)", 1.0),
        ("=max(3, 1, 2)", 3.0),
        ("=floor(-1.5)", -2.0),
        ("=ceil(1.2)", 2.0),
        ("=round(2.5)", 2.0),
        ("=hypot(3, 4)", 5.0),
        ("=hypot(-3)", 3.0),
        ("=hypot(2, 3, 6)", 7.0),
        ("=clamp(5, 0, 3)", 3.0),
        ("=lerp(10, 20, 0.25)", 12.5),
        ("=exp(0) + log(1)", 1.0),
        ("=atan2(0, -1)", math.pi),
        ("=1e-3", 0.001),
        ("=.5", 0.5),
    ],
)
def test_an_expression_has_the_value_that_python_gives_it(source: str, want: Any) -> None:
    assert value(source) == want


def test_names_are_looked_up_and_reported() -> None:
    expression = compile_expression("=2*r + ball[3].y + car.points.nose.x")
    assert expression.names == {"r", "ball[3].y", "car.points.nose.x"}
    values = {"r": 1.0, "ball[3].y": 10.0, "car.points.nose.x": 100.0}
    assert expression.evaluate(values) == 112.0


@given(st.text(alphabet="0123456789.+-*/%()<>=!,ijab sqrtmixfeledn[]^&\"'", max_size=60))
def test_any_text_is_a_value_or_an_expression_error(text: str) -> None:
    with contextlib.suppress(ExpressionError):
        expression = compile_expression(text)
        assert math.isfinite(expression.evaluate(dict.fromkeys(expression.names, 1.5)))


@every_row(
    ("source", "offset", "words"),
    [
        ("=1 + ", 4, "too early"),
        ("=1 + * 2", 5, "missing before `*`"),
        ("=2 * foo(1)", 5, "no function `foo`"),
        ("=4 + 1/0", 6, "division by zero"),
        ("=(1", 3, "`)` expected"),
        ("=1 ^ 2", 3, "`**`"),
        ("=1 & 2", 3, "`and`"),
        ("=1 = 2", 3, "`==`"),
        ("=0**-1", 2, "division by zero"),
    ],
)
def test_an_error_names_the_character(source: str, offset: int, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        value(source)
    assert words in caught.value.message
    assert caught.value.offset == offset


@every_row(
    "source",
    ["=9**9**9", "=2**1e9", "=1e400", "=exp(1000)", "=" + "(" * 900, "=" + "-" * 900 + "1"],
)
def test_what_is_too_large_is_an_error_and_ends_at_once(source: str) -> None:
    with pytest.raises(ExpressionError):
        value(source)


def test_random_numbers_depend_on_seed_path_and_call_only() -> None:
    expression = compile_expression("=uniform(0, 1) + 10*uniform(0, 1)")
    first = expression.evaluate({}, seed=1, path="bodies.ball[0].angle")
    assert first == expression.evaluate({"other": 3.0}, seed=1, path="bodies.ball[0].angle")
    assert first != expression.evaluate({}, seed=2, path="bodies.ball[0].angle")
    assert first != expression.evaluate({}, seed=1, path="bodies.ball[1].angle")
    two = compile_expression("=uniform(0, 1) - uniform(0, 1)")
    assert two.evaluate({}, seed=1, path="p") != 0.0


def test_random_numbers_have_the_distribution_they_name() -> None:
    def draw(source: str) -> list[float]:
        expression = compile_expression(source)
        return [expression.evaluate({}, seed=7, path=f"p[{i}]") for i in range(2000)]

    flat = draw("=uniform(2, 4)")
    assert all(2 < x < 4 for x in flat)
    assert abs(sum(flat) / len(flat) - 3) < 0.05
    bell = draw("=normal(5, 2)")
    mean = sum(bell) / len(bell)
    assert abs(mean - 5) < 0.2
    assert abs(math.sqrt(sum((x - mean) ** 2 for x in bell) / len(bell)) - 2) < 0.15
    dice = draw("=randint(1, 6)")
    assert set(dice) == {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}
    assert set(draw("=choice(3, 5)")) == {3.0, 5.0}


@every_row(
    ("source", "told"),
    [
        (f"=hypot({','.join('1' * 65)})", "`hypot` takes at most 64 arguments, not 65"),
        ("=hypot()", "`hypot` takes 1 or more arguments, not 0"),
        ("=lerp(1, 2)", "`lerp` takes 3 arguments, not 2"),
        ("=sin(1, 2)", "`sin` takes 1 argument, not 2"),
    ],
)
def test_how_many_arguments_there_may_be_is_told(source: str, told: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(told)):
        compile_expression(source)
