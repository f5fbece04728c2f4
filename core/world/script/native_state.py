# SPDX-License-Identifier: MIT
"""The state of a script for the native runner, and back: its names become numbers.

``put`` is called when the native runner goes on after Python, ``take`` when Python does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Protocol

import numpy as np

from ...record.recorder import Event
from ...scene.model import Body, Scene
from ...scene.values.names import group_of
from ..building.joint_rows import SPRING_PAIRS
from ..events import EVENT_KINDS, JOINT_EVENTS
from ..naming.named_parts import NamedParts
from ..naming.parts import MotorState
from ..naming.registry import Registry
from .animations import Animations
from .copies import Copies
from .event_conditions import Occurrence
from .event_state import OF_A_TOUCH
from .native_copies import (
    attached_names,
    copied_rows,
    motor_row,
    playing_rows,
    spring_row,
    take_attached,
    take_copies,
)
from .native_inputs import inputs_of
from .native_news import News
from .player import Player
from .program import QUANTITIES, ScriptProgram, actuator_bytes, actuator_numbers
from .program.kept import Kept, along_ids, breakable_bytes, form_bytes
from .program.tags import mask_of, mask_of_body
from .program.writer import NONE, words_of
from .reactions import Reactions
from .spawning import Spawning

_ABOUT_BIRTHS = ("born", "breaking", "living", "counted", "lifetimes", "watched", "told", "deaths")
_GIVEN = {0: (), 2: OF_A_TOUCH[:2], 5: OF_A_TOUCH}

State = dict[str, Any]
Row = tuple[tuple[int, int, int], list[float], bool, bool]


class RunScript(Protocol):
    """A script (``script.py``) as the native runner uses it."""

    world: NamedParts
    plan: Scene
    player: Player
    prepared: int
    busy: bool

    @property
    def spawning(self) -> Spawning | None:
        """The builder that puts copies into the world."""

    @property
    def held(self) -> dict[str, int]: ...
    @property
    def animations(self) -> Animations: ...
    @property
    def copies(self) -> Copies: ...
    @property
    def reactions(self) -> Reactions | None: ...


def objects_of(world: NamedParts, program: ScriptProgram, names: Sequence[str]) -> State:
    """The motors, springs, mice and actuators as they are set. ``names`` are those of the
    actuators."""
    return {
        "motors": [motor_row(world, name) for name in program.motors],
        "springs": [spring_row(world, name) for name in program.springs],
        "mice": [_target(world, name) for name in program.mice],
        "actuators": [_actuator(world, program, name) for name in names],
    }


def _target(world: NamedParts, name: str) -> tuple[float, float]:
    return world.targets.get(name, world.roster.joints[name].anchor_a)


def _actuator(world: NamedParts, program: ScriptProgram, name: str) -> tuple[Any, ...]:
    definition = world.actuators.definitions.get(name)
    if definition is None:  # of what was born and is gone
        return [math.nan] * len(QUANTITIES), False, True, [], b""
    now, scene = world.actuators.get(name), world.roster.scene
    own = name in scene.actuators
    return (
        actuator_numbers(now),
        now.enabled,
        world.actuators.is_gone(name),
        world.actuators.parts(name),
        b"" if own else actuator_bytes(scene, definition, program.tags),
    )


def actuator_names(script: RunScript, program: ScriptProgram) -> list[str]:
    """The names of all actuators, those of the program first; also of those that acted last."""
    acted = () if script.reactions is None else sorted(script.reactions.finder.acted)
    return [*dict.fromkeys((*program.actuators, *script.world.actuators.definitions, *acted))]


def put(
    script: RunScript, program: ScriptProgram, names: dict[int, str], actuators: Sequence[str]
) -> State:
    """The state of a script without copies.

    ``names`` takes those of removed bodies that it still speaks of, by their numbers.
    """
    world = script.world
    keys = {key: place for place, key in enumerate(program.keys)}
    plans = script.plan.animations
    state: State = {
        "seed": world.roster.scene.world.seed,
        "held": [(keys[key], since) for key, since in script.held.items()],
        "animations": playing_rows(islice(script.animations.playing.values(), len(plans))),
        **inputs_of(world, script.player, program),
        "visible": [(world.roster.ids[name], each) for name, each in world.roster.visible.items()],
        "prepared": script.prepared,
        "busy": script.busy,
        **objects_of(world, program, actuators),
    }
    return state | (
        _no_reactions(script, program)
        if script.reactions is None
        else _of(script, program, names, actuators)
    )


def _no_reactions(script: RunScript, program: ScriptProgram) -> State:
    nothing: list[Any] = []
    return {
        "variables": [*script.plan.state.values()],
        **dict.fromkeys(("was", "inside", "members", "fired", "pairs"), nothing),
        **dict.fromkeys(("cooling", "acted", "waiting", "tags", "spawned"), nothing),
        **dict.fromkeys(_ABOUT_BIRTHS, nothing),
        **dict.fromkeys(("births", "lifetimes_given"), 0),
        "counts": [0] * len(program.names),
        "attached": [[] for _ in program.names],
        "uses": [-1] * len(program.uses),
        **dict.fromkeys(("pairs_pruned", "cooling_pruned"), 1024),
        **dict.fromkeys(("ending", "ended_at"), -1),
        **dict.fromkeys(("copies", "gone"), nothing),
        **dict.fromkeys(("copy_births", "copies_begun"), 0),
    }


def _of(
    script: RunScript, program: ScriptProgram, names: dict[int, str], actuators: Sequence[str]
) -> State:
    reactions, roster = script.reactions, script.world.roster
    assert reactions is not None
    for _, found in reactions.waiting:
        pair = zip(found.order[1:], (found.a, found.b), strict=True)
        names |= {place: name for place, name in pair if name}
    spawning, living = reactions.acting.spawning, reactions.spawners.living
    ends = spawning.ends
    dead = {name: place for name, place, *_ in reactions.finder.deaths}
    names |= {place: name for name, place in dead.items()}

    def number(name: str) -> int:
        found = roster.ids.get(name, dead.get(name))
        if found is None:  # of a removed body: one that no body has
            found = -1 - len(names)
            names[found] = name
        return found

    def numbers(event: Event) -> tuple[int, int]:
        if event.kind in JOINT_EVENTS:
            return roster.joint_ids.get(event.a, -1), -1
        a = 0 if event.a == "world" else number(event.a)
        b = 0 if event.b == "world" else -1 if not event.b else number(event.b)
        return a, b

    finder, acting = reactions.finder, reactions.acting
    turns, ending = finder.turns, reactions.ending
    tags = program.tags
    return {
        "variables": [acting.state[name] for name in script.plan.state],
        **bodies_of(roster, program),
        "was": finder.was,
        "inside": [finder.inside[i].tolist() for i in program.leaves],
        "members": [finder.member_ids(i).tolist() for i in program.leaves],
        "fired": [*turns.fired],
        "pairs": [*turns.pairs],
        "pairs_pruned": turns.pruned,
        "cooling": [*turns.cooling.until.items()],
        "cooling_pruned": turns.cooling.pruned,
        "acted": [actuators.index(name) for name in finder.acted],
        "waiting": [(step, row_of(found)) for step, found in reactions.waiting],
        "ending": -1 if ending is None else program.texts.index(ending[0]),
        "ended_at": -1 if ending is None else ending[1],
        "uses": [acting.uses.get(path, -1) for path in program.uses],
        "spawned": [reactions.spawners.spawned[name] for name in script.plan.spawners],
        "living": [
            [[number(name) for name in bodies] for bodies in living.get(name, ())]
            for name in script.plan.spawners
        ],
        "counted": [name in living for name in script.plan.spawners],
        "counts": [spawning.counts.get(name, 0) for name in program.names],
        "births": spawning.births,
        "lifetimes_given": ends.given,
        "lifetimes": [
            (due, order, [number(name) for name in bodies]) for due, order, bodies in ends.entries
        ],
        "watched": [*_watched(script, program, finder.ends)],
        "attached": [
            [
                (int(name[len(each) + 1 : -1]), roster.joint_ids.get(name, -1))
                for name in acting.attached.get(each, ())
            ]
            for each in program.names
        ],
        "told": [(each.step, EVENT_KINDS.index(each.kind), *numbers(each)) for each in finder.told],
        "deaths": [
            (place, words_of(mask_of(tags, own)), x, y) for _, place, own, x, y in finder.deaths
        ],
        **copied_rows(
            *(script.copies, script.animations, program, number, dead, acting, finder.ends),
            actuators,
        ),
        "copies_begun": finder.copies_begun,
    }


def bodies_of(roster: Registry, program: ScriptProgram) -> State:
    """The tags, the forms and the outlines of what was born, as far as a program asks for them."""
    scene, ids, born = roster.scene, roster.ids, roster.born.values()
    bodies = [(ids[name], name, roster.bodies[name]) for name in born]
    return {
        "tags": [
            (number, words_of(mask_of_body(program.tags, body)))
            for number, _, body in (bodies if program.tags else ())
        ],
        "born": [
            (
                number,
                _place_of(program, name) if root == NONE else NONE,
                form_bytes(Kept(scene, body)) if program.measures else b"",
                root,
            )
            for number, name, body in bodies
            for root in (_root(scene, ids, body),)
        ],
        "breaking": [
            (number, name, data, along_ids(body, ids))
            for number, name, body in (bodies if program.destructions else ())
            if (data := breakable_bytes(Kept(scene, body))) is not None
        ],
    }


def _watched(
    script: RunScript, program: ScriptProgram, ends: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """The joints whose removal an event asks for, with the name of those that were attached."""
    roster, native = script.world.roster, script.world.native
    for name in program.watched:
        number = roster.joint_ids[name]
        if name in ends or native.has_joint(number):
            yield number, NONE
    for each in program.ends_of:
        there = [name for name in roster.joints if name not in roster.scene.joints]
        for name in (*ends, *there):
            if group_of(name) == each and name not in roster.scene.joints:
                yield roster.joint_ids.get(name, -1), program.names.index(each)


def _root(scene: Scene, ids: Mapping[str, int], body: Body) -> int:
    """The id of the scene's body that a piece comes from; NONE for other bodies."""
    root = body.piece_of
    is_own = bool(root) and root in scene.bodies and body.name.startswith(f"{root}.")
    return ids[root] if is_own else NONE


