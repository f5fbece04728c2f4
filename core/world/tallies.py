# SPDX-License-Identifier: MIT
"""Sums over all bodies that have a tag and are there: ``tags.piece.mass``."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..record.channels import Channel
from ..scene.model import Body, Point, Shape
from ..scene.values.polygon import signed_area

if TYPE_CHECKING:
    from .world import World


def tally(world: World, channel: Channel) -> float:
    """The sum that a channel of kind ``tag`` stands for, rounded once, whatever the order."""
    roster, native = world.roster, world.native
    table = roster.tagged.get(channel.owner, {})
    there = [name for name, number in table.items() if native.has_body(number)]
    if channel.quantity == "count":
        return float(len(there))
    if channel.quantity == "area":
        return fsum(area_of(roster.bodies[name]) for name in there)
    code, _ = _native.CHANNELS[f"body.{channel.quantity}"]
    slots = roster.index(there)
    codes = np.array([(code, slots[name]) for name in there], np.int32).reshape(-1, 2)
    return fsum(native.sample(codes).tolist()) if there else 0.0


def area_of(body: Body) -> float:
    """The areas of all shapes of a body, where they overlap as often as they do."""
    return fsum(_area(shape) for shape in body.shapes if not shape.sensor)


def _area(shape: Shape) -> float:
    """That of the core, of a strip along its sides as wide as the radius, and of the corners."""
    if shape.kind in ("segment", "chain"):
        return 0.0
    points, radius = shape.points, shape.radius
    core = abs(signed_area(points)) if len(points) > 2 else 0.0
    strip = radius * _perimeter(points) if radius else 0.0
    return core + strip + pi * radius * radius


def _perimeter(points: Sequence[Point]) -> float:
    """The way round; of two points there and back, of one none."""
    total = 0.0
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        total += sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    return total
