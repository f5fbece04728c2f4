# SPDX-License-Identifier: MIT
"""Trails: past positions of bodies, fading with age."""

from __future__ import annotations

from collections import deque

from ...record.frame import Frame
from ...scene.model import Scene
from ...view.camera import View
from ..canvas.colors import Color, parse_color
from ..canvas.display import Items
from ..canvas.theme import Theme, shape_looks

DEFAULT_SECONDS = 1.0
"""Duration of a trail that only the overlay requests."""
MOST_POINTS = 600
"""A trail is drawn with at most so many points; older ones are forgotten."""

_Past = tuple[int, float, Color, deque[tuple[float, float, float]]]
"""The body's row, or -1 if it was removed; how long, which colour, and when it was where."""


class Trails:
    """The trails of bodies that have one, or of all that move when ``everyone`` is set."""

    def __init__(self, scene: Scene, theme: Theme, everyone: bool) -> None:
        self._own, self._theme, self._everyone = scene.bodies, theme, everyone
        self._past: dict[str, _Past] = {}
        self.follow(scene)

    def follow(self, scene: Scene) -> None:
        """The members have changed; trails of removed bodies fade away."""
        before, self._past = self._past, {}
        theme, everyone = self._theme, self._everyone
        looks = shape_looks(scene, theme, self._own)
        for row, body in enumerate(scene.bodies.values()):
            if body.trail is None and not (everyone and body.kind == "dynamic"):
                continue
            color = looks[row][0].fill if looks[row] else theme.quiet
            length = DEFAULT_SECONDS * scene.units.time_per_second
            if body.trail is not None:
                length = body.trail.length
                if body.trail.color is not None:
                    color = parse_color(body.trail.color)
            places = before.pop(body.name)[3] if body.name in before else deque(maxlen=MOST_POINTS)
            self._past[body.name] = (row, length, color, places)
        for name, (_, length, color, places) in before.items():
            if places:
                self._past[name] = (-1, length, color, places)

    def add(self, items: Items, frame: Frame, view: View, unit: float) -> None:
        """Record this frame and draw."""
        for row, length, color, past in self._past.values():
            if row >= 0 and frame.alive[row]:
                past.append((frame.time, float(frame.pose[row, 0]), float(frame.pose[row, 1])))
            while past and past[0][0] < frame.time - length:
                past.popleft()
            if len(past) > 1:
                points = [view.pixel(x, y) for _, x, y in past]
                items.add("fade", points, color, radius=1.4 * unit)
