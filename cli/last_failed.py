# SPDX-License-Identifier: MIT
"""The memory of `rigid test --last-failed`: scenes that failed in their last run.

It is a folder of its own, beside `pyproject.toml` or in the working folder, which nothing else
uses: it may be deleted, and a damaged one is ignored. Scenes outside are not remembered.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from rigid2d.core.errors import UsageError
from rigid2d.core.record.atomic import atomic_file

FOLDER = ".rigid_cache"
_FILE = "last_failed.json"
_LARGEST = 16 << 20


class LastFailed:
    """The failed scenes, by their paths relative to the memory's parent folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.failed = self._read()

    def chosen(self, files: Iterable[str]) -> list[str]:
        """The files that failed."""
        return [file for file in files if self._keys([file]) & self.failed]

    def remember(self, run: Iterable[str], failed: Collection[str]) -> None:
        """Record the results of the files that were run; other entries are unchanged.

        Where nothing can be written, nothing is remembered.
        """
        now = (self.failed - self._keys(run)) | self._keys(failed)
        if now == self.failed:
            return
        try:
            self._write(sorted(now))
        except (OSError, UsageError):
            return
        self.failed = now

    def _keys(self, files: Iterable[str]) -> set[str]:
        """The names of files in the memory; files outside of its parent folder have none."""
        paths = [os.path.relpath(os.path.realpath(file), self.root) for file in files]
        return {Path(path).as_posix() for path in paths if not path.startswith(os.pardir)}

    def _read(self) -> set[str]:
        path = self.root / FOLDER / _FILE
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST:
                return set()
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return set()
        return (
            {each for each in found if isinstance(each, str)} if isinstance(found, list) else set()
        )

    def _write(self, failed: list[str]) -> None:
        folder = self.root / FOLDER
        if not folder.is_dir():
            folder.mkdir()
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        with atomic_file(folder / _FILE) as stream:
            stream.write(json.dumps(failed, indent=1).encode() + b"\n")
