# SPDX-License-Identifier: MIT
"""``rigid plot``: recorded quantities of scenes as plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rigid2d.core.errors import UsageError, VariedValue

from .. import exit_codes, options, paths
from ..console import print_json, say, shown
from ..files import inputs_of, refuse_inputs
from ..numbers import duration_steps, picture_size
from ..words import either

if TYPE_CHECKING:
    from rigid2d.core.jobs.curves import CurveRun, Curves
    from rigid2d.core.scene.model import Scene

app = typer.Typer(add_completion=False, rich_markup_mode=None)
SUFFIXES = (".yaml", ".yml")


@app.command(cls=options.Verb)
def plot(
    what: Annotated[
        list[str],
        options.argument(
            metavar="SCENE... CHANNEL...",
            help="Scene files, then channels to plot, such as ball.y or pin.force, or expressions, "
            'such as "=a.x + b.x".',
        ),
    ],
    output: Annotated[
        str | None,
        options.output(".svg", "File to write: .svg, .png or .pdf."),
    ] = None,
    x: Annotated[
        str, options.setting("--x", metavar="CHANNEL", help="Channel of the horizontal axis.")
    ] = "time",
    phase: Annotated[
        bool,
        options.setting(
            "--phase", help="Plot the second channel over the first, and mark the starts."
        ),
    ] = False,
    hist: Annotated[
        bool, options.setting("--hist", help="Plot histograms of the values over all steps.")
    ] = False,
    vary: Annotated[
        list[str] | None,
        options.vary(
            "PATH=A,B,...",
            "Run once for each value and overlay the plots. Repeatable: all combinations.",
        ),
    ] = None,
    title: Annotated[
        str | None,
        options.title("Title of the plot."),
    ] = None,
    size: Annotated[str, options.size("Size in pixels, 100 to an inch.")] = "800x500",
    seconds: options.Seconds = None,
    steps: options.Steps = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Plot recorded quantities of scenes over time, over each other, or as histograms.

    Quantities of different units get separate panels.
    """
    from rigid2d.core.jobs import curve_plots, plotting
    from rigid2d.core.jobs.curves import TIME, check_names, curves_of
    from rigid2d.core.record.atomic import check_place

    from ..progress import progress

    scenes, names = _sorted_out(what)
    if phase:
        if len(names) != 2 or hist or x != TIME:
            raise UsageError("--phase: two channels are plotted, one over the other, and no more")
        x, names = names[0], names[1:]
    if hist and x != TIME:
        raise UsageError("--hist: is over all steps; leave out --x")
    if not names:
        raise UsageError("what is to be plotted? Name channels, such as ball.y or pin.force")
    if output is None:
        raise UsageError("--output: where to? Name a file, such as -o plot.svg")
    if Path(output).suffix.lower() not in curve_plots.ENDINGS:
        endings = either(curve_plots.ENDINGS)
        raise UsageError(f"--output: {output}: the name should end in {endings}")
    check_place(output)
    plotting.need_matplotlib(curve_plots.MISSING)
    shape = picture_size(size)
    runs = _runs(scenes, overrides or (), vary or (), inputs)
    wanted = [*names] if hist else [x, *names]
    across = x
    for run in runs:
        refuse_inputs([output], inputs_of(run.scene))
        given = [each.name for each in check_names(run.scene, [across])]
        if len(given) != 1:
            raise UsageError(
                f"--x {across}: is {len(given)} channels; name one, such as {given[0]}"
            )
        x = given[0]
    found: list[Curves] = []
    for run in runs:
        with progress(run.label, quiet=quiet or json) as advance:
            total = duration_steps(run.scene, seconds, steps)
            found.append(
                curves_of(
                    run, wanted, steps=total, threads=threads, lanes=lanes, on_progress=advance
                )
            )
    head = title if title is not None else (runs[0].scene.name if len(scenes) == 1 else "")
    if hist:
        figure = curve_plots.histogram(found, shape, head)
    elif phase:
        figure = curve_plots.phase(found, x, found[0].quantities[1].name, shape, head)
    else:
        figure = curve_plots.over(found, x, shape, head)
    curve_plots.save(figure, output)
    _tell(found, output, json, quiet)
    return exit_codes.DONE


def _sorted_out(what: Sequence[str]) -> tuple[list[str], list[str]]:
    """The scenes, which come first, and the channels."""
    count = next((i for i, each in enumerate(what) if not _is_scene(each)), len(what))
    late = [each for each in what[count:] if _is_scene(each)]
    if not count or late:
        raise UsageError(f"{(late or what)[0]}: scene files come first, then channels")
    return paths.select(what[:count]).scenes, list(what[count:])


def _is_scene(argument: str) -> bool:
    if argument.startswith("="):
        return False
    return argument == "-" or argument.endswith(SUFFIXES) or Path(argument).exists()


def _runs(
    scenes: Sequence[str], overrides: Sequence[str], vary: Sequence[str], inputs: str | None
) -> list[CurveRun]:
    """Every scene with every variation, and labels that distinguish them."""
    from rigid2d.core.jobs.curves import CurveRun, read_variations

    runs = []
    for changes in read_variations(vary):
        for scene in _loaded(scenes, overrides, changes, inputs):
            several = [Path(scene.path).stem] if len(scenes) > 1 else []
            label = " ".join([*several, *(each.removeprefix("vars.") for each in changes)])
            runs.append(CurveRun(scene, label or scene.name or scene.path))
    return runs


def _loaded(
    scenes: Sequence[str], overrides: Sequence[str], changes: Sequence[str], inputs: str | None
) -> list[Scene]:
    """The scenes with one variation."""
    return paths.load_all(scenes, [*overrides, *map(VariedValue, changes)], inputs)


def _tell(found: Sequence[Curves], output: str, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"ok": True, "file": output, "runs": [_fields(curves) for curves in found]})
    elif not quiet:
        say(f"wrote {shown(output)}")


def _fields(curves: Curves) -> dict[str, object]:
    """A run in JSON: of each quantity its unit, and between which values it was."""
    import numpy as np

    quantities = {}
    for each in curves.quantities:
        values = curves.columns[each.name]
        values = values[np.isfinite(values)]
        low, high = (values.min(), values.max()) if len(values) else (None, None)
        quantities[each.name] = {
            "unit": each.unit,
            "least": None if low is None else float(low),
            "most": None if high is None else float(high),
        }
    return {"run": curves.label, "quantities": quantities}
