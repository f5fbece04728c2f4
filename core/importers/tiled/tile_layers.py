# SPDX-License-Identifier: MIT
"""Layers of tiles: their pictures, and the bodies of their tiles' collision shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...scene.model import Point
from ..drafts.draft import Draft, Entry
from ..drafts.places import Value
from .cells import MOST_CELLS, Cell, cells_of
from .grids import Grid
from .outlines import Merger, TileOutline, box_outline, mirrored, outline_of
from .pictures import TilePictures
from .properties import properties, put_properties
from .tilesets import DIAGONAL, TURNED, Tile, Tilesets, turned_point

SOLID = "solid"
"""A property of tiles, tilesets or layers: tiles without shapes are boxes."""
_OF_LAYERS = (SOLID, "z")


@dataclass
class _Group:
    """Tiles of a layer that are one body."""

    held: Mapping[str, Value]
    kind: str
    merger: Merger
    row: int | None = None
    count: int = 0


@dataclass
class TileLayers:
    """Reads layers of tiles into a draft."""

    draft: Draft
    tilesets: Tilesets
    pictures: TilePictures
    grid: Grid
    left: int = MOST_CELLS
    _outlines: dict[tuple[int, bool], TileOutline] = field(default_factory=dict)

    @property
    def cell(self) -> Point:
        """The size of a cell."""
        return self.grid.cell

    def add_picture(self, layer: Value, offset: Point, order: float) -> None:
        """Add the picture of a layer whose cells are no boxes, without the shapes of its tiles."""
        cells = cells_of(layer, self.left)
        self.left -= len(cells)
        flat, shaped = list[Cell](), False
        for cell in cells:
            tile = self.tilesets.find(cell[2])
            if tile is not None:
                flat.append(cell)
                solid = _is_true({**properties(layer), **tile.properties}.get(SOLID))
                shaped = (
                    shaped
                    or "body" in tile.properties
                    or not self._outline(cell[2], tile, solid).empty
                )
        if shaped:
            self.draft.lose(layer, "the shapes of tiles of such maps are left out")
        if len(flat) < len(cells):
            self.draft.lose(layer, "tiles of no tileset are left out")
        if any(cell[2] & TURNED for cell in flat):
            self.draft.lose(layer, "tiles of hexagons that are turned are upright")
        behind = sorted(flat, key=lambda cell: self.grid.corner(cell[0], cell[1])[::-1])
        self.pictures.draw_layer(layer, behind, self.grid, offset, order)

    def add(self, layer: Value, offset: Point, order: float) -> None:
        """Add a layer: the bodies of its shapes and its picture."""
        cells = cells_of(layer, self.left)
        self.left -= len(cells)
        usual = properties(layer)
        name = layer.text("name") or "tiles"
        groups: dict[Any, _Group] = {}
        flat: list[Cell] = []
        unknown: set[int] = set()
        for cell in cells:
            tile = self.tilesets.find(cell[2])
            if tile is None:
                unknown.add(cell[2])
                continue
            held = {**usual, **tile.properties}
            if "body" in tile.properties:
                self._own_body(layer, cell, tile, held, offset)
                continue
            flat.append(cell)
            outline = self._outline(cell[2], tile, _is_true(held.get(SOLID)))
            if not outline.empty:
                self._join(groups, cell, tile, held, outline, offset)
        if unknown:
            self.draft.lose(layer, f"{len(unknown)} kinds of tiles of no tileset are left out")
        if any(cell[2] & TURNED for cell in flat):
            self.draft.lose(layer, "tiles of hexagons that are turned are upright")
        drawn = self.pictures.draw_layer(layer, flat, self.grid, offset, order)
        for group in sorted(groups.values(), key=lambda group: -group.count):
            self._add_body(layer, name, group, drawn)

    def _join(
        self,
        groups: dict[Any, _Group],
        cell: Cell,
        tile: Tile,
        held: Mapping[str, Value],
        outline: TileOutline,
        offset: Point,
    ) -> None:
        given = {n: value.data for n, value in held.items() if n not in _OF_LAYERS}
        row = cell[1] if "one_way" in given else None  # such a platform must be convex
        key = (tile.kind, row, tuple(sorted((n, repr(value)) for n, value in given.items())))
        if key not in groups:
            known = {n: value for n, value in held.items() if n not in _OF_LAYERS}
            groups[key] = _Group(known, tile.kind, Merger(self.cell), row)
        corner = offset[0] + cell[0] * self.cell[0], offset[1] + cell[1] * self.cell[1]
        groups[key].merger.add(outline, self._place(cell, tile, offset), corner)
        groups[key].count += 1

    def _place(self, cell: Cell, tile: Tile, offset: Point) -> Point:
        """The upper left corner of a tile, which rests on the lower left corner of its cell."""
        height = tile.size[0] if cell[2] & DIAGONAL else tile.size[1]
        x, y = tile.tileset.offset
        return (
            offset[0] + cell[0] * self.cell[0] + x,
            offset[1] + (cell[1] + 1) * self.cell[1] - height + y,
        )

    def _outline(self, number: int, tile: Tile, solid: bool) -> TileOutline:
        key = number, solid
        if key not in self._outlines:
            made = outline_of(tile.outlines)
            if made.empty and solid:
                made = box_outline(tile.size)
            if number != number & 0x0FFFFFFF:
                made = mirrored(made, lambda point: turned_point(point, tile.size, number))
            self._outlines[key] = made
        return self._outlines[key]

    def _add_body(self, layer: Value, name: str, group: _Group, drawn: bool) -> None:
        shapes = group.merger.shapes()
        entry: Entry = {"shape": shapes[0]} if len(shapes) == 1 else {"shapes": shapes}
        strange = put_properties(entry, shapes, group.held, group.kind, layer)
        if drawn or not layer.truth("visible", default=True):
            entry["visible"] = False
        made = self.draft.add(self.draft.bodies, name, entry, layer)
        for field_ in strange:
            held = group.held[field_]
            self.draft.lose(held, f"the property {field_!r} is not read", made)

    def _own_body(
        self, layer: Value, cell: Cell, tile: Tile, held: Mapping[str, Value], offset: Point
    ) -> None:
        """A tile with a property `body`: a body with the tile's picture."""
        outline = self._outline(cell[2], tile, True)
        x, y = self._place(cell, tile, offset)
        width, height = tile.size[::-1] if cell[2] & DIAGONAL else tile.size
        middle = width / 2, height / 2
        merger = Merger(self.cell)
        merger.add(outline, (-middle[0], -middle[1]), (-middle[0], -middle[1]))
        shapes = merger.shapes()
        entry: Entry = {"shape": shapes[0]} if len(shapes) == 1 else {"shapes": shapes}
        entry["position"] = [x + middle[0], y + middle[1]]
        known = {n: value for n, value in held.items() if n not in _OF_LAYERS}
        strange = put_properties(entry, shapes, known, tile.kind, layer)
        losses: list[str] = []
        self.pictures.put_texture(entry, cell[2], (width, height), losses)
        if not layer.truth("visible", default=True):
            entry["visible"] = False
        wanted = tile.kind or layer.text("name") or "tile"
        made = self.draft.add(self.draft.bodies, wanted, entry, layer)
        self.draft.notes.pop(made, None)
        for field_ in strange:
            losses.append(f"the property {field_!r} is not read")
        for loss in losses:
            self.draft.lose(layer, loss, made)


def _is_true(held: Value | None) -> bool:
    return held is not None and str(held.data).lower() in ("true", "1")
