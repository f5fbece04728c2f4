# SPDX-License-Identifier: MIT
"""The history of events: which happened once, and which cool down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ..naming.parts import WorldParts
from ..saved import Check, fixed, listed, whole

_Key = tuple[int, int, int]


class Cooling:
    """The events of a world that happened and have a cooldown.

    Attributes:
        until: the step after which each may happen again, by the rule's number and two ids of
            bodies.
        pruned: the number of them above which those that are over are forgotten.
    """

    def __init__(self, world: WorldParts) -> None:
        self._world = world
        self.until: dict[_Key, int] = {}
        self.pruned = 1024

    def _now(self) -> dict[_Key, int]:
        """The cooldowns that continue after the last step."""
        step = self._world.step_count
        return {key: until for key, until in self.until.items() if step < until}

    SAVED = listed(fixed(whole(), whole(), whole(), whole()))

    def save(self) -> list[list[int]]:
        """The state that determines all later steps, as JSON data."""
        return sorted([*key, until] for key, until in self._now().items())

    def restore(self, saved: Sequence[Sequence[int]]) -> None:
        """Restore the data of ``save``."""
        self.until = {(i, a, b): until for i, a, b, until in saved}
        self.pruned = max(1024, 2 * len(self.until))


class EventHistory:
    """The history of events of one world.

    Attributes:
        fired: the numbers of rules with ``once`` that have happened.
        pairs: rules that happen once per pair of bodies, with the ids of the pairs.
        pruned: the number of pairs above which those of removed bodies are forgotten.
    """

    def __init__(self, world: WorldParts) -> None:
        self.fired: set[int] = set()
        self.pairs: set[tuple[int, int, int]] = set()
        self.pruned = 1024
        self.cooling = Cooling(world)

    # ------------------------------------------------------------ saving

    SAVED: ClassVar[dict[str, Check]] = {
        "fired": listed(whole()),
        "pairs": listed(fixed(whole(), whole(), whole())),
        "pruned": whole(),
        "cooling": Cooling.SAVED,
    }

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "fired": sorted(self.fired),
            "pairs": sorted(map(list, self.pairs)),
            "pruned": self.pruned,
            "cooling": self.cooling.save(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``."""
        self.fired = set(saved["fired"])
        self.pairs = {(i, a, b) for i, a, b in saved["pairs"]}
        self.pruned = saved["pruned"]
        self.cooling.restore(saved["cooling"])
