# SPDX-License-Identifier: MIT
"""Files of fonts as tables of bytes, and the tables that all of them have.

The formats are those of the OpenType specification, version 1.9. Whatever a file says, nothing is
read beside it: a wrong offset is a FontError.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

Point = tuple[float, float]
Contour = list[tuple[float, ...]]
"""A start (x, y), then lines (x, y), curves (bx, by, x, y) and (bx, by, cx, cy, x, y), closed."""
Outline = list[Contour]


class FontError(ValueError):
    """A file that cannot be used as a font."""


class Bytes:
    """A part of a file, read at offsets from its start."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def get(self, form: str, at: int) -> Any:
        """One number or several, in the order of the network."""
        try:
            found = struct.unpack_from(">" + form, self.data, at)
        except struct.error:
            raise FontError("the font is damaged: a table is too short") from None
        return found[0] if len(found) == 1 else found

    def row(self, letter: str, count: int, at: int) -> tuple[int, ...]:
        """Numbers of one type."""
        try:
            return struct.unpack_from(f">{count}{letter}", self.data, at)
        except struct.error:
            raise FontError("the font is damaged: a table is too short") from None

    def part(self, at: int, size: int | None = None) -> Bytes:
        """The bytes from an offset on."""
        end = len(self.data) if size is None else at + size
        if not 0 <= at <= end <= len(self.data):
            raise FontError("the font is damaged: a table reaches beyond the file")
        return Bytes(self.data[at:end])


def read_tables(data: bytes) -> dict[str, Bytes]:
    """The tables of a font file by their names; of a collection, those of its first font."""
    file, start = Bytes(data), 0
    kind = data[:4]
    if kind == b"ttcf":
        start = file.get("I", 12)
        kind = data[start : start + 4]
    if kind in (b"wOFF", b"wOF2"):
        raise FontError("the font is packed for the web (WOFF); give it as TTF or OTF")
    if kind not in (b"\0\1\0\0", b"true", b"OTTO"):
        raise FontError("the file is no font: a font is a TTF or OTF file")
    tables = {}
    for i in range(file.get("H", start + 4)):
        name, _, at, size = file.get("4sIII", start + 12 + 16 * i)
        tables[name.decode("latin-1")] = file.part(at, size)
    return tables


# ---------------------------------------------------------------- which glyph a letter is

Lookup = Callable[[int], int]
"""The number of the glyph of a letter; 0 where there is none."""


def read_letters(table: Bytes) -> Lookup:
    """The table ``cmap``: the subtable with the most of Unicode."""
    best: tuple[int, int] | None = None
    for i in range(table.get("H", 2)):
        platform, encoding, at = table.get("HHI", 4 + 8 * i)
        form = table.get("H", at)
        unicode = platform == 0 or (platform == 3 and encoding in (1, 10))
        if unicode and form in _FORMS and (best is None or form > best[0]):
            best = form, at
    if best is None:
        raise FontError("the font has no table of Unicode letters")
    return _FORMS[best[0]](table.part(best[1]))


def _in_segments(table: Bytes) -> Lookup:
    """Format 4: segments of the first 65,536 letters."""
    count = table.get("H", 6) // 2
    ends = table.row("H", count, 14)
    starts = table.row("H", count, 16 + 2 * count)
    shifts = table.row("H", count, 16 + 4 * count)
    ways = 16 + 6 * count
    offsets = table.row("H", count, ways)

    def glyph(code: int) -> int:
        i = bisect_left(ends, code)
        if i >= count or code < starts[i]:
            return 0
        if offsets[i] == 0:
            return int(code + shifts[i]) & 0xFFFF
        found = table.get("H", ways + 2 * i + offsets[i] + 2 * (code - starts[i]))
        return int(found + shifts[i]) & 0xFFFF if found else 0

    return glyph


def _in_table(table: Bytes) -> Lookup:
    """Format 6: one run of letters."""
    first, count = table.get("HH", 6)
    glyphs = table.row("H", count, 10)
    return lambda code: glyphs[code - first] if first <= code < first + count else 0


def _in_groups(table: Bytes) -> Lookup:
    """Format 12: groups of letters, of all there are."""
    count = table.get("I", 12)
    flat = table.row("I", 3 * min(count, len(table) // 12), 16)
    starts, ends, glyphs = flat[0::3], flat[1::3], flat[2::3]

    def glyph(code: int) -> int:
        i = bisect_right(starts, code) - 1
        return glyphs[i] + code - starts[i] if i >= 0 and code <= ends[i] else 0

    return glyph


_FORMS: dict[int, Callable[[Bytes], Lookup]] = {4: _in_segments, 6: _in_table, 12: _in_groups}
