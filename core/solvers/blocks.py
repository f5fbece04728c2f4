# SPDX-License-Identifier: MIT
"""Rows that are solved together, as one vector (document 000, parts 4.7 and 5.5).

    K = J M^-1 J^T     impulse = K^-1 (bias - J V)

A mouse is always such a block of two rows, see ``mouse.py``. With ``blocks`` so are the rows that a
joint holds: the point of a hinge (2 x 2), line and angle of a prismatic joint (2 x 2), point and
angle of a weld (3 x 3); of a weld on springs too, with gamma / h on the diagonal. Without, a loop
solves one row after another, and each undoes a part of the one before.

Not as printed: these blocks correct positions by the joint's rate like all other rows, and not by
``biasFactor`` 1. Of a row that no impulse moves (both bodies do not turn) the impulse stays, where
the document puts a 1 on the diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from .mouse import pulls, solve_both
from .system import JOINT, Key

HELD = range(6)  # parts of keys: 0 to 2 are held, 3 to 5 held by springs
SINGULAR = 1e-12  # of a diagonal, that is left of it where a row hangs on those before


def blocks_of(
    keys: Sequence[Key], low: Iterable[float], high: Iterable[float], wanted: bool
) -> dict[int, int]:
    """The number of rows of each block, by its first row; joints' blocks only where ``wanted``."""
    found: dict[int, int] = {}
    first, last = 0, (-1, -1)
    for i, (key, bound) in enumerate(zip(keys, zip(low, high, strict=True), strict=True)):
        if pulls(key):
            found[i] = 2
        free = key[0] == JOINT and key[2] in HELD and bound == (-math.inf, math.inf)
        group = (key[1], key[2] // 3) if wanted and free else (-1, i)
        if group != last:
            first, last = i, group
        elif i - first < 3:
            found[first] = i - first + 1
    return found


def inner_rows(blocks: Mapping[int, int]) -> set[int]:
    """The rows of blocks but their first ones."""
    return {first + k for first, size in blocks.items() for k in range(1, size)}


class RowBlock(NamedTuple):
    """Rows that are solved together: the key of the first, K, and the length that the sum of a
    mouse may have."""

    key: Key
    K: list[list[float]]
    most: float

    def new_sums(self, missing: Sequence[float], sums: Sequence[float]) -> list[float]:
        """Accumulated impulses of its rows after an iteration, from ``missing`` velocities."""
        if pulls(self.key):
            k = self.K[0][0], self.K[0][1], self.K[1][1]
            return list(solve_both(k, (missing[0], missing[1]), (sums[0], sums[1]), self.most))
        return [old + new for old, new in zip(sums, eliminated(self.K, missing), strict=True)]


def build_blocks(
    sizes: Mapping[int, int],
    keys: Sequence[Key],
    shared: Callable[[int, int], float],
    highs: Sequence[float],
) -> dict[int, RowBlock]:
    """The blocks of these ``sizes`` by their first rows; ``shared`` has K of two rows."""
    return {
        first: RowBlock(
            keys[first],
            [[shared(first + i, first + k) for k in range(size)] for i in range(size)],
            highs[first],
        )
        for first, size in sizes.items()
    }


def eliminated(K: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """x with K x = right, of a symmetric K without negative eigenvalues; 0 in each row that hangs
    on those before."""
    size = len(right)
    k, x = [list(row) for row in K], list(right)
    for pivot in range(size):
        if k[pivot][pivot] <= SINGULAR * K[pivot][pivot]:
            continue
        for i in range(pivot + 1, size):
            share = k[i][pivot] / k[pivot][pivot]
            for j in range(pivot, size):
                k[i][j] -= share * k[pivot][j]
            x[i] -= share * x[pivot]
    for i in reversed(range(size)):
        if k[i][i] <= SINGULAR * K[i][i]:
            x[i] = 0.0
            continue
        for j in range(i + 1, size):
            x[i] -= k[i][j] * x[j]
        x[i] /= k[i][i]
    return x
