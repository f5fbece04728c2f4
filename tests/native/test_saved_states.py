# SPDX-License-Identifier: MIT
"""The benchmark scenes go on from a saved state as if they had never stopped."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from benchmark_scenes import SCENES
from rigid2d.core import _native
from stage_native import NativeStage

from tests.rows import every_row
from tests.search import tries

BEFORE, ON = 60, tries(80, 200)
LANES = _native.lanes_supported()


@pytest.mark.parametrize("name", [*SCENES][:: tries(2, 1)])
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


@every_row("linked", [-2, 3, 40_000_000, -(2**31)])
@every_row("which", [0, 1])
def test_a_state_in_which_a_rack_goes_with_no_joint_that_is_there_is_refused(
    bench: Any, linked: int, which: int
) -> None:
    made = bench(joint_solver="iterative")
    bar, pinion = made.body(y=-0.3), made.body()
    made.joint("prismatic", 0, bar, axis_x=1)
    made.joint("revolute", 0, pinion)
    made.joint("rack", bar, pinion, ratio=0.3, linked_a=2, linked_b=1, wheel_ax=7.25)
    there = made.world.save()
    links = struct.pack("<iid", 1, 0, 7.25)
    assert there.count(links) == 1
    wrong = [1, 0]
    wrong[which] = linked
    with pytest.raises(ValueError, match="damaged"):
        made.world.restore(there.replace(links, struct.pack("<iid", *wrong, 7.25)))
    assert made.world.save() == there


@every_row("kind", sorted(_native.JOINT_KINDS))
def test_a_world_with_any_type_of_joint_goes_on_from_its_saved_state(bench: Any, kind: str) -> None:
    made, other = bench(gravity=(0, -9.81)), bench(gravity=(0, -9.81))
    for each in (made, other):
        a, b = each.body(), each.body(x=1.0)
        against_world = kind in {"mouse", "rotary_motor", "axial_friction"}
        each.joint("revolute", 0, a)
        each.joint("revolute", 0, b)
        each.joint(kind, 0 if against_world else a, b, max_length=2.0, motor_max=1.0)
    made.world.step(10)
    other.world.restore(made.world.save())
    assert made.world.step(20) == other.world.step(20) == 20
    assert made.world.save() == other.world.save()
