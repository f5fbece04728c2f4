# SPDX-License-Identifier: MIT
"""``rigid sprites``: the poses of animations as a sheet of sprites."""

from __future__ import annotations

from math import radians
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options, paths
from ..console import note, print_json, say, shown
from ..numbers import picture_size
from ..words import count as counted

if TYPE_CHECKING:
    from rigid2d.core.jobs.sprites import SpriteSheet

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def sprites(
    scene: options.OneScene,
    animation: Annotated[
        list[str] | None,
        options.setting(
            "--animation",
            metavar="NAME",
            help="Animation to draw, a row of the sheet. Repeatable; default: all.",
        ),
    ] = None,
    count: Annotated[
        int, options.setting("--count", min=1, metavar="N", help="Pictures per animation.")
    ] = 8,
    pivot: Annotated[
        str | None,
        options.setting(
            "--pivot",
            metavar="X,Y",
            help="Point where a body is held; the same pixel in every picture.",
        ),
    ] = None,
    body: Annotated[
        str | None,
        options.setting(
            "--body",
            metavar="NAME",
            help="Body to hold, whose figure alone is drawn; default: all moving bodies, and that "
            "at the pivot, or the first that is animated, is held.",
        ),
    ] = None,
    ground: Annotated[
        bool,
        options.setting("--ground", help="Let the figure sink onto a flat floor at the pivot."),
    ] = False,
    size: Annotated[str | None, options.size("Size of a sprite in pixels, such as 64x96.")] = None,
    scale: Annotated[
        float | None,
        options.setting("--scale", metavar="S", help="Pixels per length unit, instead of a size."),
    ] = None,
    fps: Annotated[
        float | None, options.fps("Pictures per second; default: the animation's own rate.")
    ] = None,
    angle: Annotated[
        float,
        options.setting(
            "--angle", metavar="DEG", help="Turn the pictures round the pivot, from +x towards +y."
        ),
    ] = 0.0,
    steps: Annotated[
        int | None,
        options.setting(
            "--steps",
            min=1,
            metavar="N",
            help="Take each pose N time steps after the one before; default: when all is at rest.",
        ),
    ] = None,
    joints: Annotated[bool, options.setting("--joints", help="Draw joints too.")] = False,
    whole_scene: Annotated[
        bool, options.setting("--all", help="With --body: draw all moving bodies.")
    ] = False,
    output: Annotated[
        str | None, options.output(".png", "The sheet, a PNG; the JSON goes beside it.")
    ] = None,
    overrides: options.Overrides = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Make a sprite sheet of a scene's animations, with a JSON index for game engines.

    Each picture is the pose that is reached when the set-points of an animation are held at a phase
    until all is at rest: a body is held at the pivot, without gravity, or, with --ground, kept
    upright above a floor. There is nothing in it but bodies that move; with --body only that one
    and what joints hold to it.
    """
    from rigid2d.core.jobs.sprites import sprite_sheet

    from ..files import check_writable, inputs_of, refuse_inputs

    loaded = paths.load(paths.only_scene(scene), overrides or ())
    target = f"{Path(loaded.path).stem}_sprites.png" if output is None else output
    if Path(target).suffix.lower() != ".png":
        raise UsageError(f"-o {target}: should end in .png")
    for path in (target, str(Path(target).with_suffix(".json"))):
        check_writable(path)
        refuse_inputs([path], inputs_of(loaded))
    sheet = sprite_sheet(
        loaded,
        animation or (),
        count=count,
        pivot=None if pivot is None else _point(pivot),
        body=body,
        ground=ground,
        size=None if size is None else picture_size(size),
        scale=scale,
        fps=fps,
        angle=radians(angle),
        steps=steps,
        joints=joints,
        whole_scene=whole_scene or None,
    )
    picture, beside = sheet.write(target)
    for pose in sheet.unsettled:
        note(f"rigid: {shown(loaded.path)}: warning: {shown(pose)} did not come to rest in 10 s")
    if json:
        print_json({"ok": True, **_fields(sheet, picture, beside)})
    elif not quiet:
        say("\n".join(_lines(sheet, picture, beside)))
    return exit_codes.DONE


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--pivot {text}: should be X,Y, such as 0,1.5") from None
    return x, y


def _fields(sheet: SpriteSheet, picture: Path, beside: Path) -> dict[str, Any]:
    return {
        "sheet": str(picture),
        "description": str(beside),
        "size": list(sheet.cell),
        "pivot": list(sheet.pivot),
        "scale": sheet.scale,
        "grid": [sheet.count, len(sheet.rows)],
        "texture": sheet.texture(picture.name),
        "animations": [
            {"name": name, "fps": rate} for name, rate in zip(sheet.rows, sheet.rates, strict=True)
        ],
        "unsettled": list(sheet.unsettled),
    }


def _lines(sheet: SpriteSheet, picture: Path, beside: Path) -> list[str]:
    """A summary, and the texture with which a body of another scene shows the sheet."""
    (width, height), (x, y) = sheet.cell, sheet.pivot
    return [
        f"{counted(sheet.count * len(sheet.rows), 'sprite')} of {width}x{height} pixels, "
        f"{sheet.scale:.6g} pixels a unit, pivot at {x},{y}: {', '.join(map(shown, sheet.rows))}",
        f"wrote {shown(str(picture))} and {shown(str(beside))}",
        f"in a scene: {shown(sheet.texture(picture.name))}",
    ]
