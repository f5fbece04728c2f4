"""Writing a file so that nobody ever sees half of it: beside its place first, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import UsageError


def create_beside(path: str | Path) -> tuple[Path, BinaryIO]:
    """Open a new temporary file in the folder of ``path``; its name and the open file.

    The folder is made when it does not exist yet. Raises UsageError when that place cannot be
    written, naming ``path``.
    """
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{path}: is a folder, a file name is needed here")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    return Path(name), cast(BinaryIO, os.fdopen(handle, "wb"))


def move_into_place(temporary: Path, path: str | Path) -> None:
    """Give a finished temporary file the permissions of any new file, and its name."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    temporary.replace(path)


@contextmanager
def atomic_file(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file that takes the place of ``path`` when the block ends well.

    When the block raises, ``path`` stays as it was and nothing is left beside it. Raises
    UsageError when the place cannot be written.
    """
    temporary, file = create_beside(path)
    try:
        with file:
            yield file
        move_into_place(temporary, path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:  # of a write: the disk is full
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
        raise
