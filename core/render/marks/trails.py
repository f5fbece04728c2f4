# SPDX-License-Identifier: MIT
"""Trails: past positions of bodies, fading with age.

A ``Path`` takes the positions of a body at all steps and keeps few of them: on straight lines the
ends, on curves and at bounces as many as the picture needs. Pages get the same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite

from ...record.frame import Frame
from ...scene.model import Scene
from ...scene.readings import TRAIL_SECONDS, has_trail
from ...view.camera import View
from ..canvas.colors import Color
from ..canvas.display import Items
from ..canvas.theme import Theme, given_color, shape_looks

MOST_POINTS = 4000
"""A path keeps at most so many points; older ones are forgotten."""
PIECES = 120
"""A trail fades in so many pieces of equal time."""
SMOOTH = 0.2
"""A path leaves out a position that is so near to it, in pixels at picture size ``unit`` 1."""

Place = tuple[float, float, float]
"""A time, x and y."""


class Path:
    """The way of one body, without the positions between others on a straight line at even speed.

    After a kept position it knows the least and the greatest velocity with which a straight line
    from there passes all later positions at their times, nearer than ``near``. The first position
    that no such line reaches makes the one before it the next kept.

    Attributes:
        kept: the kept positions; ``last`` is the latest position.
    """

    def __init__(self) -> None:
        self.kept: deque[Place] = deque(maxlen=MOST_POINTS)
        self.last: Place | None = None
        self._free = (-float("inf"), float("inf")) * 2

    def add(self, place: Place, near: float) -> Place | None:
        """Take the next position; the position that is kept because of it, if any."""
        time, x, y = place
        if self.last is not None and time <= self.last[0]:
            return None
        if self.last is None or not self.kept:
            self.kept.append(place)
            self.last = place
            return place
        start = self.kept[-1]
        new = None
        if start is not self.last and not self._reaches(start, place):
            start = new = self.last
            self.kept.append(start)
            self._free = (-float("inf"), float("inf")) * 2
        left, right, low, high = self._free
        part = 1.0 / (time - start[0])
        dx, dy = x - start[1], y - start[2]
        self._free = (
            max(left, (dx - near) * part),
            min(right, (dx + near) * part),
            max(low, (dy - near) * part),
            min(high, (dy + near) * part),
        )
        self.last = place
        return new

    def _reaches(self, start: Place, place: Place) -> bool:
        part = 1.0 / (place[0] - start[0])
        vx, vy = (place[1] - start[1]) * part, (place[2] - start[2]) * part
        left, right, low, high = self._free
        return left <= vx <= right and low <= vy <= high

    def back_to(self, time: float) -> None:
        """Forget what was after a time."""
        if self.last is None or self.last[0] <= time:
            return
        while self.kept and self.kept[-1][0] > time:
            self.kept.pop()
        self.last = self.kept[-1] if self.kept else None
        self._free = (-float("inf"), float("inf")) * 2

    def since(self, start: float) -> list[Place]:
        """Its positions from a time on, the first one between two of them if need be."""
        while len(self.kept) > 1 and self.kept[1][0] <= start:
            self.kept.popleft()
        places = list(self.kept)
        if self.last is not None and places and places[-1] is not self.last:
            places.append(self.last)
        if not places or places[-1][0] < start:
            return []
        if len(places) > 1 and places[0][0] < start:
            places[0] = _between(places[0], places[1], start)
        return places


class Walks:
    """Feeds paths of bodies with the positions of frames, and of the steps before them."""

    def __init__(self) -> None:
        self.paths: dict[str, Path] = {}

    def follow(
        self, frame: Frame, rows: Sequence[tuple[str, int]], near: float
    ) -> Iterator[tuple[str, Place]]:
        """Take a frame for the bodies of these names and rows; yield what is newly kept."""
        passed = frame.passed
        times = [] if passed is None else passed.times.tolist()
        first = _first(times, frame.time)
        columns = {} if passed is None else {name: k for k, name in enumerate(passed.names)}
        for name, row in rows:
            path = self.paths.get(name)
            if path is None:
                path = self.paths[name] = Path()
            path.back_to(times[first] if first < len(times) else frame.time)
            x, y = columns.get(f"{name}.x"), columns.get(f"{name}.y")
            steps: list[Place] = []
            if passed is not None and x is not None and y is not None:
                places = passed.values[first:, [x, y]].tolist()
                steps = [(time, *place) for time, place in zip(times[first:], places, strict=True)]
            if frame.alive[row]:
                steps.append((frame.time, float(frame.pose[row, 0]), float(frame.pose[row, 1])))
            for place in steps:
                if isfinite(place[1]) and isfinite(place[2]):
                    new = path.add(place, near)
                    if new is not None:
                        yield name, new


def _first(times: Sequence[float], end: float) -> int:
    """The first of the times that ascend to an end; before it the run went back."""
    first = len(times)
    while first and times[first - 1] < end:
        first -= 1
        end = times[first]
    return first


def even(places: Sequence[Place]) -> list[tuple[float, float]]:
    """Points for a line that fades from one to the next: about as many in any equal time.

    All the places are among them.
    """
    begin, end = places[0][0], places[-1][0]
    piece = (end - begin) / PIECES
    points = [places[0][1:]]
    for a, b in pairwise(places):
        count = int((b[0] - a[0]) / piece + 0.5) if piece > 0.0 else 1
        for i in range(1, count):
            points.append(_between(a, b, a[0] + (b[0] - a[0]) * i / count)[1:])
        points.append(b[1:])
    return points


def _between(a: Place, b: Place, time: float) -> Place:
    part = (time - a[0]) / (b[0] - a[0])
    return time, a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])


_Trail = tuple[int, float, Color]
"""The body's row, or -1 if it was removed; how long, and which colour."""


class Trails:
    """The trails of bodies that have one, or of all that move when ``everyone`` is set."""

    def __init__(self, scene: Scene, theme: Theme, everyone: bool) -> None:
        self._own, self._theme, self._everyone = scene.bodies, theme, everyone
        self._trails: dict[str, _Trail] = {}
        self._walks = Walks()
        self.follow(scene)

    def follow(self, scene: Scene) -> None:
        """The members have changed; trails of removed bodies fade away."""
        before, self._trails = self._trails, {}
        theme = self._theme
        looks = shape_looks(scene, theme, self._own)
        for row, body in enumerate(scene.bodies.values()):
            if not has_trail(body, self._everyone):
                continue
            color = looks[row][0].fill if looks[row] else theme.quiet
            length = TRAIL_SECONDS * scene.units.time_per_second
            if body.trail is not None:
                length = body.trail.length
                if body.trail.color is not None:
                    color = given_color(body.trail.color, scene, theme)
            self._trails[body.name] = (row, length, color)
        for name, (_, length, color) in before.items():
            if name not in self._trails and name in self._walks.paths:
                self._trails[name] = (-1, length, color)

    def add(self, items: Items, frame: Frame, view: View, unit: float) -> None:
        """Record this frame and draw."""
        rows = [(name, row) for name, (row, _, _) in self._trails.items() if row >= 0]
        for _ in self._walks.follow(frame, rows, SMOOTH * unit / view.scale):
            pass
        for name, (row, length, color) in list(self._trails.items()):
            path = self._walks.paths.get(name)
            places = [] if path is None else path.since(frame.time - length)
            if len(places) > 1:
                points = [view.pixel(x, y) for x, y in even(places)]
                items.add("fade", points, color, radius=1.4 * unit)
            elif row < 0:
                self._trails.pop(name)
                self._walks.paths.pop(name, None)
