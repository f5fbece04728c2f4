# SPDX-License-Identifier: MIT
"""The place of a copy of a prototype: how points, directions and angles of it become the world's.

A point p of the prototype comes to be at  at + R(angle) M scale (p - pivot), where M takes x, or
y, to its opposite. A body's own coordinates are scaled and mirrored, its angle is turned: for M
of either kind M R(t) = R(-t) M, so that R(angle) M R(t) q = R(angle - t) M q.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from ...frozen import frozen
from ..model import Point
from ..values.portable_math import cos_and_sin

_cos_and_sin = lru_cache(cos_and_sin)


@frozen
class Placement:
    """The pose of an instance, and its velocity in world axes."""

    at: Point = (0.0, 0.0)
    pivot: Point = (0.0, 0.0)
    angle: float = 0.0
    scale: float = 1.0
    mirror: Literal["x", "y"] | None = None
    velocity: Point = (0.0, 0.0)
    tags: tuple[str, ...] = ()

    @property
    def sense(self) -> float:
        """-1 where turning one way becomes turning the other way, else 1."""
        return -1.0 if self.mirror else 1.0

    @property
    def only_moves(self) -> bool:
        """Whether a body keeps its size, its sides and its tags."""
        return self.scale == 1.0 and self.mirror is None and not self.tags

    def mirrored(self, vector: Point) -> Point:
        """A direction in a body's own coordinates; the sum leaves no zero with a sign."""
        if self.mirror is None:
            return vector
        x, y = vector
        return (-x + 0.0, y) if self.mirror == "x" else (x, -y + 0.0)

    def local(self, point: Point) -> Point:
        """A point in a body's own coordinates."""
        x, y = self.mirrored(point)
        return x * self.scale, y * self.scale

    def direction(self, vector: Point) -> Point:
        """A direction of the prototype, in the world."""
        x, y = self.mirrored(vector)
        if self.angle == 0.0 or x == y == 0.0:
            return x, y
        c, s = _cos_and_sin(self.angle)
        return c * x - s * y, s * x + c * y

    def point(self, point: Point) -> Point:
        """A point of the prototype, in the world."""
        x, y = self.direction(self.local_of_pivot(point))
        return self.at[0] + x, self.at[1] + y

    def local_of_pivot(self, point: Point) -> Point:
        """A point of the prototype counted from the pivot, scaled."""
        x, y = point[0] - self.pivot[0], point[1] - self.pivot[1]
        return x * self.scale, y * self.scale

    def inverse(self, point: Point) -> Point:
        """A point of the world, in the prototype."""
        x, y = point[0] - self.at[0], point[1] - self.at[1]
        if self.angle != 0.0:
            c, s = _cos_and_sin(self.angle)
            x, y = c * x + s * y, c * y - s * x
        x, y = self.mirrored((x, y))
        return x / self.scale + self.pivot[0], y / self.scale + self.pivot[1]

    def turn(self, angle: float) -> float:
        """An angle, or a speed of turning, in the sense that it has now."""
        return angle if self.mirror is None else 0.0 - angle
