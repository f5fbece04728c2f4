# SPDX-License-Identifier: MIT
"""Additions to and removals from a running world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from .. import _native
from ..errors import UsageError, unknown_name
from ..record.recorder import Event
from ..scene.basis import Basis, Fragment, basis_of
from ..scene.blocks.picture.particles import too_many
from ..scene.blocks.world.solver_refusals import beyond_objects
from ..scene.model import Emitter
from .building.actuator_rows import NO_FORCES, NO_JOINTS, force_rows, is_joint
from .building.assembly import build_rows
from .building.copies import motions_of
from .building.engines import Textbook, as_textbook
from .building.joint_rows import JOINTS, placed_joints
from .building.rows import joined
from .failures import raise_error
from .moments import shown_at
from .naming.ids import slot_of
from .naming.parts import WorldParts
from .naming.registry import Living, gone
from .removals import forget_actuator, forget_body, forget_joint, settle, take_in_events


def add_fragment(world: WorldParts, given: Mapping[str, Any] | str | bytes, path: str) -> list[str]:
    """Add the objects of a fragment; return all their names."""
    raise_error(world)
    settle(world)
    roster, actuators = world.roster, world.actuators
    scene, basis = roster.scene, basis_to_add(world)
    from ..scene.fragments import read_fragment  # which knows all that can be written

    living = Living(roster, world.native)
    there = Fragment(living, roster.joints, actuators.definitions)
    fragment = read_fragment(given, basis, there, scene.collision.categories, roster.was, path)
    return put_in(world, fragment, path)


def basis_to_add(world: WorldParts) -> Basis:
    """The parts of the scene's text on which additions depend."""
    basis = basis_of(world.roster.scene)
    if basis is None:
        raise UsageError(
            "nothing can be added in this scene: it was not read from a text in this process; "
            "load it with `load` or `loads`"
        )
    return basis


def put_in(
    world: WorldParts,
    fragment: Fragment,
    path: str,
    mould_of: Callable[[], _native.Mould] | None = None,
) -> list[str]:
    """Add to the engine, all or nothing, and to the registry; return all names.

    Of copies of one prototype the mould that ``mould_of`` gives has all but their motion.
    """
    roster, native = world.roster, world.native
    new = fragment.bodies, fragment.joints, fragment.actuators
    beyond = beyond_objects(roster.scene, *new, roster.bodies)
    if beyond:
        raise UsageError(f"{path}: {beyond}")
    acting = world.actuators.running
    joins = world.actuators.joining(fragment.bodies.values(), world.step_count) if acting else []
    joints = fragment.joints.values()
    actuators = [*fragment.actuators.values(), *world.actuators.alone(joins)]
    alone = mould_of is not None and not joints and not actuators
    particles = _particles(world, fragment, path) if fragment.particles else {}
    index, joint_slots = ({}, {}) if alone else _slots(world, fragment, path)
    driven, forces = force_rows(actuators, index) if actuators else (NO_JOINTS, NO_FORCES)
    motions = [] if mould_of is None else motions_of(fragment.bodies.values())
    try:
        if mould_of is None:
            rows = build_rows(roster.scene, fragment.bodies.values(), joints, index, joint_slots)
            rows["joints"] = joined(rows["joints"], driven)
            taken = native.add_fragment(**rows, forces=forces)
        elif alone:
            taken = native.add_copies(mould_of(), motions, None, None)
        else:
            placed = JOINTS.rows(placed_joints(roster.scene, joints, index, joint_slots))
            links = joined(placed, driven)
            taken = native.add_copies(mould_of(), motions, links, forces)
    except ValueError as error:
        raise UsageError(f"{path}: {_named(str(error), fragment)}") from None
    if (textbook := as_textbook(native)) is not None:
        textbook.take_in(fragment, index, driven, taken)
    names = _called(world, fragment, taken, particles)
    if actuators:
        places = iter(taken["joints"][len(fragment.joints) :]), iter(taken["forces"])
        world.actuators.add(fragment.actuators, index, *places, world.step_count)
        world.actuators.join(joins, index, *places, world.step_count)
        roster.hold(joins)
    return names


class Mounts(NamedTuple):
    """The joints (ids) and forces (slots) of the actuators of a copy, and the actuators that act on
    its bodies too: the name of each, which body, and its joint or force."""

    joints: Sequence[int] = ()
    forces: Sequence[int] = ()
    joined: Sequence[tuple[str, int, int]] = ()


_NO_MOUNTS = Mounts()


def name_copies(
    world: WorldParts,
    fragment: Fragment,
    taken: Mapping[str, list[int]],
    step: int,
    mounts: Mounts = _NO_MOUNTS,
) -> None:
    """Name what the native runner has made, and begin its particles."""
    start = step * world.roster.scene.world.dt
    particles = {name: replace(each, start=start) for name, each in fragment.particles.items()}
    _called(world, fragment, taken, particles, step)
    textbook = as_textbook(world.native)
    if textbook is not None:
        _take_in(world, textbook, fragment, taken, mounts)
    if fragment.actuators or mounts.joined:
        slots = {name: slot_of(world.roster.ids[name]) for name in fragment.bodies}
        places = iter(mounts.joints), iter(mounts.forces)
        world.actuators.add(fragment.actuators, slots, *places, step, begin=False)
        names = [*fragment.bodies]
        for name, body, place in mounts.joined:
            pair = [(name, names[body])]
            world.actuators.join(pair, slots, iter((place,)), iter((place,)), step, begin=False)
            world.roster.hold(pair)


