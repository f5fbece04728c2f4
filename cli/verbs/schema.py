# SPDX-License-Identifier: MIT
"""``rigid schema``: the JSON Schema of scene files."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import exit_codes, options
from ..files import refuse_inputs, write_text

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def schema(
    output: Annotated[str | None, options.output(".json")] = None,
    quiet: options.Quiet = False,
    json: Annotated[
        bool, options.setting("--json", help="Accepted for symmetry: the schema is JSON anyway.")
    ] = False,
    debug: options.Debug = False,
) -> int:
    """Print the JSON Schema of scene files.

    It is made from the models that load scenes. An editor with yaml-language-server completes and
    checks a scene whose first line is

        # yaml-language-server: $schema=rigid.schema.json
    """
    if output is not None:
        refuse_inputs([output], [])
    write_text(schema_text(), output)
    return exit_codes.DONE


def schema_text() -> str:
    """The schema as the text of a file."""
    import json

    from rigid2d.core import scene

    return json.dumps(scene.json_schema(), indent=2, ensure_ascii=False) + "\n"
