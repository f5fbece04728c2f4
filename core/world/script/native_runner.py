# SPDX-License-Identifier: MIT
"""Runs a script natively beside the engine, and makes what it asks for.

Python has the same state by names. One of both is ahead: the native runner after its steps, Python
after a change from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ... import _native
from ...errors import RigidError, UsageError
from ...scene.model import Scene
from ...scene.values.row_program import EXACT
from ..building.engines import as_textbook
from ..naming.named_parts import NamedParts
from ..naming.setters import find_setter
from ..removals import settle
from .copies import ASKED, NUMBERS, Copies
from .copy import Copy
from .dragging import refuse
from .event_conditions import Occurrence
from .failure_messages import failure
from .growing import GrowingProgram, SameScene
from .native_copies import asked_by, attach_joint, copy_bodies, native_copies, unknown_of
from .native_failures import Place, refused, worded
from .native_inputs import inputs_before, inputs_of, pull_of
from .native_news import News, Rows, ScriptedEngine, Sight
from .native_state import (
    RunScript,
    actuator_names,
    bodies_of,
    numbers_of,
    objects_of,
    put,
    take,
    take_born_objects,
    take_objects,
)
from .program import ScriptProgram, program_of
from .program.actions import INPUTS
from .program.asked import asked_actions
from .program.writer import NONE
from .spawning import Spawning, SpawnSource

_QUANTITIES = {
    code: name.removeprefix("body.")
    for name, (code, _) in _native.CHANNELS.items()
    if name.startswith("body.")
}
_DONE, _ENGINE, _PREPARE, _STEP, _FIND, _TURN, _AFTER = range(7)
_COPIES, _ORIGINAL, _CONSENT, _JOINT = range(4)
"""The tasks of a request, as ``Task`` of ``native/script/runner.h``."""
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
        self._steps = 0  # of the runners before
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

    def _restart(self, copies: Copies) -> None:
        """Begin anew with the scripts of the copies that are there."""
        found = self._growing.restart(unknown_of(copies, self._growing.first[0]))
        self._steps = self.steps
        self._begin(*found)

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
    def steps(self) -> int:
        """The number of steps that it has made."""
        return self._steps + self.runner.steps_made

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
            if unknown_of(script.copies, self.program):
                self._restart(script.copies)
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
            self.runner.put_inputs(inputs_of(world, script.player, self.program))

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

    def press(self, script: RunScript, key: str, down: bool) -> None:
        """Hold a key or let it go."""
        kind = INPUTS.index("press" if down else "release")
        self._execute(script, kind, self.program.keys.index(key))

    def _execute(self, script: RunScript, kind: int, what: int) -> None:
        """Execute an input of the program."""
        self.take_over(script)
        self.runner.execute(script.world.native, kind, what)
        self.catch_up(script)
        self._raise(script, _PREPARE, 0, NONE)

    def _begin_step(self, script: RunScript) -> None:
        """Execute the inputs before a step for which the player sets values."""
        world, step = script.world, script.world.step_count
        self.take_over(script)
        self.runner.begin_inputs(world.native)
        for each in inputs_before(world, script.player, self.program, step):
            if each.what != NONE:
                self._execute(script, each.kind, each.what)
            for path, value in each.values.items():
                find_setter(world, path).set(value)
        for grab in script.player.grabs:
            if grab.start == step and pull_of(world, grab, step) is None:
                refuse(world, grab)
        self.take_over(script)
        self.runner.end_inputs(world.native)
        self.catch_up(script)
        self._raise(script, _PREPARE, 0, NONE)

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

    def prepare(self, script: RunScript, end: int) -> int:
        """Do what is due before the next step; return the step up to which the caller steps, at
        most ``end``."""
        world = script.world
        self.take_over(script)
        asked = (end, 0, _NO_CODES, _NO_ROWS, _NO_CODES)
        reason, turn, action, _ = self.runner.run(world.native, *asked, stops_at_steps=True)
        self.catch_up(script)
        if reason == _PREPARE:
            self._raise(script, reason, turn, action)
            self._begin_step(script)
            return self.prepare(script, end)
        if reason != _STEP:
            self._raise(script, reason, turn, action)
        return world.step_count + turn

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
        """Answer what the native runner has asked for where it has stopped."""
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
            self._begin_step(script)
        else:
            raise self._refused(script, reason, turn, action)

    def _answer(self, script: RunScript, reason: int, turn: int, action: int) -> bool:
        """Make what the native runner asks for, if it does; return whether it goes on."""
        request, spawning = self.runner.request, script.spawning
        if request is None or spawning is None:
            return False
        task, place, numbers, bodies = request
        world = script.world
        world.acts = True
        try:
            spawning.begin(self.runner.births_now[0])
            if task == _ORIGINAL:
                self._make(world, spawning, place, numbers)
            elif task == _CONSENT:
                self.news.consent(spawning, place, int(numbers[0]))
                self.runner.consent()
            elif task == _JOINT:
                at = self._place(script, reason, turn, action)
                self.runner.give_joint(attach_joint(world, spawning, at, int(numbers[0])))
            else:
                at = self._place(script, reason, turn, action)
                assert at.action is not None
                self.runner.take_copies(
                    *copy_bodies(world, spawning, self.program, at, numbers, bodies)
                )
                # Copies have actuators of their own, and those by tags act on them too.
                there = dict.fromkeys((*self.news.actuators, *world.actuators.definitions))
                self.news.actuators = [*there]
                self.runner.put_objects(objects_of(world, self.program, self.news.actuators))
                action += 1
        finally:
            world.acts = False
        self._version = world.roster.version
        self.runner.resume(reason, turn, action)
        return True

    def _make(
        self, world: NamedParts, spawning: Spawning, place: int, numbers: list[float]
    ) -> None:
        """Make the original of a birth with these numbers."""
        what = self.news.source(world, spawning, place, numbers)
        try:
            self._give(world, spawning, place, what)
        except UsageError as error:
            raise failure(world, self.program.spawn_paths[place], str(error)) from None

    def _give(self, world: NamedParts, spawning: Spawning, place: int, what: SpawnSource) -> None:
        """Give the original of a birth. Raises UsageError where the engine does not take it."""
        if not what.prototype.acts:
            self.runner.give(self.news.make(world, spawning, place, what))
            return
        spawn = self.program.spawns[place]
        path, pivot = self.program.spawn_paths[place], spawning.pivot(spawn, what)
        found = self._growing.grow(spawn, what.values, what.prototype, path, pivot)
        spawning.copies.listen(what.prototype)
        self.program, code, added, is_other = found
        self.news.program = self.program
        self.runner.extend(code, added)
        if is_other:
            self.runner.put_bodies(bodies_of(world.roster, self.program))

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
            place = self._place(script, reason, turn, action)
            raise worded(world, self.program, failure, place, self.news.next_prototype)
        finally:
            world.acts = False

    def _refused(self, script: RunScript, reason: int, turn: int, action: int) -> RigidError:
        """The error of what the engine does not take."""
        world = script.world
        return refused(world, self._place(script, reason, turn, action))

    def _place(self, script: RunScript, reason: int, turn: int, action: int) -> Place:
        """The place at which the native runner has stopped."""
        scene = script.world.roster.scene
        due, serial, copy = self.runner.due, self.runner.whose, None
        there: list[Copy] = []
        if serial >= 0 and script.spawning is not None:
            known = script.spawning.copies
            there, copies = native_copies(known, self.program, self.runner.take())
            copy = copies[serial]
        if reason == _AFTER:
            spawners = [f"spawners.{name}" for name in scene.spawners]
            for each in there:
                whose = f"prototypes.{each.use}.spawners."
                spawners += [f"{whose}{name}" for name in each.plan.spawners]
            return Place(spawners[turn] if turn < len(spawners) else "", copy=copy)
        if reason != _TURN:
            return Place(copy=copy)
        row, _ = due[turn]
        (place, *ids), _, *has = row
        rule = scene.events[place] if 0 <= place < len(scene.events) else None
        if copy is not None and place != ASKED:
            rule = copy.plan.rules[(place - len(scene.events)) % NUMBERS]
        asked = self.program.asked
        if rule is not None:
            path, actions = rule.path, rule.actions
        elif copy is not None:
            path, actions = asked_by(copy, Occurrence("", (place, ids[0], ids[1])))
        else:
            path = asked[place + len(asked) + 1]
            actions = asked_actions(scene)[path]
        names = {
            key: self.news.names.get(number) or script.world.roster.body_name(number)
            for key, number, is_known in zip(("$a", "$b"), ids, has, strict=True)
            if is_known
        }
        if action < 0:
            return Place(path, names, copy=copy)
        values = numbers_of(row)
        number, part = self.program.deeds[path][action]
        return Place(path, names, values or {}, (actions[number], part), copy)


@lru_cache(maxsize=8)
def _compiled(scene: SameScene) -> tuple[ScriptProgram, _native.ScriptProgram]:
    program = program_of(scene.scene, asked_actions(scene.scene))
    if isinstance(program, str):
        raise UsageError(f"{scene.scene.path}: {program}")
    return program, _native.ScriptProgram(program.data)


def runner_of(scene: Scene) -> NativeRunner:
    """The runner of a scene's script."""
    return NativeRunner(GrowingProgram(scene, *_compiled(SameScene(scene))))
