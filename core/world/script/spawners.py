# SPDX-License-Identifier: MIT
"""Spawners of a running world: births that are due, and copies that exist."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any

from ...scene.event_model import Formula, Spawner
from ..naming.named_parts import NamedParts
from ..saved import fixed, known, listed, same_names, table, text, whole
from .action_executor import ActionExecutor
from .copies import Copies
from .copy import Copy, EventValues
from .ends import still_there
from .event_conditions import SAME_TIME

_Births = list[tuple[str, ...]]


class Spawners:
    """The spawners of a scene and of the copies in it.

    Attributes:
        spawned: the number of births of each of the scene's spawners.
        living: the bodies of spawners with ``alive``, birth by birth.
    """

    def __init__(self, world: NamedParts, acting: ActionExecutor, copies: Copies) -> None:
        self.world, self.copies = world, copies
        self._acting, self._spawning = acting, acting.spawning
        self._dt = world.roster.scene.world.dt
        self.spawned = dict.fromkeys(world.roster.scene.spawners, 0)
        self.living: dict[str, _Births] = {}

    def spawn(self, step: int, begun: tuple[int, int] = (0, 0)) -> None:
        """Execute the spawns due after a step: the scene's, then those of copies.

        ``begun`` are how many spawners are done, and how many spawns of the next one.
        """
        first, done = begun
        number = len(self.spawned)
        for i, (name, spawner) in enumerate(self.world.roster.scene.spawners.items()):
            if i < first:
                continue
            path, due = f"spawners.{name}", self._due(spawner, step)
            due -= done if i == first else 0
            if spawner.guard or spawner.alive is not None:
                self._one_by_one(spawner, path, due, self.spawned, self.living, None)
                continue
            while count := _allowed(spawner, due, self.spawned[name]):
                state = self._acting.state
                born = self._spawning.spawn_many(spawner.spawn, count, path, state)
                self.spawned[name] += born
                due -= count
        for copy in [each for each in self.copies.all.values() if each.plan.spawners]:
            for name, spawner in copy.plan.spawners.items():
                path = f"prototypes.{copy.use}.spawners.{name}"
                due = self._due(spawner, step - copy.born) - (done if number == first else 0)
                number += 1
                if number <= first:
                    continue
                self._one_by_one(spawner, path, due, copy.spawned, copy.living, copy)

    def _one_by_one(
        self,
        spawner: Spawner,
        path: str,
        due: int,
        spawned: dict[str, int],
        living: dict[str, _Births],
        copy: Copy | None,
    ) -> None:
        """Execute spawns one by one, since each may affect the next."""
        name, state = spawner.name, self._acting.state
        for _ in range(due):
            if not _allowed(spawner, 1, spawned.get(name, 0)):
                break
            event = EventValues(self.world, {}, {}, copy)
            if not self._may(spawner, path, living, event):
                break  # nor may those after it, since nothing happens in between
            born = self._spawning.spawn(spawner.spawn, path, state, event, {}, copy)
            if born is None:
                continue
            spawned[name] = spawned.get(name, 0) + 1
            if spawner.alive is not None:
                living[name].append(born)

    def _may(
        self, spawner: Spawner, path: str, living: dict[str, _Births], event: EventValues
    ) -> bool:
        """Whether a due spawn is executed."""
        if spawner.alive is not None:
            there = living[spawner.name] = still_there(self.world, living.get(spawner.name, ()))
            if len(there) >= spawner.alive:
                return False
        if not spawner.guard:
            return True
        guard = Formula(spawner.guard, f"{path}.if")
        return bool(self._acting.formulas.work_out(guard, self._acting.state, event))

    def _due(self, spawner: Spawner, step: int) -> int:
        """Number of spawns due after a step since the spawner's start."""
        every, start = spawner.every, spawner.start
        if step < 1:
            return 0
        time = min(step * self._dt, spawner.until)
        turns = floor((time - start) / every + SAME_TIME) + 1
        before = floor(((step - 1) * self._dt - start) / every + SAME_TIME) + 1
        if step == 1:
            before = 0
        if spawner.until <= start + (turns - 1 + SAME_TIME) * every:
            turns -= 1
        return max(0, turns) - max(0, before)

    SAVED = fixed(table(whole()), table(listed(listed(text))))

    def save(self) -> list[Any]:
        """The state that determines all later steps, as JSON data."""
        return [self.spawned, self.living]

    def restore(self, saved: list[Mapping[str, Any]]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``. Raises UnfitError for others."""
        spawned, living = saved
        same_names(spawned, self.spawned, "spawners")
        known(living, self.spawned, "spawners", "spawner")
        self.spawned = dict(spawned)
        self.living = {
            name: [tuple(bodies) for bodies in births] for name, births in living.items()
        }


def _allowed(spawner: Spawner, due: int, spawned: int) -> int:
    """Number of due spawns that the spawner's limits allow."""
    return max(0, due if spawner.most is None else min(due, spawner.most - spawned))
