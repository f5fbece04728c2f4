# SPDX-License-Identifier: MIT
"""One step of ``soft_step`` in tables: substeps, soft numbers, rows, and impulses of each pass."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...scene.values.portable_math import total
from .groups import Heap, heaps_of
from .observed import ObservedStep
from .observed_rows import ObservedRow
from .tables import AXES, Explanation, Table, Value, transposed

MOST_ROWS = 40
"""A of more rows is not shown."""
LEFT_OUT = {
    "sensor": "a sensor feels and does not touch",
    "one_way": "passes through a one-way shape",
    "asleep": "both are asleep, or cannot move",
}
KINDS = {
    "static_contact": "contact with a body that cannot move",
    "contact": "contact",
    "joint": "joint solved one by one",
}


def soft_numbers(h: float, rate: float, scale: float, rest: float) -> tuple[float, float]:
    """Frequency and damping ratio of a row with these numbers: with w = 2 pi f, a1 = 2 z + h w and
    a2 = h w a1, they are w / a1, a2 / (1 + a2) and 1 / (1 + a2). A rigid one has none."""
    if not (rest > 0.0 and rate > 0.0):
        return math.inf, math.inf
    a2 = scale / rest
    turn = math.sqrt(a2 * rate * h)  # h w
    return turn / (2.0 * math.pi * h), 0.5 * (a2 / turn - turn)


def explained(step: ObservedStep, body: str | None = None) -> Explanation:
    """A step in tables."""
    chosen = step.slot(body)
    kept = [row for row in step.rows if chosen in (None, row.a, row.b)]
    tables = [
        _bodies(step, chosen),
        _softness(step, kept),
        _contacts(step, chosen),
        _heaps(step, chosen),
        _rows(kept),
        *_matrices(step, kept),
        _passes(kept),
        _joints(step, kept),
        _left_out(step, chosen),
        _accounts(step, chosen),
    ]
    return Explanation(
        step.scene.name,
        step.kind,
        step.number,
        step.number * step.scene.world.dt,
        2 * step.substeps,
        step.residual(),
        [table for table in tables if table.rows],
        _note(step),
        step.substeps,
        step.h,
        step.scene.units,
    )


def _note(step: ObservedStep) -> str:
    notes = []
    if step.solutions > 1:
        notes.append(
            f"the step was solved {step.solutions} times, as a joint was tauter, or a motor more "
            "loaded, than assumed; the last time is shown"
        )
    if len(step.names_asleep) > 0:
        some = ", ".join(step.names_asleep[:5])
        more = len(step.names_asleep) - 5
        notes.append(f"asleep: {some}{f' and {more} more' if more > 0 else ''}")
    return "; ".join(notes)


# ---------------------------------------------------------------- tables


def _bodies(step: ObservedStep, chosen: int | None) -> Table:
    dt, rows = step.h * step.substeps, list[list[Value]]()
    for i in step.moving:
        if chosen not in (None, i):
            continue
        inverse = step.inverse_mass[i, [0, 0, 1]]
        force = np.divide(step.forced[i] / dt, inverse, out=np.zeros(3), where=inverse > 0.0)
        values = [*step.velocities[0, i], *force, *step.inverse_mass[i], *step.after[i]]
        rows.append([step.names(i), *map(float, values)])
    columns = ["body", "v x", "v y", "omega", "F x", "F y", "torque", "1/m", "1/I"]
    note = "F is what forces, gravity and damping do to the velocity, with the mass of the solver"
    return Table("Bodies", [*columns, "new v x", "new v y", "new omega"], rows, note)


def _softness(step: ObservedStep, kept: Sequence[ObservedRow]) -> Table:
    """The soft numbers of the kinds of rows that are there."""
    lanes = any(row.part in ("hold", "rod") and not row.direct for row in kept)
    normals = [row for row in kept if row.part == "normal"]
    fixed = {not (_moves(step, row.a) and _moves(step, row.b)) for row in normals}
    there = {"static_contact": True in fixed, "contact": False in fixed, "joint": lanes}
    rows: list[list[Value]] = []
    for name, words in KINDS.items():
        if not there[name]:
            continue
        rate, scale, rest = step.soft[name]
        frequency, ratio = soft_numbers(step.h, rate, scale, rest)
        rows.append([words, frequency, ratio, rate, scale, rest, rate * step.h])
    columns = ["rows", "frequency", "damping ratio", "bias rate", "mass scale", "impulse scale"]
    note = (
        "the first pass of a substep gives the impulse -mass * mass scale * (speed + bias rate * "
        "error) - impulse scale * (impulse so far); the second one takes 1 for the mass scale, and "
        "0 for the others; beta = bias rate * h"
    )
    return Table("Soft numbers", [*columns, "beta"], rows, note)


def _moves(step: ObservedStep, slot: int) -> bool:
    return slot < len(step.inverse_mass) and bool(np.any(step.inverse_mass[slot] > 0.0))


def _contacts(step: ObservedStep, chosen: int | None) -> Table:
    rows: list[list[Value]] = []
    for point in step.points:
        if chosen not in (None, point.a, point.b):
            continue
        normal, friction = (step.rows[i] for i in point.rows)
        slides = friction.at_bound()
        bound = point.friction * normal.total
        place = [point.x, point.y, *point.normal, point.depth, point.restitution, point.friction]
        impulses = [normal.total, friction.total, bound]
        words = f"slides in {int(slides.sum())} of {len(slides)}" if slides.any() else "holds"
        if point.tracked:
            words += ", on a chain"
        pair = [point.name, step.names(point.a), step.names(point.b)]
        rows.append([*pair, *place, *impulses, words])
    columns = ["contact", "1", "2", "x", "y", "n x", "n y", "depth", "e", "mu"]
    note = (
        "the impulses are those of the step; bound is mu times the normal impulse; it slides in "
        "the substeps in which friction is at its bound"
    )
    return Table(
        "Contacts",
        [*columns, "normal impulse", "friction impulse", "bound", "friction"],
        rows,
        note if rows else "",
    )


def _heaps(step: ObservedStep, chosen: int | None) -> Table:
    rows: list[list[Value]] = []
    for heap in heaps(step):
        if chosen not in (None, *heap.bodies):
            continue
        points = sum(step.rows[i].part == "normal" for i in heap.links)
        wide, high = 3 * len(heap.bodies), len(heap.links)
        counts = [len(heap.bodies), points, high]
        rows.append([step.names(heap.bodies[0]), *counts, f"{wide} x {high} = {wide * high}"])
    note = "a heap is what hangs together, with the fixed bodies that it touches"
    if step.island_batches:
        note += (
            f"; the engine takes {step.island_batches} batches of them through all substeps one "
            "after another, with the same numbers"
        )
    return Table("Heaps", ["heap of", "bodies", "contacts", "rows", "size of J"], rows, note)


def heaps(step: ObservedStep) -> list[Heap]:
    """The heaps of a step: parts that share nothing."""
    return heaps_of(lambda slot: _moves(step, slot), [(row.a, row.b) for row in step.rows])


def _rows(kept: Sequence[ObservedRow]) -> Table:
    rows: list[list[Value]] = []
    for row in kept:
        soft: list[Value] = [row.mass, row.gamma, row.beta, float(row.wanted[0])]
        bounds: list[Value] = [float(row.low[1]), float(row.high[1])]
        sums: list[Value] = [float(row.impulses[0]), row.total]
        rows.append([row.name, *map(float, row.J), *soft, *bounds, *sums])
    ends = [f"J{k} {axis}" for k in (1, 2) for axis in AXES]
    columns = ["mass", "gamma", "beta", "bias", "low", "high", "initial", "sum"]
    note = (
        "of the first pass; mass is 1 / (J M^-1 J^T), the impulse for each speed that is lacking; "
        "J v + gamma / h p = bias, with bias = -beta / h C for an error of position C that is to "
        "be removed; low and high bound the impulse p of a substep; initial is what the first "
        "substep begins with; sum is the impulse of the step"
    )
    return Table("Constraints", ["row", *ends, *columns], rows, note)


def _matrices(step: ObservedStep, kept: Sequence[ObservedRow]) -> list[Table]:
    if not kept:
        return []
    jacobian = np.array([row.J for row in kept])
    pairs = [(row.a, row.b) for row in kept]
    names = [row.name for row in kept]
    tables = [transposed(names, pairs, jacobian, step.names)]
    if len(kept) > MOST_ROWS:
        return tables
    inverse = np.zeros((len(kept), 6))
    for i, (a, b) in enumerate(pairs):
        for side, slot in enumerate((a, b)):
            if slot < len(step.inverse_mass):
                inverse[i, 3 * side : 3 * side + 3] = step.inverse_mass[slot, [0, 0, 1]]
    weighted = jacobian * inverse
    matrix: list[list[Value]] = []
    for i, (a, b) in enumerate(pairs):
        line: list[Value] = [names[i]]
        for k, other in enumerate(pairs):
            found = 0.0
            for side, slot in enumerate((a, b)):
                mine = slice(3 * side, 3 * side + 3)
                for far in (0, 1):
                    if other[far] == slot:
                        theirs = slice(3 * far, 3 * far + 3)
                        found += total((weighted[i, mine] * jacobian[k, theirs]).tolist())
            line.append(found)
        matrix.append(line)
    together = sorted({row.name.rpartition(".")[0] for row in kept if row.direct})
    note = "each row takes its own number of the diagonal, one row after another"
    if together:
        joints = ", ".join(together)
        note = f"the rows of {joints} are solved together, with this matrix; others one by one"
    return [*tables, Table("A = J M^-1 J^T", ["row", *names], matrix, note)]


def _passes(kept: Sequence[ObservedRow]) -> Table:
    """Every row in every substep."""
    rows: list[list[Value]] = []
    count = len(kept[0].warm) if kept else 0
    for k in range(count):
        for row in kept:
            numbers = [
                *(row.error[k, 0], row.blow[k], row.warm[k], row.speeds[k, 0], row.wanted[k]),
                *(row.solved[k], row.speeds[k, 1], row.error[k, 1], row.relaxed[k]),
                row.speeds[k, 2],
            ]
            at = "at bound" if row.at_bound()[k] else ""
            mode = row.modes[k] if row.modes else ""
            state = ", ".join(filter(None, [mode, at]))
            rows.append([k + 1, row.name, *map(float, numbers), state])
    columns = ["error", "blow", "begin", "speed", "bias", "solve", "speed after solve"]
    note = (
        "error is the separation, or the error of position; blow is the impulse of impacts before "
        "the forces; begin is the impulse that the substep begins with, solve that after the "
        "first pass, which removes overlap, relax that after the second one, once the bodies have "
        "moved by h; speeds are those along the row before and after these"
    )
    return Table(
        "Substeps",
        ["substep", "row", *columns, "error after", "relax", "speed after relax", "state"],
        rows,
        note,
    )


def _joints(step: ObservedStep, kept: Sequence[ObservedRow]) -> Table:
    there = {row.name.rpartition(".")[0] for row in kept}
    rows: list[list[Value]] = []
    for joint in step.joints:
        if joint.name not in there:
            continue
        how = f"together, mechanism {joint.mechanism}" if joint.mechanism else "one by one"
        rows.append([joint.name, how, *joint.impulse, joint.motor])
    note = (
        "impulses of the step on the second body; divided by dt they are the forces that the joint "
        "reports. Rows of a mechanism are solved together: their impulses, the multipliers, begin "
        "at 0 in each substep"
    )
    return Table("Joints", ["joint", "solved", "x", "y", "turn", "motor"], rows, note)


def _left_out(step: ObservedStep, chosen: int | None) -> Table:
    rows: list[list[Value]] = [
        [step.names(a), step.names(b), LEFT_OUT[why]]
        for a, b, why in step.left_out
        if chosen in (None, a, b)
    ]
    return Table("Without rows", ["1", "2", "why"], rows)


def _accounts(step: ObservedStep, chosen: int | None) -> Table:
    """The changes by the accounts of energy and momentum after the last substep."""
    rows: list[list[Value]] = []
    for i in step.moving:
        change = step.braked[i]
        if chosen in (None, i) and np.any(change):
            rows.append([step.names(i), *change.tolist()])
    note = (
        "after the last substep energy and momentum of each island are compared with those before"
    )
    return Table("Conservation", ["body", "change of v x", "v y", "omega"], rows, note)
