# SPDX-License-Identifier: MIT
"""Places of the labels of annotations: beside what they name, where they cover least.

Each label has a list of possible places, nearest first; far ones get a thin line. It takes the one
with the least cost: other labels and boxes in corners cost most, then arrows and lines of joints,
then bodies. A label stays at its place from frame to frame unless another one is clearly better for
a while, slides there then, and is always within the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...view.boxes import Box, inflate, intersection
from ..canvas.colors import Color
from ..canvas.text import Lettering
from .label_motion import APART, LabelMotion

Float64 = NDArray[np.float64]
Pixel = tuple[float, float]
Line = tuple[Pixel, Pixel]
Key = tuple[int, str]

GAP = 3.0
"""Distance of a label from what it names, at picture size ``unit`` 1,"""
HEAD = 3.0
"""more beside the head of an arrow,"""
FAR = (22.0, 44.0)
"""and of labels with a line."""
ON_LABELS, ON_ARROWS, ON_BODIES = 12.0, 1.6, 0.5
"""Costs of covering all of a label by others, by arrows, and by bodies."""
RANK, LINE_COST, OUTSIDE = 0.6, 0.5, 1.0
"""Costs of the last place of the list, of a line, and of a label moved by its height."""
KEPT = 0.7
"""A place must be better by so much to be changed to."""
MARGIN = 2.0
"""Distance of a label from arrows that it does not cover."""
EDGE = 2.0
"""Least distance from the picture's edges."""
ROUND = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Label:
    """A label to be placed.

    Attributes:
        key: the annotation, and the part of it.
        lines: its lines, and how far each is below its top.
        size: width and height.
        anchor: what it names, in pixels.
        base: the first point of that, which moves steadily; the tip of an arrow does not.
        way: ``tip`` of an arrow, ``line`` across its middle, ``above`` a point, or ``on`` it.
        along: the direction of the arrow or the line, of length 1.
        seen: whether a point of what it names is in the picture, where the label is then too.
    """

    key: Key
    lines: tuple[tuple[str, float], ...]
    size: Pixel
    anchor: Pixel
    base: Pixel
    way: Literal["tip", "line", "above", "on"]
    along: Pixel
    color: Color
    letters: float
    lettering: Lettering
    seen: bool = True


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label with its middle, relative to its anchor, and whether a line leads to it."""

    label: Label
    shift: Pixel
    led: bool

    @property
    def box(self) -> Box:
        x, y = self.label.anchor[0] + self.shift[0], self.label.anchor[1] + self.shift[1]
        wide, high = self.label.size
        return (x - 0.5 * wide, y - 0.5 * high, x + 0.5 * wide, y + 0.5 * high)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible place, and its cost wherever all else is."""

    placed: PlacedLabel
    cost: float


