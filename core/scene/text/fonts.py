# SPDX-License-Identifier: MIT
"""Fonts that a scene names: their sizes, and errors of reading."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ...fonts.font import Font
from ...reading import read_bytes
from .. import limits


def read_font(path: str) -> Font:
    """A font file, a TTF or OTF. ValueError says why there is none."""
    try:
        status = Path(path).stat()
        return _read(path, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise ValueError(f"the font cannot be read: {error.strerror}") from None


@lru_cache(maxsize=8)
def _read(path: str, changed: int, size: int) -> Font:
    return Font(read_bytes(path, limits.FONT_BYTES))
