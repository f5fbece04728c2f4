# SPDX-License-Identifier: MIT
"""Test results as JUnit XML, as build servers read it: a suite for a scene, a case for a check."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..console import shown_lines

if TYPE_CHECKING:
    from rigid2d.core.jobs.check import CheckReport
    from rigid2d.core.record import Result
    from rigid2d.core.scene.object_model import Expectation


def junit_xml(reports: Sequence[CheckReport]) -> str:
    """The report as the text of a file."""
    root = ElementTree.Element("testsuites", name="rigid")
    for report in reports:
        _suite(root, report)
    suites = list(root)
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in suites)))
    root.set("time", f"{sum(report.wall for report in reports):.3f}")
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(root: ElementTree.Element, report: CheckReport) -> None:
    broken = bool(report.problems or report.error)
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=_legal(report.path),
        tests=str(max(report.checks + broken, 1)),
        failures=str(report.failures),
        errors=str(int(broken)),
        time=f"{report.wall:.3f}",
        file=_legal(report.path),
    )
    for result in report.all_results:
        case = _case(suite, report, result.text, result.expectation)
        if not result.passed:
            _fail(case, "failure", result.message, _details(result))
    if report.outcome:
        properties = ElementTree.Element("properties")
        ElementTree.SubElement(properties, "property", name="outcome", value=report.outcome)
        suite.insert(0, properties)
    if report.outcome in ("pass", "fail"):
        case = _case(suite, report, "outcome")
        if report.outcome == "fail":
            _fail(case, "failure", "the run ended as failed", f"after {report.steps} steps")
    if report.snapshot:
        case = _case(suite, report, "snapshot")
        if report.difference:
            _fail(case, "failure", report.difference.split("\n", 1)[0], report.difference)
    if broken:
        case = _case(suite, report, "run")
        text = "\n".join(map(str, report.problems)) or report.error
        _fail(case, "error", text.split("\n", 1)[0], text)
    elif not report.checks:
        _case(suite, report, "run")


def _case(
    suite: ElementTree.Element,
    report: CheckReport,
    name: str,
    expectation: Expectation | None = None,
) -> ElementTree.Element:
    """A case with its file and line; all checks of a scene share the time of its run."""
    place = {"file": _legal(report.path)}
    if expectation is not None and expectation.line:
        file = expectation.file or report.path
        place = {"file": _legal(file), "line": str(expectation.line)}
    count = max(1, int(suite.get("tests", "1")))
    time = f"{report.wall / count:.3f}"
    named = {"classname": _legal(report.path), "name": _legal(name), "time": time}
    return ElementTree.SubElement(suite, "testcase", named | place)


def _fail(case: ElementTree.Element, kind: str, message: str, text: str) -> None:
    ElementTree.SubElement(case, kind, message=_legal(message)).text = _legal(text)


def _details(result: Result) -> str:
    place = f"{result.expectation.file}:{result.expectation.line}:{result.expectation.column}"
    values = "".join(f"\n{name} = {value!r}" for name, value in result.numbers.items())
    return f"{place}: {result.message} at step {result.step}, t = {result.time:g}{values}"


def _legal(text: str) -> str:
    """``text`` as XML 1.0 allows it (section 2.2), with escapes for invisible characters."""
    return shown_lines(text)
