# SPDX-License-Identifier: MIT
"""Charts of a step's iterations, by matplotlib: impulses and their sums, speeds, the error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...record.channel_units import shown_unit
from ..compare import ENOUGH
from ..plotting import fitted, floored, line_style, need_matplotlib, number_labels
from . import soft_curves
from .observed import ObservedStep
from .soft_curves import RowHistory
from .step import TriedStep, heaps, rows_of

MOST_ROWS = 8
"""So many rows, or bodies, are shown where none are chosen."""
PANEL = (4.2, 2.5)  # inches
ACROSS = 3  # panels of a single step
SPEED, ERRORS = "speed |v|", "squared error of the heaps' solutions"
CHARTS = ("rows", "speeds", "errors")
SUM, IMPULSE, TARGET, BOUND = "#d1495b", "#66a182", "#00798c", "#e3a018"
MISSING = (
    "charts of a step need matplotlib, which is not installed; pip install 'rigid2d[compare]' gets "
    "it. Without --plot there are the tables alone"
)

Float64 = NDArray[np.float64]
Draw = Callable[[Any], None]


def plots(
    steps: Sequence[tuple[str, TriedStep | ObservedStep]],
    *,
    charts: Sequence[str] = CHARTS,
    rows: Sequence[str] = (),
    body: str | None = None,
) -> Any:
    """A figure of steps, each with its label: a panel for each of these rows, one of the bodies'
    speeds, and one of the error of each heap's solution, as far as ``charts`` has them. Several
    steps are side by side, on the same scales."""
    need_matplotlib(MISSING)
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    for name in charts:
        if name not in CHARTS:
            raise unknown_name("chart", name, CHARTS)

    if not any(_row_names(step) for _, step in steps):
        raise UsageError(f"step {steps[0][1].number} has no contacts and no joints to plot")
    columns = [(label, _panels(step, charts, rows, body)) for label, step in steps]
    panels = [panel for _, each in columns for panel in each]
    if len(columns) == 1:
        across = min(ACROSS, len(panels))
        places = [(i // across, i % across) for i in range(len(panels))]
    else:
        across = len(columns)
        places = [(i, k) for k, (_, each) in enumerate(columns) for i in range(len(each))]
    down = 1 + max(row for row, _ in places)
    figure = Figure(figsize=(PANEL[0] * across, PANEL[1] * down), layout="constrained")
    labels = [label for label, each in columns for _ in each]
    first: dict[int, Any] = {}
    for (row, column), (title, draw), label in zip(places, panels, labels, strict=True):
        alike = first.get(row) if len(columns) > 1 else None
        axes = figure.add_subplot(down, across, row * across + column + 1, sharey=alike)
        first.setdefault(row, axes)
        head = fitted(title, PANEL[0] - 0.6, 8.0)
        axes.set_title(f"{head}\n{fitted(label, PANEL[0] - 0.6, 8.0)}" if label else head)
        axes.set_xlabel("iteration" if isinstance(steps[0][1], TriedStep) else "pass")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylabel(_unit(title, steps[0][1]))
        draw(axes)
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        if axes.get_legend() is None:
            for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
                handles.setdefault(name, handle)
    if handles:
        figure.legend(handles.values(), handles, loc="outside lower center", ncols=4, fontsize=7)
    return figure


def _unit(title: str, step: TriedStep | ObservedStep) -> str:
    """The unit of a panel's numbers; a square error has several."""
    units = step.scene.units
    if title == SPEED:
        return shown_unit("length/time", units)
    if title == ERRORS:
        return ""
    is_rod = isinstance(step, TriedStep) and step.kind == "verlet"
    return units.length if is_rod else shown_unit("mass*length/time", units)


def _row_names(step: TriedStep | ObservedStep) -> Sequence[str]:
    return step.log.rows if isinstance(step, TriedStep) else [row.name for row in step.rows]


