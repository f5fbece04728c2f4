# SPDX-License-Identifier: MIT
"""``rigid explain``: one step of a solver, in tables."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from . import exit_codes, options, paths
from .console import print_json, say
from .table import table

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def explain(
    scene: options.OneScene,
    step: Annotated[
        int, typer.Option("--step", metavar="N", min=1, help="Number of the step, counted from 1.")
    ] = 1,
    body: Annotated[
        str | None,
        typer.Option(
            "--body",
            metavar="NAME",
            help="Show only contacts and constraints of this body.",
            show_default=False,
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a page of Markdown.")] = False,
    overrides: options.Overrides = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Show the inner numbers of one step: bodies, contacts, constraints, A, impulses.

    For the textbook solvers, and for sequential_impulse as the documents have it.
    """
    loaded = paths.load(paths.only_scene(scene), overrides or ())
    from rigid.core.batch.explain import as_json, as_markdown, cells, headline
    from rigid.core.batch.explain import explain as explained

    found = explained(loaded, step, body=body)
    if json:
        print_json({"ok": True, "hash": loaded.hash, **as_json(found)})
        return exit_codes.DONE
    if markdown:
        say(as_markdown(found).rstrip())
        return exit_codes.DONE
    parts = [f"{found.scene}: step {found.step} of {found.solver}\n{headline(found)}"]
    for each in found.tables:
        lines = table(each.columns, cells(each), (0,), sys.stdout)
        parts.append("\n".join(filter(None, [each.title, lines, each.note])))
    say("\n\n".join(parts))
    return exit_codes.DONE
