# SPDX-License-Identifier: MIT
"""An explained step: its tables, as text, JSON and Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...record.channel_units import shown_unit
from ...scene.model import Units

Value = float | int | str
AXES = ("x", "y", "turn")
NOISE = 1e-15  # of the largest number of its table: what is smaller is rounding, and shown as 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title, and a line below it that says what it is where that is needed."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A step, in tables; ``step`` counts from 1, ``time`` is that of its end. A solver that divides
    it has ``substeps`` of ``h``, with two iterations each."""

    scene: str
    solver: str
    step: int
    time: float
    iterations: int
    residual: float
    tables: list[Table] = field(default_factory=list)
    note: str = ""
    substeps: int = 0
    h: float = 0.0
    units: Units = field(default_factory=Units)  # of the scene, and so of all numbers


def transposed(
    rows: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    jacobian: NDArray[np.float64],
    name_of: Callable[[int], str],
) -> Table:
    """J^T: a line for each component of the velocity of each body."""
    lines: list[list[Value]] = []
    for i in sorted({i for pair in pairs for i in pair}):
        for k, axis in enumerate(AXES):
            line: list[Value] = [f"{name_of(i)} {axis}"]
            for row, (a, b) in zip(jacobian, pairs, strict=True):
                first = float(row[k]) if a == i else 0.0
                line.append(first + (float(row[3 + k]) if b == i else 0.0))
            lines.append(line)
    return Table("J^T", ["body", *rows], lines)


def as_json(found: Explanation) -> dict[str, Any]:
    """The explanation as JSON data."""
    return {
        "scene": found.scene,
        "solver": found.solver,
        "step": found.step,
        "time": found.time,
        "iterations": found.iterations,
        "residual": found.residual,
        **({"substeps": found.substeps, "h": found.h} if found.substeps else {}),
        "note": found.note,
        "units": units_of(found),
        "tables": [
            {
                "title": each.title,
                "columns": [*each.columns],
                "rows": [[*r] for r in each.rows],
                "note": each.note,
            }
            for each in found.tables
        ],
    }


def as_markdown(found: Explanation) -> str:
    """The same as a page of Markdown."""
    title = f"# {found.scene}: step {found.step} of {found.solver}"
    lines = [title, "", headline(found), "", shown_units(found), ""]
    for table in found.tables:
        lines += [f"## {table.title}", "", *markdown_table(table.columns, cells(table)), ""]
        lines += [table.note, ""] if table.note else []
    return "\n".join(lines).rstrip() + "\n"


def headline(found: Explanation) -> str:
    """The result in one line."""
    iterations = f"{found.iterations} iteration{'' if found.iterations == 1 else 's'}"
    if found.substeps:
        parts = f"{found.substeps} substep{'' if found.substeps == 1 else 's'}"
        iterations = f"{parts} of h = {found.h:.7g} {found.units.time} with 2 passes each"
    speed = units_of(found)["speed"]
    text = f"t = {found.time:g} {found.units.time}, {iterations}, residual {found.residual:.6g}"
    text = text if found.solver == "verlet" else f"{text} {speed}"
    return f"{text}; {found.note}" if found.note else text


QUANTITIES = {
    "length": "length",
    "angle": "radian",
    "mass": "mass",
    "speed": "length/time",
    "turning": "radian/time",
    "force": "force",
    "torque": "force*length",
    "impulse": "mass*length/time",
}


def units_of(found: Explanation) -> dict[str, str]:
    """The units of the numbers in the tables, by their quantities."""
    return {name: shown_unit(unit, found.units) for name, unit in QUANTITIES.items()}


def shown_units(found: Explanation) -> str:
    """The units in one line."""
    named = (f"{name} {unit}" for name, unit in units_of(found).items())
    return f"units: {', '.join(named)}; frequency Hz"


def cells(table: Table) -> list[list[str]]:
    """The table's values as texts, numbers with seven digits."""
    finite = [
        abs(value)
        for row in table.rows
        for value in row
        if isinstance(value, float) and math.isfinite(value)
    ]
    least = NOISE * max(finite, default=0.0)
    return [[_cell(value, least) for value in row] for row in table.rows]


def _cell(value: Value, least: float) -> str:
    if not isinstance(value, float):
        return str(value)
    return "0" if abs(value) < least else f"{value + 0.0:.7g}"


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]
