# SPDX-License-Identifier: MIT
"""Outlines of letters as masks: how much of each pixel lies inside, the same on every machine.

A row of pixels is crossed by several lines. Along each of them the winding number is integrated
exactly, in whole parts of a pixel; what is not zero is inside.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...fonts.tables import Outline

UInt8 = NDArray[np.uint8]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

ROWS = 16
"""Lines that cross a row of pixels."""
COLUMNS = 256
"""Parts of a pixel along such a line."""
WIDEST = 8192
"""Pixels of a mask: what is right of them lies beyond every picture."""
AT_ONCE = 1 << 22
"""Pixels of crossing lines that are held in memory at a time."""
PIECES = {4: 8, 6: 12}
"""Straight pieces of a curve, by how many numbers it has."""


def cover(
    outline: Outline, scale: float, shift: float, height: Callable[[Float64], Float64]
) -> tuple[int, int, UInt8] | None:
    """The mask of an outline; None where nothing is.

    x is multiplied by ``scale`` and moved by ``shift``; ``height`` turns y into pixels, upwards.
    The mask begins so many pixels right of the place of the outline and so many below it.
    """
    starts, ends = _edges(outline)
    if not len(starts):
        return None
    x0, x1 = (scale * each[:, 0] + shift for each in (starts, ends))
    y0, y1 = (-height(each[:, 1]) for each in (starts, ends))
    left, top = (int(np.floor(min(a.min(), b.min()))) for a, b in ((x0, x1), (y0, y1)))
    right, bottom = (int(np.ceil(max(a.max(), b.max()))) for a, b in ((x0, x1), (y0, y1)))
    wide, high = min(max(right - left, 1), WIDEST), max(bottom - top, 1)
    # The lines that an edge crosses: those from the upper end on, without the lower end.
    first, last = (
        np.ceil((each - top) * ROWS - 0.5).astype(np.int64)
        for each in (np.minimum(y0, y1), np.maximum(y0, y1))
    )
    count = last - first
    edge = np.repeat(np.arange(len(count)), count)
    if not len(edge):
        return None
    line = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + first[edge]
    y = (line + 0.5) / ROWS + top
    part = (y - y0[edge]) / (y1[edge] - y0[edge])
    x = x0[edge] + part * (x1[edge] - x0[edge]) - left
    at = np.clip(np.floor(x * COLUMNS + 0.5).astype(np.int64), 0, wide * COLUMNS)
    way = np.where(y1[edge] > y0[edge], 1, -1)
    mask = np.empty((high, wide), np.uint8)
    step = max(AT_ONCE // (ROWS * wide), 1)
    for row in range(0, high, step):
        rows = min(step, high - row)
        here = (line >= row * ROWS) & (line < (row + rows) * ROWS)
        mask[row : row + rows] = _filled(line[here] - row * ROWS, at[here], way[here], rows, wide)
    return left, top, mask


def _filled(line: Int64, at: Int64, way: Int64, high: int, wide: int) -> UInt8:
    """Rows of a mask, from where lines are crossed and which way."""
    turns = np.zeros((high * ROWS, wide + 2), np.int64)
    inside = at % COLUMNS
    np.add.at(turns, (line, at // COLUMNS), way * (COLUMNS - inside))
    np.add.at(turns, (line, at // COLUMNS + 1), way * inside)
    filled = np.minimum(np.abs(np.cumsum(turns, axis=1)[:, :wide]), COLUMNS)
    total = filled.reshape(high, ROWS, wide).sum(axis=1)
    found: UInt8 = ((total * 255 + ROWS * COLUMNS // 2) // (ROWS * COLUMNS)).astype(np.uint8)
    return found


def _edges(outline: Outline) -> tuple[Float64, Float64]:
    """The starts and the ends of the straight pieces of an outline."""
    starts: list[tuple[float, float]] = []
    ends: list[tuple[float, float]] = []
    for contour in outline:
        points = [(contour[0][0], contour[0][1])]
        for each in contour[1:]:
            if len(each) == 2:
                points.append((each[0], each[1]))
            else:
                points += _curve(points[-1], each)
        starts += points
        ends += [*points[1:], points[0]]
    shape = (len(starts), 2)
    return np.array(starts, np.float64).reshape(shape), np.array(ends, np.float64).reshape(shape)


def _curve(start: tuple[float, float], each: tuple[float, ...]) -> list[tuple[float, float]]:
    pieces = PIECES[len(each)]
    made = []
    for i in range(1, pieces + 1):
        t = i / pieces
        s = 1.0 - t
        if len(each) == 4:
            a, b, c = s * s, 2.0 * s * t, t * t
            x = a * start[0] + b * each[0] + c * each[2]
            y = a * start[1] + b * each[1] + c * each[3]
        else:
            a, b, c, d = s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t
            x = a * start[0] + b * each[0] + c * each[2] + d * each[4]
            y = a * start[1] + b * each[1] + c * each[3] + d * each[5]
        made.append((x, y))
    return made
