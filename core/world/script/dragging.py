# SPDX-License-Identifier: MIT
"""The joints by which a player drags bodies."""

from __future__ import annotations

from ...errors import UsageError
from ...scene.basis import Fragment
from ...scene.model import Joint
from ..naming.named_parts import NamedParts
from ..naming.setters import is_there
from ..spawning import put_in
from .player import Grab


def joint_of(grab: Grab) -> Joint:
    """The joint that pulls a body, as it begins."""
    target = grab.target(grab.start)
    held = "mouse", "world", grab.body, target, grab.point
    return Joint(grab.joint, *held, max_force=grab.max_force)


def refuse(world: NamedParts, grab: Grab) -> None:
    """Raise UsageError for a drag that cannot begin, if its body is there to be dragged."""
    roster = world.roster
    if grab.body not in roster.bodies or not is_there(world, grab.body):
        return
    if world[grab.body].type != "dynamic":
        return
    if roster.was(grab.joint):
        raise UsageError(f"{grab.joint}: there is something else of that name; give it another one")
    put_in(world, Fragment(joints={grab.joint: joint_of(grab)}), "inputs")
