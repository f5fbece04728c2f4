# SPDX-License-Identifier: MIT
"""Sequential impulses as documents 000 (part 3) and 002 (S6, S8) have them.

The engine's own ``sequential_impulse`` is made for speed and runs in the engine; this is the loop
of the documents, by which ``rigid explain`` shows a step of it. Each constraint in turn is given
the impulse that brings its velocity to its bias, and the sum of its impulses is kept between its
bounds:

    impulse = ImpulseMass (Bias - J V)     sum = clamp(old + impulse)     impulse = sum - old

``clamp: each`` keeps every single impulse between the bounds instead, so that no overshoot can be
taken back; ``clamp: none`` lets impulses pull ("bodies glue together"). ``external_force`` says
when F acts: before the constraints are made, which then take it for an approach and bounce it
back; between that and the loop, as it should; or after the loop, which then knows nothing of it,
so that bodies sink.
"""

from __future__ import annotations

import numpy as np

from .mouse import pulls, solve_both
from .rows import (
    Rows,
    build_rows,
    friction_bounds,
    remembered,
    report,
    responses,
    stiffnesses,
    violation,
)
from .system import (
    FRICTION,
    NORMAL,
    Float64,
    Impulse,
    Log,
    Report,
    Settings,
    System,
    apply_forces,
    move,
)

Velocities = list[list[float]]


def step(system: System) -> Report:
    """One step: constraints, forces, warm start, the loop, the motion."""
    bodies, settings, memory = system.bodies, system.settings, system.memory
    contacts = system.detect(None)
    if settings.external_force == "before":
        apply_forces(bodies, settings.dt)
    rows = build_rows(bodies, contacts, system.joints, settings)
    if settings.external_force == "between":
        apply_forces(bodies, settings.dt)
    solver = Loop(rows, settings, responses(bodies, rows), stiffnesses(bodies, rows), system.log)
    V: Velocities = bodies.V.tolist()
    solver.start(V, remembered(rows, memory, settings.warm_start))
    for iteration in range(settings.iterations):
        solver.iterate(V, iteration)
    bodies.V[:] = V
    impulses = np.array(solver.sums)
    low, high = friction_bounds(rows, impulses)
    left = violation(rows, bodies, impulses, low, high)
    if settings.external_force == "after":
        apply_forces(bodies, settings.dt)
    memory.impulses = dict(zip(rows.keys, solver.sums, strict=True))
    if system.log is not None:
        system.log.rows, system.log.bodies = list(rows.names), rows.pairs()
        system.log.matrices |= {"J": rows.J, "bias": rows.bias, "sum": impulses}
        system.log.matrices |= {"low": low, "high": high, "vNew": bodies.V.copy()}
    move(bodies, settings.dt)
    return report(
        rows,
        contacts,
        system.joints,
        impulses,
        iterations=settings.iterations,
        residual=left,
        solution=impulses,
    )


class Loop:
    """All constraints of a step and the sums of their impulses."""

    def __init__(
        self,
        rows: Rows,
        settings: Settings,
        changes: tuple[Float64, Float64],
        stiffness: Float64,
        log: Log | None,
    ) -> None:
        self.clamp = settings.clamp
        self.log = log
        self.bodies = list(zip(rows.a.tolist(), rows.b.tolist(), strict=True))
        self.J: list[list[float]] = rows.J.tolist()
        self.changes: list[tuple[list[float], list[float]]] = list(
            zip(changes[0].tolist(), changes[1].tolist(), strict=True)
        )
        self.stiffness: list[float] = stiffness.tolist()
        self.softness: list[float] = rows.softness.tolist()
        self.bias: list[float] = rows.bias.tolist()
        self.low: list[float] = rows.low.tolist()
        self.high: list[float] = rows.high.tolist()
        self.normal: list[int] = rows.normal.tolist()
        self.friction: list[float] = rows.friction.tolist()
        self.contact = [key[0] in (NORMAL, FRICTION) for key in rows.keys]
        self.mice = {i for i, key in enumerate(rows.keys) if pulls(key)}
        self.sums: list[float] = [0.0] * len(rows)

    def start(self, V: Velocities, sums: Float64) -> None:
        """Apply what the last step ended with (warm start)."""
        self.sums = sums.tolist()
        for i, impulse in enumerate(self.sums):
            self._apply(V, i, impulse)

    def iterate(self, V: Velocities, iteration: int) -> None:
        """One pass over all constraints."""
        for i in range(len(self.sums)):
            if self.stiffness[i] == 0.0:
                continue
            if i in self.mice:
                for row, impulse in zip((i, i + 1), self._pull(V, i), strict=True):
                    self._give(V, iteration, row, impulse)
            elif i - 1 not in self.mice:
                impulse = self._clamped(i, self._missing(V, i) / self.stiffness[i])
                self._give(V, iteration, i, impulse)
        if self.log is not None:
            self.log.solutions.append(list(self.sums))

    def _speed(self, V: Velocities, i: int) -> float:
        """J V."""
        (a, b), j = self.bodies[i], self.J[i]
        va, vb = V[a], V[b]
        speed: float = j[0] * va[0] + j[1] * va[1] + j[2] * va[2]
        speed += j[3] * vb[0] + j[4] * vb[1] + j[5] * vb[2]
        return speed

    def _missing(self, V: Velocities, i: int) -> float:
        """The velocity that a row lacks."""
        return self.bias[i] - self._speed(V, i) - self.softness[i] * self.sums[i]

    def _pull(self, V: Velocities, i: int) -> tuple[float, float]:
        """The impulses of both rows of a mouse."""
        j, change = self.J[i + 1], self.changes[i][1]
        shared = j[3] * change[0] + j[4] * change[1] + j[5] * change[2]
        k = (self.stiffness[i], shared, self.stiffness[i + 1])
        left, old = (self._missing(V, i), self._missing(V, i + 1)), self.sums[i : i + 2]
        x, y = solve_both(k, left, (old[0], old[1]), self.high[i])
        return x - old[0], y - old[1]

    def _give(self, V: Velocities, iteration: int, i: int, impulse: float) -> None:
        """Apply an impulse and add it up."""
        if self.log is not None:
            a, b = self.bodies[i]
            mover = V[a] if any(self.changes[i][0]) else V[b]
            total, speed = self.sums[i] + impulse, self._speed(V, i)
            self.log.impulses.append(Impulse(iteration, i, impulse, total, speed, tuple(mover)))
        self.sums[i] += impulse
        self._apply(V, i, impulse)

    def _clamped(self, i: int, impulse: float) -> float:
        """The applied part of an impulse."""
        low, high = self.low[i], self.high[i]
        if self.normal[i] >= 0:
            high = self.friction[i] * max(0.0, self.sums[self.normal[i]])
            low = -high
        if self.clamp == "none" and self.contact[i]:
            return impulse
        if self.clamp == "each" and self.contact[i]:
            return min(max(impulse, low), high)
        old = self.sums[i]
        return min(max(old + impulse, low), high) - old

    def _apply(self, V: Velocities, i: int, impulse: float) -> None:
        a, b = self.bodies[i]
        first, second = self.changes[i]
        va, vb = V[a], V[b]
        for k in range(3):
            va[k] += first[k] * impulse
            vb[k] += second[k] * impulse
