# SPDX-License-Identifier: MIT
"""GIF (GIF89a), written frame by frame.

One palette serves all frames: it is chosen for the scene's colours and the first frame and grows as
new colours appear, so its place in the header is filled in last. A frame of other colours, and all
that follow, have a palette of their own. Each frame holds only the rectangle that changed,
unchanged pixels in it being transparent; a frame in which nothing changed only lengthens the one
before.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ... import _native
from ...record.atomic import NewFile, cannot_be_written
from ..canvas.colors import Color
from .base import Size, UInt8, check_image, no_frames

LEAST_DELAY = 2
"""In hundredths of a second. Viewers show frames with a shorter delay far too long."""
LONGEST_DELAY = 65535

_PALETTE_OFFSET = 13
_LOOP_FOREVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"

_END = b"\x3b"
_NOTHING = b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00"
"""An image of one transparent pixel."""


def still_gif(image: UInt8) -> bytes:
    """The bytes of a GIF of one image, in its best palette."""
    height, width = image.shape[:2]
    frames = _native.GifFrames(width, height, np.empty((0, 3), np.uint8), alone=True)
    block = frames.add(image)
    return _head((width, height)) + frames.palette.ljust(768, b"\0") + block + _END


def _head(size: Size) -> bytes:
    """The chunks before the palette."""
    return b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0)


class GifEncoder:
    """Writes one GIF. Frames closer than 2/100 s are left out, so that all keep their time."""

    def __init__(self, path: Path, fps: float, size: Size, colors: Sequence[Color] = ()) -> None:
        self._path, self._size, self._fps = path, size, fps
        own = np.array([color[:3] for color in colors], np.uint8).reshape(-1, 3)
        self._frames = _native.GifFrames(size[0], size[1], own)
        self._count = 0
        self._shown_at = 0  # hundredths, when the frame waiting was first shown
        self._waiting = b""
        self._output = NewFile(path)
        self._file = self._output.file
        try:
            self._file.write(_head(size) + bytes(768) + _LOOP_FOREVER)
        except OSError as problem:
            self.abort()
            raise cannot_be_written(path, problem) from None

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        now = self._time(self._count)
        self._count += 1
        if self._count > 1 and now - self._shown_at < LEAST_DELAY:
            return
        self._show(image, now)

    def close(self) -> None:
        if self._count == 0:
            self.abort()
            raise no_frames(self._path)
        try:
            self._write_waiting(max(self._time(self._count), self._shown_at + LEAST_DELAY))
            self._file.write(_END)
            self._file.seek(_PALETTE_OFFSET)
            self._file.write(self._frames.palette)
        except OSError as problem:
            self.abort()
            raise cannot_be_written(self._path, problem) from None
        self._output.commit()

    def abort(self) -> None:
        self._output.abort()

    def _time(self, frame: int) -> int:
        return int(100.0 * frame / self._fps + 0.5)

    def _show(self, image: UInt8, now: int) -> None:
        block = self._frames.add(image)
        if not block:
            return
        try:
            if self._waiting:
                self._write_waiting(now)
        except OSError as problem:
            raise cannot_be_written(self._path, problem) from None
        self._waiting, self._shown_at = block, now

    def _write_waiting(self, until: int) -> None:
        """Write the frame shown so far, now that it is known how long it stays."""
        left, block = until - self._shown_at, self._waiting
        while left > 0:
            delay = min(left, LONGEST_DELAY)
            left -= delay
            # Do not dispose; index 0 is transparent.
            self._file.write(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, delay, 0, 0))
            self._file.write(block)
            block = _NOTHING
