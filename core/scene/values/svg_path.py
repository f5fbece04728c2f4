# SPDX-License-Identifier: MIT
"""SVG's transforms, and path data as points: curves are cut into straight pieces.

A curve is cut so finely that no piece is further than TOLERANCE from it: a Bézier curve of degree
k whose control points have second differences of at most d is off by at most k (k - 1) d / (8 n²)
from n chords, as its second derivative is at most k (k - 1) d.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..limits import CHAIN_POINTS
from ..model import Point
from .portable_math import atan2, cos, hypot, sin, tan

TOLERANCE = 0.25  # pixels
MOST_PIECES = 64  # of a curve in a drawing
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_BETWEEN = re.compile(r"[\s,]*")
_RADIAN = math.pi / 180
_LEAST = 1e-30  # squared, of the distance between an arc's ends against its radii
_STRAIGHT = 1e-16  # so small it is a line: its middle is known worse than how far the arc is off

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class DataError(ValueError):
    """Numbers or commands that cannot be read; the message says which."""


def apply(m: Matrix, p: Point) -> Point:
    return m[0] * p[0] + m[2] * p[1] + m[4], m[1] * p[0] + m[3] * p[1] + m[5]


def multiply(m: Matrix, n: Matrix) -> Matrix:
    """The product of two transforms: first n, then m."""
    a, b = m[0] * n[0] + m[2] * n[1], m[1] * n[0] + m[3] * n[1]
    c, d = m[0] * n[2] + m[2] * n[3], m[1] * n[2] + m[3] * n[3]
    e, f = apply(m, (n[4], n[5]))
    return a, b, c, d, e, f


def similarity(m: Matrix) -> tuple[float, float] | None:
    """Scale and angle of a transform that keeps shapes, None of one that stretches or mirrors."""
    scale = hypot(m[0], m[1])
    off = max(abs(m[0] - m[3]), abs(m[1] + m[2]))
    return (scale, atan2(m[1], m[0])) if scale > 0 and off <= 1e-9 * scale else None


_ONE = re.compile(r"\s*([A-Za-z]+)\s*\(([^)]*)\)[\s,]*")


def read_transform(text: str) -> Matrix:
    """The matrix of a `transform` attribute. Raises DataError."""
    matrix, at = IDENTITY, 0
    end = len(text.rstrip())
    while at < end:
        match = _ONE.match(text, at)
        if match is None:
            raise DataError(f"cannot be read from {text[at : at + 30]!r} on")
        matrix = multiply(matrix, _one_transform(match[1], read_numbers(match[2])))
        at = match.end()
    return matrix


def _one_transform(name: str, v: list[float]) -> Matrix:
    count = len(v)
    if name == "matrix" and count == 6:
        return v[0], v[1], v[2], v[3], v[4], v[5]
    if name == "translate" and count in (1, 2):
        return 1.0, 0.0, 0.0, 1.0, v[0], v[1] if count == 2 else 0.0
    if name == "scale" and count in (1, 2):
        return v[0], 0.0, 0.0, v[-1], 0.0, 0.0
    if name == "rotate" and count in (1, 3):
        c, s = cos(v[0] * _RADIAN), sin(v[0] * _RADIAN)
        turn: Matrix = (c, s, -s, c, 0.0, 0.0)
        x, y = (v[1], v[2]) if count == 3 else (0.0, 0.0)
        return multiply(multiply((1.0, 0.0, 0.0, 1.0, x, y), turn), (1.0, 0.0, 0.0, 1.0, -x, -y))
    if name == "skewX" and count == 1:
        return 1.0, 0.0, tan(v[0] * _RADIAN), 1.0, 0.0, 0.0
    if name == "skewY" and count == 1:
        return 1.0, tan(v[0] * _RADIAN), 0.0, 1.0, 0.0, 0.0
    raise DataError(f"there is no transform {name} of {count} numbers")


def read_numbers(text: str) -> list[float]:
    """All numbers of a text that holds nothing else. Raises DataError."""
    reader = _NumberReader(text)
    numbers = []
    while not reader.at_end():
        numbers.append(reader.number())
    return numbers


class _NumberReader:
    """Goes through a text of numbers, flags and commands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.skip()

    def skip(self) -> None:
        match = _BETWEEN.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def number(self) -> float:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            raise DataError(f"needs a number {self._place()}")
        self.at = match.end()
        self.skip()
        value = float(match[0])
        if not math.isfinite(value):
            digits = match[0] if len(match[0]) <= 40 else f"{match[0][:37]}..."
            raise DataError(f"{digits!r} is too large")
        return value

    def _place(self) -> str:
        here = self.text[self.at : self.at + 20]
        return f"where {here!r} stands" if here else "at its end"

    def flag(self) -> bool:
        """Read a 0 or 1, which may be directly followed by the next number."""
        if self.text[self.at : self.at + 1] not in ("0", "1"):
            raise DataError(f"needs 0 or 1 {self._place()}")
        self.at += 1
        flag = self.text[self.at - 1] == "1"
        self.skip()
        return flag

    def letter(self) -> str:
        """The next command, empty where a number comes."""
        letter = self.text[self.at : self.at + 1]
        if not letter.isalpha():
            return ""
        self.at += 1
        self.skip()
        return letter


