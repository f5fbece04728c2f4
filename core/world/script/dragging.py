# SPDX-License-Identifier: MIT
"""Drags bodies for a player: mouse joints that are added and removed."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import UsageError
from ...scene.basis import Fragment
from ...scene.model import Joint
from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..spawning import put_in, remove
from .player import Grab


def drag(world: NamedParts, grabs: Iterable[Grab], step: int) -> bool:
    """Apply what is due before a step; return whether a body is dragged in it."""
    busy = False
    for grab in grabs:
        if step == grab.until:
            _let_go(world, grab)
        if not grab.acts(step):
            continue
        busy = True
        if step == grab.start:
            _take(world, grab)
        elif grab.moves(step):
            _move(world, grab, step)
    return busy


def _take(world: NamedParts, grab: Grab) -> None:
    """Have a body pulled, if it is there."""
    roster = world.roster
    if grab.body not in roster.bodies or not is_there(world, grab.body):
        return
    if world[grab.body].type != "dynamic":
        return
    if roster.was(grab.joint):
        raise UsageError(f"{grab.joint}: there is something else of that name; give it another one")
    put_in(world, Fragment(joints={grab.joint: joint_of(grab)}), "inputs")
    world.targets[grab.joint] = grab.target(grab.start)


def joint_of(grab: Grab) -> Joint:
    """The joint that pulls a body, as it begins."""
    target = grab.target(grab.start)
    held = "mouse", "world", grab.body, target, grab.point
    return Joint(grab.joint, *held, max_force=grab.max_force)


def _move(world: NamedParts, grab: Grab, step: int) -> None:
    if grab.joint in world.roster.joints and is_there(world, grab.joint):
        world.joint(grab.joint).set_target(grab.target(step))


def _let_go(world: NamedParts, grab: Grab) -> None:
    if grab.joint in world.roster.joints and is_there(world, grab.joint):
        remove(world, grab.joint)
