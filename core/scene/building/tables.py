# SPDX-License-Identifier: MIT
"""The tables whose rows are turns of a scene's generators."""

from __future__ import annotations

from pathlib import Path

from .. import limits
from ..text.files import Folders, real
from ..text.table import Table, content, decoded
from ..values.context import Wrong


def find_table(folders: Folders, name: str, by: str) -> Table:
    """The table that the file ``by`` names, read once; Wrong says why there is none."""
    asked = by, name
    if asked in folders.tables:
        path = folders.tables[asked][0]
    else:
        try:
            path = str(folders.find(name, by))
        except ValueError as error:
            raise Wrong("file", str(error)) from None
    if path not in folders.parsed:
        try:
            folders.parsed[path] = _read(folders, path, asked)
        except Wrong as wrong:
            folders.parsed[path] = wrong
    table: Table | Wrong = folders.parsed[path]
    if isinstance(table, Wrong):
        raise table
    folders.tables.setdefault(asked, (path, table.data))
    return table


def _read(folders: Folders, path: str, asked: tuple[str, str]) -> Table:
    sizes = {each: len(data) for each, data in folders.tables.values()}
    if path not in sizes and len(sizes) >= limits.TABLES:
        message = f"more than {limits.TABLES} different tables; that is the limit"
        raise Wrong("limit", message)
    known = folders.tables.get(asked)
    data = content(path) if known is None else known[1]
    sizes[path] = len(data)
    if sum(sizes.values()) > limits.ALL_TABLE_BYTES:
        most = limits.ALL_TABLE_BYTES // 2**20
        message = f"the tables have more than {most} MiB together; that is the limit"
        raise Wrong("limit", message)
    by, name = asked
    beside = Path(by).parent / name
    shown = str(beside) if str(real(beside)) == path else path
    return Table(shown, decoded(data, shown), data)
