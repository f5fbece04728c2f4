# SPDX-License-Identifier: MIT
"""The text of a compiled scene, by which rigid runs and draws it as it does a scene file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import Problem, SceneError, UsageError
from ...reading import read_bytes
from .container import unpack

TEXT = "scene"
"""The section with the expanded scene, as YAML. Pages have none."""
MOST_BYTES = 1 << 30
_VARS = (
    "the vars of a compiled scene have been computed; set them where it is compiled, with "
    "`rigid compile SCENE --set PATH=VALUE`"
)


def read_compiled(path: str | Path, overrides: Sequence[str]) -> str:
    """The text in a file. Raises SceneError as ``text_of`` does, and for overrides of vars, whose
    values have been computed."""
    shown = str(path)
    try:
        text = text_of(path)
    except UsageError as error:
        message = str(error).removeprefix(f"{shown}: ")
        raise SceneError([Problem(shown, 0, 0, "", message)]) from None
    names = [each.partition("=")[0].strip() for each in overrides]
    problems = [Problem(shown, 0, 0, name, _VARS) for name in names if name.split(".")[0] == "vars"]
    if problems:
        raise SceneError(problems)
    return text


def text_of(path: str | Path) -> str:
    """The text in a file. Raises UsageError for another file, and for one without a text."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    text = unpack(content, str(path)).get(TEXT)
    if text is None:
        raise UsageError(
            f"{path}: has no text of its scene; compile it again with `rigid compile`, or run the "
            "scene that it was made of"
        )
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the compiled scene is damaged: {TEXT}") from None
