# SPDX-License-Identifier: MIT
"""Plots, pictures and the page of a comparison, by matplotlib."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median_low
from typing import Any

from ..record.atomic import atomic_file
from ..record.channel_units import shown_unit
from ..record.expression_units import unit_of_expression
from ..render import Renderer, Survey
from ..render.canvas.theme import LIGHT
from ..scene.model import Scene
from ..scene.values.expression import Expression
from ..scene.values.portable_math import log
from .compare import COLUMNS, VariantOutcome, formula_values, table_rows
from .plotting import (
    figure_bytes,
    fitted,
    floored,
    hexed,
    legend_columns,
    line_style,
    need_matplotlib,
    number_labels,
)

PICTURE_SIZE = (320, 240)
WIDTH = 9.0  # inches of a figure
FONT_SIZE, SMALL = 8.0, 7.0
INK = hexed(LIGHT.ink)
FORMULA = "formula"
FORMULA_POINTS = 400
RUNS_AWAY = 10.0  # times as large as with half of the variants
ROUNDING = 1e-14  # what is smaller is not worth a plot
POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
    "style-src 'unsafe-inline'"
)
"""The page's policy: it shows its own content, and runs nothing."""
MISSING = (
    "plots and pictures of a comparison need matplotlib, which is not installed; "
    "pip install 'rigid2d[compare]' gets it. Without --plot, --picture and --report there is the "
    "table alone"
)


def decades(value: float) -> float:
    """The logarithm to the base 10."""
    return log(value) / log(10.0)


