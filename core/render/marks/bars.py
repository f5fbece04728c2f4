# SPDX-License-Identifier: MIT
"""Forces in bars: red for compression, blue for tension, green for little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...record.frame import Frame
from ...scene.blocks.joints.bars import Bar, find_bar
from ...scene.model import Scene
from ...scene.values.portable_math import hypot
from ...view.camera import View, world_points
from ..canvas.colors import Color, mix
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme

LEGEND_WIDTH = 132.0
LEGEND_HEIGHT = 32.0
"""Size of the legend at picture size ``unit`` 1, in pixels."""
STRIPES = 33


def find_bars(scene: Scene) -> list[tuple[int, Bar]]:
    """The bars among the scene's bodies, each with its body's row."""
    found = ((row, find_bar(body)) for row, body in enumerate(scene.bodies.values()))
    return [(row, bar) for row, bar in found if bar is not None]


def force_color(force: float, weight: float, theme: Theme) -> Color:
    """From green for little to red (pushed, positive) or blue (pulled), half way at ``weight``."""
    size = abs(force)
    share = size / (size + weight) if size < 1e300 else 1.0
    return mix(theme.slack, theme.push if force > 0.0 else theme.pull, share)


def add_bar_forces(
    items: Items,
    bars: Sequence[tuple[int, Bar]],
    theme: Theme,
    frame: Frame,
    view: View,
    unit: float,
    weight: float,
) -> None:
    """A coloured line along the middle of every bar, where the frame knows their forces."""
    if frame.push_pull is None:
        return
    for row, bar in bars:
        if not frame.alive[row]:
            continue
        ends = world_points(frame, np.array([row, row]), np.array([bar.start, bar.end]))
        (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in ends)
        length = hypot(bx - ax, by - ay)
        if not length > 0.0:
            continue
        color = force_color(float(frame.push_pull[row]), weight, theme)
        half = max(0.3 * bar.width * view.scale, 1.2 * unit)
        inset = min(half / (length * view.scale), 0.4)
        start = (ax + inset * (bx - ax), ay + inset * (by - ay))
        end = (bx - inset * (bx - ax), by - inset * (by - ay))
        items.add("path", [view.pixel(*start), view.pixel(*end)], color, radius=half)


def add_force_legend(
    items: Items,
    lettering: Lettering,
    at: tuple[float, float],
    weight: float,
    theme: Theme,
    unit: float,
) -> None:
    """The legend of the bars' colours; ``at`` is its top left.

    From pulled to pushed, with 0 in the middle and plus and minus ``weight`` half way to the ends,
    which are infinite forces.
    """
    x, y = at
    wide, high, size = LEGEND_WIDTH * unit, 6.0 * unit, 9.5 * unit
    for i in range(STRIPES):
        share = 2.0 * (i + 0.5) / STRIPES - 1.0
        force = weight * abs(share) / (1.0 - abs(share))
        color = force_color(force if share > 0.0 else -force, weight, theme)
        # Each goes to the right end, and the next one lies on it: no seams.
        x0, x1 = x + i * wide / STRIPES, x + wide
        items.add("polygon", [(x0, y), (x1, y), (x1, y + high), (x0, y + high)], color)
    below = y + high + 2.0 * unit
    lettering.add(items, "pulled", (x, below), theme.pull, size)
    lettering.add(items, "pushed", (x + wide, below), theme.push, size, align=1.0)
    for share in (0.25, 0.5, 0.75):
        tick = [(x + share * wide, y), (x + share * wide, y + high)]
        items.add("path", tick, theme.paper, radius=0.5 * unit)
    for share, number in ((0.25, -weight), (0.5, 0.0), (0.75, weight)):
        place = (x + share * wide, below + 12.0 * unit)
        label = f"{float(f'{number:.2g}'):g}"
        lettering.add(items, label, place, theme.quiet, size, align=0.5)
