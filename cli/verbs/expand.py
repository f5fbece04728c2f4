# SPDX-License-Identifier: MIT
"""``rigid expand``: a scene with generators, expressions and includes expanded."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import exit_codes, options, paths
from ..console import note, print_json
from ..files import check_writable, copy_beside, inputs_of, refuse_inputs, write_text
from ..numbers import step_of

if TYPE_CHECKING:
    from rigid2d.core.scene.model import Scene

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def expand(
    scene: options.OneScene,
    output: Annotated[str | None, options.output(".yaml")] = None,
    at: Annotated[
        str | None,
        options.at(
            "Run the scene up to this time, and write what is there then: seconds, `500 ms`, "
            "`120 steps`, or `end`."
        ),
    ] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Print a scene with includes merged, generators unrolled and expressions evaluated.

    The result is a scene file itself, and behaves the same. With --at it is the scene as it is
    then in its run, and goes on from there. Images, sounds, fonts and inner scenes are copied
    along into another folder.
    """
    loaded = paths.load(paths.only_scene(scene), overrides or (), inputs)
    if output is not None:
        refuse_inputs([output], inputs_of(loaded))
    from rigid2d.core.scene import expand as expanded

    text = expanded(loaded) if at is None else _present(loaded, at)
    if output not in (None, "-"):
        check_writable(str(output))
        copied = copy_beside(str(output), _files(loaded, text, str(output)))
        if copied and not quiet:
            note(f"copied: {', '.join(copied)}")
        write_text(text, output)
    if json:
        import yaml

        print_json(yaml.safe_load(text))
    elif output in (None, "-"):
        write_text(text, None)
    return exit_codes.DONE


def _files(scene: Scene, text: str, output: str) -> dict[str, str]:
    """The files that a text names, by their names there; none where it is in the same folder."""
    if not scene.files or not Path(scene.path).is_file():
        return {}
    folder = os.path.realpath(Path(scene.path).parent)
    if folder == os.path.realpath(Path(output).parent):
        return {}
    from rigid2d.core.scene import loads

    named = loads(text, path=scene.path, folder=folder).files
    return {Path(os.path.relpath(file, folder)).as_posix(): file for file in named}


def _present(scene: Scene, at: str) -> str:
    """The text of a scene as it is at a time of its run."""
    from rigid2d.core import build
    from rigid2d.core.world.presenting.present import present

    world = build(scene)
    world.step(step_of(scene, at))
    text, left_out = present(world)
    for each in left_out:
        note(f"left out: {each}")
    return text
