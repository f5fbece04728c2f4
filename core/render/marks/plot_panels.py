# SPDX-License-Identifier: MIT
"""The drawing of plots in the picture: panels with axes, names and lines.

``assets/notes.js`` of the page draws the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from ...record.expression_units import unit_of_expression
from ...scene.model import Annotation, Scene
from ...scene.values.portable_math import total
from ...view.boxes import Box
from ..canvas.colors import Color, fade
from ..canvas.display import Items
from ..canvas.formulas import without_signs
from ..canvas.text import Lettering, write_rimmed
from ..canvas.theme import Theme
from .axes import LETTER, axis_marks, inside
from .grid import tick_label
from .plots import Plot, Sample, Span

LEAST_LETTERS = 5.0
"""The least height of names in pixels; smaller plots are drawn without words and numbers."""
TICKS, NAMES, ROW = 8.5, 9.5, 12.0
"""Height of the letters of numbers and of names, and of a row of names, in pixels of a plot."""
MOST_ENDS = 0.4
"""Names at the ends of lines take at most this share of a plot's width."""
LEAST_INNER = 24.0
"""Names above the lines leave at least so much height to these."""
MOST_PEAKS = 6
"""A plot says the values of so many peaks beyond its axis at most."""
CUT = "…"


@dataclass(frozen=True, slots=True)
class PlotWords:
    """The words of a plot, with units.

    Attributes:
        names: those of the lines; of a portrait the name of the axis upwards.
        unit: that of the axis upwards, if all lines have the same.
        across: the label of the axis across; empty for times, whose last number has the unit.
        single: whether the only name is that of the axis, too.
    """

    names: tuple[str, ...]
    unit: str
    across: str
    single: bool


