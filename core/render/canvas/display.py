# SPDX-License-Identifier: MIT
"""Builds the display list: items and points in the rasterizer's form.

``Items`` is filled once per scene with shapes in body coordinates, or once per frame with objects
in pixels; both end as rows of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ... import _native
from .colors import Color, pack
from .sheets import Sprite

Float64 = NDArray[np.float64]

KINDS = _native.ITEM_KINDS
CLEAR: Color = (0, 0, 0, 0)

KIND, FIRST, COUNT, RADIUS, OUTLINE, FILL, STROKE, A, B, C = range(10)
"""Columns of an item."""

WORLD = -1
"""The owner of points that are in world coordinates."""


class Items:
    """A growing display list."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, ...]] = []
        self._points: list[tuple[float, float]] = []

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def point_count(self) -> int:
        return len(self._points)

    def add(
        self,
        kind: str,
        points: Sequence[tuple[float, float]],
        fill: Color,
        *,
        radius: float = 0.0,
        outline: float = 0.0,
        stroke: Color = CLEAR,
        a: float = 0.0,
        b: float = 0.0,
        c: float = 0.0,
    ) -> None:
        """One item; see ``_native.ITEM_KINDS`` for what the numbers mean."""
        self._rows.append(
            (
                KINDS[kind],
                len(self._points),
                len(points),
                radius,
                outline,
                pack(fill),
                pack(stroke),
                a,
                b,
                c,
            )
        )
        self._points.extend(points)

    def lines(self, kind: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The first and the last point of each item of a kind."""
        code, points = KINDS[kind], self._points
        return [
            (points[int(row[FIRST])], points[int(row[FIRST]) + int(row[COUNT]) - 1])
            for row in self._rows
            if row[KIND] == code
        ]

    def arrays(self) -> tuple[Float64, Float64]:
        """Items [n, 10] and points [m, 2]."""
        items = np.array(self._rows, np.float64).reshape(-1, 10)
        points = np.array(self._points, np.float64).reshape(-1, 2)
        return items, points


@dataclass(slots=True)
class Layer:
    """Items that belong together in painter's order, and whom their points belong to.

    ``needs`` are the bodies (or WORLD) without which the items are not drawn, ``joint`` the joint
    (or -1), ``sleeper`` the body whose sleep mutes them (or WORLD). ``sprites`` are the items whose
    picture differs from frame to frame. Pictures turn with the line between the bodies ``aim``,
    where there are such, and else with their own. Where bodies are shown with and without their
    images, ``image`` is 1 for an image and -1 for what is shown without it.
    """

    order: tuple[float, float]
    needs: tuple[int, int] = (WORLD, WORLD)
    joint: int = -1
    sleeper: int = WORLD
    items: Items = field(default_factory=Items)
    owners: list[int] = field(default_factory=list)
    sprites: dict[int, Sprite] = field(default_factory=dict)
    aim: tuple[int, int] | None = None
    image: int = 0

    def add_sprite(
        self,
        points: Sequence[tuple[float, float]],
        tint: Color,
        sprite: Sprite,
        radius: float = 0.0,
        holes: bool = False,
    ) -> None:
        """A picture, one of several that follow each other, whose colours a tint multiplies."""
        if len(sprite.pictures) > 1:
            self.sprites[len(self.items)] = sprite
        opacity = (0, 0, 0, tint[3])
        first = float(sprite.pictures[0])
        c = 1.0 if holes else 0.0
        self.items.add("quad", points, opacity, radius=radius, stroke=tint, a=first, c=c)

    def own(self, row: int) -> None:
        """Give all points added since the last call to a body."""
        self.owners.extend([row] * (self.items.point_count - len(self.owners)))


def join(lists: Sequence[tuple[Float64, Float64]]) -> tuple[Float64, Float64]:
    """Several display lists one after the other."""
    items: list[Float64] = []
    offset = 0
    for rows, points in lists:
        moved = rows
        if offset and len(rows):
            moved = rows.copy()
            moved[:, FIRST] += offset
        items.append(moved)
        offset += len(points)
    return np.concatenate(items), np.concatenate([points for _, points in lists])
