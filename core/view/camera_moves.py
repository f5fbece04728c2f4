# SPDX-License-Identifier: MIT
"""Moving cameras: by keyframes, following bodies or their centre, and shaking.

An aim is the point in the middle of the picture, with the pixels per length unit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from ..record.frame import Frame
from ..scene.model import Camera, CameraKey, Scene, Shake
from ..scene.values.portable_math import sin
from .boxes import BodyBoxes, Box, box_of, extent, inflate, is_somewhere, merged

WIDEST = 4.0
"""Several bodies are shown at most so many times as small as at the start."""
ROOM = 0.16
"""Empty border round several bodies when no margin is given, as a share of the picture."""
LARGEST_BODY = 0.15
"""The largest of several bodies takes at most such a share of the picture's height."""
AREA = 1e300
"""Places farther away than this are ignored."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The centre of a picture, and its pixels per length unit."""

    x: float
    y: float
    scale: float


Mover = Callable[[Frame], Aim]


def mover(scene: Scene, size: tuple[int, int], first: Frame, start: Aim) -> Mover | None:
    """The motion of a scene's camera, if keys or several bodies move it.

    ``start`` is where it would look otherwise.
    """
    camera = scene.camera
    if camera.mode == "keys" and camera.keys:
        return _Keys(scene, camera.keys, size, start).aim
    if camera.mode == "follow" and camera.targets and camera.style == "center":
        return Several(scene, camera, size, first, start).aim
    return None


def with_middle(scene: Scene, start: Aim, scale: float) -> Mover:
    """A camera that follows the middle of all moving bodies, at one scale."""
    return _MiddleCamera(scene, start, scale).aim


class _MiddleCamera:
    """Looks at the middle of all moving bodies, at one scale."""

    def __init__(self, scene: Scene, start: Aim, scale: float) -> None:
        bodies = enumerate(scene.bodies.values())
        self._rows = [row for row, body in bodies if body.kind == "dynamic"]
        self._start, self._scale = start, scale

    def aim(self, frame: Frame) -> Aim:
        there = [row for row in self._rows if frame.alive[row]]
        places = frame.pose[there, :2]
        places = places[(np.abs(places) < AREA).all(axis=1)]
        if not len(places):
            return Aim(self._start.x, self._start.y, self._scale)
        return Aim(float(places[:, 0].mean()), float(places[:, 1].mean()), self._scale)

    def plan(self) -> dict[str, Any]:
        return {"middle": {"rows": self._rows, "scale": self._scale}}


def eased(part: float, ease: str) -> float:
    """How far a move has come after a part of its time, both from 0 to 1."""
    if ease == "hold":
        return 0.0 if part < 1.0 else 1.0
    return part if ease == "linear" else part * part * (3.0 - 2.0 * part)


class _Keys:
    """Moves from key to key; the view grows and moves evenly, like a rectangle."""

    def __init__(
        self, scene: Scene, keys: Sequence[CameraKey], size: tuple[int, int], start: Aim
    ) -> None:
        self._keys, self._size, self._start = keys, size, start
        self._rows = {name: row for row, name in enumerate(scene.bodies)}
        self._times = [key.at for key in keys]
        self._scales: list[float] = []
        for key in keys:
            before = self._scales[-1] if self._scales else start.scale
            self._scales.append(self._scale(key, before))

    def plan(self) -> dict[str, Any]:
        """Its keys as numbers."""
        found = []
        for key, scale in zip(self._keys, self._scales, strict=True):
            at = key.center
            if key.rect is not None:
                (x0, y0), (x1, y1) = key.rect
                at = (0.5 * (x0 + x1), 0.5 * (y0 + y1))
            row = None if at is not None else self._rows[key.target or ""]
            found.append({"at": key.at, "ease": key.ease, "scale": scale, "point": at, "row": row})
        return {"keys": found, "start": [self._start.x, self._start.y]}

    def _scale(self, key: CameraKey, before: float) -> float:
        width, height = self._size
        if key.rect is not None:
            (x0, y0), (x1, y1) = key.rect
            return min(width / (x1 - x0), height / (y1 - y0))
        return before if key.width is None else width / key.width

    def aim(self, frame: Frame) -> Aim:
        after = bisect_right(self._times, frame.time)
        if after == 0:
            return self._look(0, frame)
        last = self._look(after - 1, frame)
        if after == len(self._keys):
            return last
        begin, end = self._times[after - 1], self._times[after]
        part = eased((frame.time - begin) / (end - begin), self._keys[after].ease)
        to = self._look(after, frame)
        scale = 1.0 / (1.0 / last.scale + part * (1.0 / to.scale - 1.0 / last.scale))
        return Aim(last.x + part * (to.x - last.x), last.y + part * (to.y - last.y), scale)

    def _look(self, index: int, frame: Frame) -> Aim:
        key, scale = self._keys[index], self._scales[index]
        if key.rect is not None:
            (x0, y0), (x1, y1) = key.rect
            return Aim(0.5 * (x0 + x1), 0.5 * (y0 + y1), scale)
        if key.center is not None:
            return Aim(*key.center, scale)
        x, y = (float(part) for part in frame.pose[self._rows[key.target or ""], :2])
        if not (abs(x) < AREA and abs(y) < AREA):
            x, y = self._start.x, self._start.y
        return Aim(x, y, scale)


