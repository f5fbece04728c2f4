# SPDX-License-Identifier: MIT
"""The values of an event, by the names in its actions."""

from __future__ import annotations

from collections.abc import Mapping

from ...record.channels import Channel
from ..aggregates import tally
from ..naming.named_parts import NamedParts
from .copy import Copy
from .formulas import OWN


def read(world: NamedParts, channel: Channel) -> float:
    """The present number of one channel."""
    if channel.is_sum:
        return tally(world, channel)
    return float(world.native.sample(world.roster.channel_codes([channel]))[0])


class EventValues(dict[str, float]):
    """The values of an event; the state of its bodies is read on demand.

    ``whose`` is the copy that has the event, with objects of its own.
    """

    def __init__(
        self,
        world: NamedParts,
        names: Mapping[str, str],
        values: Mapping[str, float],
        whose: Copy | None = None,
    ) -> None:
        super().__init__(values)
        self._world, self._names, self.whose = world, names, whose

    def __missing__(self, key: str) -> float:
        if self.whose is not None and key.startswith(OWN):
            value: float = self.whose.read(self._world, key.removeprefix(OWN))
        else:
            owner, _, quantity = key.partition(".")
            body = self._names[owner]
            value = read(self._world, Channel(key, "body", body, quantity))
        self[key] = value
        return value
