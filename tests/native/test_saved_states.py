"""The benchmark scenes go on from a saved state as if they had never stopped."""

from __future__ import annotations

import pytest
from benchmark_scenes import SCENES
from rigid.core import _native
from stage_native import NativeStage

BEFORE, ON = 60, 200
LANES = _native.lanes_supported()


@pytest.mark.parametrize("name", SCENES)
def test_a_benchmark_goes_on_alike_when_restored_and_when_forked(name: str) -> None:
    recipe = SCENES[name]
    scene = recipe.make(**recipe.small)
    stage = NativeStage(scene)
    for step in range(BEFORE):
        if scene.before_step is not None:
            scene.before_step(stage, step)
        stage.step()
    state, fork = stage.world.save(), stage.world.fork()
    other = NativeStage(scene, threads=2, lanes=LANES[0]).world
    other.restore(state)
    for _ in range(4):
        for world in (stage.world, fork, other):
            assert world.step(ON // 4) == ON // 4
        assert stage.world.state_hash() == fork.state_hash() == other.state_hash()
    assert stage.world.save() == other.save()
