# SPDX-License-Identifier: MIT
"""Steps of a world, in stretches between those at which motors begin or end."""

from __future__ import annotations

from .failures import raise_error
from .naming.parts import WorldParts
from .removals import settle


def advance(world: WorldParts, steps: int, done: int = 0) -> None:
    """Do steps, with due inputs before and reactions after each.

    The engine has ``done`` the first of them, in which it removed something or stopped.
    """
    if done:
        settle(world)
        raise_error(world)
        steps -= done
    raise_error(world)
    end = world.step_count + steps
    while world.step_count < end:
        if world.script is not None:
            world.script.run(end)
            raise_error(world)
            continue
        world.native.step(next_stop(world, end) - world.step_count)
        settle(world)
        raise_error(world)


def next_stop(world: WorldParts, end: int) -> int:
    """Execute what is due before the next step; return the next stop, at most ``end``."""
    step = world.step_count
    if world.script is not None:
        return world.script.prepare(end)
    world.actuators.switch(step)
    return world.actuators.next_switch(step, end)


def end_stretch(world: WorldParts) -> None:
    """Execute what is due after the steps up to the last ``next_stop``."""
    if world.script is not None and world.native.error is None:
        world.acts = True
        try:
            world.script.finish()
        finally:
            world.acts = False
