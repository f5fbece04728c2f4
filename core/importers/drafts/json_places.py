# SPDX-License-Identifier: MIT
"""JSON texts: read strictly, and searched for the line of a value when something is wrong with it.

Python's own reader is quick and forgets the places of values. So it reads, and only to report an
error is the text searched again for the place.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ...errors import Problem, SceneError
from ...scene.text.problems import Path

_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")


def parse(text: str, file: str) -> Any:
    """The values of a JSON text. Raises SceneError where it is none."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        message = f"this is not JSON: {error.msg}"
        problem = Problem(file, error.lineno, error.colno, "", message, "syntax")
    except RecursionError:
        problem = Problem(file, 1, 1, "", "values are nested too deeply to be read", "limit")
    except ValueError as error:  # a number of more digits than Python reads
        problem = Problem(file, 1, 1, "", f"this cannot be read: {error}", "syntax")
    raise SceneError([problem])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of members of one name the first, which is the one that a search finds."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        members.setdefault(name, value)
    return members


def find(text: str, steps: Path) -> tuple[int, int]:
    """Return line and column of the value at this path in a valid text, else (0, 0).

    For a value within a string that contains JSON, those of the string.
    """
    if not text:
        return 0, 0
    at = _skip_blank(text, 0)
    for step in steps:
        if text[at : at + 1] == '"':
            break
        inside = _enter(text, at, step)
        if inside is None:
            return 0, 0
        at = inside
    line = text.count("\n", 0, at) + 1
    return line, at - text.rfind("\n", 0, at)


def _enter(text: str, at: int, step: int | str) -> int | None:
    """Return the start of the member or item of the value at ``at``."""
    if text[at : at + 1] != ("[" if isinstance(step, int) else "{"):
        return None
    at, index = _skip_blank(text, at + 1), 0
    while at < len(text) and text[at] not in "]}":
        name: int | str = index
        if isinstance(step, str):
            end = _skip_value(text, at)
            name, at = json.loads(text[at:end]), end
            at = _skip_blank(text, _skip_blank(text, at) + 1)
        if name == step:
            return at
        at = _skip_blank(text, _skip_value(text, at))
        at = _skip_blank(text, at + (text[at : at + 1] == ","))
        index += 1
    return None


def _skip_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _skip_value(text: str, at: int) -> int:
    """The end of the value that begins at ``at``."""
    if text[at] not in '"[{':
        match = _SCALAR.match(text, at)
        return match.end() if match else at + 1
    depth = 0
    for token in _TOKEN.finditer(text, at):
        depth += (token[0] in ("[", "{")) - (token[0] in ("]", "}"))
        if depth == 0:
            return token.end()
    return len(text)
