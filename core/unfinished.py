# SPDX-License-Identifier: MIT
"""Files and processes that must not outlive the program: temporary files, workers.

The maker of one removes it when it fails. This is the list for the case that the maker
cannot: the program ends at once, or an exception is lost on its way.
"""

from __future__ import annotations

import atexit
import os
import signal
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows any signal ends a process at once
_paths: dict[Path, int] = {}
"""Files and folders that are not whole, and the process that makes them."""
_helpers: dict[int, int] = {}
"""Processes that work for this one, by number, and the process that started them."""


def new_name(folder: Path) -> Path:
    """An unguessable name in ``folder``, on the list before a file has it."""
    path = folder / f".rigid-{os.urandom(8).hex()}.part"
    _paths[path] = os.getpid()
    return path


def create(path: Path, old: os.stat_result | None = None, rights: int = 0o666) -> BinaryIO:
    """Create and open a file that ``new_name`` has named, for writing.

    It gets the owner and the rights of ``old``, the file that it is going to replace, where the
    system allows that. Raises OSError, and leaves no file then.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, rights if old is None else 0o600)
        file = cast(BinaryIO, os.fdopen(descriptor, "wb"))
        if old is not None:
            if sys.platform != "win32":
                with suppress(OSError):  # to give a file away takes root
                    if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
                        os.chown(descriptor, old.st_uid, old.st_gid)
            path.chmod(stat.S_IMODE(old.st_mode) & 0o777)
    except BaseException:
        discard(path)
        raise
    return file


def discard(path: Path) -> None:
    """Delete an unfinished file or folder."""
    if path.is_dir():
        import shutil  # which takes longer to load than most that is done here

        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
    finished(path)


def finished(path: Path) -> None:
    """Unregister a file or folder that has its final name."""
    _paths.pop(path, None)


def add_helper(process: int) -> None:
    """Register a process to be ended with this one."""
    _helpers[process] = os.getpid()


def remove_helper(process: int) -> None:
    """Unregister an ended process, whose number may be reused."""
    _helpers.pop(process, None)


def is_anything_unfinished() -> bool:
    return bool(_paths or _helpers)


def remove_unfinished() -> None:
    """Remove all unfinished files of this process, but not those of a fork's parent."""
    here = os.getpid()
    for process in [process for process, owner in list(_helpers.items()) if owner == here]:
        with suppress(OSError):
            os.kill(process, _KILL)
        remove_helper(process)
    for path in [path for path, owner in list(_paths.items()) if owner == here]:
        discard(path)


atexit.register(remove_unfinished)
