# SPDX-License-Identifier: MIT
"""The equation of motion as rows: an object for each constraint (document 000, part 3, "JRow").

The same equations as in ``pgs_matrix``. A row holds J1 and J2 of its two
bodies, its row of A = J M^-1 J^T as far as that is not 0, which is where rows share a body, its B
and its lambda:

    1. J1, J2 and bias
    2. the row of A, and B = bias / dt - sum of J_k (V_k / dt + M^-1 F_k)
    3. Gauss-Seidel over lambda
    4. V += M^-1 J^T lambda dt, row by row
    5. V += M^-1 F dt in a loop of its own over the bodies, or F would act once for each row

The figure of its code in the document cannot be read; these are its steps as the text has them.
"""

from __future__ import annotations

import numpy as np

from ..scene.limits import EQUATION_PAIRS
from .account import Part, merged, note_rows
from .blocks import RowBlock, blocks_of, build_blocks, inner_rows
from .grouping import groups
from .joints import apply_springs
from .log import Log
from .rows import (
    Rows,
    build_rows,
    friction_bounds,
    most_crowded,
    remembered,
    report,
    responses,
    stiffnesses,
    violation,
)
from .system import (
    Bodies,
    CrowdedError,
    Report,
    Rest,
    Settings,
    System,
    apply_forces,
    move,
)

Triple = list[float]


class JRow:
    """One constraint of the equation."""

    __slots__ = (
        *("a", "b", "j1", "j2", "change1", "change2", "a_row", "diagonal", "b_value"),
        *("lam", "low", "high", "normal", "friction"),
    )

    def __init__(self, rows: Rows, i: int, per_h: float) -> None:
        self.a, self.b = int(rows.a[i]), int(rows.b[i])
        self.j1: Triple = rows.J[i, :3].tolist()
        self.j2: Triple = rows.J[i, 3:].tolist()
        self.change1: Triple = []  # M^-1 J1, M^-1 J2
        self.change2: Triple = []
        self.low, self.high = float(rows.low[i]) * per_h, float(rows.high[i]) * per_h
        self.normal, self.friction = int(rows.normal[i]), float(rows.friction[i])
        self.diagonal = 0.0
        self.a_row: list[tuple[int, float]] = []  # (row, A) of all others that share a body
        self.b_value = 0.0
        self.lam = 0.0

    def shared(self, k: int, own: int) -> float:
        """A of this row, whose number is its ``own``, and of row k."""
        return self.diagonal if k == own else dict(self.a_row).get(k, 0.0)


def step(system: System) -> Report:
    """One step: the rows, Gauss-Seidel, the velocities, the motion."""
    bodies, settings, memory, log = system.bodies, system.settings, system.memory, system.log
    contacts = system.detect(None)
    sprung = apply_springs(bodies, system.joints, settings)
    V1 = bodies.V.copy() if settings.integrator == "explicit_euler" else None
    rows = build_rows(bodies, contacts, system.joints, settings)
    start = remembered(rows, memory, settings.warm_start) * settings.inverse_dt
    lambdas, iterations = np.zeros(len(rows)), 0
    apart: list[Part] = []
    if log is not None:
        note_rows(log, bodies, rows, system.joints, settings, start * settings.dt)
        log.matrices |= {"V": bodies.V.copy(), "F": bodies.F.copy()}
    for chosen in groups(rows, settings.grouping):
        part = rows.take(chosen)
        part.aim(bodies)  # from the velocities after the groups before it
        jrows, count = solve_group(bodies, part, settings, start[chosen].tolist(), log)
        iterations = max(iterations, count)
        apply_rows(bodies, jrows, settings.dt)
        lambdas[chosen], rows.bias[chosen] = [row.lam for row in jrows], part.bias
        if log is not None:
            apart.append((chosen, log.solutions))
            log.solutions = []
    apply_forces(bodies, settings.dt)
    impulses = lambdas * settings.dt
    memory.impulses = dict(zip(rows.keys, impulses.tolist(), strict=True))
    low, high = friction_bounds(rows, impulses)
    left = violation(rows, bodies, impulses, low, high)
    if log is not None:
        log.solutions = merged(apart, len(rows))
        if settings.grouping != "global":  # every group had an A and a B of its own
            log.matrices["bias"] = rows.bias
            for name in ("A", "B"):
                log.matrices.pop(name, None)
        per_h = settings.inverse_dt
        log.matrices |= {"lambda": lambdas, "low": low * per_h, "high": high * per_h}
        log.matrices["vNew"] = bodies.V.copy()
    move(bodies, settings.dt, V1)
    return report(
        rows,
        contacts,
        system.joints,
        impulses,
        sprung=sprung,
        iterations=iterations,
        residual=left,
        solution=lambdas,
    )


