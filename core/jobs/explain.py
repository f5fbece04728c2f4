# SPDX-License-Identifier: MIT
"""One step of a solver as the documents' tables show it: bodies, contacts, rows, A, impulses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..arguments import checked, one_of, optional, text, whole
from ..errors import SimulationError, UsageError, unknown_name
from ..scene import limits
from ..scene.blocks.world.solver_refusals import first_beyond
from ..scene.model import Scene
from ..solvers import Bodies, CrowdedError, Log, Report
from ..solvers.rows import letters
from ..world.textbook.engine import TextbookEngine
from ..world.textbook.scene import solver_settings
from ..world.world import build

Value = float | int | str
SHOWN_ITERATIONS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
AXES = ("x", "y", "turn")
NOISE = 1e-15  # of the largest number of its table: what is smaller is rounding, and shown as 0
NOTES = {
    "lambda": "B = (bias - J v) / dt - J M^-1 F; lambda is a force: dt times it is the impulse",
    "sum": "sum is the impulse after the last iteration",
    "bias": "bias is the speed along it that is wanted",
}
NOTHING_DONE: dict[str, Any] = {  # by a scene while it runs
    **{name: {} for name in ("animations", "controls", "prototypes", "state", "spawners")},
    **dict.fromkeys(("inputs", "events"), ()),
    "outcome": None,
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title, and a line below it that says what it is where that is needed."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A step, in tables; ``step`` counts from 1, ``time`` is that of its end."""

    scene: str
    solver: str
    step: int
    time: float
    iterations: int
    residual: float
    tables: list[Table] = field(default_factory=list)
    note: str = ""


@checked(scene=one_of(Scene), step=whole(1, limits.STEPS), body=optional(text))
def explain(scene: Scene, step: int, *, body: str | None = None) -> Explanation:
    """One step of the scene's solver, with the numbers of one body alone or of all.

    A step of ``sequential_impulse`` is shown as the documents' loop does it, from the places and
    velocities that the engine has then, without last step's impulses.
    """
    kind = scene.world.solver.kind
    if kind == "soft_step":
        raise UsageError(
            f"{scene.path}: soft_step cannot be shown in the documents' tables; "
            "set world.solver.type to sequential_impulse or to a textbook solver"
        )
    note = "the loop of the documents, from where the engine is then; it begins with no impulse"
    native, settings = _before(scene, step), solver_settings(scene)
    if scene.world.solver.is_textbook:
        note = ""
    else:
        settings = replace(settings, warm_start=False)
    log = Log()
    names = native.names
    try:
        before, after, report = native.try_step(kind, settings, log, step - 1)
    except CrowdedError as error:
        message = f"has more constraints in step {step} than one equation of `{kind}` takes"
        raise SimulationError(f"body {names[error.body]!r} {message}", step) from None
    if body is not None and body not in names[1:]:
        raise unknown_name("body", body, names[1:])
    chosen = None if body is None else names.index(body)
    tables = [_bodies(names, before, after, chosen), _contacts(names, report, chosen)]
    tables += _matrices(log, chosen)
    tables += _impulses(log, chosen) if log.impulses else _solutions(log, chosen)
    return Explanation(
        scene.name,
        kind,
        step,
        step * scene.world.dt,
        report.iterations,
        report.residual,
        [table for table in tables if table.rows],
        note,
    )


def _before(scene: Scene, step: int) -> TextbookEngine:
    """An engine of textbook solvers, with the bodies as they are before the step."""
    world = build(scene)
    world.step(step - 1)
    if isinstance(world.native, TextbookEngine):
        return world.native
    beyond = first_beyond(scene, "pgs_matrix")
    if beyond:
        raise UsageError(f"{scene.path}: {beyond}; the documents' loop cannot show it")
    then = world.scene  # with who was born, and without what they do
    solver = replace(scene.world.solver, kind="pgs_matrix")
    still = replace(then, world=replace(scene.world, solver=solver), **NOTHING_DONE)
    shown = build(still)
    for name in then.bodies:
        one, two = world[name], shown[name]
        if not one.alive:
            two.remove()
            continue
        two.position, two.angle = one.position, one.angle
        if then.bodies[name].kind != "static":
            two.velocity, two.angular_velocity = one.velocity, one.angular_velocity
    assert isinstance(shown.native, TextbookEngine)
    return shown.native


# ---------------------------------------------------------------- tables


def _bodies(names: Sequence[str], before: Bodies, after: Bodies, chosen: int | None) -> Table:
    rows: list[list[Value]] = []
    for i, name in enumerate(names):
        if i == 0 or chosen not in (None, i):
            continue
        values: list[Value] = [name]
        for numbers in (before.V, before.F, before.inverse_mass[:, [0, 2]], after.V):
            values += numbers[i].tolist()
        rows.append(values)
    columns = ["body", "v x", "v y", "omega", "F x", "F y", "torque", "1/m", "1/I"]
    return Table("Bodies", [*columns, "new v x", "new v y", "new omega"], rows)


