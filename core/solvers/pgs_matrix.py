# SPDX-License-Identifier: MIT
"""The equation of motion as a matrix, solved by projected Gauss-Seidel (document 000, part 2).

    A lambda = B     A = J M^-1 J^T     B = zeta / dt - J (V1 / dt + M^-1 F)
    V2 = V1 + M^-1 dt (J^T lambda + F)

lambda are forces: an impulse is lambda dt. ``grouping`` says what is one such equation: everything
(``global``), what acts between two bodies (``pair``), or one point of contact (``contact``; the
document dropped it, as it is never better than pairs). Groups come in turn, and each sees the
velocities that those before it left. ``warm_start`` begins with the lambda of the last step (part
3). ``springs: force`` and ``integrator: explicit_euler`` are the other ways of part 4: springs as
external forces, and positions that move before velocities change.

Not as printed: there every group's equation adds F to the velocities of its bodies, so that
gravity acts as often as a body has groups, and not at all on one without. Here F stands in every
B, which has to bear it, and acts on each body once. The document's write-back, rounded to seven
decimals, is left out, and its cache, which keeps what touched last over steps without contacts, is
emptied in each.
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet

import numpy as np

from ..scene.limits import EQUATION_ROWS
from .joints import apply_springs
from .mouse import pulls, solve_both
from .rows import (
    Rows,
    along,
    apply_impulses,
    build_rows,
    friction_bounds,
    most_crowded,
    remembered,
    report,
    responses,
    violation,
)
from .system import (
    FRICTION,
    Bodies,
    CrowdedError,
    Float64,
    Log,
    Report,
    Settings,
    System,
    apply_forces,
    move,
    total,
)

BLOCK = 256
"""So many rows of A are found at once, for which there is other memory besides."""
FEW = 48
"""Entries of a row of A up to which a plain loop sums them sooner than numpy."""


def step(system: System) -> Report:
    """One step: contacts, then one equation for each group, then the motion."""
    bodies, settings, memory = system.bodies, system.settings, system.memory
    contacts = system.detect(None)
    sprung = apply_springs(bodies, system.joints, settings)
    V1 = bodies.V.copy() if settings.integrator == "explicit_euler" else None
    rows = build_rows(bodies, contacts, system.joints, settings)
    start = remembered(rows, memory, settings.warm_start)
    impulses = np.zeros(len(rows))
    for chosen in groups(rows, settings.grouping):
        part = rows.take(chosen)
        part.aim(bodies)  # from what the groups before it left
        found = solve_group(bodies, part, settings, start[chosen], system.log)
        apply_impulses(bodies, part, found)
        impulses[chosen], rows.bias[chosen] = found, part.bias
    if system.log is not None:
        system.log.rows, system.log.bodies = list(rows.names), rows.pairs()
        if settings.grouping != "global":  # every group had an A of its own
            lambdas = impulses * settings.inverse_dt
            system.log.matrices = {"J": rows.J, "bias": rows.bias, "lambda": lambdas}
            system.log.solutions = [lambdas.tolist()]
    memory.impulses = dict(zip(rows.keys, impulses.tolist(), strict=True))
    apply_forces(bodies, settings.dt)
    low, high = friction_bounds(rows, impulses)
    left = violation(rows, bodies, impulses, low, high)
    if system.log is not None:
        system.log.matrices["vNew"] = bodies.V.copy()
    move(bodies, settings.dt, V1)
    return report(
        rows,
        contacts,
        system.joints,
        impulses,
        sprung=sprung,
        iterations=settings.iterations,
        residual=left,
        solution=impulses * settings.inverse_dt,
    )


def groups(rows: Rows, grouping: str) -> list[list[int]]:
    """The rows of each equation. Pairs and contacts come in the order in which they were found."""
    if grouping == "global":
        return [list(range(len(rows)))] if len(rows) else []
    found: dict[tuple[int, ...], list[int]] = {}
    for i, key in enumerate(rows.keys):
        pair = (int(rows.a[i]), int(rows.b[i]))
        one_point = grouping == "contact" and key[0] <= FRICTION
        found.setdefault(key[1:] if one_point else pair, []).append(i)
    return list(found.values())


def solve_group(
    bodies: Bodies, rows: Rows, settings: Settings, start: Float64, log: Log | None
) -> Float64:
    """The impulses of the rows of one equation. Raises CrowdedError where these are too many."""
    if len(rows) > EQUATION_ROWS:
        raise CrowdedError(most_crowded(bodies, rows))
    A = matrix(bodies, rows)
    B = right_side(bodies, rows, settings)
    h, per_h = settings.dt, settings.inverse_dt
    solutions = None if log is None else log.solutions
    lambdas = projected_gauss_seidel(
        A,
        B,
        start * per_h,
        rows.low * per_h,
        rows.high * per_h,
        settings.iterations,
        normal=rows.normal.tolist(),
        friction=rows.friction.tolist(),
        mice={i for i, key in enumerate(rows.keys) if pulls(key)},
        solutions=solutions,
    )
    if log is not None and not log.matrices:  # of several groups, the first
        low, high = friction_bounds(rows, lambdas * h)
        log.matrices |= {
            "V": bodies.V.copy(),
            "F": bodies.F.copy(),
            "M^-1": bodies.inverse_mass.copy(),
            "J": rows.J,
            "bias": rows.bias,
            "A": A,
            "B": B,
            "lambda": lambdas,
            "low": low * per_h,
            "high": high * per_h,
        }
    return lambdas * h


def matrix(bodies: Bodies, rows: Rows) -> Float64:
    """A = J M^-1 J^T [s, s]: how an impulse of each column changes the velocity along each row.

    Two rows have to do with each other by the bodies that they share: J_i . M^-1 J_j of each.
    """
    A = np.zeros((len(rows), len(rows)))
    w1, w2 = responses(bodies, rows)
    sides = ((rows.a, rows.J[:, :3], w1), (rows.b, rows.J[:, 3:], w2))
    for first in range(0, len(rows), BLOCK):
        some = slice(first, first + BLOCK)
        for body_i, J, _ in sides:
            for body_j, _, w in sides:
                products = J[some, 0, None] * w[None, :, 0]
                products += J[some, 1, None] * w[None, :, 1]
                products += J[some, 2, None] * w[None, :, 2]
                A[some] += np.where(body_i[some, None] == body_j[None, :], products, 0.0)
    diagonal = np.arange(len(rows))
    A[diagonal, diagonal] += rows.softness
    return A


def right_side(bodies: Bodies, rows: Rows, settings: Settings) -> Float64:
    """B = zeta / dt - J (V1 / dt + M^-1 F)."""
    per_h = settings.inverse_dt
    wanted = bodies.V * per_h + bodies.inverse_mass * bodies.F
    B: Float64 = rows.bias * per_h - along(rows.J, wanted, rows.a, rows.b)
    return B


def projected_gauss_seidel(
    A: Float64,
    B: Float64,
    X: Float64,
    low: Float64,
    high: Float64,
    iterations: int,
    *,
    normal: list[int] | None = None,
    friction: list[float] | None = None,
    mice: AbstractSet[int] = frozenset(),
    solutions: list[list[float]] | None = None,
) -> Float64:
    """X with A X = B as nearly as its bounds and ``iterations`` let it be.

    Row by row: X[y] = (B[y] - sum of A[y][j] X[j] for j != y) / A[y][y], brought between its
    bounds. Those of a row with a ``normal`` are its ``friction`` times what that row has by then.
    Each of ``mice`` is solved with the row after it.
    """
    X = X.copy()
    known = X.tolist()
    entries = few_entries(A, B, X)
    diagonal, right = np.diagonal(A).tolist(), B.tolist()
    lows, highs = low.tolist(), high.tolist()
    for _ in range(iterations):
        for y, on_diagonal in enumerate(diagonal):
            if on_diagonal == 0.0 or y - 1 in mice:
                continue  # neither body can move that way; or it was done with the row before
            if y in mice:
                k = (on_diagonal, float(A[y, y + 1]), diagonal[y + 1])
                left = right[y] - total(A[y] * X), right[y + 1] - total(A[y + 1] * X)
                X[y : y + 2] = solve_both(k, left, (known[y], known[y + 1]), highs[y])
                known[y : y + 2] = X[y : y + 2].tolist()
                if not math.isfinite(known[y] + known[y + 1]):
                    entries = [[] for _ in entries]
                continue
            whole = 0.0
            for j, entry in entries[y]:
                whole += entry * known[j]
            if whole == 0.0 or not -math.inf < whole < math.inf:
                whole = total(A[y] * X)  # of zeros the sign counts
            others = whole - on_diagonal * known[y]
            value = (right[y] - others) / on_diagonal
            least, most = lows[y], highs[y]
            if normal is not None and friction is not None and normal[y] >= 0:
                most = friction[y] * known[normal[y]]
                least = -most
            X[y] = known[y] = brought = min(max(value, least), most)
            if not -math.inf < brought < math.inf:
                entries = [[] for _ in entries]  # what is not finite counts in every sum
        if solutions is not None:
            solutions.append(known.copy())
    return X


def few_entries(A: Float64, B: Float64, X: Float64) -> list[list[tuple[int, float]]]:
    """The columns and values that a row of A has besides zeros, where these are few.

    What a zero adds to a sum changes no bit of it, unless something is not finite. A row without
    entries here is to be summed whole.
    """
    if not (np.isfinite(A).all() and np.isfinite(B).all() and np.isfinite(X).all()):
        return [[] for _ in A]
    places = [np.flatnonzero(row) for row in A]
    return [
        [*zip(at.tolist(), row[at].tolist(), strict=True)] if len(at) <= FEW else []
        for row, at in zip(A, places, strict=True)
    ]
