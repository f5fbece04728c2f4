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
        if layout == "wide":
            self._prefixes = None
            header = ["t", *channels]
        else:
            owners = (channel.rpartition(".") for channel in channels)
            self._prefixes = [f"{quote(name)},{quote(what)}," for name, _, what in owners]
            header = ["t", "name", "channel", "value"]
        self._write(",".join(map(quote, header)) + "\n")

    def _write(self, text: str) -> None:
        try:
            self._output.file.write(text.encode())
        except OSError as error:
            self.abort()
            raise cannot_be_written(self._output.path, error) from error

    def add(self, times: Float64, values: Float64) -> None:
        """Append rows: ``times`` [rows], ``values`` [rows, channels]."""
        lines: list[str] = []
        for time, row in zip(times.tolist(), values.tolist(), strict=True):
            if self._prefixes is None:
                lines.append(",".join(map(repr, [time, *row])))
            else:
                pairs = zip(self._prefixes, row, strict=True)
                lines.extend(f"{time!r},{prefix}{value!r}" for prefix, value in pairs)
        if lines:
            lines.append("")
            self._write("\n".join(lines))

    @checked()
    def close(self) -> None:
        """Finish the file and put it in its place."""
        if not self._output.file.closed:
            self._output.commit()

    @checked()
    def abort(self) -> None:
        """Leave nothing behind; an older file at the path stays as it was."""
        self._output.abort()

    def __enter__(self) -> CsvWriter:
        return self

    def __exit__(self, kind: object, value: object, traceback: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


def quote(text: str) -> str:
    """A CSV field: in quotation marks where RFC 4180 asks for them."""
    if any(mark in text for mark in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


@checked(path=named, trace=one_of(Trace), layout=text)
def write_csv(path: str | Path, trace: Trace, layout: Layout | str = "wide") -> None:
    """Write a whole trace as CSV."""
    with CsvWriter(path, trace.channels, layout) as writer:
        writer.add(trace.t, trace.values)
