# SPDX-License-Identifier: MIT
"""The entries of a matrix that are not 0, for sums over its rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .system import Float64

FEW = 48
"""Entries of a row of A up to which a plain loop sums them sooner than numpy."""
Entries = list[list[tuple[int, float]]]
"""The columns and values of the rows of a matrix."""


def few_entries(A: Float64, B: Sequence[float], X: Float64) -> Entries:
    """The columns and values that a row of A has besides zeros, where these are few.

    What a zero adds to a sum changes no bit of it, unless something is not finite. A row without
    entries here is to be summed whole.
    """
    none: list[tuple[int, float]] = []
    if not (np.isfinite(A).all() and np.isfinite(B).all() and np.isfinite(X).all()):
        return [none] * len(A)
    rows: Entries = []
    for row in A:
        at = np.flatnonzero(row)
        few = len(at) <= FEW
        rows.append([*zip(at.tolist(), row[at].tolist(), strict=True)] if few else none)
    return rows
