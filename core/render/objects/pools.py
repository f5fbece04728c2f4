# SPDX-License-Identifier: MIT
"""Pools: water behind the bodies, with a line at the surface."""

from __future__ import annotations

from collections.abc import Mapping

from ...scene.model import Point, Pool, Scene
from ...scene.surroundings_model import surface_of
from ..canvas.colors import Color, mix, parse_color
from ..canvas.display import WORLD, Layer
from ..canvas.theme import Theme
from .bodies import LOWEST

SURFACE = 1.0
"""Half the width of the line at picture size ``unit`` 1, in pixels,"""
SURFACE_SHARE = 0.6
"""and how much of what the water lets through it covers."""


def pool_layers(scene: Scene, theme: Theme, unit: float) -> list[Layer]:
    """The pools that are to be seen; without a ``z`` behind all bodies."""
    layers: list[Layer] = []
    for index, pool in enumerate(scene.world.pools):
        if not pool.visible:
            continue
        z = LOWEST if pool.z is None else pool.z
        layer = Layer((z, index - float(len(scene.world.pools))))
        water = pool_color(pool, theme)
        surface = surface_of(scene.world.gravity)
        corners = _corners(pool)
        layer.items.add("polygon", corners, water)
        line = _surface(pool, surface) if surface else []
        if line:
            color = mix(water, (*water[:3], 255), SURFACE_SHARE)
            layer.items.add("path", line, color, radius=SURFACE * unit)
        for point in [*corners, *line]:
            layer.owners.append(surface_owner(index) if point in line else WORLD)
        layers.append(layer)
    return layers


def pool_color(pool: Pool, theme: Theme) -> Color:
    """The colour of the water, with its opacity."""
    return theme.water if pool.color is None else parse_color(pool.color)


def _corners(pool: Pool) -> list[Point]:
    (x0, y0), (x1, y1) = pool.region
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def surface_owner(index: int) -> int:
    """Return the owner of the points of a pool's surface, which follows its level: below WORLD."""
    return WORLD - 1 - index


def pool_shifts(scene: Scene, levels: Mapping[str, float]) -> dict[int, Point]:
    """How far the surfaces of pools have moved, by the owners of their points."""
    gravity = scene.world.gravity
    surface = surface_of(gravity)
    if surface is None:
        return {}
    shifts: dict[int, Point] = {}
    for index, pool in enumerate(scene.world.pools):
        if pool.name in levels:
            by = levels[pool.name] - pool.level(gravity)
            shifts[surface_owner(index)] = (0.0, by) if surface[0] else (by, 0.0)
    return shifts


def _surface(pool: Pool, side: tuple[int, bool]) -> list[Point]:
    """Both ends of a side."""
    axis, high = side
    xs, ys = (sorted(values) for values in zip(*pool.region, strict=True))
    if axis:
        return [(xs[0], ys[high]), (xs[1], ys[high])]
    return [(xs[high], ys[0]), (xs[high], ys[1])]
