# SPDX-License-Identifier: MIT
"""``rigid explain``: one step of a solver, in tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options, paths
from ..console import print_json, say
from ..files import check_figures, inputs_of, refuse_inputs
from ..numbers import check_step
from ..table import table

if TYPE_CHECKING:
    from rigid2d.core.jobs.explain.sweeps import AnyStep
    from rigid2d.core.scene.model import Scene

UNSHOWN = ("record=null", "expect=null", "study=null")
"""Settings that leave out what a step does not need, and another solver may not have."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def explain(
    scene: options.OneScene,
    step: Annotated[
        int,
        options.setting("--step", metavar="N", min=1, help="Number of the step, counted from 1."),
    ] = 1,
    body: Annotated[
        str | None,
        options.setting(
            "--body", metavar="NAME", help="Show only contacts and constraints of this body."
        ),
    ] = None,
    engine: Annotated[
        bool,
        options.setting(
            "--engine",
            help="Show how the engine solved the step: lanes, islands, groups of joints and why.",
        ),
    ] = False,
    plot: Annotated[
        str | None,
        options.writes(
            "--plot",
            metavar="F",
            ending=".svg",
            help="Write charts of the iterations, as .svg or .png.",
        ),
    ] = None,
    chart: Annotated[
        list[str] | None,
        options.setting(
            "--chart",
            metavar="NAME",
            help="Chart to plot: rows, speeds or errors (default: all). Repeatable.",
            show_default=False,
        ),
    ] = None,
    row: Annotated[
        list[str] | None,
        options.setting(
            "--row", metavar="NAME", help="Row to plot, such as FrictionA. Repeatable."
        ),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        options.setting(
            "--sweep",
            metavar="OPTION=X,Y,...",
            help="Values of a solver option to plot side by side. Repeatable.",
        ),
    ] = None,
    markdown: Annotated[
        bool, options.setting("--markdown", help="Print a page of Markdown.")
    ] = False,
    overrides: options.Overrides = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Show the inner numbers of one step: bodies, contacts, constraints, A and impulses.

    Of the textbook solvers, of soft_step as the engine solved it, and of sequential_impulse as the
    documents have it. With --engine: which way the engine took.
    """
    loaded = paths.load(paths.only_scene(scene), [*(overrides or ()), *UNSHOWN])
    check_step(loaded, step)
    if engine:
        for name, given in (("--body", body), ("--plot", plot)):
            if given is not None:
                raise UsageError(f"--engine: it shows the whole world in a table; leave out {name}")
        return _explain_engine(loaded, step, markdown, json)
    for name, several in (("--chart", chart), ("--row", row), ("--sweep", sweep)):
        if several and plot is None:
            raise UsageError(f"{name}: it is of charts; say where to by --plot")
    from rigid2d.core.jobs.explain import (
        as_json,
        as_markdown,
        cells,
        explained,
        headline,
        look_at,
        shown_units,
    )

    if plot is not None:
        from rigid2d.core.jobs.explain.plots import MISSING

        check_figures({"--plot": plot}, MISSING)
        refuse_inputs([plot], inputs_of(loaded))
    tried = look_at(loaded, step, body)
    found = explained(tried, body)
    if plot is not None:
        _write_charts(tried, plot, chart or (), row or (), sweep or (), body)
    if json:
        print_json({"ok": True, "hash": loaded.hash, **as_json(found)})
        return exit_codes.DONE
    if markdown:
        say(as_markdown(found).rstrip())
        return exit_codes.DONE
    head = f"{found.scene}: step {found.step} of {found.solver}"
    parts = ["\n".join([head, headline(found), shown_units(found)])]
    for each in found.tables:
        lines = table(each.columns, cells(each), (0,), sys.stdout)
        parts.append("\n".join(filter(None, [each.title, lines, each.note])))
    say("\n\n".join(parts))
    return exit_codes.DONE


def _write_charts(
    tried: AnyStep,
    path: str,
    charts: Sequence[str],
    rows: Sequence[str],
    sweep: Sequence[str],
    body: str | None,
) -> None:
    """The charts of a step, or of the same step with each value of what is swept."""
    from rigid2d.core.jobs.explain.plots import CHARTS, plots
    from rigid2d.core.jobs.explain.sweeps import swept
    from rigid2d.core.jobs.plotting import save

    steps = swept(tried, sweep) if sweep else [("", tried)]
    save(plots(steps, charts=charts or CHARTS, rows=rows, body=body), path)


def _explain_engine(scene: Scene, step: int, markdown: bool, json: bool) -> int:
    """How the engine solved a step, in one table."""
    from rigid2d.core.jobs.explain import cells, markdown_table
    from rigid2d.core.jobs.explain.engine_path import as_json, engine_path

    path = engine_path(scene, step)
    title = f"{path.scene}: step {path.step} of {path.solver}, t = {path.time:g}"
    if json:
        print_json({"ok": True, "hash": scene.hash, **as_json(path)})
    elif markdown:
        lines = markdown_table(path.table.columns, cells(path.table))
        say("\n".join([f"# {title}", "", *lines]))
    else:
        say(f"{title}\n\n{table(path.table.columns, cells(path.table), (0, 2), sys.stdout)}")
    return exit_codes.DONE
