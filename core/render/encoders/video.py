# SPDX-License-Identifier: MIT
"""MP4: pipes frames to the ffmpeg of imageio-ffmpeg.

ffmpeg writes beside the file's place, in a session of its own, so that an interrupt reaches it only
through ``abort``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy as np

from ...errors import UsageError
from ...record.atomic import NewFile, cannot_be_written
from ...unfinished import add_helper, remove_helper
from ..sounds import RATE, Track
from .base import Size, UInt8, check_image, no_frames

_PLAIN = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
"""No version numbers and dates in the file: the same frames give the same bytes."""

MP4 = ["-rc-lookahead", "4", "-threads", "2", *_PLAIN, "-movflags", "+faststart", "-f", "mp4"]


def _colors(full: bool) -> list[str]:
    """The conversion of colours, with tags that say to players how to convert them back.

    They are set on the pictures: these have no primaries and no transfer of their own, and
    ffmpeg lets that prevail over the options of the same names.
    """
    layout = "yuv444p" if full else "yuv420p"
    tags = "range=tv:color_primaries=bt709:color_trc=iec61966-2-1:colorspace=bt709"
    return ["-vf", f"scale=out_color_matrix=bt709:out_range=tv,format={layout},setparams={tags}"]


DETAILED = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "20")
SMALL = ("-c:v", "libx264", "-preset", "medium", "-crf", "30")


def video_size(size: Size) -> Size:
    """Return the size of a video, which is even: colours are stored for two by two pixels."""
    return size[0] + size[0] % 2, size[1] + size[1] % 2


def size_note(path: str | Path, size: Size) -> str:
    """A note on a video whose size differs from that of its pictures; empty for others."""
    made = video_size(size)
    if made == tuple(size):
        return ""
    return (
        f"{path}: {made[0]}x{made[1]} instead of {size[0]}x{size[1]}: the sides of an MP4 are "
        "even, so its last row or column is there twice"
    )


class FfmpegEncoder:
    """Streams frames to ffmpeg. Odd sizes, unknown to MP4, are padded with the edge.

    Colours are stored for two by two pixels, or with ``full_colors`` for each.
    """

    def __init__(
        self,
        path: Path,
        fps: float,
        size: Size,
        small: bool = False,
        sound: Track | None = None,
        full_colors: bool = False,
    ) -> None:
        self._path, self._size, self._sound = path, size, sound
        self._count = 0
        rate = Fraction(fps).limit_denominator(100_000)
        width, height = video_size(size)
        self._pad = (height - size[1], width - size[0])
        program = self._program = _ffmpeg()
        self._output = NewFile(path)  # which ffmpeg opens by its name
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the encoder
        command = [
            *(program, "-hide_banner", "-loglevel", "error", "-y"),
            *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"),
            *("-r", f"{rate.numerator}/{rate.denominator}", "-i", "-", "-an"),
            *(SMALL if small else DETAILED),
            *_colors(full_colors),
            *MP4,
            f"file:{self._output.temporary}",
        ]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._messages,
                start_new_session=True,
            )
        except OSError as problem:
            self._messages.close()
            self._output.abort()
            raise cannot_be_written(path, problem) from None
        add_helper(self._process.pid)

    def add(self, image: UInt8) -> None:
        check_image(image, self._size)
        if any(self._pad):
            image = np.pad(image, ((0, self._pad[0]), (0, self._pad[1]), (0, 0)), mode="edge")
        assert self._process.stdin is not None
        self._count += 1
        try:
            self._process.stdin.write(np.ascontiguousarray(image).data.cast("B"))
        except OSError:
            raise self._failure() from None

    def close(self) -> None:
        if self._count == 0:
            self.abort()
            raise no_frames(self._path)
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        if self._process.wait() != 0:
            raise self._failure()
        remove_helper(self._process.pid)
        try:
            samples = None if self._sound is None else self._sound(self._program)
            if samples is not None:
                self._add_sound(samples.tobytes())
        except BaseException:
            self._messages.close()
            self._output.abort()
            raise
        self._messages.close()
        self._output.commit()

    def _add_sound(self, samples: bytes) -> None:
        """Put a sound track beside the pictures, which stay as they are."""
        silent = self._output.temporary
        with tempfile.NamedTemporaryFile(dir=Path(silent).parent, suffix=".mp4") as made:
            command = [
                *(
                    self._program,
                    "-hide_banner",
                    "-loglevel",
                    "error",
                    "-y",
                    "-i",
                    f"file:{silent}",
                ),
                *("-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-"),
                *("-c:v", "copy", "-c:a", "aac", "-b:a", "96k", "-flags:a", "+bitexact", *_PLAIN),
                *("-movflags", "+faststart", "-f", "mp4", f"file:{made.name}"),
            ]
            done = subprocess.run(
                command, input=samples, capture_output=True, check=False, start_new_session=True
            )
            if done.returncode != 0:
                lines = done.stderr.decode(errors="replace").strip().splitlines()
                reason = lines[-1] if lines else "no reason given"
                raise UsageError(f"{self._path}: ffmpeg stopped: {reason}")
            shutil.copyfile(made.name, silent)

    def abort(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.wait()
        remove_helper(self._process.pid)
        self._messages.close()
        self._output.abort()

    def _failure(self) -> UsageError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        self._messages.seek(0)
        text = self._messages.read(2000).decode(errors="replace").strip().splitlines()
        self.abort()
        return UsageError(
            f"{self._path}: ffmpeg stopped: {text[-1] if text else 'no reason given'}"
        )


def _ffmpeg() -> str:
    """The program, of imageio-ffmpeg or, in a small install without that, of the system."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        found = os.environ.get("IMAGEIO_FFMPEG_EXE") or shutil.which("ffmpeg")
        if found is not None:
            return found
        raise UsageError(
            "no ffmpeg was found, which MP4 needs; install imageio-ffmpeg or an ffmpeg, or set "
            "IMAGEIO_FFMPEG_EXE to one (GIF, WebP and PNG work without)"
        ) from None
