# SPDX-License-Identifier: MIT
"""``rigid compile``: a scene as a file that runs without Python."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import exit_codes, options, paths
from ..console import print_json, say
from ..files import check_writable, inputs_of, print_bytes, refuse_inputs

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("compile", cls=options.Verb)
def compile_(
    scene: options.OneScene,
    output: Annotated[str, options.output(".rigid")],
    overrides: options.Overrides = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Compile a scene: rows for the engine, which pages and JavaScript run.

    What runs it needs no Python; docs/anywhere.md says what does. `rigid run` and all verbs that
    take a scene take the file too, by the expanded scene in it. A scene with a part that only
    Python can run is refused, and the part is named.
    """
    loaded = paths.load(paths.only_scene(scene), overrides or ())
    if output != "-":
        check_writable(output)
        refuse_inputs([output], inputs_of(loaded))
    from rigid2d.core.compiled import compile_scene, unpack
    from rigid2d.core.record.atomic import atomic_file

    content = compile_scene(loaded, with_text=True)
    if output == "-":
        print_bytes(content)
        return exit_codes.DONE
    with atomic_file(output) as file:
        file.write(content)
    if json:
        sizes = {name: len(each) for name, each in unpack(content).items()}
        print_json({"ok": True, "path": output, "bytes": len(content), "sections": sizes})
    elif not quiet:
        say(f"{output}: {len(content):,} bytes")
    return exit_codes.DONE
