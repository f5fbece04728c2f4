# SPDX-License-Identifier: MIT
"""The state from which the events of a scene are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...record.recorder import Event
from ...scene.event_model import EventRule
from ...scene.model import Body
from ..events import EVENT_KINDS
from ..naming.ids import SLOTS, slot_of
from ..naming.named_parts import NamedParts
from ..saved import fixed, flag, listed, need, record, text, whole, word
from ..saved import number as finite
from .copies import NUMBERS, Copies
from .event_conditions import (
    LISTENS,
    Death,
    Occurrence,
)
from .event_history import EventHistory
from .formulas import Conditions

Ids = NDArray[np.int64]
OF_A_TOUCH = ("$point.x", "$point.y", "$normal.x", "$normal.y", "$impulse")


class EventState:
    """What was so after the last step, and what has happened since.

    Attributes:
        was: the conditions that held.
        told, deaths, ends: events of the engine, removed bodies and removed joints from which no
            event was found yet.
        copies_begun: the number of copies with initialized conditions.
        inside: for each rule of ``leave`` the ids of the bodies inside its region.
        acted: the actuators that acted during the last step, if an event asks for it.
    """

    def __init__(self, world: NamedParts, rules: Sequence[EventRule], copies: Copies) -> None:
        self.world = world
        self.rules = rules
        self.copies = copies
        self.copies_begun = 0
        self.by_kind: dict[str, list[int]] = {}
        for i, rule in enumerate(rules):
            self.by_kind.setdefault(rule.kind, []).append(i)
        conditions = [rules[i] for i in self.by_kind.get("condition", ())]
        self._conditions = Conditions(
            world, [rule.condition for rule in conditions], [rule.path for rule in conditions]
        )
        self.was = [False] * len(conditions)
        self.turns = EventHistory(world)
        nobody = np.empty(0, np.int64)
        self.inside: dict[int, Ids] = dict.fromkeys(self.by_kind.get("leave", ()), nobody)
        self.told: list[Event] = []
        self.deaths: list[Death] = []
        self.acted: set[str] = set()
        self.ends: list[str] = []
        self._members: dict[int, tuple[int, Ids]] = {}
        self._hears = any(kind in self.by_kind for kind in LISTENS)

    @property
    def listens(self) -> bool:
        """Whether begin and end events of contacts are needed."""
        return self._hears or self.copies.listens

    def begin(self, state: Mapping[str, float]) -> None:
        """Initialize conditions, so that those true at the start do not count as becoming true."""
        if self.was:
            self.was = self._conditions.look(self.world, state)
        for i in self.inside:
            self.inside[i] = self._inside(i)

    def note_death(self, body: Body, number: int) -> None:
        """Note a removed body, if an event asks for it."""
        if self.asks_for(body.name in self.copies.of_bodies):
            native, slot = self.world.native, slot_of(number)
            place = float(native.x[slot]), float(native.y[slot])
            self.deaths.append((body.name, number, body.tags, *place))

    def note_end(self, joint: str) -> None:
        """Note a removed joint, if an event asks for it."""
        if self.asks_for_ends(bool(self.copies.all)):
            self.ends.append(joint)

    def asks_for(self, is_copied: bool) -> bool:
        """Whether an event asks for the removal of a body, which may be one of a copy."""
        return "deleted" in self.by_kind or bool(self.inside) or is_copied

    def asks_for_ends(self, has_copies: bool) -> bool:
        """Whether an event asks for the removal of joints, also where there are copies."""
        return "deleted" in self.by_kind or has_copies

    def member_ids(self, i: int) -> Ids:
        """The ids of the bodies of a rule of ``leave``."""
        roster = self.world.roster
        kept = self._members.get(i)
        if kept is None or kept[0] != roster.version:
            (who,) = self.rules[i].who
            if who.tag:
                table = roster.tagged.get(who.tag, {})
            else:
                table = {name: roster.ids[name] for name in who.bodies if name in roster.ids}
            ids = np.fromiter(table.values(), np.int64, len(table))
            kept = self._members[i] = roster.version, ids
        return kept[1]

    def _inside(self, i: int) -> Ids:
        """The ids of the bodies of a rule that are inside its region."""
        native, ids = self.world.native, self.member_ids(i)
        slots = ids & SLOTS
        region = self.rules[i].region
        assert region is not None
        (x0, y0), (x1, y1) = region
        x, y = native.x[slots], native.y[slots]
        is_in = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1) & (native.alive[slots] != 0)
        inside: Ids = ids[is_in]
        return inside

    def knows(self, found: Occurrence) -> bool:
        """Whether the scene has the event of a saved occurrence."""
        i = found.order[0]
        if not (self.knows_name(found.a) and self.knows_name(found.b)):
            return False
        if i < len(self.rules):
            return self.rules[i].path == found.rule
        return self._has_number(i) and self.copies.rule_of(found).path == found.rule

    def _has_number(self, i: int) -> bool:
        """Whether a copy has a rule of this number."""
        serial, place = divmod(i - len(self.rules), NUMBERS)
        copy = self.copies.all.get(serial) or self.copies.gone.get(serial)
        return copy is not None and place < len(copy.plan.rules)

    def knows_name(self, name: str) -> bool:
        """Whether an object has, or had, a name; true for the empty name and the world."""
        return name in ("", "world") or self.world.roster.was(name)

    def rule_of(self, found: Occurrence) -> EventRule:
        """The event that was found."""
        number = found.order[0]
        return self.rules[number] if number < len(self.rules) else self.copies.rule_of(found)

    # ------------------------------------------------------------ saving

    SAVED = record(
        was=listed(flag),
        inside=listed(fixed(whole(), listed(whole()))),
        **EventHistory.SAVED,
        told=listed(fixed(whole(), word(*EVENT_KINDS), text, text)),
        deaths=listed(fixed(text, whole(), listed(text), finite, finite)),
        ends=listed(text),
        acted=listed(text),
    )

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "was": self.was,
            "inside": [[i, sorted(ids.tolist())] for i, ids in sorted(self.inside.items())],
            **self.turns.save(),
            "told": [[each.step, each.kind, each.a, each.b] for each in self.told],
            "deaths": [list(death) for death in self.deaths],
            "ends": self.ends,
            "acted": sorted(self.acted),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``. Raises UnfitError for other rules."""
        need(len(saved["was"]) == len(self.was), "finder.was", "the scene has other conditions")
        rules = [i for i, _ in saved["inside"]]
        need(rules == sorted(self.inside), "finder.inside", "the scene has other regions")
        for i, ids in saved["inside"]:
            count = self.world.native.body_count
            right = all(slot_of(each) < count for each in ids)
            need(right, f"finder.inside[{i}]", "has a body that the engine has no place for")
        for _, _, *names in saved["told"]:
            need(all(map(self.knows_name, names)), "finder.told", f"nobody was called {names}")
        self.was = list(saved["was"])
        self.inside = {i: np.array(ids, np.int64) for i, ids in saved["inside"]}
        self.turns.restore(saved)
        self.deaths = [
            (name, number, tuple(tags), x, y) for name, number, tags, x, y in saved["deaths"]
        ]
        self.told = [Event(*each) for each in saved["told"]]
        self.ends = list(saved["ends"])
        self.acted = set(saved["acted"])
        self._members = {}
        self.copies_begun = self.copies.births
