# SPDX-License-Identifier: MIT
"""Chooses the encoder of a file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ...arguments import checked, named, optional, real, size, text, whole
from ...errors import UsageError
from ...scene.limits import FPS, FRAME_SIDE
from ..canvas.colors import Color
from ..sounds import Track
from .background import BackgroundEncoder
from .base import Encoder

KINDS = ("gif", "mp4", "webp", "png", "frames")
"""``png`` is a single picture, ``frames`` a folder of them."""


def _size(value: Any, name: str) -> tuple[int, int]:
    width, height = size(value, name)
    side = whole(1, FRAME_SIDE[1])
    return side(width, f"{name}[0]"), side(height, f"{name}[1]")


@checked(path=named, kind=optional(text), fps=real, size=_size)
def open_encoder(
    path: str | PathLike[str],
    kind: str | None,
    fps: float,
    size: tuple[int, int],
    *,
    colors: Sequence[Color] = (),
    small: bool = False,
    sound: Track | None = None,
    full_colors: bool = False,
) -> Encoder:
    """An encoder for images of ``size`` (width, height), working in a thread of its own.

    Args:
        path: the file, or for ``frames`` the folder.
        kind: one of ``KINDS``; None takes it from the file's name.
        fps: frames per second; a single picture has no use for it.
        colors: colours of large areas (``Renderer.colors``), which a GIF shows exactly.
        small: an MP4 of less detail, in half of the bytes; a PNG of at most 256 colours.
        full_colors: an MP4 that stores the colour of each pixel, which not all players show.
        sound: makes the sound track of an MP4 when all its pictures are there.

    Raises:
        UsageError: when the kind is unknown or the file cannot be made there.
    """
    place = Path(path)
    name = kind_of(place) if kind is None else kind
    if not 0.0 < fps <= FPS:
        raise UsageError(f"{place}: fps {fps:g} cannot be; it is above 0 and at most {FPS}")
    # Each is imported when it is used: some need Pillow, which takes its time.
    if name == "gif":
        from .gif import GifEncoder

        return BackgroundEncoder(GifEncoder(place, fps, size, colors))
    if name == "mp4":
        from .video import FfmpegEncoder

        return BackgroundEncoder(FfmpegEncoder(place, fps, size, small, sound, full_colors))
    if name == "webp":
        from .webp import WebpEncoder

        return BackgroundEncoder(WebpEncoder(place, fps, size))
    if name == "frames":
        from .images import FramesEncoder

        return BackgroundEncoder(FramesEncoder(place, size))
    if name == "png":
        from .images import PngEncoder

        return PngEncoder(place, size, small)
    raise UsageError(
        f"{place}: no kind of picture is called {name!r}; there are {', '.join(KINDS)}"
    )


def kind_of(path: Path) -> str:
    """The kind that a file's name asks for.

    Raises:
        UsageError: when its suffix is none of ours.
    """
    suffix = path.suffix.lower()
    kinds = {".gif": "gif", ".mp4": "mp4", ".webp": "webp", ".png": "png", "": "frames"}
    if suffix not in kinds:
        raise UsageError(
            f"{path}: no picture is written as {suffix}; use .gif, .mp4, .webp or .png, "
            "or a folder for all frames as PNG"
        )
    return kinds[suffix]
