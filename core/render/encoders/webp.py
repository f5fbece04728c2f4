# SPDX-License-Identifier: MIT
"""Animated WebP, written frame by frame (the container: RFC 9649).

libwebp makes animations only as a whole and in memory. Here it gets a few pictures at a time, and
the frames of its small animations are put one behind the other, so that memory does not grow with
the length. A picture in which nothing changed only lengthens the one before.
"""

from __future__ import annotations

import io
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image

from ...record.atomic import NewFile, cannot_be_written
from .base import Size, UInt8, check_image, no_frames

QUALITY = 75  # of 100
EFFORT = 2  # of 6: more makes files little smaller and takes far longer
BATCH_BYTES = 32 << 20  # of pictures that are encoded together
LONGEST = 0xFFFFFF  # milliseconds that one frame can last

_ANIMATION = 0x02  # a flag of the file's header
_REPLACE = 0x02  # a flag of a frame: it is put over the old picture, not blended with it


class WebpEncoder:
    """Writes one animated WebP."""

    def __init__(self, path: Path, fps: float, size: Size) -> None:
        self._path, self._size, self._fps = path, size, fps
        self._count = 0
        self._batch: list[UInt8] = []
        self._starts: list[int] = []  # milliseconds, of each picture of the batch
        self._output = NewFile(path)
        self._file = self._output.file
        header = struct.pack("<B3x", _ANIMATION) + _three(size[0] - 1) + _three(size[1] - 1)
        try:
            self._file.write(b"RIFF" + bytes(4) + b"WEBP" + _chunk(b"VP8X", header))
            self._file.write(_chunk(b"ANIM", struct.pack("<IH", 0, 0)))  # loops for ever
        except OSError as problem:
            self.abort()
            raise cannot_be_written(path, problem) from None

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        now = self._time(self._count)
        self._count += 1
        if self._batch and np.array_equal(image, self._batch[-1]):
            return
        if self._batch and (len(self._batch) + 1) * image.nbytes > BATCH_BYTES:
            self._write_batch(now)
        self._batch.append(image)
        self._starts.append(now)

    def close(self) -> None:
        if self._count == 0:
            self.abort()
            raise no_frames(self._path)
        try:
            self._write_batch(self._time(self._count))
            length = self._file.tell()
            self._file.seek(4)
            self._file.write(struct.pack("<I", length - 8))
        except OSError as problem:
            self.abort()
            raise cannot_be_written(self._path, problem) from None
        self._output.commit()

    def abort(self) -> None:
        self._output.abort()

    def _time(self, frame: int) -> int:
        return int(1000.0 * frame / self._fps + 0.5)

    def _write_batch(self, until: int) -> None:
        """Encode the pictures that wait; the last of them is shown until then."""
        times = [*self._starts, until]
        durations = [min(b - a, LONGEST) for a, b in pairwise(times)]
        chunks = _encode(self._batch, durations)
        frames = [content for name, content in chunks if name == b"ANMF"]
        if not frames:  # a still picture
            width, height = self._size
            head = bytes(6) + _three(width - 1) + _three(height - 1)
            picture = b"".join(_chunk(*chunk) for chunk in chunks if chunk[0] != b"VP8X")
            frames = [head + _three(sum(durations)) + bytes([_REPLACE]) + picture]
        try:
            for frame in frames:
                self._file.write(_chunk(b"ANMF", frame))
        except OSError as problem:
            raise cannot_be_written(self._path, problem) from None
        self._batch, self._starts = [], []


def _encode(images: list[UInt8], durations: list[int]) -> list[tuple[bytes, bytes]]:
    """The chunks of a WebP file of these pictures: name and content."""
    first, *rest = [Image.fromarray(image) for image in images]
    more = {"save_all": True, "append_images": rest, "duration": durations} if rest else {}
    buffer = io.BytesIO()
    first.save(buffer, "WEBP", quality=QUALITY, method=EFFORT, **more)
    data, at = buffer.getvalue(), 12
    chunks = []
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at + 4)
        chunks.append((data[at : at + 4], data[at + 8 : at + 8 + length]))
        at += 8 + length + length % 2
    return chunks


def _three(value: int) -> bytes:
    return value.to_bytes(3, "little")


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)