class LabelPlaces:
    """Places the labels of one rendering, frame by frame."""

    def __init__(self, size: tuple[int, int], unit: float, rate: float = 1.0) -> None:
        """``rate`` is that of ``LabelMotion``."""
        self._size, self._unit = size, unit
        self._motion = LabelMotion[Key](unit, rate)

    def place(
        self,
        time: float,
        labels: Sequence[Label],
        taken: Sequence[Box],
        arrows: Sequence[Line],
        bodies: Float64,
    ) -> list[PlacedLabel]:
        """The places of all labels of a frame; ``bodies`` [n, 4] are boxes in pixels."""
        self._motion.begin(time)
        points = points_along(arrows)
        labels = [each for each in labels if isfinite(each.anchor[0]) and isfinite(each.anchor[1])]
        possible = [self._candidates(label) for label in labels]
        boxes: dict[Key, Box] = {}  # of the labels that are placed already or were before
        for label, candidates in zip(labels, possible, strict=True):
            if (number := self._motion.number(label.key)) is not None:
                boxes[label.key] = candidates[number].placed.box
        found = list[PlacedLabel]()
        shown = list(taken)
        for label, candidates in zip(labels, possible, strict=True):
            others = [box for key, box in boxes.items() if key != label.key]
            number = self._choose(label.key, candidates, [*taken, *others], points, bodies)
            placed = candidates[number].placed
            boxes[label.key] = placed.box
            away = (label.anchor[0] - label.base[0], label.anchor[1] - label.base[1])
            x, y = placed.shift[0] + away[0], placed.shift[1] + away[1]
            there = np.reshape(shown, (-1, 4))
            x, y = self._motion.move(label.key, number, (x, y), placed.box, there)
            moving = PlacedLabel(label, (x - away[0], y - away[1]), placed.led)
            found.append(self._inside(moving)[0])
            shown.append(found[-1].box)
        return found

    def _choose(
        self,
        key: Key,
        candidates: Sequence[_Candidate],
        boxes: Sequence[Box],
        points: Float64,
        bodies: Float64,
    ) -> int:
        """The number of a label's place."""
        last, margin = self._motion.number(key), MARGIN * self._unit
        if last is not None:
            kept = candidates[last]
            room = inflate(kept.placed.box, APART * self._unit)
            cost = kept.cost + _cost(kept.placed.box, room, boxes, points, bodies, margin)
        least, best = np.inf, 0
        for k, each in enumerate(candidates):
            own = each.cost
            if own < least:
                own += _cost(each.placed.box, each.placed.box, boxes, points, bodies, margin)
            if own < least:
                least, best = own, k
        if last is not None and not self._motion.is_due(key, cost - KEPT > least):
            return last
        return best

    def _inside(self, placed: PlacedLabel) -> tuple[PlacedLabel, float]:
        """With a shift that brings the label into the picture, and how far that is."""
        x0, y0, x1, y1 = placed.box
        edge = EDGE * self._unit
        dx = max(edge - x0, 0.0) or min(self._size[0] - edge - x1, 0.0)
        dy = max(edge - y0, 0.0) or min(self._size[1] - edge - y1, 0.0)
        if x1 - x0 > self._size[0] - 2.0 * edge:
            dx = 0.5 * (self._size[0] - x0 - x1)
        if not (placed.label.seen and (dx or dy)):
            return placed, 0.0
        shift = (placed.shift[0] + dx, placed.shift[1] + dy)
        return PlacedLabel(placed.label, shift, placed.led), sqrt(dx * dx + dy * dy)

    def _candidates(self, label: Label) -> list[_Candidate]:
        """The possible places of a label, inside of the picture, with the costs of their own."""
        shifts = list(self._shifts(label))
        found = []
        for k, (shift, led) in enumerate(shifts):
            placed, moved = self._inside(PlacedLabel(label, shift, led))
            cost = RANK * k / len(shifts) + LINE_COST * led + OUTSIDE * moved / label.size[1]
            found.append(_Candidate(placed, cost))
        return found

    def _shifts(self, label: Label) -> Iterator[tuple[Pixel, bool]]:
        """Possible shifts of the middle, and whether they need a line."""
        gap = GAP * self._unit
        half = (0.5 * label.size[0] + gap, 0.5 * label.size[1] + gap)
        ux, uy = label.along
        d = sqrt(0.5)
        if label.way in ("on", "line"):
            yield (0.0, 0.0), False
        if label.way == "tip":
            head = (half[0] + HEAD * self._unit, half[1] + HEAD * self._unit)
            slanted = ((d * (ux - uy), d * (ux + uy)), (d * (ux + uy), d * (uy - ux)))
            yield _beside((ux, uy), half), False
            for way in (*slanted, (-uy, ux), (uy, -ux)):
                yield _beside(way, head), False
        if label.way == "line":
            for way in ((-uy, ux), (uy, -ux), (ux, uy), (-ux, -uy)):
                yield _beside(way, half), False
        if label.way == "above":
            for x, y in ((0, -1), (1, 0), (-1, 0), (0, 1), (1, -1), (-1, -1)):
                yield (x * half[0], y * half[1]), False
        if label.way == "on":
            return
        for far in FAR:
            for x, y in ROUND:
                slant = d if x and y else 1.0
                shift = far * self._unit * slant
                yield (x * (half[0] + shift), y * (half[1] + shift)), True


def _beside(way: Pixel, half: Pixel) -> Pixel:
    """The middle of a box of this half size that touches the origin, in a direction."""
    x, y = abs(way[0]), abs(way[1])
    far = min(half[0] / x if x > 1e-9 else np.inf, half[1] / y if y > 1e-9 else np.inf)
    return (way[0] * far, way[1] * far) if isfinite(far) else (0.0, 0.0)


def points_along(arrows: Sequence[Line]) -> Float64:
    """Points [n, 2] on arrows, some pixels apart."""
    shares = np.linspace(0.0, 1.0, 25)[:, None]
    pieces = [np.array(a) + shares * (np.array(b) - np.array(a)) for a, b in arrows]
    return np.concatenate(pieces) if pieces else np.empty((0, 2))


def _cost(
    box: Box, room: Box, boxes: Sequence[Box], points: Float64, bodies: Float64, margin: float
) -> float:
    """The cost of what a label covers, of other labels by the box ``room`` round it, of
    arrows with a margin."""
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1.0)
    cost = 0.0
    for other in boxes:
        common = intersection(room, other)
        if common is not None:
            share = (common[2] - common[0]) * (common[3] - common[1]) / area
            cost += ON_LABELS * (0.1 + share)
    if len(points):
        near = inflate(box, margin)
        inside = (points > near[:2]).all(axis=1) & (points < near[2:]).all(axis=1)
        cost += ON_ARROWS * min(float(inside.sum()) / 4.0, 1.0)
    if len(bodies):
        wide = np.minimum(bodies[:, 2], box[2]) - np.maximum(bodies[:, 0], box[0])
        high = np.minimum(bodies[:, 3], box[3]) - np.maximum(bodies[:, 1], box[1])
        over = float((np.clip(wide, 0.0, None) * np.clip(high, 0.0, None)).sum())
        cost += ON_BODIES * min(over / area, 1.0)
    return cost
