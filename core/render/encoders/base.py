"""What every encoder does, and how a file comes into its place whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError

UInt8 = NDArray[np.uint8]
Size = tuple[int, int]


class Encoder(Protocol):
    """Takes images [height, width, 3] one by one; the file is there once ``close`` returned.

    An image handed over must not be changed afterwards. ``abort`` may be called at any time, also
    after a failure: nothing new is left, and an older file of that name is as it was.
    """

    def add(self, image: UInt8) -> None: ...

    def close(self) -> None: ...

    def abort(self) -> None: ...


def partial_path(path: Path) -> Path:
    """Where a file is written before it is whole: hidden, beside its place."""
    return path.with_name(f".{path.name}.partial")


def check_place(path: Path) -> None:
    """Raise UsageError when no file of that name can be made."""
    folder = path.parent
    if not folder.exists():
        raise UsageError(f"{path}: there is no folder {folder}; make it first")
    if not folder.is_dir():
        raise UsageError(f"{path}: {folder} is not a folder")
    if path.is_dir():
        raise UsageError(f"{path}: this is a folder; a file name is needed")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{path}: the folder {folder} cannot be written to")


def check_image(image: UInt8, size: Size) -> None:
    """Raise UsageError when an image has not the size that was announced."""
    if image.shape != (size[1], size[0], 3) or image.dtype != np.uint8:
        raise UsageError(
            f"an image of shape {image.shape} was given to a file of {size[0]}x{size[1]} pixels"
        )


def no_frames(path: Path) -> UsageError:
    return UsageError(f"{path}: there is no frame to write; a run needs at least one")


def failed(path: Path, problem: OSError) -> UsageError:
    return UsageError(f"{path}: cannot be written: {problem.strerror or problem}")
