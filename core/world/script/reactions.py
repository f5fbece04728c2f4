# SPDX-License-Identifier: MIT
"""The state of what follows steps: events, actions that are due, spawners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...scene.event_model import Action
from ...scene.script import Control
from ..naming.named_parts import NamedParts
from ..saved import fixed, listed, need, optional, record, whole
from ..saved import word as one_word
from .action_state import ActionState
from .copies import ASKED, Copies
from .event_conditions import FOUND, Occurrence, found_of
from .event_state import EventState
from .program.asked import asked_actions
from .spawners import Spawners


class Reactions:
    """What a world's script has besides keys and animations, by names.

    Attributes:
        ending: the outcome of the run, and its last step; None while it runs.
        waiting: the events with actions that are due, each with the step after which they are.
        asked: the actions of the scene's own keys and inputs, by their paths.
    """

    def __init__(self, world: NamedParts, copies: Copies, *, begins: bool = True) -> None:
        """``begins`` is true without a saved state."""
        scene = world.roster.scene
        self.world = world
        self.copies = copies
        self.acting = ActionState(world, dict(scene.state), copies)
        self.finder = EventState(world, scene.events, copies)
        self.ending: tuple[str, int] | None = None
        self.waiting: list[tuple[int, Occurrence]] = []
        self.spawners = Spawners(world)
        asked = asked_actions(scene)
        # They come before events, the last of them what keys of copies do.
        self._places = {path: place - len(asked) + ASKED for place, path in enumerate(asked)}
        self.asked: Mapping[str, tuple[Action, ...]] = asked
        if self.finder.listens:
            world.native.enable_contact_events(True)
        if begins:
            self.finder.begin(self.acting.state)

    def path_asked(self, order: tuple[int, int, int]) -> str:
        """The path of what was asked for, by its place in the order of events."""
        number, _, place = order
        if number != ASKED:
            return [*self._places][number + len(self._places) - ASKED]
        copy = self.copies.copy_of(Occurrence("", order))
        assert copy is not None
        return copy.asked_path(place)

    # ------------------------------------------------------------ saving

    SAVED = record(
        ending=optional(fixed(one_word("win", "lose", "pass", "fail"), whole())),
        waiting=listed(fixed(whole(), FOUND)),
        spawners=Spawners.SAVED,
        acting=ActionState.SAVED,
        finder=EventState.SAVED,
    )

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "ending": self.ending,
            "waiting": [[step, found.save()] for step, found in self.waiting],
            "spawners": self.spawners.save(),
            "acting": self.acting.save(),
            "finder": self.finder.save(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``. Raises UnfitError for data that no
        world of the scene saves."""
        ending = saved["ending"]
        self.ending = None if ending is None else (ending[0], ending[1])
        self.waiting = [(step, found_of(each)) for step, each in saved["waiting"]]
        for i, (_, found) in enumerate(self.waiting):
            need(self._is_known(found), f"waiting[{i}]", "the scene has no such event")
        self.spawners.restore(saved["spawners"])
        self.acting.restore(saved["acting"])
        self.finder.restore(saved["finder"])

    def _is_known(self, found: Occurrence) -> bool:
        """Return whether detected events have actions."""
        number, serial, place = found.order
        if number != ASKED and number < 0:
            return found.rule in self.asked and self._places[found.rule] == number
        if number == ASKED and found.rule in self.asked and self._places[found.rule] == number:
            return True
        if number == ASKED:
            copy = self.copies.all.get(serial) or self.copies.gone.get(serial)
            return copy is not None and 0 <= place < 2 * len(copy.plan.keys)
        return self.finder.knows(found)


def asked_of(keys: Mapping[str, Control], found: Occurrence) -> tuple[Action, ...]:
    """The actions of a copy's key that was pressed or released; ``keys`` are the copy's."""
    released, place = divmod(found.order[2], len(keys))
    control = [*keys.values()][place]
    return control.released if released else control.actions
