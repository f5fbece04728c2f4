# SPDX-License-Identifier: MIT
"""Graph frames in pictures: their places, numbers, and lines clipped to their edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...view.boxes import Box, intersection
from ...view.camera import View
from ...view.survey import Survey
from .grid import grid_step, tick_label, ticks

Pixels = list[tuple[float, float]]

CORNERS = ("top_right", "top_left", "bottom_right", "bottom_left")
"""Places of a graph that has none of its own, in order of preference."""
LETTER = 0.62
"""Width of a letter of a number, in its height; an estimate, which pages share."""

LEAST_PART = 0.02
"""The least length of an axis, as a share of the largest value, so that noise stays small."""
LEAST_SPAN = 1e-6


def apart(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis of different values, moved apart where they differ by less than noise."""
    least = max(LEAST_PART * max(abs(low), abs(high)), LEAST_SPAN)
    room = 0.5 * max(least - (high - low), 0.0)
    return (low - room, high + room)


def axis_marks(
    low: float, high: float, length: float, wanted: float, letters: float = 0.0
) -> list[tuple[float, str]]:
    """The round numbers of an axis between two ends, and their labels: at least two.

    They are about ``wanted`` pixels of ``length`` apart, and so far that labels with ``letters`` of
    this height beside each other do not meet.
    """
    scale = length / (high - low)
    step, marks = _spaced(low, high, scale, wanted)
    widest = max((len(tick_label(mark * step)) for mark in marks), default=0)
    beside = LETTER * letters * (widest + 2)
    if letters and beside > step * scale:
        step, marks = _spaced(low, high, scale, beside)
    return [(mark * step, tick_label(mark * step)) for mark in marks]


def _spaced(low: float, high: float, scale: float, wanted: float) -> tuple[float, range]:
    step = grid_step(scale, wanted)
    while len(marks := ticks(low, high, step)) < 2 and wanted > 1.0:
        wanted *= 0.5  # one number alone is no axis
        step = grid_step(scale, wanted)
    return step, marks


def inside(points: Sequence[tuple[float, float]], box: Box) -> list[Pixels]:
    """The pieces of a line that lie in a box, cut where it leaves that."""
    x0, y0, x1, y1 = box
    pieces = between(points, y0, y1)
    if all(x0 <= x <= x1 for x, _ in points):
        return pieces
    turned = [between([(y, x) for x, y in piece], x0, x1) for piece in pieces]
    return [[(x, y) for y, x in piece] for part in turned for piece in part]


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


def least_hiding(boxes: Sequence[Box], survey: Survey, view: View) -> Box:
    """The box that hides least of a run; the first of several."""
    return min(boxes, key=lambda box: round(survey.covered(view, box), 3))


def _meet(one: Box, other: Box) -> bool:
    return intersection(one, other) is not None
