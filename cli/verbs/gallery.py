# SPDX-License-Identifier: MIT
"""``rigid gallery``: a folder of scenes as pictures and a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid2d.core.errors import SceneError, UsageError

from .. import exit_codes, options, paths
from ..console import note, paint, print_json, say, shown
from ..numbers import frame_rate, picture_size
from ..words import count, file_size

if TYPE_CHECKING:
    from rigid2d.core.jobs.gallery import SceneOutcome

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def gallery(
    folder: Annotated[str, options.argument(metavar="DIR", help="Folder of scenes.")],
    out: Annotated[
        str,
        options.folder("DIR", "index.html", "Folder for the pictures and the page."),
    ] = "renders",
    title: Annotated[str, options.title("Title of the page.")] = "Scenes in motion",
    jobs: options.Jobs = 0,
    force: Annotated[bool, options.force("Render unchanged scenes too.")] = False,
    pages: Annotated[
        bool,
        options.setting("--pages", help="Also make a page that plays each scene."),
    ] = False,
    live: Annotated[
        bool,
        options.setting("--live", help="As --pages; a page runs its scene itself, if it can."),
    ] = False,
    size: Annotated[
        str | None,
        options.size("Size of all pictures, instead of each scene's own."),
    ] = None,
    fps: Annotated[
        float | None,
        options.fps("Frames per second, instead of each scene's own."),
    ] = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Render a folder of scenes: a movie and a poster for each, and an index.html to open.

    A movie is a GIF or an MP4, whichever is smaller. With --pages a card opens a page that plays
    its scene, with --live one that runs it, where a page can. Scenes that have not changed are
    not rendered again.

    Exit code 1: an expectation did not hold; 2: a scene has errors; 3: one stopped.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UsageError(f"{folder}: no such folder")
    if Path(out).exists() and not Path(out).is_dir():
        raise UsageError(f"--out {out}: is a file, a folder is needed here")
    found = paths.select([folder]).scenes
    if found == [folder]:
        raise SceneError(paths.why_nothing(folder))
    from rigid2d.core.jobs.gallery import gallery as render_all
    from rigid2d.core.jobs.targets import Look

    from ..progress import progress

    files = [Path(file) for file in found]
    look = Look(
        size=picture_size(size) if size is not None else None,
        fps=frame_rate(fps) if fps is not None else None,
    )
    outcomes: list[SceneOutcome] = []
    with progress("rendering", quiet=quiet or json) as advance:
        for outcome in render_all(
            files,
            root,
            Path(out),
            title=title,
            look=look,
            jobs=jobs,
            force=force,
            pages=pages,
            live=live,
            on_wait=lambda: note(
                f"another gallery is at work in {shown(out)}; waiting for its end"
            ),
        ):
            outcomes.append(outcome)
            if advance is not None:
                advance(len(outcomes), len(files))
            if not json:
                _tell(outcome, quiet=quiet)
    if json:
        index = str(Path(out) / "index.html")
        print_json({"ok": _code(outcomes) == 0, "index": index, "scenes": _fields(outcomes)})
    elif not quiet:
        _summarize(outcomes, Path(out))
    return _code(outcomes)


def _tell(outcome: SceneOutcome, *, quiet: bool) -> None:
    from ..reporting.diagnostics import as_text

    if outcome.problems:
        note(as_text(outcome.problems, sys.stderr))
    if outcome.error:
        note(f"rigid: {shown(outcome.path)}: {shown(outcome.error)}")
    for failure in outcome.failed:
        note(shown(failure))
    for told in () if quiet else outcome.notes:
        note(f"rigid: {shown(told)}")
    if outcome.rendered is not None and not outcome.unchanged and not quiet:
        size = paint(f"({file_size(outcome.rendered.bytes)})", "dim", sys.stderr)
        note(f"{shown(outcome.path)}: {shown(outcome.rendered.movie)} {size}")


def _summarize(outcomes: Sequence[SceneOutcome], out: Path) -> None:
    done = [outcome for outcome in outcomes if outcome.rendered is not None]
    unchanged = sum(outcome.unchanged for outcome in done)
    total = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    text = f"{count(len(done), 'scene')}, {unchanged} unchanged, {file_size(total)}"
    if len(done) < len(outcomes):
        text += f"; {len(outcomes) - len(done)} could not be rendered"
    note(text)
    say(shown(out / "index.html"))


def _code(outcomes: Sequence[SceneOutcome]) -> int:
    return exit_codes.worst(map(_code_of, outcomes))


def _code_of(outcome: SceneOutcome) -> int:
    if outcome.problems:
        return exit_codes.BAD_INPUT
    if outcome.error:
        return exit_codes.STOPPED if outcome.stopped else exit_codes.BAD_INPUT
    checks = None if outcome.rendered is None else outcome.rendered.checks
    failed = checks is not None and checks[0] < checks[1]
    return exit_codes.CHECK_FAILED if failed else exit_codes.DONE


def _fields(outcomes: Sequence[SceneOutcome]) -> list[dict[str, Any]]:
    from ..failure import problem_fields

    return [
        {
            "scene": outcome.path,
            "movie": outcome.rendered.movie if outcome.rendered else None,
            "poster": outcome.rendered.poster if outcome.rendered else None,
            "page": (outcome.rendered.page or None) if outcome.rendered else None,
            "bytes": outcome.rendered.bytes if outcome.rendered else None,
            "unchanged": outcome.unchanged,
            "problems": [problem_fields(problem) for problem in outcome.problems],
            "error": outcome.error,
            "failed": list(outcome.failed),
            "notes": list(outcome.notes),
        }
        for outcome in outcomes
    ]
