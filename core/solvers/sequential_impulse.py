# SPDX-License-Identifier: MIT
"""Sequential impulses as documents 000 (part 3) and 002 (S6, S8) have them.

The engine's own ``sequential_impulse`` is made for speed; this is the documents' loop: the solver
``textbook_impulse``, by which ``rigid explain`` shows a step of the engine's one too. Each
constraint in turn is given the impulse that brings its velocity to its bias, and the sum of its
impulses is kept between its bounds:

    impulse = ImpulseMass (Bias - J V)     sum = clamp(old + impulse)     impulse = sum - old

``clamp: each`` keeps every single impulse between the bounds instead, so that no overshoot can be
taken back; ``clamp: none`` lets impulses pull ("bodies glue together"). ``external_force`` says
when F acts: before the constraints are made, which then take it for an approach and bounce it
back; between that and the loop, as it should; or after the loop, which then knows nothing of it,
so that bodies sink. With a ``grouping`` each group has a loop of its own, with biases from the
velocities after the groups before it.

``springs: soft_each`` is the first form of a soft constraint (part 4, 2.13), which leaves out what
has been applied already, and divides by the iterations so that it works at all; with the warm start
a spring gains energy.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .account import Part, merged, note_rows
from .blocks import blocks_of, build_blocks, inner_rows
from .grouping import groups
from .joints import apply_springs
from .log import Impulse, Log
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
    Bodies,
    Float64,
    Report,
    Rest,
    Settings,
    System,
    apply_forces,
    move,
)

Velocities = list[list[float]]


def step(system: System) -> Report:
    """One step: constraints, forces, warm start, the loop, the motion."""
    bodies, settings, memory = system.bodies, system.settings, system.memory
    log, contacts = system.log, system.detect(None)
    sprung = apply_springs(bodies, system.joints, settings)
    if settings.external_force == "before":
        apply_forces(bodies, settings.dt)
    before = bodies.V.copy()
    rows = build_rows(bodies, contacts, system.joints, settings)
    if settings.external_force == "between":
        apply_forces(bodies, settings.dt)
    fallen = bodies.V - before  # the part of the velocities that no bias is made of
    start = remembered(rows, memory, settings.warm_start)
    V: Velocities = bodies.V.tolist()
    impulses, iterations = np.zeros(len(rows)), 0
    together = groups(rows, settings.grouping)
    apart: list[Part] = []
    if log is not None:
        note_rows(log, bodies, rows, system.joints, settings, start)
    for chosen in together:
        part = rows.take(chosen)
        if len(together) > 1:
            part.aim(replace(bodies, V=np.array(V) - fallen))
        solver = Loop(bodies, part, settings, log)
        solver.start(V, start[chosen])
        iterations = max(iterations, solver.solve(V))
        impulses[chosen], rows.bias[chosen] = solver.sums, part.bias
        if log is not None:
            apart.append((chosen, log.solutions))
            log.solutions = []
    bodies.V[:] = V
    low, high = friction_bounds(rows, impulses)
    left = violation(rows, bodies, impulses, low, high)
    if settings.external_force == "after":
        apply_forces(bodies, settings.dt)
    memory.impulses = dict(zip(rows.keys, impulses.tolist(), strict=True))
    if log is not None:
        log.solutions = merged(apart, len(rows))
        if len(together) > 1:  # each had rows and iterations of its own
            log.impulses, log.velocities = [], []
        log.matrices |= {"bias": rows.bias, "sum": impulses}
        log.matrices |= {"low": low, "high": high, "vNew": bodies.V.copy()}
    move(bodies, settings.dt)
    return report(
        rows,
        contacts,
        system.joints,
        impulses,
        sprung=sprung,
        iterations=iterations,
        residual=left,
        solution=impulses,
    )


class Loop:
    """Constraints that are solved together, and the sums of their impulses."""

    def __init__(self, bodies: Bodies, rows: Rows, settings: Settings, log: Log | None) -> None:
        self.settings, self.log = settings, log
        self.bodies = rows.pairs()
        self.J: list[list[float]] = rows.J.tolist()
        first, second = responses(bodies, rows)
        self.changes: list[tuple[list[float], list[float]]] = list(
            zip(first.tolist(), second.tolist(), strict=True)
        )
        self.stiffness: list[float] = stiffnesses(bodies, rows).tolist()
        self.softness: list[float] = rows.softness.tolist()
        self.bias: list[float] = rows.bias.tolist()
        self.low: list[float] = rows.low.tolist()
        self.high: list[float] = rows.high.tolist()
        self.normal: list[int] = rows.normal.tolist()
        self.friction: list[float] = rows.friction.tolist()
        self.keys = rows.keys
        sizes = blocks_of(rows.keys, rows.low, rows.high, settings.blocks)
        self.inner = inner_rows(sizes)
        self.blocks = build_blocks(sizes, rows.keys, self._shared, self.high)
        self.sums: list[float] = [0.0] * len(rows)

    def solve(self, V: Velocities) -> int:
        """Do all passes; return their number."""
        rest = Rest()
        for iteration in range(self.settings.iterations):
            change = self.iterate(V, iteration)
            if self.settings.ends(change):
                return iteration + 1
            if self.log is None and rest.reached(change, self.sums, *V):
                break
        return self.settings.iterations

    def start(self, V: Velocities, sums: Float64) -> None:
        """Apply the last step's impulses (warm start)."""
        self.sums = sums.tolist()
        for i, impulse in enumerate(self.sums):
            self._apply(V, i, impulse)

    def iterate(self, V: Velocities, iteration: int) -> float:
        """One pass over all constraints; the largest change of a velocity along one."""
        largest = 0.0
        for i in range(len(self.sums)):
            if i in self.inner or self.stiffness[i] == 0.0:
                continue
            impulses = self._together(V, i) if i in self.blocks else [self._alone(V, i)]
            for row, impulse in enumerate(impulses, i):
                self._give(V, iteration, row, impulse)
                largest = max(largest, abs(impulse) * self.stiffness[row])
        if self.log is not None:
            self.log.solutions.append(list(self.sums))
            self.log.velocities.append(np.array(V))
        return largest

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

    def _alone(self, V: Velocities, i: int) -> float:
        """The impulse of one row."""
        if self.softness[i] > 0.0 and self.settings.springs == "soft_each":  # (2.13)
            share = self.stiffness[i] * self.settings.iterations
            return self._clamped(i, (self.bias[i] - self._speed(V, i)) / share)
        return self._clamped(i, self._missing(V, i) / self.stiffness[i])

    def _together(self, V: Velocities, first: int) -> list[float]:
        """The impulses of a block of rows."""
        block = self.blocks[first]
        rows = range(first, first + len(block.K))
        missing, old = [self._missing(V, i) for i in rows], self.sums[first : rows.stop]
        new = block.new_sums(missing, old)
        return [after - before for after, before in zip(new, old, strict=True)]

    def _shared(self, i: int, k: int) -> float:
        """J_i M^-1 J_k."""
        if i == k:
            return self.stiffness[i]
        j, (first, second) = self.J[i], self.changes[k]
        both = j[0] * first[0] + j[1] * first[1] + j[2] * first[2]
        both += j[3] * second[0] + j[4] * second[1] + j[5] * second[2]
        return both

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
        contact = self.keys[i][0] in (NORMAL, FRICTION)
        if self.settings.clamp == "none" and contact:
            return impulse
        if self.settings.clamp == "each" and contact:
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
