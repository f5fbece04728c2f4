# SPDX-License-Identifier: MIT
"""The copies of a world for the native runner, and back: those with scripts, and of bodies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from ...scene.blocks.placement import Placement
from ...scene.event_model import Action
from ...scene.values.names import group_of
from ..building.joint_rows import spring_numbers
from ..naming.named_parts import NamedParts
from ..naming.parts import first_motor
from .action_state import ActionState
from .animations import Animations, Playing
from .attached_joints import attach
from .copies import Copies
from .copy import Copy
from .event_conditions import Occurrence
from .native_failures import Place
from .program import ScriptProgram
from .program.kept import Kept, along_ids, breakable_bytes, form_bytes
from .program.keys import own_path
from .program.own import OwnNames
from .program.tags import mask_of_body
from .program.writer import NONE, words_of
from .reactions import asked_of
from .sets import Shift
from .spawning import Spawning

_Called = Callable[[Iterable[int]], tuple[str, ...]]
_Playing = tuple[int, float, bool, list[bool]]


def unknown_of(copies: Copies, program: ScriptProgram) -> list[Copy]:
    """The copies whose scripts a program lacks."""
    there = (*copies.all.values(), *copies.gone.values())
    return [each for each in there if _birth(each, program) is None]


def _birth(copy: Copy, program: ScriptProgram) -> int | None:
    """The place of a birth of such copies; None without one."""
    name, place = copy.name.rpartition("[")[0], copy.placement
    given = tuple(sorted(copy.values.items()))
    return program.scripted.get((name, copy.use, given, place.scale, place.mirror, place.pivot))


def motor_row(world: NamedParts, name: str) -> tuple[float, float, bool]:
    """The motor of a joint as it is set."""
    state, joint = world.motors.get(name), world.roster.joints.get(name)
    if joint is None:  # which is removed
        return 0.0, 0.0, False
    if state is None:
        assert joint.motor is not None
        state = first_motor(joint.motor)
    return state.target, state.strength, state.enabled


def spring_row(world: NamedParts, name: str) -> list[float]:
    """The spring and the lengths of a joint as they are set."""
    joint = world.roster.joints.get(name)
    if joint is None:
        return [0.0] * 4
    return spring_numbers(joint, world.springs.get(name, joint.spring), world.lengths.get(name))


def playing_rows(playing: Iterable[Playing]) -> list[_Playing]:
    """The states of animations."""
    return [
        (
            -1 if each.begun is None else each.begun,
            each.phase,
            each.settled,
            [setter.moved for setter in each.setters],
        )
        for each in playing
    ]


def copied_rows(
    copies: Copies,
    animations: Animations,
    program: ScriptProgram,
    number: Callable[[str], int],
    dead: Mapping[str, int],
    acting: ActionState,
    ends: Collection[str],
    actuators: Sequence[str],
) -> dict[str, Any]:
    """The copies as rows of numbers. ``number`` gives those of bodies, also of removed ones;
    ``dead`` are those without a found event, ``ends`` such joints; ``actuators`` the names of all
    actuators."""
    places = {name: place for place, name in enumerate(actuators)}

    def row(copy: Copy, is_there: bool) -> tuple[Any, ...]:
        plan, roster = copy.plan, copies.world.roster
        prototype, place = plan.prototype, copy.placement
        bodies = [copy.full(name) for name in prototype.bodies]
        joints = [copy.full(name) for name in prototype.joints]
        count = int(copy.name.rpartition("[")[2][:-1])
        inside = (copy.inside.get(i) for i in plan.leaving)
        playing = (
            playing_rows(animations.playing[copy.full(name)] for name in prototype.animations)
            if is_there
            else [(-1, 0.0, True, [False] * len(a.tracks)) for a in prototype.animations.values()]
        )
        birth = _birth(copy, program)
        assert birth is not None
        return (
            (copy.serial, copy.born, birth, count),
            (*place.at, place.angle, *place.velocity),
            (
                [roster.ids.get(name, dead.get(name, -1)) for name in bodies],
                [roster.joint_ids.get(name, -1) for name in joints],
                [
                    roster.points.get((copy.full(name), point), 0)
                    for name, body in prototype.bodies.items()
                    for point in body.points
                ],
            ),
            ([name in copy.there for name in prototype.bodies], copy.was, sorted(copy.fired)),
            [[] if each is None else [n in each for n in prototype.bodies] for each in inside],
            (
                [copy.spawned.get(name, 0) for name in plan.spawners],
                [
                    [[number(body) for body in born] for born in copy.living.get(name, ())]
                    for name in plan.spawners
                ],
                [name in copy.living for name in plan.spawners],
            ),
            playing,
            (
                *joints_of(copy, program.own_names[birth]),
                [places.get(copy.full(name), NONE) for name in prototype.actuators],
            ),
        )

    def joints_of(copy: Copy, names: OwnNames) -> tuple[Any, ...]:
        world, full = copies.world, copy.full
        ids = world.roster.joint_ids
        return (
            [motor_row(world, full(name)) for name in names.motors],
            [spring_row(world, full(name)) for name in names.springs],
            [acting.spawning.counts.get(full(name), 0) for name in names.attached],
            [
                [(int(each[len(full(name)) + 1 : -1]), ids.get(each, -1)) for each in there]
                for name in names.attached
                for there in (acting.attached.get(full(name), ()),)
            ],
            [
                (ids.get(each, -1), place)
                for place, name, is_attached in names.watched
                for each in (joined if is_attached else (full(name),))
                if (group_of(each) == full(name)) or not is_attached
                if each in ends or (each in ids and world.native.has_joint(ids[each]))
            ],
        )

    joined = [*ends, *(name for name in copies.world.roster.joints)]

    return {
        "copies": [row(copy, True) for copy in copies.all.values()],
        "gone": [row(copy, False) for copy in copies.gone.values()],
        "copy_births": copies.births,
    }


def take_copies(
    copies: Copies, program: ScriptProgram, state: Mapping[str, Any], called: _Called
) -> Sequence[_Playing]:
    """Bring the copies into the state of the native runner; return the states of their
    animations. ``called`` gives the names of bodies."""
    rows, gone = state["copies"], state["gone"]
    if rows or gone or copies.all or copies.gone:
        there, were = (
            [_copy_of(copies, program, row, called) for row in each] for each in (rows, gone)
        )
        copies.replace(there, were)
    copies.births = state["copy_births"]
    return [playing for row in rows for playing in row[-2]]


def native_copies(
    copies: Copies, program: ScriptProgram, state: Mapping[str, Any]
) -> tuple[list[Copy], dict[int, Copy]]:
    """The copies that are there in the state of the native runner, which Python has not taken, and
    all by their serial numbers."""
    there, gone = (
        [_copy_of(copies, program, row, lambda _: ()) for row in state[each]]
        for each in ("copies", "gone")
    )
    return there, {each.serial: each for each in (*there, *gone)}


def _copy_of(copies: Copies, program: ScriptProgram, row: Any, called: _Called) -> Copy:
    head, (x, y, angle, *velocity), _, marks, inside, (spawned, living, counted), *_ = row
    serial, born, birth, count = head
    there, was, fired = marks
    name, use, given, scale, mirror, pivot = program.births[birth]
    values, full = dict(given), f"{name}[{count}]"
    plan = copies.plan(use, values, program.prototypes[birth])
    bodies = [*plan.prototype.bodies]
    return Copy(
        full,
        use,
        values,
        Placement(
            at=(x, y),
            pivot=pivot,
            angle=angle,
            scale=scale,
            mirror=mirror,
            velocity=(velocity[0], velocity[1]),
        ),
        plan,
        serial,
        born,
        dict.fromkeys(body for body, is_there in zip(bodies, there, strict=True) if is_there),
        [bool(each) for each in was],
        {*fired},
        {
            i: {body for body, is_in in zip(bodies, flags, strict=True) if is_in}
            for i, flags in zip(plan.leaving, inside, strict=True)
            if len(flags)
        },
        {each: n for each, n in zip(plan.spawners, spawned, strict=True) if n},
        {
            each: [called(birth) for birth in births]
            for each, births, was in zip(plan.spawners, living, counted, strict=True)
            if was
        },
    )


def copy_bodies(
    world: NamedParts,
    spawning: Spawning,
    program: ScriptProgram,
    at: Place,
    numbers: Sequence[float],
    bodies: Sequence[int],
) -> tuple[list[Any], int, int]:
    """Copy bodies for an action at a place; return the new ones as rows, the place of their name,
    and the number of all births. ``numbers`` are about, to, angle and velocity of the shift."""
    assert at.action is not None
    action = at.action[0]
    motion, roster = action.motion, world.roster
    assert motion is not None
    names = [roster.body_name(body) for body in bodies]
    about, to, velocity = ((numbers[i], numbers[i + 1]) for i in (0, 2, 5))
    shift = Shift(about, to, numbers[4], None if motion.velocity is None else velocity)
    name = action.name if at.copy is None else at.copy.called(world, action)
    what = at.names.get(action.name, name)
    rows = [
        (
            roster.ids[name],
            form_bytes(Kept(roster.scene, roster.bodies[name])) if program.measures else b"",
            words_of(mask_of_body(program.tags, roster.bodies[name])),
            name,
            breakable_bytes(Kept(roster.scene, roster.bodies[name])) or b""
            if program.destructions
            else b"",
            along_ids(roster.bodies[name], roster.ids),
        )
        for name in spawning.put_copies(what, names, motion.name, shift, action.path)
    ]
    return rows, program.names.index(motion.name), spawning.births


def asked_by(copy: Copy, found: Occurrence) -> tuple[str, tuple[Action, ...]]:
    """What a key of a copy has asked for: the path by which a program has the actions, and
    these."""
    key, released = copy.asked(found.order[2])
    return own_path(copy.use, key, released=released), asked_of(copy.plan.keys, found)


def attach_joint(world: NamedParts, spawning: Spawning, at: Place, count: int) -> int:
    """Attach the joint of an action at a place, the ``count``-th of its name; return its id, NONE
    where a body of it is not there."""
    assert at.action is not None
    action, _ = at.action
    if at.copy is not None:
        action = at.copy.attaching(world, action)
    full = attach(world, action, count, at.values, at.names)
    if not full:
        return NONE
    if at.copy is None:  # those of copies are taken with these
        spawning.counts[action.name] = count + 1
    return world.roster.joint_ids[full]


def attached_names(copies: Copies) -> set[str]:
    """The names of the joints that copies may attach."""
    there = (*copies.all.values(), *copies.gone.values())
    return {copy.full(name) for copy in there for name in copy.plan.attaches}


def take_attached(
    acting: ActionState, program: ScriptProgram, state: Mapping[str, Any], before: Iterable[str]
) -> None:
    """Take the joints that copies have attached; ``before`` are the earlier names of these."""
    counts = acting.spawning.counts
    for name in before:
        counts.pop(name, None)
    for (_, _, birth, number), *_, driven in (*state["copies"], *state["gone"]):
        whose = f"{program.births[birth][0]}[{number}]"
        rows = zip(program.own_names[birth].attached, *driven[2:4], strict=True)
        for own, count, joints in rows:
            name = f"{whose}.{own}"
            if count:
                counts[name] = count
            if joints:
                acting.attached[name] = [f"{name}[{each}]" for each, _ in joints]
