# SPDX-License-Identifier: MIT
"""Execution options of the engine for jobs."""

from __future__ import annotations

from dataclasses import dataclass

from ..scene.model import Scene
from ..world.driver import SAME_STEP
from ..world.saving import step_of


@dataclass(frozen=True, slots=True)
class Engine:
    """Threads, lanes and start state of a run.

    Attributes:
        threads, lanes: as for ``World``.
        start: a state to begin at, or None for the scene's beginning.
    """

    threads: int = 1
    lanes: int = 0
    start: bytes | None = None

    def first_time(self, scene: Scene) -> float:
        """Return the scene time at the start of the run; no frame is before it."""
        if self.start is None:
            return 0.0
        return (step_of(self.start) - SAME_STEP) * scene.world.dt
