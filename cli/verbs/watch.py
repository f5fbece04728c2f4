# SPDX-License-Identifier: MIT
"""``rigid watch``: rewrites pictures of a scene whenever one of its files changes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer
from rigid2d.core.errors import SceneError, SimulationError, UsageError

from .. import options, paths
from ..console import note, print_json, say, shown
from ..numbers import duration_steps, moment
from .run import look_of

if TYPE_CHECKING:
    from rigid2d.core.play.source import SceneSource
    from rigid2d.core.scene.model import Scene

app = typer.Typer(add_completion=False, rich_markup_mode=None)
LOOK_EVERY = 0.1
"""Seconds between two looks at the files."""


@app.command(cls=options.Verb)
def watch(
    scene: options.OneScene,
    gif: Annotated[options.Paths, options.product("gif", "F", "Write an animated GIF.")] = None,
    mp4: Annotated[options.Paths, options.product("mp4", "F", "Write an H.264 video.")] = None,
    webp: Annotated[options.Paths, options.product("webp", "F", "Write an animated WebP.")] = None,
    png: Annotated[
        options.Paths, options.product("png", "F", "Write one picture, at --at.")
    ] = None,
    html: Annotated[
        options.Paths, options.product("html", "F", "Write a page that plays the run.")
    ] = None,
    at: Annotated[
        str, options.at("When --png is taken: seconds, `500 ms`, or `end`.", show_default=False)
    ] = "end",
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    seconds: options.Seconds = None,
    size: Annotated[str | None, options.size("Size of the pictures.")] = None,
    fps: Annotated[
        float | None,
        options.fps("Frames per second."),
    ] = None,
    overlay: Annotated[
        list[str] | None,
        options.overlay("Overlays to draw, as in run."),
    ] = None,
    theme: options.PictureTheme = None,
    mute: options.Mute = False,
    full_colors: options.FullColors = False,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    """Write pictures of a scene, and rewrite them whenever one of its files changes.

    Problems of the files are reported, and the last pictures stay. Ctrl-C quits.
    """
    from rigid2d.core.play.source import SceneSource

    from .. import outputs, running

    if scene == "-":
        raise UsageError("-: what is watched is a file")
    wanted = {"gif": gif, "mp4": mp4, "webp": webp, "png": png, "html": html}
    if not any(wanted.values()):
        raise UsageError("what is to be written? Name a file, such as --gif out.gif")
    path = paths.only_scene(scene)
    plan = outputs.plan([path], wanted, single_picture=True)
    if plan.uses_standard_output:
        raise UsageError("-: what is written again and again is a file")
    look = look_of(size, fps, overlay or [], theme, mute, full_colors)

    def make(loaded: Scene) -> None:
        """Write all pictures of a scene."""
        outputs.refuse_inputs_of([loaded], plan, None)
        steps = duration_steps(loaded, seconds, None)
        job = running.Job(loaded, tuple(plan.outputs[0]), steps, moment(loaded, at, steps))
        settings = running.RunSettings(look, "wide", threads, lanes, quiet, seconds is None)
        (outcome,) = running.run_all([job], plan.folders, settings)
        if outcome.error is not None:
            raise outcome.error
        failed = outcome.report is not None and not outcome.report.passed
        written = [output.path for output, _ in outcome.written]
        if json:
            print_json({"ok": not failed, "written": written})
        elif not quiet:
            say(f"{time.strftime('%H:%M:%S')} wrote {', '.join(map(shown, written))}")
        if failed and not json:
            note("rigid: an expectation does not hold; `rigid test` tells which")

    keep_making(SceneSource(path, overrides or (), inputs), make, time.sleep)


def keep_making(
    source: SceneSource, make: Callable[[Scene], None], wait: Callable[[float], None]
) -> None:
    """Make something of a scene, and again at each change, until an exception ends it."""
    source.load()  # what is wrong from the beginning is an error as anywhere
    while True:
        source.look_again()
        try:
            make(source.load())
        except SceneError as error:
            from ..reporting.diagnostics import as_text

            note(as_text(error.problems, sys.stderr))
        except SimulationError as error:
            note(f"rigid: {shown(source.path)}: {shown(error)}")
        while not source.has_changed:
            wait(LOOK_EVERY)
