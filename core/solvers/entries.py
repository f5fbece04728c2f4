# SPDX-License-Identifier: MIT
"""Sums over the rows of A in document 000, part 2, most of whose entries are 0."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .system import Float64, total

FEW = 48
"""Entries of a row of A up to which a plain loop sums them sooner than numpy."""
Entries = list[list[tuple[int, float]]]
"""The columns and values of the rows of a matrix."""


class RowSums:
    """Sums A[y] X over a row's entries, with the bits that ``total`` gives the whole row."""

    def __init__(self, A: Float64, B: Sequence[float]) -> None:
        self.A = A
        self._entries = _few_entries(A, B)

    def of(self, y: int, X: Float64, known: Sequence[float]) -> float:
        """The sum of row ``y``; ``known`` has the values of ``X``."""
        whole = 0.0
        for j, entry in self._entries[y]:
            whole += entry * known[j]
        if whole == 0.0 or not -math.inf < whole < math.inf:
            return total(self.A[y] * X)  # of zeros the sign counts
        return whole

    def note(self, *values: float) -> None:
        """Take notice of new values of X: what is not finite counts in every sum."""
        if not all(map(math.isfinite, values)):
            self._entries = [[] for _ in self._entries]


def _few_entries(A: Float64, B: Sequence[float]) -> Entries:
    """The columns and values that a row of A has besides zeros, where these are few.

    What a zero adds to a sum changes no bit of it, unless something is not finite. A row without
    entries here is to be summed whole.
    """
    none: list[tuple[int, float]] = []
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        return [none] * len(A)
    rows: Entries = []
    for row in A:
        at = np.flatnonzero(row)
        few = len(at) <= FEW
        rows.append([*zip(at.tolist(), row[at].tolist(), strict=True)] if few else none)
    return rows
