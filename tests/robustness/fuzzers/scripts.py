# SPDX-License-Identifier: MIT
"""Random scripts run in single steps, in long ones, in a batch, on threads and from saved states:
all give the same bits, the same events and the same errors."""

from __future__ import annotations

import random
from typing import Any

from rigid2d.core import Batch, Scene, SceneError, SimulationError, World, build, loads

STEPS = 70
LONGEST = 17  # steps in one call


def check_script(case: bytes) -> None:
    """Compare all ways to run a scene."""
    try:
        scene = loads(case.decode())
    except (SceneError, UnicodeDecodeError):  # after a line was left out
        return
    drawn = random.Random(len(case))
    wanted = World(scene)
    worlds = {"long": World(scene), "threads": build(scene, threads=2, lanes=1)}
    births = drawn.random() < 0.5
    for each in (wanted, *worlds.values()):
        each.events.enable_births(births)
    step = 0
    while step < STEPS:
        stride = min(drawn.randint(1, LONGEST), STEPS - step)
        step += stride
        error = next(filter(None, (_step(wanted, 1) for _ in range(stride))), "")
        for name, world in worlds.items():
            said = _step(world, stride)
            assert said == error, f"{name}: {said!r} instead of {error!r}"
        if error:
            break
        happened = _told(wanted)  # an event that was taken is in another part of a saved state
        state = wanted.save()
        for name, world in worlds.items():
            assert _told(world) == happened, f"{name}: other events until step {step}"
            assert dict(world.state) == dict(wanted.state), f"{name}: other numbers in step {step}"
            assert world.outcome == wanted.outcome, f"{name}: another end"
            assert world.state_hash() == wanted.state_hash(), f"{name}: other bits in step {step}"
            assert world.save() == state, f"{name}: another state in step {step}"
        worlds["long"] = _again(worlds["long"], drawn)
        worlds["long"].events.enable_births(births)
    _check_batch(scene, wanted, step, error, drawn)


def _check_batch(scene: Scene, wanted: World, step: int, error: str, drawn: random.Random) -> None:
    if error or scene.world.solver.is_textbook:
        return
    batch = Batch(scene, 2, threads=2)
    first = drawn.randint(1, step - 1)
    for stride in (first, step - first):
        batch.step(stride)
    for i in range(2):
        assert batch.world(i).save() == wanted.save(), f"another state in world {i} of a batch"


def _again(world: World, drawn: random.Random) -> World:
    """The world itself, a fork of it, or one that has its saved state."""
    way = drawn.randrange(3)
    if way == 0:
        return world
    if way == 1:
        return world.fork()
    other = World(world.roster.scene)
    other.restore(world.save())
    return other


def _step(world: World, steps: int) -> str:
    try:
        world.step(steps)
    except SimulationError as error:
        return f"{error.step}: {error}"
    return ""


def _told(world: World) -> list[Any]:
    return [(each.step, each.kind, each.a, each.b) for each in world.events.take()]
