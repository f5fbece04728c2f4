# SPDX-License-Identifier: MIT
"""Visible parts of Tiled maps: pictures of tiles and of layers of them, image layers, texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ...scene.limits import ALL_IMAGE_PIXELS, IMAGES
from ...scene.model import Point
from ...scene.text.problems import plain_name
from ..drafts.draft import Draft, Entry
from ..drafts.geometry import rounded
from ..drafts.places import Value
from .cells import Cell
from .files import MapFiles
from .grids import Grid
from .properties import properties
from .tilesets import DIAGONAL, FLIP_X, FLIP_Y, NUMBER, TURNED, Tile, Tilesets, is_part

if TYPE_CHECKING:
    from PIL.Image import Image

_LETTERS = 16.0  # pixels, where a text says no size
_BLOCK = 4096  # pixels of the sides of one picture of a layer
_BELOW = 4  # opaque pixels with which one reaches below the next, so that no seam is seen
MARK = b"rigid import"
"""In each picture that an import has made, so that none of another program is replaced."""


def is_own(path: Path) -> bool:
    """Whether a file is a picture that an import has made."""
    return path.is_file() and not path.is_symlink() and MARK in path.read_bytes()[:4096]


@dataclass
class _TileSheet:
    """Pictures of a tileset for bodies, one beside the other, in one file beside the scene."""

    name: str
    images: dict[tuple[int, int], Image] = field(default_factory=dict)
    textures: list[Entry] = field(default_factory=list)


@dataclass
class TilePictures:
    """Draws and finds pictures for a draft."""

    draft: Draft
    files: MapFiles
    tilesets: Tilesets
    _pixels: int = 0
    _sheets: dict[tuple[int, tuple[int, int]], _TileSheet] = field(default_factory=dict)

    # ------------------------------------------------------------ pictures of bodies

    def put_texture(
        self, entry: Entry, number: int, size: tuple[float, float], losses: list[str]
    ) -> None:
        """The texture of a body that is a tile, or why it has none."""
        try:
            texture = self._texture(number)
        except ValueError as error:
            losses.append(f"a tile without its picture: {error}")
            return
        mirrors = [axis for bit, axis in ((FLIP_X, "x"), (FLIP_Y, "y")) if number & bit]
        if number & DIAGONAL:
            losses.append("the picture of a tile that is turned is upright")
        elif number & TURNED:
            losses.append("the picture of a tile of hexagons that is turned is upright")
        if len(mirrors) == 1:
            texture["mirror"] = mirrors[0]
        elif mirrors:
            texture["angle"] = 180.0
        if "shapes" in entry or set(entry["shape"]) & {"offset", "polygon", "chain", "segment"}:
            texture["offset"] = [0.0, 0.0]
            texture["size"] = list(size)
            texture["tile"] = False
        entry["texture"] = texture

    def _texture(self, number: int) -> Entry:
        tile = self.tilesets.find(number)
        if tile is None:
            raise ValueError(f"no tileset has the tile {number & NUMBER}")
        if self.draft.source.folder is None:
            raise ValueError("the picture is left out: nobody said where the scene goes")
        given = self._given(tile)
        return given if given is not None else self._packed(tile)

    def _given(self, tile: Tile) -> Entry | None:
        """The texture of a picture that is in the folder of the scene, without gaps."""
        held, whole = tile.value, tile.tileset.value
        if held is not None and is_part(held):
            return None
        if held is not None and held.has("image"):
            name = self.files.in_scene(self.files.image(held.text("image"), held)[0])
            return None if name is None else {"file": name}
        if not whole.has("image"):
            raise ValueError(f"the tileset {tile.tileset.name!r} has no tile {tile.index}")
        path, image = self.files.image(whole.text("image"), whole)
        tile.tileset.picture(tile.index)
        name = self.files.in_scene(path)
        width, height = whole.whole("tilewidth"), whole.whole("tileheight")
        columns, rows = image.width // width, image.height // height
        full = (columns * width, rows * height) == image.size
        gaps = whole.number("margin") or whole.number("spacing")
        if name is None or not full or gaps or whole.has("transparentcolor"):
            return None
        return {"sheet": name, "grid": [columns, rows], "frame": tile.index}

    def _packed(self, tile: Tile) -> Entry:
        """The texture of a picture in a sheet that is written beside the scene."""
        image = tile.tileset.picture(tile.index)
        key = id(tile.tileset), image.size
        if key not in self._sheets:
            self._sheets[key] = _TileSheet(self._free_name(tile.tileset.name))
        sheet = self._sheets[key]
        at = (tile.index, 0)
        sheet.images.setdefault(at, image)
        texture: Entry = {"sheet": sheet.name, "frame": list(sheet.images).index(at)}
        sheet.textures.append(texture)
        return texture

    def finish(self) -> None:
        """Make the sheets, once all pictures in them are known."""
        from PIL import Image

        for sheet in self._sheets.values():
            images = list(sheet.images.values())
            width, height = images[0].size
            columns = min(len(images), 16)
            rows = -(-len(images) // columns)
            whole = Image.new("RGBA", (columns * width, rows * height))
            for i, image in enumerate(images):
                whole.paste(image, (i % columns * width, i // columns * height))
            self._write(sheet.name, whole)
            for texture in sheet.textures:
                if len(images) == 1:
                    texture |= {"file": texture.pop("sheet")}
                    del texture["frame"]
                else:
                    frame = texture.pop("frame")
                    texture |= {"grid": [columns, rows], "frame": frame}

    # ------------------------------------------------------------ pictures of layers

    def draw_layer(
        self,
        layer: Value,
        cells: Sequence[Cell],
        grid: Grid,
        offset: Point,
        order: float,
    ) -> bool:
        """Draw a layer of tiles; return whether its picture is in the scene."""
        if not layer.truth("visible", default=True) or not cells:
            return False
        if self.draft.source.folder is None:
            self.draft.lose(
                layer, "the picture of the layer is left out: nobody said where the scene goes"
            )
            return False
        placed: list[tuple[int, int, Image]] = []
        missing: set[str] = set()
        for column, row, number in cells:
            tile = self.tilesets.find(number)
            try:
                image = self.tilesets.picture(number)
            except ValueError as error:
                missing.add(str(error))
                continue
            x, y = (0.0, 0.0) if tile is None else tile.tileset.offset
            left, bottom = grid.corner(column, row)
            placed.append((round(left + x), round(bottom - image.height + y), image))
            if tile is not None and tile.value is not None and tile.value.has("animation"):
                missing.add("tiles with an animation show their first picture")
        for reason in sorted(missing):
            self.draft.lose(layer, reason)
        drawn = False
        for left, top, image in _blocks(placed):
            self._pixels += image.width * image.height
            if self._pixels > ALL_IMAGE_PIXELS or len(self.draft.written) >= IMAGES:
                self.draft.lose(layer, "a part of its picture is left out: the map is too large")
                break
            name = self._free_name(layer.text("name") or "tiles")
            self._write(name, image)
            at = [offset[0] + left + image.width / 2, offset[1] + top + image.height / 2]
            self._put_layer(layer, {"image": name, "at": rounded(at), "scale": 1.0}, order)
            drawn = True
        return drawn

    def add_image(self, layer: Value, offset: Point, order: float) -> None:
        """A layer of an image, whose upper left corner is where the layer is."""
        if not layer.truth("visible", default=True):
            return
        try:
            name, size = self._image_of(layer)
        except ValueError as error:
            self.draft.lose(layer, str(error))
            return
        at = [
            offset[0] + layer.number("x") + size[0] / 2,
            offset[1] + layer.number("y") + size[1] / 2,
        ]
        made: Entry = {"image": name, "at": rounded(at), "scale": 1.0}
        repeats = [axis for axis in "xy" if layer.truth(f"repeat{axis}")]
        if repeats:
            made["repeat"] = "both" if len(repeats) == 2 else repeats[0]
        self._put_layer(layer, made, order)

    def _image_of(self, layer: Value) -> tuple[str, tuple[int, int]]:
        given = layer.text("image")
        if self.draft.source.folder is None:
            raise ValueError(f"the picture {given!r} is left out: nobody said where the scene goes")
        try:
            path, image = self.files.image(given, layer)
        except ValueError as error:
            raise ValueError(f"the picture is left out: {error}") from None
        name = self.files.in_scene(path)
        if name is None:
            name = self._free_name(path.stem)
            self._write(name, image)
        return name, image.size

    def _put_layer(self, layer: Value, made: Entry, order: float) -> None:
        parallax = layer.number("parallaxx", default=1.0)
        if parallax != 1.0:
            made["parallax"] = parallax
        if layer.number("parallaxy", default=parallax) != parallax:
            self.draft.lose(layer, "the image goes by up and down as fast as it does sideways")
        opacity = min(max(layer.number("opacity", default=1.0), 0.0), 1.0)
        tint = layer.text("tintcolor").lstrip("#")
        tint = tint[2:] + tint[:2] if len(tint) == 8 else tint  # its opacity comes first there
        if opacity < 1.0 and len(tint) in (0, 6):
            tint = f"{tint or 'ffffff'}{round(255 * opacity):02x}"
        if tint:
            made["tint"] = f"#{tint}"
        given = properties(layer).get("z")
        made["z"] = order if given is None else given.as_number()
        if made["z"] == -1:
            del made["z"]
        self.draft.fields.setdefault("layers", []).append(made)

    def _free_name(self, wanted: str) -> str:
        base = f"{plain_name(self.files.stem) or 'map'}_{plain_name(wanted) or 'tiles'}"
        name, number = f"{base}.png", 1
        names = {*self.draft.written, *(sheet.name for sheet in self._sheets.values())}
        while name in names:
            number += 1
            name = f"{base}_{number}.png"
        return name

    def _write(self, name: str, image: Image) -> None:
        from PIL.PngImagePlugin import PngInfo

        words, buffer = PngInfo(), BytesIO()
        words.add_text("Software", MARK.decode())
        image.save(buffer, "PNG", pnginfo=words, optimize=image.width * image.height < 4_000_000)
        self.draft.written[name] = buffer.getvalue()


def _blocks(
    placed: Sequence[tuple[int, int, Image]],
) -> Iterator[tuple[int, int, Image]]:
    """The pictures of a layer, each with its upper left corner, in blocks of a largest size."""
    from PIL import Image

    if not placed:
        return
    left, top = min(x for x, _, _ in placed), min(y for _, y, _ in placed)
    blocks: dict[tuple[int, int], list[tuple[int, int, Image.Image]]] = {}
    for x, y, image in placed:
        last = (x + image.width - 1 - left) // _BLOCK, (y + image.height - 1 - top) // _BLOCK
        for column in range((x - left) // _BLOCK, last[0] + 1):
            for row in range((y - top) // _BLOCK, last[1] + 1):
                blocks.setdefault((column, row), []).append((x, y, image))
    whole: dict[tuple[int, int], tuple[int, int, Image.Image]] = {}
    for (column, row), images in blocks.items():
        x0 = max(left + column * _BLOCK, min(x for x, _, _ in images))
        y0 = max(top + row * _BLOCK, min(y for _, y, _ in images))
        x1 = min(left + (column + 1) * _BLOCK, max(x + each.width for x, _, each in images))
        y1 = min(top + (row + 1) * _BLOCK, max(y + each.height for _, y, each in images))
        block = Image.new("RGBA", (x1 - x0, y1 - y0))
        for x, y, image in images:
            at, cut = (max(x - x0, 0), max(y - y0, 0)), (max(x0 - x, 0), max(y0 - y, 0))
            block.alpha_composite(image, at, cut)
        whole[column, row] = x0, y0, block
    for (column, row), (x0, y0, block) in whole.items():
        for later in ((column + 1, row), (column, row + 1)):
            if later in whole:
                block = _below(block, x0, y0, *whole[later])
        yield x0, y0, block


def _below(block: Image, x0: int, y0: int, x1: int, y1: int, later: Image) -> Image:
    """A picture that reaches below the opaque pixels of the one to the right of it or below it."""
    from PIL import Image

    right = x1 == x0 + block.width
    if not right and y1 != y0 + block.height:
        return block
    part = (_BELOW, later.height) if right else (later.width, _BELOW)
    strip = later.crop((0, 0, min(part[0], later.width), min(part[1], later.height)))
    opaque = strip.getchannel("A").point([0] * 255 + [255])
    size = (
        (block.width + strip.width, block.height)
        if right
        else (block.width, block.height + strip.height)
    )
    made = Image.new("RGBA", size)
    made.paste(block)
    made.paste(strip, (x1 - x0, y1 - y0), opaque)
    return made


def add_text(draft: Draft, each: Value, offset: Point) -> None:
    """A text is written in the middle of its box, in letters of the size of the picture's."""
    text = each.need("text")
    words = text.text("text")
    if not words.strip() or not each.truth("visible", default=True):
        return
    width, height = each.number("width"), each.number("height")
    at = [offset[0] + each.number("x") + width / 2, offset[1] + each.number("y") + height / 2]
    entry: Entry = {
        "text": words.replace("{", "{{").replace("}", "}}"),
        "at": rounded(at),
        "size": min(max(text.number("pixelsize", default=_LETTERS), 4.0), 100.0),
    }
    color = text.text("color").lstrip("#")
    if color:
        entry["color"] = "#" + (color[2:] + color[:2] if len(color) == 8 else color)
    draft.fields.setdefault("annotations", []).append(entry)
    draft.lose(each, "letters of a text are as large in the picture, however near the camera is")
