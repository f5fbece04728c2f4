# SPDX-License-Identifier: MIT
"""A font, and the letters of a text from the first font that has them."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Protocol

from .compact import Compact
from .kerning import read_kerning
from .tables import FontError, Outline, read_letters, read_tables
from .truetype import TrueType

SHIPPED = Path(__file__).parent / "data" / "DejaVuSans.ttf"
_NEEDED = ("head", "hhea", "hmtx", "maxp", "cmap")


class _Glyphs(Protocol):
    def outline(self, glyph: int) -> Outline: ...


class Font:
    """A font file in memory. Numbers are in parts of its em, y up from the line.

    FontError says why a file is none.

    Attributes:
        small: how high small letters are.
        capital: how high capitals are.
    """

    def __init__(self, data: bytes) -> None:
        tables = read_tables(data)
        missing = [name for name in _NEEDED if name not in tables]
        if missing:
            raise FontError(f"the font is damaged: it has no table `{missing[0]}`")
        self._units = float(tables["head"].get("H", 18))
        if not 16 <= self._units <= 16384:
            raise FontError("the font is damaged: its em has no size")
        count = tables["maxp"].get("H", 4)
        wide = tables["hhea"].get("H", 34)
        if not 1 <= wide <= max(count, 1):
            raise FontError("the font is damaged: its letters have no widths")
        self._advances = tables["hmtx"].row("H", 2 * wide, 0)[0::2] if wide else ()
        self._glyphs: _Glyphs
        if "glyf" in tables and "loca" in tables:
            self._glyphs = TrueType(tables, count)
        elif "CFF " in tables:
            self._glyphs = Compact(tables["CFF "])
        else:
            raise FontError("the font has no outlines (`glyf` or `CFF `) to draw letters from")
        self._glyph_of = read_letters(tables["cmap"])
        self._count = count
        self._kerning = read_kerning(tables)
        self.small, self.capital = self._height("x", 0.5), self._height("H", 0.7)

    def has(self, letter: str) -> bool:
        """Whether there is a glyph of a letter."""
        return self.glyph(letter) != 0

    def glyph(self, letter: str) -> int:
        """The glyph of a letter; 0, a box, where there is none."""
        try:
            found = self._glyph_of(ord(letter))
        except FontError:
            return 0
        return found if 0 < found < self._count else 0

    def advance(self, glyph: int) -> float:
        """The advance width of a glyph."""
        return float(self._advances[min(glyph, len(self._advances) - 1)]) / self._units

    def kerning(self, left: int, right: int) -> float:
        """The kerning of two neighbours, mostly below 0."""
        return self._kerning(left, right) / self._units

    def outline(self, glyph: int) -> Outline:
        """The outline of a glyph; inside is what it runs round. FontError if it is damaged."""
        units = self._units
        return [
            [tuple(part / units for part in each) for each in contour]
            for contour in self._glyphs.outline(glyph)
        ]

    def _height(self, letter: str, usual: float) -> float:
        glyph = self.glyph(letter)
        points = [each[-1] for contour in self.outline(glyph) for each in contour] if glyph else []
        return max(points) if points and 0.1 < max(points) < 2.0 else usual


@cache
def shipped() -> Font:
    """The font that is shipped: letters of DejaVu Sans."""
    return Font(SHIPPED.read_bytes())


def is_hidden(letter: str) -> bool:
    """Whether a character has neither a look nor a width: controls, and what guides others."""
    return unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") or (
        "\ufe00" <= letter <= "\ufe0f"  # which of two looks of a sign is meant
    )


def is_blank(letter: str) -> bool:
    """Whether a character is a space, of whatever width."""
    return letter == "\t" or unicodedata.category(letter) == "Zs"


def composed(text: str) -> str:
    """A text in which letters with accents are one character each, where there is such a one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def missing(text: str, *fonts: Font) -> list[str]:
    """The characters of a text of which neither these fonts nor the shipped one has a glyph."""
    if text.isascii():
        return []
    return [
        letter
        for letter in dict.fromkeys(composed(text))
        if not (is_hidden(letter) or is_blank(letter))
        and not any(font.has(letter) for font in (*fonts, shipped()))
    ]
