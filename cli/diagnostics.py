"""Problems of scene files, as text with the source line, and as JSON, GitHub and SARIF reports."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from rigid.core.errors import Problem

from .console import paint, shown

EXCERPT_WIDTH = 100
"""Columns of a source line that are shown; a longer line is cut around the place."""
LARGEST_SOURCE = 16 << 20
"""Bytes of a file that are read again to show its lines."""
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Sources:
    """Lines of the files with problems, each read once. ``given`` holds standard input."""

    def __init__(self, given: dict[str, str] | None = None) -> None:
        self._lines = {name: text.splitlines() for name, text in (given or {}).items()}

    def line(self, file: str, number: int) -> str | None:
        """Line ``number`` of ``file``, counted from 1, or None when it cannot be shown."""
        if file not in self._lines:
            self._lines[file] = _read_lines(file)
        lines = self._lines[file]
        return lines[number - 1] if 0 < number <= len(lines) else None


def _read_lines(file: str) -> list[str]:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST_SOURCE).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return []


def as_text(problems: Sequence[Problem], stream: TextIO, sources: Sources | None = None) -> str:
    """Each problem as ``file:line:column: path: message`` with its source line and a caret."""
    sources = sources or Sources()
    return "\n".join(_one(problem, stream, sources) for problem in problems)


def _one(problem: Problem, stream: TextIO, sources: Sources) -> str:
    place = problem.file  # which may have a colon of its own, as `--set a={b: 1}` has
    if problem.line:
        place += f":{problem.line}:{problem.column}" if problem.column else f":{problem.line}"
    rest = str(problem)[len(place) + 2 :]
    head = f"{paint(shown(place), 'bold', stream)}: {paint('error', 'red', stream)}: {shown(rest)}"
    source = sources.line(problem.file, problem.line)
    if source is None or not source.strip():
        return head
    line, caret = _excerpt(source, max(problem.column, 1))
    gutter = " " * len(str(problem.line))
    bar = paint("|", "blue", stream)
    return "\n".join(
        [
            head,
            f"{paint(str(problem.line), 'blue', stream)} {bar} {line}",
            f"{gutter} {bar} {' ' * caret}{paint('^', 'red', stream)}",
        ]
    )


def _excerpt(source: str, column: int) -> tuple[str, int]:
    """The part of a line around ``column``, and how many terminal cells come before that place."""
    start = 0
    if len(source) > EXCERPT_WIDTH and column > EXCERPT_WIDTH // 2:
        start = min(column - EXCERPT_WIDTH // 2, len(source) - EXCERPT_WIDTH)
    part = source[start : start + EXCERPT_WIDTH].replace("\t", " ")
    before, after = ("…" if start else ""), ("…" if start + EXCERPT_WIDTH < len(source) else "")
    cells = len(before) + _cells(shown(part[: max(column - 1 - start, 0)]))
    return before + shown(part) + after, cells


def _cells(text: str) -> int:
    """Terminal cells that ``text`` takes: wide characters two, combining ones none."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def as_github(problems: Iterable[Problem]) -> str:
    """Workflow commands that GitHub Actions shows beside the lines of a change."""
    return "\n".join(
        f"::error file={_property(problem.file)},line={max(problem.line, 1)},"
        f"col={max(problem.column, 1)}::{_data(_message(problem))}"
        for problem in problems
    )


def _data(text: str) -> str:
    return shown(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _message(problem: Problem) -> str:
    return f"{problem.path}: {problem.message}" if problem.path else problem.message


def as_sarif(problems: Iterable[Problem], version: str) -> dict[str, Any]:
    """A SARIF 2.1.0 log, as code scanning services read it."""
    driver = {
        "name": "rigid",
        "version": version,
        "rules": [
            {"id": "scene", "shortDescription": {"text": "A scene file that cannot be loaded."}}
        ],
    }
    results = [_sarif_result(problem) for problem in problems]
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _sarif_result(problem: Problem) -> dict[str, Any]:
    location = {
        "artifactLocation": {"uri": Path(problem.file).as_posix().replace(os.sep, "/")},
        "region": {"startLine": max(problem.line, 1), "startColumn": max(problem.column, 1)},
    }
    return {
        "ruleId": "scene",
        "level": "error",
        "message": {"text": _message(problem)},
        "locations": [{"physicalLocation": location}],
    }
