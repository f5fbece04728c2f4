# SPDX-License-Identifier: MIT
"""Results of expectations, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from ..console import paint, shown

if TYPE_CHECKING:
    from rigid2d.core.jobs.variant_runs import VariantReport
    from rigid2d.core.record import Result


def expectation_lines(results: Iterable[Result], stream: TextIO) -> list[str]:
    """Every failed expectation: place, what was expected, the step, the time and the values."""
    lines: list[str] = []
    for result in results:
        if result.passed:
            continue
        expectation = result.expectation
        where = f"{expectation.line}:{expectation.column}"
        place = f"{shown(expectation.file)}:{where}: " if expectation.line else ""
        lines.append(f"{place}{paint('failed', 'red', stream)}: {shown(result.text)}")
        lines.append(f"  {shown(result.message)} at step {result.step}, t = {result.time:g}")
        lines += [f"  {shown(name)} = {value!r}" for name, value in result.numbers.items()]
    return lines


def expectation_fields(result: Result) -> dict[str, Any]:
    """An expectation's result as JSON data."""
    return {
        "expect": result.text,
        "file": result.expectation.file,
        "line": result.expectation.line,
        "column": result.expectation.column,
        "passed": result.passed,
        "step": result.step,
        "time": result.time,
        "values": dict(result.values),
        "sides": dict(result.sides),
        "message": result.message,
    }


def variant_fields(variants: Iterable[VariantReport]) -> list[dict[str, Any]]:
    """The results of a scene's variants as JSON data."""
    return [
        {
            "name": variant.name,
            "steps": variant.steps,
            "outcome": variant.outcome,
            "expect": [expectation_fields(result) for result in variant.results],
            "warnings": list(variant.warnings),
        }
        for variant in variants
    ]
