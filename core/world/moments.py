# SPDX-License-Identifier: MIT
"""Reads channels of a world at its present moment.

The moment of a step is after its physics, the actions of its events and its births. All outputs
read the step at this moment: rows, expectations, frames, snapshots, outcomes, batches and programs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..record.channels import Channel
from .aggregates import tally
from .naming.parts import WorldParts
from .removals import settled

Float64 = NDArray[np.float64]


def reacts(world: WorldParts) -> bool:
    """Whether anything but physics may change a world at the end of a step."""
    return world.script is not None and world.script.reactions is not None


def shown_at(world: WorldParts) -> int:
    """Return the first step whose moment shows present changes: the last step while its
    actions are executed; the next one between two steps."""
    return world.step_count + (0 if world.acts else 1)


class ChannelReader:
    """Reads channels: those of the engine, state variables and aggregates.

    Additions to and removals from ``world`` require a new reader.

    Attributes:
        codes: [channels, 2] the engine's code and index of each.
        has_sums: whether any is an aggregate, which is known at the present moment only.
        variables: [state variables, 2] their columns, and their places in the scene's ``state``.
    """

    def __init__(self, world: WorldParts, channels: Sequence[Channel]) -> None:
        self.codes = np.ascontiguousarray(settled(world).channel_codes(channels))
        numbered = list(enumerate(channels))
        self._variables = [(i, each.quantity) for i, each in numbered if each.kind == "state"]
        self._sums = [(i, each) for i, each in numbered if each.is_sum]
        self.has_sums = bool(self._sums)
        self.has_variables = bool(self._variables)
        places = {name: place for place, name in enumerate(world.roster.scene.state)}
        rows = [(column, places[name]) for column, name in self._variables]
        self.variables = np.array(rows, np.int32).reshape(-1, 2)

    def read(self, world: WorldParts) -> Float64:
        """[channels] their values at the world's moment."""
        values: Float64 = world.native.sample(self.codes)
        self.complete(world, values)
        return values

    def complete(self, world: WorldParts, rows: Float64) -> None:
        """Fill the columns of values that the engine does not have."""
        self.complete_sums(world, rows)
        if self._variables:
            state = world.state
            for column, name in self._variables:
                rows[..., column] = state[name]

    def complete_sums(self, world: WorldParts, rows: Float64) -> None:
        """Fill the columns of aggregates."""
        for column, channel in self._sums:
            rows[..., column] = tally(world, channel)
