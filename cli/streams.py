# SPDX-License-Identifier: MIT
"""Makes the three standard streams usable if closed or of a narrow encoding."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO


def prepare() -> None:
    """Replace closed streams, and escape characters that a stream cannot encode.

    A stream that the caller closed stays unusable, and says so when it is needed. Its number must
    not go to the next file that is opened, into which messages would be written.
    """
    _occupy(0, os.O_WRONLY)
    _occupy(1, os.O_RDONLY)
    _occupy(2, os.O_WRONLY)  # there is no stream left to report this on
    sys.stdin = sys.stdin or _text(0, "r")
    sys.stdout = sys.stdout or _text(1, "w")
    sys.stderr = sys.stderr or _text(2, "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _occupy(number: int, flags: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        opened = os.open(os.devnull, flags)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)


def _text(number: int, mode: str) -> TextIO:
    raw = io.FileIO(number, mode, closefd=False)
    if mode == "r":
        return io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8")
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", line_buffering=True)


def silence(stream: TextIO | None) -> None:
    """Point a stream at nothing, so that the interpreter's last flush has nowhere to fail."""
    if stream is None:
        return
    try:
        number = stream.fileno()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, number)
        os.close(nothing)
        stream.flush()
    except (OSError, ValueError):
        return
