# SPDX-License-Identifier: MIT
"""Plots of the columns of a study, by matplotlib."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..jobs.plotting import figure_bytes, fitted, line_style, name_lines, need_matplotlib
from ..record.expression_units import unit_of_expression
from ..scene.study_model import Study
from .plan import StudyPlan
from .results import Results, resolve
from .storing import Store
from .tables import OWN, collected, parameters

FOLDER = "plots"
MISSING = (
    "plots of studies need matplotlib, which is not installed; pip install 'rigid2d[study]' gets "
    "it. Without --plot there is the table alone"
)
SIZE = (6.0, 4.0)  # inches
FONT_SIZE = 8.0
OF_VALUES = ("end", "max", "min", "mean")
"""The kinds of collected columns that have the unit of their expression."""
_FEW = 60
"""Different values up to which those at one place are averaged and joined by a line."""
_MOST_CELLS = 400
"""Different values of one side of a heat map."""
_FEW_CELLS = 10
"""Of so few values each has its number on the axis."""
_COLORED_LINES = 12
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StudyPlot:
    """A plot that was written: its name, and its file as SVG."""

    name: str
    file: str
    svg: bytes


def check_plots(wanted: Sequence[str], study: Study) -> None:
    """Raise UsageError for a plot of columns that a study will not have, before its first run."""
    varied = [name for name, _ in parameters(study)]
    names = ["run", *varied, *(name for name, _ in (*collected(study), *OWN))]
    for text in wanted:
        _parts(text, names)
    if wanted:
        need_matplotlib(MISSING)


def _parts(text: str, names: Sequence[str]) -> list[str]:
    parts = text.split(":")
    if not 2 <= len(parts) <= 3 or not all(parts):
        raise UsageError(f"--plot {text}: is y:x or y:x:color, such as range:angle")
    try:
        return [resolve(part, names) for part in parts]
    except UsageError as error:
        raise UsageError(f"--plot {text}: {error}") from None


def write_plots(results: Results, wanted: Sequence[str], plan: StudyPlan) -> list[StudyPlot]:
    """Write each plot as SVG and PNG into the study's folder."""
    if not wanted:
        return []
    need_matplotlib(MISSING)
    folder = results.path / FOLDER
    Store.make(folder)
    written = []
    units = units_of(plan)
    for text in wanted:
        names = _parts(text, results.columns)
        figure = _figure(results, names, units)
        stem = re.sub(r"[^\w.-]+", "_", "-".join(text.split(":")))
        for kind in ("svg", "png"):
            data = figure_bytes(figure, kind)
            Store.write(folder / f"{stem}.{kind}", data)
            if kind == "svg":
                written.append(StudyPlot(text, str(Path(FOLDER) / f"{stem}.svg"), data))
    return written


def units_of(plan: StudyPlan) -> dict[str, str]:
    """The units of collected columns, as far as they are known."""
    units = {}
    for each in plan.study.collect:
        if each.kind in OF_VALUES:
            units[each.name] = unit_of_expression(each.source, plan.scene)
        elif each.kind in ("first", "last"):
            units[each.name] = plan.scene.units.time
    return units


def _figure(results: Results, names: Sequence[str], units: Mapping[str, str]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    y, x = (_numbers(results, name) for name in names[:2])
    labels = [f"{name} ({units[name]})" if units.get(name) else name for name in names]
    axes.set_xlabel(fitted(labels[1], SIZE[0] - 1.0, FONT_SIZE))
    upwards = [fitted(label, SIZE[1] - 1.0, FONT_SIZE) for label in labels]
    color = None if len(names) == 2 else _numbers(results, names[2])
    if color is None:
        axes.set_ylabel(upwards[0])
        _draw(axes, x, y, None)
    elif names[1] in results.parameters and names[2] in results.parameters and _is_grid(x, color):
        axes.set_ylabel(upwards[2])
        _heat_map(figure, axes, x, color, y, labels[0])
    else:
        axes.set_ylabel(upwards[0])
        _colored(figure, axes, x, y, color, labels[2])
    return figure


def _numbers(results: Results, name: str) -> Column:
    """A column as numbers: true is 1, and of texts each has the number in which it comes first."""
    values = results[name]
    if values.dtype != object:
        return values.astype(np.float64)
    places: dict[Any, float] = {}
    numbers = [
        float(each)
        if isinstance(each, (bool, int, float))
        else (np.nan if each is None else places.setdefault(each, float(len(places))))
        for each in values.tolist()
    ]
    return np.array(numbers)


def _is_grid(x: Column, y: Column) -> bool:
    counts = len(np.unique(x)), len(np.unique(y))
    return min(counts) >= 2 and max(counts) <= _MOST_CELLS and counts[0] * counts[1] <= len(x)


def _draw(axes: Any, x: Column, y: Column, label: str | None) -> None:
    """Draw dots; or, for few repeated values of x, a line through the means of y with its
    deviations."""
    there = np.isfinite(x) & np.isfinite(y)
    x, y = x[there], y[there]
    places = np.unique(x)
    if len(places) > _FEW or len(places) < 2:
        axes.plot(x, y, ".", markersize=3, alpha=0.6, label=label, clip_on=False)
        return
    groups = [y[x == place] for place in places]
    style = line_style(len(axes.get_lines()))
    (line,) = axes.plot(
        places, [group.mean() for group in groups], marker=".", label=label, clip_on=False, **style
    )
    if any(len(group) > 1 for group in groups):
        low, high = [group.min() for group in groups], [group.max() for group in groups]
        axes.fill_between(places, low, high, color=line.get_color(), alpha=0.15, linewidth=0)


def _colored(figure: Any, axes: Any, x: Column, y: Column, color: Column, name: str) -> None:
    """A line for each of a few values of the third column, or dots in its colours."""
    values = np.unique(color[np.isfinite(color)])
    if 0 < len(values) <= _COLORED_LINES:
        for value in values:
            _draw(axes, x[color == value], y[color == value], f"{name} {value:g}")
        name_lines(axes, SIZE[0] - 1.0)
        return
    dots = axes.scatter(x, y, c=color, s=6)
    figure.colorbar(dots, ax=axes, label=name)


def _heat_map(figure: Any, axes: Any, x: Column, y: Column, value: Column, name: str) -> None:
    """The mean of a column over the grid of two parameters."""
    columns, rows = np.unique(x), np.unique(y)
    at = np.searchsorted(rows, y), np.searchsorted(columns, x)
    there = np.isfinite(value)
    sums, counts = np.zeros((2, len(rows), len(columns)))
    np.add.at(sums, (at[0][there], at[1][there]), value[there])
    np.add.at(counts, (at[0][there], at[1][there]), 1.0)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0.0)
    mesh = axes.pcolormesh(columns, rows, means, shading="nearest")
    if len(columns) <= _FEW_CELLS:
        axes.set_xticks(columns)
    if len(rows) <= _FEW_CELLS:
        axes.set_yticks(rows)
    figure.colorbar(mesh, ax=axes, label=name)
