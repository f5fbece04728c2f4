# SPDX-License-Identifier: MIT
"""Axis-aligned boxes: of bodies, and of parts of the world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..record.frame import Frame
from ..scene.model import Scene

Float64 = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Least x, least y, greatest x, greatest y, in scene units."""

NOWHERE: Box = (float("inf"), float("inf"), float("-inf"), float("-inf"))
"""The box of nothing: its union with a box is that box."""


class BodyBoxes:
    """Finds the boxes round a scene's bodies, frame by frame.

    Args:
        hidden: whether bodies that are not drawn have a box too.
    """

    def __init__(self, scene: Scene, *, hidden: bool = False) -> None:
        points: list[tuple[float, float]] = []
        radii: list[float] = []
        owners: list[int] = []
        for row, body in enumerate(scene.bodies.values()):
            for shape in body.shapes if body.visible or hidden else ():
                if shape.kind == "half_space":
                    continue  # it has no end
                points.extend(shape.points)
                radii.extend([shape.radius] * len(shape.points))
                owners.extend([row] * len(shape.points))
        self._count = len(scene.bodies)
        self._points = np.array(points, np.float64).reshape(-1, 2)
        self._radii = np.array(radii, np.float64)[:, None]
        self._owners = np.array(owners, np.int32)
        self._starts = np.flatnonzero(np.diff(self._owners, prepend=-1))
        self._rows = self._owners[self._starts]

    def of(self, frame: Frame) -> Float64:
        """[bodies, 4] the box round each body's shapes; ``NOWHERE`` for a removed one."""
        boxes = np.tile(np.array(NOWHERE), (self._count, 1))
        if not len(self._points):
            return boxes
        placed = np.empty_like(self._points)
        _native.place_points(self._points, self._owners, frame.pose, (1.0, 0.0, 1.0, 0.0), placed)
        found = np.concatenate(
            [
                np.minimum.reduceat(placed - self._radii, self._starts),
                np.maximum.reduceat(placed + self._radii, self._starts),
            ],
            axis=1,
        )
        there = np.isfinite(found).all(axis=1) & frame.alive[self._rows]
        boxes[self._rows[there]] = found[there]
        return boxes


def box_of(row: Float64) -> Box:
    """A row of boxes as a box."""
    x0, y0, x1, y1 = (float(number) for number in row)
    return (x0, y0, x1, y1)


def merged(boxes: Float64) -> Box:
    """The box round boxes [n, 4]; ``NOWHERE`` round none."""
    if not len(boxes):
        return NOWHERE
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def is_somewhere(box: Box) -> bool:
    return box[0] <= box[2] and box[1] <= box[3]


def union(first: Box, second: Box) -> Box:
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )


def intersection(first: Box, second: Box) -> Box | None:
    box = (
        max(first[0], second[0]),
        max(first[1], second[1]),
        min(first[2], second[2]),
        min(first[3], second[3]),
    )
    return box if is_somewhere(box) else None


def inflate(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def extent(box: Box) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def gap(first: Box, second: Box) -> float:
    """How far two boxes are apart along the axis along which they are farther apart."""
    aside = max(first[0] - second[2], second[0] - first[2], 0.0)
    above = max(first[1] - second[3], second[1] - first[3], 0.0)
    return max(aside, above)
