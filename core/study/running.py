# SPDX-License-Identifier: MIT
"""Executes runs of a study, in any worker."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ..errors import RigidError, SceneError, SimulationError
from ..jobs.produce import produce
from ..jobs.targets import Target
from ..record.frame import Frame
from ..scene.model import Scene
from ..scene.study_model import Keeping, Study
from ..scene.variants import Template
from ..world.driver import Driver
from ..world.world import World, build
from .reducers import CollectError, Compiled, ReachedError, RunRecorder
from .sampling import Row

Status = Literal["ok", "failed", "stopped", "invalid", "died"]
FILES: Mapping[str, tuple[str, Any]] = {
    "trace": ("trace.npz", "npz"),
    "gif": ("run.gif", "gif"),
    "snapshot": ("run.snapshot", "snapshot"),
}
"""Files that may be kept of a run: name, and kind of ``produce``."""


@dataclass
class Done:
    """The result of one run.

    Attributes:
        run: its number.
        collected: its values; None without values.
        status: ``ok``; ``failed``: an expectation did not hold, or the outcome is fail;
            ``stopped``: the simulation stopped on an error; ``invalid``: the scene has errors;
            ``died``: its process ended.
        message: the reason why it is not ok.
        hash: the hash of the exact state at its end, 16 hexadecimal digits.
        seconds: the elapsed time.
        files: its kept files, by name.
    """

    run: int
    collected: list[Any]
    status: Status = "ok"
    message: str = ""
    hash: str = ""
    seconds: float = 0.0
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class RunTask:
    """Some runs of a study: their numbers, and the values of each."""

    template: Template
    study: Study
    runs: tuple[tuple[int, Row], ...]

    def do(self) -> list[Done]:
        """Execute the runs one after another."""
        runner = Runner(self.template, self.study)
        return [runner.run(run, values) for run, values in self.runs]


class Runner:
    """Executes the runs of one study, whether they succeed or fail."""

    def __init__(self, template: Template, study: Study) -> None:
        self.template = template
        self.study = study
        self.compiled = Compiled.of(study)
        self.bare = template.bare(*(["expect"] if self.compiled.checks else []))
        self.paths = [axis.path for axis in study.axes]

    def run(self, run: int, values: Sequence[Any]) -> Done:
        """Execute one run; its errors are in the result."""
        done = Done(run, [None] * len(self.study.collect))
        begin = time.perf_counter()
        steps: int | None = None
        try:
            given = dict(zip(self.paths, values, strict=True))
            scene = self.bare.scene(given)
            steps = self._simulate(scene, done)
        except SceneError as error:
            done.status, done.message = "invalid", str(error)
        except CollectError as error:
            done.status, done.message = "failed", str(error)
        except SimulationError as error:
            done.status, done.message = "stopped", str(error)
            steps = error.step - 1 if error.step > 0 else None
        except (RigidError, MemoryError) as error:
            done.status, done.message = "invalid", str(error) or type(error).__name__
        done.seconds = time.perf_counter() - begin
        wanted = [name for name in FILES if self._is_kept(getattr(self.study.keep, name), done)]
        if wanted and steps is not None:
            self._keep(wanted, given, steps, done)
        return done

    def _is_kept(self, keeping: Keeping, done: Done) -> bool:
        if isinstance(keeping, int):
            return done.run < keeping
        return keeping == "all" or (keeping == "failed" and done.status != "ok")

    def _simulate(self, scene: Scene, done: Done) -> int:
        """Run a scene and record the collected values; return the number of its steps."""
        recorder = RunRecorder(scene, self.compiled)
        world = to_its_end(scene, recorder)
        done.hash = f"{world.state_hash():016x}"
        done.collected = recorder.collected(self.study.collect)
        done.status, done.message = _judged(recorder)
        return world.step_count

    def _keep(
        self, wanted: Sequence[str], given: Mapping[str, Any], steps: int, done: Done
    ) -> None:
        """Run the scene again, with the same bits, for its kept files."""
        with tempfile.TemporaryDirectory(prefix="rigid-study-") as folder:
            named = {name: Path(folder) / FILES[name][0] for name in wanted}
            targets = [Target(FILES[name][1], path) for name, path in named.items()]
            try:
                scene = self.template.scene(given)
                produce(scene, targets, steps=steps, check=False)
            except RigidError as error:
                note = f"its files cannot be made: {error}"
                done.message = f"{done.message}; {note}" if done.message else note
                return
            done.files = {path.name: path.read_bytes() for path in named.values()}


def _judged(recorder: RunRecorder) -> tuple[Status, str]:
    """The status of a finished run, and its message."""
    told = []
    lost = [result for result in recorder.results if not result.passed]
    if recorder.outcome == "fail":
        told.append("the run ended as failed")
    elif lost:
        told.append(f"{lost[0].text}: {lost[0].message}")
    told += recorder.problems.values()
    return ("failed", "; ".join(told)) if told else ("ok", "")


def to_its_end(
    scene: Scene,
    recorder: RunRecorder,
    *,
    times: Sequence[float] = (),
    see: Callable[[Frame], None] | None = None,
    prepare: Callable[[World], None] | None = None,
) -> World:
    """Run a scene to its end, or to the end set by the study; return the world.

    ``see`` is shown the frames at ``times``, with their contacts; ``prepare`` is called with the
    world before the first step.
    """
    total = scene.world.steps
    recorder.begin(scene, total)
    world = build(scene)
    if prepare is not None:
        prepare(world)
    before = [world.fork()] if recorder.watched else []

    def keep(_done: int, _total: int) -> None:
        before[:] = [world.fork()]

    driver = Driver(world, total, recorder, None, keep if recorder.watched else None)
    try:
        for frame in driver.frames(times, see is not None):
            if see is not None:
                see(frame)
    except ReachedError as reached:
        # The block in which it became true went on beyond; it is done again up to there.
        world = before[0]
        world.step(reached.step - world.step_count)
        recorder.add_events(world.events.take())
    return world
