# SPDX-License-Identifier: MIT
"""The tables whose rows are turns of a scene's generators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .. import limits
from ..text.files import Folders, real
from ..values.context import Wrong

if TYPE_CHECKING:
    from ..text.table import Table


class Tables:
    """The CSV files that a scene names, each read once."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._tables: dict[str, Table] = {}  # by their real paths
        self._wrong: dict[str, Wrong] = {}  # why there is none, likewise
        self._bytes = 0
        self._paths: dict[str, None] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths of all that were found."""
        return tuple(self._paths)

    def forget(self) -> None:
        """Keep the paths alone; what is asked for later is read again."""
        self._tables, self._wrong, self._bytes = {}, {}, 0

    def find(self, name: str, by: str) -> Table:
        """The table that the file ``by`` names; Wrong says why there is none."""
        asked = by, name
        if asked in self._folders.tables:
            path = self._folders.tables[asked][0]
        else:
            try:
                path = str(self._folders.find(name, by))
            except ValueError as error:
                raise Wrong("file", str(error)) from None
        self._paths[path] = None
        if path in self._wrong:
            raise self._wrong[path]
        if path not in self._tables:
            beside = Path(by).parent / name
            shown = str(beside) if str(real(beside)) == path else path
            try:
                self._read(path, shown, asked)
            except Wrong as wrong:
                self._wrong[path] = wrong
                raise
        return self._tables[path]

    def _read(self, path: str, shown: str, asked: tuple[str, str]) -> None:
        from ..text.table import Table, content, decoded  # which few scenes need

        if len(self._tables) >= limits.TABLES:
            message = f"more than {limits.TABLES} different tables; that is the limit"
            raise Wrong("limit", message)
        known = self._folders.tables.get(asked)
        data = content(path) if known is None else known[1]
        self._bytes += len(data)
        if self._bytes > limits.ALL_TABLE_BYTES:
            most = limits.ALL_TABLE_BYTES // 2**20
            message = f"the tables have more than {most} MiB together; that is the limit"
            raise Wrong("limit", message)
        self._tables[path] = Table(shown, decoded(data, shown))
        self._folders.tables[asked] = path, data
