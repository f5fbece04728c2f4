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
    """Sums A[y] X over a row's entries, with the bits that ``total`` gives the whole row.

    ``entries`` are those of each row. Where their sum, one after the other, is 0 or not finite, it
    is to be taken ``exactly``.
    """

    def __init__(self, A: Float64, B: Sequence[float]) -> None:
        self.A = A
        self.entries = _few_entries(A, B)

    def exactly(self, y: int, X: Float64) -> float:
        """The sum of the whole row ``y``: of zeros the sign counts."""
        return total(self.A[y] * X)

    def note(self, *values: float) -> None:
        """Take notice of new values of X: what is not finite counts in every sum."""
        if not all(map(math.isfinite, values)):
            self.entries = [[] for _ in self.entries]


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
