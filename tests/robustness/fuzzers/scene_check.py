# SPDX-License-Identifier: MIT
"""What holds for any scene's text: it is refused in words, or it runs, and always the same way."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rigid2d.core import Recorder, Scene, SceneError, SimulationError, build, loads, simulate
from rigid2d.core._native import lanes_supported
from rigid2d.core.errors import RigidError, UsageError
from rigid2d.core.scene import expand
from rigid2d.core.scene.variants import read_study
from rigid2d.core.study.running import Runner
from rigid2d.core.study.sampling import rows

from .parts_grammar import lay_picture

STEPS = 60
BODIES = 150  # scenes with more are read, not run
BORN = 500  # scenes in which more are born are read, not run
NAME = "fuzz.yaml"
INCLUDED = "more/part.yaml"
"""The file that scenes of the grammar include."""
RUNS = 3  # of a study


def check_scene(text: str | bytes, steps: int = STEPS) -> None:
    """Read a scene, and run it in several ways if it is one."""
    lay_picture()
    try:
        scene = loads(text, path=NAME, folder=Path.cwd())
    except SceneError as error:
        check_problems(error)
        return
    steps = min(steps, scene.world.steps)
    corners = sum(len(shape.points) for body in scene.bodies.values() for shape in body.shapes)
    if len(scene.bodies) > BODIES or corners > 40 * BODIES or born(scene, steps) > BORN:
        return
    check_expansion(scene)
    if scene.study is not None:
        check_study(text if isinstance(text, str) else text.decode("utf-8-sig"))
    widest = max(lanes_supported())
    runs = [outcome(scene, steps, threads=1, lanes=widest) for _ in range(2)]
    for threads, lanes in ((2, widest), (1, 1), (2, 4), (1, 8)):
        if lanes in lanes_supported():
            runs.append(outcome(scene, steps, threads=threads, lanes=lanes))
    if scene.compare is not None:
        for variant in scene.compare.variants[:RUNS]:
            check_expansion(variant.scene)
            outcome(variant.scene, steps, threads=1, lanes=widest)
    assert all(run == runs[0] for run in runs), f"runs differ: {[run[:2] for run in runs]}"


def born(scene: Scene, steps: int) -> float:
    """How many the spawners make, at most."""
    time = steps * scene.world.dt
    spawners = scene.spawners.values()
    return sum(min(time / each.every, each.most or math.inf) for each in spawners)


def check_study(text: str) -> None:
    """Each run of a study is a row, and the same row again."""
    template, scene = read_study(NAME, text=text)
    assert scene.study is not None
    if scene.study.sample == "sobol" or scene.study.samples > STEPS or scene.world.steps > STEPS:
        return
    if any(len(axis.values) > STEPS for axis in scene.study.axes):
        return
    turns = list(islice(rows(scene.study, template.seed), RUNS))
    for run, values in enumerate(turns):
        # Twice by runners of their own: nothing may hang on what one did before.
        first, second = (Runner(template, scene.study).run(run, values) for _ in range(2))
        assert replace(first, seconds=0.0) == replace(second, seconds=0.0), f"{first} {second}"
        assert first.status in ("ok", "failed", "stopped", "invalid")
        assert (first.status == "ok") == (first.message == ""), f"no word of why: {first}"


def check_problems(error: SceneError, file: str = NAME) -> None:
    """Every problem names its file, or one that it includes, and a line, and says something."""
    assert error.problems, "an error without problems"
    for problem in error.problems:
        assert problem.file in (file, INCLUDED), f"no file: {problem!r}"
        assert problem.line > 0, f"no line: {problem!r}"
        assert problem.message, f"no message: {problem!r}"


def check_expansion(scene: Scene) -> None:
    """What a scene expands to is a scene, with the same physics."""
    try:
        text = expand(scene)
    except UsageError:  # of vars that are worked out in the run
        return
    try:
        again = loads(text, path="expanded.yaml", folder=Path.cwd())
    except SceneError as error:
        raise AssertionError(f"what it expands to is refused: {error}") from error
    assert again.hash == scene.hash, "what it expands to has other physics"


def said(error: RigidError) -> tuple[str, str]:
    """What an error says, which must be something."""
    if not str(error):
        raise AssertionError(f"an error without words: {error!r}")
    return type(error).__name__, str(error)


def outcome(scene: Scene, steps: int, *, threads: int, lanes: int) -> tuple[Any, ...]:
    """All that a run gives: its last state, what it recorded, or why it could not go on."""
    recorder = Recorder(scene, steps=steps, trace=True, check=steps == scene.world.steps)
    try:
        trace = simulate(scene, steps=steps, threads=threads, lanes=lanes, recorder=recorder)
    except (SimulationError, UsageError) as error:
        return said(error)
    wrong = np.isinf if scene.reacts else lambda values: ~np.isfinite(values)  # nan: not there
    assert not wrong(trace.values).any() or recorder.warnings, "a number that is not finite"
    results = [(result.passed, str(result)) for result in recorder.results]
    world = build(scene, threads=threads, lanes=lanes)
    world.step(steps)
    assert all(map(math.isfinite, world.energy())) or recorder.warnings, "no finite energy"
    return "done", world.state_hash(), trace.values.tobytes(), results, recorder.warnings
