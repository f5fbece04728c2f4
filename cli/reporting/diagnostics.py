# SPDX-License-Identifier: MIT
"""Problems of scene files, as text with the source line, and as JSON, GitHub and SARIF reports."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TextIO
from urllib.parse import quote

from rigid2d.core.errors import KINDS, Kind, Problem

from ..console import paint, shown

EXCERPT_WIDTH = 100
"""Columns of a source line that are shown; a longer line is cut around the place."""
LARGEST_SOURCE = 16 << 20
"""Bytes of a file that are read again to show its lines."""
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
SARIF_HELP = "docs/cli.md#kinds-of-mistakes"

Severity = Literal["error", "warning"]
_COLORS: Final[dict[Severity, str]] = {"error": "red", "warning": "yellow"}

RULES: Final[dict[Kind, str]] = {
    "file": "A file cannot be read, or is not where the scene looks for it.",
    "syntax": "The text is not YAML, or not as scenes use it.",
    "duplicate-key": "A key is given twice in one mapping.",
    "unknown-key": "A key that does not exist.",
    "missing-key": "Something that has to be given is not.",
    "conflicting-keys": "Keys exclude each other, or one does not belong to the type.",
    "wrong-type": "A value of another kind than is needed.",
    "unknown-word": "None of the words that are possible here.",
    "wrong-unit": "A unit that does not exist, or is of another quantity.",
    "out-of-range": "A number that is too small, too large or not whole, or a wrong order.",
    "expression": "An expression that cannot be read or has no value.",
    "unknown-name": "There is nothing of that name.",
    "invalid-name": "A name that cannot be one, or is taken.",
    "impossible-shape": "An outline that cannot be.",
    "impossible-motion": "Nothing can move so.",
    "limit": "More than is allowed.",
    "unsupported": "What the format does not have yet.",
    "override": "An override that cannot be applied.",
    "missing-letter": "A letter that no font has.",
    "unknown-tag": "A tag of a scene that the vocabulary lacks.",
}
"""Description of each kind of mistake; the kind is the rule's id."""


class SourceLines:
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
        if not Path(file).is_file():  # the content of a pipe cannot be read again
            return []
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST_SOURCE).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return []


def as_text(
    problems: Sequence[Problem],
    stream: TextIO,
    sources: SourceLines | None = None,
    severity: Severity = "error",
) -> str:
    """Each problem as ``file:line:column: path: message`` with its source line and a caret."""
    sources = sources or SourceLines()
    return "\n".join(_one(problem, stream, sources, severity) for problem in problems)


def _one(problem: Problem, stream: TextIO, sources: SourceLines, severity: Severity) -> str:
    place = problem.file  # which may have a colon of its own, as `--set a={b: 1}` has
    if problem.line:
        place += f":{problem.line}:{problem.column}" if problem.column else f":{problem.line}"
    rest = str(problem)[len(place) + 2 :]
    if problem.file.startswith("--") and problem.line == 1:
        place = problem.file  # an option of one line, in which columns help nobody
    colored = paint(severity, _COLORS[severity], stream)
    head = f"{paint(shown(place), 'bold', stream)}: {colored}: {shown(rest)}"
    source = sources.line(problem.file, problem.line)
    if source is None or not source.strip() or _is_binary(source):
        return head
    line, caret = _excerpt(source, max(problem.column, 1))
    gutter = " " * len(str(problem.line))
    bar = paint("|", "blue", stream)
    return "\n".join(
        [
            head,
            f"{paint(str(problem.line), 'blue', stream)} {bar} {line}",
            f"{gutter} {bar} {' ' * caret}{paint('^', _COLORS[severity], stream)}",
        ]
    )


def _is_binary(source: str) -> bool:
    """Whether a line has too little of a text to be worth showing."""
    part = source[:1000]
    odd = sum(each == "\ufffd" or (each < " " and each != "\t") for each in part)
    return odd * 5 > len(part)


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


def as_github(problems: Iterable[Problem], warnings: Iterable[Problem] = ()) -> str:
    """Workflow commands that GitHub Actions shows beside the lines of a change."""
    given: list[tuple[Problem, Severity]] = [(problem, "error") for problem in problems]
    given += [(warning, "warning") for warning in warnings]
    return "\n".join(
        github_error(each.file, each.line, each.column, _message(each), severity)
        for each, severity in given
    )


def github_error(
    file: str, line: int, column: int, message: str, severity: Severity = "error"
) -> str:
    """A workflow command for an error at a place, 1 where there is none."""
    place = f"file={_property(file)},line={max(line, 1)},col={max(column, 1)}"
    return f"::{severity} {place}::{_data(message)}"


def _data(text: str) -> str:
    return shown(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _message(problem: Problem) -> str:
    return f"{problem.path}: {problem.message}" if problem.path else problem.message


def as_sarif(problems: Iterable[Problem], version: str) -> dict[str, Any]:
    """The log with a rule for each kind of mistake and a result for each problem."""
    rules = [
        {
            "id": kind,
            "shortDescription": {"text": RULES[kind]},
            "help": {"text": f"See {SARIF_HELP}."},
        }
        for kind in KINDS
    ]
    driver = {"name": "rigid", "version": version, "rules": rules}
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                # Columns count characters here, as everywhere in rigid's messages.
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem) for problem in problems],
            }
        ],
    }


def _result(problem: Problem) -> dict[str, Any]:
    location = {
        "artifactLocation": {"uri": file_uri(problem.file)},
        "region": {"startLine": max(problem.line, 1), "startColumn": max(problem.column, 1)},
    }
    return {
        "ruleId": problem.kind,
        "ruleIndex": KINDS.index(problem.kind),
        "level": "error",
        "message": {"text": _message(problem)},
        "locations": [{"physicalLocation": location}],
    }


def file_uri(file: str) -> str:
    """A file's name as a URI reference: ``file://`` for absolute ones, encoded as RFC 3986 says."""
    path = _without_detours(Path(file))
    if path.is_absolute():
        return path.as_uri()
    # A colon before the first slash would read as a scheme, so all of them are encoded.
    return quote(path.as_posix().encode("utf-8", "surrogateescape"), safe="/")


def _without_detours(path: Path) -> Path:
    """The path with no ``..`` but at its beginning; a folder that is left may be a link."""
    twice = path.root == "//"  # which a URI would read as a host
    if ".." not in path.parts and not twice:
        return path
    try:
        folder = os.path.realpath(path.parent)
        if not path.is_absolute():
            folder = os.path.relpath(folder, os.path.realpath(Path.cwd()))
    except (OSError, ValueError):
        return path
    return Path(folder.replace("//", "/")) / path.name
