# SPDX-License-Identifier: MIT
"""The inner numbers of one step: what document 000 prints in part 2 (matrices) and part 3 (the log
of impulses)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]


class Impulse(NamedTuple):
    """One impulse of an iteration: its value, the sum so far, and the motion before it.

    ``speed`` is the relative velocity along the row, ``velocity`` [3] that of the first body that
    can move.
    """

    iteration: int
    row: int
    impulse: float
    total: float
    speed: float
    velocity: tuple[float, ...]


class Bounds(NamedTuple):
    """Bounds of a row's impulse: ``friction`` times that of the row ``normal``, or, if that is
    below 0, ``low`` and ``high``."""

    normal: int
    friction: float
    low: float
    high: float


@dataclass(slots=True)
class Log:
    """The inner numbers of one step, for inspection: the matrices by the documents' names,
    the rows' names, bodies and bounds, every impulse, and the whole solution and all velocities
    [n, 3] after each iteration."""

    rows: list[str] = field(default_factory=list)
    bodies: list[tuple[int, int]] = field(default_factory=list)
    bounds: list[Bounds] = field(default_factory=list)
    matrices: dict[str, Float64] = field(default_factory=dict)
    impulses: list[Impulse] = field(default_factory=list)
    solutions: list[list[float]] = field(default_factory=list)
    velocities: list[Float64] = field(default_factory=list)
