# SPDX-License-Identifier: MIT
"""``rigid validate``: every error of every file, with line and column."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Annotated, Any

import rigid2d.core
import typer
from rigid2d.core.errors import Problem, SceneError, UsageError
from rigid2d.core.scene.model import Scene

from .. import exit_codes, options, paths
from ..console import note, paint, print_json, say, shown

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class ProblemFormat(str, Enum):
    """Formats of problems."""

    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"


@app.command(cls=options.Verb)
def validate(
    scenes: options.Scenes,
    format: Annotated[
        ProblemFormat, options.format("Format of the problems on standard output.")
    ] = ProblemFormat.text,
    only_scenes: options.OnlyScenes = False,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Check scene files and report every error of every file, with line and column.

    In a folder, YAML files without a top-level `rigid:` key are skipped: they are parts that
    scenes include, and are checked with those scenes. Exit code 0: all are valid; 2: some
    are not.
    """
    selection = paths.select(scenes, only_scenes=only_scenes)
    problems: list[Problem] = []
    warnings: list[Problem] = []
    invalid = 0
    for file in selection.scenes:
        try:
            warnings += _warnings(paths.load(file, overrides or (), inputs))
        except SceneError as error:
            problems += error.problems
            invalid += 1
    _write(ProblemFormat.json if json else format, selection, problems, warnings, invalid)
    if not quiet and not json:
        _summarize(selection, problems, invalid)
    return exit_codes.BAD_INPUT if problems else exit_codes.DONE


def _warnings(scene: Scene) -> list[Problem]:
    """Warnings of a scene that has no errors."""
    return [*scene.warnings, *_tags(scene), *_overlaps(scene)]


def _tags(scene: Scene) -> list[Problem]:
    if not scene.tags:
        return []
    from rigid2d.core.scene.text.vocabulary import tag_warnings

    return tag_warnings(scene.tags, scene.text, scene.path)


def _overlaps(scene: Scene) -> list[Problem]:
    if not any(body.kind == "dynamic" for body in scene.bodies.values()):
        return []
    from rigid2d.core.scene.boxes import may_overlap

    if not may_overlap(scene):
        return []
    from rigid2d.core.world.overlaps import overlap_problems

    try:
        return overlap_problems(rigid2d.core.build(scene))
    except UsageError:
        return []  # of a world that cannot begin, which a run tells


def _write(
    format: ProblemFormat,
    selection: paths.Selection,
    problems: list[Problem],
    warnings: list[Problem],
    invalid: int,
) -> None:
    if format is ProblemFormat.json:
        print_json(_as_json(selection, problems, warnings, invalid))
        return
    if not problems and not warnings and format is not ProblemFormat.sarif:
        return
    from ..reporting import diagnostics

    if format is ProblemFormat.sarif:
        from importlib.metadata import version

        print_json(diagnostics.as_sarif(problems, version("rigid2d")))
    elif format is ProblemFormat.github:
        say(diagnostics.as_github(problems, warnings))
    else:
        texts = [diagnostics.as_text(problems, sys.stdout)] if problems else []
        texts += [diagnostics.as_text(warnings, sys.stdout, severity="warning")] if warnings else []
        say("\n".join(texts))


def _as_json(
    selection: paths.Selection, problems: list[Problem], warnings: list[Problem], invalid: int
) -> dict[str, Any]:
    from ..failure import problem_fields

    return {
        "ok": not problems,
        "files": len(selection.scenes),
        "invalid": invalid,
        "skipped": selection.skipped,
        "problems": [problem_fields(problem) for problem in problems],
        "warnings": [problem_fields(warning) for warning in warnings],
    }


def _summarize(selection: paths.Selection, problems: list[Problem], invalid: int) -> None:
    checked = len(selection.scenes)
    if problems:
        verdict = paint(f"{_count(len(problems), 'error')} in {invalid} of ", "red", sys.stderr)
        note(verdict + paint(_count(checked, "file"), "red", sys.stderr))
    else:
        note(paint(f"{_count(checked, 'scene')} valid", "green", sys.stderr))
    if selection.skipped:
        names = ", ".join(map(shown, selection.skipped[:3])) + (
            ", …" if len(selection.skipped) > 3 else ""
        )
        note(f"skipped {_count(len(selection.skipped), 'file')} without `rigid:`: {names}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
