# SPDX-License-Identifier: MIT
"""The state of spawners: their births, and copies that exist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..naming.parts import WorldParts
from ..saved import fixed, known, listed, same_names, table, text, whole

_Births = list[tuple[str, ...]]


class Spawners:
    """The spawners of a scene.

    Attributes:
        spawned: the number of births of each of the scene's spawners.
        living: the bodies of spawners with ``alive``, birth by birth.
    """

    def __init__(self, world: WorldParts) -> None:
        self.spawned = dict.fromkeys(world.roster.scene.spawners, 0)
        self.living: dict[str, _Births] = {}

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