def _panels(
    step: TriedStep | ObservedStep, charts: Sequence[str], names: Sequence[str], body: str | None
) -> list[tuple[str, Draw]]:
    if isinstance(step, ObservedStep):
        return _soft_panels(step, charts, names, body)
    enough = max(ENOUGH, step.settings.iterations)
    best = step.again(iterations=enough, stop_below=0.0)
    chosen = _chosen_rows(step, names, step.slot(body)) if "rows" in charts else []
    panels: list[tuple[str, Draw]] = [
        (step.log.rows[i], partial(_draw_row, history(step, best, i), step.kind == "verlet", 0))
        for i in chosen
    ]
    speeds = body_speeds(step)
    moving = _chosen_bodies(step, speeds, step.slot(body))
    if moving and "speeds" in charts:
        curves = {step.names[i]: speeds[:, i] for i in moving}
        panels.append((SPEED, partial(_draw_curves, curves)))
    errors = heap_errors(step, best)
    if errors and "errors" in charts:
        panels.append((ERRORS, partial(_draw_errors, errors)))
    return panels


def _soft_panels(
    step: ObservedStep, charts: Sequence[str], names: Sequence[str], body: str | None
) -> list[tuple[str, Draw]]:
    """The same of ``soft_step``: passes in the place of iterations."""
    slot, best = step.slot(body), step.again(substeps=soft_curves.ENOUGH)
    panels: list[tuple[str, Draw]] = []
    if "rows" in charts:
        kept = [i for i, row in enumerate(step.rows) if slot in (None, row.a, row.b)]
        sizes = [abs(row.total) for row in step.rows]
        for i in _most(_row_names(step), names, kept, sizes):
            found = soft_curves.history(step, best, i)
            draw = partial(_draw_row, found, False, step.substeps)
            panels.append((step.rows[i].name, draw))
    speeds = soft_curves.body_speeds(step)
    there = {i for row in step.rows for i in (row.a, row.b)}
    moving = [i for i in step.moving if i in there and slot in (None, i)]
    moving.sort(key=lambda i: (-float(speeds[:, i].max()), i))
    if moving and "speeds" in charts:
        curves = {step.names(i): speeds[:, i] for i in sorted(moving[:MOST_ROWS])}
        panels.append((SPEED, partial(_draw_curves, curves)))
    errors = soft_curves.heap_errors(step, best)
    if errors and "errors" in charts:
        panels.append((ERRORS, partial(_draw_errors, errors)))
    return panels


def _chosen_rows(step: TriedStep, names: Sequence[str], slot: int | None) -> list[int]:
    """The named rows; without names those with the largest sums, in their order."""
    log = step.log
    last = np.abs(log.solutions[-1]) if log.solutions else np.zeros(len(log.rows))
    return _most(log.rows, names, rows_of(log, slot), last.tolist())


def _most(
    rows: Sequence[str], names: Sequence[str], kept: Sequence[int], sizes: Sequence[float]
) -> list[int]:
    for name in names:
        if name not in rows:
            raise unknown_name("row", name, rows)
    if names:
        return [[*rows].index(name) for name in names]
    return sorted(sorted(kept, key=lambda i: (-sizes[i], i))[:MOST_ROWS])


def _chosen_bodies(step: TriedStep, speeds: Float64, slot: int | None) -> list[int]:
    """The body that is chosen, or the fastest of those that move and have rows."""
    there = {i for heap in heaps(step) for i in heap.bodies} if len(speeds) else ()
    moves = step.movable()
    found = [i for i in sorted(there) if moves[i] and slot in (None, i)]
    found.sort(key=lambda i: (-float(speeds[:, i].max()), i))
    return sorted(found[:MOST_ROWS])


# ---------------------------------------------------------------- numbers


def history(step: TriedStep, best: TriedStep, row: int) -> RowHistory:
    """A row of a step; ``best`` is the same step with many iterations."""
    log = step.log
    if step.kind == "verlet":
        errors = [solution[row] for solution in log.solutions]
        sums = np.array([float(log.matrices["error"][row]), *errors])
        nothing = np.full(len(sums), math.inf)
        return RowHistory(sums, -nothing, nothing, 0.0)
    low, high = step.bounds(row)
    return RowHistory(step.sums()[:, row], low, high, float(best.sums()[-1, row]))


