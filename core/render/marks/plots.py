# SPDX-License-Identifier: MIT
"""Plots in the picture: values against time, and phase portraits."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import isfinite

from ...scene.model import Annotation
from ...view.boxes import Box
from ..canvas.colors import Color, fade, parse_color
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from .axes import between
from .grid import grid_step, tick_label, ticks

WIDTH, HEIGHT = 190.0, 112.0
"""Size of the panel at picture size ``unit`` 1, in pixels."""
SECONDS = 5.0
"""Time span of a plot without ``seconds``."""
MOST_SAMPLES = 4000
"""So many moments are remembered at most; of more, every other one."""
HEADROOM = 0.06
"""Empty part of an axis beyond the lines, on either side."""

Span = tuple[float, float]
Sample = tuple[float, ...]
"""A time, and then a value of each line."""


def plot_window(given: Annotation, time_unit: float) -> float | None:
    """The span of scene time of a plot; None for the whole run."""
    return SECONDS * time_unit if given.seconds is None and not given.phase else given.seconds


def peaks(before: Sample | None, passed: Sequence[Sample], now: Sample) -> list[Sample]:
    """Those of the samples that passed between two others in which a line was lower or higher than
    in both of these, and lowest or highest of all."""
    if before is None or not passed:
        return []
    kept: set[int] = set()
    for i in range(1, len(now)):
        ends = [each[i] for each in (before, now) if isfinite(each[i])]
        between = [(each[i], k) for k, each in enumerate(passed) if isfinite(each[i])]
        if not between:
            continue
        (low, lowest), (high, highest) = min(between), max(between)
        kept |= {lowest} if low < min(ends, default=float("inf")) else set()
        kept |= {highest} if high > max(ends, default=float("-inf")) else set()
    return [passed[k] for k in sorted(kept)]


def thinned(samples: Sequence[Sample]) -> list[Sample]:
    """About half of the samples, among them the last, and the lowest and highest of each line."""
    apart = 4 * (len(samples[0]) - 1)
    kept: list[Sample] = []
    for first in range(0, len(samples) - 1, apart):
        group = samples[first : min(first + apart, len(samples) - 1)]
        chosen = {0}
        for i in range(1, len(group[0])):
            values = [(each[i], k) for k, each in enumerate(group) if isfinite(each[i])]
            chosen |= {min(values)[1], max(values)[1]} if values else set()
        kept += [group[k] for k in sorted(chosen)]
    return [*kept, samples[-1]]


class Plot:
    """Remembers what its expressions were, frame by frame in the order of time.

    Args:
        time_unit: how many units of scene time a second is.
        values: the lines' values in a frame are to be noted in their order.
    """

    def __init__(self, given: Annotation, theme: Theme, unit: float, time_unit: float) -> None:
        self._given, self._theme, self._unit, self._time_unit = given, theme, unit, time_unit
        self.size = (WIDTH * unit, HEIGHT * unit)
        self._window = plot_window(given, time_unit)
        self._samples: deque[Sample] = deque()
        self._least: list[float] = [float("inf")] * len(given.expressions)
        self._most: list[float] = [float("-inf")] * len(given.expressions)
        names = theme.bodies
        own = None if given.color is None else parse_color(given.color)
        self._colors: list[Color] = [
            own if own is not None and i == 0 else names[i % len(names)]
            for i in range(len(given.expressions))
        ]

    @property
    def last(self) -> Sample | None:
        """The last moment that was noted."""
        return self._samples[-1] if self._samples else None

    def note(self, time: float, values: Sequence[float]) -> None:
        """The values of a moment."""
        for i, value in enumerate(values):
            if isfinite(value):
                self._least[i] = min(self._least[i], value)
                self._most[i] = max(self._most[i], value)
        self._samples.append((time, *values))
        while self._window is not None and self._samples[0][0] < time - self._window:
            self._samples.popleft()
        if len(self._samples) > MOST_SAMPLES:
            self._samples = deque(thinned(list(self._samples)))

    # ------------------------------------------------------------ drawing

    def add(self, items: Items, lettering: Lettering, box: Box) -> None:
        """Draw all that was noted into a panel."""
        k, (x0, y0, x1, y1) = self._unit, box
        items.add(
            "polygon",
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)],
            fade(self._theme.paper, 0.86),
            radius=3.0 * k,
            outline=0.8 * k,
            stroke=self._theme.axis,
        )
        inner: Box = (x0 + 34.0 * k, y0 + 20.0 * k, x1 - 10.0 * k, y1 - 16.0 * k)
        if self._given.phase:
            across, up = self._span(0), self._given.range or self._span(1)
        else:
            across, up = self._times(), self._given.range or self._span(None)
        self._add_upwards(items, lettering, inner, up)
        self._add_across(items, lettering, inner, across)
        self._add_names(items, lettering, box)
        columns = [(1, 2)] if self._given.phase else [(0, i + 1) for i in range(len(self._colors))]
        for (right, high), color in zip(columns, self._colors, strict=False):
            self._add_line(items, inner, across, up, (right, high), color)

    def _times(self) -> Span:
        now = self._samples[-1][0] if self._samples else 0.0
        window = self._window or 1.0
        return (max(now - window, 0.0), max(now, window))

    def _span(self, which: int | None) -> Span:
        """The axis of one expression, or of all."""
        rows = range(len(self._least)) if which is None else (which,)
        least, most = min(self._least[i] for i in rows), max(self._most[i] for i in rows)
        if not least <= most:
            return (0.0, 1.0)
        spare = HEADROOM * (most - least) or 0.5 * abs(most) or 1.0
        return (least - spare, most + spare)

    def _add_upwards(self, items: Items, lettering: Lettering, inner: Box, up: Span) -> None:
        x0, y0, x1, y1 = inner
        k, theme = self._unit, self._theme
        step = grid_step((y1 - y0) / (up[1] - up[0]), 20.0 * k)
        for mark in ticks(*up, step):
            y = y1 - (y1 - y0) * (mark * step - up[0]) / (up[1] - up[0])
            color = theme.quiet if mark == 0 else theme.axis
            items.add("path", [(x0 - 3.0 * k, y), (x1, y)], color, radius=0.4 * k)
            at = (x0 - 5.0 * k, y - 5.6 * k)
            lettering.add(items, tick_label(mark * step), at, theme.ink, 8.5 * k, align=1.0)
        items.add("path", [(x0, y0 - 2.0 * k), (x0, y1)], theme.quiet, radius=0.5 * k)

    def _add_across(self, items: Items, lettering: Lettering, inner: Box, across: Span) -> None:
        x0, _, x1, y1 = inner
        k, theme = self._unit, self._theme
        unit = 1.0 if self._given.phase else self._time_unit
        low, high = across[0] / unit, across[1] / unit
        step = grid_step((x1 - x0) / (high - low), 32.0 * k)
        items.add("path", [(x0, y1), (x1, y1)], theme.quiet, radius=0.5 * k)
        marks = ticks(low, high, step)
        for mark in marks:
            x = x0 + (x1 - x0) * (mark * step - low) / (high - low)
            items.add("path", [(x, y1), (x, y1 + 3.0 * k)], theme.quiet, radius=0.4 * k)
            last = " s" if mark == marks[-1] and not self._given.phase else ""
            text = tick_label(mark * step) + last
            lettering.add(items, text, (x, y1 + 3.5 * k), theme.ink, 8.5 * k, align=0.5)

    def _add_names(self, items: Items, lettering: Lettering, box: Box) -> None:
        """Adds a legend: a piece of each line and its name; of a portrait, up against across."""
        k, x, y = self._unit, box[0] + 8.0 * self._unit, box[1] + 10.0 * self._unit
        names: Sequence[str] = self._given.expressions
        if self._given.phase:
            names = [f"{names[1]}  against  {names[0]}"]
        for name, color in zip(names, self._colors, strict=False):
            if x + (15.0 + 9.5) * k > box[2]:
                return
            items.add("path", [(x, y), (x + 10.0 * k, y)], color, radius=1.0 * k)
            lettering.add(items, name, (x + 14.0 * k, y - 6.0 * k), self._theme.ink, 9.5 * k)
            x += 24.0 * k + lettering.width(name, 9.5 * k)

    def _add_line(
        self,
        items: Items,
        inner: Box,
        across: Span,
        up: Span,
        columns: tuple[int, int],
        color: Color,
    ) -> None:
        x0, y0, x1, y1 = inner
        right, high = columns
        wide, tall = (x1 - x0) / (across[1] - across[0]), (y1 - y0) / (up[1] - up[0])
        points = [
            (x0 + wide * (sample[right] - across[0]), y1 - tall * (sample[high] - up[0]))
            for sample in self._samples
            if isfinite(sample[right]) and isfinite(sample[high])
        ]
        for piece in between(points, y0, y1):
            items.add("path", piece, color, radius=0.85 * self._unit)
        if points and y0 <= points[-1][1] <= y1:
            items.add("circle", points[-1:], color, radius=2.2 * self._unit)
