# SPDX-License-Identifier: MIT
"""``rigid play``: a scene in the browser, with keys, dragging, sliders and rewinding."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import exit_codes, options
from ..playing import Serving, serve, session_of
from .templates import scene_templates

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def play(
    scene: options.OneScene,
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
    host: Annotated[
        str | None,
        options.setting(
            "--host",
            metavar="ADDRESS",
            help="Address of this machine to listen on, so that others in its network may play; "
            "0.0.0.0 for all. Only this machine by default.",
        ),
    ] = None,
    watch_only: Annotated[
        bool,
        options.setting("--watch-only", help="Give others an address whose pages only watch."),
    ] = False,
    paused: options.Paused = False,
    speed: options.Speed = 1.0,
    mute: options.Mute = False,
    save_inputs: Annotated[
        str | None,
        options.writes(
            "--save-inputs",
            metavar="F",
            ending=".yaml",
            help="File to record the played inputs to, at the end and on request from the page.",
        ),
    ] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Play a scene in the browser: keys, dragging, pause, rewinding, sliders.

    The page is served to this machine only, at an address with a secret, unless --host says where
    else. Time runs from the first page on. The scene is reloaded when one of its files changes.
    Ctrl-C quits.
    """
    record = None if save_inputs is None else Path(save_inputs)
    serving = Serving(port, opened, host, watch_only, mute, record, quiet=quiet, json=json)
    session = session_of(
        scene, serving, overrides=overrides, inputs=inputs, threads=threads, lanes=lanes
    )
    session.set_speed(speed)
    if not paused:
        session.play()
    serve(scene, session, serving, scene_templates())
    return exit_codes.DONE
