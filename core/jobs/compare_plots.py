# SPDX-License-Identifier: MIT
"""Plots, pictures and the page of a comparison, by matplotlib."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ..record.atomic import atomic_file
from ..render import Renderer, Survey
from ..scene.model import Scene
from .compare import COLUMNS, Outcome, table_rows
from .plotting import figure_bytes, need_matplotlib

PICTURE_SIZE = (320, 240)
ROUNDING = 1e-14  # what is smaller is not worth a plot
POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
    "style-src 'unsafe-inline'"
)
"""The page's policy: it shows its own content, and runs nothing."""
MISSING = (
    "plots and pictures of a comparison need matplotlib, which is not installed; "
    "pip install 'rigid[compare]' gets it. Without --plot, --picture and --report there is the "
    "table alone"
)


def plots(found: Sequence[Outcome]) -> Any:
    """A figure: channels, convergence of the next step, residual, energy and penetration against
    time, as far as the solvers report them."""
    need_matplotlib(MISSING)
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogFormatter

    panels = [panel for panel in _panels(found) if panel.curves]
    rows = -(-len(panels) // 2)
    figure = Figure(figsize=(9, 3 * rows), layout="constrained")
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(rows, 2, place + 1)
        for label, (x, y) in panel.curves.items():
            axes.plot(x, y, label=label)
        axes.set_title(panel.title)
        axes.set_xlabel(panel.below)
        axes.grid(visible=True, alpha=0.3)
        if panel.shown is not None:
            axes.set_ylim(*panel.shown)
        if panel.logarithmic:
            axes.set_yscale("log")
            # As 1e-08: texts are no formulas here, and the usual labels of such an axis are.
            axes.yaxis.set_major_formatter(LogFormatter())
            axes.yaxis.set_minor_formatter(LogFormatter())
        if panel is panels[-1]:
            axes.legend(fontsize=6)
    return figure


@dataclass
class _Panel:
    title: str
    below: str
    logarithmic: bool
    shown: tuple[float, float] | None = None
    curves: dict[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)


def _panels(found: Sequence[Outcome]) -> list[_Panel]:
    unit = found[0].scene.units
    time = f"time ({unit.time})"
    convergence = _Panel("squared error of a step's solution", "iteration", True)
    residual = _Panel("residual", time, True)
    energy = _Panel("energy, less that at the start", time, False)
    depth = _Panel(f"deepest overlap ({unit.length})", time, False)
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
    return [*_channel_panels(found, time), convergence, residual, energy, depth]


def _channel_panels(found: Sequence[Outcome], time: str) -> list[_Panel]:
    """One for each channel. What runs away with some of the variants leaves the picture, in which
    those stay that half of them stay within."""
    panels = []
    for name in found[0].channels:
        curves = {each.variant.label: each.channels[name].tolist() for each in found}
        low = median(min(values) for values in curves.values())
        high = median(max(values) for values in curves.values())
        room = 0.1 * (high - low)
        panel = _Panel(name, time, False, (low - room, high + room) if room > 0.0 else None)
        for each in found:
            label = each.variant.label
            panel.curves[label] = (each.times.tolist(), curves[label])
        panels.append(panel)
    return panels


def side_by_side(scene: Scene, found: Sequence[Outcome]) -> Any:
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
        axes.set_title(outcome.variant.label, fontsize=7)
        axes.set_axis_off()
    figure.subplots_adjust(left=0.005, right=0.995, bottom=0.01, top=0.92, wspace=0.02)
    return figure


def write_report(scene: Scene, found: Sequence[Outcome], path: str | Path) -> None:
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
    curves = figure_bytes(plots(found), "svg").decode()
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
