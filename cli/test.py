"""``rigid test``: scenes as regression tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from rigid.core.errors import SceneError, UsageError

from . import exit_codes, options, paths
from .console import note, paint, print_json, say, shown, shown_lines
from .words import count

if TYPE_CHECKING:
    from rigid.core.batch.check import CheckJob, CheckReport

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def check(
    scenes: options.Scenes,
    junit: Annotated[
        str | None,
        typer.Option(
            "--junit", metavar="F", help="Also write a JUnit XML report.", show_default=False
        ),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", min=0.0, metavar="X", help="How far a snapshot's values may be off."
        ),
    ] = 0.0,
    jobs: options.Jobs = 0,
    overrides: options.Overrides = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run scenes and check their expect: blocks and stored snapshots.

    A stored snapshot is the file beside a scene with the suffix .snapshot; `rigid snapshot record`
    makes it. Exit code 1: a check failed; 2: a scene has errors; 3: a simulation stopped.
    """
    from .files import check_writable, refuse_inputs

    if junit == "-" and json:
        raise UsageError("--json: standard output is taken by --junit -")
    if junit is not None and junit != "-":
        check_writable(junit)
    selection = paths.select(scenes)
    if junit is not None:
        refuse_inputs([junit], _inputs(selection.scenes))
    work = [
        _job(file, tuple(overrides or ()), tolerance, threads, lanes) for file in selection.scenes
    ]
    reports: list[CheckReport] = []
    for report in _in_order(work, jobs, quiet=quiet or json):
        reports.append(report)
        if not json and not (quiet and report.passed):
            stream = sys.stderr if junit == "-" else sys.stdout
            say("\n".join(_lines(report, stream)), stream)
    if junit is not None:
        from .files import write_text
        from .junit import junit_xml

        refuse_inputs([junit], [file for report in reports for file in report.files])
        write_text(junit_xml(reports), junit)
    if json:
        print_json({"ok": all(r.passed for r in reports), "scenes": list(map(_fields, reports))})
    elif not quiet:
        _summarize(reports)
    return _code(reports)


def _inputs(files: Sequence[str]) -> list[str]:
    """What a test of these scenes reads, as far as it can be told without loading them."""
    from rigid.core.batch.check import stored_snapshot

    return [*files, *(str(stored_snapshot(file)) for file in files)]


def _job(
    file: str, overrides: tuple[str, ...], tolerance: float, threads: int, lanes: int
) -> CheckJob:
    from rigid.core.batch.check import CheckJob

    problems, text = paths.why_nothing(file), None
    try:
        text = paths.read_standard_input() if file == paths.STANDARD_INPUT else None
    except SceneError as error:
        problems = error.problems
    path = paths.display_name(file)
    return CheckJob(path, text, overrides, tolerance, threads, lanes, tuple(problems))


def _in_order(work: Sequence[CheckJob], jobs: int, *, quiet: bool) -> Iterator[CheckReport]:
    """The reports in the order of ``work``, each as soon as those before it are there."""
    from rigid.core.batch.check import CheckReport, check_scene
    from rigid.core.batch.workers import run_jobs

    from .progress import progress

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


def _lines(report: CheckReport, stream: TextIO) -> list[str]:
    from .diagnostics import as_text
    from .results import expectation_lines

    path = shown(report.path)
    if report.passed:
        checks = count(report.checks, "check") if report.checks else "nothing to check"
        checks += f", outcome: {report.outcome}" if report.outcome else ""
        verdict, rest = paint("pass", "green", stream), f"{checks}, {report.wall:.2f} s"
        return [f"{verdict}  {path}  {paint(rest, 'dim', stream)}"]
    verdict = paint("FAIL", "red", stream)
    if report.problems:
        return [f"{verdict}  {path}", as_text(report.problems, stream)]
    details = expectation_lines(report.results, stream)
    for variant in report.variants:
        failed = expectation_lines(variant.results, stream)
        details += [f"variant {shown(variant.name)}:", *failed] if failed else []
    if report.outcome == "fail":
        details.append(f"{paint('failed', 'red', stream)}: the run ended as failed")
    if report.error:
        details.append(shown(report.error))
    if report.difference:
        text = f"{shown(report.snapshot)}: {shown_lines(report.difference)}"
        details += [text.replace("\n", "\n      ")]
    failures = f"{report.failures} of {count(report.checks, 'check')} failed, {report.wall:.2f} s"
    head = f"{verdict}  {path}" + (f"  {failures}" if report.failures else "")
    return [head, *(f"      {line}" for line in details)]


def _summarize(reports: Sequence[CheckReport]) -> None:
    failed = [report.path for report in reports if not report.passed]
    checks = sum(report.checks for report in reports)
    text = f"{count(len(reports), 'scene')}, {count(checks, 'check')}"
    if failed:
        note(paint(f"{text}; {count(len(failed), 'scene')} failed:", "red", sys.stderr))
        for path in failed:
            note(f"  {shown(path)}")
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
    from .failure import problem_fields
    from .results import expectation_fields, variant_fields

    snapshot = None
    if report.snapshot:
        snapshot = {
            "path": report.snapshot,
            "passed": not report.difference,
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
