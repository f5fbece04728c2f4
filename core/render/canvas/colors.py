# SPDX-License-Identifier: MIT
"""Colours: parsed from scenes, mixed, and packed for the rasterizer.

A colour is a tuple of red, green, blue and opacity, each 0 to 255.
"""

from __future__ import annotations

from ...errors import UsageError
from ...scene.values import colors as scene_colors

Color = tuple[int, int, int, int]


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


def luminance(color: Color) -> float:
    """Lightness of the colour, 0 to 255 (the weights of Rec. 709, on the encoded values)."""
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
