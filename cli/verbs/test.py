# SPDX-License-Identifier: MIT
"""``rigid test``: scenes as regression tests."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid2d.core.errors import Problem, SceneError, UsageError

from .. import defaults, exit_codes, options, paths
from ..console import note, paint, print_json, say, shown
from ..last_failed import LastFailed
from ..reporting.annotations import as_annotations
from ..reporting.reports import report_lines
from ..selecting import matcher
from ..words import count

if TYPE_CHECKING:
    from rigid2d.core.jobs.check import CheckJob, CheckReport

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class FailureFormat(str, Enum):
    """Formats of failures."""

    text = "text"
    json = "json"
    github = "github"


@app.command(cls=options.Verb)
def check(
    scenes: options.Scenes,
    expression: Annotated[
        str | None,
        options.setting(
            "-k",
            metavar="EXPR",
            help="Run only scenes whose path matches the words: `-k 'arch or not stacking'`.",
        ),
    ] = None,
    exit_first: Annotated[
        bool, options.setting("--exit-first", "-x", help="Stop at the first scene that fails.")
    ] = False,
    last_failed: Annotated[
        bool,
        options.setting(
            "--last-failed",
            "--lf",
            help="Run only the scenes that failed last time; all if none did.",
        ),
    ] = False,
    update: Annotated[
        bool, options.setting("--update", help="Rewrite snapshots that differ.")
    ] = False,
    format: Annotated[
        FailureFormat,
        options.format("Format of failures; github: as annotations."),
    ] = FailureFormat.text,
    junit: options.Junit = None,
    require_snapshots: options.RequireSnapshots = False,
    tolerance: Annotated[
        float,
        options.tolerance("Largest allowed difference of a snapshot's values."),
    ] = 0.0,
    jobs: options.Jobs = 0,
    only_scenes: options.OnlyScenes = False,
    overrides: options.Overrides = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run scenes and check their expect: blocks and stored snapshots.

    A stored snapshot is the file beside a scene with the suffix .snapshot, written by `rigid
    snapshot record`. Exit code 1: a check failed; 2: a scene has errors, or a required snapshot is
    missing; 3: a simulation stopped.
    """
    from rigid2d.core.jobs.check import CheckJob

    from ..files import check_writable, refuse_inputs

    json = json or format is FailureFormat.json
    if junit == "-" and json:
        raise UsageError("--json: standard output is taken by --junit -")
    if junit is not None and junit != "-":
        check_writable(junit)
    files = paths.select(scenes, only_scenes=only_scenes).scenes
    strays = paths.stray_snapshots(scenes) if require_snapshots else []
    files += strays
    if junit is not None:
        refuse_inputs([junit], _inputs(files))
    memory = LastFailed(defaults.root())
    chosen = _chosen(files, expression, memory if last_failed else None, quiet=quiet or json)
    work = [
        _job(
            file,
            _problems(file, strays),
            CheckJob(
                paths.display_name(file),
                None,
                tuple(overrides or ()),
                tolerance,
                threads,
                lanes,
                update=update,
                require_snapshot=require_snapshots,
            ),
        )
        for file in chosen
    ]
    reports: list[CheckReport] = []
    with closing(_in_order(work, jobs, quiet=quiet or json)) as coming:
        for report in coming:
            reports.append(report)
            if not json and not (quiet and report.passed):
                stream = sys.stderr if junit == "-" else sys.stdout
                lines = report_lines(report, stream)
                if format is FailureFormat.github and not report.passed:
                    lines = [as_annotations(report)]
                say("\n".join(lines), stream)
            if exit_first and not report.passed:
                break
    memory.remember(
        chosen[: len(reports)],
        [file for file, report in zip(chosen, reports, strict=False) if not report.passed],
    )
    if junit is not None:
        from ..files import write_text
        from ..reporting.junit import junit_xml

        refuse_inputs([junit], [file for report in reports for file in report.files])
        write_text(junit_xml(reports), junit)
    if json:
        print_json({"ok": all(r.passed for r in reports), "scenes": list(map(_fields, reports))})
    elif not quiet:
        _summarize(reports, len(chosen) - len(reports))
    return _code(reports)