def _place_of(program: ScriptProgram, name: str) -> int:
    """The place of the longest name under which a body may be born, NONE without one."""
    found = [each for each in program.names if name.startswith(f"{each}[")]
    return program.names.index(max(found, key=len)) if found else NONE


def row_of(found: Occurrence) -> Row:
    """An occurrence as numbers."""
    values = found.values or {}
    given = [values[name] for name in OF_A_TOUCH if name in values]
    return found.order, given, bool(found.a), bool(found.b)


def occurrence(script: RunScript, row: Row, names: Mapping[int, str]) -> Occurrence:
    """An occurrence of these numbers; ``names`` has those of bodies that may be gone."""
    (place, first, second), _, has_a, has_b = row
    reactions, roster = script.reactions, script.world.roster
    assert reactions is not None
    asked = place < 0
    found = Occurrence("", (place, first, second))
    path = reactions.path_asked(found.order) if asked else reactions.finder.rule_of(found).path

    def called(number: int) -> str:
        return names[number] if number in names else roster.body_name(number)

    a, b = called(first) if has_a else "", called(second) if has_b else ""
    return Occurrence(path, (place, first, second), a, b, numbers_of(row))


def numbers_of(row: Row) -> dict[str, float] | None:
    """The numbers of an event by their names."""
    given = row[1]
    return dict(zip(_GIVEN[len(given)], given, strict=True)) if given else None


