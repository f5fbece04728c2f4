# SPDX-License-Identifier: MIT
"""What is recorded for other processors: the scenes of the stored hashes, and one of each joint,
shape, medium and solver of the engine."""

from __future__ import annotations

from typing import Any

from benchmark_scenes import SCENES
from hashes import STEPS, stored
from rigid2d.core import load
from rigid2d.core.world.building.actuator_rows import force_rows
from rigid2d.core.world.building.assembly import body_indices, build_native
from stage_native import NativeStage

from tests.processors.recording import RecordedWorld
from tests.scenes import ROOT

EXAMPLES = {
    "gears": "machines/gear_train",
    "pulleys": "joints/pulleys",
    "springs": "joints/springs",
    "motors": "joints/motors",
    "strengths": "joints/strengths",
    "wheels": "machines/hill_climb",
    "walker": "machines/jansen_walker",
    "engine": "machines/radial_engine",
    "escapement": "machines/clock_escapement",
    "truss": "joints/truss_bridge",
}
"""Scenes by their subjects; of what they script, only the start is taken over."""
EXAMPLE_STEPS = 200
SUBJECTS = (*SCENES, *EXAMPLES)


def recorded(name: str) -> bytes:
    """The recording of a subject, which ends with a hash. Raises AssertionError where that is not
    the stored one."""
    if name in EXAMPLES:
        return _of_an_example(name)
    recipe = SCENES[name]
    scene = recipe.make(**recipe.small)
    stage = NativeStage(scene, world=RecordedWorld)
    for step in range(STEPS):
        if scene.before_step is not None:
            scene.before_step(stage, step)
        stage.step()
    world: Any = stage.world
    assert f"{world.state_hash(name):016x}" == stored()[name], name
    return bytes(world.recording())


def _of_an_example(name: str) -> bytes:
    scene = load(ROOT / "scenes" / f"{EXAMPLES[name]}.yaml")
    world: Any = build_native(scene, RecordedWorld)  # type: ignore[arg-type]
    joints, forces = force_rows(scene.actuators.values(), body_indices(scene))
    world.add_joints(joints)
    world.add_forces(forces)
    world.finish()
    world.keep_slots()
    assert world.step(EXAMPLE_STEPS) == EXAMPLE_STEPS, name
    world.state_hash(name)
    return bytes(world.recording())