def _chosen(
    files: list[str], expression: str | None, memory: LastFailed | None, *, quiet: bool
) -> list[str]:
    """The files to test of those that were named."""
    chosen = files
    if expression is not None:
        matches = matcher(expression)
        chosen = [file for file in files if matches(paths.display_name(file))]
        if not chosen:
            raise UsageError(f"-k: no path of {count(len(files), 'scene')} matches {expression!r}")
    if memory is not None:
        failed = memory.chosen(chosen)
        if failed:
            return failed
        if not quiet:
            note("none of them failed when last run: all are")
    return chosen


def _inputs(files: Sequence[str]) -> list[str]:
    """The files that a test of these scenes reads, as far as known without loading them."""
    from rigid2d.core.jobs.check import stored_snapshot

    return [*files, *(str(stored_snapshot(file)) for file in files)]


def _problems(file: str, strays: Sequence[str]) -> list[Problem]:
    """The reasons why there is nothing to run."""
    if file in strays:
        return [Problem(file, 0, 0, "", paths.stray_message(file))]
    return paths.why_nothing(file)


def _job(file: str, problems: Sequence[Problem], common: CheckJob) -> CheckJob:
    text = None
    try:
        text = paths.read_standard_input() if file == paths.STANDARD_INPUT else None
    except SceneError as error:
        problems = error.problems
    return replace(common, text=text, problems=tuple(problems))


def _in_order(
    work: Sequence[CheckJob], jobs: int, *, quiet: bool
) -> Generator[CheckReport, None, None]:
    """The reports in the order of ``work``, each as soon as those before it are there."""
    from rigid2d.core.jobs.check import CheckReport, check_scene
    from rigid2d.core.jobs.workers import run_jobs

    from ..progress import progress

    waiting: dict[int, CheckReport] = {}
    following = finished = 0
    with progress("testing", quiet=quiet or len(work) < 2) as advance:
        for outcome in run_jobs(check_scene, work, jobs):
            report = outcome.value
            if report is None:
                error = outcome.error
                text = f"{type(error).__name__}: {error}"
                report = CheckReport(work[outcome.index].path, error=text, stopped=True)
            waiting[outcome.index] = report
            finished += 1
            if advance is not None:
                advance(finished, len(work))
            while following in waiting:
                yield waiting.pop(following)
                following += 1


def _summarize(reports: Sequence[CheckReport], left: int) -> None:
    failed = [report.path for report in reports if not report.passed]
    checks = sum(report.checks for report in reports)
    text = f"{count(len(reports), 'scene')}, {count(checks, 'check')}"
    if failed:
        note(paint(f"{text}; {count(len(failed), 'scene')} failed:", "red", sys.stderr))
        for path in failed:
            note(f"  {shown(path)}")
        if left:
            note(f"stopped there; {count(left, 'scene')} not run")
    else:
        note(paint(f"{text}, all passed", "green", sys.stderr))


def _code(reports: Sequence[CheckReport]) -> int:
    return exit_codes.worst(map(_code_of, reports))


def _code_of(report: CheckReport) -> int:
    if report.problems or (report.error and not report.stopped):
        return exit_codes.BAD_INPUT
    if report.stopped:
        return exit_codes.STOPPED
    return exit_codes.CHECK_FAILED if report.failures else exit_codes.DONE


def _fields(report: CheckReport) -> dict[str, Any]:
    from ..failure import problem_fields
    from ..reporting.results import expectation_fields, variant_fields

    snapshot = None
    if report.snapshot:
        snapshot = {
            "path": report.snapshot,
            "passed": not report.difference,
            "updated": report.updated,
            "difference": report.difference,
        }
    return {
        "scene": report.path,
        "name": report.name,
        "passed": report.passed,
        "steps": report.steps,
        "outcome": report.outcome,
        "wall_seconds": report.wall,
        "expect": [expectation_fields(result) for result in report.results],
        **({"variants": variant_fields(report.variants)} if report.variants else {}),
        "snapshot": snapshot,
        "problems": [problem_fields(problem) for problem in report.problems],
        "error": report.error,
    }
