# SPDX-License-Identifier: MIT
"""The state of actions: variables, joints that were attached, births and lifetimes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..naming.named_parts import NamedParts
from ..saved import listed, need, number, record, same_names, table, text, whole
from .copies import Copies
from .ends import Lifetimes
from .spawning import Spawning


class ActionState:
    """The state of the actions of one world.

    Attributes:
        state: the state variables.
        uses: how often each random value was drawn, by its path in the file.
        spawning: the names and numbers of births.
        attached: the joints that actions attached and that were not detached, by name.
    """

    def __init__(self, world: NamedParts, state: dict[str, float], copies: Copies) -> None:
        self.world = world
        self.state = state
        self.uses: dict[str, int] = {}
        self.spawning = Spawning(world, copies)
        self.attached: dict[str, list[str]] = {}

    # ------------------------------------------------------------ saving

    SAVED = record(
        state=table(number),
        attached=table(listed(text)),
        uses=table(whole()),
        counts=table(whole()),
        births=whole(),
        ends=Lifetimes.SAVED,
    )

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "state": self.state,
            "attached": self.attached,
            "uses": self.uses,
            "counts": self.spawning.counts,
            "births": self.spawning.births,
            "ends": self.spawning.ends.save(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``. Raises UnfitError for others."""
        same_names(saved["state"], self.state, "acting.state")
        self.state = dict(saved["state"])
        for name, joints in saved["attached"].items():
            for each in joints:
                is_own = re.fullmatch(re.escape(name) + r"\[\d{1,15}\]", each, re.ASCII)
                need(is_own, f"acting.attached.{name}", f"{each} is no joint of that name")
        self.attached = {name: list(joints) for name, joints in saved["attached"].items()}
        self.uses = dict(saved["uses"])
        self.spawning.counts = dict(saved["counts"])
        self.spawning.births = saved["births"]
        self.spawning.ends.restore(saved["ends"])
