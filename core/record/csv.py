# SPDX-License-Identifier: MIT
"""Traces as CSV. Numbers are written so that they read back exactly.

Layout ``wide``: one row per recorded step, columns ``t``, ``ball.x``, ``ball.y``, ...
Layout ``long``: one row per value, columns ``t``, ``name``, ``channel``, ``value``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, named, one_of, text, texts
from ..errors import UsageError
from .atomic import NewFile, cannot_be_written
from .trace import Trace

Float64 = NDArray[np.float64]
Layout = Literal["wide", "long"]


class CsvWriter:
    """Writes rows as they come, beside ``path``; ``close`` gives the file its name.

    As a context manager it closes when the block ends well and aborts when it raises.
    """

    @checked(path=named, channels=texts, layout=text)
    def __init__(
        self, path: str | Path, channels: Sequence[str], layout: Layout | str = "wide"
    ) -> None:
        if layout not in ("wide", "long"):
            raise UsageError(f"no CSV layout named {layout!r}; there are 'wide' and 'long'")
        self._output = NewFile(path)
        self._wide = layout == "wide"
        self._columns = dict.fromkeys(channels)
        self._first = tuple(channels)  # what the header has that was written
        self._write(self._header() if self._wide else "t,name,channel,value\n")

    def _header(self) -> str:
        return ",".join(map(quote, ["t", *self._columns])) + "\n"

    def _write(self, text: str) -> None:
        try:
            self._output.file.write(text.encode())
        except OSError as error:
            self.abort()
            raise cannot_be_written(self._output.path, error) from error

    def add(self, times: Float64, values: Float64, channels: Sequence[str] | None = None) -> None:
        """Append rows: ``times`` [rows], ``values`` [rows, channels].

        ``channels`` are the names of these columns, where they are not those of the first rows. A
        wide table gets a column more for a new one, which is NaN in all other rows.
        """
        names = self._first if channels is None else tuple(channels)
        if names != tuple(self._columns):
            self._columns.update(dict.fromkeys(names))
        if self._wide:
            values = self._spread(values, names)
        lines: list[str] = []
        prefixes = () if self._wide else tuple(map(_prefix, names))
        for time, row in zip(times.tolist(), values.tolist(), strict=True):
            if self._wide:
                lines.append(",".join(map(repr, [time, *row])))
            else:
                pairs = zip(prefixes, row, strict=True)
                lines.extend(f"{time!r},{prefix}{value!r}" for prefix, value in pairs)
        if lines:
            lines.append("")
            self._write("\n".join(lines))

    def _spread(self, values: Float64, names: tuple[str, ...]) -> Float64:
        """Spread the values over all columns so far."""
        if names == tuple(self._columns):
            return values
        column = {name: i for i, name in enumerate(self._columns)}
        spread = np.full((len(values), len(column)), np.nan)
        spread[:, [column[name] for name in names]] = values
        return spread

    @checked()
    def close(self) -> None:
        """Finish the file and put it in its place."""
        if self._output.file.closed:
            return
        if self._wide and len(self._columns) > len(self._first):
            self._widen()
        self._output.commit()

    def _widen(self) -> None:
        """Rewrite the table with the columns added later in its header and in all rows."""
        narrow, self._output = self._output, NewFile(self._output.path)
        try:
            narrow.file.flush()
            self._write(self._header())
            with narrow.temporary.open(encoding="utf-8", newline="") as lines:
                next(lines)
                for line in lines:
                    cells = line.rstrip("\n")
                    missing = len(self._columns) - cells.count(",")
                    self._write(cells + missing * ",nan" + "\n")
        except OSError as error:
            self.abort()
            raise cannot_be_written(self._output.path, error) from error
        finally:
            narrow.abort()

    @checked()
    def abort(self) -> None:
        """Remove the temporary file; an older file at the path is unchanged."""
        self._output.abort()

    def __enter__(self) -> CsvWriter:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


def _prefix(channel: str) -> str:
    """The columns before the value in a row of a long table."""
    name, _, what = channel.rpartition(".")
    return f"{quote(name)},{quote(what)},"


def quote(text: str) -> str:
    """A CSV field, quoted where RFC 4180 requires it."""
    if any(mark in text for mark in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


@checked(path=named, trace=one_of(Trace), layout=text)
def write_csv(path: str | Path, trace: Trace, layout: Layout | str = "wide") -> None:
    """Write a whole trace as CSV."""
    with CsvWriter(path, trace.channels, layout) as writer:
        writer.add(trace.t, trace.values)
