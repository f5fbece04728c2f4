# SPDX-License-Identifier: MIT
"""Names of bodies: on bodies with room for them, else beside them with a thin line.

A name lies on no other name. Beside a body it goes where it covers least of other bodies, near
rather than far, and stays on that side from frame to frame as long as nothing is in its way. One
for which there is no room is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...record.frame import Frame
from ...scene.model import Scene
from ...scene.values.portable_math import hypot
from ...view.boxes import BodyBoxes, Box, box_of, intersection, is_somewhere
from ...view.camera import View, in_pixels, world_points
from ..canvas.colors import fade
from ..canvas.display import Items
from ..canvas.text import Lettering, write_rimmed
from ..canvas.theme import Theme

Float64 = NDArray[np.float64]

MOST_NAMES = 200
"""So many names are written at most, those of bodies that move first."""
MOST_COVERED = 0.35
"""A name that would cover more than so much of a body beside its own is left out."""
MOST_BODIES = 1000
"""The number of bodies in the picture above which names may cover them."""
LETTERS = 10.5
"""Height of the letters at picture size ``unit`` 1."""
ON_BODY = 0.4
"""A name may cover so much of the box round its body; of a smaller body it would hide too much."""
DISTANCES = (5.0, 16.0, 32.0)
"""Distances of a name from its body at picture size ``unit`` 1, nearest first."""
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Possible directions: right and left, above and below (y points down), and at the corners."""
KEPT = 0.05
"""A name stays where it was as long as it covers no more than so much of a body."""


@dataclass(frozen=True, slots=True)
class _LabelPlace:
    """A possible place of a name; ``side`` is its number, 0 on the body itself."""

    side: int
    box: Box


class Labels:
    """Writes the names of one rendering, frame by frame in the order of time."""

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        lettering: Lettering,
    ) -> None:
        self._theme, self._size, self._unit = theme, size, unit
        self._lettering = lettering
        self._letters = LETTERS * unit
        self._sides: dict[str, int] = {}
        self.follow(scene)

    def follow(self, scene: Scene) -> None:
        """Take in other bodies."""
        self._boxes = BodyBoxes(scene)
        self._shapes = [body.shapes for body in scene.bodies.values()]
        self._sides = {name: side for name, side in self._sides.items() if name in scene.bodies}
        rows = [
            (body.kind == "static", row, body.name)
            for row, body in enumerate(scene.bodies.values())
            if body.visible
        ]
        self._order = [(row, name) for _, row, name in sorted(rows)]

    def add(self, items: Items, frame: Frame, view: View, reserved: Sequence[Box]) -> None:
        """Write the names; none in the ``reserved`` parts of the picture."""
        bodies = in_pixels(self._boxes.of(frame), view)
        centers = world_points(frame, np.arange(len(frame.pose)), frame.center)
        others = self._in_sight(bodies)
        taken = list(reserved)
        written = 0
        for row, name in self._order:
            if not frame.alive[row] or not is_somewhere(box_of(bodies[row])):
                continue
            middle = view.pixel(float(centers[row, 0]), float(centers[row, 1]))
            if not (0.0 <= middle[0] <= self._size[0] and 0.0 <= middle[1] <= self._size[1]):
                continue
            place = self._choose(
                name, middle, box_of(bodies[row]), taken, others[others != row], bodies
            )
            if place is None:
                continue
            taken.append(place.box)
            self._sides[name] = place.side
            if place.side:
                self._point(items, row, place.box, frame, view)
            self._write(items, name, place.box)
            written += 1
            if written == MOST_NAMES:
                return

    def _in_sight(self, bodies: Float64) -> NDArray[np.intp]:
        width, height = self._size
        seen = (bodies[:, 0] <= width) & (bodies[:, 2] >= 0.0)
        seen &= (bodies[:, 1] <= height) & (bodies[:, 3] >= 0.0)
        rows = np.flatnonzero(seen)
        return rows if len(rows) <= MOST_BODIES else rows[:0]

    def _choose(
        self,
        name: str,
        middle: tuple[float, float],
        body: Box,
        taken: Sequence[Box],
        others: NDArray[np.intp],
        bodies: Float64,
    ) -> _LabelPlace | None:
        """The previous place if it is free, else the first place that covers least."""
        last = self._sides.get(name, 0)
        best: _LabelPlace | None = None
        least = np.inf
        for place in sorted(self._places(name, middle, body), key=lambda each: each.side != last):
            if any(intersection(place.box, other) is not None for other in taken):
                continue
            cost = _covered(place.box, bodies[others])
            if place.side != 0:
                cost += _covered(place.box, np.array([body]))
            if cost < least and (place.side == 0 or cost <= MOST_COVERED):
                best, least = place, cost
            if cost <= (KEPT if place.side == last else 0.0):
                break
        return best

    def _places(self, name: str, middle: tuple[float, float], body: Box) -> Iterator[_LabelPlace]:
        wide = self._lettering.width(name, self._letters) + 0.8 * self._letters
        high = 1.4 * self._letters
        x = min(max(middle[0], 0.5 * wide), self._size[0] - 0.5 * wide)
        y = min(max(middle[1], 0.5 * high), self._size[1] - 0.5 * high)
        own = (x - 0.5 * wide, y - 0.5 * high, x + 0.5 * wide, y + 0.5 * high)
        inside = body[0] <= x <= body[2] and body[1] <= y <= body[3]
        if inside and _covered(own, np.array([body])) <= ON_BODY:
            yield _LabelPlace(0, own)
        number = 0
        for distance in DISTANCES:
            for right, down in SIDES:
                number += 1
                far = distance * self._unit * (0.7 if right and down else 1.0)
                left = _beside(right, 0.5 * (body[0] + body[2]), body[0], body[2], wide, far)
                top = _beside(down, 0.5 * (body[1] + body[3]), body[1], body[3], high, far)
                box = (left, top, left + wide, top + high)
                if self._is_whole(box):
                    yield _LabelPlace(number, box)

    def _is_whole(self, box: Box) -> bool:
        return min(box[:2]) >= 0.0 and box[2] <= self._size[0] and box[3] <= self._size[1]

    def _point(self, items: Items, row: int, label: Box, frame: Frame, view: View) -> None:
        """A thin line from a label to what it names."""
        middle = (0.5 * (label[0] + label[2]), 0.5 * (label[1] + label[3]))
        near = self._outline(row, frame, view, middle)
        start = _nearest(label, near)
        end = self._outline(row, frame, view, start)
        items.add("path", [start, end], fade(self._theme.ink, 0.6), radius=0.45 * self._unit)

    def _outline(
        self, row: int, frame: Frame, view: View, point: tuple[float, float]
    ) -> tuple[float, float]:
        """The point of a body's outline that is nearest to a point of the picture."""
        found, least = point, np.inf
        for shape in self._shapes[row]:
            if shape.kind == "half_space":
                continue
            local = np.array(shape.points, np.float64)
            world = world_points(frame, np.full(len(local), row), local)
            corners = world * (view.scale_x, view.scale_y) + (view.shift_x, view.shift_y)
            closed = shape.kind == "polygon" or shape.loop
            x, y = _on_lines(corners, closed, point)
            away = hypot(float(point[0] - x), float(point[1] - y))
            radius = shape.radius * view.scale
            if away - radius < least:
                part = min(radius / away, 1.0) if away > 0.0 else 0.0
                found = (x + part * (point[0] - x), y + part * (point[1] - y))
                least = away - radius
        return found

    def _write(self, items: Items, name: str, label: Box) -> None:
        """The name with a pale rim, to be read on any colour."""
        size, theme, (x0, y0, x1, y1) = self._letters, self._theme, label
        y = 0.5 * (y0 + y1)
        at = (0.5 * (x0 + x1), y - 0.55 * size)
        write_rimmed(items, self._lettering, name, at, (theme.ink, theme.paper), size)


