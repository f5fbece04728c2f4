# SPDX-License-Identifier: MIT
"""Outlines of TrueType: the tables ``loca`` and ``glyf``."""

from __future__ import annotations

from .tables import Bytes, Contour, FontError, Outline, Point

MOST_POINTS = 20_000
"""Of one glyph, with those that it is made of."""
DEEPEST = 6
"""Glyphs that are made of others, which are made of others."""

_ON, _SHORT_X, _SHORT_Y, _AGAIN, _SAME_X, _SAME_Y = 1, 2, 4, 8, 16, 32
_WORDS, _SHIFTS, _SCALE, _MORE, _SCALES, _MATRIX = 1, 2, 8, 32, 64, 128


class TrueType:
    """The glyphs of a font, each read when it is asked for."""

    def __init__(self, tables: dict[str, Bytes], count: int) -> None:
        long = tables["head"].get("h", 50)
        places = tables["loca"].row("I" if long else "H", count + 1, 0)
        self._places = places if long else tuple(2 * place for place in places)
        self._data = tables["glyf"]
        self._left = 0

    def outline(self, glyph: int) -> Outline:
        """The outline of a glyph in the font's units, y up."""
        self._left = MOST_POINTS
        return self._read(glyph, 0)

    def _read(self, glyph: int, depth: int) -> Outline:
        if not 0 <= glyph < len(self._places) - 1:
            raise FontError("the font is damaged: it has no such glyph")
        start, end = self._places[glyph : glyph + 2]
        if end <= start:
            return []
        data = self._data.part(start, end - start)
        contours = data.get("h", 0)
        return self._simple(data, contours) if contours >= 0 else self._composed(data, depth)

    def _simple(self, data: Bytes, contours: int) -> Outline:
        if contours == 0:
            return []
        ends = data.row("H", contours, 10)
        at = 10 + 2 * contours
        at += 2 + data.get("H", at)
        count = max(ends) + 1
        self._left -= count
        if self._left < 0:
            raise FontError(f"a glyph has more than {MOST_POINTS} points; that is the limit")
        flags: list[int] = []
        while len(flags) < count:
            flag = data.get("B", at)
            at += 1
            times = 1
            if flag & _AGAIN:
                times += data.get("B", at)
                at += 1
            flags += [flag] * times
        xs, at = _coordinates(data, flags[:count], at, _SHORT_X, _SAME_X)
        ys, at = _coordinates(data, flags[:count], at, _SHORT_Y, _SAME_Y)
        made, first = [], 0
        for end in ends:
            ring = [(xs[i], ys[i], bool(flags[i] & _ON)) for i in range(first, end + 1)]
            first = end + 1
            if len(ring) > 2:
                made.append(_contour(ring))
        return made

    def _composed(self, data: Bytes, depth: int) -> Outline:
        if depth >= DEEPEST:
            raise FontError("the font is damaged: a glyph is made of itself")
        made: Outline = []
        at, more = 10, True
        while more:
            flags, glyph = data.get("HH", at)
            at += 4
            x, y = data.get("hh" if flags & _WORDS else "bb", at)
            at += 4 if flags & _WORDS else 2
            a, b, c, d = 1.0, 0.0, 0.0, 1.0
            if flags & _SCALE:
                a = d = data.get("h", at) / 16384
                at += 2
            elif flags & _SCALES:
                a, d = (part / 16384 for part in data.get("hh", at))
                at += 4
            elif flags & _MATRIX:
                a, b, c, d = (part / 16384 for part in data.get("hhhh", at))
                at += 8
            dx, dy = (float(x), float(y)) if flags & _SHIFTS else (0.0, 0.0)
            for contour in self._read(glyph, depth + 1):
                made.append([_moved(each, (a, b, c, d, dx, dy)) for each in contour])
            self._left -= 1
            if self._left < 0:
                raise FontError(f"a glyph has more than {MOST_POINTS} points; that is the limit")
            more = bool(flags & _MORE)
        return made


def _coordinates(
    data: Bytes, flags: list[int], at: int, short: int, same: int
) -> tuple[list[float], int]:
    found, value = [], 0
    for flag in flags:
        if flag & short:
            step = data.get("B", at)
            value += step if flag & same else -step
            at += 1
        elif not flag & same:
            value += data.get("h", at)
            at += 2
        found.append(float(value))
    return found, at


def _contour(ring: list[tuple[float, float, bool]]) -> Contour:
    """Between two points beside the curve is one on it, in their middle."""
    first = next((i for i, point in enumerate(ring) if point[2]), None)
    if first is None:
        start = _middle(ring[-1][:2], ring[0][:2])
    else:
        start = ring[first][:2]
        ring = [*ring[first + 1 :], *ring[:first]]
    made: Contour = [start]
    beside: Point | None = None
    for x, y, on in [*ring, (*start, True)]:
        if beside is not None:
            end = (x, y) if on else _middle(beside, (x, y))
            made.append((*beside, *end))
        elif on:
            made.append((x, y))
        beside = None if on else (x, y)
    return made


def _middle(a: Point, b: Point) -> Point:
    return 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])


def _moved(each: tuple[float, ...], by: tuple[float, ...]) -> tuple[float, ...]:
    a, b, c, d, dx, dy = by
    flat: list[float] = []
    for x, y in zip(each[0::2], each[1::2], strict=True):
        flat += (a * x + c * y + dx, b * x + d * y + dy)
    return tuple(flat)
