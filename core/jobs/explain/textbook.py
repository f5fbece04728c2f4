# SPDX-License-Identifier: MIT
"""One step as the documents' tables show it: bodies, contacts, rows, A, impulses."""

from __future__ import annotations

from collections.abc import Sequence

from ...solvers import Bodies, Log, Report
from ...solvers.rows import letters
from .step import TriedStep, heaps, rows_of
from .tables import AXES, Explanation, Table, Value, transposed

SHOWN_ITERATIONS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
NOTES = {
    "mass": "mass is 1 / (J M^-1 J^T + gamma / h), the impulse for each speed that is lacking",
    "gamma": "J v + gamma / h p = -beta / h C for an error of position C and the impulse p",
    "initial": "initial is what the iterations begin with",
    "lambda": "B = (bias - J v) / dt - J M^-1 F; lambda is a force: dt times it is the impulse",
    "sum": "sum is the impulse after the last iteration",
    "bias": "bias is the speed along it that is wanted",
}
COLUMNS = ("mass", "gamma", "beta", "bias", "B", "low", "high", "initial", "lambda", "sum")
RODS = ("least", "most", "error", "mass", "share")


def explained(step: TriedStep, body: str | None = None) -> Explanation:
    """A step in tables."""
    names, report, log, chosen = step.names, step.report, step.log, step.slot(body)
    tables = [_bodies(names, step.before, step.after, chosen), _contacts(names, report, chosen)]
    tables += [_heaps(step, chosen)] if step.kind != "verlet" else [_rods(step, chosen)]
    tables += _matrices(step, chosen)
    tables += _impulses(step, chosen) if log.impulses else _solutions(log, chosen)
    return Explanation(
        step.scene.name,
        step.kind,
        step.number,
        step.number * step.scene.world.dt,
        report.iterations,
        report.residual,
        [table for table in tables if table.rows],
        step.note,
        units=step.scene.units,
    )


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


def _heaps(step: TriedStep, chosen: int | None) -> Table:
    rows: list[list[Value]] = []
    for heap in heaps(step):
        if chosen in (None, *heap.bodies):
            wide, high = 3 * len(heap.bodies), len(heap.rows)
            size = f"{wide} x {high} = {wide * high}"
            counts = [len(heap.bodies), len(heap.contacts), high]
            rows.append([step.names[heap.bodies[0]], *counts, size])
    note = "a heap is what hangs together, with the fixed bodies that it touches"
    return Table("Heaps", ["heap of", "bodies", "contacts", "rows", "size of J"], rows, note)


def _rods(step: TriedStep, chosen: int | None) -> Table:
    """The rods of ``verlet``, which has no J."""
    found = step.log.matrices
    rows: list[list[Value]] = [
        [
            step.log.rows[i],
            step.names[step.log.bodies[i][0]],
            *(float(found[name][i]) for name in RODS),
        ]
        for i in rows_of(step.log, chosen)
    ]
    note = (
        "error is by how much it is too long before the iterations; mass is 1 / (1/m1 + 1/m2) of "
        "its ends; each iteration takes share = 1 - (1 - stiffness)^(1/iterations) of the error"
    )
    return Table("Rods", ["rod", "body", *RODS], rows, note)


def _matrices(step: TriedStep, chosen: int | None) -> list[Table]:
    log, found = step.log, step.log.matrices
    if len(found.get("J", ())) != len(log.rows):
        return []
    kept = rows_of(log, chosen)
    low, high = step.last_bounds()
    own = {"low": low, "high": high, **found, "initial": found["initial"] / step.scale}
    shown = {name: own[name] for name in COLUMNS if name in own}
    rows: list[list[Value]] = [
        [log.rows[i], *found["J"][i].tolist(), *(float(shown[name][i]) for name in shown)]
        for i in kept
    ]
    ends = [f"J{k} {axis}" for k in (1, 2) for axis in AXES]
    note = "; ".join(text for name, text in NOTES.items() if name in shown)
    if step.kind == "iterative_impulse":
        note += ", at first: each impulse finds it anew"
    tables = [Table("Constraints", ["row", *ends, *shown], rows, note)]
    head = ["row", *(log.rows[i] for i in kept)]
    pairs = [log.bodies[i] for i in kept]
    tables.append(transposed(head[1:], pairs, found["J"][kept], step.names.__getitem__))
    if "A" in found:
        matrix: list[list[Value]] = [
            [log.rows[i], *(float(found["A"][i, k]) for k in kept)] for i in kept
        ]
        tables.append(Table("A = J M^-1 J^T", head, matrix))
    return tables


def _impulses(step: TriedStep, chosen: int | None) -> list[Table]:
    """Every impulse, with what it met."""
    log = step.log
    kept = set(rows_of(log, chosen))
    rows: list[list[Value]] = [
        [each.iteration, log.rows[each.row], each.impulse, each.total, each.speed, *each.velocity]
        for each in log.impulses
        if each.row in kept
    ]
    columns = ["iteration", "row", "impulse", "sum", "speed along it", "v x", "v y", "omega"]
    note = "speed, v and omega are those before the impulse, of the first body that can move"
    if step.kind == "iterative_impulse":
        note += "; friction follows each, its sum is with the contact"
    return [Table("Impulses", columns, rows, note)]


def _solutions(log: Log, chosen: int | None) -> list[Table]:
    """The whole solution after some of the iterations."""
    kept = rows_of(log, chosen)
    last = len(log.solutions) if kept else 0
    rows: list[list[Value]] = [
        [k, *(log.solutions[k - 1][i] for i in kept)]
        for k in sorted({*SHOWN_ITERATIONS, last})
        if 0 < k <= last and len(log.solutions[k - 1]) == len(log.rows)
    ]
    columns = ["iterations", *(log.rows[i] for i in kept)]
    rods = any(name.startswith("Rod") for name in log.rows)
    note = "by how much each rod is too long then, or below 0 too short" if rods else ""
    return [Table("Solution by iteration", columns, rows, note)]
