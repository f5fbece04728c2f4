# SPDX-License-Identifier: MIT
"""QR codes: what a reader needs, and the text read back out of one."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.play.qr import _MASKS, LONGEST, _frame, _places, _product, qr_code, shown

KNOWN = [
    "fe553f80",
    "82552080",
    "baaaae80",
    "ba2aae80",
    "ba552e80",
    "82552080",
    "feaabf80",
    "d50000",
    "efd56200",
    "acaaa680",
    "c72a8b80",
    "44555900",
    "57357400",
    "7d0aa680",
    "a76a8b80",
    "59155900",
    "9e95fc00",
    "aa8e80",
    "feebab80",
    "82f48900",
    "bad4fc80",
    "ba6b0f80",
    "baca5a80",
    "8294f100",
    "fed5a580",
]
ADDRESS = "http://192.168.1.5:8360/abcdefghijklmnopqrstuv/"


@pytest.mark.parametrize("text", ["hi", ADDRESS, "x" * 32, "y" * 53, "ä" * 20, "z" * LONGEST])
def test_a_code_says_its_text(text: str) -> None:
    """Read as a reader does: the mask of the format, the bits by columns, kind, length, bytes."""
    code = qr_code(text)
    assert code is not None
    version = (len(code) - 17) // 4
    said = [bool(code[8, c]) for c in (2, 3, 4)]
    number = int("".join("01"[a ^ b] for a, b in zip(said, (1, 0, 1), strict=True)), 2)
    rows, columns = np.array(_places(_frame(version)[1])).T
    bits = code[rows, columns] ^ (_MASKS[number](rows, columns) == 0)
    words = np.packbits(bits[: len(bits) // 8 * 8]).tolist()
    assert _syndromes(words, {1: 7, 2: 10, 3: 15, 4: 20, 5: 26}[version]) == set()
    stream = "".join(f"{word:08b}" for word in words)
    length = int(stream[4:12], 2)
    data = bytes(int(stream[12 + 8 * k : 20 + 8 * k], 2) for k in range(length))
    assert (stream[:4], data.decode()) == ("0100", text)


def _syndromes(words: list[int], count: int) -> set[int]:
    """Where the words, as a polynomial, are not 0 at the powers of 2."""
    wrong, root = set(), 1
    for k in range(count):
        value = 0
        for word in words:
            value = _product(value, root) ^ word
        if value:
            wrong.add(k)
        root = _product(root, 2)
    return wrong


def test_a_known_code_is_the_same() -> None:
    """One that an independent program makes too, and that two readers read."""
    code = qr_code("x" * 32)
    assert code is not None
    assert [f"{int(v):x}" for v in np.packbits(code, axis=1).view(">u4").ravel()] == KNOWN


def test_a_long_text_has_none() -> None:
    assert qr_code("z" * (LONGEST + 1)) is None


def test_it_is_shown_in_black_on_white_with_a_border() -> None:
    code = qr_code(ADDRESS)
    assert code is not None
    lines = shown(code).split("\n")
    assert len(lines) == (len(code) + 9) // 2
    assert all(each.startswith("\x1b[38;2;0;0;0;48;2;255;255;255m    ") for each in lines)
