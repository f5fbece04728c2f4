"""Forces in bars: red where a bar is pushed together, blue where it is pulled, green for little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..record.frame import Frame
from ..scene.bars import Bar, find_bar
from ..scene.model import Scene
from .camera import View, world_points
from .colors import Color, mix
from .display import Items
from .theme import Theme


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
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        if not length > 0.0:
            continue
        color = force_color(float(frame.push_pull[row]), weight, theme)
        half = max(0.3 * bar.width * view.scale, 1.2 * unit)
        inset = min(half / (length * view.scale), 0.4)
        start = (ax + inset * (bx - ax), ay + inset * (by - ay))
        end = (bx - inset * (bx - ax), by - inset * (by - ay))
        items.add("path", [view.pixel(*start), view.pixel(*end)], color, radius=half)