def _contacts(names: Sequence[str], report: Report, chosen: int | None) -> Table:
    rows: list[list[Value]] = []
    for i, (contact, impulses) in enumerate(
        zip(report.contacts, report.impulses.tolist(), strict=True)
    ):
        if chosen in (None, contact.a, contact.b):
            place = [*contact.point, *contact.normal, contact.depth]
            surface = [contact.restitution, contact.friction]
            pair = [letters(i), names[contact.a], names[contact.b]]
            rows.append([*pair, *place, *surface, *impulses])
    columns = ["contact", "1", "2", "x", "y", "n x", "n y", "depth", "e", "mu"]
    return Table("Contacts", [*columns, "normal impulse", "friction impulse"], rows)


def _rows_of(log: Log, chosen: int | None) -> list[int]:
    """The rows that have to do with the chosen body."""
    count = len(log.rows)
    return [i for i in range(count) if chosen is None or chosen in log.bodies[i]]


def _matrices(log: Log, chosen: int | None) -> list[Table]:
    found = log.matrices
    kept = _rows_of(log, chosen)
    tables = []
    if "J" in found and len(found["J"]) == len(log.rows):
        numbers = [name for name in ("bias", "B", "low", "high", "lambda", "sum") if name in found]
        rows: list[list[Value]] = [
            [log.rows[i], *found["J"][i].tolist(), *(float(found[name][i]) for name in numbers)]
            for i in kept
        ]
        ends = [f"J{k} {axis}" for k in (1, 2) for axis in AXES]
        note = "; ".join(text for name, text in NOTES.items() if name in numbers)
        tables.append(Table("Constraints", ["row", *ends, *numbers], rows, note))
    if "A" in found and len(found["A"]) == len(log.rows):
        matrix: list[list[Value]] = [
            [log.rows[i], *(float(found["A"][i, k]) for k in kept)] for i in kept
        ]
        head = ["row", *(log.rows[i] for i in kept)]
        tables.append(Table("A = J M^-1 J^T", head, matrix))
    return tables


def _impulses(log: Log, chosen: int | None) -> list[Table]:
    """Every impulse, with what it met."""
    kept = set(_rows_of(log, chosen))
    rows: list[list[Value]] = [
        [each.iteration, log.rows[each.row], each.impulse, each.total, each.speed, *each.velocity]
        for each in log.impulses
        if each.row in kept
    ]
    columns = ["iteration", "row", "impulse", "sum", "speed along it", "v x", "v y", "omega"]
    note = "speed, v and omega are those before the impulse, of the first body that can move"
    if "J" not in log.matrices:  # of iterative_impulse, whose rows are its normals alone
        note += "; friction follows each, its sum is with the contact"
    return [Table("Impulses", columns, rows, note)]


def _solutions(log: Log, chosen: int | None) -> list[Table]:
    """The whole solution after some of the iterations."""
    kept = _rows_of(log, chosen)
    last = len(log.solutions)
    rows: list[list[Value]] = [
        [k, *(log.solutions[k - 1][i] for i in kept)]
        for k in sorted({*SHOWN_ITERATIONS, last})
        if 0 < k <= last and len(log.solutions[k - 1]) == len(log.rows)
    ]
    columns = ["iterations", *(log.rows[i] for i in kept)]
    rods = any(name.startswith("Rod") for name in log.rows)
    note = "by how much each rod is too long then, or below 0 too short" if rods else ""
    return [Table("Solution by iteration", columns, rows, note)]


# ---------------------------------------------------------------- texts


def as_json(found: Explanation) -> dict[str, Any]:
    """The explanation as JSON data."""
    return {
        "scene": found.scene,
        "solver": found.solver,
        "step": found.step,
        "time": found.time,
        "iterations": found.iterations,
        "residual": found.residual,
        "note": found.note,
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
    lines = [f"# {found.scene}: step {found.step} of {found.solver}", "", headline(found), ""]
    for table in found.tables:
        lines += [f"## {table.title}", "", *markdown_table(table.columns, cells(table)), ""]
        lines += [table.note, ""] if table.note else []
    return "\n".join(lines).rstrip() + "\n"


def headline(found: Explanation) -> str:
    """How it went, in one line."""
    iterations = f"{found.iterations} iteration{'' if found.iterations == 1 else 's'}"
    text = f"t = {found.time:g}, {iterations}, residual {found.residual:.6g}"
    return f"{text}; {found.note}" if found.note else text


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
