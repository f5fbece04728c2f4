# SPDX-License-Identifier: MIT
"""Places of bodies and their points in a frame, and writing there, for annotations."""

from __future__ import annotations

from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from ...record.frame import Frame
from ...scene.blocks.joints.types import JOINT_TYPES
from ...scene.model import Scene
from ...scene.values.portable_math import hypot
from ...view.boxes import BodyBoxes, Box, box_of, inflate, is_somewhere
from ...view.camera import View, in_pixels, world_points
from ...view.survey import ARROW, Survey
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from .scales import mean_weight

VELOCITY_SECONDS = 0.2
"""A velocity that does not say its scale reaches where its body would be after so long."""
BORDER = 0.03
"""Between the tips of arrows and the picture's edges, as a share of its smaller side."""

MOST_BODIES = 1000
"""The number of bodies above which labels may cover them,"""
MOST_LINES = 200
"""and that of rods, ropes and springs."""
SPRING = 7.0
"""How far a spring reaches to either side, at picture size ``unit`` 1."""

Float64 = NDArray[np.float64]
Pixel = tuple[float, float]


class Places:
    """A scene and the common settings of its annotations.

    Attributes:
        survey: the run ahead, if it is known.
        scales: length units per unit of the vectors of ``SCALES``.
        by_picture: those of them whose scale depends on the picture: before ``settle`` the mean
            weight is a ``length_unit`` long.
        inner: the part of the world inside the picture's border, where arrows end; everywhere
            before the first view.
        least: the length of an arrow that is never cut.
        pixel: a pixel of a picture of size ``unit`` 1, in world units.
    """

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        size: tuple[int, int],
        unit: float,
        lettering: Lettering,
        survey: Survey | None = None,
    ) -> None:
        self.scene, self.theme, self.size, self.unit = scene, theme, size, unit
        self.lettering, self.survey = lettering, survey
        self.rows = {name: row for row, name in enumerate(scene.bodies)}
        self.joints = {name: row for row, name in enumerate(scene.joints)}
        self._weight = mean_weight(scene)
        self._boxes = BodyBoxes(scene)
        self._rods = [
            joint
            for joint in scene.joints.values()
            if joint.visible and JOINT_TYPES[joint.kind].drawing == "rod"
        ]
        given = [each for each in scene.annotations if each.kind == "scale_bar"]
        self._given = {each.scale_bar: each.scale for each in given if each.scale is not None}
        self.by_picture = {"force", "acceleration"} - set(self._given)
        self.scales = self._usual_scales(scene.world.length_unit)
        self.inner: Box = (-inf, -inf, inf, inf)
        self.least = self.pixel = 0.0
        self._settled = False

    def settle(self, view: View) -> None:
        """Choose the scales of arrows for the first view, and the part of the world for each."""
        box = view.box(self.size)
        side = min(box[2] - box[0], box[3] - box[1])
        self.inner, self.least = inflate(box, -BORDER * side), 0.5 * ARROW * side
        self.pixel = self.unit / view.scale
        if not self._settled:
            self._settled = True
            self.scales = self._usual_scales(ARROW * side)

    def _usual_scales(self, long: float) -> dict[str, float]:
        """Length units per unit of a vector: of velocities and momenta where a body would be after
        a time, of forces and accelerations those that make the mean weight so ``long``; or what a
        scale bar says."""
        scene = self.scene
        gravity = hypot(*scene.world.gravity)
        mass = self._weight / gravity if gravity > 0.0 else 1.0
        reach = VELOCITY_SECONDS * scene.units.time_per_second
        usual = {
            "velocity": reach,
            "momentum": reach / mass,
            "force": long / self._weight,
            "acceleration": long / (gravity if gravity > 0.0 else 1.0),
        }
        return usual | self._given

    def place(self, name: str, frame: Frame, *, center: bool = False) -> Pixel | None:
        """The place of a body's origin, centre of mass or other point; None if it was removed."""
        body, _, point = name.partition(".points.")
        local = (0.0, 0.0)
        if point:
            local = self.scene.bodies[body].points[point]
        elif center:
            x, y = frame.center[self.rows[body]]
            local = (float(x), float(y))
        return self.on(body, local, frame)

    def on(self, body: str, local: Pixel, frame: Frame) -> Pixel | None:
        """The place of a point of a body, or of the world."""
        if body == "world":
            return local
        row = self.rows[body]
        if not frame.alive[row]:
            return None
        x, y = world_points(frame, np.array([row]), np.array([local]))[0]
        return (float(x), float(y)) if isfinite(x) and isfinite(y) else None

    def share_inside(self, start: Pixel, way: Pixel) -> float:
        """The share of an arrow that ends in the picture; 1 of one that begins outside."""
        low, high = self.inner[:2], self.inner[2:]
        share = 1.0
        for at, part, first, last in zip(start, way, low, high, strict=True):
            if not first <= at <= last:
                return 1.0
            if part:
                share = min(share, ((last if part > 0.0 else first) - at) / part)
        return min(max(share, self.least / max(hypot(*way), 1e-300)), 1.0)

    def is_seen(self, pixel: Pixel) -> bool:
        """Whether a point is in the picture."""
        return 0.0 <= pixel[0] <= self.size[0] and 0.0 <= pixel[1] <= self.size[1]

    def top(self, name: str, frame: Frame) -> Pixel | None:
        """The upper end of a body, or a point of it."""
        body, _, point = name.partition(".points.")
        if point:
            return self.place(name, frame)
        box = box_of(self._boxes.of(frame)[self.rows[body]])
        if not is_somewhere(box):
            return self.place(name, frame)
        return 0.5 * (box[0] + box[2]), box[1] if self.scene.units.y_down else box[3]

    def lines(self, frame: Frame, view: View) -> list[tuple[Pixel, Pixel]]:
        """The ends of rods, ropes and springs in a frame, in pixels, unless they are many."""
        found = []
        for joint in self._rods if len(self._rods) <= MOST_LINES else ():
            a, b = (
                self.on(body, anchor, frame)
                for body, anchor in ((joint.body_a, joint.anchor_a), (joint.body_b, joint.anchor_b))
            )
            if a is None or b is None or frame.joint_broken[self.joints[joint.name]]:
                continue
            start, end = view.pixel(*a), view.pixel(*b)
            found.append((start, end))
            if joint.spring is not None:
                found += _beside(start, end, SPRING * self.unit)
        return found

    def boxes(self, frame: Frame, view: View) -> Float64:
        """The boxes [n, 4] of the visible bodies in a frame, in pixels, unless they are many."""
        if len(self.rows) > MOST_BODIES:
            return np.empty((0, 4))
        found = in_pixels(self._boxes.of(frame), view)
        return found[np.isfinite(found).all(axis=1)]


def _beside(start: Pixel, end: Pixel, far: float) -> list[tuple[Pixel, Pixel]]:
    """Two lines along one, to either side of it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if not length > 0.0:
        return []
    sides = ((-dy / length * way, dx / length * way) for way in (far, -far))
    return [((start[0] + x, start[1] + y), (end[0] + x, end[1] + y)) for x, y in sides]