# ------------------------------------------------------------ and back


def take(script: RunScript, program: ScriptProgram, state: Mapping[str, Any], news: News) -> None:
    """Bring a script into the state of the native runner."""
    names = news.names
    held = {program.keys[key]: since for key, since in state["held"]}
    script.held.clear()
    script.held.update(held)
    called = partial(_called, script, names)
    attached = attached_names(script.copies)
    of_copies = take_copies(script.copies, program, state, called)
    playing = script.animations.playing.values()
    rows = [*state["animations"], *of_copies]
    for each, (begun, phase, settled, moved) in zip(playing, rows, strict=True):
        each.begun, each.phase, each.settled = None if begun < 0 else begun, phase, settled
        for setter, was in zip(each.setters, moved, strict=True):
            setter.moved = bool(was)
    script.prepared, script.busy = state["prepared"], state["busy"]
    reactions = script.reactions
    if reactions is None:
        return
    finder, acting = reactions.finder, reactions.acting
    finder.copies_begun = state["copies_begun"]
    for _, item in news.pending:
        if isinstance(item, Event):
            finder.told.append(item)
        elif isinstance(item, str):
            finder.ends.append(item)
        else:
            finder.deaths.append(item)
    _take_born(script, state, called)
    acting.state.update(zip(script.plan.state, state["variables"], strict=True))
    acting.attached = {
        name: [f"{name}[{count}]" for count in counts]
        for name, counts in zip(program.names, state["attached"], strict=True)
        if counts
    }
    take_attached(acting, program, state, attached)
    finder.was = [bool(each) for each in state["was"]]
    for i, ids in zip(program.leaves, state["inside"], strict=True):
        finder.inside[i] = np.array(ids, np.int64)
    turns = finder.turns
    turns.fired = {*state["fired"]}
    turns.pairs = {(i, a, b) for i, a, b in state["pairs"]}
    turns.pruned = state["pairs_pruned"]
    turns.cooling.until = {(i, a, b): until for (i, a, b), until in state["cooling"]}
    turns.cooling.pruned = state["cooling_pruned"]
    finder.acted = {news.actuators[place] for place in state["acted"]}
    waiting = [
        (step, occurrence(script, (tuple(order), *rest), names))
        for step, (order, *rest) in state["waiting"]
    ]
    reactions.waiting = waiting
    if state["ending"] >= 0:
        reactions.ending = program.texts[state["ending"]], state["ended_at"]
    for path, use in zip(program.uses, state["uses"], strict=True):
        if use >= 0:
            acting.uses[path] = use


