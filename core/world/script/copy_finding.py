# SPDX-License-Identifier: MIT
"""Detects the events of spawned copies in a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

import numpy as np

from ...record.channels import Channel
from ...record.recorder import Event
from ...scene.event_model import EventRule
from ...scene.values.expression import ExpressionError
from ...scene.values.names import group_of
from ..aggregates import tally
from ..naming.ids import slot_of
from .copies import Copies
from .copy import Copy, is_known, when_gone
from .event_conditions import OF_NAMED, TOLD, Death, Occurrence, is_about, is_within
from .failure_messages import failure
from .formulas import OWN

Values = Mapping[str, float]


class Helper(Protocol):
    """The methods of the finder of the scene's own events that events of copies need."""

    def times_due(self, rule: EventRule, step: int) -> int:
        """Number of times of a rule in a step."""

    def touch(self, a: str, b: str) -> dict[str, float]:
        """Contact point and impulse of two bodies."""

    def found(
        self,
        rule: EventRule,
        place: int,
        a: str,
        b: str,
        values: Mapping[str, float] | None,
        number: int,
    ) -> Occurrence:
        """A found event, with its place in the order."""


class CopyFinder:
    """Detects the events of spawned copies in each step.

    Attributes:
        begun: the number of copies with initialized conditions.
    """

    def __init__(self, copies: Copies, finder: Helper) -> None:
        self.copies, self.world = copies, copies.world
        self._finder = finder
        self.begun = 0

    def begin(self, state: Values) -> None:
        """Initialize conditions, so that those true at the spawn do not count as becoming true."""
        if self.begun == self.copies.births:
            return
        new = [copy for copy in self.copies.all.values() if copy.serial >= self.begun]
        self.begun = self.copies.births
        for copy in new:
            copy.inside = {i: self._inside_now(copy, i) for i in copy.plan.leaving}
        self._find_true(state, new)

    def find(
        self,
        step: int,
        state: Values,
        told: Iterable[Event],
        deaths: Iterable[Death],
        ends: Iterable[str],
    ) -> list[Occurrence]:
        """Events of the step that ended; copies without bodies end."""
        found: list[Occurrence] = []
        for event in told:
            self._find_told(event, found)
        for joint in ends:
            self._find_end(joint, found)
        for death in deaths:
            self._find_death(death, found)
        for copy in self.copies.all.values():
            plan = copy.plan
            for i in plan.times:
                for _ in range(self._finder.times_due(plan.rules[i], step - copy.born)):
                    self._add(found, copy, i)
            for i in plan.leaving:
                self._find_leaving(copy, i, found)
        watched = [copy for copy in self.copies.all.values() if copy.plan.conditions]
        for copy, i in self._find_true(state, watched):
            self._add(found, copy, i)
        return found

    # ------------------------------------------------------------ events of the engine

    def _find_told(self, event: Event, found: list[Occurrence]) -> None:
        kind = TOLD.get(event.kind, "")
        if kind in OF_NAMED:
            if event.a in self.copies.of_joints:
                copy, joint = self.copies.of_joints[event.a]
                for i in copy.plan.of_subjects[joint]:
                    if copy.plan.rules[i].kind == kind:
                        self._add(found, copy, i)
            return
        done: set[tuple[int, int]] = set()  # once, whichever of its bodies is the first
        for a, b in ((event.a, event.b), (event.b, event.a)):
            if a not in self.copies.of_bodies:
                continue
            copy, body = self.copies.of_bodies[a]
            for i in copy.plan.of_bodies.get((kind, body), ()):
                rule = copy.plan.rules[i]
                if (copy.serial, i) in done or not self._is_other(copy, rule, b):
                    continue
                done.add((copy.serial, i))
                values: Values | None = None
                if i in copy.plan.touching:
                    values = self._finder.touch(a, b)
                    if values["$impulse"] < rule.min_impulse:
                        continue
                self._add(found, copy, i, a, b, values)

    def _find_end(self, name: str, found: list[Occurrence]) -> None:
        """Find the event of a removed joint that a copy owned or attached."""
        for full in dict.fromkeys((name, group_of(name))):
            copy, joint = self.copies.of_joints.get(full, (None, ""))
            for i in () if copy is None else copy.plan.of_subjects[joint]:
                if copy is not None and copy.plan.rules[i].kind == "deleted":
                    self._add(found, copy, i)

    def _is_other(self, copy: Copy, rule: EventRule, name: str) -> bool:
        """Whether a body fits the second selector of a rule."""
        if len(rule.who) < 2 or rule.who[1].tag:
            return is_about(rule.who, 1, name, self.world.roster.bodies)
        other, body = self.copies.of_bodies.get(name, (None, ""))
        return other is copy and body in rule.who[1].bodies

    def _find_death(self, death: Death, found: list[Occurrence]) -> None:
        name, number, _, x, y = death
        if name not in self.copies.of_bodies:
            return
        copy, body = self.copies.of_bodies.pop(name)
        values = {"$point.x": x, "$point.y": y}
        for i in copy.plan.leaving:  # at the bounds, in the same step
            if body in copy.inside.get(i, ()) and not self._is_inside(copy, i, x, y):
                self._add(found, copy, i, name, "", None, number)
        for i in copy.plan.of_bodies.get(("deleted", body), ()):
            self._add(found, copy, i, "", "", values, number)
        copy.there.pop(body, None)
        if not copy.there:
            self.copies.end(copy)

    # ------------------------------------------------------------ places

    def _find_leaving(self, copy: Copy, i: int, found: list[Occurrence]) -> None:
        now = self._inside_now(copy, i)
        for body in sorted(copy.inside.get(i, set()) - now):
            if self._is_there(copy, body):
                self._add(found, copy, i, copy.full(body))
        copy.inside[i] = now

    def _is_there(self, copy: Copy, body: str) -> bool:
        ids = self.world.roster.ids
        return copy.full(body) in ids and self.world.native.has_body(ids[copy.full(body)])

    def _inside_now(self, copy: Copy, i: int) -> set[str]:
        """The bodies of a copy inside a rule's region, which is in the copy's axes."""
        native, ids = self.world.native, self.world.roster.ids
        inside = set()
        for body in copy.plan.rules[i].who[0].bodies:
            if self._is_there(copy, body):
                slot = slot_of(ids[copy.full(body)])
                if self._is_inside(copy, i, float(native.x[slot]), float(native.y[slot])):
                    inside.add(body)
        return inside

    def _is_inside(self, copy: Copy, i: int, x: float, y: float) -> bool:
        """Whether a place is in the region of a rule."""
        return is_within(copy.plan.rules[i].region, *copy.placement.inverse((x, y)))

    # ------------------------------------------------------------ conditions

    def _find_true(self, state: Values, copies: Iterable[Copy]) -> list[tuple[Copy, int]]:
        """The conditions that became true since they were looked at, all read in one call."""
        channels: list[Channel] = []
        known: list[tuple[Copy, dict[str, float | int]]] = []
        for copy in copies:
            known.append((copy, self._places(copy, channels)))
        became: list[tuple[Copy, int]] = []
        codes = np.ascontiguousarray(self.world.roster.channel_codes(channels))
        read = self.world.native.sample(codes).tolist() if channels else []
        for copy, places in known:
            values = copy.plan.sampled.values(self.world, state)
            values |= {name: read[at] if isinstance(at, int) else at for name, at in places.items()}
            now = []
            for i, expression in zip(
                copy.plan.conditions, copy.plan.sampled.expressions, strict=True
            ):
                try:
                    now.append(bool(expression.evaluate(values)))
                except (ExpressionError, ArithmeticError, ValueError) as error:
                    raise failure(self.world, copy.plan.rules[i].path, str(error)) from None
            was = copy.was or [True] * len(now)
            became += [
                (copy, i)
                for i, before, is_true in zip(copy.plan.conditions, was, now, strict=True)
                if is_true and not before
            ]
            copy.was = now
        return became

    def _places(self, copy: Copy, channels: list[Channel]) -> dict[str, float | int]:
        """For each name of a copy's conditions its channel's index, or its value."""
        places: dict[str, float | int] = {}
        for name in copy.plan.sampled.of_event:
            channel = copy.plan.channel(name.removeprefix(OWN))
            owner = copy.full(channel.owner)
            if channel.is_sum:
                places[name] = tally(self.world, _of(channel, owner))
            elif is_known(self.world, channel.kind, owner):
                places[name] = len(channels)
                channels.append(_of(channel, owner))
            else:
                places[name] = when_gone(channel)
        return places

    # ------------------------------------------------------------ all of them

    def _add(
        self,
        found: list[Occurrence],
        copy: Copy,
        i: int,
        a: str = "",
        b: str = "",
        values: Values | None = None,
        number: int = 0,
    ) -> None:
        rule = copy.plan.rules[i]
        if rule.once == "run" and i in copy.fired:
            return
        place = self.copies.number(copy, i)
        found.append(self._finder.found(rule, place, a, b, values, number))


def _of(channel: Channel, owner: str) -> Channel:
    return Channel(channel.name, channel.kind, owner, channel.quantity, channel.point)
