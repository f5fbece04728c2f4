# SPDX-License-Identifier: MIT
"""Runs a script natively beside the engine, and goes on in Python where its program has no words.

Both have the same state, and one of them is ahead: the native runner after its steps, Python after
an action of its own, or a change from outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from ... import _native
from ...record.recorder import Event
from ...scene.model import Scene
from ...scene.values.row_program import EXACT
from ..events import CONTACT_EVENTS, EVENT_KINDS, JOINT_EVENTS, PAIR_EVENTS
from ..naming.named_parts import NamedParts
from ..removals import settle
from .native_state import (
    RunScript,
    inputs_of,
    occurrence,
    put,
    take,
    take_things,
    things_of,
)
from .occurrences import Occurrence
from .program import ScriptProgram, program_of
from .reactions import asked_actions

_DONE, _ENGINE, _PREPARE, _FIND, _TURN, _AFTER = range(6)
_SAID = 1 << 16
_LOG, _SOUND = 6, 7
_NO_CODES = np.empty((0, 2), np.int32)
_NO_ROWS = np.empty((0, 0))


class Rows:
    """Rows of channels that are read after every so many steps.

    Attributes:
        taken: how many of the rows of ``out`` are filled.
    """

    def __init__(self, every: int, codes: Any, out: Any, variables: Any) -> None:
        self.every, self.codes, self.out, self.variables = every, codes, out, variables
        self.taken = 0


class NativeRunner:
    """The native runner of one world's script.

    Attributes:
        runner: the engine's part of it.
        ahead: whether its state is newer than that of Python.
    """

    def __init__(self, program: ScriptProgram, code: _native.ScriptProgram) -> None:
        self.program, self._code = program, code
        self.runner = _native.ScriptRunner(code, EXACT)
        self.ahead = False
        self._names: dict[int, str] = {}  # of bodies that wait in an event
        # The motors and actuators, and the inputs, that were passed on.
        self._seen: list[Any] = []
        self._inputs: list[Any] = []

    def twin(self) -> NativeRunner:
        """One for another world of the scene, whose state comes from Python."""
        return NativeRunner(self.program, self._code)

    # ------------------------------------------------------------ the state

    def variables(self, names: Iterable[str]) -> dict[str, float]:
        """The state variables of the scene, while it is ahead."""
        return dict(zip(names, self.runner.variables, strict=True))

    @property
    def ending(self) -> tuple[str, int] | None:
        """The outcome of the run, and its last step, while it is ahead."""
        place, step = self.runner.ending
        return None if place < 0 else (self.program.texts[place], step)

    @property
    def counts(self) -> tuple[int, int]:
        """The number of steps that it has made, and of calls of Python in them."""
        return self.runner.counts

    def give_back(self, script: RunScript) -> None:
        """Bring Python's part up to date."""
        self.ahead = False
        self.catch_up(script.world)
        take(script, self.program, self.runner.take(), self._names)

    def take_over(self, script: RunScript) -> None:
        """Bring the native runner up to date."""
        world = script.world
        if not self.ahead:
            self._seen, self._inputs = self._settings(world), self._given(script)
            self.runner.put(put(script, self.program))
            waiting = [] if script.reactions is None else script.reactions.waiting
            self._names = {}
            for _, found in waiting:
                self._names |= {found.order[1]: found.a, found.order[2]: found.b}
            self.ahead = True
            return
        if (now := self._settings(world)) != self._seen:
            self._seen = now
            self.runner.put_things(things_of(world, self.program))
        if (given := self._given(script)) != self._inputs:
            self._inputs = given
            self.runner.put_inputs(inputs_of(script, self.program))

    def _given(self, script: RunScript) -> list[Any]:
        """Changes of state where the player acts differently from now on."""
        drags = [(each.start, each.until) for each in script.player.grabs]
        return [script.player.timeline(), *drags]

    def _settings(self, world: NamedParts) -> list[Any]:
        """Changes of state where a motor or an actuator is set from outside."""
        motors, actuators = world.motors, world.actuators
        found: list[Any] = [motors.get(name) for name in self.program.motors]
        return found + [actuators.get(name) for name in self.program.actuators]

    def press(self, script: RunScript, key: str, down: bool) -> bool:
        """Hold or release a key while it is ahead; return whether it did, or Python has to."""
        if key not in self.program.keys:
            return False
        world = script.world
        self.take_over(script)
        done = self.runner.press(world.native, self.program.keys.index(key), down)
        self.catch_up(world)
        return done

    # ------------------------------------------------------------ steps

    def run(self, script: RunScript, end: int, rows: Rows | None = None) -> None:
        """Step up to a step, or until the rows are full or Python has made a step's end.

        The caller steps on until the end has come, or the script is not native any more, and
        looks for errors of the engine.
        """
        world = script.world
        self.take_over(script)
        if rows is None:
            asked = (end, 0, _NO_CODES, _NO_ROWS, _NO_CODES)
            reason, turn, action, _ = self.runner.run(world.native, *asked)
        else:
            given = (rows.every, rows.codes, rows.out, rows.variables)
            reason, turn, action, rows.taken = self.runner.run(world.native, end, *given)
        self.go_on(script, end, reason, turn, action)

    def catch_up(self, world: NamedParts) -> list[Event]:
        """Take notice of what was set and what happened; return the events from which none was
        found yet."""
        changes = self.runner.take_changes()
        if changes[0] or changes[1]:
            take_things(world, self.program, changes)
            self._seen = self._settings(world)
        return self._tell(world) if self.runner.logged else []

    def go_on(self, script: RunScript, end: int, reason: int, turn: int, action: int) -> None:
        """Do what the native runner has left to Python where it has stopped."""
        world, heard = script.world, self.catch_up(script.world)
        if reason == _DONE:
            return
        if reason == _ENGINE:
            settle(world)
        elif reason == _PREPARE:
            self.give_back(script)
            script.prepare(world.step_count, end)
        else:
            due = self._due(script) if reason == _TURN else []
            self.give_back(script)
            world.acts = True
            try:
                self._finish(script, reason, due, heard, (turn, action))
            finally:
                world.acts = False

    def _finish(
        self,
        script: RunScript,
        reason: int,
        due: list[tuple[Occurrence, bool]],
        heard: list[Event],
        at: tuple[int, int],
    ) -> None:
        """Finish a step in Python from where the native runner has stopped."""
        world = script.world
        if reason == _FIND:
            script.hear(heard)
            settle(world)
            if world.native.error is None:
                script.finish()
            return
        assert script.reactions is not None
        turn, action = at
        left, begun = due[turn:], (0, 0)
        if reason == _TURN and action >= 0:
            found = left[0][0]
            left[0] = found, True
            begun = self.program.deeds[found.rule][action]
        script.reactions.resume(left, *begun, self.runner.happened)

    def _due(self, script: RunScript) -> list[tuple[Occurrence, bool]]:
        """The events of the step, and whether each has happened before."""
        return [(occurrence(script, row, self._names), waited) for row, waited in self.runner.due]

    # ------------------------------------------------------------ what happened

    def _tell(self, world: NamedParts) -> list[Event]:
        """Pass on what is in the log; return the events from which none was found yet."""
        texts, roster = self.program.texts, world.roster
        fresh, heard = self.runner.fresh, list[Event]()
        listens = world.script is not None and world.script.listens and not world.tells_contacts
        for place, (step, kind, first, other, amount) in enumerate(self.runner.log):
            if kind >= _SAID:
                deed = kind - _SAID
                word = "log" if deed == _LOG else "sound" if deed == _SOUND else "end"
                loud = f"{amount:.3g}" if deed == _SOUND and amount < 1.0 else ""
                world.told.append(Event(step, word, texts[first], loud))
                continue
            name = EVENT_KINDS[kind]
            if name in JOINT_EVENTS:
                event = Event(step, name, roster.joint_name(first))
            else:
                second = roster.body_name(other) if name in PAIR_EVENTS else ""
                event = Event(step, name, roster.body_name(first), second)
            if place >= fresh:
                heard.append(event)
            if not (listens and name in CONTACT_EVENTS):
                world.told.append(event)
        self.runner.clear_log()
        return heard


@lru_cache(maxsize=8)
def _compiled(scene: _Same) -> tuple[ScriptProgram | str, _native.ScriptProgram | None]:
    program = program_of(scene.scene, asked_actions(scene.scene))
    if isinstance(program, str):
        return program, None
    return program, _native.ScriptProgram(program.data)


class _Same:
    """A scene that is told apart by its identity."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __hash__(self) -> int:
        return id(self.scene)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.scene is self.scene


def runner_of(scene: Scene) -> NativeRunner | None:
    """The native runner of a scene's script; None where Python has a part in each step."""
    program, code = _compiled(_Same(scene))
    return None if code is None or isinstance(program, str) else NativeRunner(program, code)


def why_not(scene: Scene) -> str:
    """The reason why a scene's script is not executed natively; empty where it is."""
    program, _ = _compiled(_Same(scene))
    return program if isinstance(program, str) else ""
