# SPDX-License-Identifier: MIT
"""The largest values of settings: those of the scene format hold while a scene runs, too."""

from __future__ import annotations

import math
from typing import TypeVar

from ...arguments import LARGEST, number, vector
from ...errors import UsageError
from ...scene.blocks.settings.settable import BODY, POOL, WORLD
from ...scene.values.kinds import Kind, Tuple
from ...scene.values.quantity import Quantity

Numbers = TypeVar("Numbers", float, tuple[float, float])


def largest_of(kind: Kind) -> tuple[float, bool]:
    """The largest number of a kind, and whether it is a bound, rather than of a magnitude."""
    item = kind.item if isinstance(kind, Tuple) else kind
    if not isinstance(item, Quantity):
        return LARGEST, False
    return (item.largest, False) if item.high is None else (item.high, True)


OF_BODY = {name: largest_of(kind) for name, kind in BODY.items()}
OF_POOL = {name: largest_of(kind) for name, kind in POOL.items()}
OF_WORLD = {name: largest_of(kind) for name, kind in WORLD.items()}


def within(largest: tuple[float, bool], value: Numbers, name: str) -> Numbers:
    """A value, or a point. Raises UsageError if it is beyond the limit."""
    most, is_bound = largest
    for each in value if isinstance(value, tuple) else (value,):
        if (each if is_bound else math.fabs(each)) > most:
            what = f"{name} must be at most" if is_bound else f"{name} must not be larger than"
            raise UsageError(f"{what} {most:g}, got {each:g}")
    return value


def position_within(value: object) -> tuple[float, float]:
    """The position of a body. Raises UsageError for other values."""
    return within(OF_BODY["position"], vector(value, "position"), "position")


def angle_within(value: object) -> float:
    """The angle of a body in radians. Raises UsageError for other values."""
    return within(OF_BODY["angle"], number(value, "angle"), "angle")
