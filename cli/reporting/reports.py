# SPDX-License-Identifier: MIT
"""Test results of scenes as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from ..console import paint, shown, shown_lines
from ..words import count

if TYPE_CHECKING:
    from rigid2d.core.jobs.check import CheckReport


def report_lines(report: CheckReport, stream: TextIO) -> list[str]:
    from .diagnostics import as_text
    from .results import expectation_lines

    path = shown(report.path)
    if report.passed:
        checks = count(report.checks, "check") if report.checks else "nothing to check"
        checks += f", outcome: {report.outcome}" if report.outcome else ""
        checks += ", its snapshot stored anew" if report.updated else ""
        verdict, rest = paint("pass", "green", stream), f"{checks}, {report.wall:.2f} s"
        return [f"{verdict}  {path}  {paint(rest, 'dim', stream)}"]
    verdict = paint("FAIL", "red", stream)
    if report.problems:
        return [f"{verdict}  {path}", as_text(report.problems, stream)]
    details = expectation_lines(report.results, stream)
    for variant in report.variants:
        failed = expectation_lines(variant.results, stream)
        details += [f"variant {shown(variant.name)}:", *failed] if failed else []
    if report.outcome == "fail":
        details.append(f"{paint('failed', 'red', stream)}: the run ended as failed")
    if report.error:
        details.append(shown(report.error))
    if report.difference:
        text = f"{shown(report.snapshot)}: {shown_lines(report.difference)}"
        details += [text.replace("\n", "\n      ")]
    failures = f"{report.failures} of {count(report.checks, 'check')} failed, {report.wall:.2f} s"
    head = f"{verdict}  {path}" + (f"  {failures}" if report.failures else "")
    return [head, *(f"      {line}" for line in details)]
