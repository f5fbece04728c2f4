# SPDX-License-Identifier: MIT
"""The inputs of a player as the native runner has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...scene.blocks.world.solver_refusals import drags
from ..naming.named_parts import NamedParts
from .player import Grab, Player
from .program import ScriptProgram
from .program.actions import InputRow, input_rows
from .program.writer import NONE


def inputs_before(
    world: NamedParts, player: Player, program: ScriptProgram, step: int
) -> Iterator[InputRow]:
    """The inputs before a step, but for drags."""
    for each in _rows(world, player, program, step):
        if each.step == step:
            yield each


def inputs_of(world: NamedParts, player: Player, program: ScriptProgram) -> dict[str, Any]:
    """The inputs from the present step on, and the steps before which the host has a part: it sets
    values that are not in the program, and refuses drags that cannot begin."""
    step = world.step_count
    rows = _rows(world, player, program, step)
    pulls: list[Any] = []
    by_host = [each.step for each in rows if each.what == NONE]
    for grab in player.grabs:
        if grab.until >= step:
            pull = pull_of(world, grab, step)
            if pull is not None:
                pulls.append(pull)
            else:
                by_host.append(grab.start)
    inputs = [(each.step, each.kind, each.what) for each in rows if each.what != NONE]
    return {"inputs": inputs, "pulls": pulls, "by_host": by_host}


def pull_of(world: NamedParts, grab: Grab, step: int) -> tuple[Any, ...] | None:
    """A drag as numbers; None for one that cannot begin, since the name of its joint is taken, or
    the solver has no such joints."""
    roster = world.roster
    body, joint = roster.ids.get(grab.body), roster.joint_ids.get(grab.joint, NONE)
    if not drags(roster.scene.world.solver.kind):
        return None
    if step <= grab.start and joint == NONE and roster.was(grab.joint):
        return None
    number = NONE if body is None else body  # which may come later
    given = grab.number, number, grab.point, grab.max_force, grab.start, grab.until
    return *given, grab.steps, grab.targets, joint, grab.body


def _rows(world: NamedParts, player: Player, program: ScriptProgram, step: int) -> list[InputRow]:
    asked = program.asked if world.roster.scene.reacts else ()
    return input_rows(player, program.keys, asked, program.sets, step)
