# SPDX-License-Identifier: MIT
"""The cells of a layer of tiles: of one block or of chunks, in each of Tiled's encodings."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator

from ..drafts.places import Value

MOST_CELLS = 1_000_000
"""The limit of cells of a map."""
ALL = 0xFFFFFFFF
Cell = tuple[int, int, int]
"""Column, row and the tile's number with its flips."""


def cells_of(layer: Value, most: int = MOST_CELLS) -> list[Cell]:
    """The cells of a layer that have tiles, row by row."""
    blocks = layer.items("chunks") if layer.has("chunks") else [layer]
    found: list[Cell] = []
    count = 0
    for block in blocks:
        width, height = block.whole("width"), block.whole("height")
        count += max(width, 0) * max(height, 0)
        if count > most:
            raise layer.fail("limit", f"the map has more than {MOST_CELLS:,} cells; the limit")
        found += _block(layer, block, width, height)
    found.sort(key=lambda cell: (cell[1], cell[0]))
    return found


def _block(layer: Value, block: Value, width: int, height: int) -> Iterator[Cell]:
    if not block.has("data"):
        return
    held = block.need("data")
    numbers = _numbers(layer, held, width * height)
    if len(numbers) != width * height:
        raise held.fail("wrong-type", f"must have {width} x {height} tiles, not {len(numbers)}")
    left, top = block.whole("x"), block.whole("y")
    for i, number in enumerate(numbers):
        if number:
            yield left + i % width, top + i // width, number


def _numbers(layer: Value, held: Value, count: int) -> list[int]:
    if isinstance(held.data, str):
        return _decoded(layer, held, count)
    for i, number in enumerate(held.items()):
        if isinstance(number.data, bool) or not isinstance(number.data, int):
            raise number.fail("wrong-type", f"must be the number of a tile, not {number.data!r}")
        if not 0 <= number.data <= ALL:
            raise number.fail("out-of-range", f"no tile has the number {number.data}")
        if i > MOST_CELLS:
            break
    return list(held.data)


def _decoded(layer: Value, held: Value, count: int) -> list[int]:
    """Numbers of 32 bits, packed and written in letters."""
    packing = layer.text("compression")
    try:
        data = base64.b64decode("".join(held.data.split()), validate=True)
        if packing in ("zlib", "gzip"):
            data = zlib.decompressobj(wbits=47).decompress(data, 4 * count + 1)
        elif packing:
            raise held.fail(
                "unsupported",
                f"cells packed by {packing!r} are not read; choose CSV, zlib or gzip as the "
                "map's Tile Layer Format",
            )
    except (binascii.Error, ValueError, zlib.error) as error:
        raise held.fail("syntax", f"these are no cells: {error}") from None
    if len(data) != 4 * count:
        raise held.fail("wrong-type", f"must have {count} tiles, not {len(data) / 4:g}")
    return list(struct.unpack(f"<{count}I", data))
