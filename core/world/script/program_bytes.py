# SPDX-License-Identifier: MIT
"""Bytes of a script's program: little-endian numbers, texts and lists with their lengths before
them (``native/script/read_program.cpp`` reads them)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Each = TypeVar("Each")


class Writer:
    """Bytes that grow."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def byte(self, value: int) -> None:
        self._pieces.append(struct.pack("<B", value))

    def whole(self, *values: int) -> None:
        """Whole numbers of 32 bits."""
        self._pieces.append(struct.pack(f"<{len(values)}i", *values))

    def long(self, *values: int) -> None:
        """Whole numbers of 64 bits."""
        self._pieces.append(struct.pack(f"<{len(values)}q", *values))

    def real(self, *values: float) -> None:
        self._pieces.append(struct.pack(f"<{len(values)}d", *values))

    def text(self, value: str) -> None:
        data = value.encode()
        self._pieces += [struct.pack("<I", len(data)), data]

    def raw(self, data: bytes) -> None:
        self._pieces.append(data)

    def each(self, values: Sequence[Each], write: Callable[[Each], object]) -> None:
        """A list: its length, then each of its elements."""
        self._pieces.append(struct.pack("<I", len(values)))
        for value in values:
            write(value)

    def places(self, values: Iterable[int]) -> None:
        """A list of places in a table."""
        self.each([*values], self.whole)

    def reals(self, values: Iterable[float]) -> None:
        """A list of numbers."""
        self.each([*values], self.real)

    def bytes(self) -> bytes:
        """All of them."""
        return b"".join(self._pieces)
