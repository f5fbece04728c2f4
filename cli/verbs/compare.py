# SPDX-License-Identifier: MIT
"""``rigid compare``: one scene with several solvers."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options, paths
from ..console import note, print_json, say, shown
from ..files import check_figures, inputs_of, refuse_inputs, refuse_repeats
from ..numbers import duration_steps
from ..table import table

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def compare(
    scene: options.OneScene,
    solvers: Annotated[
        str,
        options.setting(
            "--solvers",
            metavar="A,B,...",
            help="Solvers to compare (default: the scene's own).",
            show_default=False,
        ),
    ] = "",
    sweep: Annotated[
        list[str] | None,
        options.setting(
            "--sweep",
            metavar="OPTION=X,Y,...",
            help="Values of a solver option to compare, such as iterations=5,10,20. Repeatable.",
        ),
    ] = None,
    report: Annotated[
        str | None,
        options.writes(
            "--report",
            metavar="F",
            ending=".html",
            help="Write an HTML report with table, plots and pictures.",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        options.writes(
            "--plot", metavar="F", ending=".svg", help="Write the plots, as .svg or .png."
        ),
    ] = None,
    picture: Annotated[
        str | None,
        options.picture("Write the final states side by side, as .png."),
    ] = None,
    channel: Annotated[
        list[str] | None,
        options.setting(
            "--channel",
            metavar="NAME",
            help="Channel to plot, such as ball.x. Repeatable.",
        ),
    ] = None,
    curve: Annotated[
        list[str] | None,
        options.setting(
            "--curve",
            metavar="CHANNEL=FORMULA",
            help="Formula of the time t to draw with a channel, such as ball.x=3*cos(2*t). "
            "Repeatable.",
        ),
    ] = None,
    seconds: options.Seconds = None,
    steps: options.Steps = None,
    overrides: options.Overrides = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run a scene with each solver and show the results side by side."""
    loaded = paths.load(paths.only_scene(scene), overrides or ())
    total = duration_steps(loaded, seconds, steps)
    wanted = {"--report": report, "--plot": plot, "--picture": picture}
    if any(wanted.values()):
        from rigid2d.core.jobs.compare_plots import MISSING

        check_figures(wanted, MISSING)
    refuse_repeats(wanted)
    refuse_inputs(filter(None, wanted.values()), inputs_of(loaded))
    for name, given in (("--channel", channel), ("--curve", curve)):
        if given and not (plot or report):
            raise UsageError(f"{name}: channels are plotted; say where to by --plot or --report")
    from rigid2d.core.jobs.compare import (
        COLUMNS,
        as_json,
        read_formula,
        run_variant,
        table_rows,
        variants,
    )

    from ..progress import progress

    names = [name.strip() for name in solvers.split(",") if name.strip()]
    formulas = dict(read_formula(loaded, each) for each in curve or ())
    channels = [*dict.fromkeys([*(channel or ()), *formulas])]
    found = []
    for variant in variants(loaded, names, sweep):
        with progress(variant.label, quiet=quiet or json) as advance:
            outcome = run_variant(
                loaded, variant, steps=total, channels=channels, on_progress=advance
            )
            found.append(outcome)
    if report or plot or picture:
        from rigid2d.core.jobs import compare_plots
        from rigid2d.core.jobs.plotting import save

        if plot:
            save(compare_plots.plots(found, formulas), plot)
        if picture:
            save(compare_plots.side_by_side(loaded, found), picture)
        if report:
            compare_plots.write_report(loaded, found, report, formulas)
    if json:
        print_json({"ok": True, "scene": loaded.path, "variants": as_json(found)})
    else:
        say(table(COLUMNS, table_rows(found), (0,), sys.stdout))
        for outcome in found:
            if outcome.stopped:
                note(f"rigid: {outcome.variant.label}: stopped: {shown(outcome.stopped)}")
    return exit_codes.DONE
