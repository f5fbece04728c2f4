# SPDX-License-Identifier: MIT
"""Names of bodies and joints: on bodies with room for them, else beside them with a thin line.

A name lies on no other name and on no label of an annotation. It goes where it covers least of
arrows and of other bodies, near rather than far, and stays on that side while other things pass.
Once something has been in its way for a while, it slides to another side; one for which there is no
room then is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...record.frame import Frame
from ...scene.model import Joint, Scene
from ...scene.values.portable_math import hypot
from ...view.boxes import BodyBoxes, Box, box_of, is_somewhere
from ...view.camera import View, in_pixels, world_points
from ..canvas.colors import Color, fade
from ..canvas.display import Items
from ..canvas.text import Lettering, write_rimmed
from ..canvas.theme import Theme
from .label_motion import LabelMotion
from .label_places import Line, points_along

Float64 = NDArray[np.float64]

MOST_NAMES = 200
"""So many names are written at most, those of bodies that move first."""
MOST_COVERED = 0.35
"""A name that would cover more than so much of a body beside its own is left out."""
MOST_BODIES = 1000
"""The number of bodies in the picture above which names may cover them."""
MOST_ARROWS = 200
"""The number of arrows above which names may cover them."""
LETTERS = {"body": 10.5, "joint": 9.5}
"""Height of the letters at picture size ``unit`` 1,"""
LEAST_LETTERS = {"body": 0.0, "joint": 9.0}
"""and at least."""
OF_JOINT = 2.0
"""Half of the box of a joint, at picture size ``unit`` 1."""
ON_BODY = 0.4
"""A name may cover so much of the box round its body; of a smaller body it would hide too much."""
DISTANCES = (5.0, 16.0, 32.0)
"""Distances of a name from its body at picture size ``unit`` 1, nearest first."""
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Possible directions: right and left, above and below (y points down), and at the corners."""
KEPT = 0.25
"""A name has a good place as long as it costs no more."""
ON_ARROWS = 0.6
"""The cost of covering a long piece of an arrow; of a body it is the covered part."""
LONG = 4
"""So many of the points on an arrow are a long piece."""
ON_OTHERS = 0.15
"""The cost of lying on another body, whose name it might seem to be."""
SHORT = 12.0
"""Arrows that are shorter, at picture size ``unit`` 1, do not count."""
LARGE = 2.5
"""A body with other places for its name on it is so many times as wide or as high as that."""
INNER = ((-0.25, 0.0), (0.25, 0.0), (0.0, 0.25), (0.0, -0.25))
"""Other places on a large body: from the middle of its box, in sizes of that."""
MARGIN = 1.5
"""Distance of a name from arrows that it does not cover, at picture size ``unit`` 1."""


@dataclass(frozen=True, slots=True)
class _LabelPlace:
    """A possible place of a name; ``side`` is its number, not above 0 on the body itself."""

    side: int
    box: Box


@dataclass(frozen=True, slots=True)
class _Named:
    """A body or a joint in the picture: its row, name, middle and box in pixels.

    Attributes:
        owner: the row of a body, whose own name may cover it; -1 for a joint.
        key: what it is known by from frame to frame.
        text: the name as it is written, and its width and letters.
        rings: the outlines [n, 2] of the shapes of a large body, in pixels.
    """

    owner: int
    key: str
    text: str
    wide: float
    letters: float
    color: Color
    middle: tuple[float, float]
    box: Box
    rings: Sequence[Float64] = ()


