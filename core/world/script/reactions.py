# SPDX-License-Identifier: MIT
"""Reactions after a step: detects events, executes actions, runs spawners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ...record.recorder import Event
from ...scene import limits
from ...scene.event_model import Action, EventRule, Outcome
from ...scene.script import Control
from ..naming.named_parts import NamedParts
from ..removals import take_in_events
from ..saved import fixed, listed, need, optional, record, whole
from ..saved import word as one_word
from .action_executor import ActionExecutor
from .copies import ASKED, Copies
from .copy import Copy
from .event_conditions import FOUND, Occurrence, ceil_step, due_after, found_of
from .event_detection import EventDetector
from .failure_messages import failure, too_many
from .formulas import Conditions
from .program.asked import RELEASED, asked_actions
from .spawners import Spawners

NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Left:
    """The rest of a step that the native runner leaves to Python.

    Attributes:
        due: the events that are left, and whether each has happened before.
        begun: of the first one, the first action that is not done, and how many of its settings
            are.
        kept: the numbers of the bodies of that event which its actions have removed.
        happened: the number of events that have happened.
        births: the numbers of births, and of bodies for which a place was looked for, so far.
        spawners: how many spawners are done, and how many births of the next one.
    """

    due: list[tuple[Occurrence, bool]]
    begun: tuple[int, int] = (0, 0)
    kept: Mapping[str, float] | None = None
    happened: int = 0
    births: tuple[int, int] = (0, 0)
    spawners: tuple[int, int] = (0, 0)


class Reactions:
    """Reactions of one world: events, actions and spawners.

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
        self._dt = scene.world.dt
        self.acting = ActionExecutor(world, dict(scene.state), copies)
        self.finder = EventDetector(world, scene.events, copies)
        self.ending: tuple[str, int] | None = None
        self.waiting: list[tuple[int, Occurrence]] = []
        self.spawners = Spawners(world, self.acting, copies)
        asked = asked_actions(scene)
        # They come before events, the last of them what keys of copies do.
        self._places = {path: place - len(asked) + ASKED for place, path in enumerate(asked)}
        self.asked: Mapping[str, tuple[Action, ...]] = asked
        outcome = scene.outcome or Outcome()
        wanted = [(word, getattr(outcome, word)) for word in ("win", "lose")]
        self._words = [word for word, source in wanted if source]
        self._outcome = Conditions(
            world,
            [source for _, source in wanted if source],
            [f"outcome.{word}" for word in self._words],
        )
        if self.finder.listens:
            world.native.enable_contact_events(True)
        if begins:
            self.finder.begin(self.acting.state)

    # ------------------------------------------------------------ when

    def ask(self, path: str) -> None:
        """Schedule the actions of a control or an input for after the next step."""
        self._queue(self.world.step_count + 1, Occurrence(path, (self._places[path], 0, 0)))

    def path_asked(self, place: int) -> str:
        """The path of what was asked for, by its number in the order of events."""
        return [*self._places][place + len(self._places) - ASKED]

    def ask_of(self, copy: Copy, key: str, *, released: bool = False) -> None:
        """Schedule the actions of a copy's key for after the next step."""
        place = [*copy.plan.keys].index(key) + released * len(copy.plan.keys)
        path = f"{copy.name}.controls.{key}{RELEASED if released else ''}"
        found = Occurrence(path, (ASKED, copy.serial, place))
        self._queue(self.world.step_count + 1, found)

    def _queue(self, step: int, found: Occurrence) -> None:
        if len(self.waiting) >= limits.EVENTS:
            raise failure(self.world, found.rule, too_many("waiting"))
        self.waiting.append((step, found))

    def next_stop(self, step: int) -> int:
        """The first step after ``step`` after which something may have to be done."""
        if self.ending is not None:
            return NEVER
        if self.finder.looks_at_each_step or self._words:
            return step + 1
        stops = [self.finder.next_time(step), self.acting.spawning.ends.next]
        stops += [due for due, _ in self.waiting]
        for spawner in self.world.roster.scene.spawners.values():
            stops.append(due_after(step, spawner.start, spawner.every, self._dt))
        return max(step + 1, min(stops))

    # ------------------------------------------------------------ after a step

    def finish(self) -> None:
        """Execute the actions that are due after a step."""
        if self.ending is not None:
            return
        world, step = self.world, self.world.step_count
        self.acting.spawning.begin()
        take_in_events(world)
        due = [(found, True) for at, found in self.waiting if at <= step]
        self.waiting = [each for each in self.waiting if each[0] > step]
        due += [(found, False) for found in self.finder.find(step, self.acting.state)]
        due.sort(key=lambda each: each[0].order)
        self._have_turns(due, step)
        self._finish_turns(step)

    def resume(self, left: Left) -> None:
        """Finish a step whose first events and actions were handled by the native runner."""
        self.acting.spawning.begin(*left.births)
        self._have_turns(left.due, self.world.step_count, left)
        self._finish_turns(self.world.step_count, left.spawners)

    def _finish_turns(self, step: int, begun: tuple[int, int] = (0, 0)) -> None:
        """Execute what comes after the actions of a step; ``begun`` as of ``Spawners.spawn``."""
        self.acting.spawning.ends.take_out(step)
        self.spawners.spawn(step, begun)
        self.finder.of_copies.begin(self.acting.state)
        self._look_for_end(step)
        for copy in self.copies.forget(found for _, found in self.waiting):
            self.acting.forget(copy)

    def _look_for_end(self, step: int) -> None:
        """Check the conditions of the outcome, after all actions and spawns."""
        if not self._words:
            return
        held = self._outcome.look(self.world, self.acting.state)
        for word in (word for word, holds in zip(self._words, held, strict=True) if holds):
            self._end(word, step)

    def _have_turns(
        self,
        due: list[tuple[Occurrence, bool]],
        step: int,
        left: Left | None = None,
    ) -> None:
        """Execute due actions, and those of detected events that happen, in order.

        ``waited`` marks due actions; ``left`` says what is done of the first ones.
        """
        begun, kept, happened = (0, 0), None, 0
        if left is not None:
            begun, kept, happened = left.begun, left.kept, left.happened
        for number, (found, waited) in enumerate(due):
            asked = found.order[0] < 0
            rule = None if asked else self.finder.rule_of(found)
            state, turns = self.acting.state, self.finder.turns
            if rule is not None and not waited:
                if not turns.take(found, rule, state):
                    continue
                happened += 1
                if happened > limits.EVENTS:
                    raise failure(self.world, found.rule, too_many("events"))
                if after := ceil_step(rule.after, self._dt):
                    self._queue(step + after, found)
                    continue
            first = (0, 0) if number else begun
            has_begun = first != (0, 0)
            if rule is None or has_begun or not turns.is_dropped(found, rule, state):
                self._execute(found, rule, step, first, None if number else kept)

    def _execute(
        self,
        found: Occurrence,
        rule: EventRule | None,
        step: int,
        begun: tuple[int, int],
        kept: Mapping[str, float] | None,
    ) -> None:
        copy = self.copies.copy_of(found)
        if rule is not None:
            actions = rule.actions
        elif copy is None:
            actions = self.asked[found.rule]
        else:
            actions = asked_of(copy.plan.keys, found)
        if begun != (0, 0):
            actions = _rest(actions, *begun)
        self.acting.execute_all(actions, found, copy, lambda word: self._end(word, step), kept)

    def _end(self, word: str, step: int) -> None:
        if self.ending is not None:
            return
        self.ending = word, step
        self.world.told.append(Event(step, "end", word))

    # ------------------------------------------------------------ saving

    SAVED = record(
        ending=optional(fixed(one_word("win", "lose", "pass", "fail"), whole())),
        waiting=listed(fixed(whole(), FOUND)),
        spawners=Spawners.SAVED,
        acting=ActionExecutor.SAVED,
        finder=EventDetector.SAVED,
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


def _rest(actions: tuple[Action, ...], begun: int, part: int) -> tuple[Action, ...]:
    """The actions from one on, without the first settings of that one."""
    first, *later = actions[begun:]
    if part:
        first = replace(first, values=dict(islice(first.values.items(), part, None)))
    return (first, *later)


def asked_of(keys: Mapping[str, Control], found: Occurrence) -> tuple[Action, ...]:
    """The actions of a copy's key that was pressed or released; ``keys`` are the copy's."""
    released, place = divmod(found.order[2], len(keys))
    control = [*keys.values()][place]
    return control.released if released else control.actions
