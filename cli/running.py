# SPDX-License-Identifier: MIT
"""Jobs of `rigid run`: running each scene, and reporting on it."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rigid2d.core.errors import SimulationError
from rigid2d.core.jobs.produce import RunReport, produce
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.jobs.variant_runs import VariantReport
from rigid2d.core.record.atomic import temporary_folder
from rigid2d.core.scene.model import Scene

from . import exit_codes
from .console import note, paint, print_json, say, shown
from .files import print_bytes
from .outputs import STANDARD_OUTPUT, Output, OutputPlan
from .progress import progress
from .reporting.results import expectation_fields, expectation_lines, variant_fields
from .words import count, file_size


@dataclass(frozen=True, slots=True)
class Job:
    """One scene's run. ``at`` is the scene time of its single picture, if it has one."""

    scene: Scene
    outputs: tuple[Output, ...]
    steps: int
    at: float


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings for every scene of a command."""

    look: Look
    csv_layout: str
    threads: int
    lanes: int
    quiet: bool
    check: bool
    start: bytes | None = None


@dataclass
class RunOutcome:
    """The result of a job: a report, or the error that stopped it."""

    job: Job
    report: RunReport | None = None
    error: SimulationError | None = None
    written: list[tuple[Output, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def run_all(jobs: Sequence[Job], folders: Sequence[str], settings: RunSettings) -> list[RunOutcome]:
    """Run every job. One that stops on an error does not keep the next from running."""
    for folder in folders:
        Path(folder).mkdir(parents=True, exist_ok=True)
    return [_run_one(job, settings) for job in jobs]


def _run_one(job: Job, settings: RunSettings) -> RunOutcome:
    outcome = RunOutcome(job)
    with temporary_folder(Path(tempfile.gettempdir())) as passing:
        targets = [_target(output, passing) for output in job.outputs]
        try:
            with progress(job.scene.name or job.scene.path, quiet=settings.quiet) as advance:
                outcome.report = produce(
                    job.scene,
                    targets,
                    steps=job.steps,
                    at=job.at,
                    look=settings.look,
                    csv_layout=settings.csv_layout,
                    threads=settings.threads,
                    lanes=settings.lanes,
                    check=settings.check,
                    start=settings.start,
                    on_progress=advance,
                )
        except SimulationError as error:
            outcome.error = error
            return outcome
        outcome.notes = _notes(job, settings)
        for output, target in zip(job.outputs, targets, strict=True):
            outcome.written.append((output, _bytes(target.path)))
            if output.path == STANDARD_OUTPUT:
                print_bytes(target.path.read_bytes())
    return outcome


def _target(output: Output, passing: Path) -> Target:
    """The path at which an output is made: its own, or a temporary file for a pipe."""
    kind: Any = output.kind
    if output.path == STANDARD_OUTPUT:
        return Target(kind, passing / f"output.{output.kind}")
    return Target(kind, Path(output.path))


def _notes(job: Job, settings: RunSettings) -> list[str]:
    """Notes on outputs that differ from the request."""
    videos = [output.path for output in job.outputs if output.kind == "mp4"]
    if not videos:
        return []
    from rigid2d.core.render.encoders.video import size_note

    size = settings.look.size or job.scene.render.size
    return [told for video in videos if (told := size_note(video, size))]


def _bytes(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.glob("*.png"))
    return path.stat().st_size  # of a device or a pipe, which keeps nothing, 0


# ---------------------------------------------------------------- reporting


def tell(outcomes: Sequence[RunOutcome], plan: OutputPlan, *, as_json: bool, quiet: bool) -> int:
    """Report the outcome and return its exit code."""
    if as_json:
        print_json({"ok": _code(outcomes) == exit_codes.DONE, "scenes": _as_json(outcomes)})
        return _code(outcomes)
    stream = sys.stderr if plan.uses_standard_output else sys.stdout
    for outcome in outcomes:
        if outcome.error is not None:
            note(f"rigid: {shown(outcome.job.scene.path)}: {shown(outcome.error)}")
        elif outcome.report is not None:
            for warning in _warnings(outcome.report):
                note(f"rigid: {shown(_with_place(outcome.job.scene.path, warning))}")
            for told in () if quiet else outcome.notes:
                note(f"rigid: {shown(told)}")
            if not quiet:
                say("\n".join(_summary(outcome, outcome.report, stream)), stream)
            elif not outcome.report.passed:
                note("\n".join(_failed_lines(outcome.report, sys.stderr)))
    if not quiet and not any(outcome.job.outputs for outcome in outcomes):
        note(shown(_hint(outcomes)))
    return _code(outcomes)


def _with_place(path: str, warning: str) -> str:
    """A warning, with the position in the file of the object that it begins with, if any."""
    place = re.match(r"(\S.*?:\d+:\d+): ", warning)
    if place is None:
        return f"{path}: warning: {warning}"
    return f"{place[1]}: warning: {warning[place.end() :]}"


def _warnings(report: RunReport) -> list[str]:
    of_variants = [
        f"{warning} (in the variant `{variant.name}`)"
        for variant in report.variants
        for warning in variant.warnings
    ]
    return [*report.warnings, *of_variants]


def _code(outcomes: Sequence[RunOutcome]) -> int:
    return exit_codes.worst(map(_code_of, outcomes))


def _code_of(outcome: RunOutcome) -> int:
    if outcome.error is not None:
        return exit_codes.STOPPED
    passed = outcome.report is None or outcome.report.passed
    return exit_codes.DONE if passed else exit_codes.CHECK_FAILED


def _summary(outcome: RunOutcome, report: RunReport, stream: Any) -> list[str]:
    scene = outcome.job.scene
    lines = [
        f"{paint(shown(scene.name or scene.path), 'bold', stream)}  "
        f"{paint(shown(scene.path), 'dim', stream)}"
    ]
    seconds = report.time / scene.units.time_per_second
    speed = f", {seconds / report.wall:,.3g} times real time" if report.wall > 0 else ""
    frames = f" and {count(report.frames, 'frame')}" if report.frames else ""
    rows = [
        (
            "run",
            f"{count(report.steps, 'step')}{frames}, {seconds:g} s in {report.wall:.2f} s{speed}",
        ),
        ("bodies", _bodies(report)),
        ("contacts", f"{count(report.contacts, 'touching point')} at the end"),
        ("energy", f"{_energies(outcome, report)} at the end"),
        ("state", f"{report.state_hash} at the end"),
    ]
    if report.outcome:
        style = {"fail": "red", "pass": "green"}.get(report.outcome, "bold")
        rows.append(("outcome", paint(report.outcome, style, stream)))
    if report.results:
        held = sum(result.passed for result in report.results)
        style = "green" if report.passed else "red"
        text = f"{held} of {len(report.results)} hold"
        rows.append(("expect", paint(text, style, stream)))
    rows += [("variant", _variant(variant, stream)) for variant in report.variants]
    lines += [f"  {paint(f'{label:<9}', 'dim', stream)}{text}" for label, text in rows]
    lines += [f"    {line}" for line in _failed_lines(report, stream)]
    for output, size in outcome.written:
        if output.path != STANDARD_OUTPUT:
            label = paint(f"{'wrote':<9}", "dim", stream)
            lines.append(f"  {label}{shown(output.path)} ({file_size(size)})")
    return lines


def _energies(outcome: RunOutcome, report: RunReport) -> str:
    """The energies at the end with their unit."""
    unit = _energy_unit(outcome)
    kinetic, potential = report.energy
    return f"{kinetic:.6g} {unit} kinetic, {potential:.6g} {unit} potential"


def _energy_unit(outcome: RunOutcome) -> str:
    from rigid2d.core.record.channel_units import shown_unit

    return shown_unit("energy", outcome.job.scene.units)


def _variant(variant: VariantReport, stream: Any) -> str:
    """The result of one variant that the scene compares."""
    parts = [count(variant.steps, "step")]
    if variant.outcome:
        parts.append(f"outcome: {variant.outcome}")
    if variant.results:
        held = sum(result.passed for result in variant.results)
        style = "green" if variant.passed else "red"
        parts.append(paint(f"{held} of {len(variant.results)} hold", style, stream))
    return f"{shown(variant.name)}: {', '.join(parts)}"


def _failed_lines(report: RunReport, stream: Any) -> list[str]:
    """The expectations that did not hold, of the scene and of its variants."""
    lines = expectation_lines(report.results, stream)
    for variant in report.variants:
        failed = expectation_lines(variant.results, stream)
        lines += [f"variant {shown(variant.name)}:", *failed] if failed else []
    return lines


def _bodies(report: RunReport) -> str:
    from rigid2d.core.scene.values.kinds import listed

    text = count(report.bodies, "body", "bodies")
    gone = report.bodies - report.alive
    notes = []
    if report.joints:
        broken = f" ({report.broken} broken)" if report.broken else ""
        text += f", {count(report.joints, 'joint')}{broken}"
    if report.asleep:
        notes.append(f"{report.asleep} asleep")
    if gone:
        notes.append(f"{gone} gone")
    if report.added:
        notes.append(f"{report.added} new")
    return text + (f"; {listed(notes)} at the end" if notes else "")


def _hint(outcomes: Sequence[RunOutcome]) -> str:
    path = outcomes[0].job.scene.path
    stem = Path(path).stem if Path(path).suffix else "scene"
    if len(outcomes) > 1:
        return "nothing was written; --gif DIR/ makes pictures, --csv DIR/ tables"
    return f"nothing was written; --gif {stem}.gif makes a picture, --csv {stem}.csv a table"


def _as_json(outcomes: Sequence[RunOutcome]) -> list[dict[str, Any]]:
    return [_one_as_json(outcome) for outcome in outcomes]


def _one_as_json(outcome: RunOutcome) -> dict[str, Any]:
    scene, report, error = outcome.job.scene, outcome.report, outcome.error
    fields: dict[str, Any] = {"scene": scene.path, "name": scene.name, "hash": scene.hash}
    if error is not None:
        fields["error"] = {
            "kind": "simulation",
            "message": str(error),
            "step": error.step,
            "body": error.body,
        }
    if report is not None:
        fields |= {
            "steps": report.steps,
            "time": report.time,
            "wall_seconds": report.wall,
            "frames": report.frames,
            "bodies": {"all": report.bodies, "alive": report.alive, "asleep": report.asleep}
            | {"added": report.added},
            "joints": {"all": report.joints, "broken": report.broken},
            "contacts": report.contacts,
            "energy": {
                "kinetic": report.energy[0],
                "potential": report.energy[1],
                "unit": _energy_unit(outcome),
            },
            "state_hash": report.state_hash,
            "expect": [expectation_fields(result) for result in report.results],
            "outcome": report.outcome,
            "warnings": list(report.warnings),
            "notes": outcome.notes,
        }
        if report.variants:
            fields["variants"] = variant_fields(report.variants)
    fields["outputs"] = [
        {"kind": output.kind, "path": output.path, "bytes": size}
        for output, size in outcome.written
    ]
    return fields
