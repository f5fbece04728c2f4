# SPDX-License-Identifier: MIT
"""The text of a compiled scene, by which rigid runs and draws it as it does a scene file."""

from __future__ import annotations

from pathlib import Path

from ..errors import UsageError
from ..reading import read_bytes
from .container import unpack

TEXT = "scene"
"""The section with the expanded scene, as YAML. Pages have none."""
MOST_BYTES = 1 << 30


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