# ---------------------------------------------------------------- paths


@dataclass
class Subpath:
    """A subpath in the coordinates of the drawing."""

    points: list[Point] = field(default_factory=list)
    closed: bool = False


def read_path(
    text: str,
    matrix: Matrix,
    tolerance: float = TOLERANCE,
    most: int = MOST_PIECES,
    most_points: int = CHAIN_POINTS,
) -> list[Subpath]:
    """The subpaths of path data, each curve in at most so many pieces. Raises DataError."""
    return _PathReader(text, matrix, tolerance, most, most_points).read()


class _PathReader(_NumberReader):
    """Follows the commands; positions are those before the transform."""

    def __init__(
        self, text: str, matrix: Matrix, tolerance: float, most: int, most_points: int
    ) -> None:
        super().__init__(text)
        self.matrix = matrix
        self.tolerance, self.most, self.most_points = tolerance, most, most_points
        self.lines: list[Subpath] = []
        self.here: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.control: tuple[int, Point] | None = None  # degree and last control point, for S and T
        self.command = ""
        self.count = 0
        self.ends = 0

    def read(self) -> list[Subpath]:
        while not self.at_end():
            letter = self.letter()
            if not letter and (not self.command or self.command in "Zz"):
                raise DataError("begins with a command, which is M or m")
            self.command = letter or {"M": "L", "m": "l"}.get(self.command, self.command)
            if not self.lines and self.command not in "Mm":
                raise DataError("begins with M or m")
            self._one(self.command)
        return [line for line in self.lines if len(line.points) > 1]

    def _one(self, command: str) -> None:
        moves: dict[str, Callable[[bool], None]] = {
            "M": self._move,
            "L": lambda relative: self._to(self._point(relative)),
            "H": self._horizontal,
            "V": self._vertical,
            "C": lambda relative: self._curve(relative, 3, False),
            "S": lambda relative: self._curve(relative, 3, True),
            "Q": lambda relative: self._curve(relative, 2, False),
            "T": lambda relative: self._curve(relative, 2, True),
            "A": self._arc,
            "Z": self._close,
        }
        move = moves.get(command.upper())
        if move is None:
            raise DataError(f"has an unknown command {command!r}; known: {', '.join(moves)}")
        move(command.islower())
        if command.upper() not in "CSQT":
            self.control = None

    def _point(self, relative: bool) -> Point:
        x, y = self.number(), self.number()
        return (self.here[0] + x, self.here[1] + y) if relative else (x, y)

    def _put(self, point: Point) -> None:
        """A further corner of the subpath, already transformed."""
        self._need(1)
        self.count += 1
        self.lines[-1].points.append(point)

    def _need(self, points: int) -> None:
        """Refuse, before they are drawn, more points than are allowed."""
        if self.count + points > self.most_points:
            raise DataError(f"has more than {self.most_points:,} points; that is the limit")

    def _to(self, point: Point) -> None:
        if self.lines[-1].closed:
            self.lines.append(Subpath([apply(self.matrix, self.start)]))
        self._put(apply(self.matrix, point))
        self.here = point

    def _move(self, relative: bool) -> None:
        self.here = self.start = self._point(relative)
        self.lines.append(Subpath())
        self._put(apply(self.matrix, self.here))

    def _horizontal(self, relative: bool) -> None:
        x = self.number()
        self._to((self.here[0] + x if relative else x, self.here[1]))

    def _vertical(self, relative: bool) -> None:
        y = self.number()
        self._to((self.here[0], self.here[1] + y if relative else y))

    def _close(self, relative: bool) -> None:
        self.ends += 1
        if self.ends > CHAIN_POINTS:
            raise DataError(f"is closed more than {CHAIN_POINTS:,} times; that is the limit")
        self.lines[-1].closed = True
        self.here = self.start

    def _curve(self, relative: bool, degree: int, smooth: bool) -> None:
        """A Bézier curve; a smooth one continues in the direction of the one before."""
        points = [self.here]
        if smooth:
            alike = self.control is not None and self.control[0] == degree
            last = self.control[1] if alike and self.control is not None else self.here
            points.append((2 * self.here[0] - last[0], 2 * self.here[1] - last[1]))
        while len(points) <= degree:
            points.append(self._point(relative))
        moved = [apply(self.matrix, point) for point in points]
        pieces = bezier_pieces(moved, self.tolerance, self.most)
        self._need(pieces)
        if self.lines[-1].closed:
            self.lines.append(Subpath([moved[0]]))
        for i in range(1, pieces + 1):
            self._put(bezier(moved, i / pieces))
        self.control, self.here = (degree, points[-2]), points[-1]

    def _arc(self, relative: bool) -> None:
        rx, ry, turn = abs(self.number()), abs(self.number()), self.number() * _RADIAN
        large, sweep = self.flag(), self.flag()
        start, end = self.here, self._point(relative)
        if rx == 0 or ry == 0 or start == end:
            self._to(end)
            return
        if not large and 0.0 < _excess(start, end, rx, ry, turn) < _STRAIGHT:
            self._to(end)
            return
        center, rx, ry, first, angle = _center_form(start, end, rx, ry, turn, large, sweep)
        reach = max(rx, ry) * max(map(abs, self.matrix[:4]))
        pieces = arc_pieces(reach, angle, self.tolerance, self.most)
        self._need(pieces)
        c, s = cos(turn), sin(turn)
        for i in range(1, pieces):
            at = first + angle * i / pieces
            x, y = rx * cos(at), ry * sin(at)
            self._to((center[0] + c * x - s * y, center[1] + s * x + c * y))
        self._to(end)


