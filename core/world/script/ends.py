# SPDX-License-Identifier: MIT
"""Lifetimes of spawned bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..saved import fixed, listed, text, whole


class Lifetimes:
    """Spawned bodies with lifetimes, by the step after which they are removed."""

    def __init__(self) -> None:
        self._due: list[tuple[int, int, tuple[str, ...]]] = []
        self._births = 0  # orders removals of one step

    @property
    def given(self) -> int:
        """The number of all lifetimes so far."""
        return self._births

    @property
    def entries(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """The removals to come, with their order in a step."""
        return self._due

    @property
    def pending(self) -> list[tuple[int, tuple[str, ...]]]:
        """The removals to come: the step after which they are due, and the bodies."""
        return [(step, bodies) for step, _, bodies in self._due]

    SAVED = fixed(whole(), listed(fixed(whole(), whole(), listed(text))))

    def save(self) -> list[Any]:
        """The state that determines all later steps, as JSON data."""
        return [self._births, self._due]

    def restore(self, saved: Sequence[Any]) -> None:
        """Restore the data of ``save``."""
        self._births, due = saved
        self._due = sorted((step, number, tuple(bodies)) for step, number, bodies in due)
