# SPDX-License-Identifier: MIT
"""Colours: parsed from scenes, mixed, and packed for the rasterizer.

A colour is a tuple of red, green, blue and opacity, each 0 to 255.
"""

from __future__ import annotations

from functools import lru_cache

from ...errors import UsageError
from ...scene.values import colors as scene_colors
from ...scene.values.portable_math import power

Color = tuple[int, int, int, int]

READABLE = 4.5
"""The least contrast of letters and lines with what is behind them, as WCAG 2.2 counts it."""
STEPS = 40
"""The number of steps in which a colour is made darker or brighter."""
BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)


def parse_color(text: str) -> Color:
    """A colour as a scene writes it: a CSS name, ``#rgb``, ``#rrggbb`` or ``#rrggbbaa``.

    Raises:
        UsageError: when the text is no colour.
    """
    try:
        return scene_colors.parse_color(text)
    except ValueError as problem:
        raise UsageError(str(problem)) from None


def mix(first: Color, second: Color, share: float) -> Color:
    """``share`` of the second colour in the first, from 0 (none) to 1 (all)."""
    r, g, b, a = (int(p + (q - p) * share + 0.5) for p, q in zip(first, second, strict=True))
    return (r, g, b, a)


def over(color: Color, ground: Color) -> Color:
    """The colour laid onto another one, which lets nothing through."""
    return mix(ground, (*color[:3], 255), color[3] / 255.0)


def fade(color: Color, opacity: float) -> Color:
    """The colour with its opacity multiplied."""
    return (*color[:3], int(color[3] * opacity + 0.5))


def pack(color: Color) -> float:
    """The number 0xRRGGBBAA, as the display list holds it."""
    return float(color[0] << 24 | color[1] << 16 | color[2] << 8 | color[3])


def luma(color: Color) -> float:
    """Lightness of the colour, 0 to 255 (the weights of Rec. 709, on the encoded values)."""
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2.2 counts it; opacity is left out."""
    first, second = _luminance(one), _luminance(other)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


@lru_cache(maxsize=4096)
def readable(color: Color, paper: Color, least: float = READABLE) -> Color:
    """The colour, darker or brighter by as much as it takes to have a contrast with the paper, or
    as nearly so as black or white have."""
    end = max(BLACK, WHITE, key=lambda each: contrast(each, paper))
    found = color
    for k in range(1, STEPS + 1):
        if contrast(found, paper) >= least:
            break
        found = (*mix(color, end, k / STEPS)[:3], color[3])
    return found


def _luminance(color: Color) -> float:
    red, green, blue = (_linear(part) for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=256)
def _linear(part: int) -> float:
    share = part / 255.0
    return share / 12.92 if share <= 0.04045 else power((share + 0.055) / 1.055, 2.4)
