# SPDX-License-Identifier: MIT
"""Pools: water behind the bodies, with a line where its surface is."""

from __future__ import annotations

from ..scene.model import Point, Pool, Scene
from .bodies import LOWEST
from .colors import Color, mix, parse_color
from .display import WORLD, Layer
from .theme import Theme

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
        layer.items.add("polygon", _corners(pool), water)
        surface = _surface(pool, scene.world.gravity)
        if surface:
            line = mix(water, (*water[:3], 255), SURFACE_SHARE)
            layer.items.add("path", surface, line, radius=SURFACE * unit)
        layer.own(WORLD)
        layers.append(layer)
    return layers


def pool_color(pool: Pool, theme: Theme) -> Color:
    """The colour of the water, with its opacity."""
    return theme.water if pool.color is None else parse_color(pool.color)


def _corners(pool: Pool) -> list[Point]:
    (x0, y0), (x1, y1) = pool.region
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _surface(pool: Pool, gravity: Point) -> list[Point]:
    """The side against gravity, or against the larger part of it; none without gravity."""
    gx, gy = gravity
    if not (gx or gy):
        return []
    xs, ys = (sorted(values) for values in zip(*pool.region, strict=True))
    if abs(gy) >= abs(gx):
        y = ys[gy < 0.0]
        return [(xs[0], y), (xs[1], y)]
    x = xs[gx < 0.0]
    return [(x, ys[0]), (x, ys[1])]
