# SPDX-License-Identifier: MIT
"""The camera: from the scene's coordinates to pixels.

``fit`` and ``region`` are worked out once, so that pictures do not jitter: ``fit`` from what a
survey of the run has seen, or, without one, from the first frame. ``follow`` moves with a body but
never changes its scale; with several bodies, and by keys, it does. Where nothing is fixed and
everything falls, ``fit`` falls along.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..record.frame import Frame
from ..scene.model import Scene
from .boxes import NOWHERE, BodyBoxes, Box, box_of, extent, inflate, is_somewhere, merged
from .camera_moves import Aim, Mover, Several, given_zoom, mover, shaken, with_middle
from .fit import adrift, fit_box
from .strips import Insets

Float64 = NDArray[np.float64]
MARGIN = 0.06
"""Empty border of a fitted picture, as a share of its size."""
SKY = 0.72
"""Of the height that is left over when the width decides, the share that goes above."""
DRIFT_MARGIN = 0.9
"""Room round a scene in which everything falls, as a share of its size."""
NO_ROOM = Insets()
KEEP_IN = 0.3
"""How far from the border ``keep_in`` holds its targets when no margin is given, as a share."""


@dataclass(frozen=True, slots=True)
class View:
    """Pixel x = ``x * scale_x + shift_x``, and likewise y. ``scale_y`` is negative when y is up."""

    scale_x: float
    shift_x: float
    scale_y: float
    shift_y: float

    @property
    def scale(self) -> float:
        """Pixels per length unit."""
        return self.scale_x

    def numbers(self) -> tuple[float, float, float, float]:
        return (self.scale_x, self.shift_x, self.scale_y, self.shift_y)

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        return (x * self.scale_x + self.shift_x, y * self.scale_y + self.shift_y)

    def box(self, size: tuple[int, int]) -> Box:
        """The visible part of the world."""
        x0, x1 = -self.shift_x / self.scale_x, (size[0] - self.shift_x) / self.scale_x
        y0, y1 = -self.shift_y / self.scale_y, (size[1] - self.shift_y) / self.scale_y
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def in_pixels(boxes: Float64, view: View) -> Float64:
    """Boxes [n, 4] of the scene in pixels, y down; what is nowhere stays so."""
    xs = boxes[:, [0, 2]] * view.scale_x + view.shift_x
    ys = boxes[:, [1, 3]] * view.scale_y + view.shift_y
    placed = np.stack([xs.min(axis=1), ys.min(axis=1), xs.max(axis=1), ys.max(axis=1)], axis=1)
    placed[~np.isfinite(boxes).all(axis=1)] = NOWHERE
    return placed


def world_points(frame: Frame, rows: NDArray[np.int64], local: Float64) -> Float64:
    """Points of bodies [n, 2] in world coordinates."""
    placed = np.empty((len(rows), 2))
    _native.place_points(
        np.ascontiguousarray(local, np.float64),
        rows.astype(np.int32),
        frame.pose,
        (1.0, 0.0, 1.0, 0.0),
        placed,
    )
    return placed


def fitting_scale(box: Box, size: tuple[float, float]) -> float:
    """The scale of the largest view that shows a box whole in a picture without a border."""
    wide, tall = (max(box[k + 2] - box[k], 1e-300) for k in (0, 1))
    return min(max(min(size[0] / wide, size[1] / tall), 1e-12), 1e12)


def frame_box(
    box: Box, size: tuple[int, int], y_down: bool, margin: float | None, sky: float
) -> View:
    """The view that shows the box whole, as large as possible.

    ``margin`` is a length; None is a share of the picture. ``sky`` is the share of height left over
    that goes above the box (0.5 centres it).
    """
    width, height = float(size[0]), float(size[1])
    if margin is not None:
        box = inflate(box, margin)
        inner_width, inner_height = width, height
    else:
        border = MARGIN * min(width, height)
        inner_width = max(width - 2.0 * border, 1.0)
        inner_height = max(height - 2.0 * border, 1.0)
    scale, tall = fitting_scale(box, (inner_width, inner_height)), box[3] - box[1]
    shift_x = 0.5 * width - 0.5 * (box[0] + box[2]) * scale
    border_y = 0.5 * (height - inner_height)
    top = border_y + sky * max(inner_height - tall * scale, 0.0)
    if y_down:
        return View(scale, shift_x, scale, top - box[1] * scale)
    return View(scale, shift_x, -scale, top + box[3] * scale)


def fit_view(scene: Scene, box: Box, size: tuple[int, int], room: Insets = NO_ROOM) -> View:
    """The view of ``fit`` that shows a box whole, beside the ``room`` at the picture's sides."""
    y_down = scene.units.y_down
    falls = scene.world.gravity[1] * (1.0 if y_down else -1.0) > 0.0
    margin = scene.camera.margin if scene.camera.mode == "fit" else None
    view = frame_box(box, room.inner(size), y_down, margin, SKY if falls else 0.5)
    x, y = view.shift_x + room.left, view.shift_y + room.top
    return View(view.scale_x, x, view.scale_y, y)


