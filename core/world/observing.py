# SPDX-License-Identifier: MIT
"""A step that is observed: the numbers of the engine's solver, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._native import ROW_MODES, ROW_PARTS, STAGES, World
from .failures import raise_error
from .naming.parts import WorldParts
from .removals import settle
from .stepping import end_stretch, next_stop

__all__ = ["ROW_MODES", "ROW_PARTS", "STAGES", "Observed", "observe"]


@dataclass(frozen=True, slots=True)
class Observed:
    """What ``_native.World.observe_step`` tells of a step, and the engine as it was before it."""

    numbers: Mapping[str, Any]
    before: World
    only: int

    def again(self, substeps: int) -> Observed:
        """The same step in another number of substeps."""
        numbers = self.before.observe_step(self.only, substeps)
        return Observed(numbers, self.before, self.only)


def observe(world: WorldParts, only: int = -1) -> Observed:
    """Do one step, and note what the solver does; ``only``: of the rows of that body."""
    raise_error(world)
    next_stop(world, world.step_count + 1)
    before = world.native.fork()
    numbers = world.native.observe_step(only)
    settle(world)
    raise_error(world)
    end_stretch(world)
    return Observed(numbers, before, only)
