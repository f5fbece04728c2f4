# SPDX-License-Identifier: MIT
"""The least and largest loads of joints between two moments that are shown, step by step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..world import World
from ..world.removals import lineup

Float64 = NDArray[np.float64]
NOTHING = (np.inf, -np.inf, np.inf, -np.inf)


class Loads:
    """The least and largest loads of joints since they were last taken, also between pictures.

    Attributes:
        wanted: whether a page shows loads; without one they are not recorded.
    """

    def __init__(self) -> None:
        self.wanted = False
        self._ends: Float64 = np.empty((0, 4))

    def see(self, world: World) -> None:
        """Note the loads of the last step."""
        if not self.wanted:
            return
        rows = world.native.joint_state()
        x, y = rows["force_x"], rows["force_y"]
        force, torque = np.sqrt(x * x + y * y), rows["torque"]
        more = len(rows) - len(self._ends)
        if more > 0:
            self._ends = np.vstack([self._ends, np.tile(NOTHING, (more, 1))])
        ends = self._ends[: len(rows)]
        np.minimum(ends[:, 0], force, out=ends[:, 0])
        np.maximum(ends[:, 1], force, out=ends[:, 1])
        np.minimum(ends[:, 2], torque, out=ends[:, 2])
        np.maximum(ends[:, 3], torque, out=ends[:, 3])

    def take(self, world: World) -> Float64 | None:
        """[joints, 4] least and largest force and torque, in the order of frames; None for none."""
        ends, self._ends = self._ends, np.empty((0, 4))
        slots = lineup(world).joint_slots
        if not len(ends) or not len(slots) or slots.max() >= len(ends):
            return None
        taken: Float64 = ends[slots]
        return taken if np.isfinite(taken).all() else None
