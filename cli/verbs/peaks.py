# SPDX-License-Identifier: MIT
"""``rigid peaks``: the highest loads of each joint."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import exit_codes, options, paths
from ..console import note, print_json, say, shown
from ..numbers import duration_steps
from ..table import table

if TYPE_CHECKING:
    from rigid2d.core.record.peaks import JointPeaks, Peak
    from rigid2d.core.scene.model import Scene

app = typer.Typer(add_completion=False, rich_markup_mode=None)

TEXT_COLUMNS = (0, 1)


@app.command(cls=options.Verb)
def peaks(
    scene: options.OneScene,
    joints: Annotated[
        list[str] | None,
        options.argument(
            options.Files(),
            metavar="[JOINT]...",
            help="Joints or generators of joints to report (default: all).",
        ),
    ] = None,
    hold: Annotated[bool, options.setting("--hold", help="Keep all joints from breaking.")] = False,
    seconds: options.Seconds = None,
    steps: Annotated[
        int | None,
        options.steps(min=0),
    ] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Run a scene and report each joint's highest force and torque, and when.

    Helps to choose the `break` values of joints. The highest force comes first.
    """
    loaded = paths.load(paths.only_scene(scene), overrides or (), inputs)
    total = duration_steps(loaded, seconds, steps)
    from rigid2d.core.record.peaks import PeakRecorder, unbreakable
    from rigid2d.core.world import simulate

    from ..progress import progress

    if hold:
        loaded = unbreakable(loaded)
    recorder = PeakRecorder(loaded, joints or (), steps=total)
    with progress(loaded.name or loaded.path, quiet=quiet or json) as advance:
        simulate(
            loaded,
            steps=total,
            threads=threads,
            lanes=lanes,
            recorder=recorder,
            on_progress=advance,
        )
    found = recorder.peaks
    if json:
        rows = [_fields(each, loaded) for each in found]
        print_json({"ok": True, "scene": loaded.path, "hash": loaded.hash, "joints": rows})
        return exit_codes.DONE
    for warning in recorder.warnings:
        note(f"rigid: {shown(loaded.path)}: warning: {shown(warning)}")
    say(_table(found, loaded))
    return exit_codes.DONE


def _table(found: list[JointPeaks], scene: Scene) -> str:
    """A row for each joint; torque and push and pull have columns where a joint has them."""
    bars = any(each.push_pull is not None for each in found)
    turning = any(each.torque.value for each in found)
    metric = scene.units.length == "m" and scene.units.time == "s"
    force, torque = ("force N", "torque Nm") if metric else ("force", "torque")
    at = f"at {scene.units.time}"
    head = ["joint", "type", force, at]
    head += [torque, at] if turning else []
    head += ["push/pull", at] if bars else []
    broken = any(each.broke is not None for each in found)
    rows = []
    for each in sorted(found, key=lambda row: -row.force.value):
        row = [shown(each.joint), scene.joints[each.joint].kind, *_cells(each.force, scene)]
        row += _cells(each.torque, scene) if turning else []
        row += _cells(each.push_pull, scene) if bars else []
        if broken:
            row.append("" if each.broke is None else f"broke at {_time(each.broke, scene):.3g}")
        rows.append(row)
    return table([*head, ""] if broken else head, rows, TEXT_COLUMNS, sys.stdout)


def _cells(peak: Peak | None, scene: Scene) -> list[str]:
    if peak is None:
        return ["", ""]
    if not peak.value:
        return ["0", ""]
    return [f"{peak.value:.5g}", f"{_time(peak.step, scene):.3g}"]


def _fields(each: JointPeaks, scene: Scene) -> dict[str, Any]:
    def fields(peak: Peak | None) -> dict[str, float] | None:
        if peak is None:
            return None
        return {"value": peak.value, "time": _time(peak.step, scene), "step": peak.step}

    return {
        "joint": each.joint,
        "type": scene.joints[each.joint].kind,
        "force": fields(each.force),
        "torque": fields(each.torque),
        "push_pull": fields(each.push_pull),
        "broke": None if each.broke is None else _time(each.broke, scene),
    }


def _time(step: int, scene: Scene) -> float:
    """A step's scene time, without the noise of a product of rounded numbers."""
    return float(f"{step * scene.world.dt:.6g}")
