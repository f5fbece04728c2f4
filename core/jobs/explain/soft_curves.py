# SPDX-License-Identifier: MIT
"""The curves of a step of ``soft_step``, over its passes: two for each substep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .observed import ObservedStep
from .soft_step import heaps

Float64 = NDArray[np.float64]
ENOUGH = 64
"""The substeps of the step whose impulses are the targets."""


@dataclass(frozen=True, slots=True)
class RowHistory:
    """A row over the iterations [k + 1], from what it begins with (0) on: the sum of its impulses,
    and between which bounds it lies; ``target`` is its sum after a thousand iterations.

    ``changes`` [k] are the impulses of the iterations where the sums do not go on from one to the
    next. Of ``verlet``, whose rods have no impulses, the sum is the error, and the target 0.
    """

    sums: Float64
    low: Float64
    high: Float64
    target: float
    changes: Float64 | None = None


def history(step: ObservedStep, best: ObservedStep, row: int) -> RowHistory:
    """A row of a step. Its target is the mean impulse of a substep in ``best``, which is the same
    step in many substeps: the impulse of the whole step, divided by the substeps of this one."""
    found = step.rows[row]
    target = targets(step, best)[row]
    return RowHistory(found.impulses, found.low, found.high, target, found.changes)


def targets(step: ObservedStep, best: ObservedStep) -> list[float]:
    """Of each row."""
    totals = {row.name: row.total for row in best.rows}
    return [totals.get(row.name, 0.0) / step.substeps for row in step.rows]


def body_speeds(step: ObservedStep) -> Float64:
    """[1 + 2 s, n] the speed of each body before the step and after each pass."""
    x, y = step.velocities[:, :, 0], step.velocities[:, :, 1]
    speeds: Float64 = np.sqrt(x * x + y * y)
    return speeds


def heap_errors(step: ObservedStep, best: ObservedStep) -> dict[str, Float64]:
    """[2 s] the squared distance of each heap's impulses to their targets after each pass, by the
    name of the heap's first body."""
    wanted = targets(step, best)
    errors = {}
    for heap in heaps(step):
        apart = [step.rows[i].impulses[1:] - wanted[i] for i in heap.links]
        errors[step.names(heap.bodies[0])] = np.sum(np.square(apart), axis=0)
    return errors
