# SPDX-License-Identifier: MIT
"""Kerning of letters: the tables ``GPOS`` and ``kern``."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from .tables import Bytes, FontError

Kerning = Callable[[int, int], float]
"""The kerning of two glyphs, in the font's units."""
_Pair = Callable[[int, int], "int | None"]
"""The same; None where a table says nothing of two glyphs."""

MOST_TABLES = 2000
"""Tables of pairs in one font."""
_PAIRS, _EXTENDED = 2, 9


def read_kerning(tables: dict[str, Bytes]) -> Kerning:
    """The kerning of a font: its feature ``kern``, or else its table of that name."""
    lookups = _features(tables["GPOS"]) if "GPOS" in tables else []
    if not lookups:
        return _old(tables["kern"]) if "kern" in tables else lambda left, right: 0.0

    def kerning(left: int, right: int) -> float:
        total = 0
        try:
            for subtables in lookups:
                found = (pair(left, right) for pair in subtables)
                total += next((value for value in found if value is not None), 0)
        except FontError:  # of these two alone
            return 0.0
        return float(total)

    return kerning


def _old(table: Bytes) -> Kerning:
    """The table ``kern``, its horizontal pairs."""
    pairs: dict[tuple[int, int], int] = {}
    if table.get("H", 0) != 0:
        return lambda left, right: 0.0
    at = 4
    for _ in range(min(table.get("H", 2), MOST_TABLES)):
        _, size, coverage, count = table.get("HHHH", at)
        if coverage & 0xFF07 == 1:  # horizontal, format 0, neither bounds nor across
            flat = table.row("H", 3 * count, at + 14)
            values = (value - 0x10000 if value > 0x7FFF else value for value in flat[2::3])
            pairs |= dict(zip(zip(flat[0::3], flat[1::3], strict=True), values, strict=True))
        at += max(size, 6)
    return lambda left, right: float(pairs.get((left, right), 0))


def _features(table: Bytes) -> list[list[_Pair]]:
    """The pairs of each lookup of the feature ``kern``, in the order of lookups."""
    features, lookups = (table.part(at) for at in table.get("HH", 6))
    numbers: set[int] = set()
    for i in range(features.get("H", 0)):
        tag, at = features.get("4sH", 2 + 6 * i)
        if tag == b"kern":
            count = features.get("H", at + 2)
            numbers |= set(features.row("H", count, at + 4))
    found, left = [], MOST_TABLES
    for number in sorted(numbers):
        lookup = lookups.part(lookups.get("H", 2 + 2 * number))
        kind, _, count = lookup.get("HHH", 0)
        subtables = [lookup.part(at) for at in lookup.row("H", min(count, left), 6)]
        left -= len(subtables)
        pairs = [_pairs(kind, subtable) for subtable in subtables]
        found.append([pair for pair in pairs if pair is not None])
    return [each for each in found if each]


def _pairs(kind: int, table: Bytes) -> _Pair | None:
    """The pairs of a subtable; None where it has other positions."""
    if kind == _EXTENDED:
        kind, at = table.get("HI", 2)
        table = table.part(at)
    if kind != _PAIRS:
        return None
    form, at, first, second = table.get("HHHH", 0)
    if not first & 4 or form not in (1, 2):  # the first glyph keeps its width
        return None
    covered = _coverage(table.part(at))
    ahead, size = 2 * (first & 3).bit_count(), 2 * (first.bit_count() + second.bit_count())
    return (_by_glyphs if form == 1 else _by_classes)(table, covered, ahead, size)


def _by_glyphs(table: Bytes, covered: Callable[[int], int], ahead: int, size: int) -> _Pair:
    def pair(left: int, right: int) -> int | None:
        index = covered(left)
        if index < 0:
            return None
        at = table.get("H", 10 + 2 * index)
        low, high = 0, table.get("H", at)
        while low < high:
            middle = (low + high) // 2
            place = at + 2 + middle * (2 + size)
            glyph = table.get("H", place)
            if glyph == right:
                return int(table.get("h", place + 2 + ahead))
            low, high = (middle + 1, high) if glyph < right else (low, middle)
        return None

    return pair


def _by_classes(table: Bytes, covered: Callable[[int], int], ahead: int, size: int) -> _Pair:
    lefts, rights, rows, columns = table.get("HHHH", 8)
    of_left, of_right = _classes(table.part(lefts)), _classes(table.part(rights))

    def pair(left: int, right: int) -> int | None:
        if covered(left) < 0:
            return None
        row, column = of_left(left), of_right(right)
        if row >= rows or column >= columns:
            return None
        return int(table.get("h", 16 + (row * columns + column) * size + ahead))

    return pair


def _coverage(table: Bytes) -> Callable[[int], int]:
    """Which place a glyph has in a table; below 0 where it has none."""
    form, count = table.get("HH", 0)
    if form == 1:
        glyphs = table.row("H", count, 4)

        def listed(glyph: int) -> int:
            i = bisect_left(glyphs, glyph)
            return i if i < count and glyphs[i] == glyph else -1

        return listed
    flat = table.row("H", 3 * count, 4) if form == 2 else ()
    starts, ends, firsts = flat[0::3], flat[1::3], flat[2::3]

    def ranged(glyph: int) -> int:
        i = bisect_right(starts, glyph) - 1
        return firsts[i] + glyph - starts[i] if i >= 0 and glyph <= ends[i] else -1

    return ranged


def _classes(table: Bytes) -> Callable[[int], int]:
    """The class of a glyph; 0 is that of all others."""
    form, first = table.get("HH", 0)
    if form == 1:
        count = table.get("H", 4)
        values = table.row("H", count, 6)
        return lambda glyph: values[glyph - first] if first <= glyph < first + count else 0
    flat = table.row("H", 3 * first, 4) if form == 2 else ()
    starts, ends, kinds = flat[0::3], flat[1::3], flat[2::3]

    def ranged(glyph: int) -> int:
        i = bisect_right(starts, glyph) - 1
        return kinds[i] if i >= 0 and glyph <= ends[i] else 0

    return ranged
