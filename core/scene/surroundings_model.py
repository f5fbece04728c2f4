# SPDX-License-Identifier: MIT
"""Surroundings of bodies as plain data, as in ``model.py``."""

from __future__ import annotations

from dataclasses import field

from ..frozen import frozen
from .picture_model import Point

POOLS = "world.pools."
"""Prefix of the setting paths of pools."""


@frozen
class Pool:
    """Water in a ``region``: mass per area, decay of submerged bodies, coefficient of drag.

    ``color`` None is the theme's; ``z`` None is behind all bodies.
    """

    name: str
    region: tuple[Point, Point]
    density: float
    damping: float = 0.0
    drag: float = 0.0
    # The physics, and so the hash of a scene, which takes the repr, does not depend on looks.
    color: str | None = field(default=None, repr=False)
    z: float | None = field(default=None, repr=False)
    visible: bool = field(default=True, repr=False)

    def level(self, gravity: Point) -> float:
        """The position of its surface, along the axis of ``surface_of``."""
        axis, high = surface_of(gravity) or (1, True)
        sides = sorted(corner[axis] for corner in self.region)
        return sides[high]


def surface_of(gravity: Point) -> tuple[int, bool] | None:
    """Return the axis of a pool's surface, and whether it is the upper side: opposite to gravity,
    or to its larger component. None without gravity."""
    gx, gy = gravity
    if not (gx or gy):
        return None
    return (1, gy < 0.0) if abs(gy) >= abs(gx) else (0, gx < 0.0)
