# SPDX-License-Identifier: MIT
"""Points and directions of the world at the start, in a body's coordinates, and back."""

from __future__ import annotations

from typing import Any

from ..building.scope import Scope
from ..model import Body, Point
from ..values.portable_math import cos_and_sin, hypot

SMALL = 1e-12  # vectors this close to unit length keep their bits


def to_local(body: Body, point: Point) -> Point:
    """A point of the world at the start, in a body's own coordinates."""
    return turned_back(body, (point[0] - body.position[0], point[1] - body.position[1]))


def turned_back(body: Body, direction: Point) -> Point:
    """A direction of the world at the start, in a body's own coordinates."""
    x, y = direction
    if body.angle == 0.0:
        return x, y
    c, s = cos_and_sin(body.angle)
    return c * x + s * y, c * y - s * x


def to_world(body: Body, point: Point) -> Point:
    """A point of a body, in the world at the start."""
    x, y = point
    if body.angle != 0.0:
        c, s = cos_and_sin(body.angle)
        x, y = c * x - s * y, s * x + c * y
    return body.position[0] + x, body.position[1] + y


def unit_vector(direction: Point) -> Point | None:
    """The direction with length 1, or None where it has no length."""
    length = hypot(*direction)
    if not length > 0.0:
        return None
    if abs(length - 1.0) <= SMALL:
        return direction
    return direction[0] / length, direction[1] / length


def check_rectangle(corners: Any, scope: Scope, *at: int | str) -> None:
    """Stop unless the second corner is above the first in both coordinates."""
    (x1, y1), (x2, y2) = corners
    if not (x1 < x2 and y1 < y2):
        raise scope.fail(
            "out-of-range",
            "the first corner has the smaller x and y: [[x1, y1], [x2, y2]] with x1 < x2 and "
            "y1 < y2",
            *at,
        )
