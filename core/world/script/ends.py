# SPDX-License-Identifier: MIT
"""Lifetimes of spawned bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..saved import fixed, listed, text, whole
from ..spawning import remove
from .event_conditions import ceil_step

_NEVER = 1 << 62


class Lifetimes:
    """Spawned bodies with lifetimes, by the step after which they are removed."""

    def __init__(self, world: NamedParts) -> None:
        self._world, self._dt = world, world.roster.scene.world.dt
        self._due: list[tuple[int, int, tuple[str, ...]]] = []
        self._births = 0  # orders removals of one step

    def add(self, step: int, lifetime: float, bodies: tuple[str, ...]) -> None:
        """Schedule the removal of the bodies spawned after a step, at the end of their lifetime."""
        due = step + max(1, ceil_step(lifetime, self._dt))
        heappush(self._due, (due, self._births, bodies))
        self._births += 1

    @property
    def next(self) -> int:
        """The first step after which bodies are removed."""
        return self._due[0][0] if self._due else _NEVER

    @property
    def given(self) -> int:
        """The number of all lifetimes so far."""
        return self._births

    @property
    def entries(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """The removals to come, with their order in a step."""
        return sorted(self._due)

    @property
    def pending(self) -> list[tuple[int, tuple[str, ...]]]:
        """The removals to come: the step after which they are due, and the bodies."""
        return [(step, bodies) for step, _, bodies in sorted(self._due)]

    def take_out(self, step: int) -> None:
        """Remove the bodies whose lifetime is over, if they still exist."""
        while self._due and self._due[0][0] <= step:
            for name in heappop(self._due)[2]:
                if is_there(self._world, name):
                    remove(self._world, name)

    SAVED = fixed(whole(), listed(fixed(whole(), whole(), listed(text))))

    def save(self) -> list[Any]:
        """The state that determines all later steps, as JSON data."""
        return [self._births, sorted(self._due)]

    def restore(self, saved: Sequence[Any]) -> None:
        """Restore the data of ``save``."""
        self._births, due = saved
        self._due = [(step, number, tuple(bodies)) for step, number, bodies in due]
        heapify(self._due)


def still_there(world: NamedParts, births: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The spawns with an existing body."""
    return [bodies for bodies in births if any(is_there(world, name) for name in bodies)]
