# SPDX-License-Identifier: MIT
"""Detects the events of a scene in a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...record.recorder import Event
from ...scene import limits
from ...scene.event_model import EventRule, Selector
from ...scene.model import Body
from ...scene.values.names import group_of
from ...scene.values.portable_math import total
from ..events import EVENT_KINDS
from ..naming.ids import SLOTS, slot_of
from ..naming.named_parts import NamedParts
from ..saved import fixed, flag, listed, need, record, text, whole, word
from ..saved import number as finite
from .copies import NUMBERS, Copies
from .copy_finding import CopyFinder
from .event_conditions import (
    LISTENS,
    OF_NAMED,
    SWITCHES,
    TOLD,
    Death,
    Occurrence,
    asks,
    due_after,
    is_about,
    is_within,
    times_due,
)
from .event_history import EventHistory
from .failure_messages import failure, too_many
from .formulas import Conditions

Ids = NDArray[np.int64]
_FIELDS = ("x", "y", "normal_x", "normal_y", "normal_impulse")
OF_A_TOUCH = ("$point.x", "$point.y", "$normal.x", "$normal.y", "$impulse")
EACH_STEP = (*TOLD.values(), "leave", "deleted", "condition")


class EventDetector:
    """Detects the events of a scene in each step.

    Attributes:
        inside: for each rule of ``leave`` the ids of the bodies inside its region.
        acted: the actuators that acted during the last step, if an event asks for it.
    """

    def __init__(self, world: NamedParts, rules: Sequence[EventRule], copies: Copies) -> None:
        self.world = world
        self.rules = rules
        self.copies = copies
        self.of_copies = CopyFinder(copies, self)
        self.by_kind: dict[str, list[int]] = {}
        for i, rule in enumerate(rules):
            self.by_kind.setdefault(rule.kind, []).append(i)
        dt = world.roster.scene.world.dt
        self._dt = dt
        conditions = [rules[i] for i in self.by_kind.get("condition", ())]
        self._conditions = Conditions(
            world, [rule.condition for rule in conditions], [rule.path for rule in conditions]
        )
        self.was = [False] * len(conditions)
        self.turns = EventHistory(world, copies)
        nobody = np.empty(0, np.int64)
        self.inside: dict[int, Ids] = dict.fromkeys(self.by_kind.get("leave", ()), nobody)
        self.told: list[Event] = []
        self.deaths: list[Death] = []
        self.acted: set[str] = set()
        self._dead: dict[str, int] = {}  # those of the step whose events are found
        self.ends: list[str] = []  # the joints that were removed
        # Rules that need place or impulse of collisions, and the contact points of one step.
        self._touching = {i for i in self.by_kind.get("collision", ()) if asks(rules[i])}
        self._contacts: tuple[Any, Any] | None = None
        self._members: dict[int, tuple[int, Ids]] = {}
        self._looks = any(kind in self.by_kind for kind in EACH_STEP)
        self._hears = any(kind in self.by_kind for kind in LISTENS)
        born = (rule for each in world.roster.scene.prototypes.values() for rule in each.events)
        self._switches = any(rule.kind in SWITCHES for rule in (*rules, *born))
        self._is_told = any(kind in self.by_kind for kind in TOLD.values())

    @property
    def looks_at_each_step(self) -> bool:
        """Whether anything may happen in any step."""
        return self._looks or bool(self.copies.all)

    @property
    def listens(self) -> bool:
        """Whether begin and end events of contacts are needed."""
        return self._hears or self.copies.listens

    def begin(self, state: Mapping[str, float]) -> None:
        """Initialize conditions, so that those true at the start do not count as becoming true."""
        if self.was:
            self.was = self._conditions.look(self.world, state)
        for i in self.inside:
            self.inside[i], _ = self._split(i)

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

    # ------------------------------------------------------------ time

    def next_time(self, step: int) -> int:
        """The first step after ``step`` whose end is a time of an event."""
        return min(
            (
                due_after(step, self.rules[i].at, self.rules[i].every, self._dt)
                for i in self.by_kind.get("time", ())
            ),
            default=1 << 62,
        )

    # ------------------------------------------------------------ finding

    def find(self, step: int, state: Mapping[str, float]) -> list[Occurrence]:
        """Events of the step that ended, in no order."""
        found: list[Occurrence] = []
        told, self.told = self.told, []
        deaths, self.deaths = self.deaths, []
        self._dead = {name: number for name, number, *_ in deaths}
        ends, self.ends = self.ends, []
        self._contacts = None
        if self._switches:
            told += self._find_switches(step)
        if self._is_told:
            self._find_told(told, found)
        self._find_deaths(deaths, ends, found)
        for i in self.by_kind.get("time", ()):
            for _ in range(self.times_due(self.rules[i], step)):
                self._add(found, i, "", "", None)
        for i in self.inside:
            self._find_leaving(i, found, deaths)
        if self.was:
            now = self._conditions.look(self.world, state)
            for i, before, is_true in zip(self.by_kind["condition"], self.was, now, strict=True):
                if is_true and not before:
                    self._add(found, i, "", "", None)
            self.was = now
        if self.copies.all:
            found += self.of_copies.find(step, state, told, deaths, ends)
        return found

    def times_due(self, rule: EventRule, step: int) -> int:
        """Number of times of a rule in a step, including passed ones."""
        times = times_due(step, rule.at, rule.every, self._dt)
        if times > limits.EVENTS:
            raise failure(self.world, rule.path, too_many("times", times))
        return times

    def _find_switches(self, step: int) -> list[Event]:
        """Find the actuators that started or stopped acting in the last step."""
        before, now = self.acted, self.world.actuators.names_acting(step - 1)
        self.acted = now
        changed = [(name, SWITCHES[0]) for name in now - before]
        changed += [(name, SWITCHES[1]) for name in before - now]
        return [Event(step, kind, name) for name, kind in sorted(changed)]

    def _find_told(self, told: Iterable[Event], found: list[Occurrence]) -> None:
        for event in told:
            kind = TOLD.get(event.kind, "")
            for i in self.by_kind.get(kind, ()):
                rule = self.rules[i]
                if kind in OF_NAMED:
                    if not rule.subject or rule.subject == event.a:
                        self._add(found, i, "", "", None)
                    continue
                pair = self._in_order(rule.who, event.a, event.b)
                if pair is None:
                    continue
                values: dict[str, float] | None = None
                if i in self._touching:
                    values = self.touch(*pair)
                    if values["$impulse"] < rule.min_impulse:
                        continue
                self._add(found, i, *pair, values)

    def _in_order(self, who: tuple[Selector, ...], a: str, b: str) -> tuple[str, str] | None:
        """The two bodies in the order of the rule, None if they do not fit."""
        bodies = self.world.roster.bodies
        if not is_about(who, 0, a, bodies) or not is_about(who, 1, b, bodies):
            a, b = b, a
            if not is_about(who, 0, a, bodies) or not is_about(who, 1, b, bodies):
                return None
        return a, b

    def touch(self, a: str, b: str) -> dict[str, float]:
        """Mean contact point of two bodies, and the sum of their contact impulses."""
        ids = self.world.roster.ids
        if a not in ids or b not in ids:  # spawned, and removed at the bounds in the same step
            return dict.fromkeys(OF_A_TOUCH, 0.0)
        first, second = slot_of(ids[a]), slot_of(ids[b])
        for one, other, sign in ((first, second, 1.0), (second, first, -1.0)):
            rows = self._points(one, other)
            if len(rows):
                count = len(rows)
                sums = {field: total(rows[field].tolist()) for field in _FIELDS}
                return {
                    "$point.x": sums["x"] / count,
                    "$point.y": sums["y"] / count,
                    "$normal.x": sign * sums["normal_x"] / count,
                    "$normal.y": sign * sums["normal_y"] / count,
                    "$impulse": sums["normal_impulse"],
                }
        return dict.fromkeys(OF_A_TOUCH, 0.0)  # they touched within the step, not at its end

    def _points(self, first: int, second: int) -> Any:
        """The points in which two bodies touch after this step, by their slots."""
        if self._contacts is None:
            rows = self.world.native.contacts()
            keys = rows["body_a"].astype(np.int64) << 32 | rows["body_b"]
            order = np.argsort(keys, kind="stable")
            self._contacts = rows[order], keys[order]
        rows, keys = self._contacts
        wanted = first << 32 | second
        return rows[np.searchsorted(keys, wanted) : np.searchsorted(keys, wanted, side="right")]

    def _find_deaths(
        self, deaths: Iterable[Death], ends: Iterable[str], found: list[Occurrence]
    ) -> None:
        for i in self.by_kind.get("deleted", ()):
            who, joint = self.rules[i].who, self.rules[i].subject
            if joint:
                for name in ends:
                    if joint in (name, group_of(name)):
                        self._add(found, i, "", "", None)
                continue
            for name, number, tags, x, y in deaths:
                if not who or (who[0].tag in tags if who[0].tag else name in who[0].bodies):
                    values = {"$point.x": x, "$point.y": y}
                    self._add(found, i, "", "", values, number)

    def _find_leaving(self, i: int, found: list[Occurrence], deaths: Iterable[Death]) -> None:
        native, before = self.world.native, self.inside[i]
        self.inside[i], others = self._split(i)
        if not len(before):
            return
        was = np.full(native.body_count, -1, np.int64)  # by slots, which bodies take again
        was[before & SLOTS] = before
        names = self.world.roster.body_name
        for number in sorted(others[was[others & SLOTS] == others].tolist()):
            if native.has_body(number):
                self._add(found, i, names(number), "", None)
        inside = set(before.tolist())
        for name, number, _, x, y in deaths:  # at the bounds, in the same step
            if number in inside and not is_within(self.rules[i].region, x, y):
                self._add(found, i, name, "", None, number)

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

    def _split(self, i: int) -> tuple[Ids, Ids]:
        """The ids of the bodies of a rule that are inside its region, and those of the others."""
        native, ids = self.world.native, self.member_ids(i)
        slots = ids & SLOTS
        region = self.rules[i].region
        assert region is not None
        (x0, y0), (x1, y1) = region
        x, y = native.x[slots], native.y[slots]
        is_in = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1) & (native.alive[slots] != 0)
        return ids[is_in], ids[~is_in]

    def _add(
        self,
        found: list[Occurrence],
        i: int,
        a: str,
        b: str,
        values: Mapping[str, float] | None,
        number: int = 0,
    ) -> None:
        rule = self.rules[i]
        if rule.once != "run" or i not in self.turns.fired:
            found.append(self.found(rule, i, a, b, values, number))

    def found(
        self,
        rule: EventRule,
        place: int,
        a: str,
        b: str,
        values: Mapping[str, float] | None,
        number: int,
    ) -> Occurrence:
        """A found event, with its place in the order; ``number`` is the id of a removed body."""
        ids = self.world.roster.ids
        first = ids.get(a, self._dead.get(a, number))
        second = ids.get(b, self._dead.get(b, 0))
        return Occurrence(rule.path, (place, first, second), a, b, values)

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
        self.of_copies.begun = self.copies.births
