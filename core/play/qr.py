# SPDX-License-Identifier: MIT
"""QR codes of short texts, such as addresses, for a terminal.

Bytes at the lowest level of correction, in versions 1 to 5, which have one block of data and at
most one small square inside (ISO/IEC 18004). An address that is longer has no code.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Modules = NDArray[np.bool_]

VERSIONS = ((19, 7), (34, 10), (55, 15), (80, 20), (108, 26))
"""Bytes of data and of correction, by version from 1 on."""
LONGEST = VERSIONS[-1][0] - 2
"""Bytes of a text, besides two for its kind and length."""
BYTES = 0b0100
LEVEL = 0b01
"""The lowest level of correction."""
QUIET = 4
"""Bright modules around a code."""
_MASKS: tuple[Callable[[NDArray[np.int_], NDArray[np.int_]], NDArray[np.int_]], ...] = (
    lambda i, j: (i + j) % 2,
    lambda i, j: i % 2,
    lambda i, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)


def qr_code(text: str) -> Modules | None:
    """The dark modules of a text's code; None for one that is too long."""
    data = text.encode()
    if len(data) > LONGEST:
        return None
    version = next(v for v, (room, _) in enumerate(VERSIONS, 1) if len(data) <= room - 2)
    room, correction = VERSIONS[version - 1]
    words = _words(data, room)
    stream = [*words, *_correction(words, correction)]
    blank, reserved = _frame(version)
    places = _places(reserved)
    bits = [byte >> k & 1 for byte in stream for k in range(7, -1, -1)]
    bits += [0] * (len(places) - len(bits))
    made = []
    for number, mask in enumerate(_MASKS):
        code = blank.copy()
        _say_format(code, number)
        rows, columns = np.array(places).T
        code[rows, columns] = np.array(bits, bool) ^ (mask(rows, columns) == 0)
        made.append(code)
    return min(made, key=_penalty)


def shown(code: Modules) -> str:
    """A code as lines of half blocks, black on white whatever the terminal's colours are."""
    framed = np.pad(code, QUIET)
    framed = np.pad(framed, ((0, len(framed) % 2), (0, 0)))
    signs = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    return "\n".join(
        "\x1b[38;2;0;0;0;48;2;255;255;255m"
        + "".join(signs[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True))
        + "\x1b[0m"
        for upper, lower in zip(framed[::2], framed[1::2], strict=True)
    )


# ---------------------------------------------------------------- bytes


def _words(data: bytes, room: int) -> list[int]:
    """Kind, length and bytes, each moved by the four bits of the kind, filled up to the room."""
    bits = f"{BYTES:04b}{len(data):08b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    words = [int(bits[k : k + 8], 2) for k in range(0, len(bits), 8)]
    return [*words, *([0xEC, 0x11] * room)[: room - len(words)]]


def _product(a: int, b: int) -> int:
    """In the field of 256 elements with the polynomial x^8 + x^4 + x^3 + x^2 + 1."""
    found = 0
    while b:
        found ^= a if b & 1 else 0
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return found


def _correction(words: list[int], count: int) -> list[int]:
    """The remainder by the polynomial whose roots are the first powers of 2."""
    divisor, root = [1], 1
    for _ in range(count):
        divisor = [a ^ _product(b, root) for a, b in zip([*divisor, 0], [0, *divisor], strict=True)]
        root = _product(root, 2)
    rest = [*words, *[0] * count]
    for k in range(len(words)):
        factor = rest[k]
        for i, part in enumerate(divisor):
            rest[k + i] ^= _product(part, factor)
    return rest[len(words) :]


# ---------------------------------------------------------------- modules


def _frame(version: int) -> tuple[Modules, Modules]:
    """The fixed patterns of all codes of a version, and a mask of them."""
    size = 17 + 4 * version
    code, reserved = np.zeros((size, size), bool), np.zeros((size, size), bool)
    code[6, ::2] = code[::2, 6] = True
    reserved[6, :] = reserved[:, 6] = True
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        code[max(top - 1, 0) : top + 8, max(left - 1, 0) : left + 8] = False
        code[top : top + 7, left : left + 7] = _square(7)
        first = top - 1 if top else 0, left - 1 if left else 0
        reserved[first[0] : top + (8 if top else 9), first[1] : left + (8 if left else 9)] = True
    reserved[8, size - 8 :] = reserved[size - 8 :, 8] = True
    code[size - 8, 8] = True
    if version > 1:
        first_one = size - 9
        code[first_one : first_one + 5, first_one : first_one + 5] = _square(5)
        reserved[first_one : first_one + 5, first_one : first_one + 5] = True
    return code, reserved


def _square(size: int) -> Modules:
    """A dark border, a bright one inside, and dark again."""
    square = np.ones((size, size), bool)
    square[1:-1, 1:-1] = False
    square[2:-2, 2:-2] = True
    return square


def _places(reserved: Modules) -> list[tuple[int, int]]:
    """The places of the bits: pairs of columns from the right, up and down in turn."""
    size, found, upwards = len(reserved), [], True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for row in range(size - 1, -1, -1) if upwards else range(size):
            found += [(row, c) for c in (right, right - 1) if not reserved[row, c]]
        upwards = not upwards
    return found


def _say_format(code: Modules, mask: int) -> None:
    """Level and mask with their correction, twice."""
    value = LEVEL << 3 | mask
    rest = value << 10
    for k in range(14, 9, -1):
        rest ^= 0b10100110111 << (k - 10) if rest >> k & 1 else 0
    bits = (value << 10 | rest) ^ 0b101010000010010
    size = len(code)
    corner = [*((8, c) for c in (0, 1, 2, 3, 4, 5, 7, 8)), *((r, 8) for r in (7, 5, 4, 3, 2, 1, 0))]
    sides = [
        *((r, 8) for r in range(size - 1, size - 8, -1)),
        *((8, c) for c in range(size - 8, size)),
    ]
    for k, (one, other) in enumerate(zip(corner, sides, strict=True)):
        code[one] = code[other] = bool(bits >> (14 - k) & 1)


def _penalty(code: Modules) -> int:
    """The penalty of a code: for long runs, squares, and patterns like a corner."""
    found = 0
    for lines in (code, code.T):
        for line in lines:
            ends = np.flatnonzero(np.diff(line)) + 1
            lengths = np.diff([0, *ends, len(line)])
            found += int((lengths[lengths >= 5] - 2).sum())
            text = "".join("1" if each else "0" for each in line)
            found += 40 * sum(
                text.startswith(part, k)
                for k in range(len(text))
                for part in ("10111010000", "00001011101")
            )
    same = (code[1:, 1:] == code[:-1, 1:]) & (code[1:, 1:] == code[1:, :-1])
    found += 3 * int((same & (code[1:, 1:] == code[:-1, :-1])).sum())
    return found + 10 * int(abs(20 * code.sum() - 10 * code.size) // code.size)