class Camera:
    """Gives each frame its view. Frames are to be shown in the order of time.

    Args:
        scene: its ``camera`` says what is shown.
        size: of the picture in pixels.
        first: the first frame.
        seen: what ``fit`` shows, when it is known; otherwise all that is there in the first frame.
        room: what ``fit`` leaves free at the picture's sides.
    """

    def __init__(
        self,
        scene: Scene,
        size: tuple[int, int],
        first: Frame,
        seen: Box | None = None,
        room: Insets = NO_ROOM,
    ) -> None:
        self._size = size
        self._own = len(scene.bodies)
        self._camera = scene.camera
        self._sign = 1.0 if scene.units.y_down else -1.0
        self._start: tuple[float, float] | None = None
        camera = scene.camera
        self._row = -1
        if camera.mode == "follow" and camera.target is not None and camera.target in scene.bodies:
            self._row = list(scene.bodies).index(camera.target)
        if camera.mode == "region" and camera.rect is not None:
            (x0, y0), (x1, y1) = camera.rect
            box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            view = frame_box(box, size, scene.units.y_down, 0.0, 0.5)
        elif camera.start is not None:
            view = self._starting(scene, first)
        else:
            box = fit_box(scene, first) if seen is None else seen
            if camera.mode == "fit" and adrift(scene):
                self._start = self._middle(first)
                far = DRIFT_MARGIN * extent(box) if camera.margin is None else 0.0
                box = inflate(box, far)
            view = fit_view(scene, box, size, room)
        self._view = view
        self._kept: list[int] = []
        self._several: Several | None = None
        self._seconds = 1.0 / scene.units.time_per_second
        self._mover = mover(scene, size, first, self._aim(view))
        owner = getattr(self._mover, "__self__", None)
        if isinstance(owner, Several):
            self._several = owner
        if self._mover is None and seen is not None and camera.widest is not None:
            self._mover = self._limited(scene, first, camera.widest)
        if self._row >= 0:
            if camera.start is None:
                zoom = given_zoom(scene, size) or self._own_zoom(scene, first)
                x, y = float(first.pose[self._row, 0]), float(first.pose[self._row, 1])
                view = self._centred(x, y, zoom)
            self._view = self._bounded(view)
        if camera.mode == "follow" and camera.style == "keep_in":
            self._keep_in(scene, first)

    @property
    def moves(self) -> bool:
        """Whether views differ from frame to frame."""
        follows = self._row >= 0 or bool(self._kept)
        still = not follows and self._start is None and self._mover is None
        return not still or bool(self._camera.shake)

    @property
    def now(self) -> View:
        """The last view, of a camera that follows."""
        return self._view

    @property
    def remembers(self) -> bool:
        """Whether a view depends on those before it, also while all targets are there."""
        return bool(self._kept)

    @property
    def memory(self) -> tuple[float, ...]:
        """The memory of earlier frames, as numbers."""
        last = () if self._several is None else self._several.memory
        return (*self._view.numbers(), *last)

    @memory.setter
    def memory(self, numbers: tuple[float, ...]) -> None:
        scale_x, shift_x, scale_y, shift_y, *last = numbers
        self._view = View(scale_x, shift_x, scale_y, shift_y)
        if self._several is not None:
            self._several.memory = (last[0], last[1], last[2])

    def plan(self) -> dict[str, Any]:
        """What decides its views, as numbers, from where it looks now on."""
        view, camera = self._view, self._camera
        shakes = [[s.at, s.amplitude, s.duration, s.frequency] for s in camera.shake]
        found: dict[str, Any] = {
            "first": {"scale": view.scale, "x": view.shift_x, "y": view.shift_y},
            "way": self._sign,
            "size": list(self._size),
            "bounds": camera.bounds,
            "shakes": shakes,
            "seconds": self._seconds,
            "row": self._row,
            "kept": self._kept,
            "margin": camera.margin,
            "keepIn": KEEP_IN,
            "adrift": None if self._start is None else {"middle": self._start, "own": self._own},
        }
        for moves in (getattr(self._mover, "__self__", None), self._several):
            if moves is not None:
                found |= moves.plan()
        return found

    def _starting(self, scene: Scene, first: Frame) -> View:
        """The view of a camera that says what it looks at first."""
        camera, background = scene.camera, scene.render.background
        y_down = scene.units.y_down
        if camera.start == "background" and background is not None:
            box = background.box(scene.world.length_unit)
        else:
            box = fit_box(scene, first)
        if camera.mode == "fit" and camera.margin is not None:
            box = inflate(box, camera.margin)
        corner = camera.start != "center"
        margin = 0.0 if corner or camera.margin is not None else None
        view = frame_box(box, self._size, y_down, margin, 0.5)
        zoom = given_zoom(scene, self._size)
        if zoom is None and camera.mode == "follow" and camera.start != "background":
            zoom = self._own_zoom(scene, first)
        if zoom is None and camera.start == "background":
            return view
        scale = view.scale if zoom is None else zoom
        if not corner:
            return self._centred(0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]), scale)
        top = self._sign * scale * (box[1] if y_down else box[3])
        return View(scale, -box[0] * scale, self._sign * scale, -top)

    def _aim(self, view: View) -> Aim:
        """The middle of a view."""
        x0, y0, x1, y1 = view.box(self._size)
        return Aim(0.5 * (x0 + x1), 0.5 * (y0 + y1), view.scale)

    def _limited(self, scene: Scene, first: Frame, widest: float) -> Mover | None:
        """The motion of a camera that would have to see more than it may."""
        box = fit_box(scene, first)
        start = frame_box(box, self._size, self._sign > 0.0, self._camera.margin, 0.5)
        if start.scale <= widest * self._view.scale:
            return None
        return with_middle(scene, self._aim(start), start.scale / widest)

    def _middle(self, frame: Frame) -> tuple[float, float]:
        """Of the scene's own bodies."""
        own = frame.pose[: self._own]
        return float(own[:, 0].mean()), float(own[:, 1].mean())

    def _falling(self, frame: Frame, start: tuple[float, float]) -> View:
        """The first view, carried along with what falls."""
        x, y = self._middle(frame)
        if not (abs(x) < 1e300 and abs(y) < 1e300):
            return self._view
        first = self._view
        return View(
            first.scale_x,
            first.shift_x - (x - start[0]) * first.scale_x,
            first.scale_y,
            first.shift_y - (y - start[1]) * first.scale_y,
        )

    def view(self, frame: Frame) -> View:
        view = self.steady(frame)
        if not self._camera.shake:
            return view
        x, y = shaken(self._camera.shake, frame.time, self._seconds)
        return View(
            view.scale_x,
            view.shift_x + x * view.scale_x,
            view.scale_y,
            view.shift_y + y * view.scale_y,
        )

    def steady(self, frame: Frame) -> View:
        """The view without its tremors."""
        if self._mover is not None:
            aim = self._mover(frame)
            self._view = self._bounded(self._centred(aim.x, aim.y, aim.scale))
            return self._view
        if self._start is not None:
            return self._falling(frame, self._start)
        if self._kept:
            self._view = self._bounded(self._pulled(frame))
            return self._view
        if self._row < 0:
            return self._view
        x, y = float(frame.pose[self._row, 0]), float(frame.pose[self._row, 1])
        if not (abs(x) < 1e300 and abs(y) < 1e300):
            return self._view
        self._view = self._bounded(self._centred(x, y, self._view.scale))
        return self._view

    def _own_zoom(self, scene: Scene, first: Frame) -> float:
        """The target takes about a tenth of the picture's height."""
        box = box_of(BodyBoxes(scene).of(first)[self._row])
        length = extent(box) if is_somewhere(box) else scene.world.length_unit
        return 0.1 * min(self._size) / max(length, 1e-9 * scene.world.length_unit)

    def _centred(self, x: float, y: float, scale: float) -> View:
        width, height = self._size
        return View(
            scale,
            0.5 * width - x * scale,
            self._sign * scale,
            0.5 * height - y * self._sign * scale,
        )

    def _keep_in(self, scene: Scene, first: Frame) -> None:
        """Begin to keep the outlines of the targets inside."""
        rows = {name: row for row, name in enumerate(scene.bodies)}
        names = self._camera.targets or (self._camera.target,)
        self._kept = [rows[name] for name in names if name in rows]
        self._boxes = BodyBoxes(scene, hidden=True)
        if self._camera.targets:
            self._several = Several(scene, self._camera, self._size, first, self._aim(self._view))
            aim = self._several.aim(first)
            self._view = self._bounded(self._centred(aim.x, aim.y, aim.scale))

    def _pulled(self, frame: Frame) -> View:
        """The view moved as little as brings the targets back inside the border; in the middle of
        it where they have no room."""
        view, margin = self._view, self._camera.margin
        if self._several is not None:
            middle = self._aim(view)
            view = self._centred(middle.x, middle.y, self._several.aim(frame).scale)
        box = merged(self._boxes.of(frame)[self._kept])
        if not is_somewhere(box) or max(map(abs, box)) >= 1e300:
            return view
        corners = view.pixel(box[0], box[1]), view.pixel(box[2], box[3])
        shifts = []
        for ends, length in zip(zip(*corners, strict=True), self._size, strict=True):
            border = KEEP_IN * length if margin is None else margin * view.scale
            border = min(border, 0.5 * length)
            shifts.append(_pull(min(ends), max(ends), border, length - border))
        return View(view.scale_x, view.shift_x + shifts[0], view.scale_y, view.shift_y + shifts[1])

    def _bounded(self, view: View) -> View:
        """Inside ``camera.bounds``; centred on them along an axis where they are smaller."""
        if self._camera.bounds is None:
            return view
        (x0, y0), (x1, y1) = self._camera.bounds
        left, top = view.pixel(x0, y0)
        right, bottom = view.pixel(x1, y1)
        dx = _inside(min(left, right), max(left, right), self._size[0])
        dy = _inside(min(top, bottom), max(top, bottom), self._size[1])
        return View(view.scale_x, view.shift_x + dx, view.scale_y, view.shift_y + dy)


def _inside(low: float, high: float, length: int) -> float:
    """How far to move bounds low..high so that they cover 0..length."""
    if high - low < length:
        return 0.5 * length - 0.5 * (low + high)
    return min(0.0 - low, 0.0) if low > 0.0 else max(length - high, 0.0)


def _pull(low: float, high: float, first: float, last: float) -> float:
    """How far to move low..high so that it lies in first..last; a longer one in its middle."""
    if high - low > last - first:
        return 0.5 * (first + last) - 0.5 * (low + high)
    return max(first - low, 0.0) + min(last - high, 0.0)