def solve_group(
    bodies: Bodies, rows: Rows, settings: Settings, start: list[float], log: Log | None
) -> tuple[list[JRow], int]:
    """The rows of one equation with their lambdas, and how many iterations these took."""
    jrows = make_jrows(bodies, rows, settings)
    for row, lam in zip(jrows, start, strict=True):
        row.lam = lam
    if log is not None:
        log.matrices |= {"A": _matrix(jrows), "B": np.array([row.b_value for row in jrows])}
    sizes = blocks_of(rows.keys, rows.low, rows.high, settings.blocks)
    highs = [row.high for row in jrows]
    blocks = build_blocks(sizes, rows.keys, lambda i, k: jrows[i].shared(k, i), highs)
    inner = inner_rows(sizes)
    iterations, rest = 0, Rest()
    for _ in range(settings.iterations):
        iterations += 1
        change = gauss_seidel(jrows, blocks, inner)
        if log is not None:
            log.solutions.append([row.lam for row in jrows])
        if settings.ends(change * settings.dt):
            break
        if log is None and rest.reached(change, [row.lam for row in jrows]):
            iterations = settings.iterations
            break
    return jrows, iterations


def apply_rows(bodies: Bodies, jrows: list[JRow], dt: float) -> None:
    """Step 4."""
    V = bodies.V.tolist()
    for row in jrows:
        impulse = row.lam * dt
        va, vb = V[row.a], V[row.b]
        for k in range(3):
            va[k] += row.change1[k] * impulse
            vb[k] += row.change2[k] * impulse
    bodies.V[:] = np.array(V)


def make_jrows(bodies: Bodies, rows: Rows, settings: Settings) -> list[JRow]:
    """Steps 1 and 2. Raises CrowdedError where too many rows share a body."""
    per_h = settings.inverse_dt
    jrows = [JRow(rows, i, per_h) for i in range(len(rows))]
    w1, w2 = responses(bodies, rows)
    diagonal = stiffnesses(bodies, rows).tolist()
    wanted = (bodies.V * per_h + bodies.inverse_mass * bodies.F).tolist()
    movable = [any(each) for each in bodies.inverse_mass.tolist()]
    of_body: dict[int, list[int]] = {}
    for i, row in enumerate(jrows):
        row.change1, row.change2, row.diagonal = w1[i].tolist(), w2[i].tolist(), diagonal[i]
        va, vb = wanted[row.a], wanted[row.b]
        row.b_value = float(rows.bias[i]) * per_h - _product(row.j1, va) - _product(row.j2, vb)
        for body in (row.a, row.b):
            if movable[body]:
                of_body.setdefault(body, []).append(i)
    pairs = 0
    for each in of_body.values():
        pairs += len(each) * len(each)
    if pairs > EQUATION_PAIRS:
        raise CrowdedError(most_crowded(bodies, rows))
    for i, row in enumerate(jrows):
        shared: dict[int, float] = {}
        for body, j in ((row.a, row.j1), (row.b, row.j2)):
            for k in of_body.get(body, ()):
                if k != i:
                    other = jrows[k]
                    change = other.change1 if other.a == body else other.change2
                    shared[k] = shared.get(k, 0.0) + _product(j, change)
        row.a_row = list(shared.items())
    return jrows


def gauss_seidel(jrows: list[JRow], blocks: dict[int, RowBlock], inner: set[int]) -> float:
    """Step 3: one iteration; return the largest change of a row's equation."""
    largest = 0.0
    for i, row in enumerate(jrows):
        if i in inner:
            continue
        if i in blocks:
            largest = max(largest, _together(jrows, i, blocks[i]))
            continue
        if row.diagonal == 0.0:
            continue
        lam = (row.b_value - _others(jrows, row)) / row.diagonal
        low, high = row.low, row.high
        if row.normal >= 0:
            high = row.friction * jrows[row.normal].lam
            low = -high
        old, row.lam = row.lam, min(max(lam, low), high)
        largest = max(largest, abs(row.lam - old) * row.diagonal)
    return largest


def _together(jrows: list[JRow], first: int, block: RowBlock) -> float:
    """Solve some rows as a block."""
    rows = jrows[first : first + len(block.K)]
    left = [row.b_value - _others(jrows, row) - row.diagonal * row.lam for row in rows]
    old = [row.lam for row in rows]
    for row, lam in zip(rows, block.new_sums(left, old), strict=True):
        row.lam = lam
    return max(abs(row.lam - was) * row.diagonal for row, was in zip(rows, old, strict=True))


def _others(jrows: list[JRow], row: JRow) -> float:
    """The sum of all other lambdas in a row."""
    others = 0.0
    for k, value in row.a_row:
        others += value * jrows[k].lam
    return others


def _product(j: Triple, v: Triple) -> float:
    return j[0] * v[0] + j[1] * v[1] + j[2] * v[2]


def _matrix(jrows: list[JRow]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A as ``pgs_matrix`` has it, to look at."""
    A = np.zeros((len(jrows), len(jrows)))
    for i, row in enumerate(jrows):
        A[i, i] = row.diagonal
        for k, value in row.a_row:
            A[i, k] = value
    return A
