# SPDX-License-Identifier: MIT
"""The equation of motion as a matrix, solved by projected Gauss-Seidel (document 000, part 2).

    A lambda = B     A = J M^-1 J^T     B = zeta / dt - J (V1 / dt + M^-1 F)
    V2 = V1 + M^-1 dt (J^T lambda + F)

lambda are forces: an impulse is lambda dt. ``grouping`` divides the rows into equations: all rows
(``global``), those between two bodies (``pair``), or of one point of contact (``contact``; the
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

import numpy as np

from ..scene.limits import EQUATION_ROWS
from .account import Part, merged, note_rows
from .blocks import RowBlock, blocks_of, build_blocks, inner_rows
from .entries import RowSums
from .grouping import groups
from .joints import apply_springs
from .log import Log
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
    Bodies,
    CrowdedError,
    Float64,
    Key,
    Report,
    Rest,
    Settings,
    System,
    apply_forces,
    move,
    total,
)

BLOCK = 256
"""So many rows of A are found at once, for which there is other memory besides."""


def step(system: System) -> Report:
    """One step: contacts, then one equation for each group, then the motion."""
    bodies, settings, memory = system.bodies, system.settings, system.memory
    contacts = system.detect(None)
    sprung = apply_springs(bodies, system.joints, settings)
    V1 = bodies.V.copy() if settings.integrator == "explicit_euler" else None
    rows = build_rows(bodies, contacts, system.joints, settings)
    start = remembered(rows, memory, settings.warm_start)
    impulses, iterations = np.zeros(len(rows)), 0
    apart: list[Part] = []
    if system.log is not None:
        note_rows(system.log, bodies, rows, system.joints, settings, start)
        system.log.matrices |= {"V": bodies.V.copy(), "F": bodies.F.copy()}
    for chosen in groups(rows, settings.grouping):
        part = rows.take(chosen)
        part.aim(bodies)  # from the velocities after the groups before it
        found, count = solve_group(bodies, part, settings, start[chosen], system.log)
        iterations = max(iterations, count)
        apply_impulses(bodies, part, found)
        impulses[chosen], rows.bias[chosen] = found, part.bias
        if system.log is not None:
            apart.append((chosen, system.log.solutions))
            system.log.solutions = []
    if system.log is not None:
        system.log.solutions = merged(apart, len(rows))
        if settings.grouping != "global":  # every group had an A, a B and bounds of its own
            lambdas = impulses * settings.inverse_dt
            system.log.matrices |= {"bias": rows.bias, "lambda": lambdas}
            for name in ("A", "B", "low", "high"):
                system.log.matrices.pop(name, None)
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
        iterations=iterations,
        residual=left,
        solution=impulses * settings.inverse_dt,
    )


def solve_group(
    bodies: Bodies, rows: Rows, settings: Settings, start: Float64, log: Log | None
) -> tuple[Float64, int]:
    """The impulses of the rows of one equation, and how many iterations they took. Raises
    CrowdedError where these are too many."""
    if len(rows) > EQUATION_ROWS:
        raise CrowdedError(most_crowded(bodies, rows))
    A = matrix(bodies, rows)
    B = right_side(bodies, rows, settings)
    h, per_h = settings.dt, settings.inverse_dt
    normal, friction = rows.normal.tolist(), rows.friction.tolist()
    equation = Equation(A, B, rows.low * per_h, rows.high * per_h, normal, friction)
    equation.solve_together(blocks_of(rows.keys, rows.low, rows.high, settings.blocks), rows.keys)
    lambdas, iterations, rest = start * per_h, 0, Rest()
    for _ in range(settings.iterations):
        iterations += 1
        change = equation.iterate(lambdas)
        if log is not None:
            log.solutions.append(lambdas.tolist())
        if settings.ends(change * h):
            break
        if log is None and rest.reached(change, lambdas.tolist()):
            iterations = settings.iterations
            break
    if log is not None:
        low, high = friction_bounds(rows, lambdas * h)
        log.matrices |= {"A": A, "B": B, "lambda": lambdas}
        log.matrices |= {"low": low * per_h, "high": high * per_h}
    return lambdas * h, iterations


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


class Equation:
    """A X = B with bounds, which ``iterate`` comes nearer to.

    The bounds of a row with a ``normal`` are its ``friction`` times what that row has by then.
    """

    def __init__(
        self,
        A: Float64,
        B: Float64,
        low: Float64,
        high: Float64,
        normal: list[int] | None = None,
        friction: list[float] | None = None,
    ) -> None:
        self.A = A
        self.diagonal: list[float] = np.diagonal(A).tolist()
        self.right: list[float] = B.tolist()
        self.lows: list[float] = low.tolist()
        self.highs: list[float] = high.tolist()
        self.normal = [-1] * len(B) if normal is None else normal
        self.friction = [0.0] * len(B) if friction is None else friction
        self.blocks: dict[int, RowBlock] = {}
        self.inner: set[int] = set()
        self.sums = RowSums(A, self.right)

    def solve_together(self, blocks: dict[int, int], keys: list[Key]) -> None:
        """Have these rows solved together."""
        self.inner = inner_rows(blocks)
        self.blocks = build_blocks(blocks, keys, lambda i, k: float(self.A[i, k]), self.highs)

    def iterate(self, X: Float64) -> float:
        """One iteration in place; the largest change of what a row asks for. Row by row: X[y] =
        (B[y] - sum of A[y][j] X[j] for j != y) / A[y][y], brought between its bounds."""
        largest, known = 0.0, X.tolist()
        self.sums.note(*known)
        for y, on_diagonal in enumerate(self.diagonal):
            if y in self.inner:
                continue  # it was solved with the row before
            if y in self.blocks:
                largest = max(largest, self._together(X, y))
                at = slice(y, y + len(self.blocks[y].K))
                known[at] = X[at].tolist()
                self.sums.note(*known[at])
                continue
            if on_diagonal == 0.0:
                continue  # neither body can move that way
            old = known[y]
            others = self.sums.of(y, X, known) - on_diagonal * old
            value = (self.right[y] - others) / on_diagonal
            least, most = self.lows[y], self.highs[y]
            if self.normal[y] >= 0:
                most = self.friction[y] * known[self.normal[y]]
                least = -most
            X[y] = known[y] = new = min(max(value, least), most)
            if new - new != 0.0:
                self.sums.note(new)
            largest = max(largest, abs(new - old) * on_diagonal)
        return largest

    def _together(self, X: Float64, first: int) -> float:
        block = self.blocks[first]
        at = slice(first, first + len(block.K))
        missing = [self.right[i] - total(self.A[i] * X) for i in range(first, at.stop)]
        old: list[float] = X[at].tolist()
        X[at] = block.new_sums(missing, old)
        new: list[float] = X[at].tolist()
        changes = zip(new, old, self.diagonal[at], strict=True)
        return max(abs(after - before) * k for after, before, k in changes)


def projected_gauss_seidel(
    A: Float64, B: Float64, X: Float64, low: Float64, high: Float64, iterations: int
) -> Float64:
    """X with A X = B as nearly as its bounds and ``iterations`` let it be."""
    X, equation = X.copy(), Equation(A, B, low, high)
    for _ in range(iterations):
        equation.iterate(X)
    return X
