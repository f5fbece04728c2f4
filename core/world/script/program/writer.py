# SPDX-License-Identifier: MIT
"""The bytes of a native program, which ``native/script/reading/read_program.cpp`` reads."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from ....scene.values.expression import Expression
from ....scene.values.row_program import instructions_of

NONE = -1
NOTHING = NONE, 0.0
_NEVER = 1 << 62

Each = TypeVar("Each")


class NoProgramError(Exception):
    """The reason why a part of a scene has no program. What scenes load has one; pages lack some
    parts."""


def step_of(time: float, dt: float) -> int:
    """The first step of an actuator that begins at a time or after it."""
    return _NEVER if not math.isfinite(time) else math.ceil(min(time / dt, 1e15) - 1e-9)


class Writer:
    """Bytes that grow: little-endian numbers, texts and lists with their lengths before them.

    ``native/script/reading/read_program.cpp`` reads them.
    """

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

    def input(self, given: tuple[int, int, int]) -> None:
        """An input of an expression: a source and two places."""
        self.byte(given[0])
        self.whole(*given[1:])

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

    def rows(self, count: int, data: bytes) -> None:
        """A list of rows of the engine."""
        self._pieces += [struct.pack("<I", count), data]

    def tags(self, mask: int) -> None:
        """A set of tags, by their bits."""
        self.each(words_of(mask), lambda word: self.raw(word.to_bytes(8, "little")))

    def reals(self, values: Iterable[float]) -> None:
        """A list of numbers."""
        self.each([*values], self.real)

    def numbers(self, *numbers: tuple[int, float]) -> None:
        """Numbers, each an expression or a constant."""
        for place, constant in numbers:
            self.whole(place)
            self.real(constant)

    def value(self, numbers: Sequence[tuple[int, float]]) -> None:
        """A value of one or two numbers."""
        self.byte(len(numbers) - 1)
        self.numbers(*numbers)

    def bytes(self) -> bytes:
        """All of them."""
        return b"".join(self._pieces)


def words_of(mask: int) -> list[int]:
    """The bits of a mask in words of 64."""
    size = -(-mask.bit_length() // 64)
    return [mask >> 64 * i & (1 << 64) - 1 for i in range(size)]


def put_formula(
    to: Writer,
    expression: Expression,
    columns: Mapping[str, int],
    constants: Mapping[str, float],
) -> None:
    """Write the constants and instructions of an expression. ``columns`` are the places of what
    it reads."""
    instructions, numbers = instructions_of(expression, columns, constants)
    to.reals(numbers)
    to.each(instructions, lambda each: to.whole(*each))
