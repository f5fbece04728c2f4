# SPDX-License-Identifier: MIT
"""PNG: a single picture, or a folder of all frames."""

from __future__ import annotations

import io
import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ...errors import UsageError
from ...record.atomic import atomic_file, cannot_be_written, check_place
from ...record.folder_lock import folder_lock
from ...unfinished import discard, finished, new_name
from .base import Size, UInt8, check_image, no_frames
from .gif import still_gif

NAME = "frame-{:05d}.png"
_A_NAME = re.compile(r"frame-\d{5,}\.png")

_MARK = b"tEXtSoftware\0rigid"
"""The mark of every frame, a keyword of the PNG standard (11.3.3.2), near its start."""
_NEAR = 256
MOST_COLORS = 256


class PngEncoder:
    """A single picture: the last image given. A small one has a palette of at most 256 colours."""

    def __init__(self, path: Path, size: Size, small: bool = False) -> None:
        check_place(path)
        self._path, self._size, self._small = path, size, small
        self._image: UInt8 | None = None

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        self._image = image

    def close(self) -> None:
        if self._image is None:
            raise no_frames(self._path)
        picture = in_palette(self._image) if self._small else Image.fromarray(self._image)
        content = _bytes(picture, PngInfo(), optimize=True)
        with atomic_file(self._path) as file:
            file.write(content)

    def abort(self) -> None:
        self._image = None


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as problem:  # no name that the system can look up
        raise cannot_be_written(path, problem) from None


class FramesEncoder:
    """A folder of pictures ``frame-00000.png`` and so on.

    They are written into a hidden folder first. A folder that is there already keeps its other
    files; frames of an older, longer run are removed. A picture of such a name that does not say
    of itself that rigid made it is another program's, and an error.
    """

    def __init__(self, path: Path, size: Size) -> None:
        if not _is_there(path):
            check_place(path)
        elif not path.is_dir():
            raise UsageError(f"{path}: this is a file; frames need a folder")
        elif not os.access(path, os.W_OK | os.X_OK):
            raise UsageError(f"{path}: cannot be written: the folder is read-only")
        _own_frames(path)
        self._path, self._size, self._count = path, size, 0
        self._busy = threading.Lock()  # abort comes from another thread, and in between
        try:
            self._made = new_name(path if path.exists() else path.parent)
            self._made.mkdir()
        except OSError as problem:
            discard(self._made)
            raise cannot_be_written(path, problem) from None

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        content = png_bytes(image, mark=True)
        try:
            with self._busy:
                (self._made / NAME.format(self._count)).write_bytes(content)
        except OSError as problem:
            raise cannot_be_written(self._path, problem) from None
        self._count += 1

    def close(self) -> None:
        if self._count == 0:
            self.abort()
            raise no_frames(self._path)
        try:
            with self._busy:
                self._move()
        except OSError as problem:
            self.abort()
            raise cannot_be_written(self._path, problem) from None
        except BaseException:
            self.abort()
            raise

    def _move(self) -> None:
        with suppress(OSError):  # there is such a folder, and it is not empty
            self._made.rename(self._path)
            finished(self._made)
            return
        names = [NAME.format(i) for i in range(self._count)]
        with folder_lock(self._path):
            older = _own_frames(self._path)
            for name in names:
                (self._made / name).replace(self._path / name)
            for old in older - set(names):
                (self._path / old).unlink()
        discard(self._made)

    def abort(self) -> None:
        with self._busy:
            discard(self._made)


def in_palette(image: UInt8) -> Image.Image:
    """The image with a palette: the same colours if there are few, else those that a GIF has."""
    packed = (image.astype(np.uint32) << np.array([16, 8, 0], np.uint32)).sum(-1, np.uint32)
    colors, places = np.unique(packed, return_inverse=True)
    if len(colors) <= MOST_COLORS:
        palette = np.stack([colors >> 16, colors >> 8 & 255, colors & 255], -1).astype(np.uint8)
        picture = Image.fromarray(places.reshape(packed.shape).astype(np.uint8))
        picture.putpalette(palette.tobytes())
        return picture
    return Image.open(io.BytesIO(still_gif(image)))


def png_bytes(image: UInt8 | NDArray[np.uint16], *, mark: bool = False) -> bytes:
    """The bytes of a PNG file: colours, or numbers of 16 bits."""
    words = PngInfo()
    if mark:
        words.add_text("Software", "rigid")
    return _bytes(Image.fromarray(image), words)


def _bytes(picture: Image.Image, words: PngInfo, optimize: bool = False) -> bytes:
    """Through memory, as Pillow then hears an interrupt."""
    buffer = io.BytesIO()
    if optimize:
        picture.save(buffer, "PNG", optimize=True, pnginfo=words)
    else:
        picture.save(buffer, "PNG", compress_level=3, pnginfo=words)
    return buffer.getvalue()


def _own_frames(folder: Path) -> set[str]:
    """The names of the frames in ``folder``, which an earlier run has made.

    Raises:
        UsageError: when one of them is another program's.
    """
    found = set()
    for path in _frames(folder):
        if not _is_own(path):
            raise UsageError(
                f"{path}: is not a frame that rigid made, and would be lost; "
                "take it away or name another folder"
            )
        found.add(path.name)
    return found


def _frames(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in sorted(folder.iterdir()) if _A_NAME.fullmatch(path.name))


def _is_own(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return _MARK in file.read(_NEAR)
