# SPDX-License-Identifier: MIT
"""Tilesets: the picture, shapes and properties of each tile by its number in the map."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from ...scene.model import Point
from ..drafts.draft import Draft
from ..drafts.places import Value
from .files import MapFiles
from .properties import properties

if TYPE_CHECKING:
    from PIL.Image import Image

FLIP_X, FLIP_Y, DIAGONAL, TURNED = 0x80000000, 0x40000000, 0x20000000, 0x10000000
NUMBER = 0x0FFFFFFF
"""The bits of a tile's number; those above it mirror and turn the tile."""


@dataclass(frozen=True)
class Tile:
    """A tile of a tileset.

    Attributes:
        tileset: the tileset.
        index: its number in the tileset.
        size: its width and height.
        value: what the tileset says of it, None for a tile with a picture alone.
    """

    tileset: Tileset
    index: int
    size: tuple[float, float]
    value: Value | None

    @property
    def properties(self) -> dict[str, Value]:
        """Its own properties, and those of the tileset for all tiles."""
        own = {} if self.value is None else properties(self.value)
        return {**properties(self.tileset.value), **own}

    @property
    def kind(self) -> str:
        return "" if self.value is None else self.value.text("type", "class")

    @property
    def outlines(self) -> list[Value]:
        """The objects of its collision shapes."""
        held = None if self.value is None else self.value.get("objectgroup")
        return [] if held is None else held.items("objects")


@dataclass
class Tileset:
    """One tileset. ``first`` is the number of its first tile in the map."""

    first: int
    value: Value
    files: MapFiles
    tiles: dict[int, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tiles = {each.whole("id"): each for each in self.value.items("tiles")}

    @property
    def name(self) -> str:
        return self.value.text("name") or "tiles"

    @property
    def offset(self) -> Point:
        held = self.value.get("tileoffset")
        return (0.0, 0.0) if held is None else (held.number("x"), held.number("y"))

    def tile(self, index: int) -> Tile:
        held = self.tiles.get(index)
        size = self.value.number("tilewidth"), self.value.number("tileheight")
        if held is not None and is_part(held):
            size = held.number("width"), held.number("height")
        elif held is not None and held.has("imagewidth") and held.has("imageheight"):
            size = held.number("imagewidth"), held.number("imageheight")
        return Tile(self, index, size, held)

    def picture(self, index: int) -> Image:
        """A tile's picture. ValueError says why there is none."""
        held = self.tiles.get(index)
        if held is not None and held.has("image"):
            image = self.files.image(held.text("image"), held)[1]
            return self._part(image, held) if is_part(held) else image
        if not self.value.has("image"):
            raise ValueError(f"the tileset {self.name!r} has no tile {index}")
        image = self.files.image(self.value.text("image"), self.value)[1]
        width, height = self.value.whole("tilewidth"), self.value.whole("tileheight")
        margin, spacing = self.value.whole("margin"), self.value.whole("spacing")
        if min(width, height) < 1 or min(margin, spacing) < 0:
            raise ValueError(f"the tileset {self.name!r} says no size of its tiles")
        usual = max((image.width - 2 * margin + spacing) // (width + spacing), 1)
        columns = self.value.whole("columns") or usual
        if columns < 1:
            raise ValueError(f"the tileset {self.name!r} has no columns")
        x = margin + index % columns * (width + spacing)
        y = margin + index // columns * (height + spacing)
        if index < 0 or x + width > image.width or y + height > image.height:
            raise ValueError(f"the picture of {self.name!r} has no tile {index}")
        return self._cleared(image.crop((x, y, x + width, y + height)))

    def _cleared(self, image: Image) -> Image:
        """A picture without the colour that stands for nothing."""
        import numpy as np
        from PIL import Image as Images

        given = self.value.text("transparentcolor").lstrip("#")
        try:
            color = tuple(bytes.fromhex(given))
        except ValueError:
            color = ()
        if len(color) != 3:
            return image
        pixels = np.array(image.convert("RGBA"))
        pixels[(pixels[:, :, :3] == color).all(axis=2), 3] = 0
        return Images.fromarray(pixels)

    def _part(self, image: Image, held: Value) -> Image:
        left, top, wide, high = (held.whole(name) for name in ("x", "y", "width", "height"))
        right, bottom = left + wide, top + high
        inside = 0 <= left < right <= image.width and 0 <= top < bottom <= image.height
        if not inside:
            raise ValueError(f"the part of tile {held.whole('id')} is outside of its picture")
        return image.crop((left, top, right, bottom))


def is_part(tile: Value) -> bool:
    """Whether a tile of a collection of pictures shows a part of its picture alone."""
    return tile.has("image") and tile.has("width") and tile.has("height")


class Tilesets:
    """The tilesets of a map."""

    def __init__(self, draft: Draft, value: Value, files: MapFiles) -> None:
        self.draft, self.files = draft, files
        self.sets: list[Tileset] = []
        for each in value.items("tilesets"):
            self.add(each, each.whole("firstgid"))
        self.sets.sort(key=lambda each: each.first)

    def add(self, each: Value, first: int) -> None:
        held = self.read(each)
        if held is not None:
            self.sets.append(Tileset(first, held, self.files))

    def read(self, each: Value) -> Value | None:
        """The tileset in the map, or the one of its file; None, and a loss, where there is none."""
        if not each.has("source"):
            return each
        try:
            return self.files.value(each.text("source"), each)
        except ValueError as error:
            self.draft.lose(each, f"a tileset is left out: {error}")
            return None

    def find(self, number: int) -> Tile | None:
        """The tile of a number in the map, without its bits above ``NUMBER``."""
        index = number & NUMBER
        at = bisect_right([each.first for each in self.sets], index) - 1
        return None if at < 0 or index == 0 else self.sets[at].tile(index - self.sets[at].first)

    @lru_cache(maxsize=4096)  # noqa: B019 - as long as the import
    def picture(self, number: int) -> Image:
        """The picture of a tile, mirrored and turned as its number says."""
        from PIL.Image import Transpose

        tile = self.find(number)
        if tile is None:
            raise ValueError(f"no tileset has the tile {number & NUMBER}")
        image = tile.tileset.picture(tile.index)
        for bit, turn in (
            (DIAGONAL, Transpose.TRANSPOSE),
            (FLIP_X, Transpose.FLIP_LEFT_RIGHT),
            (FLIP_Y, Transpose.FLIP_TOP_BOTTOM),
        ):
            image = image.transpose(turn) if number & bit else image
        return image


def turned_point(point: Point, size: tuple[float, float], number: int) -> Point:
    """A point of a tile, from its upper left corner, where the tile's flips take it."""
    (x, y), (width, height) = point, size
    if number & DIAGONAL:
        x, y, width, height = y, x, height, width
    return width - x if number & FLIP_X else x, height - y if number & FLIP_Y else y
