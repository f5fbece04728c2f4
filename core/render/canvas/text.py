# SPDX-License-Identifier: MIT
"""Text as pictures: each letter is drawn once, the rasterizer lays it onto every frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...errors import UsageError
from ...fonts.font import Font, composed, is_blank, is_hidden, shipped
from ...fonts.formulas import TypesetFormula
from ...fonts.tables import FontError
from ...scene.text.fonts import read_font
from .colors import Color, contrast, readable
from .display import Items
from .formulas import Formulas
from .outlines import cover

UInt8 = NDArray[np.uint8]
Int32 = NDArray[np.int32]
Float64 = NDArray[np.float64]

DIGITS = "0123456789"
EM = 0.92
"""The size of a font, for letters of size 1."""
LINE = 0.93
"""Depth of the baseline below the top of a line, for letters of size 1."""
ABOVE, BELOW = 0.85, 0.3
"""Reach of letters above and below the baseline, for letters of size 1."""
SMALLEST, LARGEST = 6, 400
"""Sizes of letters in pixels."""
PLACES = 4
"""Letters begin at this many places within a pixel; large ones at whole pixels."""
LARGE = 64
"""Letters of this size are large."""


@dataclass(frozen=True, slots=True)
class _Letter:
    """A letter of a size: its glyph, and how far it is to the next letter."""

    font: Font | Formulas
    glyph: int
    shift: float
    advance: float
    kerned: bool


@dataclass(frozen=True, slots=True)
class _PlacedGlyph:
    """A glyph at a place within a pixel, as a picture of the table."""

    picture: int
    left: int
    top: int


class PictureTable:
    """The pictures that a display list names, as rows of a table and their bytes.

    Attributes:
        formulas: those that are among them.
    """

    def __init__(self) -> None:
        self._bytes: list[UInt8] = []
        self._rows: list[tuple[int, int, int, int]] = []
        self.formulas = Formulas()
        self._used = 0
        self._arrays: tuple[UInt8, Int32] | None = None

    def arrays(self) -> tuple[UInt8, Int32]:
        """The bytes and the table of all so far."""
        if self._arrays is None:
            data = np.concatenate(self._bytes) if self._bytes else np.zeros(0, np.uint8)
            self._arrays = (data, np.array(self._rows, np.int32).reshape(-1, 4))
        return self._arrays

    def add(self, pixels: UInt8) -> int:
        """Keep a picture [h, w, 1 or 4]; its index."""
        height, width, channels = pixels.shape
        self._rows.append((self._used, width, height, channels))
        self._bytes.append(np.ascontiguousarray(pixels).reshape(-1))
        self._used += pixels.size
        self._arrays = None
        return len(self._rows) - 1


def font_of(path: str | None) -> Font | None:
    """The font of a file that was read before; None where there is none."""
    if path is None:
        return None
    try:
        return read_font(path)
    except ValueError as error:
        raise UsageError(f"the font {path}: {error}") from None


class Lettering:
    """Letters of one font, in as many sizes as are asked for.

    What the font lacks is taken from the font that is shipped. Digits are all given the same width,
    so that a running clock does not wobble.
    """

    def __init__(self, font: Font | None = None, pictures: PictureTable | None = None) -> None:
        self._fonts: tuple[Font, ...] = (shipped(),) if font is None else (font, shipped())
        self._pictures = PictureTable() if pictures is None else pictures
        self._letters: dict[str, _Letter | None] = {}
        self._drawn: dict[tuple[int, int, Font | Formulas, int], _PlacedGlyph | None] = {}
        self._digits = 0.0

    def in_font(self, font: Font | None) -> Lettering:
        """Letters of another font among the same pictures; of this one where none is given."""
        if font is None or font is self._fonts[0]:
            return self
        made = Lettering(None, self._pictures)
        made._fonts = (font, *self._fonts)
        return made

    def pictures(self) -> tuple[UInt8, Int32]:
        """The bytes and the table of all pictures so far, as ``_native.rasterize`` takes them."""
        return self._pictures.arrays()

    def add_picture(self, pixels: UInt8) -> int:
        """Keep a picture [h, w, 1 or 4]; its index."""
        return self._pictures.add(pixels)

    def formula(self, source: str) -> str:
        """The sign that stands for a formula in texts of these letters."""
        return self._pictures.formulas.sign(source)

    @property
    def formulas(self) -> list[TypesetFormula]:
        """All formulas that have a sign, in the order of these."""
        return self._pictures.formulas.all

    def beyond(self, text: str, size: float) -> tuple[float, float]:
        """Reach of formulas above and below a usual line of text, in pixels."""
        known = self._pictures.formulas
        numbers = [] if text.isascii() else map(known.number, text)
        there = [reach(known.all[number]) for number in numbers if number is not None]
        up, down = (max((each[i] for each in there), default=0.0) for i in (0, 1))
        return up * _pixels(size), down * _pixels(size)

    def width(self, text: str, size: float) -> float:
        """The width of a line of text in pixels."""
        return self._line(text)[1] * _pixels(size)

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
        pixels = _pixels(size)
        letters, wide = self._line(text)
        x = at[0] - align * wide * pixels
        line = float(np.floor(at[1] + LINE * pixels + 0.5))
        places = PLACES if pixels < LARGE else 1
        for letter, ahead in letters:
            start = np.floor((x + ahead * pixels) * places + 0.5) / places
            whole = np.floor(start)
            drawn = self._picture(letter, pixels, round((start - whole) * PLACES))
            if drawn is not None:
                place = (float(whole) + drawn.left, line + drawn.top)
                items.add("picture", [place], color, a=float(drawn.picture))

    def _line(self, text: str) -> tuple[list[tuple[_Letter, float]], float]:
        """The letters of a line and where they begin, and its width, for letters of size 1."""
        placed: list[tuple[_Letter, float]] = []
        x = 0.0
        before: _Letter | None = None
        for sign in composed(text):
            letter = self._letter(sign)
            if letter is None:
                continue
            if (
                before is not None
                and before.kerned
                and letter.kerned
                and before.font is letter.font
            ):
                x += EM * letter.font.kerning(before.glyph, letter.glyph)
            placed.append((letter, x + letter.shift))
            x += letter.advance
            before = letter
        return placed, x

    def _letter(self, sign: str) -> _Letter | None:
        """A letter; None for a sign without width."""
        if sign not in self._letters:
            self._letters[sign] = self._found(sign)
        return self._letters[sign]

    def _found(self, sign: str) -> _Letter | None:
        number = self._pictures.formulas.number(sign)
        if number is not None:
            formulas = self._pictures.formulas
            return _Letter(formulas, number, 0.0, EM * formulas.advance(number), False)
        blank = is_blank(sign)
        if is_hidden(sign) and not blank:
            return None
        font = next((each for each in self._fonts if each.has(sign)), self._fonts[0])
        glyph = font.glyph(sign) or (font.glyph(" ") if blank else 0)
        advance = EM * font.advance(glyph)
        if sign not in DIGITS:
            return _Letter(font, glyph, 0.0, advance, True)
        widest = EM * max(font.advance(font.glyph(digit)) for digit in DIGITS)
        return _Letter(font, glyph, 0.5 * (widest - advance), widest, False)

    def _picture(self, letter: _Letter, pixels: int, place: int) -> _PlacedGlyph | None:
        key = (pixels, place, letter.font, letter.glyph)
        if key not in self._drawn:
            self._drawn[key] = self._draw(*key)
        return self._drawn[key]

    def _draw(
        self, pixels: int, place: int, font: Font | Formulas, glyph: int
    ) -> _PlacedGlyph | None:
        em = EM * pixels
        try:
            outline = font.outline(glyph)
        except FontError:  # of this glyph alone: the others can be read
            outline = shipped().outline(0)
        found = cover(outline, em, place / PLACES, _heights(font, em))
        if found is None:
            return None
        left, top, mask = found
        return _PlacedGlyph(self._pictures.add(mask[:, :, None]), left, top)


RIM = 0.12
"""The rim round letters, in letters, and at least a pixel."""
FAINT = 1.7
"""A contrast with their rim in which letters are not read."""
CLEAR = 12.0
"""The contrast that they get then."""


def write_rimmed(
    items: Items,
    lettering: Lettering,
    text: str,
    at: tuple[float, float],
    colors: tuple[Color, Color],
    size: float,
    align: float = 0.5,
) -> None:
    """Write a line with a rim, to be read on any colour; ``colors`` are those of the letters and of
    the rim, ``at`` and ``align`` as of ``Lettering.add``.

    The rim of letters of about its own colour is darker or brighter, to be told from them.
    """
    if not text or not (np.isfinite(at[0]) and np.isfinite(at[1])):
        return
    ink, paper = colors
    if contrast(ink, paper) < FAINT:
        paper = readable(paper, ink, CLEAR)
    far = max(RIM * size, 1.0)
    near = 0.7 * far
    for x, y in ((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far)):
        lettering.add(items, text, (at[0] + x, at[1] + y), paper, size, align=align)
    for x, y in ((near, near), (-near, near), (near, -near), (-near, -near)):
        lettering.add(items, text, (at[0] + x, at[1] + y), paper, size, align=align)
    lettering.add(items, text, at, ink, size, align=align)


def reach(formula: TypesetFormula) -> tuple[float, float]:
    """Reach of a formula above and below a usual line, for letters of size 1."""
    return max(EM * formula.above - ABOVE, 0.0), max(EM * formula.below - BELOW, 0.0)


def _heights(font: Font | Formulas, em: float) -> Callable[[Float64], Float64]:
    """Pixels of heights: small letters and capitals of a font end at whole ones."""
    if isinstance(font, Formulas):
        return lambda y: y * em
    low, high = font.small, max(font.capital, font.small + 0.01)
    small = np.floor(em * low + 0.5)
    capital = max(np.floor(em * font.capital + 0.5), small + 1.0)

    def height(y: Float64) -> Float64:
        between = small + (y - low) * ((capital - small) / (high - low))
        above = np.where(y > high, capital + (y - high) * em, between)
        fitted: Float64 = np.where(y <= 0.0, y * em, np.where(y <= low, y * (small / low), above))
        return fitted

    return height


def _pixels(size: float) -> int:
    return min(max(int(size + 0.5), SMALLEST), LARGEST)


def draw_onto(image: NDArray[np.uint8], items: Items) -> None:
    """Draw items without letters onto a finished picture."""
    _native.rasterize(image, *items.arrays(), *Lettering().pictures())
