# SPDX-License-Identifier: MIT
"""``rigid import``: a scene of another program as a scene file."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options, paths
from ..console import note, print_json, shown
from ..files import check_writable, refuse_inputs, write_text
from ..words import count

if TYPE_CHECKING:
    from rigid2d.core.importers import Import

app = typer.Typer(add_completion=False, rich_markup_mode=None)

LOSSES_TOLD = 100
"""Losses that are listed one by one; `--json` has them all."""


class ImportFormat(str, Enum):
    """The format that a file is read as."""

    auto = "auto"
    xmanphysics = "xmanphysics"
    box2d_json = "box2d-json"
    rube = "rube"
    tiled = "tiled"
    kinetix = "kinetix"
    pymunk = "pymunk"
    svg = "svg"


@app.command(name="import", cls=options.Verb)
def import_(
    file: Annotated[
        str,
        options.argument(
            metavar="FILE", help="File of the other program; `-` reads standard input."
        ),
    ],
    output: Annotated[str | None, options.output(".yaml")] = None,
    format: Annotated[
        ImportFormat,
        options.setting("--from", help="Format of the file; `auto` detects it from the content."),
    ] = ImportFormat.auto,
    assets: Annotated[
        str | None,
        options.reads(
            "--assets",
            metavar="DIR",
            help="Folder in which the tilesets, templates and pictures of a map of Tiled are read, "
            "instead of the map's own.",
        ),
    ] = None,
    strict: Annotated[
        bool, options.setting("--strict", help="Exit with code 1 if something is lost.")
    ] = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Convert a scene of another program into a scene file, and report what is lost."""
    if output not in (None, "-"):
        refuse_inputs([str(output)], [file])
        check_writable(str(output))
    from rigid2d.core.importers import import_data, import_file

    folder = None if output in (None, "-") else Path(str(output)).parent
    if file == paths.STANDARD_INPUT:
        text = paths.read_standard_input()
        name = paths.STANDARD_INPUT_NAME
        made = import_data(text, format.value, file=name, folder=folder)
    else:
        made = import_file(file, format.value, folder=folder, assets=assets)
    if folder is not None:
        _write_pictures(made, folder)
    if not json or output is not None:
        write_text(made.text, output)
    if json:
        _print_json(made, output)
    elif not quiet:
        _tell(made, output)
    return exit_codes.CHECK_FAILED if strict and made.losses else exit_codes.DONE


def _write_pictures(made: Import, folder: Path) -> None:
    """Write pictures beside the scene.

    Raises:
        UsageError: when one would replace a file that no import has made.
    """
    from rigid2d.core.importers.tiled.pictures import is_own
    from rigid2d.core.record import atomic_file

    for name in made.pictures:
        path = folder / name
        if (path.exists() or path.is_symlink()) and not is_own(path):
            raise UsageError(
                f"{path}: is not a picture that `rigid import` made, and would be lost; take it "
                "away or write the scene into another folder"
            )
    for name, content in made.pictures.items():
        with atomic_file(folder / name) as file:
            file.write(content)


def _print_json(made: Import, output: str | None) -> None:
    result = {
        "ok": True,
        "file": made.file,
        "format": made.format,
        "bodies": made.bodies,
        "joints": made.joints,
        "actuators": made.actuators,
        "pictures": list(made.pictures),
        "losses": [
            {
                "path": loss.path,
                "line": loss.line,
                "column": loss.column,
                "message": loss.message,
            }
            for loss in made.losses
        ],
    }
    print_json({**result, "text": made.text} if output is None else {**result, "output": output})


def _tell(made: Import, output: str | None) -> None:
    for loss in made.losses[:LOSSES_TOLD]:
        between = ":" if loss.line else ": "
        note(f"{shown(made.file)}{between}{shown(loss)}")
    if len(made.losses) > LOSSES_TOLD:
        note(f"and {len(made.losses) - LOSSES_TOLD:,} more; --json tells all")
    bodies = count(made.bodies, "body", "bodies")
    counts = f"{bodies}, {count(made.joints, 'joint')}, {count(made.actuators, 'actuator')}"
    where = "" if output in (None, "-") else f" -> {shown(output)}"
    if made.pictures:
        counts += f", {count(len(made.pictures), 'picture')} beside it"
    lost = f"; {len(made.losses)} not as there" if made.losses else ""
    note(f"{shown(made.file)}: {made.format}{where}: {counts}{lost}")