def _called(script: RunScript, names: Mapping[int, str], bodies: Iterable[int]) -> tuple[str, ...]:
    """The names of bodies, also of removed ones."""
    roster = script.world.roster
    return tuple(names.get(each) or roster.body_name(each) for each in bodies)


def _take_born(
    script: RunScript, state: Mapping[str, Any], called: Callable[[Iterable[int]], tuple[str, ...]]
) -> None:
    """Bring spawners and lifetimes into the state of the native runner."""
    reactions = script.reactions
    assert reactions is not None
    spawners, plans = reactions.spawners, script.plan.spawners
    spawners.spawned.update(zip(plans, state["spawned"], strict=True))
    for name, births, counted in zip(plans, state["living"], state["counted"], strict=True):
        if counted:
            spawners.living[name] = [called(bodies) for bodies in births]
    due = [(step, order, called(bodies)) for step, order, bodies in state["lifetimes"]]
    reactions.acting.spawning.ends.restore([state["lifetimes_given"], due])


def take_objects(world: NamedParts, program: ScriptProgram, changes: Sequence[Any]) -> None:
    """Take notice of the motors, springs, mice and actuators that the native runner has set."""
    motors, actuators, springs, mice, *_ = changes
    for place, target in mice:
        world.targets[program.mice[place]] = target[0], target[1]
    for place, *numbers in springs:
        _take_spring(world, program.springs[place], *numbers)
    for place, *state in motors:
        world.motors[program.motors[place]] = MotorState(*state)
    _take_actuators(world, program.actuators, actuators)


def take_born_objects(world: NamedParts, names: Sequence[str], changes: Sequence[Any]) -> None:
    """Take notice of the joints of copies and of the actuators of what was born that the native
    runner has set and that have names. ``names`` are those of all actuators."""
    *_, motors, springs = changes
    born = [each for each in changes[1] if names[each[0]] not in world.roster.scene.actuators]
    _take_actuators(world, names, born)
    called, is_there = world.roster.joint_name, world.native.has_joint
    for number, *numbers in springs:
        if is_there(number):
            _take_spring(world, called(number), *numbers)
    for number, *state in motors:
        if is_there(number):
            world.motors[called(number)] = MotorState(*state)


def _take_actuators(world: NamedParts, names: Sequence[str], changed: Iterable[Any]) -> None:
    known = world.actuators.definitions
    for place, numbers, enabled, step in changed:
        name = names[place] if place < len(names) else ""
        if name not in known or world.actuators.is_gone(name):
            continue
        now = world.actuators.get(name)
        given = dict(zip(QUANTITIES, numbers, strict=True))
        force = given.pop("force_x"), given.pop("force_y")
        values: dict[str, Any] = {
            each: None if math.isnan(value) else value for each, value in given.items()
        }
        values |= {"force": force, "enabled": enabled}
        changed = {each: value for each, value in values.items() if getattr(now, each) != value}
        world.actuators.note(name, changed, step)


def _take_spring(
    world: NamedParts,
    name: str,
    changed: bool,
    first: float,
    second: float,
    lengths_changed: bool,
    *lengths: float,
) -> None:
    spring = world.springs.get(name, world.roster.joints[name].spring)
    if changed and spring is not None:
        pair = SPRING_PAIRS[spring.frequency is not None]
        numbers = [None if math.isnan(each) else each for each in (first, second)]
        numbered: Any = dict(zip(pair, numbers, strict=True))
        world.springs[name] = replace(spring, **numbered)
    if lengths_changed:
        world.lengths[name] = lengths[0], lengths[1]
