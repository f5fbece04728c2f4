# SPDX-License-Identifier: MIT
"""Images stretched over parallelograms and repeated over shapes."""

from __future__ import annotations

import hashlib
from math import pi

import numpy as np
import pytest

WHITE, RED = 0xFFFFFFFF, 0xFF0000FF
CORNERS = [(16, 16), (48, 16), (16, 48)]


def plain(color, size=(4, 4)):
    return np.full((size[1], size[0], 4), color, np.uint8)


def quad(points, fill=WHITE, **columns):
    return {"kind": "quad", "points": points, "fill": fill, **columns}


def area(image):
    return image[:, :, 0].astype(float).sum() / 255.0


def test_an_image_lies_in_its_corners(draw_items):
    image = draw_items([quad(CORNERS)], pictures=[plain((255, 255, 255, 255))])
    expected = np.zeros((64, 64, 3), np.uint8)
    expected[16:48, 16:48] = 255
    assert np.array_equal(image, expected)


def test_the_stroke_multiplies_the_colours_of_the_image(draw_items):
    image = draw_items([quad(CORNERS, stroke=0xFF8000FF)], pictures=[plain((200, 100, 50, 255))])
    assert tuple(image[32, 32]) == (200, 50, 0)


def test_what_is_clear_gives_no_colour_to_what_is_beside_it(draw_items):
    picture = plain((0, 255, 0, 0))
    picture[:, 2:] = (255, 0, 0, 255)
    image = draw_items([quad(CORNERS)], paper=255, pictures=[picture])
    assert (image[:, :, 0] == 255).all()  # between white and red there is no green
    assert np.array_equal(image[:, :, 1], image[:, :, 2])


def test_an_image_is_repeated_over_a_polygon(draw_items):
    picture = plain((255, 255, 255, 255), (2, 2))
    picture[0, 0] = picture[1, 1] = (0, 0, 0, 255)
    image = draw_items(
        [quad([(0, 0), (2, 0), (0, 2), (8, 8), (40, 8), (40, 24), (8, 24)])],
        paper=50,
        pictures=[picture],
    )
    rows, columns = np.indices((16, 32))
    assert np.array_equal(image[8:24, 8:40, 0], 255 * ((rows + columns) % 2))
    image[8:24, 8:40] = 50
    assert (image == 50).all()


@pytest.mark.parametrize(("ways", "above"), [(0.0, 207), (1.0, 0)])
def test_an_image_that_is_repeated_only_across_ends_above_as_it_is(draw_items, ways, above):
    picture = plain((0, 0, 0, 255), (1, 2))
    picture[1] = (255, 255, 255, 255)
    image = draw_items(
        [quad([(0, 8), (8, 8), (0, 24), (0, 0), (64, 0), (64, 8), (0, 8)], b=ways)],
        paper=9,
        pictures=[picture],
    )
    assert image[2, 40, 0] == above


@pytest.mark.parametrize("radius", [5.0, 20.3])
def test_a_disc_of_tiles_covers_its_area(draw_items, radius):
    picture = [plain((255, 255, 255, 255))]
    image = draw_items([quad([*CORNERS, (32, 32)], radius=radius)], pictures=picture)
    assert area(image) == pytest.approx(pi * radius**2, rel=0.01)


def test_a_capsule_of_tiles_covers_its_area(draw_items):
    picture = [plain((255, 255, 255, 255))]
    ends = [(20, 32), (44, 32)]
    image = draw_items([quad([*CORNERS, *ends], radius=6.0)], pictures=picture)
    assert area(image) == pytest.approx(12 * 24 + pi * 36, rel=0.01)


def test_a_concave_polygon_of_tiles_leaves_its_notch_free(draw_items):
    notched = [(8, 8), (56, 8), (56, 56), (44, 56), (44, 24), (20, 24), (20, 56), (8, 56)]
    picture = [plain((255, 255, 255, 255))]
    image = draw_items([quad([*CORNERS, *notched])], pictures=picture)
    assert area(image) == 48 * 48 - 24 * 32


def test_one_shape_leaves_nothing_for_the_next(draw_items):
    picture = [plain((255, 255, 255, 255))]
    first = quad([*CORNERS, (20, 20)], radius=15.0)
    second = quad([*CORNERS, (50, 50)], radius=8.0)
    draw_items([first], pictures=picture)
    image = draw_items([second], pictures=picture)
    assert area(image) == pytest.approx(pi * 64, rel=0.01)


def test_tiles_far_outside_and_without_area_draw_nothing(draw_items):
    picture = [plain((255, 255, 255, 255))]
    far = quad([*CORNERS, (1e9, 1e9)], radius=3.0)
    flat = quad([(1, 1), (5, 5), (9, 9), (32, 32)], radius=9.0)
    assert not draw_items([far, flat], pictures=picture).any()


def test_the_bytes_are_the_same_on_every_machine(draw_items):
    rows, columns = np.indices((16, 24))
    parts = [rows * 16, columns * 10, (rows + columns) * 6, 255 - rows * 9]
    picture = np.stack(parts, axis=2).astype(np.uint8)
    turned = [(20.3, 10.1), (50.7, 22.9), (12.2, 44.4)]
    image = draw_items(
        [
            quad([*turned, (3, 5), (60, 2), (55, 60), (30, 30), (6, 50)], radius=1.5),
            quad(turned, 0xC0, stroke=0xE0C0FFFF),
        ],
        paper=77,
        pictures=[picture],
    )
    assert hashlib.sha256(image.tobytes()).hexdigest()[:16] == "5ab149d5a080b6c0"