def words_of(given: Annotation, scene: Scene) -> PlotWords:
    """The words of a plot; units that a scene does not give are those of the expressions."""
    sources = given.expressions[1:] if given.phase else given.expressions
    names = tuple(map(without_signs, given.names or sources))
    units = [unit_of_expression(each, scene) for each in sources]
    units = units if given.unit is None else [given.unit] * len(units)
    same = len(set(units)) == 1
    across = _with_unit(given.x_label, "s") if given.x_label else ""
    if given.phase:
        x = given.expressions[0]
        unit = unit_of_expression(x, scene) if given.x_unit is None else given.x_unit
        across = _with_unit(given.x_label or x, unit)
    across = without_signs(across)
    if not same:
        names = tuple(map(_with_unit, names, units))
    return PlotWords(names, units[0] if same else "", across, len(names) == 1 and not given.names)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot that is to be drawn: its words, the colours of its lines, and its label now."""

    plot: Plot
    words: PlotWords
    colors: Sequence[Color]
    label: str

    @property
    def ends(self) -> bool:
        """Whether names are at the ends of the lines."""
        return self.plot.given.legend == "ends" and not self.words.single

    def header(self) -> list[tuple[str, Color | None]]:
        """The rows above the lines: texts, with the colours of the lines that they name."""
        words, legend = self.words, self.plot.given.legend
        color = None if legend == "none" else self.colors[0]
        if words.single:
            return [(_with_unit(self.label or words.names[0], words.unit), color)]
        title = _with_unit(self.label, words.unit) if self.label else words.unit
        entries: list[tuple[str, Color | None]] = [(title, None)] if title else []
        if legend == "top":
            entries += zip(words.names, self.colors, strict=False)
        return entries


def header_rows(
    panel: Panel, lettering: Lettering, wide: float, k: float
) -> list[list[tuple[float, str, Color | None]]]:
    """The rows of what is above the lines: each text with its place from the left edge."""
    rows: list[list[tuple[float, str, Color | None]]] = [[]]
    x, most = 8.0 * k, wide - 6.0 * k
    for text, color in panel.header():
        piece = 14.0 * k if color else 0.0
        long = piece + lettering.width(text, NAMES * k)
        if rows[-1] and x + long > most:
            rows.append([])
            x = 8.0 * k
        shown = fitted(lettering, text, most - x - piece, NAMES * k)
        rows[-1].append((x, shown, color))
        x += long + 10.0 * k
    return rows if rows[0] else []


def fitted(lettering: Lettering, text: str, wide: float, letters: float) -> str:
    """A text that is not wider than ``wide``, cut where it has to be."""
    if lettering.width(text, letters) <= wide:
        return text
    while len(text) > 1 and lettering.width(text + CUT, letters) > wide:
        text = text[:-1]
    return text + CUT


def more_rows(panel: Panel, lettering: Lettering, wide: float, k: float) -> float:
    """How much higher a plot is for the rows of names after the first one."""
    return max(len(header_rows(panel, lettering, wide, k)) - 1, 0) * ROW * k


class PanelPen:
    """Draws the plots that share one place, one below the other.

    Args:
        k: the size of a pixel of a plot.
    """

    def __init__(self, items: Items, lettering: Lettering, theme: Theme, k: float) -> None:
        self._items, self._lettering, self._theme, self._k = items, lettering, theme, k
        self._is_written = NAMES * k >= LEAST_LETTERS

    def add(self, panels: Sequence[Panel], box: Box, heights: Sequence[float]) -> None:
        """Draw plots into a box; heights are in proportion."""
        k, theme = self._k, self._theme
        x0, y0, x1, y1 = box
        self._items.add(
            "polygon",
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)],
            fade(theme.paper, 0.86),
            radius=3.0 * k,
            outline=0.8 * k,
            stroke=theme.axis,
        )
        ends = [self._ends(panel, x1 - x0) for panel in panels]
        placed: list[tuple[Panel, Box, list[tuple[float, str]]]] = []
        top = y0
        for i, (panel, high) in enumerate(zip(panels, heights, strict=True)):
            bottom = top + (y1 - y0) * high / total(heights)
            below = 6.0 * k
            if i == len(panels) - 1:
                below = (16.0 + (ROW if panels[0].words.across else 0.0)) * k
            rows = header_rows(panel, self._lettering, x1 - x0, k) if self._is_written else []
            most = max(int((bottom - top - below - (8.0 + LEAST_INNER) * k) / (ROW * k)), 1)
            self._add_header(rows[:most], x0, top)
            inner = (x0, top + (8.0 + ROW * min(len(rows), most)) * k, x1, bottom - below)
            marks = axis_marks(*panel.plot.up(), inner[3] - inner[1], 20.0 * k)
            placed.append((panel, inner, marks))
            top = bottom
        longest = max((len(text) for _, _, marks in placed for _, text in marks), default=0)
        left = x0 + max(12.0 + TICKS * LETTER * longest, LEAST_INNER) * k
        right = x1 - max(10.0 * k, *(wide for wide, _ in ends))
        for (panel, (_, high, _, low), marks), (_, names) in zip(placed, ends, strict=True):
            inner = (left, high, right, low)
            self._add_upwards(inner, panel.plot.up(), marks)
            self._add_across(panels[0], inner, box, panel is panels[-1])
            self._add_lines(panel, inner, panels[0].plot.across())
            self._add_ends(panel, inner, names)
            if not panel.plot.given.phase:
                self._add_peaks(panel, inner, panels[0].plot.across())

    # ------------------------------------------------------------ names

    def _add_header(
        self, rows: Sequence[Sequence[tuple[float, str, Color | None]]], left: float, top: float
    ) -> None:
        k = self._k
        for i, row in enumerate(rows):
            y = top + (10.0 + ROW * i) * k
            for x, text, color in row:
                start = left + x
                if color:
                    ends = [(start, y), (start + 10.0 * k, y)]
                    self._items.add("path", ends, color, radius=1.0 * k)
                    start += 14.0 * k
                self._write(text, (start, y - 6.0 * k), NAMES)

    def _ends(self, panel: Panel, wide: float) -> tuple[float, list[str]]:
        """The width of names at the ends of lines, and these names."""
        if not panel.ends or not self._is_written:
            return 0.0, []
        k = self._k
        room = MOST_ENDS * wide - 24.0 * k
        names = [fitted(self._lettering, each, room, NAMES * k) for each in panel.words.names]
        return 24.0 * k + max(self._lettering.width(each, NAMES * k) for each in names), names

    def _add_ends(self, panel: Panel, inner: Box, names: Sequence[str]) -> None:
        """Names beside the lines' last values, as far apart as they are high."""
        k, (_, y0, x1, y1) = self._k, inner
        low, high = panel.plot.up()
        last = panel.plot.last
        if last is None or not names:
            return
        places = []
        for i in range(len(names)):
            value = last[i + 1] if isfinite(last[i + 1]) else low
            places.append((min(max(y1 - (y1 - y0) * (value - low) / (high - low), y0), y1), i))
        for y, i in spread(sorted(places), y0, y1, 0.9 * ROW * k):
            ends = [(x1 + 6.0 * k, y), (x1 + 14.0 * k, y)]
            self._items.add("path", ends, panel.colors[i], radius=1.0 * k)
            self._write(names[i], (x1 + 17.0 * k, y - 6.0 * k), NAMES)

    # ------------------------------------------------------------ axes

    def _add_upwards(self, inner: Box, up: Span, marks: Sequence[tuple[float, str]]) -> None:
        x0, y0, x1, y1 = inner
        k, theme = self._k, self._theme
        for value, text in marks:
            y = y1 - (y1 - y0) * (value - up[0]) / (up[1] - up[0])
            color = theme.quiet if value == 0.0 else theme.axis
            self._items.add("path", [(x0 - 3.0 * k, y), (x1, y)], color, radius=0.4 * k)
            self._write(text, (x0 - 5.0 * k, y - 5.6 * k), TICKS, 1.0)
        self._items.add("path", [(x0, y0 - 2.0 * k), (x0, y1)], theme.quiet, radius=0.5 * k)

    def _add_across(self, first: Panel, inner: Box, box: Box, labelled: bool) -> None:
        """The axis across, with numbers below the last of several plots."""
        x0, _, x1, y1 = inner
        k, theme, given = self._k, self._theme, first.plot.given
        unit = 1.0 if given.phase else first.plot.time_unit
        low, high = (each / unit for each in first.plot.across())
        self._items.add("path", [(x0, y1), (x1, y1)], theme.quiet, radius=0.5 * k)
        marks = axis_marks(low, high, x1 - x0, 32.0 * k, TICKS * k)
        for value, text in marks:
            x = x0 + (x1 - x0) * (value - low) / (high - low)
            self._items.add("path", [(x, y1), (x, y1 + 3.0 * k)], theme.quiet, radius=0.4 * k)
            if not labelled:
                continue
            if value == marks[-1][0] and not first.words.across:
                text = f"{text} s"
            half = 0.5 * self._lettering.width(text, TICKS * k)
            self._write(text, (min(x, box[2] - half - 2.0 * k), y1 + 3.5 * k), TICKS, 0.5)
        if labelled and first.words.across:
            text = fitted(self._lettering, first.words.across, box[2] - x0 - 6.0 * k, NAMES * k)
            half = 0.5 * self._lettering.width(text, NAMES * k)
            middle = min(0.5 * (x0 + x1), box[2] - half - 4.0 * k)
            self._write(text, (middle, y1 + 14.0 * k), NAMES, 0.5)

    def _write(
        self, text: str, at: tuple[float, float], letters: float, align: float = 0.0
    ) -> None:
        if self._is_written:
            ink = self._theme.ink
            self._lettering.add(self._items, text, at, ink, letters * self._k, align=align)

    # ------------------------------------------------------------ lines

    def _add_lines(self, panel: Panel, inner: Box, across: Span) -> None:
        x0, y0, x1, y1 = inner
        up = panel.plot.up()
        wide, tall = (x1 - x0) / (across[1] - across[0]), (y1 - y0) / (up[1] - up[0])
        for (right, high), color in zip(panel.plot.columns, panel.colors, strict=False):
            edge = 0.85 * self._k
            points = [
                (
                    _held(x0 + wide * (sample[right] - across[0]), x0, x1, edge),
                    _held(y1 - tall * (sample[high] - up[0]), y0, y1, edge),
                )
                for sample in panel.plot.samples
                if isfinite(sample[right]) and isfinite(sample[high])
            ]
            for piece in inside(points, inner):
                self._items.add("path", piece, color, radius=edge)
            if points and y0 <= points[-1][1] <= y1 and x0 <= points[-1][0] <= x1:
                self._items.add("circle", points[-1:], color, radius=2.2 * self._k)

    def _add_peaks(self, panel: Panel, inner: Box, across: Span) -> None:
        """The values of peaks beyond the axis, at its ends; of those together the farthest."""
        x0, y0, x1, y1 = inner
        k, up, theme = self._k, panel.plot.up(), self._theme
        found = [
            (*peak, color)
            for (_, row), color in zip(panel.plot.columns, panel.colors, strict=False)
            for peak in peaks_beyond(panel.plot.samples, row, across, up)
        ]
        taken: list[tuple[float, float, bool]] = []
        for _, time, value, color in sorted(found, key=lambda each: (-each[0], each[1])):
            above, text = value > up[1], tick_label(float(f"{value:.3g}"))
            long = self._lettering.width(text, TICKS * k)
            x = x0 + (x1 - x0) * (time - across[0]) / (across[1] - across[0])
            left = x + 5.0 * k if x + 5.0 * k + long <= x1 else x - 5.0 * k - long
            ends = (min(left, x - 3.0 * k), max(left + long, x + 3.0 * k))
            if any(a < ends[1] and ends[0] < b for a, b, high in taken if high == above):
                continue
            taken.append((*ends, above))
            tip, base = (y0, y0 + 5.0 * k) if above else (y1, y1 - 5.0 * k)
            corners = [(x, tip), (x - 3.0 * k, base), (x + 3.0 * k, base)]
            self._items.add("polygon", corners, color)
            at = (left + 0.5 * long, y0 if above else y1 - 11.0 * k)
            colors = (theme.ink, theme.paper)
            write_rimmed(self._items, self._lettering, text, at, colors, TICKS * k)
            if len(taken) == MOST_PEAKS:
                return


