# SPDX-License-Identifier: MIT
"""The values of plots in pictures at the steps between two frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..record.channels import Channel, resolve_channels
from ..record.frame import Passed
from ..scene.model import Scene
from ..scene.readings import plotted, trail_readings
from .moments import ChannelReader
from .naming.parts import WorldParts

Float64 = NDArray[np.float64]

MOST_ROWS = 10_000
"""So many steps are kept at most by one who reads step by step; of more, the latest."""


class PlottedSteps:
    """Stores the values of plots until a frame takes them.

    Attributes:
        channels: the channels of plots, and of the trails of those that were born and are there.
    """

    def __init__(self, scene: Scene | None = None, more: Sequence[str] = ()) -> None:
        """``more`` are state names that others than plots read; without a scene nothing is read."""
        self._own: tuple[Channel, ...] | None = None
        if scene is not None:
            names = dict.fromkeys([*plotted(scene), *more])
            self._own = resolve_channels(scene, names) if names else ()
        self.channels: Sequence[Channel] = self._own or ()
        self._rows: list[tuple[Sequence[Channel], Float64, Float64]] = []
        self._version = -1
        self._reader: ChannelReader | None = None

    def follow(self, scene: Scene) -> None:
        """Read the trails of other bodies than before: of those that are in the world now."""
        if self._own is None:
            return
        known = {channel.name for channel in self._own}
        born = [name for name in trail_readings(scene) if name not in known]
        if born or len(self.channels) > len(self._own):
            self.channels = (*self._own, *(resolve_channels(scene, born) if born else ()))

    def add(self, times: Float64, values: Float64) -> None:
        """Keep steps: their ``times`` [steps] and ``values`` [steps, channels]."""
        self._rows.append((self.channels, times, values))

    def read(self, world: WorldParts) -> None:
        """Store the present values of the channels, after a step."""
        if self._reader is None or self._version != world.roster.version:
            self.follow(world.scene)
            self._reader, self._version = ChannelReader(world, self.channels), world.roster.version
        if not self.channels:
            return
        self.add(np.array([world.time]), self._reader.read(world).reshape(1, -1))
        del self._rows[:-MOST_ROWS]

    def take(self) -> Passed | None:
        """Take the stored steps without the last one, which is the frame's own."""
        if not (self.channels or self._rows):
            return None
        rows, self._rows = self._rows, []
        names = dict.fromkeys(each.name for channels, _, _ in rows for each in channels)
        names |= dict.fromkeys(each.name for each in self.channels)
        column = {name: k for k, name in enumerate(names)}
        times = np.concatenate([np.empty(0), *(each for _, each, _ in rows)])
        values = np.full((len(times), len(names)), np.nan)
        first = 0
        for channels, each, part in rows:
            values[first : first + len(each), [column[c.name] for c in channels]] = part
            first += len(each)
        return Passed(tuple(names), times[:-1], values[:-1])
