# SPDX-License-Identifier: MIT
"""The interface of encoders."""

from __future__ import annotations

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


def check_image(image: UInt8, size: Size) -> None:
    """Raise UsageError when an image has not the size that was announced."""
    if image.shape != (size[1], size[0], 3) or image.dtype != np.uint8:
        raise UsageError(
            f"an image of shape {image.shape} was given to a file of {size[0]}x{size[1]} pixels"
        )


def no_frames(path: Path) -> UsageError:
    return UsageError(f"{path}: there is no frame to write; a run needs at least one")