def plots(found: Sequence[VariantOutcome], formulas: Mapping[str, Expression] | None = None) -> Any:
    """A figure: channels, convergence of the next step, residual, energy and penetration against
    time, as far as the solvers report them. ``formulas`` of the time t are drawn with channels.

    Raises UsageError where a formula has no value.
    """
    need_matplotlib(MISSING)
    from matplotlib.figure import Figure

    panels = [panel for panel in _panels(found, formulas or {}) if panel.curves]
    across = min(2, len(panels))
    rows = -(-len(panels) // across)
    labels = [outcome.variant.label for outcome in found]
    columns = legend_columns(labels, WIDTH - 0.4, SMALL)
    lines = -(-len(labels) // columns)
    size = (WIDTH, 3 * rows + 0.2 * lines)
    figure = Figure(figsize=size, layout="constrained")
    drawn: dict[str, Any] = {}
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(rows, across, place + 1)
        least = _least(panel) if panel.logarithmic else 0.0
        for label, (x, y) in panel.curves.items():
            values = floored(y, least) if panel.logarithmic else y
            if label == FORMULA:
                (line,) = axes.plot(x, values, color=INK, linewidth=0.9, linestyle="--")
            else:
                style = line_style(labels.index(label))
                (line,) = axes.plot(x, values, clip_on=False, **style)
            drawn.setdefault(label, line)
        axes.set_title(fitted(panel.title, WIDTH / across - 0.8, FONT_SIZE))
        axes.set_xlabel(panel.below)
        axes.set_ylabel(panel.unit)
        if panel.logarithmic:
            axes.set_yscale("log")
            number_labels(axes)
        else:
            _show_all(axes, panel)
    shown = {label: drawn[label] for label in (*labels, FORMULA) if label in drawn}
    names = [fitted(label, WIDTH - 0.8, SMALL) for label in shown]
    below: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "fontsize": SMALL}
    figure.legend(shown.values(), names, **below)
    return figure


def _least(panel: _Panel) -> float:
    """The smallest value above 0 of a panel."""
    values = [value for _, y in panel.curves.values() for value in y if value > 0.0]
    return min(values, default=ROUNDING)


def _show_all(axes: Any, panel: _Panel) -> None:
    """Have an axis show curves whole of which some run away: linear where half of them stay, and
    logarithmic beyond."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

    sizes = [max(map(abs, y)) for label, (_, y) in panel.curves.items() if label != FORMULA]
    usual, largest = median_low(sizes), max(sizes)
    if usual <= 0.0 or largest <= RUNS_AWAY * usual:
        return
    border = 2.0 * usual
    wide = decades(largest / border)
    axes.set_yscale("symlog", linthresh=border, linscale=max(1.0, wide))
    low, high = axes.get_ylim()
    inner = [*MaxNLocator(4, symmetric=True).tick_values(-usual, usual)]
    first, last = math.ceil(decades(border)), math.floor(decades(max(-low, high)))
    apart = -(-max(1, last - first) // 4)
    outer = [sign * 10.0**power for power in range(last, first - 1, -apart) for sign in (-1, 1)]
    axes.yaxis.set_major_locator(FixedLocator([t for t in inner + outer if low <= t <= high]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    for at in (-border, border):
        if low <= at <= high:
            axes.axhline(at, color=hexed(LIGHT.quiet), linewidth=0.6)


@dataclass
class _Panel:
    title: str
    below: str
    logarithmic: bool
    unit: str = ""
    curves: dict[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)


def _panels(found: Sequence[VariantOutcome], formulas: Mapping[str, Expression]) -> list[_Panel]:
    unit = found[0].scene.units
    time = f"time ({unit.time})"
    convergence = _Panel("squared error of a step's solution", "iteration", True)
    residual = _Panel("residual", time, True, shown_unit("length/time", unit))
    energy = _Panel("energy, less that at the start", time, False, shown_unit("energy", unit))
    depth = _Panel(f"deepest overlap ({unit.length})", time, False, unit.length)
    for outcome in found:
        label, times = outcome.variant.label, outcome.times.tolist()
        if max(outcome.convergence, default=0.0) > ROUNDING * ROUNDING:
            rounds = [float(k + 1) for k in range(len(outcome.convergence))]
            convergence.curves[label] = (rounds, outcome.convergence)
        if (outcome.residual[1:] > ROUNDING).any():
            residual.curves[label] = (times[1:], outcome.residual[1:].tolist())
        energy.curves[label] = (times, (outcome.energy - outcome.energy[0]).tolist())
        if outcome.penetration.any():
            depth.curves[label] = (times, outcome.penetration.tolist())
    return [*_channel_panels(found, formulas, time), convergence, residual, energy, depth]


def _channel_panels(
    found: Sequence[VariantOutcome], formulas: Mapping[str, Expression], time: str
) -> list[_Panel]:
    """One for each channel, with its formula."""
    panels = []
    end = max(float(each.times[-1]) for each in found)
    for name in found[0].channels:
        panel = _Panel(name, time, False, unit_of_expression(name, found[0].scene))
        for each in found:
            panel.curves[each.variant.label] = (each.times.tolist(), each.channels[name].tolist())
        if name in formulas:
            moments = [end * i / FORMULA_POINTS for i in range(FORMULA_POINTS + 1)]
            values = formula_values(found[0].scene, formulas[name], moments)
            panel.curves[FORMULA] = (moments, values)
        panels.append(panel)
    return panels


def side_by_side(scene: Scene, found: Sequence[VariantOutcome]) -> Any:
    """A figure: the end of every variant, all seen alike."""
    need_matplotlib(MISSING)
    from matplotlib.figure import Figure

    survey = Survey(scene, [outcome.frame for outcome in found])
    columns = min(4, len(found))
    rows = -(-len(found) // columns)
    width, height = PICTURE_SIZE
    figure = Figure(figsize=(columns * width / 100, rows * (height + 24) / 100), dpi=100)
    for place, outcome in enumerate(found):
        axes = figure.add_subplot(rows, columns, place + 1)
        renderer = Renderer(outcome.scene, size=PICTURE_SIZE, survey=survey)
        axes.imshow(renderer.draw(outcome.frame))
        axes.set_title(fitted(outcome.variant.label, width / 100 - 0.2, SMALL), fontsize=SMALL)
        axes.set_axis_off()
    figure.subplots_adjust(left=0.005, right=0.995, bottom=0.01, top=0.92, wspace=0.02)
    return figure


def write_report(
    scene: Scene,
    found: Sequence[VariantOutcome],
    path: str | Path,
    formulas: Mapping[str, Expression] | None = None,
) -> None:
    """A page with table, picture and plots in it, which needs nothing else."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in COLUMNS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in table_rows(found)
    )
    stops = "".join(
        f"<p>{html.escape(each.variant.label)} stopped: {html.escape(each.stopped)}</p>"
        for each in found
        if each.stopped
    )
    picture = base64.b64encode(figure_bytes(side_by_side(scene, found), "png")).decode()
    curves = figure_bytes(plots(found, formulas), "svg").decode()
    title = html.escape(f"{scene.name}: solvers compared")
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>{title}</title>
<style>body {{font: 15px/1.5 sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem}}
table {{border-collapse: collapse}} td, th {{padding: .2rem .7rem; text-align: right}}
td:first-child, th:first-child {{text-align: left}} tr:nth-child(even) {{background: #f4f4f4}}
img, svg {{max-width: 100%; height: auto}} pre {{background: #f4f4f4; padding: 1rem}}</style></head>
<body><h1>{title}</h1><p>{html.escape(scene.description)}</p>
<table><tr>{head}</tr>{rows}</table>{stops}
<p><img alt="the end with each solver" src="data:image/png;base64,{picture}"></p>
{curves[curves.index("<svg") :]}
<h2>Scene</h2><pre>{html.escape(scene.text)}</pre></body></html>
"""
    with atomic_file(path) as file:
        file.write(page.encode())
