# SPDX-License-Identifier: MIT
"""Exchanges the names of two files at once."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

_HERE = -100  # AT_FDCWD
_SWAP = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def exchange(one: Path, other: Path) -> bool:
    """Give each of two files of one folder the name of the other; False where no system call does
    that, and then nothing has happened."""
    call = _call()
    if call is None:
        return False
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin":
        return int(call(first, second, _SWAP)) == 0
    return int(call(_HERE, first, _HERE, second, _SWAP)) == 0


@cache
def _call() -> Any:
    name = {"linux": "renameat2", "darwin": "renamex_np"}.get(sys.platform)
    if name is None:
        return None
    try:
        call = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError):
        return None
    path, number = ctypes.c_char_p, ctypes.c_int
    call.argtypes = (
        (path, path, ctypes.c_uint)
        if sys.platform == "darwin"
        else (number, path, number, path, ctypes.c_uint)
    )
    return call
