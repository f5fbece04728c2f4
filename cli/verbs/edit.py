# SPDX-License-Identifier: MIT
"""``rigid edit``: a scene in the browser, with tools that change its file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options
from ..console import note, shown
from ..files import check_writable, write_text
from ..playing import Serving, serve, session_of
from .templates import EMPTY, scene_templates

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def edit(
    scene: Annotated[
        str | None,
        options.argument(
            options.Files("written", ".yaml"),
            metavar="SCENE",
            help="Scene file to change; one that is not there begins as an empty scene. "
            "Without a name it is the one that was edited last.",
        ),
    ] = None,
    port: Annotated[
        int,
        options.setting(
            "--port",
            min=0,
            max=65535,
            metavar="N",
            help="Port to listen on; picks the next free one if taken, 0 for any.",
        ),
    ] = 8360,
    opened: Annotated[
        bool, options.setting("--open/--no-open", help="Open the page in the browser.")
    ] = True,
    mute: options.Mute = False,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Change a scene in the browser: draw, move, join, try it; the file follows each action.

    Each action is the smallest change of the file's text; a text editor may be used beside it. The
    page is served to this machine only, at an address with a secret. Ctrl-C quits.
    """
    if scene is None:
        scene = _edited_last()
        if not quiet:
            note(f"rigid: {shown(scene)}: it was edited last")
    path = Path(scene)
    if scene == "-":
        raise UsageError("-: what is edited is a file, which each action changes")
    if path.is_dir():
        raise UsageError(f"{scene}: is a folder; name a file in it")
    if not path.exists():
        if path.suffix not in (".yaml", ".yml"):
            raise UsageError(f"{scene}: there is no such file; a new scene ends in .yaml")
        check_writable(scene)
        write_text(EMPTY, scene)
        if not quiet:
            note(f"rigid: {shown(scene)}: a new scene")
    serving = Serving(port, opened, mute=mute, opens_tools=True, quiet=quiet, json=json)
    session = session_of(scene, serving, overrides=None, inputs=None, threads=threads, lanes=lanes)
    serve(scene, session, serving, scene_templates())
    return exit_codes.DONE


def _edited_last() -> str:
    """The file that was edited last. Raises UsageError where there is none."""
    from rigid2d.core.editing.recent import RecentFiles, state_folder

    paths = RecentFiles(state_folder()).paths()
    if not paths:
        raise UsageError("name a scene file: `rigid edit scene.yaml`; none was edited here yet")
    return str(paths[0])
