# SPDX-License-Identifier: MIT
"""Names of bodies: on bodies with room for them, else beside them with a thin line.

A name lies on no other name. Beside a body it goes where it covers least of other bodies, near
rather than far, and stays on that side while other things pass. Once something has been in its way
for a while, it slides to another side; one for which there is no room then is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...record.frame import Frame
from ...scene.model import Scene
from ...scene.values.portable_math import hypot
from ...view.boxes import BodyBoxes, Box, box_of, is_somewhere
from ...view.camera import View, in_pixels, world_points
from ..canvas.colors import fade
from ..canvas.display import Items
from ..canvas.text import Lettering, write_rimmed
from ..canvas.theme import Theme
from .label_motion import LabelMotion

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
KEPT = 0.25
"""A name has a good place as long as it covers no more than so much of a body."""


@dataclass(frozen=True, slots=True)
class _LabelPlace:
    """A possible place of a name; ``side`` is its number, 0 on the body itself."""

    side: int
    box: Box


@dataclass(frozen=True, slots=True)
class _Named:
    """A body in the picture: its row, name, middle and box in pixels."""

    row: int
    name: str
    middle: tuple[float, float]
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
        self._motion = LabelMotion[str](unit, scene.render.speed)
        self.follow(scene)

    def follow(self, scene: Scene) -> None:
        """Take in other bodies."""
        self._boxes = BodyBoxes(scene)
        self._shapes = [body.shapes for body in scene.bodies.values()]
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
        named = list[_Named]()
        for row, name in self._order:
            if not frame.alive[row] or not is_somewhere(box_of(bodies[row])):
                continue
            middle = view.pixel(float(centers[row, 0]), float(centers[row, 1]))
            if 0.0 <= middle[0] <= self._size[0] and 0.0 <= middle[1] <= self._size[1]:
                named.append(_Named(row, name, middle, box_of(bodies[row])))
        self._motion.begin(frame.time)
        # Of the names placed already or in the frame before, and where they are shown; else nan.
        taken = np.full((len(reserved) + len(named), 4), np.nan)
        taken[: len(reserved)] = np.reshape(reserved, (-1, 4))
        shown = taken.copy()
        for i, each in enumerate(named, len(reserved)):
            if (side := self._motion.number(each.name)) is not None:
                taken[i] = self._inside(self._place(each, side)).box
        written = 0
        for i, each in enumerate(named, len(reserved)):
            taken[i], before = np.nan, taken[i].copy()
            place = self._choose(each, box_of(before), taken, bodies[others[others != each.row]])
            if place is None:
                self._motion.leave(each.name)
                continue
            taken[i] = place.box
            box = self._moved(each, place, shown)
            shown[i] = box
            if place.side:
                self._point(items, each.row, box, frame, view)
            self._write(items, each.name, box)
            written += 1
            if written == MOST_NAMES:
                return

    def _moved(self, named: _Named, place: _LabelPlace, shown: Float64) -> Box:
        """Where a name is shown on its way to a place."""
        (x, y), box = named.middle, place.box
        shift = (0.5 * (box[0] + box[2]) - x, 0.5 * (box[1] + box[3]) - y)
        right, down = self._motion.move(named.name, place.side, shift, box, shown)
        dx, dy = right - shift[0], down - shift[1]
        moving = (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy)
        return self._inside(_LabelPlace(place.side, moving)).box

    def _in_sight(self, bodies: Float64) -> NDArray[np.intp]:
        width, height = self._size
        seen = (bodies[:, 0] <= width) & (bodies[:, 2] >= 0.0)
        seen &= (bodies[:, 1] <= height) & (bodies[:, 3] >= 0.0)
        rows = np.flatnonzero(seen)
        return rows if len(rows) <= MOST_BODIES else rows[:0]

    def _choose(
        self, named: _Named, before: Box, taken: Float64, others: Float64
    ) -> _LabelPlace | None:
        """The place of the frame before while it serves, else the one that covers least."""
        side = self._motion.number(named.name)
        if side is not None:
            kept = _LabelPlace(side, before)
            own = float(self._costs(named, [kept], taken, others)[0])
            if own <= KEPT:
                self._motion.is_due(named.name, False)
                return kept
        if self._motion.is_away(named.name):
            return None
        best: _LabelPlace | None = None
        least = np.inf
        places = self._places(named)
        for place, cost in zip(places, self._costs(named, places, taken, others), strict=True):
            if cost < least and (place.side == 0 or cost <= MOST_COVERED):
                best, least = place, float(cost)
        if side is None:
            return best
        return best if self._motion.is_due(named.name, own > least + KEPT or best is None) else kept

    def _costs(
        self, named: _Named, places: Sequence[_LabelPlace], taken: Float64, others: Float64
    ) -> Float64:
        """What each place [n] covers; infinite where it covers other names."""
        boxes = np.array([place.box for place in places]).reshape(-1, 4)
        beside = np.array([place.side > 0 for place in places])
        costs: Float64 = _covered(boxes, others)
        costs += beside * _covered(boxes, np.array([named.box]))
        low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
        high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
        costs[(low < high).all(axis=2).any(axis=1)] = np.inf
        return costs

    def _places(self, named: _Named) -> list[_LabelPlace]:
        """All places that are whole in the picture, and on the body if it has room."""
        x, y = named.middle
        on = self._place(named, 0)
        inside = named.box[0] <= x <= named.box[2] and named.box[1] <= y <= named.box[3]
        has_room = _covered(np.array([on.box]), np.array([named.box]))[0] <= ON_BODY
        sides = range(1, 1 + len(DISTANCES) * len(SIDES))
        beside = [self._place(named, side) for side in sides]
        found = [place for place in beside if self._is_whole(place.box)]
        return [on, *found] if inside and has_room else found

    def _place(self, named: _Named, side: int) -> _LabelPlace:
        wide = self._lettering.width(named.name, self._letters) + 0.8 * self._letters
        high, body = 1.4 * self._letters, named.box
        if side == 0:
            x = min(max(named.middle[0], 0.5 * wide), self._size[0] - 0.5 * wide)
            y = min(max(named.middle[1], 0.5 * high), self._size[1] - 0.5 * high)
            return _LabelPlace(0, (x - 0.5 * wide, y - 0.5 * high, x + 0.5 * wide, y + 0.5 * high))
        distance, (right, down) = (
            DISTANCES[(side - 1) // len(SIDES)],
            SIDES[(side - 1) % len(SIDES)],
        )
        far = distance * self._unit * (0.7 if right and down else 1.0)
        left = _beside(right, 0.5 * (body[0] + body[2]), body[0], body[2], wide, far)
        top = _beside(down, 0.5 * (body[1] + body[3]), body[1], body[3], high, far)
        return _LabelPlace(side, (left, top, left + wide, top + high))

    def _inside(self, place: _LabelPlace) -> _LabelPlace:
        """A place moved into the picture."""
        x0, y0, x1, y1 = place.box
        dx = max(-x0, 0.0) + min(self._size[0] - max(x1, x1 - x0), 0.0)
        dy = max(-y0, 0.0) + min(self._size[1] - max(y1, y1 - y0), 0.0)
        return _LabelPlace(place.side, (x0 + dx, y0 + dy, x1 + dx, y1 + dy))

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


def _covered(labels: Float64, boxes: Float64) -> Float64:
    """Which parts of boxes [n, 4] labels [m, 4] cover, added up [m]; large ones hardly count."""
    low = np.maximum(labels[:, None, :2], boxes[None, :, :2])
    high = np.minimum(labels[:, None, 2:], boxes[None, :, 2:])
    over = np.clip(high - low, 0.0, None).prod(axis=2)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    covered: Float64 = (over / np.maximum(areas, 1.0)).sum(axis=1)
    return covered


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
