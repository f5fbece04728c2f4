# SPDX-License-Identifier: MIT
"""Words of commands that files name in comments, for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path


def scene_words(path: str | Path, overrides: Sequence[str] = ()) -> str:
    """A scene, by its name without folders, and the settings that it was loaded with."""
    settings = [word for each in overrides for word in ("--set", each)]
    return quoted(Path(path).name, *settings)


def quoted(*words: str) -> str:
    """Words of a command, on one line whatever is in them."""
    line = shlex.join(words)
    return line if line.isprintable() else line.encode("unicode_escape").decode("ascii")
