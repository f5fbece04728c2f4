# SPDX-License-Identifier: MIT
"""Sound files that a scene names: their sizes, and errors of reading."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ...reading import read_bytes
from .. import limits

KINDS = {".wav": (b"RIFF", b"WAVE"), ".ogg": (b"OggS", b"")}
"""The first bytes of a file, and those at offset 8."""
OF_A_FILE = re.compile(r".*/.*|.*\.[A-Za-z][A-Za-z0-9]{1,4}")
"""A name that no built-in sound has."""


def is_file(name: str) -> bool:
    """Whether the name of a sound is that of a file."""
    return PurePosixPath(name).suffix.lower() in KINDS


def check_kind(name: str) -> None:
    """Raise ValueError for a file of another kind."""
    if not is_file(name) and OF_A_FILE.fullmatch(name):
        raise ValueError(f"`{name}` cannot be played: sounds are files of .wav or .ogg")


def sound_bytes(path: str) -> bytes:
    """The bytes of a sound file. Raises ValueError where it cannot be read."""
    try:
        return read_bytes(path, limits.SOUND_BYTES)
    except OSError as error:
        raise ValueError(f"the sound cannot be read: {error.strerror or error}") from None


def check_sound(path: str) -> None:
    """Raise ValueError for a file that is no sound."""
    data = sound_bytes(path)
    kind = PurePosixPath(path).suffix.lower()
    begin, inside = KINDS[kind]
    if not data.startswith(begin) or data[8 : 8 + len(inside)] != inside:
        raise ValueError(f"`{PurePosixPath(path).name}` is no sound of {kind}")
