# SPDX-License-Identifier: MIT
"""A step that is observed: the numbers of the engine's solver, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._native import ROW_MODES, ROW_PARTS, STAGES, World
from .building.actuator_rows import is_joint
from .failures import raise_error
from .naming.ids import slot_of
from .naming.parts import WorldParts
from .removals import settle
from .stepping import end_stretch, next_stop

__all__ = ["ROW_MODES", "ROW_PARTS", "STAGES", "Observed", "joints_by_slot", "observe"]


@dataclass(frozen=True, slots=True)
class Observed:
    """A step: the records of ``_native.World.observe_step``, the velocities [n, 3] of all bodies
    at its end, and the engine as it was before it."""

    numbers: Mapping[str, Any]
    after: NDArray[np.float64]
    before: World
    only: int

    def again(self, substeps: int) -> Observed:
        """The same step in another number of substeps."""
        numbers = self.before.observe_step(self.only, substeps)
        last = numbers["bodies"][numbers["bodies"]["substep"] == numbers["substeps"]]
        after = self.after.copy()
        after[last["body"]] = np.stack([last["vx"], last["vy"], last["omega"]], axis=1)
        return Observed(numbers, after, self.before, self.only)


def observe(world: WorldParts, only: int = -1) -> Observed:
    """Do one step, and note what the solver does; ``only``: of the rows of that body."""
    raise_error(world)
    next_stop(world, world.step_count + 1)
    before = world.native.fork()
    native = world.native
    numbers = native.observe_step(only)
    after = np.stack([native.vx, native.vy, native.omega], axis=1).astype(np.float64)
    if native.error is None:
        end_stretch(world)
    settle(world)
    raise_error(world)
    return Observed(numbers, after, before, only)


def joints_by_slot(world: WorldParts) -> dict[int, tuple[str, str]]:
    """The names and types of all joints, and of the actuators that the engine has as joints."""
    roster, actuators = world.roster, world.actuators
    found = {
        slot_of(number): (name, roster.joints[name].kind)
        for name, number in roster.joint_ids.items()
        if name in roster.joints
    }
    for name in actuators.definitions:
        actuator = actuators.get(name)
        if not is_joint(actuator):
            continue
        parts = actuators.parts(name)
        for slot, body in parts:
            of = f"[{roster.body_name(body)}]" if len(parts) > 1 else ""
            found[slot] = f"{name}{of}", actuator.kind
    return found
