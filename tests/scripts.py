# SPDX-License-Identifier: MIT
"""Scripts that run in the engine, for tests."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from rigid2d.core import World, _native
from rigid2d.core.compiled.script import without_script
from rigid2d.core.scene.model import Scene
from rigid2d.core.scene.values.row_program import EXACT
from rigid2d.core.world.script.program import ScriptProgram, program_of
from rigid2d.core.world.script.program.asked import asked_actions


def told(world: World) -> list[Any]:
    return [(each.step, each.kind, each.a, each.b) for each in world.events.take()]


def step_alike(here: World, there: World, stride: int, end: int = 120) -> None:
    """Step two worlds to ``end``; both are always the same."""
    while here.step_count < end:
        for world in (here, there):
            world.step(min(stride, end - world.step_count))
        assert told(here) == told(there)
        assert here.state_hash() == there.state_hash()
        assert here.state == there.state
    assert here.save() == there.save()


def restore_and_fork(here: World, there: World, stride: int) -> None:
    """Step both worlds eight times; after each the second is replaced by a fork of itself, or by a
    new world with its saved state."""
    for turn in range(8):
        for world in (here, there):
            world.step(stride)
        assert here.save() == there.save()
        old = there
        there = World(old.roster.scene) if turn % 2 else old.fork()
        if turn % 2:
            there.restore(old.save())
    assert here.state_hash() == there.state_hash()


def program(scene: Scene) -> ScriptProgram:
    found = program_of(scene, asked_actions(scene))
    assert isinstance(found, ScriptProgram)
    return found


def alone(scene: Scene) -> tuple[_native.World, _native.ScriptRunner]:
    """The engine's world of a scene, and the runner of its script at its beginning."""
    still = without_script(scene)
    found = program(scene)
    assert found.is_whole
    runner = _native.ScriptRunner(_native.ScriptProgram(found.data), EXACT)
    engine = World(still).native
    runner.begin(engine)
    return engine, runner


def try_to_go(engine: _native.World, runner: _native.ScriptRunner, end: int) -> int:
    nothing = np.empty((0, 2), np.int32)
    reason, *_ = runner.run(engine, end, 0, nothing, np.empty((0, 0)), nothing)
    return reason


def changed(data: bytes, first: int, drawn: random.Random) -> bytes:
    """Bytes of which one to three behind the first ones are others."""
    found = bytearray(data)
    for _ in range(drawn.choice((1, 1, 3))):
        found[drawn.randrange(first, len(data))] = drawn.choice((0, 1, 255, drawn.randrange(256)))
    return bytes(found)


def run_changed(scene: Scene, tries: int, steps: int) -> int:
    """Run programs of changed bytes from a scene's beginning; return how many were refused."""
    data, drawn, refused = program(scene).data, random.Random(5), 0
    for _ in range(tries):
        try:
            code = _native.ScriptProgram(changed(data, 15, drawn))
            runner = _native.ScriptRunner(code, EXACT)
            engine = World(without_script(scene)).native
            runner.begin(engine)
            try_to_go(engine, runner, steps)
        except ValueError:
            refused += 1
    return refused


def go(engine: _native.World, runner: _native.ScriptRunner, end: int) -> None:
    while engine.step_count < end:
        assert try_to_go(engine, runner, end) == 0
