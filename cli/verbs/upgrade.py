# SPDX-License-Identifier: MIT
"""``rigid upgrade``: scene files of older versions of the format, rewritten for the newest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid2d.core.errors import Problem, SceneError

from .. import exit_codes, options, paths
from ..console import note, print_json, shown
from ..files import check_writable, write_text

if TYPE_CHECKING:
    from rigid2d.core.scene.text.upgrading import Upgrade

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def upgrade(
    scenes: options.Scenes,
    check: Annotated[
        bool,
        options.setting("--check", help="Write nothing; exit code 1 if files are of older ones."),
    ] = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Rewrite scene files of older versions of the format for the newest version, in place.

    Comments and layout are kept. A file of the newest version is not touched, one of a newer
    version is an error. Nothing is written if any file has an error. A scene from standard input
    is written to standard output.
    """
    from rigid2d.core.scene.text.sources import FORMAT_VERSION

    selection = paths.select(scenes)
    found = _upgraded(selection.scenes)
    older = {file: each for file, each in found.items() if each.version < FORMAT_VERSION}
    if not check:
        _write(older, found.get(paths.STANDARD_INPUT), as_json=json)
    if json:
        print_json(_as_json(found, older, selection.skipped, check))
    elif not quiet:
        _report(found, older, check)
    return exit_codes.CHECK_FAILED if check and older else exit_codes.DONE


def _upgraded(files: list[str]) -> dict[str, Upgrade]:
    """Each file at the newest version. Raises SceneError with the problems of all files."""
    from rigid2d.core.scene.text.upgrading import upgraded

    problems: list[Problem] = []
    found: dict[str, Upgrade] = {}
    for file in files:
        try:
            found[file] = upgraded(_text(file), paths.display_name(file))
        except SceneError as error:
            problems += error.problems
    if problems:
        raise SceneError(problems)
    return found


def _text(file: str) -> str:
    from rigid2d.core.scene.given import read_text

    nothing = paths.why_nothing(file)
    if nothing:
        raise SceneError(nothing)
    if file == paths.STANDARD_INPUT:
        return paths.read_standard_input()
    if file.endswith(paths.COMPILED):
        said = "a compiled scene is not upgraded; upgrade its scene file, and compile that again"
        raise SceneError([Problem(paths.display_name(file), 0, 0, "", said)])
    return read_text(Path(file), file, "name a scene file in it")


def _write(older: dict[str, Upgrade], from_input: Upgrade | None, as_json: bool) -> None:
    files = [file for file in older if file != paths.STANDARD_INPUT]
    for file in files:
        check_writable(file)
    for file in files:
        write_text(older[file].text, file)
    if from_input is not None and not as_json:
        write_text(from_input.text, None)


def _as_json(
    found: dict[str, Upgrade], older: dict[str, Upgrade], skipped: list[str], check: bool
) -> dict[str, Any]:
    from rigid2d.core.scene.text.sources import FORMAT_VERSION

    document: dict[str, Any] = {
        "ok": not (check and older),
        "version": FORMAT_VERSION,
        "files": len(found),
        "older": [
            {"file": paths.display_name(file), "version": each.version}
            for file, each in older.items()
        ],
        "skipped": skipped,
    }
    if paths.STANDARD_INPUT in found:
        document["text"] = found[paths.STANDARD_INPUT].text
    return document


def _report(found: dict[str, Upgrade], older: dict[str, Upgrade], check: bool) -> None:
    from rigid2d.core.scene.text.sources import FORMAT_VERSION

    for file, each in older.items():
        done = "is of" if check else "rewritten from"
        note(shown(f"{paths.display_name(file)}: {done} version {each.version} of the format"))
    current = len(found) - len(older)
    if current:
        files = "1 file is" if current == 1 else f"{current} files are"
        note(f"{files} of version {FORMAT_VERSION} of the format, the newest")
