# SPDX-License-Identifier: MIT
"""Places of bodies and their points in a frame, and writing there, for annotations."""

from __future__ import annotations

from math import isfinite

import numpy as np

from ...record.frame import Frame
from ...scene.model import Scene
from ...view.boxes import BodyBoxes, box_of, is_somewhere
from ...view.camera import world_points
from ...view.survey import Survey
from ..canvas.colors import Color, fade
from ..canvas.display import Items
from ..canvas.text import Lettering
from ..canvas.theme import Theme
from .scales import mean_weight

VELOCITY_SECONDS = 0.2
"""A velocity that does not say its scale reaches where its body would be after so long."""

Pixel = tuple[float, float]


class Places:
    """A scene and the common settings of its annotations.

    Attributes:
        survey: the run ahead, if it is known.
        of_velocity: default length units per unit of velocity.
        of_force: default length units per unit of force.
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
        self.of_velocity = VELOCITY_SECONDS * scene.units.time_per_second
        self.of_force = scene.world.length_unit / mean_weight(scene)
        self._boxes = BodyBoxes(scene)

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

    def top(self, name: str, frame: Frame) -> Pixel | None:
        """The upper end of a body, or a point of it."""
        body, _, point = name.partition(".points.")
        if point:
            return self.place(name, frame)
        box = box_of(self._boxes.of(frame)[self.rows[body]])
        if not is_somewhere(box):
            return self.place(name, frame)
        return 0.5 * (box[0] + box[2]), box[1] if self.scene.units.y_down else box[3]

    def write(
        self,
        items: Items,
        lettering: Lettering,
        line: str,
        at: Pixel,
        color: Color,
        letters: float,
    ) -> None:
        """A line about the middle above, on a pale ground, to be read on any colour."""
        if not line or not (isfinite(at[0]) and isfinite(at[1])):
            return
        half, y = 0.5 * lettering.width(line, letters), at[1] + 0.62 * letters
        up, down = lettering.beyond(line, letters)
        ground = [(at[0] - half, y - up), (at[0] + half, y - up)]
        if up or down:
            ground += [(at[0] + half, y + down), (at[0] - half, y + down)]
        kind = "polygon" if up or down else "path"
        items.add(kind, ground, fade(self.theme.paper, 0.72), radius=0.62 * letters)
        lettering.add(items, line, at, color, letters, align=0.5)
