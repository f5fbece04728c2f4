# SPDX-License-Identifier: MIT
"""The mouse, a "multi constraint" (document 000, parts 4.6 and 4.7): two rows, solved as one.

The point of a body that is held, r from its centre, is pulled to where the mouse is:

    C = x + r - mouse    C' = v + omega x r    J = [[1, 0, -r.y], [0, 1, r.x]]
    K = J M^-1 J^T = [[1/m + r.y^2/I, -r.x r.y/I], [-r.x r.y/I, 1/m + r.x^2/I]]
    rigid   impulse = K^-1 (-C / h - C'), with all of the error (biasFactor 1)
    soft    impulse = (K + gamma/h)^-1 (-C' - gamma/h sum - beta/h C)

Its force is a vector, so the largest one bounds no row, but the length of the sum of both: a longer
sum is shortened to it. Row by row it could pull with up to sqrt(2) times as much, and awry.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .system import JOINT, Float64, Key, Point

PULL = 9  # the last number of the key of its row along x; that along y comes next


def pulls(key: Key) -> bool:
    """Whether a row is the first of a mouse's two."""
    return key[0] == JOINT and key[2] == PULL


def is_pull(key: Key) -> bool:
    """Whether a row is one of a mouse's two."""
    return key[0] == JOINT and key[2] in (PULL, PULL + 1)


def solve_both(
    k: tuple[float, float, float], missing: Point, sums: Point, most: float
) -> tuple[float, float]:
    """Return the new sums of both rows: K^-1 of the error is added, the length clamped to ``most``.

    ``k`` is K by its upper triangle.
    """
    k1, k2, k4 = k
    scale = 1.0 / (k1 * k4 - k2 * k2)
    x = sums[0] + scale * (k4 * missing[0] - k2 * missing[1])
    y = sums[1] + scale * (k1 * missing[1] - k2 * missing[0])
    size = math.sqrt(x * x + y * y)
    return (x * most / size, y * most / size) if size > most else (x, y)


def hold_spent(keys: Sequence[Key], impulses: Float64, low: Float64, high: Float64) -> None:
    """Bound the rows of a mouse at its maximum force by their present impulses."""
    for i, key in enumerate(keys):
        if pulls(key):
            x, y = float(impulses[i]), float(impulses[i + 1])
            if math.sqrt(x * x + y * y) >= (1.0 - ROUNDING) * float(high[i]):
                low[i : i + 2] = high[i : i + 2] = impulses[i : i + 2]


ROUNDING = 1e-9  # of the largest force, that shortening may miss
