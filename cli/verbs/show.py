# SPDX-License-Identifier: MIT
"""``rigid show``: a scene in the terminal."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rigid2d.core.errors import SceneError, UsageError

from .. import exit_codes, options
from ..console import print_json

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Way(str, Enum):
    """Ways of a terminal to show pictures."""

    auto = "auto"
    cells = "cells"
    kitty = "kitty"
    sixel = "sixel"


@app.command(cls=options.Verb)
def show(
    scene: options.OneScene,
    speed: options.Speed = 1.0,
    loop: Annotated[bool, options.setting("--loop", help="Restart at the end.")] = False,
    paused: options.Paused = False,
    way: Annotated[
        Way,
        options.setting(
            "--as", help="Half blocks, kitty graphics or sixels; auto asks the terminal."
        ),
    ] = Way.auto,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Play a scene in the terminal.

    Space pauses, left and right arrows seek, up and down change the speed, `.` does one step, `r`
    restarts, `q` quits. The scene is reloaded when one of its files changes.
    """
    from rigid2d.core.play.session import Session
    from rigid2d.core.play.show import Show
    from rigid2d.core.play.terminal import drawn_on

    if scene == "-":
        raise UsageError("-: the terminal is what keys come from; name a file")
    if not Path(scene).is_file():
        raise UsageError(f"{scene}: there is no such file")
    session = Session(scene, overrides=overrides or (), inputs=inputs, threads=threads, lanes=lanes)
    if session.trouble is not None:
        if session.trouble.problems:
            raise SceneError(list(session.trouble.problems))
        raise UsageError(session.trouble.message)
    session.set_speed(speed)
    if not paused:
        session.play()
    with drawn_on() as terminal:
        if way is not Way.auto:
            terminal.way = way.value
        Show(session, terminal, loop=loop).run()
    if json:
        fields = {"time": session.time, "step": session.step, "outcome": session.outcome or None}
        print_json({"ok": True, "scene": scene, **fields})
    return exit_codes.DONE
