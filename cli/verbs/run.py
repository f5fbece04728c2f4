# SPDX-License-Identifier: MIT
"""``rigid run``: simulates scenes and writes all outputs in one pass."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer
from rigid2d.core.errors import UsageError
from rigid2d.core.scene.model import OVERLAYS

from .. import options, paths
from ..numbers import duration_steps, frame_rate, moment, picture_size

if TYPE_CHECKING:
    from rigid2d.core.jobs.targets import Look

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Assets(str, Enum):
    """Where live pages have the engine."""

    inline = "inline"
    link = "link"


class Layout(str, Enum):
    """Layouts of CSV files."""

    wide = "wide"
    long = "long"


@app.command(cls=options.Verb)
def run(
    scenes: options.Scenes,
    gif: Annotated[
        options.Paths, options.product("gif", "F|DIR/", "Write an animated GIF.")
    ] = None,
    mp4: Annotated[options.Paths, options.product("mp4", "F|DIR/", "Write an H.264 video.")] = None,
    webp: Annotated[
        options.Paths, options.product("webp", "F|DIR/", "Write an animated WebP.")
    ] = None,
    png: Annotated[
        options.Paths,
        options.product("png", "F|DIR/", "Write one picture, or every frame into a folder."),
    ] = None,
    html: Annotated[
        options.Paths,
        options.product("html", "F|DIR/", "Write a page that plays the run, for any browser."),
    ] = None,
    live: Annotated[
        bool,
        options.setting(
            "--live",
            help="Pages of --html run the scene themselves, to be played: they hold the engine.",
        ),
    ] = False,
    assets: Annotated[
        Assets,
        options.setting(
            "--assets",
            help="The engine in each live page, or in librigid.wasm beside them, which a web "
            "server has to send.",
        ),
    ] = Assets.inline,
    at: Annotated[
        str | None,
        options.at("Time of --png or --save-state: seconds, `500 ms`, or `end`."),
    ] = None,
    csv: Annotated[
        options.Paths, options.product("csv", "F|DIR/", "Write the recorded channels as a table.")
    ] = None,
    csv_layout: Annotated[
        Layout,
        options.setting("--csv-layout", help="One column per channel, or one row per value."),
    ] = Layout.wide,
    npz: Annotated[
        options.Paths,
        options.product("npz", "F|DIR/", "Write the recorded channels as NumPy arrays."),
    ] = None,
    snapshot: Annotated[
        options.Paths, options.product("snapshot", "F|DIR/", "Write exact states, to compare runs.")
    ] = None,
    save_state: Annotated[
        options.Paths,
        options.product(
            "save-state", "F|DIR/", "Write the whole state at --at, to continue from later."
        ),
    ] = None,
    from_state: Annotated[
        str | None,
        options.reads(
            "--from-state", metavar="F", help="Continue from a saved state instead of the start."
        ),
    ] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    seconds: Annotated[
        float | None,
        options.seconds(),
    ] = None,
    steps: Annotated[
        int | None,
        options.steps(),
    ] = None,
    size: Annotated[
        str | None,
        options.size("Size of the pictures in pixels, such as 1280x720."),
    ] = None,
    fps: Annotated[
        float | None,
        options.fps("Frames per second of scene time."),
    ] = None,
    overlay: Annotated[
        list[str] | None,
        options.overlay(
            f"Overlays to draw: {', '.join(OVERLAYS[:-1])} or {OVERLAYS[-1]}. Repeatable, or "
            "comma-separated."
        ),
    ] = None,
    theme: options.PictureTheme = None,
    mute: options.Mute = False,
    full_colors: options.FullColors = False,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Simulate scenes; write pictures, videos, pages, traces and snapshots.

    All outputs come from one pass over the simulation. A folder (a path that ends in / or exists
    as one) gets files named after the scenes; several scenes need folders. `-` writes to standard
    output. Each output option may be repeated. Without outputs, the scene runs and a summary is
    printed.

    A run that continues from a state writes only what follows it; expectations, which judge a
    whole run, are not checked then.

    Exit code 1: an expectation did not hold. 3: the simulation stopped on an error.
    """
    from .. import outputs, running, states

    if at is not None and png is None and save_state is None:
        raise UsageError(
            "--at: says when --png takes its picture and --save-state its state, and neither is "
            "there"
        )
    if live and html is None:
        raise UsageError("--live: says how the pages of --html are, and there is none")
    if assets is Assets.link and not live:
        raise UsageError("--assets link: is for pages that run themselves: add --live")
    if seconds is not None and steps is not None:
        raise UsageError("--seconds and --steps: give one of them, not both")
    wanted = {
        "gif": gif,
        "mp4": mp4,
        "webp": webp,
        "png": png,
        "html": html,
        "csv": csv,
        "npz": npz,
        "snapshot": snapshot,
        "save-state": save_state,
    }
    selection = paths.select(scenes)
    plan = outputs.plan(selection.scenes, wanted, single_picture=at is not None)
    outputs.refuse_terminal(plan)
    if json and plan.uses_standard_output:
        raise UsageError("--json: standard output is taken by an output that is `-`")
    look = look_of(size, fps, overlay or [], theme, mute, full_colors)
    if live:
        look = replace(look, live=assets.value)
    loaded = paths.load_all(selection.scenes, overrides or (), inputs)
    start = states.read_state(from_state, loaded)
    jobs = [
        running.Job(
            scene,
            tuple(plan.outputs[i]),
            duration_steps(scene, seconds, steps),
            moment(scene, at, duration_steps(scene, seconds, steps)),
        )
        for i, scene in enumerate(loaded)
    ]
    outputs.refuse_inputs_of(loaded, plan, from_state)
    outcome = running.run_all(
        jobs,
        plan.folders,
        running.RunSettings(
            look=look,
            csv_layout=csv_layout.value,
            threads=threads,
            lanes=lanes,
            quiet=quiet,
            check=seconds is None and steps is None and start is None,
            start=start,
        ),
    )
    return running.tell(outcome, plan, as_json=json, quiet=quiet)


def look_of(
    size: str | None,
    fps: float | None,
    overlays: list[str],
    theme: options.Theme | None,
    mute: bool,
    full_colors: bool,
) -> Look:
    from rigid2d.core.jobs.targets import Look

    names = [name.strip() for given in overlays for name in given.split(",")]
    if names:
        from rigid2d.core.errors import unknown_name

        for name in names:
            if name not in OVERLAYS:
                raise UsageError(f"--overlay {name}: {unknown_name('overlay', name, OVERLAYS)}")
    return Look(
        size=picture_size(size) if size is not None else None,
        fps=frame_rate(fps) if fps is not None else None,
        overlays=tuple(names),
        theme=theme.value if theme is not None else None,
        mute=mute,
        full_colors=full_colors,
    )
