# SPDX-License-Identifier: MIT
"""Steadiness of labels: a label moves along with what it names and seldom changes its place.

It changes to a better place only after its own has been worse for a while. Until then, it makes way
for others by the shortest way. Whatever it does, it slides, but not over another label, round which
it goes. Times are those of whoever looks on.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...view.boxes import Box

Float64 = NDArray[np.float64]
Pixel = tuple[float, float]
Key = TypeVar("Key", bound=Hashable)

PATIENCE = 0.35
"""Seconds for which a label stays at a place that is worse than another one."""
SLIDE = 0.08
"""Seconds in which it covers half of its way."""
QUICK = 500.0
"""Pixels per second, at picture size ``unit`` 1, by which a place may move and takes its label
along; after a quicker one it slides."""
APART = 3.0
"""Distance that labels keep from each other at their places, at picture size ``unit`` 1,"""
LEAST_APART = 2.0
"""and on their ways."""
MOST_NEAR = 8
"""So many others near a label decide on the ways that it may go."""
TOUCH = 1e-6
"""Labels that touch are so many pixels away, but for rounding."""
ABSENCE = 1.0
"""Seconds for which a label stays away that had to leave the picture."""
LONGEST_GAP = 0.5
"""Frames farther apart have nothing in common; labels are placed anew."""


@dataclass(slots=True)
class _Kept:
    """The place of a label, by its number among those possible.

    Attributes:
        time: of the last frame with the label.
        worse: for how many seconds another place has been better, less those in which none was.
        place: its place, relative to what it names.
        shift: where the label was shown, likewise.
        way: how far it made way for others at its place,
        aside: and how far on its way there.
    """

    number: int
    time: float
    place: Pixel
    shift: Pixel
    worse: float = 0.0
    way: Pixel = (0.0, 0.0)
    aside: Pixel = (0.0, 0.0)


class LabelMotion(Generic[Key]):
    """Keeps the labels of one rendering at their places, frame by frame in the order of time.

    ``unit`` is the picture's size, ``rate`` how many seconds of scene time pass in one second for
    those who look on.
    """

    def __init__(self, unit: float, rate: float = 1.0) -> None:
        self._unit, self._rate = unit, rate
        self._kept: dict[Key, _Kept] = {}
        self._left: dict[Key, float] = {}
        self._time = 0.0

    def begin(self, time: float) -> None:
        """Begin a frame at a scene time. Labels that were not shown lately are forgotten."""
        now = time / self._rate
        if not 0.0 <= now - self._time <= LONGEST_GAP:
            self._kept, self._left = {}, {}
        kept, left = self._kept.items(), self._left.items()
        self._kept = {key: each for key, each in kept if now - each.time <= LONGEST_GAP}
        self._left = {key: since for key, since in left if now - since < ABSENCE}
        self._time = now

    def number(self, key: Key) -> int | None:
        """The number of a label's place in the frame before, or None."""
        kept = self._kept.get(key)
        return None if kept is None else kept.number

    def is_away(self, key: Key) -> bool:
        """Whether a label had to leave the picture and does not return yet."""
        return key in self._left

    def leave(self, key: Key) -> None:
        """Take a label out of the picture."""
        if self._kept.pop(key, None) is not None:
            self._left[key] = self._time

    def is_due(self, key: Key, is_worse: bool) -> bool:
        """Whether a label is to leave its place, which is now worse than another, or is not."""
        kept = self._kept[key]
        passed = self._time - kept.time
        kept.worse = max(kept.worse + (passed if is_worse else -passed), 0.0)
        return is_worse and kept.worse > PATIENCE

    def move(self, key: Key, number: int, shift: Pixel, box: Box, shown: Float64) -> Pixel:
        """Put a label at a place, ``shift`` from what it names; the shift to be shown now.

        At the place it has the ``box``; it makes way for the boxes ``shown`` [n, 4].
        """
        kept = self._kept.get(key)
        apart = APART * self._unit
        wide = shown + np.array((-apart, -apart, apart, apart))
        way = make_way(box, wide, kept.way if kept is not None else (0.0, 0.0))
        x, y = shift[0] + way[0], shift[1] + way[1]
        if kept is None:
            kept = self._kept[key] = _Kept(number, self._time, shift, (x, y))
        passed = self._time - kept.time
        dx, dy = shift[0] - kept.place[0], shift[1] - kept.place[1]
        if kept.number != number:
            kept.number, kept.worse = number, 0.0
        elif max(abs(dx), abs(dy)) <= QUICK * self._unit * passed:
            kept.shift = (kept.shift[0] + dx, kept.shift[1] + dy)
        part = passed / (passed + SLIDE) if passed > 0.0 else 0.0
        before = kept.shift
        kept.shift = (before[0] + part * (x - before[0]), before[1] + part * (y - before[1]))
        right, down = kept.shift[0] - shift[0], kept.shift[1] - shift[1]
        moving = (box[0] + right, box[1] + down, box[2] + right, box[3] + down)
        near = LEAST_APART * self._unit
        kept.aside = make_way(moving, shown + np.array((-near, -near, near, near)), kept.aside)
        kept.time, kept.place, kept.way = self._time, shift, way
        return kept.shift[0] + kept.aside[0], kept.shift[1] + kept.aside[1]


def make_way(box: Box, shown: Float64, before: Pixel) -> Pixel:
    """The shortest way by which a box leaves others [n, 4], measured along the axes; of ways about
    as short the one that is like that before. None if there is none among the nearest."""
    others = shown[(shown == shown).all(axis=1)]
    if not _hits(box, others, np.zeros((1, 2))).any():
        return 0.0, 0.0
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    around = (x0 - wide, y0 - high, x1 + wide, y1 + high)
    near = others[_hits(around, others, np.zeros((1, 2)))[0]][:MOST_NEAR]
    xs = np.concatenate([[0.0], near[:, 0] - x1, near[:, 2] - x0])
    ys = np.concatenate([[0.0], near[:, 1] - y1, near[:, 3] - y0])
    ways = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    free = ways[~_hits(box, others, ways).any(axis=1)]
    if not len(free):
        return 0.0, 0.0
    lengths = np.abs(free).sum(axis=1) + 0.5 * np.abs(free - before).sum(axis=1)
    x, y = free[int(np.argmin(lengths))].tolist()
    return x, y


def _hits(box: Box, others: Float64, ways: Float64) -> NDArray[np.bool_]:
    """Whether a box that goes ways [m, 2] lies on others [n, 4]: [m, n]. Touching is not lying."""
    low, high = ways + box[:2] + TOUCH, ways + box[2:] - TOUCH
    apart = (others[:, :2] >= high[:, None]) | (others[:, 2:] <= low[:, None])
    return np.logical_not(apart.any(axis=2))
