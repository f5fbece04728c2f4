# SPDX-License-Identifier: MIT
"""Masks: the body at each pixel, exactly. No edge is blended, and nothing else is drawn.

A pixel belongs to the body in which its middle lies, and where several do, to the one that pictures
show on top. What has no area has the width of its line in pictures.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..arguments import checked, one_of, size
from ..errors import UsageError
from ..record.frame import Frame, Shown
from ..scene.model import Scene, Shape
from ..view.camera import View
from .canvas.display import KINDS
from .objects.bodies import CHAIN_LINE, LOWEST, SEGMENT_LINE, ground, order_of
from .objects.drawing import deformed
from .objects.outlines import border, one_way_around
from .renderer import line_unit

Float64 = NDArray[np.float64]
UInt16 = NDArray[np.uint16]

MOST_NUMBERS = 65535
"""The largest number of a body."""
_KINDS = {"circle": "circle", "polygon": "polygon", "half_space": "half_plane"}


class Masks:
    """Draws the masks of a scene's frames.

    Args:
        scene: what is drawn. Sensors and what is not ``visible`` is left out.
        size: width and height of the masks in pixels.
        unit: how large lines are drawn, 1 for a picture 480 pixels high; None is what pictures of
            that size have.
    """

    @checked(scene=one_of(Scene), size=size)
    def __init__(self, scene: Scene, size: tuple[int, int], *, unit: float | None = None) -> None:
        self.size = size
        self._unit = line_unit(size) if unit is None else unit
        self._first = scene
        self._shown = Shown()
        self._follow(scene)

    def _follow(self, scene: Scene) -> None:
        """Have the shapes of all that are in a scene."""
        self._scene = scene
        rows: list[tuple[tuple[float, float], int, str, Shape | None, list[tuple[float, float]]]]
        rows = []
        for row, body in enumerate(scene.bodies.values()):
            for shape in body.shapes if body.visible else ():
                if shape.sensor:
                    continue
                if below := (ground(body, shape, scene) if shape.kind == "chain" else []):
                    rows.append(((LOWEST, float(row)), row, "polygon", None, below))
                kind = _KINDS.get(shape.kind, "loop" if shape.loop else "path")
                points = border(shape) if kind == "half_plane" else one_way_around(shape)
                rows.append((order_of(body, row), row, kind, shape, points))
        rows.sort(key=lambda each: each[0])
        corners = [point for each in rows for point in each[4]]
        counts = [len(each[4]) for each in rows]
        self._names = list(scene.bodies)
        self._bodies = np.array([each[1] for each in rows], np.int32)
        self._owners = np.repeat(self._bodies, counts)
        self._points = np.array(corners, np.float64).reshape(-1, 2)
        self._radii = np.array([0.0 if each[3] is None else each[3].radius for each in rows])
        self._lines = np.array([self._line(each[3]) for each in rows])
        self._shapes = np.zeros((len(rows), len(_native.NUMBER_COLUMNS)))
        self._shapes[:, 0] = [KINDS[each[2]] for each in rows]
        self._shapes[:, 1] = np.cumsum([0, *counts])[:-1]
        self._shapes[:, 2] = counts

    def _line(self, shape: Shape | None) -> float:
        """The least half width of a shape, in pixels."""
        kind = None if shape is None else shape.kind
        return {"chain": CHAIN_LINE, "segment": SEGMENT_LINE}.get(kind or "", 0.0) * self._unit

    def draw(self, frame: Frame, view: View, numbers: Mapping[str, int]) -> UInt16:
        """The mask of one frame, [height, width]: 0 for the background, and the numbers of bodies.

        ``view`` is in the pixels of the mask. Raises UsageError for numbers beyond 65535.
        """
        mask: UInt16 = np.zeros((self.size[1], self.size[0]), np.uint16)
        shapes, placed = self._placed(frame, view, numbers)
        _native.fill_numbers(mask, shapes[frame.alive[self._bodies]], placed)
        return mask

    def whole(self, frame: Frame, view: View, numbers: Mapping[str, int]) -> NDArray[np.bool_]:
        """[bodies, height, width] the pixels of each body, also those that others hide.

        A body has the row before its number. Raises UsageError as ``draw`` does.
        """
        shapes, placed = self._placed(frame, view, numbers)
        found = np.zeros((max(numbers.values(), default=0), self.size[1], self.size[0]), bool)
        for row, name in enumerate(self._names):
            own = shapes[(self._bodies == row) & frame.alive[self._bodies]]
            if len(own):
                mask: UInt16 = np.zeros((self.size[1], self.size[0]), np.uint16)
                _native.fill_numbers(mask, own, placed)
                found[numbers[name] - 1] = mask != 0
        return found

    def _placed(
        self, frame: Frame, view: View, numbers: Mapping[str, int]
    ) -> tuple[Float64, Float64]:
        """The rows of all shapes, and their points in pixels."""
        scene = self._first if frame.scene is None else frame.scene
        scene = self._shown.of(scene, frame.visible)
        if scene is not self._scene:
            self._follow(scene)
        given = np.array([numbers[name] for name in self._names], np.float64)
        if len(given) and given.max() > MOST_NUMBERS:
            raise UsageError(f"masks hold at most {MOST_NUMBERS} bodies")
        points = deformed(self._points, self._owners, frame)
        placed = np.empty_like(points)
        _native.place_points(points, self._owners, frame.pose, view.numbers(), placed)
        shapes = self._shapes.copy()
        shapes[:, 3] = np.maximum(self._radii * view.scale, self._lines)
        shapes[:, 4] = given[self._bodies]
        return shapes, placed
