# SPDX-License-Identifier: MIT
"""Study settings of a scene as plain data, as in ``model.py``."""

from __future__ import annotations

from typing import Any, Literal

from ..frozen import frozen

AxisKind = Literal[
    "values", "range", "log_range", "uniform", "normal", "lognormal", "choice", "randint"
]
LISTED: tuple[AxisKind, ...] = ("values",)
"""The kinds that a grid goes through value by value; of the others each run draws one."""
RANGES: tuple[AxisKind, ...] = ("range", "log_range")
"""Between two ends without a number of values: for samples that choose their own."""
Sample = Literal["grid", "zip", "random", "sobol", "latin_hypercube"]
SIZED: tuple[Sample, ...] = ("random", "sobol", "latin_hypercube")
"""The samples that need the number of runs."""


@frozen
class Axis:
    """A varied value: the value at ``path``, as ``--set`` names it.

    ``values`` are those of the kinds ``values`` and ``choice``; ``numbers`` are the two that the
    others have: the ends, or mean and deviation, which of ``lognormal`` are those of the logarithm.
    """

    path: str
    kind: AxisKind
    values: tuple[Any, ...] = ()
    numbers: tuple[float, float] = (0.0, 0.0)


CollectKind = Literal[
    "end", "max", "min", "mean", "first", "last", "count", "integral", "expect", "outcome"
]
TRUTHS: tuple[CollectKind, ...] = ("first", "last", "count")
"""The kinds whose expressions are true or false."""


@frozen
class Collect:
    """A collected value of each run: ``source`` is an expression over its state, without
    ``=``; ``is_truth`` says whether the value at the end is true or false."""

    name: str
    kind: CollectKind
    source: str = ""
    is_truth: bool = False


Keeping = Literal["none", "all", "failed"] | int
"""Of which runs a file is kept; a number is that of the first so many."""


@frozen
class Keep:
    """The kept files of runs."""

    trace: Keeping = "none"
    gif: Keeping = "none"
    snapshot: Keeping = "none"


@frozen
class Study:
    """Many runs of a scene. ``samples`` is their number if the sample needs one;
    ``until`` is the source of the expression that ends a run, or empty."""

    axes: tuple[Axis, ...] = ()
    sample: Sample = "grid"
    samples: int = 0
    until: str = ""
    collect: tuple[Collect, ...] = ()
    keep: Keep = Keep()
