# SPDX-License-Identifier: MIT
"""The record of a gallery, ``gallery.json``: the files that the gallery has made.

Other files in that folder are never replaced or removed. A file is listed before it is created, so
that the files of a killed program are known to the next one.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import UsageError
from ..reading import read_bytes
from ..record import atomic_file
from ..scene.limits import RECORD_BYTES

INDEX = "index.html"
MEMORY = "gallery.json"


@dataclass(frozen=True, slots=True)
class Rendered:
    """The record of a scene's pictures. Paths are relative to the gallery."""

    digest: str
    movie: str
    poster: str
    size: tuple[int, int]
    paper: str
    seconds: float
    bytes: int
    checks: tuple[int, int]
    page: str = ""  # where it can be played, if there is such a page
    text: str = ""  # the page with its file's text

    @property
    def files(self) -> tuple[str, ...]:
        return (self.movie, self.poster, *filter(None, (self.page, self.text)))


@dataclass
class GalleryRecord:
    """The gallery in ``folder``: its scenes by name, and files that belong to no finished one."""

    folder: Path
    scenes: dict[str, Rendered] = field(default_factory=dict)
    unfinished: set[str] = field(default_factory=set)
    exists: bool = False

    def claim(self, names: Iterable[str]) -> None:
        """Reserve files for writing. Raises UsageError for files that the gallery did not make."""
        own = self._own()
        for name in names:
            path = self.folder / name
            if _is_there(path) and (name not in own or not _is_plain(path)):
                raise UsageError(
                    f"{path}: exists and is not listed in {self.folder / MEMORY} as made by the "
                    "gallery; take it away, or name another folder with --out"
                )

    def known(self, name: str, digest: str) -> Rendered | None:
        """A scene's pictures if they exist and are up to date."""
        rendered = self.scenes.get(name)
        if rendered is None or rendered.digest != digest:
            return None
        there = all(
            (self.folder / file).is_file() for file in rendered.files if file != rendered.text
        )
        return rendered if there else None

    def adopt(self, name: str, rendered: Rendered, temporary: Path) -> None:
        """Put a scene's pictures, made in the folder ``temporary``, into their places."""
        older = self.scenes.pop(name, None)
        self.unfinished |= {*rendered.files, *(older.files if older else ())}
        self.store()
        for file in rendered.files:
            place = self.folder / file
            place.parent.mkdir(parents=True, exist_ok=True)
            (temporary / file).replace(place)
        self.scenes[name] = rendered
        self.unfinished -= {*rendered.files}
        self.store()

    def write(self, files: dict[str, bytes]) -> None:
        """Write files that do not come from rendering; they are listed first."""
        if not self._own() >= set(files):
            self.unfinished |= set(files)
            self.store()
        for name, content in files.items():
            place = self.folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(place) as file:
                file.write(content)

    def keep_only(self, scenes: dict[str, Rendered]) -> None:
        """Delete the pictures of all other scenes."""
        gone = self._own() - {INDEX, MEMORY}
        gone -= {file for rendered in scenes.values() for file in rendered.files}
        for file in gone:
            path = self.folder / file
            if _is_plain(path):
                path.unlink(missing_ok=True)
        self.scenes, self.unfinished = dict(scenes), set()
        self.store()

    def store(self) -> None:
        """Write the record."""
        stored: dict[str, Any] = {
            "scenes": {name: asdict(rendered) for name, rendered in self.scenes.items()}
        }
        if self.unfinished:
            stored["unfinished"] = sorted(self.unfinished)
        with atomic_file(self.folder / MEMORY) as file:
            file.write((json.dumps(stored, indent=1) + "\n").encode())
        self.exists = True

    def _own(self) -> set[str]:
        pictures = {file for rendered in self.scenes.values() for file in rendered.files}
        return pictures | self.unfinished | ({INDEX, MEMORY} if self.exists else set())


def read_record(folder: Path) -> GalleryRecord:
    """The record of the gallery in ``folder``; an empty one where there is no gallery yet.

    Raises:
        UsageError: when there is a file of that name that is no such record.
    """
    path = folder / MEMORY
    if not _is_there(path):
        return GalleryRecord(folder)
    try:
        if not _is_plain(path):
            raise ValueError("not a file")
        stored = json.loads(read_bytes(path, RECORD_BYTES))
        scenes = {str(name): _rendered(each) for name, each in stored["scenes"].items()}
        unfinished = {_inside(name) for name in stored.get("unfinished", [])}
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise UsageError(
            f"{path}: is not the record of a gallery; take it away, or name another folder "
            "with --out"
        ) from None
    return GalleryRecord(folder, scenes, unfinished, exists=True)


def _rendered(stored: dict[str, Any]) -> Rendered:
    """A scene's entry, every value of the type that it should have."""
    names = {each.name for each in fields(Rendered)}
    if not isinstance(stored, dict) or set(stored) | {"page", "text"} != names:
        raise ValueError("not an entry")
    width, height = (int(side) for side in stored["size"])
    held, total = (int(number) for number in stored["checks"])
    return Rendered(
        digest=str(stored["digest"]),
        movie=_inside(stored["movie"]),
        poster=_inside(stored["poster"]),
        size=(width, height),
        paper=str(stored["paper"]),
        seconds=float(stored["seconds"]),
        bytes=int(stored["bytes"]),
        checks=(held, total),
        page=_inside(stored["page"]) if stored.get("page") else "",
        text=_inside(stored["text"]) if stored.get("text") else "",
    )


def _inside(name: Any) -> str:
    """A file's name relative to the gallery, from which it does not lead out."""
    if not isinstance(name, str) or not name or "\0" in name:
        raise ValueError("not a name")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("outside the gallery")
    os.fsencode(name)  # a name that no file can have raises ValueError
    return name


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
