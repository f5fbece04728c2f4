# SPDX-License-Identifier: MIT
"""The files of a scene that is edited: read, compared with the disk, and written as a whole.

A file is written beside its place and renamed, with the rights of the old one, and only if the disk
still has what was read: where names can be exchanged, what another program wrote in the very moment
of renaming comes back. Links are not written through.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..reading import read_bytes
from ..scene import limits
from ..scene.text.files import Folders
from ..scene.text.yaml_reader import decode
from ..unfinished import create, discard, finished, new_name
from .exchange import exchange

BOM = b"\xef\xbb\xbf"
Sign = tuple[int, int, int, int]
LONGEST_WRITE = 0.25
"""Seconds that another program takes to write a file, at most."""
PAUSE = 0.008
"""Seconds in which a file that is being written has other contents than before."""


class ChangedError(UsageError):
    """Another program wrote a file between reading and writing."""


@dataclass
class File:
    """A file as it was read last.

    Attributes:
        path: its path without links in its folders.
        data: its bytes.
        text: these as a text, without a byte order mark.
    """

    path: Path
    data: bytes
    text: str
    sign: Sign | None = None

    def bytes_of(self, text: str) -> bytes:
        """Another text as bytes of this file."""
        return (BOM if self.data.startswith(BOM) else b"") + text.encode()


def sign_of(path: Path) -> Sign | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev


class Files:
    """The scene's own file, by its name, and those that it includes, relative to its folder."""

    def __init__(self, path: Path, assets: Path | None = None) -> None:
        self.folder = path.parent.resolve()
        self.main = path.name
        self.folders = Folders((self.folder, assets), {self.main: self.folder})
        self.known: dict[str, File] = {}
        self._read(self.main, self.folder / path.name)

    def _read(self, name: str, path: Path) -> File:
        sign = sign_of(path)
        try:
            data = read_bytes(path, limits.FILE_BYTES)
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
        file = File(path, data, decode(data, name), sign)
        self.known[name] = file
        return file

    def find(self, name: str, by: str) -> str | None:
        """The name among these files of one that another file names; None if there is none."""
        try:
            path = self.folders.find(name, by)
        except ValueError:
            return None
        inside = path.is_relative_to(self.folder)
        shown = path.relative_to(self.folder).as_posix() if inside else str(path)
        if shown not in self.known:
            self.folders.beside[shown] = path.parent
            self._read(shown, path)
        return shown

    def changed_outside(self) -> dict[str, File]:
        """The files whose contents are not what was read, as they are now."""
        found = {}
        for name, file in self.known.items():
            sign = sign_of(file.path)
            if sign == file.sign and sign is not None:
                continue
            try:
                data, sign = _settled(file.path, file.data)
            except OSError as error:
                raise UsageError(f"{file.path}: cannot be read: {error.strerror}") from None
            if data != file.data:
                found[name] = File(file.path, data, decode(data, name), sign)
            file.sign = sign
        return found

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other editors from writing, which lock the folder too."""
        if sys.platform == "win32":
            yield  # where a folder cannot be locked
            return
        import fcntl

        descriptor = os.open(self.folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def check_writable(self, name: str) -> None:
        """Raise UsageError if a file may not be written."""
        path = self.known[name].path
        try:
            mode = path.lstat().st_mode
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
        if stat.S_ISLNK(mode):
            raise UsageError(f"{path} is a link, and links are not written through; open its file")
        if not stat.S_ISREG(mode):
            raise UsageError(f"{path} is no plain file")
        if not os.access(path, os.W_OK):
            raise UsageError(f"{path} is read-only")
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise UsageError(f"{path}: its folder cannot be written to")

    def _check_unchanged(self, names: Iterable[str]) -> None:
        """Raise ChangedError if another program has written one of some files since it was read."""
        for name in names:
            file = self.known[name]
            if sign_of(file.path) != file.sign and _settled(file.path, file.data)[0] != file.data:
                raise ChangedError(f"{file.path} is written by another program at this moment")

    def write(self, texts: Mapping[str, str]) -> None:
        """Write files, all or none.

        Raises ChangedError, with nothing written, if one of them is not as it was read.
        """
        for name in texts:
            self.check_writable(name)
        ready: list[tuple[str, Path, bytes]] = []
        done: list[tuple[Path, bytes]] = []
        try:
            for name, text in texts.items():
                file = self.known[name]
                data = file.bytes_of(text)
                decode(data, name)  # which refuses one that is too large
                ready.append((name, _beside(file.path, data), data))
            self._check_unchanged(texts)
            for name, temporary, data in ready:
                file = self.known[name]
                _put(temporary, file)
                done.append((file.path, file.data))
                self.known[name] = File(file.path, data, texts[name], sign_of(file.path))
        except ChangedError:
            _restore(done)
            raise
        except OSError as error:
            _restore(done[:-1] if len(done) == len(texts) else done)
            raise UsageError(f"{self.folder}: cannot be written: {error.strerror}") from None
        finally:
            for _, temporary, _ in ready:
                discard(temporary)


def _put(temporary: Path, file: File) -> None:
    """Give a new file its name.

    Raises ChangedError, with the file as it is, if another program has written it since it was
    checked, or is writing it.
    """
    if not exchange(temporary, file.path):
        temporary.replace(file.path)
        finished(temporary)
        return
    if read_bytes(temporary, limits.FILE_BYTES) == file.data:
        discard(temporary)
        return
    exchange(temporary, file.path)  # whoever is writing goes on in the same file
    raise ChangedError(f"{file.path} is written by another program at this moment")


def _restore(done: Iterable[tuple[Path, bytes]]) -> None:
    for path, data in done:
        with suppress(OSError):
            _beside(path, data).replace(path)


def _settled(path: Path, known: bytes) -> tuple[bytes, Sign | None]:
    """The bytes of a file that no program is writing: many empty it first, and write in pieces.

    A beginning of what was ``known``, or a text without an end of its last line, is probably one
    of these pieces, after which the next one may come late.
    """
    begin = time.monotonic()
    before: bytes | None = None
    sign: Sign | None = None
    while True:
        last, sign = sign, sign_of(path)
        data = read_bytes(path, limits.FILE_BYTES)
        is_old = sign is not None and time.time_ns() - sign[0] > 1e9 * LONGEST_WRITE
        is_piece = data != known and (
            known.startswith(data) or (known.endswith(b"\n") and not data.endswith(b"\n"))
        )
        is_same = (data, sign) == (before, last) and not is_piece
        longest = LONGEST_WRITE * (4 if is_piece else 1)
        if (data and (is_old or is_same)) or time.monotonic() - begin > longest:
            return data, sign
        before = data
        time.sleep(PAUSE)


def _beside(path: Path, data: bytes) -> Path:
    """A new file with these bytes and the rights of an old one, beside that."""
    temporary = new_name(path.parent)
    try:
        with create(temporary, path.stat()) as file:
            file.write(data)
    except BaseException:
        discard(temporary)
        raise
    return temporary
