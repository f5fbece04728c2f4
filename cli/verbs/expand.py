# SPDX-License-Identifier: MIT
"""``rigid expand``: a scene with generators, expressions and includes expanded."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import exit_codes, options, paths
from ..console import print_json
from ..files import inputs_of, refuse_inputs, write_text

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def expand(
    scene: options.OneScene,
    output: Annotated[str | None, options.output(".yaml")] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Print a scene with includes merged, generators unrolled and expressions evaluated.

    The result is a scene file itself, and behaves the same.
    """
    loaded = paths.load(paths.only_scene(scene), overrides or (), inputs)
    if output is not None:
        refuse_inputs([output], inputs_of(loaded))
    from rigid.core.scene import expand as expanded

    text = expanded(loaded)
    if json:
        import yaml

        print_json(yaml.safe_load(text))
    else:
        write_text(text, output)
    return exit_codes.DONE
