# SPDX-License-Identifier: MIT
"""Maps: numbers at each pixel of a frame, worked out from its mask and the motion of bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..record.frame import Frame
from ..scene.values.portable_math import cos, sin
from ..scene.values.row_program import over_rows
from .measuring import BodyRows, state_of

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
UInt16 = NDArray[np.uint16]


class MotionMaps:
    """The motion of what each pixel shows, of one run.

    Bodies are rigid: of those that deform (bars) or are made of particles it is the motion of their
    frame of reference. The background is at rest.
    """

    def __init__(self, lineup: BodyRows, frames: Sequence[Frame], views: Float64) -> None:
        """``views`` [frames, 4] map the world to pixels."""
        state = state_of(lineup, frames, ("state",))
        still = np.zeros((len(frames), 1, 3))
        # Row 0 is the background, whose number in masks is 0.
        self._pose = np.concatenate([still, state["pose"]], axis=1)
        self._velocity = np.concatenate([still, state["velocity"]], axis=1)
        self._center = np.concatenate([still[..., :2], state["center"]], axis=1)
        here = np.ones((len(frames), 1), bool)
        self._alive = np.concatenate([here, state["alive"]], axis=1)
        self._cos = over_rows(cos, self._pose[..., 2])
        self._sin = over_rows(sin, self._pose[..., 2])
        self._views = views

    def velocity(self, frame: int, mask: UInt16) -> Float32:
        """[height, width, 2] the velocity of the point that a pixel shows: v + omega x r."""
        x, y = self._world(frame, mask)
        v, c = self._velocity[frame][mask], self._center[frame][mask]
        spin = v[..., 2]
        parts = [v[..., 0] - spin * (y - c[..., 1]), v[..., 1] + spin * (x - c[..., 0])]
        return np.stack(parts, axis=-1).astype(np.float32)

    def flow(self, frame: int, mask: UInt16) -> Float32:
        """[height, width, 2] how many pixels the point that a pixel shows moves until the next
        frame, to the right and down; nan where its body is not there any more, and in the last
        frame."""
        shape = (*mask.shape, 2)
        if frame + 1 == len(self._pose):
            return np.full(shape, np.nan, np.float32)
        x, y = self._world(frame, mask)
        dx, dy = x - self._pose[frame][mask][..., 0], y - self._pose[frame][mask][..., 1]
        c, s = self._cos[frame][mask], self._sin[frame][mask]
        across, up = c * dx + s * dy, c * dy - s * dx  # in the body's coordinates
        after = self._pose[frame + 1][mask]
        c, s = self._cos[frame + 1][mask], self._sin[frame + 1][mask]
        x, y = after[..., 0] + c * across - s * up, after[..., 1] + s * across + c * up
        scale_x, shift_x, scale_y, shift_y = self._views[frame + 1]
        columns, rows = _middles(mask)
        found = np.stack(
            [x * scale_x + shift_x - columns, y * scale_y + shift_y - rows], axis=-1
        ).astype(np.float32)
        found[~self._alive[frame + 1][mask]] = np.nan
        return found

    def _world(self, frame: int, mask: UInt16) -> tuple[Float64, Float64]:
        """The points of the world in the middles of pixels."""
        scale_x, shift_x, scale_y, shift_y = self._views[frame]
        columns, rows = _middles(mask)
        return (columns - shift_x) / scale_x, (rows - shift_y) / scale_y


def _middles(mask: UInt16) -> tuple[Float64, Float64]:
    """The middles of all pixels, x and y [height, width]."""
    middles: Float64 = np.indices(mask.shape).astype(np.float64) + 0.5
    return middles[1], middles[0]
