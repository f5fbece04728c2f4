# SPDX-License-Identifier: MIT
"""Messages of running scripts: limits that are reached, and actions that cannot be executed."""

from __future__ import annotations

from ...errors import SimulationError
from ...scene import limits
from ..naming.parts import WorldParts

FEWER_SPAWNS = "A longer `every` of a spawner makes fewer"
OF_COPIES = (
    " by what was born itself",
    "What spawns itself without end is held by an `if`, or by `max`",
)
OF_PIECES = ", with the pieces of what is destroyed", "A lower `count` makes fewer"
_TOO_MANY = {
    "times": (
        "EVENTS",
        "comes {0:,} times in one step; the limit is {limit:,}. A longer `every` makes fewer",
    ),
    "events": ("EVENTS", "more than {limit} events in one step; that is the limit"),
    "waiting": ("EVENTS", "more than {limit} events wait for their actions; that is the limit"),
    "births_at_once": (
        "BIRTHS_AT_ONCE",
        "more than {limit:,} births in one step{0}; that is the limit. {1}",
    ),
    "tries_at_once": (
        "TRIES_AT_ONCE",
        "more than {limit:,} tries to find places for bodies in one step; that is the limit. "
        "A longer `every` or a lower `max_tries` makes fewer",
    ),
    "births": ("BIRTHS", "more than {limit:,} bodies were born in this run; that is the limit"),
    "bodies": ("BODIES", "more than {limit:,} bodies are there at once; that is the limit"),
}


def too_many(what: str, *more: object) -> str:
    """The message on a limit that a running script reaches."""
    name, message = _TOO_MANY[what]
    return message.format(*more, limit=getattr(limits, name))


def failure(world: WorldParts, path: str, message: str) -> SimulationError:
    """The error for an action of the file that cannot be executed, by its path."""
    step, scene = world.step_count, world.roster.scene
    born = (rule for each in scene.prototypes.values() for rule in each.events)
    for rule in (*scene.events, *born):
        if rule.origin and path.startswith(rule.path):
            path = rule.origin + path.removeprefix(rule.path)
    time = step * scene.world.dt
    return SimulationError(f"{path}: {message} (step {step}, t = {time:g})", step)
