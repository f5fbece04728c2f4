# SPDX-License-Identifier: MIT
"""Runs a script natively beside the engine, and goes on in Python where its program has no words.

Both have the same state, and one of them is ahead: the native runner after its steps, Python after
an action of its own, or a change from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ... import _native
from ...scene.model import Scene
from ...scene.values.row_program import EXACT
from ..building.engines import as_textbook
from ..naming.named_parts import NamedParts
from ..removals import settle
from .copies import NUMBERS, Copies
from .copy import Copy
from .event_conditions import Occurrence
from .growing import GrowingProgram, SameScene
from .native_copies import copy_bodies, unknown_of
from .native_failures import Place, worded
from .native_news import News, Rows, ScriptedEngine, Sight
from .native_state import (
    RunScript,
    actuator_names,
    bodies_of,
    inputs_of,
    numbers_of,
    objects_of,
    occurrence,
    put,
    take,
    take_born_objects,
    take_objects,
)
from .program import ScriptProgram, program_of
from .program.asked import asked_actions
from .program.forms import side_places
from .program.writer import NONE
from .reactions import Left
from .spawning import Spawning

_QUANTITIES = {
    code: name.removeprefix("body.")
    for name, (code, _) in _native.CHANNELS.items()
    if name.startswith("body.")
}
_DONE, _ENGINE, _PREPARE, _STEP, _FIND, _TURN, _AFTER = range(7)
_NO_CODES = np.empty((0, 2), np.int32)
_NO_ROWS = np.empty((0, 0))


class NativeRunner:
    """The native runner of one world's script.

    Attributes:
        runner: the engine's part of it.
        ahead: whether its state is newer than that of Python.
    """

    def __init__(self, growing: GrowingProgram) -> None:
        self._growing = growing
        self._begin(*growing.now)
        self._counts = 0, 0  # of the runners before
        self._version = 0  # of the roster that it knows
        # The motors and actuators, and the inputs, that were passed on.
        self._seen: list[Any] = []
        self._inputs: list[Any] = []
        self._born: list[Any] = []

    def _begin(self, program: ScriptProgram, code: _native.ScriptProgram) -> None:
        """Begin a runner, whose state comes from Python."""
        self.program = program
        self.runner = _native.ScriptRunner(code, EXACT)
        self.ahead = False
        self.news = News(program)
        self._sight: Sight | None = None
        self._engine: ScriptedEngine | None = None  # of a textbook solver

    def twin(self) -> NativeRunner:
        """One for another world of the scene, whose state comes from Python."""
        return NativeRunner(self._growing.twin())

    # ------------------------------------------------------------ the program

    def knows(self, copies: Copies) -> bool:
        """Whether it has the scripts of all copies, which it takes into its program if it can."""
        if self.ahead or not unknown_of(copies, self.program):
            return True
        return self._restart(copies)

    def _restart(self, copies: Copies) -> bool:
        """Begin anew with the scripts of the copies that are there; return whether it has all."""
        found = self._growing.restart(unknown_of(copies, self._growing.first[0]))
        if found is None:
            return False
        self._counts = self.counts
        self._begin(*found)
        return True

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
        steps, calls = self.runner.counts
        return self._counts[0] + steps, self._counts[1] + calls

    def give_back(self, script: RunScript) -> None:
        """Bring Python's part up to date, if the native runner is ahead."""
        if not self.ahead:
            return
        self.catch_up(script)
        self.ahead = False
        self.news.drop_found(self.runner)
        take(script, self.program, self.runner.take(), self.news)

    def take_over(self, script: RunScript) -> None:
        """Bring the native runner up to date."""
        world = script.world
        by_others = world.roster.version != self._version or self._of_born(world) != self._born
        if self.ahead and (by_others or self._growing.is_full):
            self.give_back(script)
            if self._growing.is_full:
                self._restart(script.copies)
        if (textbook := as_textbook(world.native)) is not None:
            if self._engine is None:
                self._engine = ScriptedEngine(textbook)
                self.runner.set_engine(self._engine, [*textbook.own_channels()])
            self.runner.set_steps(world.step_count, [])
        if not self.ahead:
            self._seen, self._inputs = self._settings(world), self._given(script)
            self._born = self._of_born(world)
            self.news.begin()
            self.news.actuators = actuator_names(script, self.program)
            self.runner.put(put(script, self.program, self.news.names, self.news.actuators))
            finder = None if script.reactions is None else script.reactions.finder
            if finder is not None:
                self.news.keep(self.runner, (*finder.told, *finder.deaths, *finder.ends))
                finder.told, finder.deaths, finder.ends = [], [], []
            self._version = world.roster.version
            self._sight = Sight(world)
            self.runner.set_view(self._sight.look, world.view.is_followed)
            self.ahead = True
            return
        if (now := self._settings(world)) != self._seen:
            self._seen = now
            self.runner.put_objects(objects_of(world, self.program, self.news.actuators))
        if (given := self._given(script)) != self._inputs:
            self._inputs = given
            self.runner.put_inputs(inputs_of(script, self.program))

    def _given(self, script: RunScript) -> list[Any]:
        """Changes of state where the player acts differently from now on."""
        drags = [
            (each.start, each.until, len(each.steps), each.targets[-1])
            for each in script.player.grabs
        ]
        return [script.player.timeline(), *drags]

    def _settings(self, world: NamedParts) -> list[Any]:
        """Changes of state where a motor or an actuator is set from outside."""
        motors, actuators = world.motors, world.actuators
        found: list[Any] = [motors.get(name) for name in self.program.motors]
        for name in self.program.springs:
            found += [world.springs.get(name), world.lengths.get(name)]
        found += [world.targets.get(name) for name in self.program.mice]
        there = actuators.definitions
        return found + [actuators.get(name) for name in there]

    def _of_born(self, world: NamedParts) -> list[Any]:
        """As `_settings`, of the joints of copies."""
        if not any(each.motors or each.springs for each in self.program.own_names):
            return []
        own = world.roster.scene.joints
        tables: tuple[Mapping[str, Any], ...] = world.motors, world.springs, world.lengths
        return [{name: table[name] for name in table if name not in own} for table in tables]

    def press(self, script: RunScript, key: str, down: bool) -> bool:
        """Hold or release a key while it is ahead; return whether it did, or Python has to."""
        if key not in self.program.keys:
            return False
        self.take_over(script)
        done = self.runner.press(script.world.native, self.program.keys.index(key), down)
        self.catch_up(script)
        self._raise(script, _PREPARE, 0, NONE)
        return done

    # ------------------------------------------------------------ steps

    def run(self, script: RunScript, end: int, rows: Rows | None = None) -> None:
        """Step up to a step, or until the rows are full or Python has made a step's end.

        The caller steps on until the end has come, or the script is not native any more, and
        looks for errors of the engine.
        """
        world = script.world
        self.take_over(script)
        if self._sight is not None:
            self._sight.error = None
        if rows is None:
            asked = (end, 0, _NO_CODES, _NO_ROWS, _NO_CODES, world.tells_births)
            reason, turn, action, _ = self.runner.run(world.native, *asked)
            while reason == _STEP and self._step(script, turn):
                reason, turn, action, _ = self.runner.run(world.native, *asked)
        else:
            given = (rows.every, rows.codes, rows.out, rows.variables, world.tells_births)
            reason, turn, action, rows.taken = self.runner.run(world.native, end, *given)
        self.go_on(script, end, reason, turn, action)

    def prepare(self, script: RunScript, end: int) -> int | None:
        """Do what is due before the next step; return the step up to which the caller steps, at
        most ``end``, or None where Python has a part in it."""
        world = script.world
        self.take_over(script)
        asked = (end, 0, _NO_CODES, _NO_ROWS, _NO_CODES)
        reason, turn, action, _ = self.runner.run(world.native, *asked, stops_at_steps=True)
        self.catch_up(script)
        if reason in (_DONE, _STEP):
            return world.step_count + turn
        self._raise(script, reason, turn, action)
        return None

    def finish(self, script: RunScript) -> None:
        """Do what follows the steps of the caller after ``prepare``."""
        world, is_from_host = script.world, not self.ahead
        if is_from_host:
            settle(world)
        self.take_over(script)
        if as_textbook(world.native) is not None and not is_from_host:
            self._hand_over(world)
        self.runner.finish_step(world.native, is_from_host)
        end = world.step_count
        asked = (end, 0, _NO_CODES, _NO_ROWS, _NO_CODES, world.tells_births)
        self.go_on(script, end, *self.runner.run(world.native, *asked)[:3])

    def _step(self, script: RunScript, steps: int) -> bool:
        """Step a textbook solver; return whether its engine can step again."""
        world = script.world
        self.catch_up(script)
        world.native.step(steps)
        if world.native.error is not None:
            settle(world)
            return False
        self._hand_over(world)
        return True

    def _hand_over(self, world: NamedParts) -> None:
        """Pass on the steps of a textbook solver, and their events if the script reads them."""
        reads = world.roster.scene.reacts and self.ending is None
        reads = reads or world.native.removals != world.removals
        self.runner.set_steps(world.step_count, world.native.take_events() if reads else [])

    def catch_up(self, script: RunScript) -> None:
        """Take notice of what was set and what happened."""
        world = script.world
        changes, logged = self.runner.take_changes(), self.runner.logged
        if any(changes):
            take_objects(world, self.program, changes)
        if logged:
            self.news.take(world, self.runner, script.spawning)
            self._version = world.roster.version
        take_born_objects(world, self.news.actuators, changes)
        for place in self.runner.drop_actuators() if logged else ():
            del self.news.actuators[place]
        self._follow(script)
        if logged or any(changes):
            self._seen, self._born = self._settings(world), self._of_born(world)

    def _follow(self, script: RunScript) -> None:
        """Take notice of where bodies are pulled to."""
        world = script.world
        for grab in script.player.grabs:
            if grab.joint in world.targets:
                world.targets[grab.joint] = grab.target(self.runner.prepared)

    def go_on(self, script: RunScript, end: int, reason: int, turn: int, action: int) -> None:
        """Do what the native runner has left to Python where it has stopped."""
        world = script.world
        self.catch_up(script)
        while reason != _DONE:
            self._raise(script, reason, turn, action)
            if not self._answer(script, reason, turn, action):
                break
            asked = (world.step_count, 0, _NO_CODES, _NO_ROWS, _NO_CODES, world.tells_births)
            reason, turn, action, _ = self.runner.run(world.native, *asked)
            self.catch_up(script)
        if reason == _DONE:
            return
        if reason == _STEP:  # in a batch
            if self._step(script, turn):
                self.run(script, end)
        elif reason == _ENGINE:
            settle(world)
        elif reason == _PREPARE:
            self.give_back(script)
            script.prepare_in_python(world.step_count, end)
        else:
            left = self._left(script, reason, turn, action)
            self.give_back(script)
            world.acts = True
            try:
                self._finish(script, left)
            finally:
                world.acts = False

    def _answer(self, script: RunScript, reason: int, turn: int, action: int) -> bool:
        """Make what the native runner asks for; return whether it goes on with the step."""
        request, spawning = self.runner.request, script.spawning
        if request is None or spawning is None:
            return False
        place, numbers, bodies = request
        world = script.world
        world.acts = True
        try:
            spawning.begin(*self.runner.births_now)
            if place >= 0:
                if not self._make(world, spawning, place, numbers):
                    return False
            else:
                at = self._place(script, reason, turn, action)
                assert at.action is not None
                self.runner.take_copies(
                    *copy_bodies(world, spawning, self.program, at, numbers, bodies)
                )
                # Actuators by tags act on copies too.
                self.runner.put_objects(objects_of(world, self.program, self.news.actuators))
                action += 1
        finally:
            world.acts = False
        self._version = world.roster.version
        self.runner.resume(reason, turn, action)
        return True

    def _make(
        self, world: NamedParts, spawning: Spawning, place: int, numbers: list[float]
    ) -> bool:
        """Make the original of a birth with these numbers; return False where Python has to put
        it into the world."""
        what = self.news.source(world, spawning, place, numbers)
        if not what.prototype.acts:
            original = self.news.make(world, spawning, place, what)
            if original is not None:
                self.runner.give(original)
            return original is not None
        spawn = self.program.spawns[place]
        path, pivot = self.program.spawn_paths[place], spawning.pivot(spawn, what)
        found = self._growing.grow(spawn, what.values, what.prototype, path, pivot)
        if found is None:
            return False
        spawning.copies.listen(what.prototype)
        self.program, code, added, is_other = found
        self.news.program = self.program
        self.runner.extend(code, added)
        if is_other:
            self.runner.put_bodies(bodies_of(world.roster, self.program))
        return True

    def _raise(self, script: RunScript, reason: int, turn: int, action: int) -> None:
        """Raise the error for which the native runner has stopped, if there is one."""
        if self._sight is not None and (unseen := self._sight.error) is not None:
            raise unseen
        failure = self.runner.failure
        if failure is None:
            return
        world = script.world
        world.acts = reason in (_TURN, _AFTER)
        try:
            raise worded(world, self.program, failure, self._place(script, reason, turn, action))
        finally:
            world.acts = False

    def _place(self, script: RunScript, reason: int, turn: int, action: int) -> Place:
        """The place at which the native runner has stopped."""
        scene = script.world.roster.scene
        copy, due = self._whose(script), self.runner.due
        if reason == _AFTER:
            spawners = [f"spawners.{name}" for name in scene.spawners]
            for each in script.copies.all.values():
                whose = f"prototypes.{each.use}.spawners."
                spawners += [f"{whose}{name}" for name in each.plan.spawners]
            return Place(spawners[turn] if turn < len(spawners) else "", copy=copy)
        if reason != _TURN:
            return Place(copy=copy)
        row, _ = due[turn]
        (place, *ids), _, *has = row
        rule = scene.events[place] if 0 <= place < len(scene.events) else None
        if copy is not None:
            rule = copy.plan.rules[(place - len(scene.events)) % NUMBERS]
        asked = self.program.asked
        path = asked[place + len(asked) + 1] if rule is None else rule.path
        names = {
            key: self.news.names.get(number) or script.world.roster.body_name(number)
            for key, number, is_known in zip(("$a", "$b"), ids, has, strict=True)
            if is_known
        }
        if action < 0:
            return Place(path, names, copy=copy)
        values = numbers_of(row)
        actions = asked_actions(scene)[path] if rule is None else rule.actions
        number, part = self.program.deeds[path][action]
        return Place(path, names, values or {}, (actions[number], part), copy)

    def _whose(self, script: RunScript) -> Copy | None:
        """The copy whose script has failed, which has to be known by its name."""
        serial = self.runner.whose
        if serial < 0:
            return None
        self.give_back(script)
        copies = script.copies
        return copies.all.get(serial) or copies.gone[serial]

    def _finish(self, script: RunScript, left: Left | None) -> None:
        """Finish a step in Python from where the native runner has stopped."""
        world = script.world
        if left is not None:
            assert script.reactions is not None
            script.reactions.resume(left)
            if world.view.is_followed:
                world.view.move()
            return
        settle(world)
        if world.native.error is None:
            script.finish_in_python()

    def _left(self, script: RunScript, reason: int, turn: int, action: int) -> Left | None:
        """The rest of a step; None for all of it."""
        births = self.runner.births_now
        if reason == _FIND:
            return None
        if reason == _AFTER:
            return Left([], births=births, spawners=(turn, action))
        due = self._due(script)[turn:]
        if action < 0:
            return Left(due, happened=self.runner.happened, births=births)
        found = due[0][0]
        due[0] = found, True
        begun = self.program.deeds[found.rule][action]
        kept = self._kept(script.world.roster.scene.units.y_down)
        return Left(due, begun, kept, self.runner.happened, births)

    def _kept(self, y_down: bool) -> dict[str, float]:
        """The last numbers of the removed bodies of an event, by their names."""
        sides = side_places(y_down).items()
        names = _QUANTITIES | {len(_native.CHANNELS) + place: side for side, place in sides}
        return {
            f"{key}.{names[channel]}": value
            for key, numbers in zip(("$a", "$b"), self.runner.kept, strict=True)
            for channel, value in numbers.items()
        }

    def _due(self, script: RunScript) -> list[tuple[Occurrence, bool]]:
        """The events of the step, and whether each has happened before."""
        names = self.news.names
        return [(occurrence(script, row, names), waited) for row, waited in self.runner.due]


@lru_cache(maxsize=8)
def _compiled(scene: SameScene) -> tuple[ScriptProgram | str, _native.ScriptProgram | None]:
    program = program_of(scene.scene, asked_actions(scene.scene))
    if isinstance(program, str):
        return program, None
    return program, _native.ScriptProgram(program.data)


def runner_of(scene: Scene) -> NativeRunner | None:
    """The native runner of a scene's script; None where Python has a part in each step."""
    program, code = _compiled(SameScene(scene))
    if code is None or isinstance(program, str):
        return None
    return NativeRunner(GrowingProgram(scene, program, code))


def why_not(scene: Scene) -> str:
    """The reason why a scene's script is not executed natively; empty where it is."""
    program, _ = _compiled(SameScene(scene))
    return program if isinstance(program, str) else ""
