# SPDX-License-Identifier: MIT
"""Letters in pictures: their masks, their places, and the same bits everywhere."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core.fonts.font import shipped
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.canvas.outlines import cover
from rigid2d.core.render.canvas.text import EM, Lettering

SQUARE = [[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]]
TEXT = "Übung Kräfte café ñ ß ½ √ → λ φ v₀ – Привет 3.14"
BITS = "ddb606a55848b4f3"
"""Of all machines and versions."""


def written(text: str, size: float, x: float = 4.0) -> np.ndarray:
    lettering, items = Lettering(), Items()
    lettering.add(items, text, (x, 2.0), (0, 0, 0, 255), size)
    image = np.full((round(1.6 * size) + 4, round(lettering.width(text, size)) + 12, 3), 255, "u1")
    _native.rasterize(image, *items.arrays(), *lettering.pictures())
    return image


def test_a_mask_has_how_much_of_each_pixel_is_inside() -> None:
    found = cover(SQUARE, 2.5, 0.25, lambda y: 1.5 * y)
    assert found is not None
    left, top, mask = found
    assert (left, top) == (0, -2)
    wanted = np.outer([0.5, 1.0], [0.75, 1.0, 0.75])
    np.testing.assert_allclose(mask / 255, wanted, atol=0.003)


def test_what_is_gone_round_twice_is_inside_and_a_hole_is_not() -> None:
    hole = [(0.25, 0.25), (0.25, 0.75), (0.75, 0.75), (0.75, 0.25)]
    for outline, middle in (([*SQUARE, *SQUARE], 255), ([*SQUARE, hole], 0)):
        found = cover(outline, 8.0, 0.0, lambda y: 8.0 * y)
        assert found is not None
        assert found[2][4, 4] == middle
        assert found[2][0, 0] == 255


def test_text_has_the_same_bits_everywhere() -> None:
    sizes = (8.5, 13, 21, 70)
    data = b"".join(written(TEXT, size).tobytes() for size in sizes)
    assert hashlib.sha256(data).hexdigest()[:16] == BITS


def test_all_letters_of_a_text_differ_from_the_box_of_a_missing_one() -> None:
    box = written("\u4e00", 40)
    assert box.min() == 0
    for letter in set(TEXT) - {" "}:
        one = written(letter, 40)
        assert one.min() < 60
        assert one.shape != box.shape or (one != box).any()


def test_digits_are_equally_wide_and_neighbours_close_up() -> None:
    lettering = Lettering()
    assert len({lettering.width(f"{digit}.5 s", 13) for digit in range(10)}) == 1
    assert lettering.width("AV", 20) < lettering.width("A", 20) + lettering.width("V", 20)


@pytest.mark.parametrize("size", [9, 13, 20, 33])
def test_small_letters_and_capitals_stand_and_end_on_whole_pixels(size: int) -> None:
    for letter, height in (("z", shipped().small), ("E", shipped().capital)):
        rows = np.flatnonzero((written(letter, size) < 200).any(axis=(1, 2)))
        faint = np.flatnonzero((written(letter, size) < 255).any(axis=(1, 2)))
        assert len(rows) == len(faint) == round(EM * size * height)


def test_a_composed_letter_is_one() -> None:
    assert (written("e\u0301", 20) == written("é", 20)).all()
    assert Lettering().width("soft\u00adened", 20) == Lettering().width("softened", 20)
