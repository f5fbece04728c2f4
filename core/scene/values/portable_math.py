# SPDX-License-Identifier: MIT
"""Elementary functions with the same bits on every machine.

A C library's ``sin`` or ``exp`` may differ in the last bit from one platform to the next, and one
bit in a starting position becomes another simulation. Python's integers are exact everywhere, so
the functions here work in binary fixed point on integers and round once, at the end: the result
is the nearest double except where the exact value lies within about 2**-100 of a midpoint.

The series are the Taylor series of exp, sin, cos, atan and atanh, each after an argument
reduction (Muller, "Elementary Functions", chapters 3 and 11). Angles are radians.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

BITS = 160  # of the fixed-point fraction: 53 for the result, the rest against cancellation
ONE = 1 << BITS


def _machin_pi(bits: int) -> int:
    """pi * 2**bits by Machin's formula, 16 atan(1/5) - 4 atan(1/239)."""
    guard = 32

    def arctangent_of_inverse(n: int) -> int:
        term = (1 << (bits + guard)) // n
        total, k, square = term, 1, n * n
        while term:
            term //= square
            k += 2
            total += -(term // k) if k & 2 else term // k
        return total

    return (16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)) >> guard


@lru_cache(maxsize=8)
def _half_pi(bits: int) -> int:
    return _machin_pi(bits) >> 1


