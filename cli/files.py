"""Writing text to a file or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from rigid.core.errors import UsageError


def check_writable(path: str) -> None:
    """Make sure, before any work is done, that a file can be put at ``path``.

    Raises:
        UsageError: when it is a folder, its folder is missing, or the place is read-only.
    """
    import os

    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{path}: is a folder; a file name is needed here")
    if not target.parent.is_dir():
        raise UsageError(f"{path}: the folder {target.parent} does not exist")
    if not os.access(target.parent, os.W_OK):
        raise UsageError(f"{path}: the folder {target.parent} is not writable")
    if target.exists() and not os.access(target, os.W_OK):
        raise UsageError(f"{path}: exists and is not writable")


def write_text(text: str, path: str | None) -> None:
    """Write ``text`` to ``path``, whole or not at all; to standard output for None and `-`."""
    if path is None or path == "-":
        print_bytes(text.encode())
        return
    check_writable(path)
    target = Path(path)
    if target.exists() and not target.is_file():  # a pipe or /dev/null: nothing to rename
        target.write_text(text, encoding="utf-8")
        return
    from rigid.core.record import atomic_file

    with atomic_file(target) as file:
        file.write(text.encode())


def print_bytes(data: bytes) -> None:
    """Write all of ``data`` to standard output.

    An unbuffered stream may take a part only, and tell of a reader that went away only at the
    next attempt.
    """
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()
