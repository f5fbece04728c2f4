# SPDX-License-Identifier: MIT
"""The grid: lines at round numbers of the scene's length unit, with labels along two edges."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from ...view.boxes import Box, intersection
from ...view.camera import View
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme

WANTED = 64.0
"""Grid lines are about so many pixels apart at picture size ``unit`` 1."""


def grid_step(scale: float, wanted: float) -> float:
    """The round length (1, 2 or 5 times a power of ten) nearest above ``wanted`` pixels."""
    step = 1.0
    while step * scale > wanted and step > 1e-12:
        step /= 10.0
    while step * scale * 10.0 <= wanted and step < 1e12:
        step *= 10.0
    for factor in (1.0, 2.0, 5.0):
        if factor * step * scale >= wanted:
            return factor * step
    return 10.0 * step


def add_grid(
    items: Items,
    lettering: Lettering,
    view: View,
    size: tuple[int, int],
    theme: Theme,
    unit: float,
    taken: Sequence[Box] = (),
) -> None:
    """Lines across the picture, the axes a little stronger, and numbers at the left and bottom.

    No number is written where one of the boxes ``taken`` (in pixels) or another number is.
    """
    width, height = size
    step = grid_step(view.scale, WANTED * unit)
    x0, y0, x1, y1 = view.box(size)
    text = 9.5 * unit
    lines = [*taken, (0.0, height - 1.7 * text, float(width), float(height))]
    for k in ticks(x0, x1, step):
        x, _ = view.pixel(k * step, 0.0)
        color = theme.axis if k == 0 else theme.grid
        items.add("path", [(x, 0.0), (x, float(height))], color, radius=_half(k, unit))
        at = (x + 3.0 * unit, height - 1.5 * text)
        lettering.add(items, tick_label(k * step), at, theme.quiet, text)
    for k in ticks(y0, y1, step):
        _, y = view.pixel(0.0, k * step)
        color = theme.axis if k == 0 else theme.grid
        items.add("path", [(0.0, y), (float(width), y)], color, radius=_half(k, unit))
        label, at = tick_label(k * step), (3.0 * unit, y + 2.0 * unit)
        box = (at[0], at[1], at[0] + lettering.width(label, text), at[1] + 1.2 * text)
        if all(intersection(box, other) is None for other in lines):
            lettering.add(items, label, at, theme.quiet, text)


def ticks(low: float, high: float, step: float) -> range:
    """The multiples of ``step`` between two numbers, at most 400."""
    if not (abs(low) < 1e15 * step and abs(high) < 1e15 * step):
        return range(0)
    first = ceil(low / step)
    return range(first, min(floor(high / step), first + 400) + 1)


def _half(k: int, unit: float) -> float:
    return (0.9 if k == 0 else 0.5) * unit


def tick_label(value: float) -> str:
    """A round number as it is written beside its line."""
    return f"{value:.6g}" if value else "0"
