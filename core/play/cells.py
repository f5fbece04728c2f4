# SPDX-License-Identifier: MIT
"""Pictures as text: two pixels per terminal cell, as half blocks in true colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
UPPER_HALF = "▀"
RESET = "\x1b[0m"


def rows_of(image: Image) -> list[str]:
    """The rows of cells of a picture [2 rows, columns, 3], each with its colours."""
    return [_row(image[y], image[y + 1]) for y in range(0, len(image) - 1, 2)]


def _row(upper: Image, lower: Image) -> str:
    """One row; a colour is said where it changes."""
    pairs = np.concatenate([upper, lower], axis=1).astype(np.int64)
    changes = np.flatnonzero(np.any(pairs[1:] != pairs[:-1], axis=1)) + 1
    starts = [0, *changes.tolist()]
    ends = [*changes.tolist(), len(pairs)]
    parts: list[str] = []
    for start, end in zip(starts, ends, strict=True):
        r, g, b, s, h, c = pairs[start].tolist()
        parts.append(f"\x1b[38;2;{r};{g};{b};48;2;{s};{h};{c}m{UPPER_HALF * (end - start)}")
    return "".join(parts) + RESET


class CellPicture:
    """The content of a terminal; only changed rows are sent."""

    def __init__(self) -> None:
        self._shown: list[str] = []

    def forget(self) -> None:
        """Send all rows next time, as after the terminal was cleared."""
        self._shown = []

    def show(self, image: Image) -> str:
        """The text that makes the terminal show a picture."""
        rows = rows_of(image)
        if len(rows) != len(self._shown):
            self._shown = [""] * len(rows)
        sent = "".join(
            f"\x1b[{y + 1};1H{row}"
            for y, (row, before) in enumerate(zip(rows, self._shown, strict=True))
            if row != before
        )
        self._shown = rows
        return sent
