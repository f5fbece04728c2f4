# SPDX-License-Identifier: MIT
"""Text as pictures: Pillow draws each letter once, the rasterizer lays it onto every frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from .colors import Color
from .display import Items
from .signs import draw_sign, sign_advance

UInt8 = NDArray[np.uint8]
Int32 = NDArray[np.int32]

DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class _Letter:
    picture: int  # row of the picture table, or -1 for a blank
    left: float
    top: float
    advance: float


class Lettering:
    """Letters of one font, in as many sizes as are asked for.

    Digits are all given the same width, so that a running clock does not wobble.
    """

    def __init__(self) -> None:
        self._fonts: dict[int, ImageFont.FreeTypeFont | ImageFont.ImageFont] = {}
        self._letters: dict[tuple[int, str], _Letter] = {}
        self._bytes: list[UInt8] = []
        self._rows: list[tuple[int, int, int, int]] = []
        self._used = 0
        self._arrays: tuple[UInt8, Int32] | None = None

    def pictures(self) -> tuple[UInt8, Int32]:
        """The bytes and the table of all pictures so far, as ``_native.rasterize`` takes them."""
        if self._arrays is None:
            data = np.concatenate(self._bytes) if self._bytes else np.zeros(0, np.uint8)
            self._arrays = (data, np.array(self._rows, np.int32).reshape(-1, 4))
        return self._arrays

    def add_picture(self, pixels: UInt8) -> int:
        """Keep a picture [h, w, 1 or 4]; its index."""
        height, width, channels = pixels.shape
        self._rows.append((self._used, width, height, channels))
        self._bytes.append(np.ascontiguousarray(pixels).reshape(-1))
        self._used += pixels.size
        self._arrays = None
        return len(self._rows) - 1

    def width(self, text: str, size: float) -> float:
        """How many pixels a line of text takes."""
        return sum(self._letter(letter, _pixels(size)).advance for letter in text)

    def add(
        self,
        items: Items,
        text: str,
        at: tuple[float, float],
        color: Color,
        size: float,
        align: float = 0.0,
    ) -> None:
        """Write a line. ``at`` is its top left (``align`` 0), top middle (0.5) or top right (1)."""
        x = at[0] - align * self.width(text, size)
        for letter in text:
            drawn = self._letter(letter, _pixels(size))
            if drawn.picture >= 0:
                place = (x + drawn.left, at[1] + drawn.top)
                items.add("picture", [place], color, a=float(drawn.picture))
            x += drawn.advance

    def _letter(self, letter: str, size: int) -> _Letter:
        found = self._letters.get((size, letter))
        if found is None:
            found = self._draw(letter, size)
            self._letters[size, letter] = found
        return found

    def _draw(self, letter: str, size: int) -> _Letter:
        font = self._fonts.get(size)
        if font is None:
            font = self._fonts[size] = ImageFont.load_default(size)
        advance = sign_advance(letter, size)
        if advance is not None:
            mask = draw_sign(letter, size)
            picture = self.add_picture(np.asarray(mask, np.uint8)[:, :, None])
            return _Letter(picture, 0.0, 0.0, advance)
        advance = font.getlength(letter)
        shift = 0.0
        if letter in DIGITS:
            widest = max(font.getlength(digit) for digit in DIGITS)
            shift, advance = 0.5 * (widest - advance), widest
        left, top, right, bottom = (int(edge) for edge in font.getbbox(letter))
        if right <= left or bottom <= top:
            return _Letter(-1, 0.0, 0.0, float(advance))
        mask = Image.new("L", (right - left, bottom - top), 0)
        ImageDraw.Draw(mask).text((-left, -top), letter, fill=255, font=font)
        picture = self.add_picture(np.asarray(mask, np.uint8)[:, :, None])
        return _Letter(picture, left + shift, float(top), float(advance))


def _pixels(size: float) -> int:
    return min(max(int(size + 0.5), 6), 200)
