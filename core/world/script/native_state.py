# SPDX-License-Identifier: MIT
"""The state of a script for the native runner, and back: its names become numbers.

``put`` is called when the native runner goes on after Python, ``take`` when Python does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ...record.recorder import Event
from ...scene.model import Scene
from ..naming.named_parts import NamedParts
from ..naming.parts import MotorState, first_motor
from .animations import Animations
from .event_detection import OF_A_TOUCH
from .occurrences import Occurrence
from .player import Player
from .program import QUANTITIES, ScriptProgram, actuator_numbers, input_rows, mask_of
from .reactions import Reactions

_NEVER = 1 << 62
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
    def held(self) -> dict[str, int]: ...
    @property
    def animations(self) -> Animations: ...
    @property
    def reactions(self) -> Reactions | None: ...

    def prepare(self, step: int, end: int) -> int:
        """Execute due inputs before the next step."""

    def finish(self) -> None:
        """Execute due reactions after a step."""

    def hear(self, told: list[Event]) -> None:
        """Take in events of the engine."""


def things_of(world: NamedParts, program: ScriptProgram) -> State:
    """The motors and actuators as they are set."""
    return {
        "motors": [_motor(world, name) for name in program.motors],
        "actuators": [_actuator(world, name) for name in program.actuators],
    }


def _motor(world: NamedParts, name: str) -> tuple[float, float, bool]:
    state = world.motors.get(name)
    if state is None:
        motor = world.roster.joints[name].motor
        assert motor is not None
        state = first_motor(motor)
    return state.target, state.strength, state.enabled


def _actuator(world: NamedParts, name: str) -> tuple[list[float], bool, bool, list[Any]]:
    now = world.actuators.get(name)
    return (
        actuator_numbers(now),
        now.enabled,
        world.actuators.is_gone(name),
        world.actuators.parts(name),
    )


def put(script: RunScript, program: ScriptProgram) -> State:
    """The state of a script without copies."""
    world = script.world
    keys = {key: place for place, key in enumerate(program.keys)}
    state: State = {
        "seed": world.roster.scene.world.seed,
        "held": [(keys[key], since) for key, since in script.held.items()],
        "animations": [
            (
                -1 if each.begun is None else each.begun,
                each.phase,
                each.settled,
                [setter.moved for setter in each.setters],
            )
            for each in script.animations.playing.values()
        ],
        **inputs_of(script, program),
        "prepared": script.prepared,
        "busy": script.busy,
        **things_of(world, program),
    }
    return state | (
        _no_reactions(script, program) if script.reactions is None else _of(script, program)
    )


def inputs_of(script: RunScript, program: ScriptProgram) -> State:
    """The inputs from the present step on, and the steps before which bodies are dragged."""
    step, asked = script.world.step_count, program.asked if script.plan.reacts else ()
    rows = input_rows(script.player, program.keys, asked, step)
    drags = [(each.start, each.until) for each in script.player.grabs if each.until >= step]
    return {"inputs": rows, "by_host": drags}


def _no_reactions(script: RunScript, program: ScriptProgram) -> State:
    nothing: list[Any] = []
    return {
        "variables": [*script.plan.state.values()],
        **dict.fromkeys(("was", "inside", "members", "fired", "pairs"), nothing),
        **dict.fromkeys(("cooling", "acted", "waiting", "tags", "spawned"), nothing),
        "uses": [-1] * len(program.uses),
        **dict.fromkeys(("pairs_pruned", "cooling_pruned"), 1024),
        **dict.fromkeys(("ending", "ended_at"), -1),
        "next_end": _NEVER,
        "host_finds": False,
    }


def _of(script: RunScript, program: ScriptProgram) -> State:
    reactions, roster = script.reactions, script.world.roster
    assert reactions is not None
    finder, acting = reactions.finder, reactions.acting
    turns, ending = finder.turns, reactions.ending
    tags = program.tags
    return {
        "variables": [acting.state[name] for name in script.plan.state],
        "tags": [
            (roster.ids[name], mask_of(tags, roster.bodies[name].tags))
            for name in (roster.born.values() if tags else ())
        ],
        "was": finder.was,
        "inside": [finder.inside[i].tolist() for i in program.leaves],
        "members": [finder.member_ids(i).tolist() for i in program.leaves],
        "fired": [*turns.fired],
        "pairs": [*turns.pairs],
        "pairs_pruned": turns.pruned,
        "cooling": [*turns.cooling.until.items()],
        "cooling_pruned": turns.cooling.pruned,
        "acted": [program.actuators.index(name) for name in finder.acted],
        "waiting": [(step, row_of(found)) for step, found in reactions.waiting],
        "ending": -1 if ending is None else program.texts.index(ending[0]),
        "ended_at": -1 if ending is None else ending[1],
        "uses": [acting.formulas.uses.get(path, -1) for path in program.uses],
        "spawned": [reactions.spawners.spawned[name] for name in script.plan.spawners],
        "next_end": acting.spawning.ends.next,
        "host_finds": bool(finder.told or finder.deaths or finder.ends),
    }


def row_of(found: Occurrence) -> Row:
    """An occurrence as numbers."""
    values = found.values or {}
    given = [values[name] for name in OF_A_TOUCH if name in values]
    return found.order, given, bool(found.a), bool(found.b)


def occurrence(script: RunScript, row: Row, names: Mapping[int, str]) -> Occurrence:
    """An occurrence of these numbers; ``names`` has those of bodies that may be gone."""
    (place, first, second), given, has_a, has_b = row
    reactions, roster = script.reactions, script.world.roster
    assert reactions is not None
    asked = place < 0
    path = reactions.path_asked(place) if asked else reactions.finder.rules[place].path

    def called(number: int) -> str:
        return names[number] if number in names else roster.body_name(number)

    a, b = called(first) if has_a else "", called(second) if has_b else ""
    values = dict(zip(_GIVEN[len(given)], given, strict=True)) if given else None
    return Occurrence(path, (place, first, second), a, b, values)


# ------------------------------------------------------------ and back


def take(
    script: RunScript, program: ScriptProgram, state: Mapping[str, Any], names: Mapping[int, str]
) -> None:
    """Bring a script into the state of the native runner."""
    held = {program.keys[key]: since for key, since in state["held"]}
    script.held.clear()
    script.held.update(held)
    playing = script.animations.playing.values()
    for each, (begun, phase, settled, moved) in zip(playing, state["animations"], strict=True):
        each.begun, each.phase, each.settled = None if begun < 0 else begun, phase, settled
        for setter, was in zip(each.setters, moved, strict=True):
            setter.moved = bool(was)
    script.prepared, script.busy = state["prepared"], state["busy"]
    reactions = script.reactions
    if reactions is None:
        return
    finder, acting = reactions.finder, reactions.acting
    acting.state.update(zip(script.plan.state, state["variables"], strict=True))
    finder.was = [bool(each) for each in state["was"]]
    for i, ids in zip(program.leaves, state["inside"], strict=True):
        finder.inside[i] = np.array(ids, np.int64)
    turns = finder.turns
    turns.fired = {*state["fired"]}
    turns.pairs = {(i, a, b) for i, a, b in state["pairs"]}
    turns.pruned = state["pairs_pruned"]
    turns.cooling.until = {(i, a, b): until for (i, a, b), until in state["cooling"]}
    turns.cooling.pruned = state["cooling_pruned"]
    finder.acted = {program.actuators[place] for place in state["acted"]}
    waiting = [
        (step, occurrence(script, (tuple(order), *rest), names))
        for step, (order, *rest) in state["waiting"]
    ]
    reactions.waiting = waiting
    if state["ending"] >= 0:
        reactions.ending = program.texts[state["ending"]], state["ended_at"]
    for path, use in zip(program.uses, state["uses"], strict=True):
        if use >= 0:
            acting.formulas.uses[path] = use


def take_things(world: NamedParts, program: ScriptProgram, changes: tuple[Any, Any]) -> None:
    """Take notice of the motors and actuators that the native runner has set."""
    motors, actuators = changes
    for place, target, strength, enabled in motors:
        world.motors[program.motors[place]] = MotorState(target, strength, enabled)
    for place, numbers, enabled in actuators:
        name = program.actuators[place]
        if world.actuators.is_gone(name):
            continue
        now = world.actuators.get(name)
        given = dict(zip(QUANTITIES, numbers, strict=True))
        force = given.pop("force_x"), given.pop("force_y")
        values: dict[str, Any] = {
            each: None if math.isnan(value) else value for each, value in given.items()
        }
        values |= {"force": force, "enabled": enabled}
        changed = {each: value for each, value in values.items() if getattr(now, each) != value}
        world.actuators.note(name, changed)