def body_speeds(step: TriedStep) -> Float64:
    """[k + 1, n] the speed of each body before the iterations and after each one; of the solvers
    that solve for forces, what the bodies would have with the solution of then."""
    log, start = step.log, step.before.V
    velocities = log.velocities
    if "lambda" in log.matrices:
        free = start + step.before.inverse_mass * step.before.F * step.settings.dt
        ends = np.array(log.bodies, dtype=np.intp).reshape(-1, 2)
        rows, inverse = log.matrices["J"], step.before.inverse_mass
        velocities = []
        for solution in log.solutions:
            moved, impulses = free.copy(), np.array(solution)[:, None] * step.scale
            for side in (0, 1):
                change = inverse[ends[:, side]] * rows[:, 3 * side : 3 * side + 3] * impulses
                np.add.at(moved, ends[:, side], change)
            velocities.append(moved)
    if not velocities:
        return np.zeros((0, len(start)))
    all_of_them = np.array([start, *velocities])
    x, y = all_of_them[:, :, 0], all_of_them[:, :, 1]
    speeds: Float64 = np.sqrt(x * x + y * y)
    return speeds


def heap_errors(step: TriedStep, best: TriedStep) -> dict[str, Float64]:
    """[k] the squared distance of each heap's solution after each iteration to that of many, by the
    name of the heap's first body."""
    solutions = np.array(step.log.solutions).reshape(len(step.log.solutions), len(step.log.rows))
    errors = {}
    for heap in heaps(step):
        if heap.rows and len(solutions):
            apart = solutions[:, heap.rows] - np.array(best.log.solutions[-1])[heap.rows]
            errors[step.names[heap.bodies[0]]] = (apart * apart).sum(axis=1)
    return errors


# ---------------------------------------------------------------- drawing


def _draw_row(found: RowHistory, of_rod: bool, substeps: int, axes: Any) -> None:
    rounds = np.arange(len(found.sums))
    changes = np.diff(found.sums) if found.changes is None else found.changes
    if not of_rod:
        each = "a pass" if substeps else "an iteration"
        axes.bar(rounds[1:], changes, width=0.6, color=IMPULSE, label=f"impulse of {each}")
    name = "error of the rod" if of_rod else "sum of the impulses"
    axes.plot(rounds, found.sums, color=SUM, linewidth=1.4, label=name)
    target = "0" if of_rod else f"sum after {ENOUGH} iterations"
    if substeps:
        target = f"mean with {soft_curves.ENOUGH} substeps"
        for k in range(1, substeps):
            axes.axvline(2 * k + 0.5, color="0.8", linewidth=0.8, zorder=0)
    axes.axhline(found.target, color=TARGET, linestyle="--", linewidth=1, label=target)
    for bound in (found.low, found.high):
        if np.isfinite(bound).all():
            axes.plot(rounds, bound, color=BOUND, linestyle=":", linewidth=1.4, label="bounds")


def _draw_curves(curves: dict[str, Float64], axes: Any) -> None:
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(np.arange(len(values)), values, label=name, **line_style(i))
    _name_curves(axes)


def _draw_errors(errors: dict[str, Float64], axes: Any) -> None:
    least = min((e[e > 0.0].min() for e in errors.values() if (e > 0.0).any()), default=0.0)
    for i, (name, values) in enumerate(errors.items()):
        shown = floored(values, least)
        axes.plot(np.arange(1, len(values) + 1), shown, label=name, **line_style(i))
    if least > 0.0:
        axes.set_yscale("log")
        number_labels(axes)
    _name_curves(axes)


def _name_curves(axes: Any) -> None:
    """The names beside the panel, where they hide nothing."""
    axes.legend(fontsize=6, loc="upper left", bbox_to_anchor=(1.0, 1.0))
