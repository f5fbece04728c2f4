# SPDX-License-Identifier: MIT
"""Pictures for terminals that show pixels: the protocol of kitty, and sixels.

https://sw.kovidgoyal.net/kitty/graphics-protocol, and the VT330/VT340 manual's chapter on sixels.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
PIECE = 4096
"""Letters that kitty takes at once."""
LEVELS = 6
"""Of each of three colours in sixels, whose terminals have 256 of them at least."""


def kitty(image: Image) -> str:
    """A picture at the top left, in the place of the one before."""
    height, width, _ = image.shape
    data = zlib.compress(np.ascontiguousarray(image).tobytes(), 1)
    letters = base64.b64encode(data).decode("ascii")
    pieces = [letters[i : i + PIECE] for i in range(0, len(letters), PIECE)]
    first = f"a=T,f=24,o=z,s={width},v={height},i=1,p=1,q=2,C=1,"
    parts = []
    for i, piece in enumerate(pieces):
        more = int(i + 1 < len(pieces))
        parts.append(f"\x1b_G{first if i == 0 else ''}m={more};{piece}\x1b\\")
    return "\x1b[1;1H" + "".join(parts)


def sixel(image: Image) -> str:
    """A picture at the top left, in 216 colours."""
    height, width, _ = image.shape
    levels = (image.astype(np.int64) * (LEVELS - 1) + 127) // 255
    colors = (levels[..., 0] * LEVELS + levels[..., 1]) * LEVELS + levels[..., 2]
    used = np.unique(colors).tolist()
    table = "".join(f"#{color};2;{_percent(color)}" for color in used)
    bands = [_band(colors[y : y + 6]) for y in range(0, height, 6)]
    return f'\x1b[1;1H\x1bP0;1;0q"1;1;{width};{height}{table}{"-".join(bands)}\x1b\\'


def _percent(color: int) -> str:
    """Red, green and blue of 100."""
    parts = (color // (LEVELS * LEVELS), color // LEVELS % LEVELS, color % LEVELS)
    return ";".join(str(part * 100 // (LEVELS - 1)) for part in parts)


def _band(rows: NDArray[np.int64]) -> str:
    """Six rows of pixels: for each colour, a sign for each column says which of them have it."""
    bits = (1 << np.arange(len(rows)))[:, None]
    lines = []
    for color in np.unique(rows).tolist():
        signs = ((rows == color) * bits).sum(axis=0)
        lines.append(f"#{color}" + _runs(signs))
    return "$".join(lines)


def _runs(signs: NDArray[np.int64]) -> str:
    """Signs, with those that repeat as a count and one of them."""
    changes = np.flatnonzero(signs[1:] != signs[:-1]) + 1
    starts, ends = [0, *changes.tolist()], [*changes.tolist(), len(signs)]
    parts = []
    for start, end in zip(starts, ends, strict=True):
        letter, count = chr(63 + int(signs[start])), end - start
        parts.append(f"!{count}{letter}" if count > 3 else letter * count)
    return "".join(parts)
