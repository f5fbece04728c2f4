# SPDX-License-Identifier: MIT
"""Locks a folder against changes by a second process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def folder_lock(folder: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Lock a folder for the block against other processes.

    The lock leaves no file behind and ends with the process, however that ends. ``on_wait`` is
    called when another process holds it. Where the file system knows no locks there is none.
    """
    if sys.platform == "win32":
        yield  # where a folder cannot be locked
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if on_wait is not None:
                on_wait()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
    finally:
        with suppress(OSError):
            os.close(descriptor)
