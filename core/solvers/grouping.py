# SPDX-License-Identifier: MIT
"""Groups of rows that are solved together (document 000, part 2: global, grouped, iterative).

``global`` solves all of them at once, ``pair`` those between two bodies, ``contact`` those of one
point of contact. Groups come one after another, in the order in which they were found, and each
begins with the velocities that the groups before it left.
"""

from __future__ import annotations

from .rows import Rows
from .system import FRICTION


def groups(rows: Rows, grouping: str) -> list[list[int]]:
    """The rows of each group."""
    if grouping == "global":
        return [list(range(len(rows)))] if len(rows) else []
    found: dict[tuple[int, ...], list[int]] = {}
    for i, key in enumerate(rows.keys):
        pair = (int(rows.a[i]), int(rows.b[i]))
        one_point = grouping == "contact" and key[0] <= FRICTION
        found.setdefault(key[1:] if one_point else pair, []).append(i)
    return list(found.values())
