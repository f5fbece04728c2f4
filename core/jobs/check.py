# SPDX-License-Identifier: MIT
"""Scenes as regression tests: runs one, checks its expectations and stored snapshot."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import Problem, RigidError, SceneError, SimulationError
from ..record import Recorder, Result, compare_snapshots, read_snapshot, write_snapshot
from ..record.snapshot import Snapshot
from ..scene import load, loads
from ..scene.model import Scene
from ..world import run, take_snapshot
from .engine import Engine
from .variant_runs import VariantReport, run_compared

SNAPSHOT_SUFFIX = ".snapshot"


@dataclass(frozen=True, slots=True)
class CheckJob:
    """A scene to check. ``text`` replaces that of the file, for scenes of other sources.

    ``problems`` are those of the search for it; a scene with problems is not loaded.
    ``update`` rewrites a snapshot that differs. ``require_snapshot`` makes a missing one an error.
    """

    path: str
    text: str | None = None
    overrides: tuple[str, ...] = ()
    tolerance: float = 0.0
    threads: int = 1
    lanes: int = 0
    problems: tuple[Problem, ...] = ()
    update: bool = False
    require_snapshot: bool = False


@dataclass
class CheckReport:
    """The result of a scene.

    Attributes:
        path: the scene file.
        name: the scene's name, empty when it could not be loaded.
        results: its expectations.
        snapshot: the snapshot file that was compared, empty when there is none.
        difference: the difference of the snapshot, empty if it agrees or was rewritten.
        updated: whether it was rewritten.
        problems: the problems that prevented loading.
        error: the reason why the run or the comparison was impossible.
        stopped: whether ``error`` is the simulation's.
        steps: the number of steps.
        outcome: the outcome of a run that ended early: win, lose, pass or fail.
        wall: the elapsed time in seconds.
        files: the files that were read besides the scene file.
        variants: the results of the variants.
    """

    path: str
    name: str = ""
    results: list[Result] = field(default_factory=list)
    snapshot: str = ""
    difference: str = ""
    updated: bool = False
    problems: list[Problem] = field(default_factory=list)
    error: str = ""
    stopped: bool = False
    steps: int = 0
    outcome: str = ""
    wall: float = 0.0
    files: tuple[str, ...] = ()
    variants: tuple[VariantReport, ...] = ()

    @property
    def all_results(self) -> list[Result]:
        """The expectations, those of variants included."""
        return [*self.results, *(each for variant in self.variants for each in variant.results)]

    @property
    def checks(self) -> int:
        """Number of checks."""
        ended = self.outcome in ("pass", "fail")
        return len(self.all_results) + bool(self.snapshot) + ended

    @property
    def failures(self) -> int:
        """Number of failed checks."""
        failed = sum(not result.passed for result in self.all_results)
        return failed + bool(self.difference) + (self.outcome == "fail")

    @property
    def passed(self) -> bool:
        """Whether the scene loaded, ran, and everything held."""
        return not (self.problems or self.error or self.failures)


def stored_snapshot(path: str | Path) -> Path:
    """Return the path of a scene's snapshot: beside it, with the suffix ``.snapshot``."""
    file = Path(path)  # which may be a folder without a name, such as `.`
    return file.parent / (file.stem + SNAPSHOT_SUFFIX)


def missing_snapshot(scene: str, stored: str | Path) -> str:
    """The message on a snapshot that is not there."""
    return f"{stored}: no such snapshot; make it: rigid snapshot record {scene}"


def check_scene(job: CheckJob) -> CheckReport:
    """Run a scene once, check everything, and report; errors end up in the report too."""
    report = CheckReport(job.path)
    begin = time.perf_counter()
    try:
        scene = _load(job)
        report.name = scene.name
        report.files = scene.files
        _check(scene, job, report)
    except SceneError as error:
        report.problems = list(error.problems)
    except SimulationError as error:
        report.error, report.stopped = str(error), True
    except RigidError as error:
        report.error = str(error)
    report.wall = time.perf_counter() - begin
    return report


def _load(job: CheckJob) -> Scene:
    if job.problems:
        raise SceneError(list(job.problems))
    if job.text is not None:
        return loads(job.text, path=job.path, overrides=job.overrides, folder=Path.cwd())
    return load(job.path, job.overrides)


def _check(scene: Scene, job: CheckJob, report: CheckReport) -> None:
    old = _stored(job)
    steps: Sequence[int] = [point.step for point in old.checkpoints] if old else ()
    recorder = Recorder(scene, check=True, checkpoints=steps)
    for _ in run(scene, threads=job.threads, lanes=job.lanes, times=(), recorder=recorder):
        pass
    report.steps = recorder.steps if recorder.ended is None else recorder.ended
    report.outcome = recorder.outcome
    report.results = recorder.results
    report.variants = run_compared(
        scene, steps=scene.world.steps, engine=Engine(job.threads, job.lanes)
    )
    if old is None:
        if job.require_snapshot:
            report.error = missing_snapshot(job.path, stored_snapshot(job.path))
        return
    report.snapshot = str(stored_snapshot(job.path))
    new = recorder.snapshot
    if any(step > recorder.steps for step in steps):  # it was taken of a longer run
        new = take_snapshot(scene, at=steps, steps=old.steps, threads=job.threads, lanes=job.lanes)
    difference = compare_snapshots(old, new, job.tolerance)
    if difference is not None and job.update:
        write_snapshot(report.snapshot, new)
        report.updated = True
    elif difference is not None:
        report.difference = str(difference)


def _stored(job: CheckJob) -> Snapshot | None:
    path = stored_snapshot(job.path)
    if job.text is not None or not path.is_file():
        return None
    return read_snapshot(path)
