# SPDX-License-Identifier: MIT
"""Folders in object storage, such as `s3://bucket/name`: copied from there, and sent there.

An address is read and written by fsspec, an extra, with what it needs for the protocol. Programs
work in a folder here; ``kept_in`` sends what has changed in it, in the order of writing, and
deletes there only after sending, so that an interruption leaves what a local one would leave.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from .errors import UsageError
from .unfinished import discard, finished, new_name

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_MISSING = (
    "{address}: addresses need fsspec, which is not installed; pip install 'rigid2d[storage]' "
    "gets it, with s3fs for s3://"
)
_BUCKETS = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "adl"})
"""Protocols that have no folders, and buckets that are made on purpose only."""
BATCH = 64
"""Files that are sent at once."""
PAUSE = 5.0
"""Least seconds between two looks at what has to be sent."""
SHARE = 10.0
"""A look comes at the earliest after so many times as long as the last one took."""


def is_address(path: str | Path) -> bool:
    """Whether a name is an address such as `s3://bucket/name`, and not that of a file here."""
    return isinstance(path, str) and _ADDRESS.match(path) is not None


class Bucket:
    """A folder in object storage.

    All methods raise UsageError with the address where the storage fails.
    """

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        try:
            import fsspec
        except ImportError:
            raise UsageError(_MISSING.format(address=address)) from None
        with self._told("opened"):
            self._fs, self._root = fsspec.core.url_to_fs(self.address, use_listings_cache=False)
            protocol = self._fs.protocol
            self._has_buckets = not _BUCKETS.isdisjoint(
                [protocol] if isinstance(protocol, str) else protocol
            )

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except UsageError:
            raise
        except Exception as error:  # each storage has errors of its own
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            raise UsageError(f"{self.address}: cannot be {what}: {reason}") from error

    def names(self, below: str = "") -> list[str]:
        """The files, by their names in the folder, or those below a folder in it."""
        top = f"{self._root}/{below}".rstrip("/")
        with self._told("read"):
            try:
                found = self._fs.find(top)
            except FileNotFoundError:
                return []
        start = len(self._root.lstrip("/")) + 1
        return sorted(each.lstrip("/")[start:] for each in found if not each.endswith("/"))

    def fetch(self, name: str, target: Path) -> None:
        """Copy a file from there, whole or not at all; FileNotFoundError if there is none."""
        target.parent.mkdir(parents=True, exist_ok=True)
        made = new_name(target.parent)
        try:
            with self._told("read"):
                try:
                    self._fs.get_file(f"{self._root}/{name}", str(made))
                except FileNotFoundError:
                    made.unlink(missing_ok=True)
            if not made.exists():
                raise FileNotFoundError(f"{self.address}/{name}")
            made.replace(target)
            finished(made)
        finally:
            discard(made)

    def send(self, names: Sequence[str], folder: Path) -> None:
        """Copy files of a folder there, in any order."""
        places = [f"{self._root}/{name}" for name in names]
        with self._told("written"):
            if not self._has_buckets:  # where there are folders; a misspelt bucket is not made
                for top in {place.rpartition("/")[0] for place in places}:
                    self._fs.makedirs(top, exist_ok=True)
            self._fs.put([str(folder / name) for name in names], places)

    def delete(self, names: Sequence[str]) -> None:
        """Delete files there."""
        with self._told("written"):
            for name in names:
                try:
                    self._fs.rm_file(f"{self._root}/{name}")
                except FileNotFoundError:
                    continue


# ---------------------------------------------------------------- writing


Stamp = tuple[int, int, int]


class FolderMirror:
    """Sends what changes in a folder here to one in object storage."""

    def __init__(self, bucket: Bucket, folder: Path, last: Sequence[str]) -> None:
        self._bucket, self._folder, self._last = bucket, folder, tuple(last)
        self._sent: dict[str, Stamp] = {}
        self._due = 0.0

    def fetch(self, needed: Callable[[str], bool]) -> None:
        """Have all files here; those that are not needed have no content, and stay as they are."""
        for name in self._bucket.names():
            target = self._folder / name
            if needed(name):
                self._bucket.fetch(name, target)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.touch()
        self._sent = self._found()

    def keep_up(self) -> None:
        """Send what has changed, unless that was done a moment ago."""
        if time.monotonic() >= self._due:
            self.send()

    def send(self) -> None:
        """Send what has changed: files in the order of writing, then deletions."""
        begin = time.monotonic()
        found = self._found()
        changed = [name for name, stamp in found.items() if self._sent.get(name) != stamp]
        changed.sort(key=lambda name: (found[name][0], self._rank(name), name))
        for _, group in groupby(changed, self._rank):
            for names in _batches(list(group)):
                self._bucket.send(names, self._folder)
                self._sent |= {name: found[name] for name in names}
        gone = sorted(self._sent.keys() - found.keys())
        self._bucket.delete(gone)
        for name in gone:
            del self._sent[name]
        now = time.monotonic()
        self._due = now + max(PAUSE, SHARE * (now - begin))

    def _rank(self, name: str) -> int:
        """Later for what says that others are whole, where clocks do not tell."""
        if name in self._last:
            return 2 + self._last.index(name)
        return int(name.endswith(".jsonl"))

    def _found(self) -> dict[str, Stamp]:
        found: dict[str, Stamp] = {}
        for top, folders, files in os.walk(self._folder):
            folders[:] = [each for each in folders if not each.startswith(".rigid-")]
            for file in files:
                if not file.startswith(".rigid-"):
                    path = Path(top) / file
                    stat = path.stat()
                    name = path.relative_to(self._folder).as_posix()
                    found[name] = stat.st_mtime_ns, stat.st_size, stat.st_ino
        return found


def _send_rest(mirror: FolderMirror, folder: Path) -> None:
    try:
        mirror.send()
    except UsageError as error:
        kept = Path(tempfile.gettempdir()) / f"rigid-unsent-{os.urandom(4).hex()}"
        shutil.move(folder, kept)
        raise UsageError(
            f"{error}. The files that were not sent are in {kept}; the same command goes on from "
            "those that were"
        ) from None


def _batches(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]


def _everything(name: str) -> bool:
    return True


@contextmanager
def kept_in(
    out: str | Path, last: Sequence[str], needed: Callable[[str], bool] = _everything
) -> Iterator[tuple[Path, Callable[[], None]]]:
    """The folder of an output, and what to call when something was added to it.

    For an address it is a folder here, with what is there already, which is removed at the end.
    ``last`` are names of files that say that others are whole. Where the program is interrupted,
    the last seconds are not sent. Raises UsageError where the storage fails; if that is at the end,
    the folder here is kept.
    """
    if not is_address(out):
        yield Path(out), lambda: None
        return
    bucket = Bucket(str(out))
    folder = new_name(Path(tempfile.gettempdir()))
    try:
        folder.mkdir()
        mirror = FolderMirror(bucket, folder, last)
        mirror.fetch(needed)
        try:
            yield folder, mirror.keep_up
        except UsageError as error:
            _send_rest(mirror, folder)
            raise UsageError(str(error).replace(str(folder), bucket.address)) from None
        _send_rest(mirror, folder)
    finally:
        discard(folder)


# ---------------------------------------------------------------- reading


class LocalFiles:
    """The files of a finished output in a folder here."""

    def __init__(self, path: str | Path) -> None:
        self.address = str(path)
        self.folder = Path(path)

    def at(self, name: str) -> Path:
        """The place of a file, whether it is there or not."""
        return self.folder / name

    def all_at(self, name: str) -> Path:
        """The place of a folder with all its files."""
        return self.folder / name


class StoredCopies:
    """The files of a finished output in object storage: each is copied when it is asked for.

    The copies are in a temporary folder of this process, and last as long as this. A pickle is
    the address alone.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._bucket: Bucket | None = None
        self._opened = 0
        self._folder: Path | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"address": self.address, "_bucket": None, "_opened": 0, "_folder": None}

    @property
    def folder(self) -> Path:
        """The folder of the copies."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="rigid-copies-"))
            weakref.finalize(self, _remove, self._folder, os.getpid())
        return self._folder

    def at(self, name: str) -> Path:
        """The place of a file's copy; where there is none, nothing is there."""
        place = self.folder / name
        if not place.exists():
            with suppress(FileNotFoundError):
                self._open().fetch(name, place)
        return place

    def all_at(self, name: str) -> Path:
        """The place of a folder with copies of all its files."""
        place = self.folder / name
        if not place.exists():
            made = new_name(self.folder)
            try:
                for each in self._open().names(name):
                    self._open().fetch(each, made / Path(each).relative_to(name))
                place.parent.mkdir(parents=True, exist_ok=True)
                if made.exists() and not place.exists():
                    made.replace(place)
            finally:
                discard(made)
        return place

    def _open(self) -> Bucket:
        """The bucket of this process: connections do not outlive a fork."""
        if self._bucket is None or self._opened != os.getpid():
            self._bucket, self._opened = Bucket(self.address), os.getpid()
        return self._bucket


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # and not a fork of it
        shutil.rmtree(folder, ignore_errors=True)


def files_of(path: str | Path) -> LocalFiles | StoredCopies:
    """The files of a finished output, in a folder or at an address."""
    return StoredCopies(str(path)) if is_address(path) else LocalFiles(path)
