# SPDX-License-Identifier: MIT
"""Encodes numbers in few bytes: whole numbers, differences of rows, byte planes, deflate.

Positions move evenly: the remainder after a prediction from the last two rows is small.
Its lowest bytes are put one after the other, then the next ones, which are nearly all zero, so
that deflate has little left to write. The page's ``data.js`` undoes it.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Coding = Literal["plain", "delta", "line"]
LARGEST = 2.0**28
"""Whole numbers are kept within this: their second differences, folded, have 32 bits."""


class Blob:
    """Named arrays, packed into one run of bytes, and the table of their places."""

    def __init__(self) -> None:
        self.table: list[dict[str, Any]] = []
        self._bytes: list[bytes] = []

    def add(
        self, name: str, values: NDArray[Any], coding: Coding = "plain", step: float = 1.0
    ) -> None:
        """Store numbers [rows] or [rows, columns] as whole multiples of ``step``.

        ``delta`` stores differences to the previous row, ``line`` differences to the straight
        line through the two previous rows. Columns are stored one after the other.
        """
        scaled = np.nan_to_num(np.asarray(values, np.float64) / step)
        whole = np.clip(np.rint(scaled), -LARGEST, LARGEST).astype(np.int64)
        rows, columns = len(whole), int(np.prod(whole.shape[1:]))
        whole = whole.reshape(rows, columns)
        for _ in range({"plain": 0, "delta": 1, "line": 2}[coding]):
            whole = np.diff(whole, axis=0, prepend=0)
        flat = whole.T.reshape(-1)
        folded = np.where(flat < 0, -2 * flat - 1, 2 * flat).astype("<u8")
        most = int(folded.max(initial=0))
        planes = max(1, (most.bit_length() + 7) // 8)
        self._bytes.append(folded.view(np.uint8).reshape(-1, 8)[:, :planes].T.tobytes())
        entry = {"name": name, "rows": rows, "columns": columns, "planes": planes}
        self.table.append(entry | {"coding": coding, "step": step})

    def add_floats(self, name: str, values: NDArray[Any], *, digits: int = 7) -> None:
        """Round numbers to about this many digits, at most 7, at any magnitude. NaN is kept."""
        rows, columns = len(values), int(np.prod(np.shape(values)[1:]))
        numbers = np.ascontiguousarray(values, "<f4").reshape(rows, columns)
        bits = min(23, int(digits * 3.33) + 1)
        mask = np.uint32((0xFFFFFFFF << (23 - bits)) & 0xFFFFFFFF)
        kept = np.where(np.isfinite(numbers), numbers.view("<u4") & mask, numbers.view("<u4"))
        planes = kept.astype("<u4").T.reshape(-1).view(np.uint8).reshape(-1, 4).T
        self._bytes.append(np.ascontiguousarray(planes).tobytes())
        entry = {"name": name, "rows": rows, "columns": columns, "planes": 4}
        self.table.append(entry | {"coding": "float", "step": 1.0})

    def add_exact(self, name: str, values: NDArray[np.float64]) -> None:
        """Keep numbers [rows] as they are."""
        planes = np.ascontiguousarray(values, "<f8").view(np.uint8).reshape(-1, 8).T
        self._bytes.append(np.ascontiguousarray(planes).tobytes())
        entry = {"name": name, "rows": len(values), "columns": 1, "planes": 8}
        self.table.append(entry | {"coding": "exact", "step": 1.0})

    def text(self) -> str:
        """Return all bytes, deflated, as letters that are allowed in a page."""
        return base64.b64encode(zlib.compress(b"".join(self._bytes), 9)).decode("ascii")
