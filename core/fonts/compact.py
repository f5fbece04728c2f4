# SPDX-License-Identifier: MIT
"""Outlines of the Compact Font Format: the table ``CFF`` of OTF files.

Glyphs are programs of a stack machine (Adobe technical notes 5176 and 5177).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .tables import Bytes, Contour, FontError, Outline

MOST_STEPS = 100_000
"""The limit of one glyph's program."""
DEEPEST = 10
"""Subroutines that call subroutines."""

Dict = dict[int, list[float]]
_PRIVATE, _CHARSTRINGS, _SUBROUTINES = 18, 17, 19
_FONTS, _WHICH_FONT, _SCALE = 0x0C24, 0x0C25, 0x0C07


class Compact:
    """The glyphs of a font, each read when it is asked for."""

    def __init__(self, table: Bytes) -> None:
        self._table = table
        at = table.get("B", 2)
        _, at = _index(table, at)  # names
        tops, at = _index(table, at)
        _, at = _index(table, at)  # texts
        self._common, _ = _index(table, at)
        if not tops:
            raise FontError("the font is damaged: its table `CFF ` has no font")
        top = _dict(tops[0])
        if _CHARSTRINGS not in top:
            raise FontError("the font is damaged: it has no glyphs")
        self._programs, _ = _index(table, _whole(top[_CHARSTRINGS]))
        self._own = [self._subroutines(top)]
        self._which: Callable[[int], int] = lambda glyph: 0
        if _FONTS in top and _WHICH_FONT in top:
            parts, _ = _index(table, _whole(top[_FONTS]))
            self._own = [self._subroutines(_dict(part)) for part in parts]
            self._which = _selection(table, _whole(top[_WHICH_FONT]), len(self._programs))

    def outline(self, glyph: int) -> Outline:
        """The outline of a glyph in the font's units, y up."""
        if not 0 <= glyph < len(self._programs):
            raise FontError("the font is damaged: it has no such glyph")
        which = self._which(glyph)
        if not 0 <= which < len(self._own):
            raise FontError("the font is damaged: a glyph belongs to no part of it")
        pen = _Pen(self._common, self._own[which])
        try:
            pen.run(self._programs[glyph], 0)
        except FontError:
            raise
        except (IndexError, ValueError):
            raise FontError("the font is damaged: a glyph lacks numbers") from None
        return [contour for contour in pen.made if len(contour) > 2]

    def _subroutines(self, top: Dict) -> list[bytes]:
        if len(top.get(_PRIVATE, ())) != 2:
            return []
        size, start = (int(number) for number in top[_PRIVATE])
        private = _dict(self._table.part(start, size).data)
        if _SUBROUTINES not in private:
            return []
        return _index(self._table, start + _whole(private[_SUBROUTINES]))[0]


def _whole(numbers: list[float]) -> int:
    if not numbers:
        raise FontError("the font is damaged: a number is missing")
    return int(numbers[-1])


def _index(table: Bytes, at: int) -> tuple[list[bytes], int]:
    """The entries of an index, and where it ends."""
    count = table.get("H", at)
    if count == 0:
        return [], at + 2
    width = table.get("B", at + 2)
    if not 1 <= width <= 4:
        raise FontError("the font is damaged: an index has no offsets")
    raw = table.part(at + 3, (count + 1) * width).data
    offsets = [int.from_bytes(raw[i : i + width], "big") for i in range(0, len(raw), width)]
    base = at + 2 + len(raw)
    entries = [table.part(base + a, b - a).data for a, b in pairwise(offsets)]
    return entries, base + offsets[-1]


def _dict(data: bytes) -> Dict:
    found: Dict = {}
    numbers: list[float] = []
    table, at = Bytes(data), 0
    while at < len(data):
        first = data[at]
        at += 1
        if first <= 21:
            if first == 12:
                first = 0x0C00 | table.get("B", at)
                at += 1
            found[first], numbers = numbers, []
        elif first == 30:  # a decimal number, of which none here is needed
            while at < len(data) and data[at] & 15 != 15 and data[at] >> 4 != 15:
                at += 1
            at += 1
            numbers.append(0.0)
        elif first == 29:
            numbers.append(table.get("i", at))
            at += 4
        else:
            number, at = _number(table, first, at)
            numbers.append(number)
    return found


def _number(table: Bytes, first: int, at: int) -> tuple[float, int]:
    if first == 28:
        return float(table.get("h", at)), at + 2
    if 32 <= first <= 246:
        return float(first - 139), at
    if 247 <= first <= 250:
        return float((first - 247) * 256 + table.get("B", at) + 108), at + 1
    if 251 <= first <= 254:
        return float(-(first - 251) * 256 - table.get("B", at) - 108), at + 1
    raise FontError("the font is damaged: a number has no form")


def _selection(table: Bytes, at: int, count: int) -> Callable[[int], int]:
    """The part of the font that a glyph belongs to."""
    form = table.get("B", at)
    if form == 0:
        parts = table.row("B", count, at + 1)
        return lambda glyph: parts[glyph]
    if form != 3:
        raise FontError("the font is damaged: its glyphs belong to no parts")
    ranges = [table.get("HB", at + 3 + 3 * i) for i in range(table.get("H", at + 1))]
    return lambda glyph: next((part for first, part in reversed(ranges) if first <= glyph), -1)