def _covered(label: Box, boxes: Float64) -> float:
    """Which parts of boxes [n, 4] a label covers, added up; large ones hardly count."""
    if not len(boxes):
        return 0.0
    wide = np.minimum(boxes[:, 2], label[2]) - np.maximum(boxes[:, 0], label[0])
    high = np.minimum(boxes[:, 3], label[3]) - np.maximum(boxes[:, 1], label[1])
    over = np.clip(wide, 0.0, None) * np.clip(high, 0.0, None)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return float((over / np.maximum(areas, 1.0)).sum())


def _beside(way: int, middle: float, low: float, high: float, length: float, far: float) -> float:
    """The beginning of a label of some length that lies on one side of a body, or in its middle."""
    if way == 0:
        return middle - 0.5 * length
    return high + far if way > 0 else low - far - length


def _on_lines(corners: Float64, closed: bool, point: tuple[float, float]) -> tuple[float, float]:
    """The point of the lines between corners [n, 2] that is nearest to another."""
    ends = np.roll(corners, -1, axis=0) if closed or len(corners) == 1 else corners[1:]
    starts = corners[: len(ends)]
    along = ends - starts
    square = np.maximum((along * along).sum(axis=1), 1e-300)
    part = np.clip(((np.array(point) - starts) * along).sum(axis=1) / square, 0.0, 1.0)
    on: Float64 = starts + part[:, None] * along
    away = on - np.array(point)
    nearest: Float64 = on[int(np.argmin((away * away).sum(axis=1)))]
    return float(nearest[0]), float(nearest[1])


def _nearest(box: Box, point: tuple[float, float]) -> tuple[float, float]:
    """The point of a box that is nearest to another."""
    x = min(max(point[0], box[0]), box[2])
    return x, min(max(point[1], box[1]), box[3])