class Labels:
    """Writes the names of one rendering, frame by frame in the order of time.

    ``kinds`` says whose: of each ``body``, of each ``joint``, or both.
    """

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        lettering: Lettering,
        kinds: Sequence[str] = ("body",),
    ) -> None:
        self._theme, self._size, self._unit = theme, size, unit
        self._lettering, self._kinds = lettering, kinds
        least = LEAST_LETTERS
        self._letters = {kind: max(each * unit, least[kind]) for kind, each in LETTERS.items()}
        self._motion = LabelMotion[str](unit, scene.render.speed)
        self.follow(scene)

    def follow(self, scene: Scene) -> None:
        """Take in other bodies and joints."""
        self._boxes = BodyBoxes(scene)
        self._shapes = [body.shapes for body in scene.bodies.values()]
        rows = [
            (body.kind == "static", row, body.name)
            for row, body in enumerate(scene.bodies.values())
            if body.visible
        ]
        self._order = [(row, name) for _, row, name in sorted(rows)]
        self._rows = {name: row for row, name in enumerate(scene.bodies)}
        self._joints = list(scene.joints.values())

    def add(
        self,
        items: Items,
        frame: Frame,
        view: View,
        reserved: Sequence[Box],
        arrows: Sequence[Line] = (),
    ) -> None:
        """Write the names: none in the ``reserved`` parts of the picture, and on ``arrows``, given
        by their ends in pixels, only where there is no better place."""
        bodies = in_pixels(self._boxes.of(frame), view)
        others = self._in_sight(bodies)
        named = list[_Named]()
        if "body" in self._kinds:
            named += self._bodies_in_sight(frame, view, bodies)
        if "joint" in self._kinds:
            named += self._joints_in_sight(frame, view)
        least = SHORT * self._unit
        long = [
            (start, tip)
            for start, tip in arrows
            if hypot(tip[0] - start[0], tip[1] - start[1]) >= least
        ]
        points = points_along(long if len(long) <= MOST_ARROWS else ())
        self._motion.begin(frame.time)
        # Of the names placed already or in the frame before, and where they are shown; else nan.
        taken = np.full((len(reserved) + len(named), 4), np.nan)
        taken[: len(reserved)] = np.reshape(reserved, (-1, 4))
        shown = taken.copy()
        for i, each in enumerate(named, len(reserved)):
            if (side := self._motion.number(each.key)) is not None:
                taken[i] = self._inside(self._place(each, side)).box
        written = 0
        for i, each in enumerate(named, len(reserved)):
            taken[i], before = np.nan, taken[i].copy()
            around = bodies[others[others != each.owner]]
            near = self._near(each, points)
            place = self._choose(each, box_of(before), taken, around, near)
            if place is None:
                self._motion.leave(each.key)
                continue
            taken[i] = place.box
            box = self._moved(each, place, shown)
            shown[i] = box
            self._point(items, each, place.side, box, frame, view)
            self._write(items, each, box)
            written += 1
            if written == MOST_NAMES:
                return

    def _bodies_in_sight(self, frame: Frame, view: View, bodies: Float64) -> Iterator[_Named]:
        centers = world_points(frame, np.arange(len(frame.pose)), frame.center)
        for row, name in self._order:
            if not frame.alive[row] or not is_somewhere(box_of(bodies[row])):
                continue
            middle = view.pixel(float(centers[row, 0]), float(centers[row, 1]))
            if self._is_seen(middle):
                named = self._named("body", row, name, middle, box_of(bodies[row]))
                yield self._with_rings(named, frame, view)

    def _with_rings(self, named: _Named, frame: Frame, view: View) -> _Named:
        """With the outlines of a body on which its name has several places."""
        x0, y0, x1, y1 = named.box
        if x1 - x0 < LARGE * named.wide and y1 - y0 < LARGE * 2.0 * named.letters:
            return named
        shapes = [shape for shape in self._shapes[named.owner] if shape.kind == "polygon"]
        local = [np.array(shape.points, np.float64) for shape in shapes]
        rings = [self._in_picture(named.owner, points, frame, view) for points in local]
        return replace(named, rings=rings)

    def _in_picture(self, row: int, points: Float64, frame: Frame, view: View) -> Float64:
        """Points [n, 2] of a body in pixels."""
        world = world_points(frame, np.full(len(points), row), points)
        found: Float64 = world * (view.scale_x, view.scale_y) + (view.shift_x, view.shift_y)
        return found

    def _joints_in_sight(self, frame: Frame, view: View) -> Iterator[_Named]:
        """The joints that hold, each with its number before its name."""
        half = OF_JOINT * self._unit
        for index, joint in enumerate(self._joints):
            if index < len(frame.joint_broken) and frame.joint_broken[index]:
                continue
            x, y = view.pixel(*self._middle_of(joint, frame))
            if self._is_seen((x, y)):
                box = (x - half, y - half, x + half, y + half)
                yield self._named("joint", -1, f"{index} {joint.name}", (x, y), box)

    def _middle_of(self, joint: Joint, frame: Frame) -> tuple[float, float]:
        """The middle between the two anchors of a joint."""
        ends = []
        for body, anchor in ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b)):
            row = self._rows.get(body, -1)
            if row < 0:
                ends.append(np.array(anchor))
            else:
                ends.append(world_points(frame, np.array([row]), np.array([anchor]))[0])
        x, y = 0.5 * (ends[0] + ends[1])
        return float(x), float(y)

    def _named(
        self, kind: str, row: int, text: str, middle: tuple[float, float], box: Box
    ) -> _Named:
        letters = self._letters[kind]
        wide = self._lettering.width(text, letters) + 0.8 * letters
        color = self._theme.ink if kind == "body" else self._theme.joint
        return _Named(row, f"{kind} {text}", text, wide, letters, color, middle, box)

    def _is_seen(self, pixel: tuple[float, float]) -> bool:
        return 0.0 <= pixel[0] <= self._size[0] and 0.0 <= pixel[1] <= self._size[1]

    def _near(self, named: _Named, points: Float64) -> Float64:
        """The points that its name could cover."""
        if not len(points):
            return points
        x0, y0, x1, y1 = named.box
        far = DISTANCES[-1] * self._unit + named.wide + 2.0 * named.letters
        inside = (points > (x0 - far, y0 - far)).all(axis=1)
        near: Float64 = points[inside & (points < (x1 + far, y1 + far)).all(axis=1)]
        return near

    def _moved(self, named: _Named, place: _LabelPlace, shown: Float64) -> Box:
        """Where a name is shown on its way to a place."""
        (x, y), box = named.middle, place.box
        shift = (0.5 * (box[0] + box[2]) - x, 0.5 * (box[1] + box[3]) - y)
        right, down = self._motion.move(named.key, place.side, shift, box, shown)
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
        self, named: _Named, before: Box, taken: Float64, others: Float64, points: Float64
    ) -> _LabelPlace | None:
        """The place of the frame before while it serves, else the one that covers least."""
        side = self._motion.number(named.key)
        if side is not None:
            kept = _LabelPlace(side, before)
            own = float(np.sum(self._costs(named, [kept], taken, others, points)))
            if own <= KEPT:
                self._motion.is_due(named.key, False)
                return kept
        if self._motion.is_away(named.key):
            return None
        best: _LabelPlace | None = None
        least = np.inf
        places = self._places(named)
        on_bodies, on_arrows = self._costs(named, places, taken, others, points)
        for place, covered, cost in zip(places, on_bodies, on_bodies + on_arrows, strict=True):
            if cost < least and (place.side <= 0 or covered <= MOST_COVERED):
                best, least = place, float(cost)
        if side is None:
            return best
        return best if self._motion.is_due(named.key, own > least + KEPT or best is None) else kept

    def _costs(
        self,
        named: _Named,
        places: Sequence[_LabelPlace],
        taken: Float64,
        others: Float64,
        points: Float64,
    ) -> tuple[Float64, Float64]:
        """The areas of bodies that places cover [n], infinite if they cover other names, and
        the costs of covering arrows."""
        boxes = np.array([place.box for place in places]).reshape(-1, 4)
        beside = np.array([place.side > 0 for place in places])
        lying = np.minimum(_lying(boxes, others), 1.0)
        costs: Float64 = _covered(boxes, others)
        for i, place in enumerate(places):
            if place.side < 0 and not _is_inside(place.box, named.rings):
                costs[i] = np.inf
        costs += beside * _covered(boxes, np.array([named.box]))
        low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
        high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
        costs[(low < high).all(axis=2).any(axis=1)] = np.inf
        margin = MARGIN * self._unit
        inside = (points > boxes[:, None, :2] - margin) & (points < boxes[:, None, 2:] + margin)
        pieces = inside.all(axis=2).sum(axis=1) / LONG
        return costs, ON_ARROWS * np.minimum(pieces, 1.0) + ON_OTHERS * lying

    def _places(self, named: _Named) -> list[_LabelPlace]:
        """All places that are whole in the picture, and on the body if it has room."""
        x, y = named.middle
        sides = range(1, 1 + len(DISTANCES) * len(SIDES))
        found = [self._place(named, side) for side in sides]
        found = [place for place in found if self._is_whole(place.box)]
        if named.owner < 0:
            return found
        on = self._place(named, 0)
        inside = named.box[0] <= x <= named.box[2] and named.box[1] <= y <= named.box[3]
        has_room = _covered(np.array([on.box]), np.array([named.box]))[0] <= ON_BODY
        inner = [self._place(named, -1 - i) for i in range(len(INNER))] if named.rings else []
        return [on, *inner, *found] if inside and has_room else found

    def _place(self, named: _Named, side: int) -> _LabelPlace:
        wide, high, body = named.wide, 1.4 * named.letters, named.box
        if side < 0:
            right, down = INNER[-1 - side]
            x = (0.5 + right) * body[2] + (0.5 - right) * body[0] - 0.5 * wide
            y = (0.5 + down) * body[3] + (0.5 - down) * body[1] - 0.5 * high
            return _LabelPlace(side, (x, y, x + wide, y + high))
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

    def _point(
        self, items: Items, named: _Named, side: int, label: Box, frame: Frame, view: View
    ) -> None:
        """A thin line from a label to what it names; of a joint only from afar."""
        if side <= 0 or (named.owner < 0 and side <= len(SIDES)):
            return
        middle = (0.5 * (label[0] + label[2]), 0.5 * (label[1] + label[3]))
        start, end = _nearest(label, named.middle), named.middle
        if named.owner >= 0:
            start = _nearest(label, self._outline(named.owner, frame, view, middle))
            end = self._outline(named.owner, frame, view, start)
        items.add("path", [start, end], fade(named.color, 0.6), radius=0.45 * self._unit)

    def _outline(
        self, row: int, frame: Frame, view: View, point: tuple[float, float]
    ) -> tuple[float, float]:
        """The point of a body's outline that is nearest to a point of the picture."""
        found, least = point, np.inf
        for shape in self._shapes[row]:
            if shape.kind == "half_space":
                continue
            local = np.array(shape.points, np.float64)
            corners = self._in_picture(row, local, frame, view)
            closed = shape.kind == "polygon" or shape.loop
            x, y = _on_lines(corners, closed, point)
            away = hypot(float(point[0] - x), float(point[1] - y))
            radius = shape.radius * view.scale
            if away - radius < least:
                part = min(radius / away, 1.0) if away > 0.0 else 0.0
                found = (x + part * (point[0] - x), y + part * (point[1] - y))
                least = away - radius
        return found

    def _write(self, items: Items, named: _Named, label: Box) -> None:
        """The name with a pale rim, to be read on any colour."""
        size, (x0, y0, x1, y1) = named.letters, label
        at = (0.5 * (x0 + x1), 0.5 * (y0 + y1) - 0.55 * size)
        colors = (named.color, self._theme.paper)
        write_rimmed(items, self._lettering, named.text, at, colors, size)


