"""Colours: read from scenes, mixed, and packed as the rasterizer takes them.

A colour is a tuple of red, green, blue and opacity, each 0 to 255.
"""

from __future__ import annotations

from PIL import ImageColor

from ..errors import UsageError

Color = tuple[int, int, int, int]


def parse_color(text: str) -> Color:
    """A CSS colour: a name, ``#rgb``, ``#rrggbb``, ``#rrggbbaa``, ``rgb(...)`` or ``hsl(...)``.

    Raises:
        UsageError: when the text is no colour.
    """
    if text.strip().lower() in ("none", "transparent"):
        return (0, 0, 0, 0)
    try:
        value = ImageColor.getrgb(text.strip())
    except ValueError:
        raise UsageError(
            f"{text!r} is not a colour; use a CSS name such as 'tomato', or '#rrggbb'"
        ) from None
    return (value[0], value[1], value[2], value[3] if len(value) > 3 else 255)


def mix(first: Color, second: Color, share: float) -> Color:
    """``share`` of the second colour in the first, from 0 (none) to 1 (all)."""
    r, g, b, a = (int(p + (q - p) * share + 0.5) for p, q in zip(first, second, strict=True))
    return (r, g, b, a)


def fade(color: Color, opacity: float) -> Color:
    """The colour with its opacity multiplied."""
    return (*color[:3], int(color[3] * opacity + 0.5))


def pack(color: Color) -> float:
    """The number 0xRRGGBBAA, as the display list holds it."""
    return float(color[0] << 24 | color[1] << 16 | color[2] << 8 | color[3])


def luminance(color: Color) -> float:
    """How light the colour is, 0 to 255 (Rec. 709 weights on the encoded values)."""
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
