# SPDX-License-Identifier: MIT
"""How the engine runs a scene for a batch."""

from __future__ import annotations

from dataclasses import dataclass

from ..scene.model import Scene
from ..world.driver import SAME_STEP
from ..world.saving import step_of


@dataclass(frozen=True, slots=True)
class Engine:
    """How a scene is run: how fast, and from where.

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
