# SPDX-License-Identifier: MIT
"""``rigid snapshot``: record, check and compare the exact states of runs."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from rigid2d.core.errors import RigidError, SceneError, SimulationError, UsageError
from typer.core import TyperGroup

from .. import exit_codes, options, paths
from ..console import note, paint, print_json, say, shown, shown_lines
from ..failure import problem_fields
from ..files import check_writable, inputs_of, refuse_inputs, write_text
from ..words import count

if TYPE_CHECKING:
    from rigid2d.core.jobs.check import CheckReport
    from rigid2d.core.record import Difference, Snapshot
    from rigid2d.core.record.differences import BodyDifference
    from rigid2d.core.scene.model import Scene

WORDS = {
    "check": "verify validate test",
    "record": "take save create make store update write new accept refresh",
    "diff": "compare difference delta show",
}
"""Other words for the commands."""


class Commands(TyperGroup):
    """The commands; other words are refused with the right one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(f"there is no command '{args[0]}'{self._right(args)}")
        return super().resolve_command(ctx, args)

    def _right(self, args: list[str]) -> str:
        name = args[0]
        if name.endswith((".yaml", ".yml")) or Path(name).exists():
            told = shlex.join(args)
            verb = "rigid snapshot"
            return f"; `{verb} record {told}` stores it, and `{verb} check {told}` compares with it"
        meant = [command for command, words in WORDS.items() if name in words.split()]
        near = meant or get_close_matches(name, self.commands, n=1)
        return f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(self.commands)}"


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    help="Record, check and compare snapshots of exact states.",
    subcommand_metavar="record|check|diff [ARGS]...",
)

Tolerance = Annotated[
    float,
    options.tolerance("Largest allowed difference of a value; 0 requires equal bits."),
]
Picture = Annotated[
    str | None,
    options.picture("Draw both states over each other into this PNG file if they differ."),
]


At = Annotated[
    int | None,
    options.setting(
        "--at",
        min=0,
        metavar="STEP",
        help="Step of --picture; default: where the states are farthest apart.",
    ),
]
Everything = Annotated[
    bool,
    options.setting(
        "--all", "-a", help="Report every input, and every body at every step, that differs."
    ),
]


