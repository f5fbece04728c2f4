# SPDX-License-Identifier: MIT
"""Cooldowns of events."""

from __future__ import annotations

from collections.abc import Sequence

from ...scene.event_model import EventRule
from ..naming.parts import WorldParts
from ..saved import fixed, listed, whole
from .event_conditions import ceil_step

_Key = tuple[int, int, int]


class Cooling:
    """The events of a world that happened and have a cooldown.

    Attributes:
        until: the step after which each may happen again, by the rule's number and two ids of
            bodies.
        pruned: the number of them above which those that are over are forgotten.
    """

    def __init__(self, world: WorldParts) -> None:
        self._world, self._dt = world, world.roster.scene.world.dt
        self.until: dict[_Key, int] = {}
        self.pruned = 1024

    def take(self, rule: EventRule, number: int, first: int, second: int) -> bool:
        """Whether an event may happen after the last step; if so its cooldown starts."""
        step = self._world.step_count
        pair = (min(first, second), max(first, second)) if rule.per_pair else (0, 0)
        key = (number, *pair)
        if step < self.until.get(key, 0):
            return False
        self.until[key] = step + ceil_step(rule.cooldown, self._dt)
        if len(self.until) > self.pruned:
            self.until = self._now()
            self.pruned = max(1024, 2 * len(self.until))
        return True

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
