# SPDX-License-Identifier: MIT
"""Reads the log of a native runner: events, messages, births and removals, in order; and answers
what it asks of the view and of the engine of a textbook solver."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from weakref import ref

from ... import _native
from ...errors import RigidError
from ...record.recorder import Event
from ...scene.basis import Fragment
from ...scene.blocks.settings.settable import TYPES
from ...scene.event_model import Prototype
from ..building.engines import CHANGES, Textbook
from ..destroying import Moving, name_pieces
from ..events import CONTACT_EVENTS, EVENT_KINDS, JOINT_EVENTS, PAIR_EVENTS
from ..failures import warnings_of
from ..naming.named_parts import NamedParts
from ..removals import forget_actuator, forget_body, forget_joint
from ..spawning import Mounts, name_copies
from .dragging import joint_of
from .event_conditions import Death
from .program import ScriptProgram
from .program.actions import DEED_ORDER
from .program.originals import made_bytes, original_of, vars_with
from .program.tags import mask_of_body
from .program.values import TARGETS
from .program.writer import NONE
from .spawning import Spawning, SpawnSource

_SAID = 1 << 16
_LOG, _SOUND = DEED_ORDER.index("log"), DEED_ORDER.index("sound")
_BIRTH, _REMOVED, _LOST, _JOINT_REMOVED, _PIECES = range(_SAID + 64, _SAID + 69)
_ACTUATOR_REMOVED, _ATTACHED, _PULLED, _LOOK = range(_SAID + 69, _SAID + 73)


class Rows:
    """Rows of channels that are read after every so many steps.

    Attributes:
        taken: how many of the rows of ``out`` are filled.
    """

    def __init__(self, every: int, codes: Any, out: Any, variables: Any) -> None:
        self.every, self.codes, self.out, self.variables = every, codes, out, variables
        self.taken = 0


class Sight:
    """The camera's view, as the native runner reads it.

    Attributes:
        error: the error of the last reading, if there was one.
    """

    def __init__(self, world: NamedParts) -> None:
        self._world = ref(world)  # which has the runner
        self.error: RigidError | None = None

    def look(self, number: int, step: int, bodies: list[float]) -> float:
        """A number of the view."""
        world = self._world()
        assert world is not None
        try:
            return world.view.look(number, step, bodies)
        except RigidError as error:
            self.error = error
            raise


class ScriptedEngine:
    """The engine of a textbook solver, as the native runner calls it."""

    def __init__(self, engine: Textbook) -> None:
        self.read, self.touch, self.removed = engine.read, engine.touch, engine.removed
        self.add_force = engine.add_force
        self._change = engine.change

    def change(self, what: int, owner: int, which: int, numbers: list[float]) -> bool:
        """Take notice of a change by the script; return whether it can be."""
        name = CHANGES[what]
        if name == "body":
            return self._change(name, owner, TARGETS[which], numbers)
        return self._change(name, owner, "acts" if which else "", numbers)


class News:
    """The news of one native runner.

    Attributes:
        pending: what no event was found from yet: the place in the log, and an event of the
            engine, a removed body or the name of a removed joint.
        names: the names of removed bodies by their ids.
        actuators: the names of all actuators, by their places.
        place: the last place of the body whose removal is taken in; None otherwise.
        asks: which copies may have an event of the removal: 1 of joints, 2 of the body.
    """

    def __init__(self, program: ScriptProgram) -> None:
        self.program = program
        self.pending: list[tuple[int, Event | Death | str]] = []
        self.names: dict[int, str] = {}
        self.actuators: list[str] = []
        self.place: tuple[float, float] | None = None
        self.asks = 0
        self._row = 0
        self._made: SpawnSource | None = None  # for the next birth

    @property
    def next_prototype(self) -> Prototype | None:
        """The prototype of the next birth, if that was made for it."""
        return None if self._made is None else self._made.prototype

    def begin(self) -> None:
        """Drop what is known of the past, when the runner takes over a state."""
        self.pending, self.names = [], {}

    def keep(self, runner: _native.ScriptRunner, news: Iterable[Event | Death | str]) -> None:
        """Keep earlier results until their events are found."""
        found, _ = runner.found
        self.pending = [(found, item) for item in news]

    def source(
        self, world: NamedParts, spawning: Spawning, place: int, numbers: list[float]
    ) -> SpawnSource:
        """The prototype of a birth with these numbers, which is the next one."""
        scene, program = world.roster.scene, self.program
        values = vars_with(scene, program.spawns[place], numbers)
        what = spawning.make(program.spawns[place], values, program.spawn_paths[place])
        self._made = what
        return what

    def make(self, world: NamedParts, spawning: Spawning, place: int, what: SpawnSource) -> bytes:
        """The original of a birth without a script, as bytes."""
        scene, program = world.roster.scene, self.program
        spawn = program.spawns[place]
        original = original_of(scene, what.prototype, spawn, NONE)
        assert original is not None
        return made_bytes(
            scene,
            original,
            partial(mask_of_body, program.tags),
            spawning.pivot(spawn, what),
            breaks=bool(program.destructions),
            measures=program.measures,
        )

    def take(
        self, world: NamedParts, runner: _native.ScriptRunner, spawning: Spawning | None
    ) -> None:
        """Take in all news."""
        _, logged = runner.found
        log, births, broken, joined = runner.log, runner.births, runner.broken, runner.joined
        self._row = logged - len(log)
        for step, kind, first, other, x, y in log:
            if kind == _BIRTH:
                self._name(births[first], step, spawning)
            elif kind == _PIECES:
                self._break(world, broken[first], step, spawning)
            elif kind == _ATTACHED:
                self._attach(world, joined[first], step, spawning)
            elif kind == _PULLED:
                self._pull(world, first, other, step)
            elif kind in (_REMOVED, _LOST):
                self.place, self.asks = (x, y), other
                self._drop(world, first, step, kind == _LOST)
                self.place = None
            elif kind == _JOINT_REMOVED:
                self.asks = other
                forget_joint(world, world.roster.joint_name(first), step)
            elif kind == _ACTUATOR_REMOVED:
                forget_actuator(world, self.actuators[first], by_engine=True)
            elif kind == _LOOK and other < 0:
                world.roster.forget_centers()
            elif kind == _LOOK:
                world.roster.visible[world.roster.body_name(first)] = bool(other)
            elif kind >= _SAID:
                self._say(world, step, kind - _SAID, first, x)
            else:
                self._hear(world, step, kind, first, other)
            self._row += 1
        runner.clear_log()
        self.drop_found(runner)
        world.removals = world.native.removals

    def drop_found(self, runner: _native.ScriptRunner) -> None:
        """Forget from what events were found by now."""
        found, _ = runner.found
        self.pending = [each for each in self.pending if each[0] >= found]

    def wait(self, item: Death | str) -> None:
        """Keep a removal that is taken in until its events are found."""
        self.pending.append((self._row, item))

    def _say(self, world: NamedParts, step: int, deed: int, text: int, volume: float) -> None:
        word = "log" if deed == _LOG else "sound" if deed == _SOUND else "end"
        loud = f"{volume:.3g}" if deed == _SOUND and volume < 1.0 else ""
        world.told.append(Event(step, word, self.program.texts[text], loud))

    def _hear(self, world: NamedParts, step: int, kind: int, first: int, other: int) -> None:
        name, roster = EVENT_KINDS[kind], world.roster
        if name in JOINT_EVENTS:
            event = Event(step, name, roster.joint_name(first))
        else:
            second = roster.body_name(other) if name in PAIR_EVENTS else ""
            event = Event(step, name, roster.body_name(first), second)
        self.pending.append((self._row, event))
        listens = world.script is not None and world.script.listens and not world.tells_contacts
        if not (listens and name in CONTACT_EVENTS):
            world.told.append(event)

    def _name(self, birth: Any, step: int, spawning: Spawning | None) -> None:
        spawn, count, pose, bodies, joints, points, *mounted = birth
        assert spawning is not None
        taken: Mapping[str, list[int]] = {"bodies": bodies, "joints": joints, "points": points}
        what, plan = self._source(spawn), self.program.spawns[spawn]
        driven, forces, joined = mounted
        pairs = [(self.actuators[each], part, place) for each, part, place in joined]
        mounts = Mounts(driven, forces, pairs)
        self.actuators += spawning.note_birth(plan, what, count, pose, taken, step, mounts)

    def _source(self, spawn: int) -> SpawnSource:
        """What is born by a birth."""
        known = self.program.prototypes[spawn]
        if known is not None:
            return SpawnSource(known, self.program.spawns[spawn].vars, True)
        assert self._made is not None
        return self._made

    def consent(self, spawning: Spawning, place: int, births: int) -> None:
        """Raise an error if so many births bring too many particles."""
        spawning.consent(self._source(place), births, self.program.spawn_paths[place])

    def _break(self, world: NamedParts, broken: Any, step: int, spawning: Spawning | None) -> None:
        place, body, kind, collide, (x, y, angle, vx, vy, *rest), pieces, joined = broken
        omega, mass, inertia, cx, cy, *along = rest
        assert spawning is not None
        spawning.births += len(pieces)
        was = Moving(
            *(x, y, angle, (vx, vy), omega, mass, inertia, (cx, cy)),
            TYPES[kind],
            collide,
            None if math.isnan(along[0]) else (along[0], along[1]),
        )
        name = world.roster.body_name(body)
        mounts = Mounts(joined=[(self.actuators[each], part, at) for each, part, at in joined])
        name_pieces(world, name, self.program.destructions[place], was, pieces, step, mounts)

    def _attach(self, world: NamedParts, joint: Any, step: int, spawning: Spawning | None) -> None:
        place, count, number, bodies, numbers, spawn, copy = joint
        attachment = self.program.attachments[place]
        whose = "" if spawn < 0 else f"{self.program.spawns[spawn].name}[{copy}]."
        name = f"{whose}{attachment.name}"
        names = [world.roster.body_name(body) if body else "world" for body in bodies]
        made = attachment.made(f"{name}[{count}]", names, numbers)
        assert spawning is not None
        if not whose:  # those of copies are taken with these
            spawning.counts[name] = count + 1
        taken = {"bodies": [], "joints": [number], "points": []}
        name_copies(world, Fragment({}, {made.name: made}, {}), taken, step)

    def _pull(self, world: NamedParts, number: int, joint: int, step: int) -> None:
        assert world.script is not None
        grab = next(each for each in world.script.player.grabs if each.number == number)
        made = {grab.joint: joint_of(grab)}
        taken = {"bodies": [], "joints": [joint], "points": []}
        name_copies(world, Fragment({}, made, {}), taken, step)
        world.targets[grab.joint] = grab.target(grab.start)

    def _drop(self, world: NamedParts, number: int, step: int, is_lost: bool) -> None:
        name = self.names[number] = world.roster.body_name(number)
        if is_lost:
            world.warned += warnings_of(world.native, world.roster)
        forget_body(world, name, step)
        if world.tells_births and not is_lost:
            world.told.append(Event(step, "body_removed", name))