@lru_cache(maxsize=1)
def _ln2() -> int:
    """ln 2 = 2 atanh(1/3)."""
    return 2 * _atanh(ONE // 3)


def _atanh(z: int) -> int:
    square = (z * z) >> BITS
    total, power, k = z, z, 1
    while power:
        power = (power * square) >> BITS
        k += 2
        total += power // k
    return total


def _fixed(x: float, bits: int = BITS) -> int:
    numerator, denominator = x.as_integer_ratio()
    shift = bits - (denominator.bit_length() - 1)
    return numerator << shift if shift >= 0 else numerator >> -shift


def _ratio(numerator: int, denominator: int, exponent: int = 0) -> float:
    """numerator / denominator * 2**exponent, rounded once; inf where it is too large."""
    if exponent >= 0:
        numerator <<= exponent
    else:
        denominator <<= -exponent
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if (numerator > 0) == (denominator > 0) else -math.inf


def _reduce(x: float) -> tuple[int, int]:
    """(q, r) with x = q pi/2 + r, r in fixed point and |r| <= pi/4, q modulo 4."""
    exponent = max(0, math.frexp(x)[1])
    bits = BITS + 64 * (-(-exponent // 64))
    half_pi = _half_pi(bits + 64) >> 64
    value = _fixed(x, bits)
    quotient = (2 * value + half_pi) // (2 * half_pi)
    if exponent:
        # q has up to `exponent` bits, so pi/2 needs as many more below the point.
        scaled = (value << 64) - quotient * _half_pi(bits + 64)
        return quotient & 3, scaled >> (bits + 64 - BITS)
    return quotient & 3, (value - quotient * half_pi) >> (bits - BITS)


def _sine_series(r: int) -> int:
    return _series(r, r, 1)


def _cosine_series(r: int) -> int:
    return _series(r, ONE, 0)


def _series(r: int, first: int, power: int) -> int:
    """The sum of the terms of r's powers, every second one from ``first`` on, signs in turn."""
    square = (r * r) >> BITS
    total, term, k = first, first, power
    while term:
        term = -((term * square) >> BITS) // ((k + 1) * (k + 2))
        k += 2
        total += term
        if -2 < term < 2:
            break
    return total


def _sine(quadrant: int, r: int) -> int:
    """The sine of q pi/2 + r: one series, as each takes long."""
    total = _cosine_series(r) if quadrant & 1 else _sine_series(r)
    return -total if quadrant & 2 else total


def sin(x: float) -> float:
    """Sine of x radians; nan for inf and nan."""
    if not math.isfinite(x):
        return math.nan
    if abs(x) < 1e-9:  # x - x**3/6 rounds to x
        return x
    return _ratio(_sine(*_reduce(x)), ONE)


def cos(x: float) -> float:
    """Cosine of x radians; nan for inf and nan."""
    if not math.isfinite(x):
        return math.nan
    quadrant, r = _reduce(x)
    return _ratio(_sine(quadrant + 1, r), ONE)


def cos_and_sin(x: float) -> tuple[float, float]:
    """Both of x radians, kept for the many bodies of a scene that are turned alike."""
    if not math.isfinite(x):
        return math.nan, math.nan
    return (1.0, x) if abs(x) < 1e-9 else _cos_and_sin(x)


@lru_cache(maxsize=4096)
def _cos_and_sin(x: float) -> tuple[float, float]:
    """Both with one reduction and one series: the cosine of r is at least 0.7."""
    quadrant, r = _reduce(x)
    s = _sine_series(r)
    c = math.isqrt((ONE << BITS) - s * s)
    if quadrant & 1:
        c, s = -s, c
    if quadrant & 2:
        c, s = -c, -s
    return _ratio(c, ONE), _ratio(s, ONE)


def tan(x: float) -> float:
    """Tangent of x radians; nan for inf and nan."""
    if not math.isfinite(x):
        return math.nan
    if abs(x) < 1e-9:
        return x
    quadrant, r = _reduce(x)
    return _ratio(_sine(quadrant, r), _sine(quadrant + 1, r))


def _arctangent(y: int, x: int) -> int:
    """atan(y / x) for y >= 0, x > 0 and y <= x, in fixed point."""
    z = (y << BITS) // x
    # Halve the angle three times, atan z = 2 atan(z / (1 + sqrt(1 + z^2))), so the series is short.
    for _ in range(3):
        z = (z << BITS) // (ONE + math.isqrt((ONE + ((z * z) >> BITS)) << BITS))
    square = (z * z) >> BITS
    total, power, k = z, z, 1
    while power:
        power = (power * square) >> BITS
        k += 2
        total += -(power // k) if k & 2 else power // k
    return total << 3


def _scaled_pair(y: float, x: float) -> tuple[int, int]:
    """Integers in the ratio of |y| to |x|, with enough bits for either to be exact."""
    (a, b), (c, d) = abs(y).as_integer_ratio(), abs(x).as_integer_ratio()
    return a * d, c * b


def atan2(y: float, x: float) -> float:
    """The angle of the point (x, y), in (-pi, pi]; atan2(0, 0) is 0."""
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if math.isinf(x) or math.isinf(y):
        x = math.copysign(1.0 if math.isinf(x) else 0.0, x)
        y = math.copysign(1.0 if math.isinf(y) else 0.0, y)
    if y == 0.0:
        return math.copysign(0.0 if math.copysign(1.0, x) > 0 else math.pi, y)
    opposite, adjacent = _scaled_pair(y, x)
    negative_x = x < 0
    if not negative_x and opposite << 60 < adjacent:  # atan z = z - z**3/3 rounds to z
        angle = _ratio(opposite, adjacent)
    else:
        if opposite <= adjacent:
            fixed = _arctangent(opposite, adjacent)
        else:
            fixed = _half_pi(BITS) - _arctangent(adjacent, opposite)
        if negative_x:
            fixed = 2 * _half_pi(BITS) - fixed
        angle = _ratio(fixed, ONE)
    return math.copysign(angle, y)


def atan(x: float) -> float:
    """Arc tangent, in [-pi/2, pi/2]."""
    return atan2(x, 1.0)


def _complement(x: float) -> tuple[int, int]:
    """(|x|, sqrt(1 - x**2)) scaled to integers."""
    value = _fixed(abs(x), 1100)
    return value, math.isqrt((1 << 2200) - value * value)


def asin(x: float) -> float:
    """Arc sine, in [-pi/2, pi/2]; nan outside [-1, 1]."""
    if not -1.0 <= x <= 1.0:
        return math.nan
    if abs(x) < 1e-9:
        return x
    opposite, adjacent = _complement(x)
    if opposite <= adjacent:
        fixed = _arctangent(opposite, adjacent)
    else:
        fixed = _half_pi(BITS) - _arctangent(adjacent, opposite)
    return math.copysign(_ratio(fixed, ONE), x)


def acos(x: float) -> float:
    """Arc cosine, in [0, pi]; nan outside [-1, 1]."""
    if not -1.0 <= x <= 1.0:
        return math.nan
    adjacent, opposite = _complement(x)
    if opposite <= adjacent:
        fixed = _arctangent(opposite, adjacent)
    else:
        fixed = _half_pi(BITS) - _arctangent(adjacent, opposite)
    return _ratio(2 * _half_pi(BITS) - fixed if x < 0 else fixed, ONE)


def _exp_fixed(value: int) -> float:
    """exp of a fixed-point value."""
    exponent, rest = divmod(value, _ln2())
    if exponent > 1100:
        return math.inf
    if exponent < -1200:
        return 0.0
    # exp r = exp(r / 256)**256 keeps the series short.
    rest >>= 8
    total, term, k = ONE + rest, rest, 1
    while term:
        k += 1
        term = ((term * rest) >> BITS) // k
        total += term
    for _ in range(8):
        total = (total * total) >> BITS
    return _ratio(total, ONE, exponent)


def exp(x: float) -> float:
    """e**x; inf where that is too large for a double."""
    if math.isnan(x):
        return x
    if x > 710.0:
        return math.inf
    if x < -746.0:
        return 0.0
    return _exp_fixed(_fixed(x))


def _log_fixed(x: float) -> int:
    """ln x in fixed point, for finite x > 0."""
    mantissa, exponent = math.frexp(x)
    if mantissa < 0.7071:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    m = _fixed(mantissa)
    return exponent * _ln2() + 2 * _signed_atanh(((m - ONE) << BITS) // (m + ONE))


def _signed_atanh(z: int) -> int:
    return _atanh(z) if z >= 0 else -_atanh(-z)


def log(x: float) -> float:
    """Natural logarithm; -inf at 0, nan below."""
    if math.isnan(x) or x < 0.0:
        return math.nan
    if x == 0.0:
        return -math.inf
    if math.isinf(x):
        return x
    return _ratio(_log_fixed(x), ONE)


def total(numbers: Iterable[float]) -> float:
    """The sum from left to right, rounded after each addition, as a loop has it.

    ``sum`` of Python 3.12 and later keeps the rounding errors of floats and adds them at the end,
    so that its result depends on the version.
    """
    found = 0.0
    for number in numbers:
        found += number
    return found


def hypot(*numbers: float) -> float:
    """The square root of the sum of the squares, without overflow on the way."""
    if len(numbers) != 2:
        return _hypot_of_many(numbers)
    x, y = numbers
    if math.isinf(x) or math.isinf(y):
        return math.inf
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if x == 0.0 or y == 0.0:
        return abs(x) + abs(y)
    exponent = max(math.frexp(x)[1], math.frexp(y)[1])
    a, b = _fixed(abs(x), 140 - exponent), _fixed(abs(y), 140 - exponent)
    return _ratio(math.isqrt(a * a + b * b), 1 << 140, exponent)


def _hypot_of_many(numbers: Sequence[float]) -> float:
    if any(map(math.isinf, numbers)):
        return math.inf
    if any(map(math.isnan, numbers)):
        return math.nan
    others = [abs(number) for number in numbers if number != 0.0]
    if len(others) < 2:
        return total(others)
    exponent = max(math.frexp(number)[1] for number in others)
    squares = (_fixed(number, 140 - exponent) ** 2 for number in others)
    return _ratio(math.isqrt(sum(squares)), 1 << 140, exponent)


def dist(a: Sequence[float], b: Sequence[float]) -> float:
    """The distance of two points."""
    return hypot(*(x - y for x, y in zip(a, b, strict=True)))


def radians(angle: float) -> float:
    """Degrees in radians: one product."""
    return angle * (math.pi / 180)


def degrees(angle: float) -> float:
    """Radians in degrees: one product."""
    return angle * (180 / math.pi)


def power(base: float, exponent: float) -> float:
    """base**exponent for real results; nan for a negative base and a fractional exponent.

    Small whole exponents are done by squaring on integers, so 0.1**2 is the double nearest to the
    square of the double 0.1; all others are exp(exponent * log base).
    """
    if exponent == 0.0 or base == 1.0:
        return 1.0
    if math.isnan(base) or math.isnan(exponent):
        return math.nan
    whole = math.isinf(exponent) or exponent == math.floor(exponent)
    odd = whole and abs(exponent) < 2.0**53 and int(exponent) % 2 == 1
    if base == 0.0 or math.isinf(base):
        magnitude = 0.0 if (abs(base) < 1.0) == (exponent > 0.0) else math.inf
        return math.copysign(magnitude, base) if odd else magnitude
    if math.isinf(exponent):
        if base == -1.0:
            return 1.0
        return math.inf if (abs(base) > 1.0) == (exponent > 0.0) else 0.0
    if whole and abs(exponent) <= 32.0:
        return _whole_power(base, int(exponent))
    if base < 0.0 and not whole:
        return math.nan
    numerator, denominator = exponent.as_integer_ratio()
    value = _log_fixed(abs(base)) * numerator // denominator
    magnitude = _exp_fixed(value) if abs(value) < 2000 * ONE else (math.inf if value > 0 else 0.0)
    return -magnitude if odd and base < 0.0 else magnitude


def _whole_power(base: float, exponent: int) -> float:
    numerator, denominator = base.as_integer_ratio()
    if exponent < 0:
        numerator, denominator, exponent = denominator, numerator, -exponent
        if denominator < 0:
            numerator, denominator = -numerator, -denominator
    return _ratio(numerator**exponent, denominator**exponent)
