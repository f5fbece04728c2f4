# SPDX-License-Identifier: MIT
"""Curves as figures, by matplotlib: over time, over each other, or as histograms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..record.atomic import atomic_file
from ..render.marks.axes import apart
from .curves import TIME, Curves, RecordedQuantity
from .plotting import DPI, figure_bytes, fitted, line_style, name_lines, need_matplotlib

ENDINGS = (".svg", ".png", ".pdf")
BINS = 40
FONT_SIZE = 9
MARGIN = 1.0  # inches beside panels, for numbers and labels
MISSING = "plots need matplotlib, which is not installed; pip install 'rigid2d[plot]' gets it"


def over(found: Sequence[Curves], x: str, size: tuple[int, int], title: str) -> Any:
    """A figure of all quantities over one of them, or over time; one panel for each unit."""
    figure, panels = _panels(found, x, size, title, shared=True)
    for axes, names in panels:
        for curves in found:
            for name in names:
                axes.plot(
                    curves.columns[x],
                    curves.columns[name],
                    label=_label(name, curves, found, names),
                    clip_on=False,  # a line along an end of the axis is not cut
                    **line_style(len(axes.get_lines())),
                )
        axes.margins(x=0.0 if x == TIME else 0.05)
        low, high = axes.dataLim.intervaly
        if low < high:
            axes.update_datalim([(axes.dataLim.x0, end) for end in apart(low, high)])
            axes.autoscale_view()
        _finish(axes, len(found) * len(names), size)
    below = next((each for each in found[0].quantities if each.name == x), RecordedQuantity(x, ""))
    panels[-1][0].set_xlabel(fitted(below.label, size[0] / DPI - MARGIN, FONT_SIZE))
    return figure


def phase(found: Sequence[Curves], x: str, y: str, size: tuple[int, int], title: str) -> Any:
    """A figure of one quantity over another, with the beginning of each run marked."""
    figure = over(found, x, size, title)
    (axes,) = figure.axes
    for curves, line in zip(found, axes.get_lines(), strict=True):
        start = curves.columns[x][:1], curves.columns[y][:1]
        axes.plot(*start, "o", color=line.get_color(), markersize=4)
    return figure


def histogram(found: Sequence[Curves], size: tuple[int, int], title: str) -> Any:
    """A figure of how often values come, by the steps that have them."""
    figure, panels = _panels(found, TIME, size, title, shared=False)
    for axes, names in panels:
        shown = [
            (_label(name, curves, found, names), _finite(curves.columns[name]))
            for curves in found
            for name in names
        ]
        together = np.concatenate([values for _, values in shown])
        edges = np.histogram_bin_edges(together, bins=BINS) if len(together) else BINS
        for label, values in shown:
            axes.hist(values, bins=edges, label=label, histtype="stepfilled", alpha=0.5)
        axes.set_xlabel(axes.get_ylabel().replace("\n", " "))
        axes.set_ylabel("steps")
        _finish(axes, len(shown), size)
    return figure


def _finite(values: Any) -> Any:
    return values[np.isfinite(values)]


def _panels(
    found: Sequence[Curves], x: str, size: tuple[int, int], title: str, *, shared: bool
) -> tuple[Any, list[tuple[Any, list[str]]]]:
    """A figure with a panel for each unit, and which quantities go into it. Panels with a shared
    horizontal axis have its numbers below the last one."""
    need_matplotlib(MISSING, FONT_SIZE)
    from matplotlib.figure import Figure

    units: dict[str, list[RecordedQuantity]] = {}
    for each in found[0].quantities:
        if each.name != x:
            units.setdefault(each.unit, []).append(each)
    width, height = size
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, layout="constrained")
    panels: list[tuple[Any, list[str]]] = []
    first: Any = None
    for place, (unit, quantities) in enumerate(units.items()):
        axes = figure.add_subplot(len(units), 1, place + 1, sharex=first if shared else None)
        first = first or axes
        names = [each.name for each in quantities]
        label, room = quantities[0].label, height / DPI / len(units) - 0.5 * MARGIN
        if len(names) > 1:
            label = unit
        elif fitted(label, room, FONT_SIZE) != label:  # one line: the name is above the panel
            above = fitted(names[0], width / DPI - MARGIN, FONT_SIZE)
            axes.set_title(above, loc="left", fontsize=FONT_SIZE, parse_math=False)
            label = unit
        axes.set_ylabel(fitted(label, room, FONT_SIZE))
        axes.tick_params(labelbottom=not shared or place == len(units) - 1)
        panels.append((axes, names))
    if title:
        figure.suptitle(fitted(title, width / DPI - 0.2, 1.2 * FONT_SIZE), parse_math=False)
    return figure, panels


def _label(name: str, curves: Curves, found: Sequence[Curves], names: Sequence[str]) -> str:
    if len(found) == 1:
        return name
    return curves.label if len(names) == 1 else f"{name}, {curves.label}"


def _finish(axes: Any, lines: int, size: tuple[int, int]) -> None:
    if lines > 1:
        name_lines(axes, size[0] / DPI - MARGIN)


def save(figure: Any, path: str | Path) -> None:
    """Write a figure as its file's ending says."""
    with atomic_file(path) as file:
        file.write(figure_bytes(figure, Path(path).suffix.lower().removeprefix(".")))
