# SPDX-License-Identifier: MIT
"""What bodies move in, as ``model`` has it."""

from __future__ import annotations

from dataclasses import field

from ..frozen import frozen
from .picture_model import Point


@frozen
class Pool:
    """Water in a ``region``: mass per area, decay of what is all under, coefficient of drag.

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
