# SPDX-License-Identifier: MIT
"""Where the cells of a map lie: in rows, as diamonds, or staggered, as hexagons are."""

from __future__ import annotations

from dataclasses import dataclass

from ...scene.model import Point
from ..drafts.places import Value


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of an orthogonal map, of the size ``cell``."""

    cell: Point

    def corner(self, column: int, row: int) -> Point:
        """The lower left corner of the box round a cell, y down."""
        return column * self.cell[0], (row + 1) * self.cell[1]

    def extent(self, columns: int, rows: int) -> Point:
        """Width and height of a map."""
        return columns * self.cell[0], rows * self.cell[1]


@dataclass(frozen=True, slots=True)
class Diamonds(Grid):
    """Cells of an isometric map of so many ``rows``, whose upper corner is above its middle."""

    rows: int

    def corner(self, column: int, row: int) -> Point:
        width, height = self.cell
        return (column - row + self.rows - 1) * width / 2, (column + row + 2) * height / 2

    def extent(self, columns: int, rows: int) -> Point:
        return (columns + rows) * self.cell[0] / 2, (columns + rows) * self.cell[1] / 2


@dataclass(frozen=True, slots=True)
class Staggered(Grid):
    """Cells of which every other row, or column, is moved by half a cell.

    Hexagons have sides of the length ``side`` along the axis ``axis``, 0 or 1, diamonds have none.
    ``first`` is the remainder by 2 of the moved ones.
    """

    side: float
    axis: int
    first: int

    def corner(self, column: int, row: int) -> Point:
        place = [float(column), float(row)]
        moved = int(place[self.axis]) % 2 == self.first
        across = 1 - self.axis
        place[self.axis] *= (self.cell[self.axis] + self.side) / 2
        place[across] = (place[across] + 0.5 * moved) * self.cell[across]
        return place[0], place[1] + self.cell[1]

    def extent(self, columns: int, rows: int) -> Point:
        x, y = self.corner(columns - 1, rows - 1)
        half = [0.0, 0.0]
        half[1 - self.axis] = self.cell[1 - self.axis] / 2
        return x + self.cell[0] + half[0], y + half[1]


def grid_of(value: Value) -> Grid | None:
    """The grid of a map; None for an orientation that is not known."""
    cell = value.number("tilewidth", default=1.0), value.number("tileheight", default=1.0)
    kind = value.text("orientation", default="orthogonal")
    if kind == "orthogonal":
        return Grid(cell)
    if kind == "isometric":
        return Diamonds(cell, value.whole("height"))
    if kind in ("staggered", "hexagonal"):
        axis = 0 if value.text("staggeraxis") == "x" else 1
        side = value.number("hexsidelength") if kind == "hexagonal" else 0.0
        return Staggered(cell, side, axis, 0 if value.text("staggerindex") == "even" else 1)
    return None
