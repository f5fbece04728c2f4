# SPDX-License-Identifier: MIT
"""A study in a notebook: its columns in numbers, and its first rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .results import Results

FIRST = 8
"""Rows that are shown."""


def study_view(results: Results) -> str:
    """Return the results of a study as HTML."""
    failed = f", {results.failures:,} failed" if results.failures else ""
    name = str(results.plan["scene"].get("name") or results.address)
    head = f"{len(results):,} runs{failed}, varied: {', '.join(results.parameters)}"
    shown = [name for name in results.columns if name not in ("hash", "message")]
    return face(name, head, table(shown, results.rows(FIRST), len(results)))


def face(title: str, head: str, more: str) -> str:
    """A title, a line and some HTML."""
    lines = f"<strong>{escape(title)}</strong><div>{escape(head)}</div>"
    return f'<figure style="margin:0">{lines}{more}</figure>'


def table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], total: int) -> str:
    """The first rows of so many as an HTML table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_cell(row.get(name)))}</td>' for name in columns)}</tr>"
        for row in rows
    )
    more = f"<div>and {total - len(rows):,} more</div>" if total > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
