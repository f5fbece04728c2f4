# SPDX-License-Identifier: MIT
"""Refuses outputs that are inputs, under any name or link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from ..errors import UsageError
from ..scene.model import Scene

SCENE_SUFFIXES = (".yaml", ".yml")
Identity = tuple[int, int]


def inputs_of(scene: Scene) -> list[str]:
    """The files that a loaded scene was read from, without pipes and standard input."""
    return [scene.path, *scene.files]


def refuse_inputs(outputs: Iterable[str | Path], inputs: Iterable[str | Path]) -> None:
    """Raise UsageError if an output would overwrite an input.

    Raises:
        UsageError: when one would be.
    """
    read = _by_identity(inputs)
    for output in outputs:
        _refuse(output, read)


def refuse_inputs_in(folder: str | Path, inputs: Iterable[str | Path]) -> None:
    """Check that a folder whose files are replaced is not an input and contains none.

    A scene file in it under its own name is allowed: no output has its suffix.

    Raises:
        UsageError: when it is an input or contains one.
    """
    read = _by_identity(inputs)
    _refuse(folder, read)
    numbers = {number for _, number in read}
    folders = [os.fspath(folder)]
    while folders:
        try:
            entries = [*os.scandir(folders.pop())]
        except OSError:  # it does not exist yet, or its writer reports the error
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.name.endswith(SCENE_SUFFIXES):
                continue
            elif entry.is_symlink() or entry.inode() in numbers:
                _refuse(entry.path, read)


def _by_identity(paths: Iterable[str | Path]) -> dict[Identity, str]:
    return {key: str(path) for path in paths if (key := _identity(path)) is not None}


def _refuse(output: str | Path, read: dict[Identity, str]) -> None:
    source = read.get(_identity(output) or (0, 0))
    if source is not None:
        same = "" if source == str(output) else f" (it is {source})"
        raise UsageError(f"{output}: is read too{same}, and would be lost; name another file")


def _identity(path: str | Path) -> Identity | None:
    """The identity of a plain file, equal for all its names; None if there is no such file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - an empty name is no file, and no folder either
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
