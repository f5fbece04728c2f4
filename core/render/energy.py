"""The energy strip: kinetic, potential and total energy against time, small, in a corner."""

from __future__ import annotations

from math import isfinite

from ..record.frame import Frame
from ..scene.model import Scene
from .boxes import Box
from .colors import Color, fade
from .display import Items
from .text import Lettering
from .theme import Theme

WIDTH, HEIGHT = 150.0, 46.0
"""Size of the strip at picture size ``unit`` 1, in pixels."""


class EnergyStrip:
    """Remembers at most one sample for every pixel of its width, over the whole duration."""

    def __init__(self, scene: Scene, theme: Theme, size: tuple[int, int], unit: float) -> None:
        self._theme, self._unit = theme, unit
        self._width = min(WIDTH * unit, 0.5 * size[0])
        self._height = min(HEIGHT * unit, 0.3 * size[1])
        edge = 9.0 * unit
        self._left, self._top = size[0] - edge - self._width, edge
        # Where it is, with its legend.
        below = self._top + self._height + 18.0 * unit
        self.box: Box = (self._left, self._top, float(size[0]), below)
        self._duration = max(scene.world.dt * scene.world.steps, 1e-300)
        self._samples: list[tuple[int, float, float]] = []
        self._least = 0.0
        self._most = 0.0

    def add(self, items: Items, lettering: Lettering, frame: Frame) -> None:
        """Take note of this frame, and draw."""
        kinetic, potential = frame.energy
        column = int(min(max(frame.time / self._duration, 0.0), 1.0) * self._width)
        if isfinite(kinetic) and isfinite(potential):
            if self._samples and self._samples[-1][0] == column:
                self._samples.pop()
            self._samples.append((column, kinetic, potential))
            self._least = min(self._least, kinetic, potential, kinetic + potential)
            self._most = max(self._most, kinetic, potential, kinetic + potential)
        self._add_panel(items)
        theme = self._theme
        lines = (("kinetic", theme.push), ("potential", theme.pull), ("total", theme.ink))
        for index, (_, color) in enumerate(lines):
            self._add_line(items, index, color)
        self._add_legend(items, lettering, lines)

    def _add_panel(self, items: Items) -> None:
        x0, y0 = self._left, self._top
        x1, y1 = x0 + self._width, y0 + self._height
        items.add(
            "polygon",
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)],
            fade(self._theme.paper, 0.8),
            radius=4.0 * self._unit,
            outline=0.8 * self._unit,
            stroke=self._theme.axis,
        )

    def _height_of(self, value: float) -> float:
        span = self._most - self._least
        share = (value - self._least) / span if span > 0.0 else 0.0
        return self._top + self._height * (0.95 - 0.9 * share)

    def _add_line(self, items: Items, index: int, color: Color) -> None:
        points = [
            (self._left + column, self._height_of((kinetic, potential, kinetic + potential)[index]))
            for column, kinetic, potential in self._samples
        ]
        if len(points) > 1:
            items.add("path", points, color, radius=0.7 * self._unit)

    def _add_legend(
        self, items: Items, lettering: Lettering, lines: tuple[tuple[str, Color], ...]
    ) -> None:
        size = 9.5 * self._unit
        x, y = self._left, self._top + self._height + 5.0 * self._unit
        for name, color in lines:
            lettering.add(items, name, (x, y), color, size)
            x += lettering.width(name, size) + 8.0 * self._unit
