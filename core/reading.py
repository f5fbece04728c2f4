# SPDX-License-Identifier: MIT
"""Checked reading of files: bounded in time and memory."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from pathlib import Path
from time import monotonic

PATIENCE = 2.0
"""Seconds in which a writer has to open a named pipe that is read."""
_PIECE = 1 << 20  # bytes
# Without O_NONBLOCK, opening a pipe waits for a writer. Windows has none of them.
_FLAGS = os.O_RDONLY
for _name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY"):
    _FLAGS |= getattr(os, _name, 0)


def read_bytes(path: str | Path, most: int) -> bytes:
    """The content of a file, pipe or device of at most ``most`` bytes.

    A pipe with a writer is waited for, as standard input is. Raises OSError, with
    EFBIG for more bytes (no more of them are read) and EPIPE for a pipe without a writer.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except PermissionError:  # which Windows says of a folder
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
        raise
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if stat.S_ISREG(status.st_mode) and status.st_size > most:
            raise _too_large(f"it has {_mebibytes(status.st_size)}", most)
        first = _first_byte(descriptor) if stat.S_ISFIFO(status.st_mode) else b""
        if sys.platform != "win32":
            os.set_blocking(descriptor, True)
        pieces, left = [first], most + 1 - len(first)
        while left > 0 and (piece := file.read(min(left, _PIECE))):
            pieces.append(piece)
            left -= len(piece)
    if left == 0:
        raise _too_large("it has more bytes than are read", most)
    return b"".join(pieces)


def _first_byte(descriptor: int) -> bytes:
    """Wait until a pipe has or had a writer; return the bytes read so far."""
    if sys.platform == "win32":
        return b""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    end = monotonic() + PATIENCE
    while not poll.poll(20):
        try:
            byte = os.read(descriptor, 1)
        except BlockingIOError:
            return b""  # a writer exists, but has written nothing yet
        if byte:
            return byte
        if monotonic() > end:
            raise OSError(errno.EPIPE, "it is a pipe into which nobody writes")
    return b""


def _too_large(what: str, most: int) -> OSError:
    return OSError(errno.EFBIG, f"{what}; the limit is {_mebibytes(most)}")


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.4g} MiB"
