# SPDX-License-Identifier: MIT
"""Whatever numbers a display list holds, drawing it neither crashes nor hangs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rigid2d.core import _native

from tests.rows import every_row
from tests.search import tries

NOTHING = (np.zeros(0, np.uint8), np.zeros((0, 4), np.int32))
AWKWARD = [0.0, -0.0, 1e-300, -1.0, 0.5, 31.7, 1e4, 1e9, -1e9, 1e18, 1e300, np.inf, -np.inf, np.nan]

numbers = st.sampled_from(AWKWARD) | st.floats(-100.0, 200.0)


def canvas():
    return np.full((48, 64, 3), 9, np.uint8)


@settings(max_examples=tries(66, 400), deadline=None)
@given(
    kind=st.integers(0, 11),
    points=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=7),
    rest=st.lists(numbers, min_size=5, max_size=5),
    fill=st.integers(0, 0xFFFFFFFF),
)
def test_any_item_can_be_drawn(kind, points, rest, fill):
    radius, outline, a, b, c = rest
    items = np.array([[kind, 0, len(points), radius, outline, fill, 0xFF, a, b, c]], float)
    image = canvas()
    _native.rasterize(image, items, np.array(points, float), *NOTHING)


@settings(max_examples=tries(33, 200), deadline=None)
@given(st.lists(numbers, min_size=10, max_size=10))
def test_any_row_of_numbers_can_be_drawn(row):
    points = np.array([[1.0, 1.0], [40.0, 9.0], [20.0, 40.0]])
    _native.rasterize(canvas(), np.array([row], float), points, *NOTHING)


@every_row("column", range(10))
@every_row("value", [np.nan, np.inf, -np.inf])
def test_an_item_with_a_number_that_is_not_finite_is_left_out(column, value):
    row = [1.0, 0, 1, 10.0, 0, 0xFF0000FF, 0xFF, 0, 0, 0]
    row[column] = value
    image = canvas()
    _native.rasterize(image, np.array([row]), np.array([[20.0, 20.0]]), *NOTHING)
    assert (image == 9).all()


@every_row(("first", "count"), [(-1, 1), (0, 2), (1, 1), (0, 0), (1e18, 1), (0, 1e18)])
def test_an_item_whose_points_are_not_there_is_left_out(first, count):
    image = canvas()
    row = [[1.0, first, count, 10.0, 0, 0xFF0000FF, 0xFF, 0, 0, 0]]
    _native.rasterize(image, np.array(row), np.array([[20.0, 20.0]]), *NOTHING)
    assert (image == 9).all()


def test_a_polygon_of_ten_thousand_points_is_drawn():
    angles = np.linspace(0, 2 * np.pi, 10_000, endpoint=False)
    wobble = 15 + 5 * np.sin(40 * angles)
    points = np.stack([32 + wobble * np.cos(angles), 24 + wobble * np.sin(angles)], 1)
    image = canvas()
    row = [[0.0, 0, len(points), 0, 1, 0xFF0000FF, 0xFF, 0, 0, 0]]
    _native.rasterize(image, np.array(row), points, *NOTHING)
    assert tuple(image[24, 32]) == (255, 0, 0)


def test_a_star_that_crosses_itself_is_filled_where_it_winds():
    angles = np.arange(5) * 4 * np.pi / 5 - np.pi / 2
    points = np.stack([32 + 20 * np.cos(angles), 24 + 20 * np.sin(angles)], 1)
    image = canvas()
    row = [[0.0, 0, 5, 0, 0, 0xFF0000FF, 0, 0, 0, 0]]
    _native.rasterize(image, np.array(row), points, *NOTHING)
    assert tuple(image[24, 32]) == (255, 0, 0)
    assert tuple(image[2, 2]) == (9, 9, 9)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="10 columns"):
        _native.rasterize(canvas(), np.zeros((1, 9)), np.zeros((1, 2)), *NOTHING)


def test_a_picture_outside_its_bytes_is_refused():
    table = np.array([[0, 100, 100, 4]], np.int32)
    with pytest.raises(ValueError, match="picture"):
        _native.rasterize(
            canvas(), np.zeros((0, 10)), np.zeros((0, 2)), np.zeros(50, np.uint8), table
        )


def test_an_image_that_cannot_be_written_in_place_is_refused():
    with pytest.raises(TypeError):
        _native.rasterize(canvas()[:, ::2], np.zeros((0, 10)), np.zeros((0, 2)), *NOTHING)


@settings(max_examples=tries(20, 100), deadline=None)
@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=3), st.sampled_from([10, 11]))
def test_a_picture_can_be_laid_anywhere(points, kind):
    pixels = np.arange(4 * 5 * 4, dtype=np.uint8)
    items = np.array([[kind, 0, 3, 0, 0, 0xFF, 0, 0, 0, 0]], float)
    table = np.array([[0, 5, 4, 4]], np.int32)
    _native.rasterize(canvas(), items, np.array(points, float), pixels, table)


def test_an_image_quad_shows_its_image_where_its_corners_are():
    pixels = np.array([255, 0, 0, 255, 0, 0, 255, 255], np.uint8)  # red beside blue
    items = np.array([[11, 0, 3, 0, 0, 0xFF, 0, 0, 0, 0]], float)
    corners = np.array([[50.0, 10], [10.0, 10], [50.0, 40]])  # mirrored
    image = canvas()
    _native.rasterize(image, items, corners, pixels, np.array([[0, 2, 1, 4]], np.int32))
    assert tuple(image[25, 12]) == (0, 0, 255)
    assert tuple(image[25, 47]) == (255, 0, 0)
    assert tuple(image[5, 25]) == (9, 9, 9)


def test_place_points_turns_then_moves_then_scales():
    out = np.empty((3, 2))
    _native.place_points(
        np.array([[1.0, 0.0], [0.0, 2.0], [5.0, 6.0]]),
        np.array([0, 0, -1], np.int32),
        np.array([[10.0, 20.0, np.pi / 2]]),
        (2.0, 100.0, -2.0, 200.0),
        out,
    )
    assert out == pytest.approx(np.array([[120.0, 158.0], [116.0, 160.0], [110.0, 188.0]]))


def test_place_points_refuses_an_owner_that_is_not_there():
    with pytest.raises(ValueError, match="owner"):
        _native.place_points(
            np.zeros((1, 2)),
            np.array([3], np.int32),
            np.zeros((1, 3)),
            (1.0, 0.0, 1.0, 0.0),
            np.empty((1, 2)),
        )


def test_shrinking_averages():
    large = np.zeros((4, 4, 3), np.uint8)
    large[:2, :2] = 255
    large[2, 2] = 255
    small = np.empty((2, 2, 3), np.uint8)
    _native.shrink_image(large, small, 2)
    assert small[:, :, 0].tolist() == [[255, 0], [0, 64]]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.integers(1, 90),
    height=st.integers(1, 60),
    colors=st.integers(1, 5000),
)
def test_any_image_becomes_a_gif_frame(seed, width, height, colors):
    random = np.random.default_rng(seed)
    table = random.integers(0, 256, (colors, 3), np.uint8)
    frames = _native.GifFrames(width, height, table[: colors // 2])
    for _ in range(3):
        block = frames.add(table[random.integers(0, colors, (height, width))])
        assert block == b"" or block[0] == 0x2C
    assert len(frames.palette) <= 3 * 256


def test_a_gif_frame_of_another_size_is_refused():
    frames = _native.GifFrames(8, 8, np.zeros((0, 3), np.uint8))
    with pytest.raises(ValueError, match="size"):
        frames.add(np.zeros((8, 9, 3), np.uint8))