def given_zoom(scene: Scene, size: tuple[int, int]) -> float | None:
    """The pixels per length unit that the camera says, in a picture of a size."""
    camera, usual = scene.camera, scene.render.size
    if camera.pixel_zoom is not None or camera.zoom is None:
        return camera.pixel_zoom
    return camera.zoom * min(size[0] / usual[0], size[1] / usual[1])


class Several:
    """Keeps several bodies in sight, as large as they may be, but no larger than at the start."""

    def __init__(
        self, scene: Scene, camera: Camera, size: tuple[int, int], first: Frame, start: Aim
    ) -> None:
        rows = {name: row for row, name in enumerate(scene.bodies)}
        self._rows = [rows[name] for name in camera.targets]
        self._boxes = BodyBoxes(scene, hidden=True)
        self._camera, self._size, self._last = camera, size, start
        self._zoom = given_zoom(scene, size)
        boxes = [box_of(row) for row in self._boxes.of(first)[self._rows]]
        sizes = [extent(box) for box in boxes if is_somewhere(box)]
        largest = max(sizes, default=0.0) or scene.world.length_unit
        needed = self._needed(merged(self._boxes.of(first)[self._rows]))
        own = LARGEST_BODY * min(size) / largest
        self._nearest = own if needed is None else min(own, needed)

    @property
    def memory(self) -> tuple[float, float, float]:
        """The last view, used when there is nothing to follow."""
        return self._last.x, self._last.y, self._last.scale

    @memory.setter
    def memory(self, numbers: tuple[float, float, float]) -> None:
        self._last = Aim(*numbers)

    def plan(self) -> dict[str, Any]:
        """Its bodies and bounds as numbers."""
        rest = {"margin": self._camera.margin, "room": 1.0 - 2.0 * ROOM}
        scales = {"zoom": self._zoom, "nearest": self._nearest, "farthest": self._nearest / WIDEST}
        return {"several": {"rows": self._rows, **scales, **rest}}

    def _needed(self, box: Box) -> float | None:
        """The scale at which the picture holds a box; None of nothing."""
        if not is_somewhere(box):
            return None
        margin, room = self._camera.margin, 1.0
        if margin is None:
            room = 1.0 - 2.0 * ROOM
        else:
            box = inflate(box, margin)
        wide, high = box[2] - box[0], box[3] - box[1]
        scales = [
            room * length / side
            for length, side in zip(self._size, (wide, high), strict=True)
            if side > 0.0
        ]
        return min(scales, default=None)

    def aim(self, frame: Frame) -> Aim:
        box = merged(self._boxes.of(frame)[self._rows])
        if not is_somewhere(box):
            return self._last
        x, y = 0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3])
        scale = self._zoom
        if scale is None:
            needed = self._needed(box) or self._nearest
            scale = min(max(needed, self._nearest / WIDEST), self._nearest)
        self._last = Aim(x, y, scale)
        return self._last


def shaken(shakes: Sequence[Shake], time: float, seconds: float) -> tuple[float, float]:
    """How far the camera is off its aim at a scene time, as lengths.

    ``seconds`` is how many a unit of scene time is. Two waves whose frequencies have no common
    measure, so that the picture does not go to and fro on one line.
    """
    x = y = 0.0
    for shake in shakes:
        since = time - shake.at
        if 0.0 <= since < shake.duration:
            left = 1.0 - since / shake.duration
            turn = 2.0 * pi * shake.frequency * since * seconds
            x += shake.amplitude * left * left * sin(turn)
            y += shake.amplitude * left * left * sin(1.31 * turn + 1.0)
    return x, y