@app.command(cls=options.Verb, short_help="Run scenes and store their states.")
def record(
    scenes: options.Scenes,
    output: Annotated[
        str | None,
        options.output(
            ".snapshot", "Write here instead of beside the scene; `-` is standard output."
        ),
    ] = None,
    every: Annotated[
        int | None,
        options.setting(
            "--every",
            min=1,
            metavar="N",
            help="Steps between checkpoints; default: about ten checkpoints in all.",
        ),
    ] = None,
    overrides: options.Overrides = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run scenes and store their states, each beside its scene with the suffix .snapshot."""
    files = paths.select(scenes).scenes
    targets = [_snapshot_path(file, output, len(files)) for file in files]
    if json and "-" in targets:
        raise UsageError("--json: standard output is taken by -o -")
    for target in targets:
        if target != "-":
            check_writable(target)
    loaded = paths.load_all(files, overrides or ())
    refuse_inputs(targets, [path for scene in loaded for path in inputs_of(scene)])
    written = []
    for scene, target in zip(loaded, targets, strict=True):
        checkpoints = _record(scene, target, every, threads=threads, lanes=lanes, quiet=quiet)
        written.append({"scene": scene.path, "snapshot": target, "checkpoints": checkpoints})
        if not (quiet or json):
            where = "" if target == "-" else f" in {shown(target)}"
            note(f"{shown(scene.path)}: {count(checkpoints, 'checkpoint')}{where}")
    if json:
        print_json({"ok": True, "snapshots": written})
    return exit_codes.DONE


def _snapshot_path(file: str, output: str | None, files: int) -> str:
    from rigid2d.core.jobs.check import stored_snapshot

    if output is not None:
        if files > 1:
            raise UsageError(f"-o {output}: one file for {files} scenes; leave it out")
        return output
    if file == paths.STANDARD_INPUT:
        raise UsageError("a scene from standard input needs -o: there is no file to lie beside")
    return str(stored_snapshot(file))


def _record(
    scene: Scene, target: str, every: int | None, *, threads: int, lanes: int, quiet: bool
) -> int:
    """Write a snapshot of a run; how many checkpoints it has."""
    from rigid2d.core.record.snapshot import format_snapshot
    from rigid2d.core.world import take_snapshot

    from ..progress import progress

    steps = scene.world.steps
    at = None if every is None else sorted({*range(every, steps, every), steps})
    with progress(scene.name or scene.path, quiet=quiet) as advance:
        taken = take_snapshot(scene, at=at, threads=threads, lanes=lanes, on_progress=advance)
    write_text(format_snapshot(taken), target)
    return len(taken.checkpoints)


@app.command(cls=options.Verb, short_help="Run scenes and compare with stored states.")
def check(
    scenes: Annotated[
        list[str],
        options.argument(
            metavar="SCENE",
            help="Scenes with a snapshot beside them, or one scene and its snapshot file.",
        ),
    ],
    tolerance: Tolerance = 0.0,
    everything: Everything = False,
    picture: Picture = None,
    at: At = None,
    junit: options.Junit = None,
    require_snapshots: options.RequireSnapshots = False,
    overrides: options.Overrides = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run scenes and compare them with their stored snapshots.

    Exit code 1: one differs; 2: a scene has errors, or a required snapshot is missing.
    """
    from rigid2d.core.jobs.check import CheckReport

    _check_picture(picture, at)
    _check_junit(junit, json=json)
    pairs, without = _pairs(scenes, require=require_snapshots)
    strays = paths.stray_snapshots(scenes)
    if picture is not None and len(pairs) > 1:
        raise UsageError(f"--picture {picture}: one file for {len(pairs)} scenes; name one scene")
    if junit is not None:
        refuse_inputs([junit], [name for pair in pairs for name in pair])
    results: list[dict[str, Any]] = []
    reports: list[CheckReport] = []
    codes: list[int] = []
    stream = sys.stderr if junit == "-" else sys.stdout
    for file, stored in pairs:
        report, begin = CheckReport(paths.display_name(file), snapshot=stored), time.perf_counter()
        reports.append(report)
        fields: dict[str, Any] = {"scene": paths.display_name(file), "snapshot": stored}
        try:
            scene = paths.load(file, overrides or ())
            if picture is not None:
                refuse_inputs([picture], [*inputs_of(scene), stored])
            difference = _difference(
                scene, stored, tolerance, threads=threads, lanes=lanes, quiet=quiet or json
            )
        except (SceneError, SimulationError, UsageError) as error:  # the others are checked still
            results.append({**fields, **_error_fields(error)})
            codes.append(_code_of(error))
            _report_error(report, error)
            if not json:
                _tell_error(file, error)
            continue
        finally:
            report.wall = time.perf_counter() - begin
        report.difference = "" if difference is None else str(difference)
        report.files = scene.files
        codes.append(_code(difference is None))
        if not json:
            _tell(f"{scene.path}: {stored}", difference, everything, stream, quiet=quiet)
        drawn: dict[str, Any] = {}
        if difference is not None and picture is not None:
            drawn = _draw(scene, difference, picture, at, quiet=quiet or json)
        results.append({**fields, **_fields(difference, everything), **drawn})
    for stray in strays if require_snapshots else ():
        message = paths.stray_message(stray)
        results.append({"scene": None, "snapshot": stray, "error": message})
        reports.append(CheckReport(stray, error=message))
        codes.append(exit_codes.BAD_INPUT)
        if not json:
            note(f"rigid: {shown(stray)}: {shown(message)}")
    if junit is not None:
        _write_junit(junit, reports)
    code = exit_codes.worst(codes)
    if json:
        unchecked = {"without_snapshot": without, "without_scene": strays}
        print_json({"ok": code == exit_codes.DONE, "snapshots": results, **unchecked})
    elif not (quiet or require_snapshots):
        _tell_unchecked(without, strays)
    return code


def _check_junit(junit: str | None, *, json: bool) -> None:
    if junit == "-" and json:
        raise UsageError("--json: standard output is taken by --junit -")
    if junit is not None and junit != "-":
        check_writable(junit)


def _write_junit(junit: str, reports: Sequence[CheckReport]) -> None:
    from ..reporting.junit import junit_xml

    refuse_inputs([junit], [file for report in reports for file in report.files])
    write_text(junit_xml(reports), junit)


def _report_error(report: CheckReport, error: RigidError) -> None:
    """Put the error of a run into its report."""
    report.snapshot = ""
    if isinstance(error, SceneError):
        report.problems = list(error.problems)
    else:
        report.error, report.stopped = str(error), isinstance(error, SimulationError)


def _tell_unchecked(without: Sequence[str], strays: Sequence[str]) -> None:
    """Name what a folder has that is not checked."""
    if without:
        note(f"{count(len(without), 'scene')} without a snapshot not checked: {_listed(without)}")
    if strays:
        what = count(len(strays), "snapshot")
        note(f"{what} without a scene not checked: {_listed(strays)}")
    if without or strays:
        note("--require-snapshots makes them errors")


def _listed(files: Sequence[str]) -> str:
    most = 3
    more = f" and {len(files) - most} more" if len(files) > most else ""
    return ", ".join(map(shown, files[:most])) + more


def _difference(
    scene: Scene, stored: str, tolerance: float, *, threads: int, lanes: int, quiet: bool
) -> Difference | None:
    """Run a scene and compare it with its snapshot."""
    from rigid2d.core.world import check_snapshot

    from ..progress import progress

    if not Path(stored).exists():
        from rigid2d.core.jobs.check import missing_snapshot

        raise UsageError(missing_snapshot(scene.path, stored))
    with progress(scene.name or scene.path, quiet=quiet) as advance:
        return check_snapshot(
            scene, stored, tolerance=tolerance, threads=threads, lanes=lanes, on_progress=advance
        )


def _pairs(arguments: list[str], *, require: bool) -> tuple[list[tuple[str, str]], list[str]]:
    """(scene, snapshot) for each scene to check: those named, and in folders those with one, or
    all if they are required; and the scenes of folders that are not checked."""
    named = [argument for argument in arguments if _is_snapshot(argument)]
    files = paths.select([argument for argument in arguments if argument not in named]).scenes
    if named:
        if len(files) != 1 or len(named) != 1:
            raise UsageError(f"{named[0]}: a snapshot file goes with one scene: SCENE SNAPSHOT")
        return [(files[0], named[0])], []
    from rigid2d.core.jobs.check import missing_snapshot, stored_snapshot

    pairs = [(file, str(stored_snapshot(file))) for file in files]
    chosen = [pair for pair in pairs if require or pair[0] in arguments or Path(pair[1]).is_file()]
    if not chosen:
        raise UsageError(missing_snapshot(*pairs[0]))
    return chosen, [file for file, stored in pairs if (file, stored) not in chosen]


def _is_snapshot(name: str) -> bool:
    """Whether an argument is a snapshot file: by its ending, or by its first word."""
    if name.endswith(".snapshot"):
        return True
    path = Path(name)
    if not path.is_file() or name.endswith((".yaml", ".yml")):
        return False
    from rigid2d.core.record.snapshot import FORMAT, PLAIN_FORMAT

    with path.open("rb") as file:
        return file.readline(64).strip() in (FORMAT.encode(), PLAIN_FORMAT.encode())


def _error_fields(error: RigidError) -> dict[str, Any]:
    fields: dict[str, Any] = {"error": str(error)}
    if isinstance(error, SceneError):
        fields["problems"] = [problem_fields(problem) for problem in error.problems]
    return fields


def _tell_error(file: str, error: RigidError) -> None:
    """Say why a scene could not be checked."""
    if isinstance(error, SceneError):
        from ..reporting.diagnostics import as_text

        note(as_text(error.problems, sys.stderr))
    else:
        note(f"rigid: {shown(paths.display_name(file))}: {shown(error)}")


def _code_of(error: RigidError) -> int:
    stopped = isinstance(error, SimulationError)
    return exit_codes.STOPPED if stopped else exit_codes.BAD_INPUT


@app.command(cls=options.Verb, short_help="Compare two snapshot files.")
def diff(
    old: Annotated[str, options.argument(metavar="OLD", help="First snapshot file.")],
    new: Annotated[str, options.argument(metavar="NEW", help="Second snapshot file.")],
    tolerance: Tolerance = 0.0,
    everything: Everything = False,
    picture: Picture = None,
    at: At = None,
    scene: Annotated[
        str | None,
        options.reads(
            "--scene", metavar="SCENE", help="Scene of the snapshots, whose shapes --picture draws."
        ),
    ] = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Compare two snapshot files: the first step and bodies that differ. Exit code 1: any."""
    _check_picture(picture, at)
    if picture is not None:
        if scene is None:
            raise UsageError("--picture: needs --scene SCENE, whose shapes it draws")
        refuse_inputs([picture], [old, new, scene])
    from rigid2d.core.record import compare_snapshots

    difference = compare_snapshots(*_read_both(old, new), tolerance)
    if not json:
        _tell(f"{old}, {new}", difference, everything, sys.stdout, quiet=quiet)
    drawn: dict[str, Any] = {}
    if difference is not None and picture is not None and scene is not None:
        loaded = paths.load(paths.only_scene(scene))
        refuse_inputs([picture], inputs_of(loaded))
        drawn = _draw(loaded, difference, picture, at, quiet=quiet or json)
    if json:
        print_json({"ok": difference is None, **_fields(difference, everything), **drawn})
    return _code(difference is None)


def _read_both(old: str, new: str) -> tuple[Snapshot, Snapshot]:
    """Two snapshots. Raises UsageError that says of each what is wrong with it."""
    from rigid2d.core.record import read_snapshot

    read: list[Snapshot] = []
    problems: list[str] = []
    for path in dict.fromkeys((old, new)):
        try:
            read.append(read_snapshot(path))
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("; ".join(problems))
    return read[0], read[-1]


def _check_picture(picture: str | None, at: int | None) -> None:
    if picture is None:
        if at is not None:
            raise UsageError(f"--at {at}: is the step of --picture F.png, which is not given")
        return
    if not picture.lower().endswith(".png"):
        raise UsageError(f"--picture {picture}: the name should end in .png")
    check_writable(picture)


def _draw(
    scene: Scene, difference: Difference, picture: str, at: int | None, *, quiet: bool
) -> dict[str, Any]:
    """Write the picture; its fields in JSON."""
    from rigid2d.core.jobs.difference_picture import write_difference_picture

    step = write_difference_picture(scene, difference, picture, at)
    if not quiet:
        note(
            f"wrote {shown(picture)}: step {step}, the old state pale, the new one in colour, and "
            "arrows from old to new places"
        )
    return {"picture": {"path": picture, "step": step}}


def _tell(
    names: str, difference: Difference | None, everything: bool, stream: TextIO, *, quiet: bool
) -> None:
    if difference is not None:
        differ = paint("differ", "red", stream)
        say(f"{shown(names)}: {differ}: {shown_lines(difference.text(everything))}", stream)
    elif not quiet:
        say(f"{shown(names)}: {paint('same', 'green', stream)}", stream)


def _fields(difference: Difference | None, everything: bool) -> dict[str, Any]:
    if difference is None:
        return {"same": True}
    fields: dict[str, Any] = {
        "same": False,
        "step": difference.step,
        "time": difference.time,
        "bodies": _bodies(difference.bodies),
        "largest": [asdict(each) for each in difference.largest],
        "inputs": [asdict(each) for each in difference.inputs],
        "notes": list(difference.notes),
    }
    if everything:
        fields["steps"] = [
            {"step": at.step, "time": at.time, "bodies": _bodies(at.bodies)}
            for at in difference.steps
        ]
    return fields


def _bodies(bodies: Sequence[BodyDifference]) -> list[dict[str, Any]]:
    return [
        {"name": body.name, "change": dict(body.change), "missing": body.missing} for body in bodies
    ]


def _code(same: bool) -> int:
    return exit_codes.DONE if same else exit_codes.CHECK_FAILED
