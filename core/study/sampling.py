# SPDX-License-Identifier: MIT
"""The values of each run of a study.

Every number is drawn by mapping a point of the unit interval to a value of the axis, for any
sample: at random, or from a set of points that fills the space of all axes evenly. Only
exact arithmetic and portable functions are used, so the values are the same on every machine.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import UsageError
from ..scene.study_model import LISTED, Axis, Study
from ..scene.values.portable_math import exp, log, power
from ..scene.values.seeded import randint, uniform

Row = tuple[Any, ...]
"""The values of one run, in the order of the axes."""
_SOBOL_BITS = 30
_SOBOL_MOST = 21_201  # dimensions that have direction numbers
MISSING = (
    "`sobol` samples need scipy, which is not installed; pip install 'rigid2d[study]' gets it. "
    "`latin_hypercube` and `random` do without"
)


def rows(study: Study, seed: int) -> list[Row]:
    """The values of all runs."""
    if study.samples:
        points = _POINTS[study.sample](study, seed)
        return [
            tuple(value_at(axis, u) for axis, u in zip(study.axes, point, strict=True))
            for point in points
        ]
    return list(_listed(study, seed))


def _listed(study: Study, seed: int) -> Iterator[Row]:
    """A grid, the last axis varying fastest, or one value of each; the others are drawn."""
    listed = [axis.values for axis in study.axes if axis.kind in LISTED]
    turns = zip(*listed, strict=True) if study.sample == "zip" else itertools.product(*listed)
    for run, turn in enumerate(turns):
        given = iter(turn)
        yield tuple(
            next(given)
            if axis.kind in LISTED
            else value_at(axis, uniform(seed, f"study.{axis.path}", run, 0.0, 1.0))
            for axis in study.axes
        )


def value_at(axis: Axis, u: float) -> Any:
    """Return the quantile ``u`` of the values of an axis."""
    low, high = axis.numbers
    if axis.values:
        return axis.values[min(len(axis.values) - 1, int(u * len(axis.values)))]
    if axis.kind == "randint":
        return int(low) + min(int(high - low), int(u * (high - low + 1.0)))
    if axis.kind == "log_range":
        return low * power(high / low, u)
    if axis.kind == "normal":
        return low + high * inverse_normal(u)
    if axis.kind == "lognormal":
        return exp(low + high * inverse_normal(u))
    return low + (high - low) * u


# ---------------------------------------------------------------- points of the unit cube


def _random(study: Study, seed: int) -> Iterator[Sequence[float]]:
    for run in range(study.samples):
        yield [uniform(seed, f"study.{axis.path}", run, 0.0, 1.0) for axis in study.axes]


def _latin_hypercube(study: Study, seed: int) -> Iterator[Sequence[float]]:
    """One run in each of N equal parts of every axis (McKay, Beckman and Conover, 1979)."""
    count = study.samples
    columns = []
    for axis in study.axes:
        path = f"study.{axis.path}"
        keys = [randint(seed, f"{path}.order", run, 0.0, 2.0**52) for run in range(count)]
        order = sorted(range(count), key=lambda run: (keys[run], run))
        column = [0.0] * count
        for place, run in enumerate(order):
            column[run] = (place + uniform(seed, path, run, 0.0, 1.0)) / count
        columns.append(column)
    return zip(*columns, strict=True)


def _sobol(study: Study, seed: int) -> Iterator[Sequence[float]]:
    """Return Sobol's points, shifted along each axis by the exclusive or with random digits, so
    that none is in a corner (a random digital shift)."""
    try:
        from scipy.stats.qmc import Sobol
    except ImportError:
        raise UsageError(MISSING) from None
    if len(study.axes) > _SOBOL_MOST:
        raise UsageError(f"Sobol's points have at most {_SOBOL_MOST} dimensions")
    engine = Sobol(len(study.axes), scramble=False, bits=_SOBOL_BITS)
    scale = 2.0**_SOBOL_BITS
    digits = [
        int(randint(seed, f"study.{axis.path}.digits", 0, 0.0, scale - 1.0)) for axis in study.axes
    ]
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a number of points that is no power of two
        points = engine.random(study.samples)
    for point in points.tolist():
        yield [
            ((int(u * scale) ^ shift) + 0.5) / scale for u, shift in zip(point, digits, strict=True)
        ]


_POINTS: dict[str, Callable[[Study, int], Iterator[Sequence[float]]]] = {
    "random": _random,
    "sobol": _sobol,
    "latin_hypercube": _latin_hypercube,
}


# ---------------------------------------------------------------- the normal distribution

# Numerators and denominators of the rational functions of algorithm AS 241, PPND16 (Wichura 1988):
# in the middle, beside it, and far out. Highest powers first.
_MIDDLE = (
    (
        *(2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4),
        *(4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3),
        *(1.3314166789178437745e2, 3.3871328727963666080e0),
    ),
    (
        *(5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4),
        *(2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2),
        *(4.2313330701600911252e1, 1.0),
    ),
)
_BESIDE = (
    (
        *(7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1),
        *(1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0),
        *(4.63033784615654529590e0, 1.42343711074968357734e0),
    ),
    (
        *(1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2),
        *(1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0),
        *(2.05319162663775882187e0, 1.0),
    ),
)
_FAR = (
    (
        *(2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3),
        *(2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0),
        *(5.46378491116411436990e0, 6.65790464350110377720e0),
    ),
    (
        *(2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5),
        *(7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1),
        *(5.99832206555887937690e-1, 1.0),
    ),
)


def inverse_normal(u: float) -> float:
    """The quantile of the standard normal distribution for the probability ``u`` in (0, 1)."""
    q = u - 0.5
    if abs(q) <= 0.425:
        return q * _ratio(_MIDDLE, 0.180625 - q * q)
    r = math.sqrt(-log(min(u, 1.0 - u)))
    size = _ratio(_BESIDE, r - 1.6) if r <= 5.0 else _ratio(_FAR, r - 5.0)
    return math.copysign(size, q)


def _ratio(functions: tuple[Sequence[float], Sequence[float]], x: float) -> float:
    numerator, denominator = (_polynomial(each, x) for each in functions)
    return numerator / denominator


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    value = 0.0
    for each in coefficients:
        value = value * x + each
    return value
