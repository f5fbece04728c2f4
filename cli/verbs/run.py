# SPDX-License-Identifier: MIT
"""``rigid run``: simulates scenes and writes all outputs in one pass."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer
from rigid.core.errors import UsageError

from .. import options, paths
from ..numbers import duration_steps, frame_rate, moment, picture_size

if TYPE_CHECKING:
    from rigid.core.batch.targets import Look

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Layout(str, Enum):
    """How a CSV file is laid out."""

    wide = "wide"
    long = "long"


class Theme(str, Enum):
    """The looks there are."""

    light = "light"
    dark = "dark"
    blueprint = "blueprint"


Paths = list[str] | None
"""Values of an output option, given once or several times."""


def output_option(flag: str, metavar: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        flag, metavar=metavar, help=help, show_default=False
    )
    return option


@app.command(cls=options.Verb)
def run(
    scenes: options.Scenes,
    gif: Annotated[Paths, output_option("--gif", "F|DIR/", "Write an animated GIF.")] = None,
    mp4: Annotated[Paths, output_option("--mp4", "F|DIR/", "Write an H.264 video.")] = None,
    webp: Annotated[Paths, output_option("--webp", "F|DIR/", "Write an animated WebP.")] = None,
    png: Annotated[
        Paths,
        output_option("--png", "F|DIR/", "Write one picture, or every frame into a folder."),
    ] = None,
    html: Annotated[
        Paths,
        output_option("--html", "F|DIR/", "Write a page that plays the run, for any browser."),
    ] = None,
    at: Annotated[
        str | None,
        output_option("--at", "T", "Time of --png or --save-state: seconds, `500 ms`, or `end`."),
    ] = None,
    csv: Annotated[
        Paths, output_option("--csv", "F|DIR/", "Write the recorded channels as a table.")
    ] = None,
    csv_layout: Annotated[
        Layout, typer.Option("--csv-layout", help="One column per channel, or one row per value.")
    ] = Layout.wide,
    npz: Annotated[
        Paths, output_option("--npz", "F|DIR/", "Write the recorded channels as NumPy arrays.")
    ] = None,
    snapshot: Annotated[
        Paths, output_option("--snapshot", "F|DIR/", "Write exact states, to compare runs.")
    ] = None,
    save_state: Annotated[
        Paths,
        output_option(
            "--save-state", "F|DIR/", "Write the whole state at --at, to continue from later."
        ),
    ] = None,
    from_state: Annotated[
        str | None,
        output_option("--from-state", "F", "Continue from a saved state instead of the start."),
    ] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", metavar="S", help="Seconds of scene time to run.", show_default=False
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option("--steps", metavar="N", help="Number of steps to run.", show_default=False),
    ] = None,
    size: Annotated[
        str | None,
        output_option("--size", "WxH", "Size of the pictures in pixels, such as 1280x720."),
    ] = None,
    fps: Annotated[
        float | None,
        typer.Option(
            "--fps", metavar="N", help="Frames per second of scene time.", show_default=False
        ),
    ] = None,
    overlay: Annotated[
        list[str] | None,
        typer.Option(
            "--overlay",
            metavar="NAME",
            help="Overlays to draw: contacts, normals, joints, velocities, forces, aabbs, trails, "
            "names, grid, time or energy. Repeatable, or comma-separated.",
            show_default=False,
        ),
    ] = None,
    theme: Annotated[
        Theme | None, typer.Option("--theme", help="Theme of the pictures.", show_default=False)
    ] = None,
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
    look = look_of(size, fps, overlay or [], theme)
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
        running.Settings(
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


def look_of(size: str | None, fps: float | None, overlays: list[str], theme: Theme | None) -> Look:
    from rigid.core.batch.targets import Look

    names = [name.strip() for given in overlays for name in given.split(",")]
    if names:
        from rigid.core.errors import unknown_name
        from rigid.core.render import OVERLAYS

        for name in names:
            if name not in OVERLAYS:
                raise UsageError(f"--overlay {name}: {unknown_name('overlay', name, OVERLAYS)}")
    return Look(
        size=picture_size(size) if size is not None else None,
        fps=frame_rate(fps) if fps is not None else None,
        overlays=tuple(names),
        theme=theme.value if theme is not None else None,
    )
