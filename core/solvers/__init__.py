# SPDX-License-Identifier: MIT
"""The textbook solvers: one file each, one signature, to be read beside their documents.

000 is "Rigid bodies" in parts 1 to 5, 001 to 004 are the other documents; the head of each file
names its sources. Results are the same on every machine: elementwise NumPy, Python's own floats
and running sums have one order and one rounding each, and no BLAS is called.
"""

from __future__ import annotations

from collections.abc import Callable

from . import (
    constraint_correction,
    iterative_impulse,
    pgs_jrow,
    pgs_matrix,
    sequential_impulse,
    verlet,
)
from .constraint import Constraint, ConstraintRow, Ends
from .log import Bounds, Impulse, Log
from .system import (
    Bodies,
    Contact,
    CrowdedError,
    Drive,
    Joint,
    Memory,
    Outline,
    Particles,
    Report,
    Settings,
    Soft,
    System,
)

__all__ = [
    "SOLVERS",
    "Bodies",
    "Bounds",
    "Constraint",
    "ConstraintRow",
    "Contact",
    "CrowdedError",
    "Drive",
    "Ends",
    "Impulse",
    "Joint",
    "Log",
    "Memory",
    "Outline",
    "Particles",
    "Report",
    "Settings",
    "Soft",
    "System",
]

SOLVERS: dict[str, Callable[[System], Report]] = {
    "iterative_impulse": iterative_impulse.step,
    "pgs_matrix": pgs_matrix.step,
    "pgs_jrow": pgs_jrow.step,
    "sequential_impulse": sequential_impulse.step,  # to look inside a step of the engine's
    "textbook_impulse": sequential_impulse.step,
    "constraint_correction": constraint_correction.step,
    "verlet": verlet.step,
}
