# SPDX-License-Identifier: MIT
"""Writes files atomically: beside their place first, then renamed.

A symbolic link is followed, as ``open`` follows it: the file that it leads to is replaced and the
link stays. What is there and no plain file, such as a pipe, a terminal or ``/dev/null``, is never
replaced: it gets the bytes, once they are whole. Folders, sockets and disks are refused.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..arguments import checked, flag, named
from ..errors import UsageError
from ..unfinished import create, discard, finished, new_name


def cannot_be_written(path: str | Path, error: OSError) -> UsageError:
    """The error for a file that the system does not allow to write."""
    return UsageError(f"{path}: cannot be written: {error.strerror or error}")


# ---------------------------------------------------------------- places


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of the bytes of ``path``.

    Attributes:
        path: the given path.
        target: the target of its links.
        old: the existing file.
        descriptor: the open file of ``/dev/stdout`` and similar paths.
    """

    path: Path
    target: Path
    old: os.stat_result | None
    descriptor: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether a file is made here, or one is replaced; otherwise there is a device or pipe."""
        return self.descriptor is None and (self.old is None or stat.S_ISREG(self.old.st_mode))


def find_place(path: str | Path) -> Destination:
    """Return the destination of a file ``path``, without any change.

    Raises:
        UsageError: when no file can be written there.
    """
    given = Path(path)
    descriptor = _descriptor(given)
    if descriptor is not None:
        return Destination(given, given, None, descriptor)
    try:
        old = given.stat()
    except FileNotFoundError:
        old = None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be written: {_reason(error)}") from None
    if old is not None:
        _refuse_kind(given, old.st_mode)
        if not os.access(given, os.W_OK):
            raise UsageError(f"{path}: cannot be written: it exists and is not writable")
    return Destination(given, Path(os.path.realpath(given)), old)


def check_place(path: str | Path) -> None:
    """Check, before any work, that a file can be written at ``path``.

    Raises:
        UsageError: when it cannot.
    """
    place = find_place(path)
    if not place.is_plain:
        return
    folder = place.target.parent
    if not folder.exists():
        raise UsageError(f"{path}: there is no folder {place.path.parent}; make it first")
    if not folder.is_dir():
        raise UsageError(f"{path}: {place.path.parent} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{path}: the folder {place.path.parent} cannot be written to")


def _refuse_kind(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path}: is a folder; a file name is needed here")
    if stat.S_ISSOCK(mode):
        raise UsageError(f"{path}: is a socket; a file name is needed here")
    if stat.S_ISBLK(mode):
        raise UsageError(f"{path}: is a disk; a file name is needed here")


def _descriptor(path: Path) -> int | None:
    """The descriptor of an open file of this process to which ``path`` leads, as /dev/stdout."""
    for _ in range(40):  # as many links as the system follows
        folder = os.path.realpath(path.parent)
        if path.name.isdigit() and folder in (f"/proc/{os.getpid()}/fd", "/dev/fd"):
            return int(path.name)
        try:
            path = Path(folder) / path.readlink()
        except (OSError, ValueError):
            return None
    return None


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


# ---------------------------------------------------------------- files


class NewFile:
    """A file on its way to its place, under a name of its own until it is whole.

    A new file has the rights of any other; one that replaces an older file has that one's.
    Raises UsageError when the place cannot be written, also for a folder that does not exist: a
    misspelt one is not made. One that does not replace anything raises FileExistsError where
    something has its name, be it a link that leads nowhere.
    """

    def __init__(self, path: str | Path, *, replaces: bool = True) -> None:
        self.path = Path(path)
        self._replaces = replaces
        if not replaces and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        self._place = find_place(path)
        check_place(path)
        try:
            self.temporary = new_name(self._folder())
            if self._place.is_plain:
                self.file = create(self.temporary, self._place.old)
            else:
                self.file = create(self.temporary, rights=0o600)
        except OSError as error:
            raise cannot_be_written(path, error) from None

    def _folder(self) -> Path:
        """Return the temporary file of the bytes; for a device it is in another folder."""
        return self._place.target.parent if self._place.is_plain else Path(tempfile.gettempdir())

    def commit(self) -> None:
        """Move the complete file to its place. Raises UsageError if that fails."""
        try:
            self.file.close()
            if not self._replaces:
                self._take_name()
            elif self._place.is_plain:
                self._rename()
            else:
                self._pass_on()
        except OSError as error:
            # A reader that went away is no user's mistake, and a name that is taken
            # is reported to the caller that wanted a new one.
            if isinstance(error, (BrokenPipeError, FileExistsError)):
                raise
            raise cannot_be_written(self.path, error) from None
        finally:
            self.abort()

    def _rename(self) -> None:
        target = self._place.target
        with suppress(FileNotFoundError):
            mode = target.lstat().st_mode
            if not stat.S_ISREG(mode):
                raise UsageError(f"{self.path}: cannot be written: it is no plain file any more")
        self.temporary.replace(target)
        finished(self.temporary)

    def _take_name(self) -> None:
        """Give the file its name. Raises FileExistsError if another file has it."""
        try:
            os.link(self.temporary, self.path, follow_symlinks=False)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):  # a file system or a Python without links
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
            sink = os.open(self.path, flags, 0o666)
            with self.temporary.open("rb") as source, os.fdopen(sink, "wb") as out:
                shutil.copyfileobj(source, out)

    def _pass_on(self) -> None:
        """Give the bytes to a device or a pipe. A pipe waits for its reader here."""
        number = self._place.descriptor
        flags = os.O_WRONLY | getattr(os, "O_NOCTTY", 0)
        sink = os.open(self.path, flags) if number is None else os.dup(number)
        with self.temporary.open("rb") as source, os.fdopen(sink, "wb") as out:
            shutil.copyfileobj(source, out)

    def abort(self) -> None:
        """Remove the temporary file; an older file is unchanged. May be called at any time."""
        with suppress(OSError):  # closing writes what is still in the buffer
            self.file.close()
        discard(self.temporary)


@checked(path=named, replaces=flag)
@contextmanager
def atomic_file(path: str | Path, *, replaces: bool = True) -> Iterator[BinaryIO]:
    """A binary file that takes the place of ``path`` when the block ends well.

    When the block raises, ``path`` stays as it was and nothing is left beside it. Raises UsageError
    when the place cannot be written, or its folder does not exist. With ``replaces=False`` nothing
    that is there is replaced, nor written through a link: that is a FileExistsError.
    """
    output = NewFile(path, replaces=replaces)
    try:
        yield output.file
        output.commit()
    except BaseException as error:
        output.abort()
        if isinstance(error, OSError) and _is_of_the_disk(error):
            raise cannot_be_written(path, error) from error
        raise


def _is_of_the_disk(error: OSError) -> bool:
    """Whether writing failed, as on a full disk, and not another file or a reader that left."""
    return error.filename is None and not isinstance(error, BrokenPipeError)


@contextmanager
def temporary_folder(inside: Path) -> Iterator[Path]:
    """A new hidden folder, removed with its contents when the block ends."""
    folder = new_name(inside)
    try:
        folder.mkdir()
        yield folder
    finally:
        discard(folder)
