# SPDX-License-Identifier: MIT
"""The files that were edited lately, in the user's folder for states of programs.

A list that is missing, damaged or cannot be written is none; it never stops anything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ..errors import UsageError
from ..reading import read_bytes
from ..record.atomic import atomic_file

MOST = 20
"""Number of files that are remembered."""
_LARGEST = 1 << 20
_NAME = "recent.json"


def state_folder(
    environment: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> Path | None:
    """The folder of this program for what it remembers of a user; None where there is no home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if platform == "win32":
        said, usual = environment.get("LOCALAPPDATA", ""), home / "AppData" / "Local"
    elif platform == "darwin":
        said, usual = "", home / "Library" / "Application Support"
    else:
        said, usual = environment.get("XDG_STATE_HOME", ""), home / ".local" / "state"
    return (Path(said) if said and Path(said).is_absolute() else usual) / "rigid"


class RecentFiles:
    """The list of files, the one that was edited last first."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def paths(self) -> list[Path]:
        """The files that are still there."""
        return [each for each in self._all() if each.is_file()]

    def remember(self, path: Path) -> None:
        """Put a file at the head of the list."""
        if self._folder is None:
            return
        try:
            full = path.resolve()
            kept = [full, *(each for each in self._all() if each != full)][:MOST]
            with suppress(FileExistsError):
                self._folder.mkdir(mode=0o700, parents=True)
            with atomic_file(self._folder / _NAME) as stream:
                stream.write(json.dumps([str(each) for each in kept], indent=1).encode() + b"\n")
        except (OSError, RuntimeError, UsageError, ValueError):
            return

    def _all(self) -> list[Path]:
        if self._folder is None:
            return []
        try:
            found = json.loads(read_bytes(self._folder / _NAME, _LARGEST).decode())
        except (OSError, ValueError, RecursionError):
            return []
        texts = [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
        return [Path(each) for each in texts if "\0" not in each and Path(each).is_absolute()][
            :MOST
        ]
