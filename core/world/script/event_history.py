# SPDX-License-Identifier: MIT
"""The history of events: whether an occurrence counts, and whether a due action is executed.

Events are handled in the order of the file. Each sees the world and the state after the actions of
earlier ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ...scene.event_model import EventRule, Formula
from ..naming.named_parts import NamedParts
from ..naming.parts import WorldParts
from ..naming.setters import is_there
from ..saved import Check, fixed, listed, whole
from .copies import Copies
from .copy import EventValues
from .event_conditions import Occurrence, ceil_step
from .formulas import ActionValues

_Key = tuple[int, int, int]


class Cooling:
    """The events of a world that happened and have a cooldown.

    Attributes:
        until: the step after which each may happen again, by the rule's number and two ids of
            bodies.
        pruned: the number of them above which those that are over are forgotten.
    """

    def __init__(self, world: WorldParts) -> None:
        self._world, self._dt = world, world.roster.scene.world.dt
        self.until: dict[_Key, int] = {}
        self.pruned = 1024

    def take(self, rule: EventRule, number: int, first: int, second: int) -> bool:
        """Whether an event may happen after the last step; if so its cooldown starts."""
        step = self._world.step_count
        pair = (min(first, second), max(first, second)) if rule.per_pair else (0, 0)
        key = (number, *pair)
        if step < self.until.get(key, 0):
            return False
        self.until[key] = step + ceil_step(rule.cooldown, self._dt)
        if len(self.until) > self.pruned:
            self.until = self._now()
            self.pruned = max(1024, 2 * len(self.until))
        return True

    def _now(self) -> dict[_Key, int]:
        """The cooldowns that continue after the last step."""
        step = self._world.step_count
        return {key: until for key, until in self.until.items() if step < until}

    SAVED = listed(fixed(whole(), whole(), whole(), whole()))

    def save(self) -> list[list[int]]:
        """The state that determines all later steps, as JSON data."""
        return sorted([*key, until] for key, until in self._now().items())

    def restore(self, saved: Sequence[Sequence[int]]) -> None:
        """Restore the data of ``save``."""
        self.until = {(i, a, b): until for i, a, b, until in saved}
        self.pruned = max(1024, 2 * len(self.until))


class EventHistory:
    """The history of events of one world.

    Attributes:
        fired: the numbers of rules with ``once`` that have happened.
        pairs: rules that happen once per pair of bodies, with the ids of the pairs.
        pruned: the number of pairs above which those of removed bodies are forgotten.
    """

    def __init__(self, world: NamedParts, copies: Copies) -> None:
        self.world, self.copies = world, copies
        self.fired: set[int] = set()
        self.pairs: set[tuple[int, int, int]] = set()
        self.pruned = 1024
        self.cooling = Cooling(world)
        self._guards = ActionValues(world)

    def take(self, found: Occurrence, rule: EventRule, state: Mapping[str, float]) -> bool:
        """Return whether a detected event happens: its ``if`` holds and no cooldown applies."""
        copy = self.copies.copy_of(found)
        number, first, second = found.order
        fired = self.fired if copy is None else copy.fired
        place = number if copy is None else self.copies.place_of(found)
        if rule.once == "run" and place in fired:
            return False
        if rule.guard and not self._holds(rule.guard, f"{rule.path}.if", found, state):
            return False
        if rule.cooldown and not self.cooling.take(rule, number, first, second):
            return False
        if rule.once == "pair":
            pair = (number, min(first, second), max(first, second))
            if pair in self.pairs:
                return False
            self.pairs.add(pair)
            self._prune()
        if rule.once == "run":
            fired.add(place)
        return True

    def is_dropped(self, found: Occurrence, rule: EventRule, state: Mapping[str, float]) -> bool:
        """Return whether due actions are cancelled."""
        return bool(rule.unless) and self._holds(rule.unless, f"{rule.path}.unless", found, state)

    def _holds(self, source: str, path: str, found: Occurrence, state: Mapping[str, float]) -> bool:
        """Whether an expression with the names of an event is true; false for removed bodies."""
        names = {"$a": found.a, "$b": found.b}
        if not all(is_there(self.world, name) for key, name in names.items() if key in source):
            return False
        event = EventValues(self.world, names, found.values or {}, self.copies.copy_of(found))
        return bool(self._guards.work_out(Formula(source, path), state, event))

    def _prune(self) -> None:
        """Forget pairs with a removed body, now and then."""
        if len(self.pairs) <= self.pruned:
            return
        has = self.world.native.has_body
        self.pairs = {each for each in self.pairs if has(each[1]) and has(each[2])}
        self.pruned = max(1024, 2 * len(self.pairs))

    # ------------------------------------------------------------ saving

    SAVED: ClassVar[dict[str, Check]] = {
        "fired": listed(whole()),
        "pairs": listed(fixed(whole(), whole(), whole())),
        "pruned": whole(),
        "cooling": Cooling.SAVED,
    }

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "fired": sorted(self.fired),
            "pairs": sorted(map(list, self.pairs)),
            "pruned": self.pruned,
            "cooling": self.cooling.save(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``."""
        self.fired = set(saved["fired"])
        self.pairs = {(i, a, b) for i, a, b in saved["pairs"]}
        self.pruned = saved["pruned"]
        self.cooling.restore(saved["cooling"])
