# SPDX-License-Identifier: MIT
"""Failures of tests as workflow commands, which GitHub Actions shows beside the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .diagnostics import as_github, github_error

if TYPE_CHECKING:
    from rigid2d.core.jobs.check import CheckReport
    from rigid2d.core.record import Result


def as_annotations(report: CheckReport) -> str:
    """A line for each failure of a scene that failed, at its place."""
    lines = [as_github(report.problems)] if report.problems else []
    lines += [_of_result(result, report.path) for result in report.results if not result.passed]
    for variant in report.variants:
        lines += [
            _of_result(result, report.path, f"in the variant `{variant.name}`: ")
            for result in variant.results
            if not result.passed
        ]
    if report.outcome == "fail":
        lines.append(github_error(report.path, 1, 1, "the run ended as failed"))
    if report.error:
        lines.append(github_error(report.path, 1, 1, report.error))
    if report.difference:
        lines.append(github_error(report.path, 1, 1, f"{report.snapshot}: {report.difference}"))
    return "\n".join(lines)


def _of_result(result: Result, path: str, where: str = "") -> str:
    expectation = result.expectation
    values = "".join(f", {name} = {value!r}" for name, value in result.numbers.items())
    message = f"{where}{result.text}: {result.message} at step {result.step}, t = {result.time:g}"
    file = expectation.file or path
    return github_error(file, expectation.line, max(1, expectation.column), message + values)
