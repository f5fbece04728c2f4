# SPDX-License-Identifier: MIT
"""Removals from a running world: names of objects that its program or the engine removed."""

from __future__ import annotations

from ..record.recorder import LEAVING, Event
from .events import CONTACT_EVENTS, take_events
from .failures import warnings_of
from .naming.ids import slot_of
from .naming.parts import WorldParts
from .naming.registry import Lineup, Registry


def settled(world: WorldParts) -> Registry:
    """The names of a world, with removals by the engine noted."""
    settle(world)
    return world.roster


def lineup(world: WorldParts) -> Lineup:
    """The members of a world, in the order of its ``scene``."""
    return settled(world).lineup(world.native, world.actuators.definitions)


def take_in_events(world: WorldParts) -> list[Event]:
    """Collect events of the engine since the last call in ``told``, for their readers."""
    told = take_events(world.native, world.roster)
    script, seen = world.script, told
    if script is not None:
        script.hear(told)
        if script.listens and not world.tells_contacts:  # no other reader has asked for these
            seen = [event for event in told if event.kind not in CONTACT_EVENTS]
    world.told += seen
    return told


def settle(world: WorldParts) -> None:
    """Note removals by the engine: at the bounds, or for bad states.

    Its numbers are translated into names while those are known.
    """
    native, roster = world.native, world.roster
    if native.removals == world.removals:
        return
    told = take_in_events(world)
    world.warned += warnings_of(native, roster)
    steps = {event.a: event.step for event in told if event.kind in LEAVING}
    alive = native.alive.tobytes()
    own = (name for name in steps if name in roster.scene.bodies)
    for name in [*roster.born.values(), *own]:
        if not alive[slot_of(roster.ids[name])]:
            forget_body(world, name, steps.get(name, world.step_count))
    world.removals = native.removals


def forget_body(world: WorldParts, name: str, step: int) -> list[str]:
    """Remove a body that the engine has removed, with its joints and actuators; return all names.

    ``step`` is the first step without it.
    """
    roster, went = world.roster, [name]
    slot = slot_of(roster.ids[name])
    if world.script is not None:
        world.script.note_death(roster.bodies[name], roster.ids[name])
    for each in roster.held(name):
        if each not in roster.held(name):
            continue  # it went with another joint
        if each in roster.joints:
            went += forget_joint(world, each, step)
        elif world.actuators.leave(each, slot):
            went.append(each)
            if each not in roster.scene.actuators:
                forget_actuator(world, each)
    roster.drop_body(name)
    world.added_handles.pop(name, None)
    if world.tells_births:
        world.gone[name] = step
    return went


def forget_joint(world: WorldParts, name: str, step: int) -> list[str]:
    """Forget a joint that the engine has removed, and those that went with it."""
    links = world.roster.held(name)
    if world.script is not None:
        world.script.note_end(name)
    world.roster.drop_joint(name)
    world.motors.pop(name, None)
    world.targets.pop(name, None)
    world.springs.pop(name, None)
    world.lengths.pop(name, None)
    if world.tells_births:
        world.gone[name] = step
    went = [name]
    for each in links:
        went += forget_joint(world, each, step)
    return went


def forget_actuator(world: WorldParts, name: str, *, by_engine: bool = False) -> None:
    """Forget an actuator, and remove it from the engine, if that has not been done."""
    actuators = world.actuators
    joined = [world.roster.body_name(slot) for _, slot in actuators.parts(name)]
    world.roster.release(name, {*actuators.definitions[name].bodies, *joined})
    actuators.remove(name, keep=name in world.roster.scene.actuators, by_engine=by_engine)
    world.removals = world.native.removals
