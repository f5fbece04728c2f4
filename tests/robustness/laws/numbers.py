# SPDX-License-Identifier: MIT
"""Random numbers of the kinds that worlds are made of, short enough to be read."""

from __future__ import annotations

import math
import random


def decimal(value: float, digits: int = 4) -> float:
    """A number of a few digits."""
    return float(f"{value:.{digits}g}") if abs(value) > 1e-9 else 0.0


def log_uniform(choose: random.Random, low: float, high: float) -> float:
    """Each power of ten as likely as the others."""
    return math.exp(choose.uniform(math.log(low), math.log(high)))


def often_none(choose: random.Random, value: float) -> float:
    """0, the value, or one between 0 and 1."""
    return decimal(choose.choice([0.0, value, choose.random()]))


def turned(choose: random.Random, size: float) -> tuple[float, float]:
    """A vector of a size, in a random direction, along the axes more often."""
    angle = choose.choice([0.0, 0.5, 1.0, 1.5, *(choose.uniform(0, 2) for _ in range(6))])
    return size * math.cos(math.pi * angle), size * math.sin(math.pi * angle)