def _covered(labels: Float64, boxes: Float64) -> Float64:
    """Which parts of boxes [n, 4] labels [m, 4] cover, added up [m]; large ones hardly count."""
    low = np.maximum(labels[:, None, :2], boxes[None, :, :2])
    high = np.minimum(labels[:, None, 2:], boxes[None, :, 2:])
    over = np.clip(high - low, 0.0, None).prod(axis=2)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    covered: Float64 = (over / np.maximum(areas, 1.0)).sum(axis=1)
    return covered


def _lying(labels: Float64, boxes: Float64) -> Float64:
    """Which part of each label [m, 4] lies on boxes [n, 4], added up [m]."""
    low = np.maximum(labels[:, None, :2], boxes[None, :, :2])
    high = np.minimum(labels[:, None, 2:], boxes[None, :, 2:])
    over = np.clip(high - low, 0.0, None).prod(axis=2).sum(axis=1)
    areas = (labels[:, 2] - labels[:, 0]) * (labels[:, 3] - labels[:, 1])
    share: Float64 = over / np.maximum(areas, 1.0)
    return share


def _is_inside(box: Box, rings: Sequence[Float64]) -> bool:
    """Whether the corners of a box are in one of several outlines [n, 2]."""
    corners = np.array([box[:2], (box[2], box[1]), box[2:], (box[0], box[3])])
    return any(_are_inside(corners, ring) for ring in rings)


def _are_inside(points: Float64, ring: Float64) -> bool:
    """Whether all points [m, 2] are within an outline: a ray crosses it an odd number of times."""
    ends = np.roll(ring, -1, axis=0)
    x, y = points[:, None, 0], points[:, None, 1]
    spans = (ring[:, 1] > y) != (ends[:, 1] > y)
    rise = np.where(ends[:, 1] == ring[:, 1], 1.0, ends[:, 1] - ring[:, 1])
    crossing = ring[:, 0] + (y - ring[:, 1]) / rise * (ends[:, 0] - ring[:, 0])
    return bool(((spans & (x < crossing)).sum(axis=1) % 2 == 1).all())


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
