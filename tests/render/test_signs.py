# SPDX-License-Identifier: MIT
"""Signs of physics are drawn as letters of their own."""

from __future__ import annotations

import numpy as np
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.canvas.text import Lettering

from tests.rows import every_row

SIGNS = "²³°·×±µμ−αβγθωΔπ"
LACKING = "\u4e00"  # what no font of ours has: it comes out as a box


def pixels(letter: str, size: float = 40) -> np.ndarray:
    lettering = Lettering()
    lettering.add(Items(), letter, (0, 0), (0, 0, 0, 255), size)
    data, rows = lettering.pictures()
    _, width, height, _ = rows[0]
    return np.asarray(data).reshape(height, width)


@every_row("letter", SIGNS)
def test_a_sign_of_physics_is_not_the_box_of_a_missing_letter(letter: str) -> None:
    drawn, box = pixels(letter), pixels(LACKING)
    assert drawn.any()
    assert drawn.shape != box.shape or (drawn != box).any()


@every_row("letter", SIGNS)
@every_row("size", [6, 13, 200])
def test_a_sign_has_a_width_and_lies_within_it(letter: str, size: int) -> None:
    advance = Lettering().width(letter, size)
    assert 0.1 * size < advance < size
    assert pixels(letter, size).shape[1] <= advance + 0.2 * size + 1


def test_a_square_stands_above_the_middle_of_the_line() -> None:
    rows = np.flatnonzero(pixels("²").max(axis=1) > 127)
    assert rows.max() < 0.65 * 40