class _Pen:
    """The machine that draws a glyph."""

    def __init__(self, common: list[bytes], own: list[bytes]) -> None:
        self._common, self._own = common, own
        self.made: list[Contour] = []
        self._x = self._y = 0.0
        self._stack: list[float] = []
        self._hints = 0
        self._steps = 0
        self._done = False

    def run(self, program: bytes, depth: int) -> None:
        if depth > DEEPEST:
            raise FontError("the font is damaged: a glyph calls itself")
        table, at = Bytes(program), 0
        while at < len(program) and not self._done:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise FontError(f"a glyph takes more than {MOST_STEPS} steps; that is the limit")
            code = program[at]
            at += 1
            if code == 255:
                self._stack.append(table.get("i", at) / 65536)
                at += 4
            elif code == 28 or code >= 32:
                number, at = _number(table, code, at)
                self._stack.append(number)
            elif code == 11:  # return
                return
            elif code in (10, 29):  # a subroutine
                routines = self._own if code == 10 else self._common
                bias = 107 if len(routines) < 1240 else 1131 if len(routines) < 33900 else 32768
                which = int(self._stack.pop()) + bias
                if not 0 <= which < len(routines):
                    raise FontError("the font is damaged: a glyph calls what is not there")
                self.run(routines[which], depth + 1)
            elif code in (19, 20):  # masks of hints
                self._hints += len(self._stack) // 2
                self._stack.clear()
                at += (self._hints + 7) // 8
            elif code == 12:
                self._flex(table.get("B", at))
                at += 1
            else:
                self._do(code)

    def _do(self, code: int) -> None:
        stack = self._stack
        if code in (1, 3, 18, 23):  # hints
            self._hints += len(stack) // 2
        elif code == 14:
            self._done = True
        elif code == 21:
            self._move(stack[-2], stack[-1])
        elif code == 22:
            self._move(stack[-1], 0.0)
        elif code == 4:
            self._move(0.0, stack[-1])
        elif code == 5:
            self._lines(stack)
        elif code in (6, 7):
            for i, part in enumerate(stack):
                self._line(*((part, 0.0) if (i % 2 == 0) == (code == 6) else (0.0, part)))
        elif code == 8:
            self._curves(stack)
        elif code == 24:
            self._curves(stack[:-2])
            self._line(*stack[-2:])
        elif code == 25:
            self._lines(stack[:-6])
            self._curve(*stack[-6:])
        elif code in (26, 27):
            self._straight(list(stack), upright=code == 26)
        elif code in (30, 31):
            self._turning(list(stack), across=code == 31)
        else:
            raise FontError("the font is damaged: a glyph has an unknown command")
        stack.clear()

    def _move(self, dx: float, dy: float) -> None:
        self._x, self._y = self._x + dx, self._y + dy
        self.made.append([(self._x, self._y)])

    def _lines(self, numbers: list[float]) -> None:
        for i in range(0, len(numbers) - 1, 2):
            self._line(numbers[i], numbers[i + 1])

    def _line(self, dx: float, dy: float) -> None:
        self._x, self._y = self._x + dx, self._y + dy
        self.made[-1].append((self._x, self._y))

    def _curves(self, numbers: list[float]) -> None:
        for i in range(0, len(numbers) - 5, 6):
            self._curve(*numbers[i : i + 6])

    def _curve(self, *parts: float) -> None:
        ax, ay, bx, by, dx, dy = parts
        x0, y0 = self._x + ax, self._y + ay
        x1, y1 = x0 + bx, y0 + by
        self._x, self._y = x1 + dx, y1 + dy
        self.made[-1].append((x0, y0, x1, y1, self._x, self._y))

    def _straight(self, numbers: list[float], upright: bool) -> None:
        """vvcurveto, hhcurveto: curves that begin and end along one axis."""
        aside = numbers.pop(0) if len(numbers) % 4 else 0.0
        for i in range(0, len(numbers) - 3, 4):
            a, b, c, d = numbers[i : i + 4]
            self._curve(*((aside, a, b, c, 0.0, d) if upright else (a, aside, b, c, d, 0.0)))
            aside = 0.0

    def _turning(self, numbers: list[float], across: bool) -> None:
        """vhcurveto, hvcurveto: curves that begin along one axis and end along the other."""
        last = numbers.pop() if len(numbers) % 4 else 0.0
        for i in range(0, len(numbers) - 3, 4):
            a, b, c, d = numbers[i : i + 4]
            end = last if i + 4 >= len(numbers) else 0.0
            self._curve(*((a, 0.0, b, c, end, d) if across else (0.0, a, b, c, d, end)))
            across = not across

    def _flex(self, code: int) -> None:
        stack = self._stack
        if code == 35:
            self._curves(stack[:12])
        elif code == 34:
            a, b, c, d, e, f, g = stack[:7]
            self._curve(a, 0.0, b, c, d, 0.0)
            self._curve(e, 0.0, f, -c, g, 0.0)
        elif code == 36:
            a, b, c, d, e, f, g, h, i = stack[:9]
            self._curve(a, b, c, d, e, 0.0)
            self._curve(f, 0.0, g, h, i, -(b + d + h))
        elif code == 37:
            dx = sum(stack[0:10:2])
            dy = sum(stack[1:10:2])
            self._curves(stack[:6])
            last = (stack[10], -dy) if abs(dx) > abs(dy) else (-dx, stack[10])
            self._curve(*stack[6:10], *last)
        else:
            raise FontError("the font is damaged: a glyph has an unknown command")
        stack.clear()
