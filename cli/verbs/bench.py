# SPDX-License-Identifier: MIT
"""``rigid bench``: time of a step, and of its stages."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rigid2d.core.errors import Problem, SceneError, UsageError

from .. import exit_codes, options, paths
from ..console import note, print_json, say, shown

if TYPE_CHECKING:
    from rigid2d.core.scene.model import Scene
    from rigid2d.core.world import World

app = typer.Typer(add_completion=False, rich_markup_mode=None)

FOLDER = Path(__file__).parent / "bench_scenes"
BUILT_IN = ("pyramid", "towers", "grid", "rain", "tumbler")
STAGE = "_stage"  # ends the names of the stages that the solver goes through
WARM_UP = 5
"""Steps before the clock starts: the first ones find every contact, and fill the caches."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A scene's times, in milliseconds per step, and the engine's counts at the end."""

    name: str
    bodies: int
    joints: int
    steps: int
    mean: float
    median: float
    slowest: float
    counts: dict[str, float]
    stages: dict[str, float]


@app.command(cls=options.Verb)
def bench(
    scenes: Annotated[
        list[str] | None,
        options.argument(
            metavar="[NAME|SCENE]",
            help=f"Built-in scenes ({', '.join(BUILT_IN)}) or scene files; "
            "default: all built-in ones.",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        options.steps("Number of steps to time, instead of the scene's own.", min=1),
    ] = None,
    stages: Annotated[
        bool,
        options.setting("--stages", help="Time every stage of the solver too, in a table a scene."),
    ] = False,
    overrides: options.Overrides = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Time the engine: milliseconds a step, and the share of each stage.

    Only stepping is timed, after a few steps to warm up. Sizes are variables of the built-in
    scenes: `rigid bench pyramid --set vars.base=100`.
    """
    loaded = _load(scenes or list(BUILT_IN), overrides or [])
    timings = []
    for name, scene in loaded:
        if not (quiet or json):
            note(f"{shown(name)} …")
        timings.append(_time(name, scene, steps, threads, lanes, stages))
    if json:
        print_json({"ok": True, "threads": threads, "scenes": [_fields(t) for t in timings]})
    else:
        _show(timings)
        for timing in timings if stages else ():
            _show_stages(timing)
    return exit_codes.DONE


def _load(names: Sequence[str], overrides: Sequence[str]) -> list[tuple[str, Scene]]:
    built_in = {name: str(FOLDER / f"{name}.yaml") for name in BUILT_IN}
    if overrides and len(names) > 1:
        raise UsageError("--set: name one scene, whose values it replaces")
    chosen: list[tuple[str, str]] = []
    for name in names:
        if name in built_in and not Path(name).is_file():
            chosen.append((name, built_in[name]))
        else:
            chosen += [(file, file) for file in paths.select([name]).scenes]
    try:
        loaded = paths.load_all([file for _, file in chosen], overrides)
    except SceneError as error:
        raise SceneError([_with_built_in(problem) for problem in error.problems]) from None
    return [(name, scene) for (name, _), scene in zip(chosen, loaded, strict=True)]


def _with_built_in(problem: Problem) -> Problem:
    """Resolve names that are no files as built-in scenes."""
    if not paths.why_nothing(problem.file):
        return problem
    message = f"{problem.message} (built in are {', '.join(BUILT_IN)})"
    return replace(problem, message=message)


def _time(
    name: str, scene: Scene, steps: int | None, threads: int, lanes: int, in_stages: bool
) -> Timing:
    from rigid2d.core.world import build

    world = build(scene, threads=threads, lanes=lanes)
    world.measure_stages(in_stages)
    world.step(WARM_UP)
    total = steps or max(1, scene.world.steps)
    times: list[float] = []
    stages: dict[str, float] = {}
    for _ in range(total):
        begin = time.perf_counter()
        world.step()
        times.append((time.perf_counter() - begin) * 1000)
        for stage, milliseconds in _stages(world).items():
            stages[stage] = stages.get(stage, 0.0) + milliseconds
    return Timing(
        name=name,
        bodies=len(scene.bodies),
        joints=len(scene.joints),
        steps=total,
        mean=statistics.fmean(times),
        median=statistics.median(times),
        slowest=max(times),
        counts=_counts(world),
        stages={stage: milliseconds / total for stage, milliseconds in stages.items()},
    )


def _stages(world: World) -> dict[str, float]:
    """Milliseconds of the last step's stages, by name."""
    ending = "_ms"
    return {
        key.removesuffix(ending): value
        for key, value in world.statistics().items()
        if key.endswith(ending)
    }


def _counts(world: World) -> dict[str, float]:
    return {key: value for key, value in world.statistics().items() if not key.endswith("_ms")}


def _fields(timing: Timing) -> dict[str, Any]:
    return {
        "name": timing.name,
        "bodies": timing.bodies,
        "joints": timing.joints,
        "steps": timing.steps,
        "ms_per_step": {
            "mean": timing.mean,
            "median": timing.median,
            "slowest": timing.slowest,
        },
        "counts": timing.counts,
        "stages_ms": timing.stages,
    }


def _show(timings: Sequence[Timing]) -> None:
    from ..table import table

    rows = [
        [
            shown(timing.name),
            f"{timing.bodies:,}",
            f"{timing.joints:,}",
            f"{timing.counts.get('contacts', 0):,.0f}",
            f"{timing.steps:,}",
            f"{timing.mean:.3f}",
            f"{timing.median:.3f}",
            f"{timing.slowest:.3f}",
            _shares(timing),
        ]
        for timing in timings
    ]
    head = ["scene", "bodies", "joints", "contacts", "steps", "ms/step", "median", "slowest"]
    say(table([*head, "where the time goes"], rows, left=(0, 8), stream=sys.stdout))


def _show_stages(timing: Timing) -> None:
    """All stages of one scene, in their order; those of the solver are parts of `solve`."""
    from ..table import table

    inner = {key: value for key, value in timing.stages.items() if key.endswith(STAGE)}
    outer = {key: value for key, value in timing.stages.items() if key not in inner}
    rows = []
    for key, value in outer.items():
        rows.append([key.replace("_", " "), f"{1000 * value:.2f}", _share(value, timing.mean)])
        if key != "solve":
            continue
        rows += [
            [
                f"  {each.removesuffix(STAGE).replace('_', ' ')}",
                f"{1000 * part:.2f}",
                _share(part, timing.mean),
            ]
            for each, part in inner.items()
            if part > 0
        ]
    head = ["stage", "µs/step", "share"]
    say(f"\n{shown(timing.name)}\n{table(head, rows, left=(0,), stream=sys.stdout)}")


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole > 0 else ""


def _shares(timing: Timing) -> str:
    """The stages that take a twentieth or more of a step, largest first."""
    whole = max(timing.stages.get("step", 0.0), timing.mean)
    parts = sorted(timing.stages.items(), key=lambda stage: -stage[1])
    return ", ".join(
        f"{name.replace('_', ' ')} {100 * value / whole:.0f}%"
        for name, value in parts
        if name != "step" and not name.endswith(STAGE) and value >= 0.05 * whole
    )
