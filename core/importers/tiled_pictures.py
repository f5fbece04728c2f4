# SPDX-License-Identifier: MIT
"""Visible parts of Tiled maps without collision: tile pictures, image layers, texts."""

from __future__ import annotations

from ..scene.model import Point
from .drafts.draft import Draft, Entry
from .drafts.geometry import rounded
from .drafts.places import Value

_FLIPPED = {0x80000000: "x", 0x40000000: "y"}
_TURNED = 0x30000000
_TILE = 0x0FFFFFFF
_LETTERS = 16.0  # pixels, where a text says no size


class Tiles:
    """The pictures of tiles by their number, for tilesets within the map."""

    def __init__(self, draft: Draft, value: Value) -> None:
        self.draft = draft
        self.sets = sorted(value.items("tilesets"), key=lambda each: -each.whole("firstgid"))

    def put_picture(self, entry: Entry, each: Value, losses: list[str]) -> None:
        """The texture of an object that is a tile, or why it has none."""
        number = each.whole("gid")
        try:
            texture = self._texture(number & _TILE)
        except ValueError as error:
            losses.append(f"a tile without its picture: {error}")
            return
        mirrors = [axis for bit, axis in _FLIPPED.items() if number & bit]
        if len(mirrors) == 1:
            texture["mirror"] = mirrors[0]
        elif mirrors:
            texture["angle"] = 180.0
        if number & _TURNED:
            losses.append("the picture of a tile that is turned is upright")
        entry["texture"] = texture

    def _texture(self, number: int) -> Entry:
        owner = next((each for each in self.sets if each.whole("firstgid") <= number), None)
        if owner is None or owner.has("source"):
            raise ValueError("its tileset is a file of its own")
        index = number - owner.whole("firstgid")
        if not owner.has("image"):
            tiles = [tile for tile in owner.items("tiles") if tile.whole("id") == index]
            if not tiles:
                raise ValueError(f"its tileset has no tile {index}")
            return {"file": self.draft.pictures.find(tiles[0].text("image"))}
        name = self.draft.pictures.find(owner.text("image"))
        width, height = self.draft.pictures.size(name)
        size = owner.whole("tilewidth"), owner.whole("tileheight")
        if min(size) < 1 or owner.number("margin") or owner.number("spacing"):
            raise ValueError("its tileset has gaps between the tiles")
        columns, rows = width // size[0], height // size[1]
        if (columns * size[0], rows * size[1]) != (
            width,
            height,
        ) or not 0 <= index < columns * rows:
            raise ValueError(f"its tileset does not fill {name!r}")
        return {"sheet": name, "grid": [columns, rows], "frame": index}


def add_image(draft: Draft, layer: Value, offset: Point) -> None:
    """A layer of an image, whose upper left corner is where the layer is."""
    if not layer.truth("visible", default=True):
        return
    try:
        name = draft.pictures.find(layer.text("image"))
    except ValueError as error:
        draft.lose(layer, str(error))
        return
    width, height = draft.pictures.size(name)
    at = [offset[0] + layer.number("x") + width / 2, offset[1] + layer.number("y") + height / 2]
    made: Entry = {"image": name, "at": rounded(at), "scale": 1.0}
    parallax = layer.number("parallaxx", default=1.0)
    if parallax != 1.0:
        made["parallax"] = parallax
    if layer.number("parallaxy", default=parallax) != parallax:
        draft.lose(layer, "the image goes by up and down as fast as it does sideways")
    repeats = [axis for axis in "xy" if layer.truth(f"repeat{axis}")]
    if repeats:
        made["repeat"] = "both" if len(repeats) == 2 else repeats[0]
    opacity = min(max(layer.number("opacity", default=1.0), 0.0), 1.0)
    tint = layer.text("tintcolor").lstrip("#")
    tint = tint[2:] + tint[:2] if len(tint) == 8 else tint  # its opacity comes first there
    if opacity < 1.0 and len(tint) in (0, 6):
        tint = f"{tint or 'ffffff'}{round(255 * opacity):02x}"
    if tint:
        made["tint"] = f"#{tint}"
    draft.fields.setdefault("layers", []).append(made)


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
