# SPDX-License-Identifier: MIT
"""``rigid dataset``: many runs of a scene as pictures, masks and numbers."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import exit_codes, options, paths
from ..console import note, paint, print_json, say, shown
from ..files import local_places, refuse_inputs
from ..numbers import picture_size
from ..words import count
from .study import FAILURES_IN_JSON, FAILURES_TOLD, follow, varied_values

if TYPE_CHECKING:
    from rigid2d.core.dataset import Dataset

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def dataset(
    scene: options.SceneOrStudy,
    out: Annotated[
        str,
        options.folder("DIR/", "README.md", "Folder of the data set."),
    ],
    runs: Annotated[
        int | None,
        options.setting(
            "--runs",
            "-n",
            metavar="N",
            min=1,
            help="Number of runs, each with its own seed; default: that of the study.",
        ),
    ] = None,
    what: Annotated[
        str,
        options.setting(
            "--what", metavar="WORDS", help="Contents of a run; also amodal, velocities, flow."
        ),
    ] = "frames,masks,state,contacts,events",
    size: Annotated[
        str | None,
        options.size("Size of the pictures in pixels, such as 128x128."),
    ] = None,
    fps: Annotated[
        float | None,
        options.fps("Frames per second of scene time."),
    ] = None,
    format: Annotated[
        str,
        options.format("Format of the data set: folder, webdataset or parquet.", metavar="NAME"),
    ] = "folder",
    video: Annotated[
        bool, options.setting("--video", help="Store the frames of a run as one MP4.")
    ] = False,
    coco: Annotated[
        bool, options.setting("--coco", help="Also write annotations in COCO's format.")
    ] = False,
    splits: Annotated[
        str,
        options.setting(
            "--splits", metavar="SHARES", help="Shares of train, val and test, such as 0.8,0.1,0.1."
        ),
    ] = "1",
    shard_size: Annotated[
        int, options.setting("--shard-size", metavar="N", min=1, help="Runs per shard.")
    ] = 100,
    license: Annotated[
        str,
        options.setting(
            "--license", metavar="NAME", help="Licence that the card names, such as cc-by-4.0."
        ),
    ] = "",
    vary: Annotated[
        list[str] | None,
        options.vary(
            "PATH=VALUES",
            "Vary another value besides those of the scene's `study`, as in `rigid study`. "
            "Repeatable.",
        ),
    ] = None,
    overrides: options.Overrides = None,
    jobs: options.RunJobs = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run a scene many times and store pictures, masks and numbers for learning.

    The folder gets shards of runs, dataset.json, which describes them, and a README.md. An
    interrupted data set continues with the same command.

    Exit code 1: a run failed; runs.jsonl says why.
    """
    text = None
    if scene == paths.STANDARD_INPUT:
        text = paths.read_standard_input()
    else:
        refuse_inputs(local_places(out), [scene])
    from rigid2d.core.dataset import make

    begin = time.monotonic()
    with follow(Path(scene).stem, quiet or json) as (tell, first):
        made = make(
            paths.display_name(scene),
            out,
            runs=runs,
            what=[word.strip() for word in what.split(",") if word.strip()],
            size=None if size is None else picture_size(size),
            fps=fps,
            format=format,
            video=video,
            coco=coco,
            splits=_shares(splits),
            shard_size=shard_size,
            license=license,
            vary=varied_values(vary or ()),
            overrides=overrides or (),
            jobs=jobs,
            source=text,
            on_progress=tell,
        )
    done = len(made.runs) - (first[0].before if first else len(made.runs))
    failed = [each for each in made.runs if each["status"] != "ok"]
    if json:
        print_json(
            {
                "ok": not failed,
                "out": made.address,
                "runs": len(made.runs),
                "done": done,
                "failures": len(failed),
                "splits": made.description["splits"],
                "failed": failed[:FAILURES_IN_JSON],
            }
        )
    elif not quiet:
        say("\n".join(_summary(made, scene, done, time.monotonic() - begin)))
    if failed:
        note(paint(f"{count(len(failed), 'run')} failed", "red", sys.stderr))
        for each in [] if quiet or json else failed[:FAILURES_TOLD]:
            first_line = str(each["message"]).partition("\n")[0]
            note(f"  run {each['run']}: {each['status']}: {shown(first_line)}")
    return exit_codes.CHECK_FAILED if failed else exit_codes.DONE


def _shares(text: str) -> list[float]:
    from rigid2d.core.errors import UsageError

    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"--splits {text}: are shares such as 0.8,0.1,0.1") from None


def _summary(made: Dataset, scene: str, done: int, wall: float) -> list[str]:
    before = len(made.runs) - done
    speed = f", {done / wall:,.3g} a second" if done and wall > 0 else ""
    told = f"{count(done, 'run')} in {wall:.2f} s{speed}"
    if before:
        there = f"{count(before, 'run')}, all there already"
        told = f"{told}; {before:,} were there" if done else there
    frames = sum(each["frames"] for each in made.runs)
    rows = [("dataset", told), ("frames", f"{frames:,}")]
    for name, split in made.description["splits"].items():
        shards = count(len(split["shards"]), "shard")
        rows.append((name, f"{count(split['runs'], 'run')} in {shards}"))
    rows.append(("wrote", made.address))
    lines = [paint(shown(scene), "bold", sys.stdout)]
    lines += [f"  {paint(f'{label:<10}', 'dim', sys.stdout)}{shown(text)}" for label, text in rows]
    return lines
