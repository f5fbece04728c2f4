# SPDX-License-Identifier: MIT
"""The values of plots in pictures at the steps between two frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..record.channels import Channel, resolve_channels
from ..record.frame import Passed
from ..scene.model import Scene
from ..scene.readings import plotted
from .moments import ChannelReader
from .naming.parts import WorldParts

Float64 = NDArray[np.float64]

MOST_ROWS = 10_000
"""So many steps are kept at most by one who reads step by step; of more, the latest."""


class PlottedSteps:
    """Stores the values of plots until a frame takes them.

    Attributes:
        channels: the channels of plots.
    """

    def __init__(self, scene: Scene | None = None, more: Sequence[str] = ()) -> None:
        """``more`` are state names that others than plots read; without a scene nothing is read."""
        self.channels: Sequence[Channel] = ()
        if scene is not None:
            names = dict.fromkeys([*plotted(scene), *more])
            self.channels = resolve_channels(scene, list(names)) if names else ()
        self._rows: list[tuple[Float64, Float64]] = []
        self._version = -1
        self._reader: ChannelReader | None = None

    def add(self, times: Float64, values: Float64) -> None:
        """Keep steps: their ``times`` [steps] and ``values`` [steps, channels]."""
        self._rows.append((times, values))

    def read(self, world: WorldParts) -> None:
        """Store the present values of the channels, after a step."""
        if not self.channels:
            return
        if self._reader is None or self._version != world.roster.version:
            self._reader, self._version = ChannelReader(world, self.channels), world.roster.version
        self.add(np.array([world.time]), self._reader.read(world).reshape(1, -1))
        del self._rows[:-MOST_ROWS]

    def take(self) -> Passed | None:
        """Take the stored steps without the last one, which is the frame's own."""
        if not self.channels:
            return None
        rows, self._rows = self._rows, []
        times = np.concatenate([np.empty(0), *(each for each, _ in rows)])[:-1]
        none = np.empty((0, len(self.channels)))
        values = np.concatenate([none, *(each for _, each in rows)])[:-1]
        return Passed(tuple(channel.name for channel in self.channels), times, values)
