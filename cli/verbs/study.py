# SPDX-License-Identifier: MIT
"""``rigid study``: many runs of a scene with varied values."""

from __future__ import annotations

import math
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid.core.errors import UsageError

from .. import exit_codes, options, paths
from ..console import note, paint, print_json, say, shown
from ..files import refuse_inputs
from ..words import count, file_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rigid.core.study.executor import Progress
    from rigid.core.study.results import Results

app = typer.Typer(add_completion=False, rich_markup_mode=None)

FAILURES_TOLD = 5
FAILURES_IN_JSON = 100


@app.command(cls=options.Verb)
def study(
    scene: options.SceneOrStudy,
    out: Annotated[
        str,
        options.folder("DIR/", "index.html", "Folder of the study."),
    ],
    vary: Annotated[
        list[str] | None,
        options.vary(
            "PATH=VALUES",
            "Vary another value besides those of the scene's `study`: vars.n=1:10, "
            "vars.x=0:1:0.1, vars.m=1,2,5 or vars.m={uniform: [1, 3]}. Repeatable.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        options.setting(
            "--samples",
            metavar="N",
            min=1,
            help="Number of runs, by the study's sample, or at random.",
        ),
    ] = None,
    plot: Annotated[
        list[str] | None,
        options.setting(
            "--plot",
            metavar="Y:X[:COLOR]",
            help="Columns to plot, such as range:angle; a heat map for two parameters. Repeatable.",
        ),
    ] = None,
    overrides: options.Overrides = None,
    jobs: options.RunJobs = 0,
    cluster: Annotated[
        str | None,
        options.setting(
            "--cluster",
            metavar="ADDRESS",
            help="Scheduler of a dask cluster to run on, such as tcp://host:8786.",
        ),
    ] = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run a scene many times with the varied values of its `study`.

    The folder gets results.parquet, with a row for each run, and index.html to look at. An
    interrupted study continues with the same command and repeats no run.

    Exit code 1: a run failed; its row says why.
    """
    if cluster is not None and jobs:
        raise UsageError(
            "--cluster and --jobs: the cluster's workers do the runs; leave out --jobs"
        )
    text = None
    if scene == paths.STANDARD_INPUT:
        text = paths.read_standard_input()
    else:
        refuse_inputs([out], [scene])
    from rigid.core.study.study import run_study

    begin = time.monotonic()
    with follow(Path(scene).stem, quiet or json) as (tell, first):
        results = run_study(
            paths.display_name(scene),
            out,
            vary=varied_values(vary or ()),
            samples=samples,
            overrides=overrides or (),
            jobs=jobs,
            cluster=cluster,
            plots=plot or (),
            source=text,
            on_progress=tell,
            on_wait=None if quiet else _tell_waiting,
        )
    done = len(results) - (first[0].before if first else len(results))
    if json:
        print_json(_fields(results, done))
    elif not quiet:
        say("\n".join(_summary(results, scene, done, time.monotonic() - begin)))
    if results.failures:
        _tell_failures(results, quiet=quiet or json)
    return exit_codes.CHECK_FAILED if results.failures else exit_codes.DONE


def _tell_waiting(text: str) -> None:
    note(shown(text))


@contextmanager
def follow(
    label: str, quiet: bool
) -> Iterator[tuple[Callable[[Progress], None], Sequence[Progress]]]:
    """Show how far many runs are for the block; the callback, and its first progress."""
    from ..progress import progress

    begin = time.monotonic()
    first: list[Progress] = []
    with progress(label, quiet=quiet) as advance:

        def tell(now: Progress) -> None:
            first.append(now) if not first else None
            if advance is not None:
                rate = (now.done - now.before) / max(1e-9, time.monotonic() - begin)
                failed = f", {now.failures:,} failed" if now.failures else ""
                advance(now.done, now.total, f"{rate:,.3g} runs/s{failed}")

        yield tell, first


def varied_values(given: Sequence[str]) -> dict[str, str]:
    """The values of ``--vary``, by paths."""
    found: dict[str, str] = {}
    for text in given:
        path, equals, values = text.partition("=")
        if not equals or not path.strip() or not values.strip():
            raise UsageError(f"--vary {text}: is PATH=VALUES, such as vars.n=1:10")
        if path.strip() in found:
            raise UsageError(f"--vary {text}: `{path.strip()}` is varied twice")
        found[path.strip()] = values
    return found


def _summary(results: Results, scene: str, done: int, wall: float) -> list[str]:
    before = len(results) - done
    speed = f", {done / wall:,.3g} a second" if done and wall > 0 else ""
    told = f"{count(done, 'run')} in {wall:.2f} s{speed}"
    if before:
        told += f"; {before:,} were there" if done else ""
        told = told if done else f"{count(before, 'run')}, all there already"
    rows = [("study", told)]
    for name in results.collected:
        rows.append((name, _column(results[name])))
    for file in ("results.parquet", "index.html"):
        path = results.path / file
        rows.append(("wrote", f"{path} ({file_size(path.stat().st_size)})"))
    width = max(9, *(len(label) + 1 for label, _ in rows))
    lines = [paint(shown(scene), "bold", sys.stdout)]
    for label, text in rows:
        lines.append(f"  {paint(f'{shown(label):<{width}}', 'dim', sys.stdout)}{shown(text)}")
    return lines


def _column(values: Any) -> str:
    """A column in few words."""
    known = [each for each in values.tolist() if each is not None and each == each]
    missing = len(values) - len(known)
    text = "no value"
    if known and all(isinstance(each, bool) for each in known):
        text = f"true in {sum(known):,} of {len(known):,}"
    elif known and all(isinstance(each, str) for each in known):
        kinds = sorted(set(known))
        text = ", ".join(f"{known.count(kind):,} {kind}" for kind in kinds[:6])
    elif known:
        mean = math.fsum(known) / len(known)
        text = f"{mean:.6g} on average, {min(known):.6g} to {max(known):.6g}"
    return text + (f"; {missing:,} without" if known and missing else "")


def _tell_failures(results: Results, *, quiet: bool) -> None:
    note(
        paint(f"{count(results.failures, 'run')} failed", "red", sys.stderr)
        + (":" if not quiet else "")
    )
    for row in [] if quiet else results.failed(FAILURES_TOLD):
        first = str(row["message"]).partition("\n")[0]
        note(f"  run {row['run']}: {row['status']}: {shown(first)}")
    if not quiet and results.failures > FAILURES_TOLD:
        note(f"  and {results.failures - FAILURES_TOLD:,} more; the table has their messages")


def _fields(results: Results, done: int) -> dict[str, Any]:
    return {
        "ok": not results.failures,
        "out": str(results.path),
        "runs": len(results),
        "done": done,
        "failures": results.failures,
        "columns": list(results.columns),
        "failed": results.failed(FAILURES_IN_JSON),
    }
