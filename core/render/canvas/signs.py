# SPDX-License-Identifier: MIT
"""Physics symbols that Pillow's font lacks, drawn as lines in its weight."""

from __future__ import annotations

from math import pi

from PIL import Image, ImageDraw

from ...scene.values.portable_math import cos, sin

Line = list[tuple[float, float]]

# Strokes are in parts of the letter size, y down from the top of the line: capitals reach from
# CAPITAL to BASE, small letters from SMALL to BASE. They are drawn larger and then averaged.
CAPITAL, SMALL, BASE, BELOW = 0.31, 0.47, 0.93, 1.13
STROKE = 0.075
FINER = 8


def _arc(x: float, y: float, a: float, b: float, start: float = 0.0, end: float = 360.0) -> Line:
    """Part of an ellipse with the half axes a and b; 0 degrees is right, 90 down."""
    turns = [(start + (end - start) * i / 24) * pi / 180 for i in range(25)]
    return [(x + a * cos(turn), y + b * sin(turn)) for turn in turns]


_MIDDLE = 0.5 * (SMALL + BASE)
_HALF = 0.5 * (BASE - SMALL)
_SIGNS: dict[str, tuple[float, list[Line]]] = {
    "\u00b2": (0.36, [[*_arc(0.17, 0.33, 0.1, 0.1, 180, 380), (0.07, 0.56), (0.29, 0.56)]]),
    "\u00b3": (
        0.36,
        [_arc(0.16, 0.3, 0.1, 0.08, 200, 450), _arc(0.16, 0.47, 0.11, 0.09, 270, 520)],
    ),
    "\u00d7": (0.6, [[(0.12, 0.47), (0.48, 0.83)], [(0.48, 0.47), (0.12, 0.83)]]),
    "\u2212": (0.6, [[(0.09, 0.65), (0.51, 0.65)]]),
    "\u00b5": (
        0.58,
        [
            [(0.1, SMALL), (0.1, BELOW)],
            [(0.1, 0.75), *reversed(_arc(0.27, 0.75, 0.17, BASE - 0.75, 0, 180)), (0.44, SMALL)],
            [(0.44, SMALL), (0.44, 0.9), (0.52, BASE)],
        ],
    ),
    "\u03b1": (
        0.6,
        [
            _arc(0.26, _MIDDLE, 0.18, _HALF),
            [(0.49, SMALL), (0.42, 0.75), (0.46, 0.9), (0.54, BASE)],
        ],
    ),
    "\u03b2": (
        0.56,
        [
            [(0.1, BELOW), (0.1, 0.44), *_arc(0.25, 0.44, 0.15, 0.13, 180, 440), (0.22, 0.57)],
            _arc(0.26, 0.75, 0.18, 0.18, 250, 500),
        ],
    ),
    "\u03b3": (0.54, [[(0.05, SMALL), (0.26, 0.9), (0.26, BELOW)], [(0.48, SMALL), (0.26, 0.9)]]),
    "\u03b8": (
        0.54,
        [
            _arc(0.27, 0.5 * (CAPITAL + BASE), 0.18, 0.5 * (BASE - CAPITAL)),
            [(0.09, 0.62), (0.45, 0.62)],
        ],
    ),
    "\u03c9": (
        0.72,
        [
            [(0.17, SMALL), *reversed(_arc(0.22, 0.72, 0.13, 0.21, 30, 200)), (0.36, 0.55)],
            [(0.55, SMALL), *_arc(0.5, 0.72, 0.13, 0.21, -20, 150), (0.36, 0.55)],
        ],
    ),
    "\u0394": (0.68, [[(0.07, BASE), (0.34, CAPITAL), (0.61, BASE), (0.07, BASE)]]),
    "\u03c0": (
        0.62,
        [[(0.05, 0.48), (0.57, 0.48)], [(0.19, 0.48), (0.16, BASE)], [(0.42, 0.48), (0.44, BASE)]],
    ),
}
_SIGNS["\u03bc"] = _SIGNS["\u00b5"]  # the Greek letter, and the sign for a millionth


def sign_advance(letter: str, size: int) -> float | None:
    """How wide a sign is in pixels, or None where the letter is the font's own."""
    sign = _SIGNS.get(letter)
    return None if sign is None else sign[0] * size


def draw_sign(letter: str, size: int) -> Image.Image:
    """A sign as a grey picture that begins at the top left of its place in the line."""
    advance, lines = _SIGNS[letter]
    width, height = int(advance * size) + 1, int(1.2 * size) + 1
    unit = float(FINER * size)
    large = Image.new("L", (width * FINER, height * FINER), 0)
    pen = ImageDraw.Draw(large)
    radius = 0.5 * STROKE * unit
    for line in lines:
        points = [(unit * x, unit * y) for x, y in line]
        pen.line(points, fill=255, width=round(2 * radius), joint="curve")
        for x, y in (points[0], points[-1]):
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return large.resize((width, height), Image.Resampling.BOX)
