# SPDX-License-Identifier: MIT
"""Graph frames in pictures: their places, and lines clipped to their edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...view.boxes import Box, intersection

Pixels = list[tuple[float, float]]


def between(points: Sequence[tuple[float, float]], low: float, high: float) -> list[Pixels]:
    """The pieces of a line that lie between two heights, cut where it leaves them."""
    pieces: list[Pixels] = []
    for (xa, ya), (xb, yb) in pairwise(points):
        if max(ya, yb) < low or min(ya, yb) > high:
            continue
        cut = [(xa, ya), (xb, yb)]
        for end, (x, y) in enumerate(cut):
            edge = min(max(y, low), high)
            if edge != y:
                cut[end] = (x + (edge - y) / (yb - ya) * (xb - xa), edge)
        if pieces and pieces[-1][-1] == cut[0]:
            pieces[-1].append(cut[1])
        else:
            pieces.append(cut)
    return pieces


def in_corner(
    corner: str,
    size: tuple[int, int],
    wide: float,
    high: float,
    edge: float,
    taken: Sequence[Box],
) -> Box:
    """A box in a corner of the picture, below or above earlier ones."""
    x = 0.5 * (size[0] - wide)
    if corner.endswith("left"):
        x = edge
    elif corner.endswith("right"):
        x = size[0] - edge - wide
    y = edge if corner.startswith("top") else size[1] - edge - high
    if corner == "center":
        y = 0.5 * (size[1] - high)
    left = list(taken)
    while hit := next((box for box in left if _meet(box, (x, y, x + wide, y + high))), None):
        left.remove(hit)  # it is passed, and what was before it in the list may be met now
        below = corner.startswith("top") or corner == "center"
        y = hit[3] + 0.5 * edge if below else hit[1] - 0.5 * edge - high
    return (x, y, x + wide, y + high)


def _meet(one: Box, other: Box) -> bool:
    return intersection(one, other) is not None
