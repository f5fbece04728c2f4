"""PNG: a single picture, or a folder of all frames."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from PIL import Image

from ...errors import UsageError
from .base import Size, UInt8, check_image, check_place, failed, no_frames, partial_path

NAME = "frame-{:05d}.png"
PATTERN = "frame-[0-9]*.png"


class PngEncoder:
    """A single picture: the last image given."""

    def __init__(self, path: Path, size: Size) -> None:
        check_place(path)
        self._path, self._partial, self._size = path, partial_path(path), size
        self._image: UInt8 | None = None

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        self._image = image

    def close(self) -> None:
        if self._image is None:
            raise no_frames(self._path)
        try:
            with self._partial.open("wb") as file:
                Image.fromarray(self._image).save(file, "PNG", optimize=True)
            self._partial.replace(self._path)
        except OSError as problem:
            self.abort()
            raise failed(self._path, problem) from None

    def abort(self) -> None:
        self._image = None
        self._partial.unlink(missing_ok=True)


class FramesEncoder:
    """A folder of pictures ``frame-00000.png`` and so on.

    They are written into a hidden folder first. A folder that is there already keeps its other
    files; frames of an older, longer run are removed.
    """

    def __init__(self, path: Path, size: Size) -> None:
        if path.exists() and not path.is_dir():
            raise UsageError(f"{path}: this is a file; frames need a folder")
        if not path.exists():
            check_place(path)
        elif not os.access(path, os.W_OK | os.X_OK):
            raise UsageError(f"{path}: the folder cannot be written to")
        self._path, self._size, self._count = path, size, 0
        self._partial = path / ".frames.partial" if path.exists() else partial_path(path)
        try:
            shutil.rmtree(self._partial, ignore_errors=True)
            self._partial.mkdir()
        except OSError as problem:
            raise failed(path, problem) from None

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        try:
            with (self._partial / NAME.format(self._count)).open("wb") as file:
                Image.fromarray(image).save(file, "PNG", compress_level=3)
        except OSError as problem:
            raise failed(self._path, problem) from None
        self._count += 1

    def close(self) -> None:
        if self._count == 0:
            self.abort()
            raise no_frames(self._path)
        try:
            if not self._path.exists():
                self._partial.replace(self._path)
                return
            names = {NAME.format(i) for i in range(self._count)}
            for name in sorted(names):
                (self._partial / name).replace(self._path / name)
            for old in self._path.glob(PATTERN):
                if old.name not in names:
                    old.unlink()
            self._partial.rmdir()
        except OSError as problem:
            self.abort()
            raise failed(self._path, problem) from None

    def abort(self) -> None:
        shutil.rmtree(self._partial, ignore_errors=True)
