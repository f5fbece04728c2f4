# SPDX-License-Identifier: MIT
"""``rigid study``: many runs of a scene with varied values."""

from __future__ import annotations

import math
import shlex
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options, paths
from ..console import note, paint, print_json, say, shown, shown_lines
from ..files import local_places, refuse_inputs
from ..words import count, file_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rigid2d.core.study.comparing import StudyDifference
    from rigid2d.core.study.executor import Progress
    from rigid2d.core.study.results import Results

app = typer.Typer(add_completion=False, rich_markup_mode=None)

FAILURES_TOLD = 5
FAILURES_IN_JSON = 100


@app.command(cls=options.Verb)
def study(
    scene: Annotated[
        list[str] | None,
        options.argument(
            metavar="SCENE | diff OLD/ NEW/",
            help="Scene file, or study file that names its scene; `-` reads a scene from standard "
            "input. `diff` compares two folders of studies.",
        ),
    ] = None,
    out: Annotated[
        str | None,
        options.folder("DIR/", "index.html", "Folder of the study."),
    ] = None,
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
    pick: Annotated[
        str | None,
        options.setting(
            "--pick",
            metavar="TEXT",
            help="Print the runs with the largest or least values of a column, and their commands: "
            "'top 10 by range', 'bottom 3 by energy'. Without SCENE those of a finished study.",
        ),
    ] = None,
    tolerance: Annotated[
        float,
        options.tolerance("Of `diff`: largest difference of equal numbers."),
    ] = 0.0,
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

    `rigid study diff OLD/ NEW/` compares the runs of two studies that have the same values.

    Exit code 1: a run failed; its row says why. With `diff`: the studies differ.
    """
    words = scene or []
    if words[:1] == ["diff"] and len(words) == 3 and out is None:
        return _diff(words[1], words[2], tolerance, quiet=quiet, json=json)
    if pick is not None:
        from rigid2d.core.study.picking import read_pick

        read_pick(pick)  # before anything is run
    if not words and pick is not None and out is not None:
        return _show_picked(out, pick, json=json)
    if len(words) != 1 or out is None:
        raise UsageError(
            "name a scene and its folder: `rigid study SCENE --out DIR/`; or two folders: "
            "`rigid study diff OLD/ NEW/`"
        )
    return _run(
        words[0],
        out,
        vary=vary,
        samples=samples,
        plot=plot,
        pick=pick,
        overrides=overrides,
        jobs=jobs,
        cluster=cluster,
        quiet=quiet,
        json=json,
    )


def _diff(old: str, new: str, tolerance: float, *, quiet: bool, json: bool) -> int:
    from rigid2d.core.study.comparing import compare_studies

    found = compare_studies(old, new, tolerance)
    if json:
        print_json({"ok": found.same, **_difference_fields(found)})
    elif not (quiet and found.same):
        say(shown_lines(str(found)))
    return exit_codes.DONE if found.same else exit_codes.CHECK_FAILED


def _difference_fields(found: StudyDifference) -> dict[str, Any]:
    return {
        "shared": found.shared,
        "only_old": found.only_old,
        "only_new": found.only_new,
        "columns": [
            {
                "name": each.name,
                "runs": each.runs,
                "largest": each.largest if each.where >= 0 else None,
                "run": each.where if each.where >= 0 else None,
            }
            for each in found.columns
        ],
        "plan": list(found.plan),
    }


def _show_picked(out: str, pick: str, *, json: bool) -> int:
    from rigid2d.core.study.results import Results

    results = Results(out)
    if json:
        print_json({"ok": True, "picked": _picked(results, pick)})
    else:
        say("\n".join(_picked_lines(results, pick)))
    return exit_codes.DONE


def _picked(results: Results, pick: str) -> list[dict[str, Any]]:
    """The picked rows, each with the command that executes this run alone."""
    from rigid2d.core.scene.text.flow import flow

    scene = str(results.plan["scene"].get("path"))
    found = results.pick(pick)
    for row in found:
        values = [(path, row[path]) for path in results.parameters]
        settings = [f"{path}={v if isinstance(v, str) else flow(v)}" for path, v in values]
        words = [word for each in settings for word in ("--set", each)]
        row["command"] = shlex.join(["rigid", "run", scene, *words])
    return found


def _picked_lines(results: Results, pick: str) -> list[str]:
    from rigid2d.core.study.picking import read_pick
    from rigid2d.core.study.results import resolve

    name = resolve(read_pick(pick)[2], results.columns)
    lines = []
    for row in _picked(results, pick):
        value = f"{row[name]:.6g}" if isinstance(row[name], float) else str(row[name])
        lines.append(f"run {row['run']}: {shown(name)} {shown(value)}")
        lines.append(f"  {paint(shown(row['command']), 'dim', sys.stdout)}")
    return lines or ["no run has a value there"]


def _run(
    scene: str,
    out: str,
    *,
    vary: list[str] | None,
    samples: int | None,
    plot: list[str] | None,
    pick: str | None,
    overrides: list[str] | None,
    jobs: int,
    cluster: str | None,
    quiet: bool,
    json: bool,
) -> int:
    """Run or continue a study."""
    if cluster is not None and jobs:
        raise UsageError(
            "--cluster and --jobs: the cluster's workers do the runs; leave out --jobs"
        )
    text = None
    if scene == paths.STANDARD_INPUT:
        text = paths.read_standard_input()
    else:
        refuse_inputs(local_places(out), [scene])
    from rigid2d.core.study.study import run_study

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
        picks = {} if pick is None else {"picked": _picked(results, pick)}
        print_json(_fields(results, done) | picks)
    elif not quiet:
        say("\n".join(_summary(results, scene, done, time.monotonic() - begin)))
    if pick is not None and not json:
        say("\n".join(_picked_lines(results, pick)))
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
        path, size = results.path / file, ""
        if path.is_file():
            size = f" ({file_size(path.stat().st_size)})"
        rows.append(("wrote", f"{results.address.rstrip('/')}/{file}{size}"))
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
        "out": results.address,
        "runs": len(results),
        "done": done,
        "failures": results.failures,
        "columns": list(results.columns),
        "failed": results.failed(FAILURES_IN_JSON),
    }