def peaks_beyond(
    samples: Iterable[Sample], row: int, across: Span, up: Span
) -> list[tuple[float, float, float]]:
    """Of each stretch of a line beyond the axis, in the shown time, the farthest value: how far it
    is beyond, its time, and the value."""
    found: list[tuple[float, float, float]] = []
    last = 0
    for sample in samples:
        time, value = sample[0], sample[row]
        side = (value > up[1]) - (value < up[0]) if time >= across[0] else 0
        far = value - up[1] if side > 0 else up[0] - value
        if side and side == last and far > found[-1][0]:
            found[-1] = (far, time, value)
        elif side and side != last:
            found.append((far, time, value))
        last = side
    return found


def _held(place: float, low: float, high: float, edge: float) -> float:
    """A place beyond an end of an axis by less than a line's half width is on that end: a line
    along the end is not cut."""
    nearest = min(max(place, low), high)
    return nearest if abs(place - nearest) <= edge else place


def spread(
    places: Sequence[tuple[float, int]], low: float, high: float, apart: float
) -> list[tuple[float, int]]:
    """Sorted places moved so that they are ``apart`` and, if they fit, between two ends."""
    found: list[tuple[float, int]] = []
    for y, i in places:
        found.append((max(y, found[-1][0] + apart) if found else y, i))
    end = high
    for j in range(len(found) - 1, -1, -1):
        found[j] = (min(found[j][0], end), found[j][1])
        end = found[j][0] - apart
    return found