def _take_in(
    world: WorldParts,
    textbook: Textbook,
    fragment: Fragment,
    taken: Mapping[str, list[int]],
    mounts: Mounts,
) -> None:
    """Have a textbook solver take over what the native runner has made."""
    joints, names = fragment.joints.values(), [*fragment.bodies]
    named = {name for each in joints for name in (each.body_a, each.body_b)}
    index = world.roster.index({*names, *named})
    pairs = [(name, names[body]) for name, body, _ in mounts.joined]
    acting = [*fragment.actuators.values(), *world.actuators.alone(pairs)]
    driven, _ = force_rows(acting, index)
    running = world.actuators.running
    later = [place for name, _, place in mounts.joined if is_joint(running[name].now)]
    numbers = [*taken["joints"], *mounts.joints, *later]
    textbook.take_in(fragment, index, driven, {**taken, "joints": numbers})


def _called(
    world: WorldParts,
    fragment: Fragment,
    taken: Mapping[str, list[int]],
    particles: Mapping[str, Emitter],
    step: int | None = None,
) -> list[str]:
    """Register additions, which were born after a step; return their names."""
    bodies, joints, actuators = fragment.bodies, fragment.joints, fragment.actuators
    world.roster.add(bodies, joints, actuators, taken, particles)
    names = [*bodies, *joints, *actuators]
    if world.tells_births:
        at = world.step_count if step is None else step
        world.told += [Event(at, "body_added", name) for name in bodies]
        world.came += [*names, *particles]
    return names


def _particles(world: WorldParts, fragment: Fragment, path: str) -> dict[str, Emitter]:
    """The emitters of a fragment, from which particles come from now on."""
    roster = world.roster
    start = world.step_count * roster.scene.world.dt
    new = {name: replace(each, start=start) for name, each in fragment.particles.items()}
    if problem := too_many_particles(world, new.values()):
        raise UsageError(f"{path}: {problem}")
    return new


def too_many_particles(world: WorldParts, new: Iterable[Emitter]) -> str:
    """The problem of more particles than allowed with new emitters."""
    roster = world.roster
    return too_many([*roster.scene.particles.values(), *roster.particles.values(), *new])


def _slots(
    world: WorldParts, fragment: Fragment, path: str
) -> tuple[dict[str, int], dict[str, int]]:
    """The slots of all bodies and joints that a fragment speaks of, its own among them."""
    roster, native = world.roster, world.native
    joints, actuators = fragment.joints.values(), fragment.actuators.values()
    named = {name for each in joints for name in (each.body_a, each.body_b)}
    named.update(name for each in actuators for name in each.bodies)
    index = roster.index(named - fragment.bodies.keys())
    index |= dict(zip(fragment.bodies, native.next_bodies(len(fragment.bodies)), strict=True))
    coming = native.next_joints(len(fragment.joints))
    joint_slots = dict(zip(fragment.joints, coming, strict=True))
    for name in {name for each in joints for name in each.links} - joint_slots.keys():
        joint_slots[name] = slot_of(roster.joint_ids[name])
        if native.joint_state()["broken"][joint_slots[name]]:
            raise UsageError(f"{path}: joints: `{name}` is broken or gone; nothing can go with it")
    return index, joint_slots


def _named(message: str, fragment: Fragment) -> str:
    """The engine's complaint about a new body or joint by number, by its name."""
    what, _, rest = message.partition(" ")
    number, colon, problem = rest.partition(": ")
    section = {"body": fragment.bodies, "joint": fragment.joints}.get(what)
    if section is None or not (colon and number.isdigit() and int(number) < len(section)):
        return message
    return f"{'bodies' if what == 'body' else 'joints'}.{[*section][int(number)]}: {problem}"


def remove(world: WorldParts, name: str) -> list[str]:
    """Remove a body with its joints and actuators, a joint or an actuator; return all names."""
    settle(world)
    roster, native = world.roster, world.native
    if name in roster.bodies:
        number = roster.ids[name]
        if not native.has_body(number):
            raise gone("body", name)
        native.remove_body(number)
        take_in_events(world)
        went = forget_body(world, name, shown_at(world))
        world.removals = native.removals
        if world.tells_births:
            world.told.append(Event(world.step_count, "body_removed", name))
        return went
    if name in roster.joints:
        number = roster.joint_ids[name]
        if not native.has_joint(number):
            raise gone("joint", name)
        native.remove_joint(number)
        world.removals = native.removals
        return forget_joint(world, name, shown_at(world))
    if name in world.actuators.definitions:
        if world.actuators.is_gone(name):
            raise gone("actuator", name)
        forget_actuator(world, name)
        return [name]
    if name in roster.used:
        raise gone("what was called", name)
    known = [*roster.bodies, *roster.joints, *world.actuators.definitions]
    raise unknown_name("body, joint or actuator", name, known)
