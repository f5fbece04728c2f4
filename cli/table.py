# SPDX-License-Identifier: MIT
"""Plain tables: aligned columns that read well on a terminal and in a file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TextIO

from .console import paint

GAP = "  "


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int], stream: TextIO
) -> str:
    """Rows under a head; the columns in ``left`` start at the left, numbers end at the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return GAP.join(padded).rstrip()

    return "\n".join([paint(line(head), "bold", stream), *map(line, rows)])
