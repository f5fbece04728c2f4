# SPDX-License-Identifier: MIT
"""States of a run for rewinding."""

from __future__ import annotations

from bisect import bisect_right

MOST_STATES = 200
MOST_BYTES = 256 * 1024 * 1024
EVERY = 30
"""Steps between two states, as long as there is room for all."""


class History:
    """States by their steps. When there are too many, those go that lie closest for their age."""

    def __init__(self, most: int = MOST_STATES, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._steps: list[int] = []
        self._states: dict[int, bytes] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps that there are states of, ascending."""
        return tuple(self._steps)

    def wants(self, step: int) -> bool:
        """Whether the state after so many steps is to be kept."""
        return step % EVERY == 0 and step not in self._states

    def keep(self, step: int, state: bytes) -> None:
        """Keep a state, and let others go for it."""
        self._steps.insert(bisect_right(self._steps, step), step)
        self._states[step] = state
        self._bytes += len(state)
        while len(self._steps) > max(2, self._most) or (
            self._bytes > self._most_bytes and len(self._steps) > 2
        ):
            self._drop(self._closest())

    def before(self, step: int) -> tuple[int, bytes]:
        """The last state after at most so many steps, and how many. There is one of step 0."""
        found = self._steps[bisect_right(self._steps, step) - 1]
        return found, self._states[found]

    def forget_after(self, step: int) -> None:
        """Drop all states after a step, since the run continues differently."""
        for each in self._steps[bisect_right(self._steps, step) :]:
            self._drop(each)

    def _drop(self, step: int) -> None:
        self._steps.remove(step)
        self._bytes -= len(self._states.pop(step))

    def _closest(self) -> int:
        """The state whose removal leaves the smallest gap for its age."""
        steps, last = self._steps, self._steps[-1]
        inner = range(1, len(steps) - 1)
        at = min(inner, key=lambda i: (steps[i + 1] - steps[i - 1]) / (last - steps[i] + EVERY))
        return steps[at]