def bezier_pieces(points: Sequence[Point], tolerance: float, most: int) -> int:
    """Number of pieces of a curve with these control points."""
    degree = len(points) - 1
    bend = max(
        hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1])
        for a, b, c in zip(points, points[1:], points[2:], strict=False)
    )
    return _pieces(math.sqrt(degree * (degree - 1) * bend / (8 * tolerance)), most)


def arc_pieces(radius: float, angle: float, tolerance: float, most: int) -> int:
    """Number of pieces of an arc: the error of a chord over the angle t is about r t^2 / 8."""
    return _pieces(abs(angle) * math.sqrt(radius / (8 * tolerance)), most)


def _pieces(count: float, most: int) -> int:
    if math.isnan(count):  # infinities against each other
        raise DataError("reaches further than numbers do")
    return min(max(math.ceil(min(count, most)), 1), most)


def bezier(points: Sequence[Point], t: float) -> Point:
    """De Casteljau's construction."""
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points)]
    return points[0]


def _halves(start: Point, end: Point, turn: float) -> Point:
    """Half the way from an arc's end to its start, along its axes."""
    c, s = cos(turn), sin(turn)
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    return c * dx + s * dy, -s * dx + c * dy


def _excess(start: Point, end: Point, rx: float, ry: float, turn: float) -> float:
    """The squared distance of an arc's ends relative to its radii."""
    x, y = _halves(start, end, turn)
    return (x / rx) * (x / rx) + (y / ry) * (y / ry)


def _center_form(
    start: Point, end: Point, rx: float, ry: float, turn: float, large: bool, sweep: bool
) -> tuple[Point, float, float, float, float]:
    """Centre, radii, first angle and swept angle of an arc (SVG 1.1, appendix F.6.5 and F.6.6)."""
    c, s = cos(turn), sin(turn)
    x, y = _halves(start, end, turn)
    excess = _excess(start, end, rx, ry, turn)
    if not _LEAST < excess < math.inf:
        raise DataError(f"has an arc whose radii {rx:g} and {ry:g} do not fit its ends")
    if excess > 1:  # too small to reach: as large as needed
        rx, ry, excess = rx * math.sqrt(excess), ry * math.sqrt(excess), 1.0
    factor = math.sqrt(max(1 / excess - 1, 0.0)) * (-1 if large == sweep else 1)
    cx, cy = factor * rx * y / ry, -factor * ry * x / rx
    first = atan2((y - cy) / ry, (x - cx) / rx)
    last = atan2((-y - cy) / ry, (-x - cx) / rx)
    angle = last - first
    if sweep and angle < 0:
        angle += 2 * math.pi
    if not sweep and angle > 0:
        angle -= 2 * math.pi
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    center = middle[0] + c * cx - s * cy, middle[1] + s * cx + c * cy
    return center, rx, ry, first, angle
