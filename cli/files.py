# SPDX-License-Identifier: MIT
"""Writing text to a file or to standard output."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rigid.core.errors import UsageError

from .console import OutputError

if TYPE_CHECKING:
    from rigid.core.scene.model import Scene


def check_writable(path: str) -> None:
    """Make sure, before any work is done, that a file can be put at ``path``.

    Raises:
        UsageError: when it is a folder, its folder is missing, or the place is read-only.
    """
    from rigid.core.record.atomic import check_place

    folder = Path(path).parent
    if not folder.exists():
        raise UsageError(f"{path}: the folder {folder} does not exist")
    check_place(path)


def refuse_inputs(outputs: Iterable[str], inputs: Iterable[str | Path]) -> None:
    """Make sure that no file that is read would be written, by whatever name or link.

    Raises:
        UsageError: when one would be.
    """
    read = {key: str(path) for path in inputs if (key := _identity(path)) is not None}
    for output in outputs:
        source = read.get(_identity(output) or (0, 0))
        if source is not None:
            same = "" if source == output else f" (it is {source})"
            raise UsageError(f"{output}: is read too{same}, and would be lost; name another file")


def inputs_of(scene: Scene) -> list[str]:
    """The files that a loaded scene was read from, as far as they are files."""
    return [scene.path, *scene.files]


def _identity(path: str | Path) -> tuple[int, int] | None:
    """What two names of one plain file have in common; None when there is no such file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - an empty name is no file, and no folder either
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def write_text(text: str, path: str | None) -> None:
    """Write ``text`` to ``path``, whole or not at all; to standard output for None and `-`."""
    if path is None or path == "-":
        print_bytes(text.encode())
        return
    check_writable(path)
    from rigid.core.record import atomic_file

    with atomic_file(path) as file:
        file.write(text.encode())


def print_bytes(data: bytes) -> None:
    """Write all of ``data`` to standard output.

    An unbuffered stream may take a part only, and tell of a reader that went away only at the
    next attempt. Raises OutputError when it cannot be written.
    """
    rest = memoryview(data)
    try:
        sys.stdout.flush()
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error) from None
