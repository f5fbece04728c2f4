# SPDX-License-Identifier: MIT
"""Pivots: the points of prototypes that are put at a place, by numbers or by words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model import Body, Point
from ...values.context import Context
from ...values.fields import POINT
from ...values.kinds import Custom, OneOf
from ..placement import Placement

PIVOTS = (
    *("center", "top_center", "bottom_center", "left_center", "right_center"),
    *("top_left", "top_right", "bottom_left", "bottom_right"),
)
"""Points of the box around all bodies of a prototype, as seen on the screen."""


def check_pivot(value: Any, context: Context) -> Any:
    if isinstance(value, str) and not value.lstrip().startswith("="):
        return OneOf(PIVOTS).check(value, context)
    return POINT.check(value, context)


_SCHEMA = {"anyOf": [{"enum": list(PIVOTS)}, POINT.schema()]}
PIVOT = Custom(check_pivot, _SCHEMA)


def box_point(word: str, bodies: Mapping[str, Body], y_down: bool) -> Point:
    """A point of the box around bodies, by its name on the screen."""
    xs: list[float] = []
    ys: list[float] = []
    for body in bodies.values():
        place = Placement(at=body.position, angle=body.angle)
        for shape in body.shapes:
            for point in shape.points if shape.kind != "half_space" else ():
                x, y = place.point(point)
                xs += [x - shape.radius, x + shape.radius]
                ys += [y - shape.radius, y + shape.radius]
    if not xs:
        return 0.0, 0.0
    upper, lower = (min(ys), max(ys)) if y_down else (max(ys), min(ys))
    x = min(xs) if "left" in word else max(xs) if "right" in word else 0.5 * (min(xs) + max(xs))
    y = upper if "top" in word else lower if "bottom" in word else 0.5 * (upper + lower)
    return x, y
