# SPDX-License-Identifier: MIT
"""The program of a scene's script, which the native runner executes beside the engine.

Objects are called by numbers in it: by the engine's slots, or by their places in its tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import get_args

from ....scene import limits
from ....scene.event_model import (
    Action,
    EventKind,
    EventRule,
    Outcome,
    Prototype,
    Selector,
    Spawn,
    Spawner,
)
from ....scene.model import Joint, Scene
from ....scene.script import Animation, AnimationKind, Control, Destruction, Easing, Track, Value
from ....scene.values.expression import ExpressionError, compile_expression
from ....scene.values.names import group_of
from ...building.actuator_rows import gravity_for_tyres, is_joint
from ...building.joint_rows import JOINTS, placed_joints
from ...building.rows import row_bytes
from ..event_conditions import RELEASED, SWITCHES, asks
from ..player import Grab, Player
from .actions import InputRow, ProgramActions, input_rows, timed_sets
from .actuators import joins, put_actuator
from .attaching import Attachment, ProgramAttaching
from .births import Birth, ProgramBirths, emitting
from .breaking import ProgramBreaking
from .keys import own_asked, put_control
from .own import FIRST, Own, OwnNames
from .tags import mask_of, mask_of_body, materials_of
from .values import ProgramValues
from .writer import NONE, NoProgramError, Writer

MAGIC = b"rigid script 13\n"
_KINDS = get_args(EventKind)
_EASINGS = get_args(Easing)
_PLAYING = get_args(AnimationKind)
_ONCE = ("", "run", "pair")


@dataclass(frozen=True, slots=True)
class ScriptProgram:
    """A program and the names behind its numbers.

    Attributes:
        data: the bytes that the native runner reads.
        keys, asked, actuators, motors, springs, mice, uses, tags, texts: the names in its tables.
        leaves: the places of the events of type ``leave``.
        switches: whether it matters when actuators begin and stop.
        is_whole: whether the runner asks its host for nothing.
        names: the names of what is born.
        spawns: the births.
        spawn_paths: their paths.
        watched: the joints of the events of type ``deleted``.
        ends_of: the names of attached joints of such events.
        attachments: the joints that actions attach.
        deeds: by the path of an event, or of what a key asks for, the action and the setting
            behind each of its actions.
        sets: the timed settings.
        destructions: how bodies are broken.
        breaks: the names of the scene's bodies that may break.
        hides: whether bodies are shown or hidden.
        measures: whether the shapes of bodies are measured.
        expressions: the expressions: their sources, paths and bounds.
        births: the births, by what tells them apart.
        prototypes: what is born; None for what is made at each birth.
        scripted: the places of those of copies with scripts.
        emits: whether particles come with what is born.
        hangs: whether joints with the world come with what is born.
        hollow: whether bodies break that have holes, or pictures that are aligned with others.
        own_names: for each birth the joints of a copy by their names.
    """

    data: bytes
    keys: tuple[str, ...]
    asked: tuple[str, ...]
    actuators: tuple[str, ...]
    motors: tuple[str, ...]
    springs: tuple[str, ...]
    mice: tuple[str, ...]
    uses: tuple[str, ...]
    tags: Mapping[str, int]
    texts: tuple[str, ...]
    leaves: tuple[int, ...]
    switches: bool
    is_whole: bool
    deeds: Mapping[str, Sequence[tuple[int, int]]]
    names: tuple[str, ...]
    spawns: tuple[Spawn, ...]
    spawn_paths: tuple[str, ...]
    watched: tuple[str, ...]
    ends_of: tuple[str, ...]
    attachments: tuple[Attachment, ...]
    sets: tuple[Mapping[str, Value], ...]
    destructions: tuple[Destruction, ...]
    breaks: tuple[str, ...]
    hides: bool
    measures: bool
    expressions: tuple[tuple[str, str, float, float], ...]
    births: tuple[Birth, ...]
    prototypes: tuple[Prototype | None, ...]
    scripted: Mapping[Birth, int]
    emits: bool
    hangs: bool
    hollow: bool
    own_names: tuple[OwnNames, ...]


def program_of(scene: Scene, asked: Mapping[str, tuple[Action, ...]]) -> ScriptProgram | str:
    """The program of a scene, or the reason why there is none.

    ``asked`` are the actions of its keys and inputs, by their paths.
    """
    try:
        return ProgramWriter(scene, asked).program()
    except NoProgramError as reason:
        return str(reason)


def _parts(scene: Scene, ids: Mapping[str, int]) -> dict[str, list[tuple[int, int]]]:
    """For each actuator the slots of its forces or joints, each with that of its body."""
    joints, forces = count(len(scene.joints)), count()
    return {
        name: [(next(joints if is_joint(each) else forces), ids[body]) for body in each.bodies]
        for name, each in scene.actuators.items()
    }


@dataclass(slots=True)
class ProgramWriter:
    """Writes the program of a scene, which grows by births that are known later."""

    scene: Scene
    asked: Mapping[str, tuple[Action, ...]]
    values: ProgramValues = field(init=False)
    needs_host: bool = False
    breaking: ProgramBreaking = field(init=False)
    births: ProgramBirths = field(init=False)
    attaching: ProgramAttaching = field(init=False)
    actions: ProgramActions = field(init=False)
    _before: bytes = field(init=False)  # tables in front of the plans, and behind them
    _behind: bytes = field(init=False)
    _plans: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = ProgramValues(self.scene)
        mask = partial(mask_of, self.values.tags)
        of = partial(mask_of_body, self.values.tags)
        self.breaking = ProgramBreaking(self.scene, self.values, mask)
        self.births = ProgramBirths(self.scene, self.values, of, self.breaking.place)
        self.attaching = ProgramAttaching(self.scene, self.births.name_of, self.values.roster.ids)
        self.actions = ProgramActions(
            *(self.scene, self.values, self.births, self.breaking, self.attaching),
            self.values.tag,
        )
        self._put_scene()

    def add(self, spawn: Spawn, prototype: Prototype, path: str) -> int:
        """Add the birth of a copy whose vars are known, without a place; return the place of the
        birth. What was written before keeps its places."""
        place = self.births.add(spawn, prototype, path)
        self._put_plans()
        return place

    def _put_scene(self) -> None:
        """Write the tables that the scene itself has; those that others speak of are written
        before them."""
        scene, values = self.scene, self.values
        keys = self._keys
        rest = Writer()
        rest.raw(len(scene.animations).to_bytes(4, "little"))
        rest.raw(len(self.asked).to_bytes(4, "little"))
        rest.each([*scene.animations.values()], lambda each: self._put_animation(rest, each))
        rest.each(keys, lambda key: self._put_key(rest, key))
        rest.each([*self.asked.items()], lambda each: self.actions.put(rest, *each))
        rest.each(scene.events, lambda rule: self._put_rule(rest, rule))
        self._before = rest.bytes()
        rest = Writer()
        rest.each(
            [*scene.spawners.values()],
            lambda each: self._put_spawner(rest, f"spawners.{each.name}", each),
        )
        self._put_plans()
        outcome = scene.outcome or Outcome()
        wanted = [(word, getattr(outcome, word)) for word in ("win", "lose")]
        ends = [(word, source) for word, source in wanted if source]
        rest.each(ends, lambda each: self._put_end(rest, *each))
        player = Player(scene.inputs, scene.world.dt)
        sets = timed_sets(scene)
        inputs = input_rows(player, keys, [*self.asked] if scene.reacts else (), sets, 0)
        rest.each(sets, lambda each: values.put_settings(rest, each))
        rest.each(inputs, lambda each: self._put_input(rest, each))
        rest.each(player.grabs, lambda each: self._put_drag(rest, each))
        hand = Joint("", "mouse", "world", "world", (0.0, 0.0), (0.0, 0.0))
        placed = placed_joints(scene, [hand], {"world": 0}, {})
        rest.raw(row_bytes(JOINTS.rows(placed)))
        self._behind = rest.bytes()
        for name in scene.state:
            values.text(name)

    @property
    def _keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.scene.controls, *self.scene.keys)))

    def program(self) -> ScriptProgram:
        """The program with all that was added so far."""
        scene, values = self.scene, self.values
        variables = [(values.text(name), start) for name, start in scene.state.items()]
        born, pieces = Writer(), Writer()
        self.births.put_names(born)
        settled = values.forms.needed, len(values.tags), *self.breaking.extent
        self.births.put(born, settled)
        self.attaching.put(born)
        self.actions.put_tables(born)
        self.breaking.put(pieces)
        self.needs_host |= values.reads_camera
        self.needs_host |= self.births.makes or self.actions.copies or self.attaching.asks
        comes = bool(self.births.spawns or self.breaking.all)
        self.needs_host |= comes and joins(scene, values.tags)
        data = Writer()
        data.raw(MAGIC)
        self._put_sizes(data)
        data.each([*values.texts], data.text)
        data.each(variables, lambda each: self._put_variable(data, *each))
        data.each([0, *map(self._mask, scene.bodies)], data.tags)
        data.tags(materials_of(values.tags))
        values.put_driven(data)
        parts = _parts(scene, values.roster.ids)
        data.each([*scene.actuators], lambda name: self._put_actuator(data, name, parts[name]))
        values.forms.put(data, [*scene.bodies.values()])
        values.put_expressions(data)
        data.raw(pieces.bytes())
        data.raw(born.bytes())
        data.raw(self._before)
        data.each(self._plans, data.raw)
        data.raw(self._behind)
        subjects = [rule.subject for rule in scene.events if rule.kind == "deleted"]
        leaves = tuple(i for i, rule in enumerate(scene.events) if rule.kind == "leave")
        return ScriptProgram(
            data.bytes(),
            self._keys,
            tuple(self.asked),
            tuple(scene.actuators),
            tuple(values.motors),
            tuple(values.springs),
            tuple(values.mice),
            tuple(values.uses),
            values.tags,
            tuple(values.texts),
            leaves,
            self._switches(),
            not self.needs_host,
            self.actions.deeds,
            tuple(self.births.names),
            tuple(self.births.spawns),
            tuple(self.births.paths),
            tuple(dict.fromkeys(name for each in subjects for name in self._joints_of(each))),
            tuple(each for each in dict.fromkeys(subjects) if each in self.births.attached),
            tuple(self.attaching.all),
            timed_sets(scene),
            tuple(self.breaking.all),
            tuple(self.breaking.own),
            values.hides,
            values.forms.needed,
            values.expressions,
            tuple(self.births.births),
            tuple(self.births.prototypes),
            self.births.scripted,
            self.births.emits,
            self.births.hangs,
            self.breaking.hollow,
            self.births.own_names,
        )

    def _put_plans(self) -> None:
        """Write the scripts of the copies of originals, which may speak of more of these."""
        while len(self._plans) < len(self.births.own):
            use, own = self.births.own[len(self._plans)]
            self.values.own = own
            self._plans.append(self._plan(use, own))
            self.values.own = None

    def _plan(self, use: str, own: Own) -> bytes:
        to, prototype = Writer(), own.prototype
        to.whole(own.place)
        animations = [*prototype.animations.values()]
        to.each(animations, lambda each: self._put_animation(to, each))
        to.each(prototype.events, lambda rule: self._put_rule(to, rule))
        path = f"prototypes.{use}.spawners."  # also of one with vars of its own
        to.each(
            [*prototype.spawners.values()],
            lambda each: self._put_spawner(to, f"{path}{each.name}", each),
        )
        to.each(own_asked(use, prototype), lambda each: self.actions.put(to, *each))
        to.each([*enumerate(prototype.controls)], lambda each: self._put_own_key(to, own, *each))
        return to.bytes()

    def _put_own_key(self, to: Writer, own: Own, place: int, key: str) -> None:
        controls, keys = own.prototype.controls, self._keys
        to.whole(keys.index(key) if key in keys else NONE)
        asked = place, len(controls) + place
        put_control(to, self.values, controls[key], own.prototype, asked)

    def _joints_of(self, name: str) -> list[str]:
        """The scene's joints that an event of type ``deleted`` is about."""
        return [each for each in self.scene.joints if name and name in (each, group_of(each))]

    # ------------------------------------------------------------ tables

    def _put_sizes(self, to: Writer) -> None:
        scene, values = self.scene, self.values
        to.real(scene.world.dt, gravity_for_tyres(scene))
        points = sum(len(body.points) for body in scene.bodies.values())
        to.whole(1 + len(scene.bodies), len(scene.joints), points, len(scene.world.pools))
        to.whole(len(values.uses), limits.EVENTS)
        to.byte(scene.reacts)
        to.byte(self._switches())
        to.byte(not self.needs_host)
        to.long(scene.world.seed)
        to.whole(limits.BODIES, limits.BIRTHS, limits.BIRTHS_AT_ONCE, limits.TRIES_AT_ONCE)
        to.whole(limits.JOINTS, emitting(scene, self.births.prototypes))

    def _switches(self) -> bool:
        scene = self.scene
        born = (rule for each in scene.prototypes.values() for rule in each.events)
        return any(rule.kind in SWITCHES for rule in (*scene.events, *born))

    def _mask(self, name: str) -> int:
        return mask_of_body(self.values.tags, self.scene.bodies[name])

    def _put_variable(self, to: Writer, place: int, start: float) -> None:
        to.whole(place)
        to.real(start)

    def _put_drag(self, to: Writer, grab: Grab) -> None:
        body = self.values.roster.ids.get(grab.body)
        self.needs_host |= body is None or grab.joint in self.scene.joints
        to.whole(grab.number, body or 0)
        to.real(*grab.point, grab.max_force)
        to.long(grab.start, grab.until)
        to.each(grab.steps, to.long)
        to.each(grab.targets, lambda target: to.real(*target))

    def _put_input(self, to: Writer, row: InputRow) -> None:
        to.long(row.step)
        to.byte(row.kind)
        to.whole(row.what)

    def _put_actuator(self, to: Writer, name: str, parts: Sequence[tuple[int, int]]) -> None:
        put_actuator(to, self.scene, self.scene.actuators[name], self.values.tags, parts)

    def _put_animation(self, to: Writer, animation: Animation) -> None:
        to.byte(_PLAYING.index(animation.kind))
        to.byte(animation.enabled)
        back = math.nan if animation.return_to is None else animation.return_to
        to.real(animation.duration, animation.start, back)
        to.each(animation.tracks, lambda track: self._put_track(to, track))

    def _put_track(self, to: Writer, track: Track) -> None:
        target, _ = self.values.setting(track.path, track.values[0])
        if self.values.own is not None and target.owner > FIRST:
            raise NoProgramError(f"an animation sets {track.path}")
        moves = target.name in ("position", "angle") and target.axis == NONE
        numbers = [self.values.setting(track.path, value)[1] for value in track.values]
        kinds = {type(value) for value in track.values}
        self.values.put_target(to, target)
        to.byte(moves)
        to.byte(kinds <= {float, tuple})
        to.byte(_EASINGS.index(track.easing))
        to.reals(track.times)
        to.reals(constant for each in numbers for _, constant in each)

    def _put_key(self, to: Writer, key: str) -> None:
        control = self.scene.controls.get(key, Control(key))
        places = {path: place for place, path in enumerate(self.asked)}
        path = f"controls.{key}"
        asked = places.get(path, NONE), places.get(f"{path}{RELEASED}", NONE)
        put_control(to, self.values, control, self.scene, asked)

    # ------------------------------------------------------------ events

    def _put_rule(self, to: Writer, rule: EventRule) -> None:
        values = self.values
        to.byte(_KINDS.index(rule.kind))
        to.byte(_ONCE.index(rule.once))
        to.byte(rule.per_pair)
        to.byte(rule.kind == "collision" and asks(rule))
        to.each(rule.who, lambda who: self._put_selector(to, who))
        to.whole(self._subject(rule))
        ends = rule.subject if rule.kind == "deleted" else ""
        mine = self.values.own
        if mine is None:
            own, attached = self._joints_of(ends), self.births.attached.get(ends, NONE)
            if ends and attached == NONE and not own:
                raise NoProgramError(f"{rule.path}: {ends} is made while it runs")
            to.places(self.values.roster.joint_ids[name] for name in own)
            to.whole(attached)
        else:
            to.places(mine.ends.get(ends, ()))
            to.whole(NONE)
        to.real(rule.at, _period(rule.every), rule.after)
        to.real(rule.min_impulse, rule.cooldown)
        to.real(*(number for point in rule.region or ((0.0, 0.0), (0.0, 0.0)) for number in point))
        to.whole(values.expression(rule.condition, rule.path))
        to.whole(values.expression(rule.guard, f"{rule.path}.if"))
        to.whole(values.expression(rule.unless, f"{rule.path}.unless"))
        never = mine is not None and _never_holds(rule.guard)
        self.actions.put(to, rule.path, () if never else rule.actions, rule.who)

    def _put_selector(self, to: Writer, who: Selector) -> None:
        own = self.values.own
        tag = self.values.tag(who.tag) if who.tag else NONE
        if any(self.births.owner(name) is None for name in who.bodies):
            raise NoProgramError(f"an event speaks of {who.name}, which is not in the scene")
        to.whole(tag)
        ids = self.values.roster.ids
        to.places(ids[name] if own is None else FIRST - own.bodies[name] for name in who.bodies)

    def _subject(self, rule: EventRule) -> int:
        """The joint or the actuator of an event; of one of type ``deleted`` it is no single one."""
        if not rule.subject or rule.kind == "deleted":
            return NONE
        scene = self.scene if self.values.own is None else self.values.own.scene
        names = [*(scene.actuators if rule.kind in SWITCHES else scene.joints)]
        return names.index(rule.subject)

    def _put_spawner(self, to: Writer, path: str, spawner: Spawner) -> None:
        to.real(spawner.start, spawner.every, spawner.until)
        to.long(-1 if spawner.most is None else spawner.most)
        self.births.spawner(to, path, spawner)

    def _put_end(self, to: Writer, word: str, source: str) -> None:
        to.whole(self.values.text(word), self.values.expression(source, f"outcome.{word}"))


def _period(every: float | None) -> float:
    return math.nan if every is None else every


def _never_holds(guard: str) -> bool:
    """Whether an expression is false whatever it reads."""
    try:
        return bool(guard) and not compile_expression(guard).evaluate({})
    except (ExpressionError, ArithmeticError, ValueError):
        return False
