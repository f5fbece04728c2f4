# SPDX-License-Identifier: MIT
"""Coverage of pixels by shapes."""

from __future__ import annotations

import hashlib
from math import pi

import numpy as np
import pytest

WHITE, RED, BLUE = 0xFFFFFFFF, 0xFF0000FF, 0x0000FFFF


def area(image):
    """The area in pixels covered by white on black, including partial cover."""
    return image[:, :, 0].astype(float).sum() / 255.0


def square(side, angle=0.0, center=(32.0, 32.0)):
    c, s = np.cos(angle), np.sin(angle)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    half = 0.5 * side
    return [
        (center[0] + half * (c * x - s * y), center[1] + half * (s * x + c * y)) for x, y in corners
    ]


@pytest.mark.parametrize("radius", [1.0, 3.3, 10.0, 25.5])
@pytest.mark.parametrize("center", [(32.0, 32.0), (31.3, 32.8)])
def test_a_disc_covers_its_area(draw_items, radius, center):
    image = draw_items([{"kind": "circle", "points": [center], "radius": radius, "fill": WHITE}])
    assert area(image) == pytest.approx(pi * radius**2, rel=0.01, abs=0.3)


def test_a_square_on_the_pixel_grid_is_exact(draw_items):
    corners = [(10, 12), (30, 12), (30, 20), (10, 20)]
    image = draw_items([{"kind": "polygon", "points": corners, "fill": WHITE}])
    expected = np.zeros((64, 64, 3), np.uint8)
    expected[12:20, 10:30] = 255
    assert np.array_equal(image, expected)


def test_an_edge_through_pixels_covers_their_share(draw_items):
    corners = [(10.25, 10), (20, 10), (20, 20), (10.25, 20)]
    image = draw_items([{"kind": "polygon", "points": corners, "fill": WHITE}])
    assert image[15, 10, 0] == 191  # three quarters of 255


@pytest.mark.parametrize("angle", [0.1, 0.4, 0.7853981633974483, 1.2])
def test_a_turned_square_covers_its_area(draw_items, angle):
    image = draw_items([{"kind": "polygon", "points": square(30, angle), "fill": WHITE}])
    assert area(image) == pytest.approx(900, rel=0.01)


def test_either_winding_gives_the_same_bytes(draw_items):
    points = square(30, 0.3)
    forward = draw_items([{"kind": "polygon", "points": points, "fill": WHITE}])
    backward = draw_items([{"kind": "polygon", "points": points[::-1], "fill": WHITE}])
    assert np.array_equal(forward, backward)


def test_a_rounded_polygon_is_swollen_by_its_radius(draw_items):
    image = draw_items([{"kind": "polygon", "points": square(20), "radius": 6.0, "fill": WHITE}])
    assert area(image) == pytest.approx(400 + 4 * 20 * 6 + pi * 36, rel=0.01)


def test_a_capsule_covers_its_area(draw_items):
    image = draw_items(
        [{"kind": "path", "points": [(20, 20), (40, 35)], "radius": 5.0, "fill": WHITE}]
    )
    assert area(image) == pytest.approx(10 * 25 + pi * 25, rel=0.01)


def test_the_outline_lies_inside_the_edge(draw_items):
    image = draw_items(
        [
            {
                "kind": "circle",
                "points": [(32, 32)],
                "radius": 20,
                "outline": 3,
                "fill": RED,
                "stroke": BLUE,
            }
        ]
    )
    assert image[:, :, 2].astype(float).sum() / 255 == pytest.approx(pi * (400 - 289), rel=0.02)
    assert image[:, :, 0].astype(float).sum() / 255 == pytest.approx(pi * 289, rel=0.01)
    assert tuple(image[32, 32]) == (255, 0, 0)
    assert tuple(image[32, 13]) == (0, 0, 255)


CONCAVE = [(8, 8), (56, 8), (56, 56), (44, 56), (44, 24), (20, 24), (20, 56), (8, 56)]


def test_a_concave_polygon_covers_its_area_without_seams(draw_items):
    image = draw_items([{"kind": "polygon", "points": CONCAVE, "fill": WHITE}])
    assert area(image) == 48 * 48 - 24 * 32
    assert set(np.unique(image)) == {0, 255}


def test_a_concave_polygon_has_an_outline_all_round(draw_items):
    image = draw_items(
        [{"kind": "polygon", "points": CONCAVE, "outline": 2, "fill": RED, "stroke": BLUE}]
    )
    for x, y in ((8, 30), (55, 30), (19, 40), (44, 40), (30, 23), (30, 8)):
        assert tuple(image[y, x]) == (0, 0, 255), (x, y)
    assert tuple(image[16, 30]) == (255, 0, 0)
    assert tuple(image[40, 32]) == (0, 0, 0)


def test_a_concave_polygon_may_be_see_through_and_stays_even(draw_items):
    turned = [(x + 0.3 * y, y) for x, y in CONCAVE]
    image = draw_items([{"kind": "polygon", "points": turned, "fill": 0xFFFFFF80}], size=(90, 64))
    assert image.max() == 128
    assert (image[14, 20:60, 0] == 128).all()


def test_a_see_through_path_is_not_darker_where_it_turns(draw_items):
    bends = [(8, 32), (20, 20), (32, 44), (44, 20), (56, 32)]
    image = draw_items([{"kind": "path", "points": bends, "radius": 4, "fill": 0xFFFFFF80}])
    assert image.max() == 128


def test_a_fading_path_grows_from_nothing(draw_items):
    image = draw_items(
        [{"kind": "fade", "points": [(4, 32), (32, 32), (60, 32)], "radius": 3, "fill": WHITE}]
    )
    along = image[32, 6:58, 0].astype(int)
    assert (np.diff(along) >= 0).all()
    assert along[0] < 20
    assert along[-1] > 230


def test_a_fading_path_that_goes_back_along_itself_shows_its_newer_part(draw_items):
    there_and_back = [(4, 32), (60, 32), (4, 32.3)]
    image = draw_items([{"kind": "fade", "points": there_and_back, "radius": 3, "fill": WHITE}])
    back = image[32, 6:58, 0].astype(int)
    assert (np.diff(back) <= 0).all()
    assert back[0] > 230
    assert back[-1] > 120


def test_dashes_leave_gaps_of_the_given_length(draw_items):
    image = draw_items(
        [
            {
                "kind": "path",
                "points": [(0, 32), (64, 32)],
                "radius": 2,
                "fill": WHITE,
                "a": 6,
                "b": 6,
            }
        ]
    )
    covered = area(image)
    assert 0.4 * 64 * 4 < covered < 0.95 * 64 * 4
    assert image[32, :, 0].min() == 0


@pytest.mark.parametrize(("length", "sagging"), [(44.0, False), (80.0, True)])
def test_a_rope_hangs_only_when_it_is_slack(draw_items, length, sagging):
    rope = {"kind": "rope", "points": [(10, 10), (54, 10)], "radius": 1.5, "fill": WHITE}
    image = draw_items([{**rope, "a": length, "b": 0, "c": 1}])
    assert bool(image[20:].any()) is sagging


def test_a_slack_rope_has_about_its_length(draw_items):
    rope = {"kind": "rope", "points": [(20, 4), (44, 4)], "radius": 1, "fill": WHITE}
    image = draw_items([{**rope, "a": 60, "b": 0, "c": 1}])
    assert area(image) / 2.0 == pytest.approx(60, rel=0.1)


def test_a_coil_swings_to_both_sides(draw_items):
    coil = {"kind": "coil", "points": [(4, 32), (60, 32)], "radius": 1, "fill": WHITE}
    image = draw_items([{**coil, "a": 6, "b": 10}])
    assert image[24, :, 0].max() > 200
    assert image[40, :, 0].max() > 200


def test_an_arrow_is_widest_at_its_head(draw_items):
    arrow = {"kind": "arrow", "points": [(8, 32), (56, 32)], "radius": 1.5, "fill": WHITE}
    image = draw_items([{**arrow, "a": 14, "b": 8}])
    widths = (image[:, :, 0] > 127).sum(0)
    assert widths[20] == pytest.approx(3, abs=1)
    assert widths[43] > 10
    assert widths[57] == 0


def test_an_arc_is_a_part_of_a_ring(draw_items):
    arc = {"kind": "arc", "points": [(32, 32)], "radius": 1.5, "fill": WHITE, "a": 20}
    image = draw_items([{**arc, "b": 0.0, "c": pi}])
    assert area(image) == pytest.approx(3 * pi * 20 + pi * 1.5**2, rel=0.03)
    assert not image[:29].any()


def test_hatching_lies_on_the_side_asked_for(draw_items):
    line = {"kind": "hatch", "points": [(4, 32), (60, 32)], "radius": 0.8, "fill": WHITE}
    below = draw_items([{**line, "a": 6, "b": 8, "c": 1}])
    above = draw_items([{**line, "a": 6, "b": 8, "c": -1}])
    assert area(below[:30]) < 1
    assert area(below[34:]) > 20
    assert area(above[34:]) < 1


def test_later_items_cover_earlier_ones(draw_items):
    image = draw_items(
        [
            {"kind": "circle", "points": [(32, 32)], "radius": 20, "fill": RED},
            {"kind": "circle", "points": [(32, 32)], "radius": 10, "fill": BLUE},
        ]
    )
    assert tuple(image[32, 32]) == (0, 0, 255)
    assert tuple(image[32, 48]) == (255, 0, 0)


def test_a_disc_of_a_million_pixels_radius_has_its_edge_in_place(draw_items):
    for radius in (1e4, 1e6, 1e9):
        image = draw_items(
            [{"kind": "circle", "points": [(32, radius + 20)], "radius": radius, "fill": WHITE}]
        )
        assert not image[:19].any()
        assert (image[21:] == 255).all()


def test_a_ground_of_a_million_pixels_has_its_edge_in_place(draw_items):
    ground = [(-1e6, 20), (1e6, 20), (1e6, 1e6), (-1e6, 1e6)]
    image = draw_items([{"kind": "polygon", "points": ground, "fill": WHITE}])
    assert not image[:20].any()
    assert (image[20:] == 255).all()


# Turned by the angle whose cosine and sine are 0.8 and 0.6.
TURNED = [(28.0, 4.0), (60.0, 28.0), (36.0, 60.0), (4.0, 36.0)]


def test_the_same_list_gives_the_bytes_it_always_gave(draw_items):
    """Drawing uses only exact arithmetic, so these bytes hold on every machine."""
    items = [
        {"kind": "polygon", "points": TURNED, "outline": 2, "fill": RED, "stroke": BLUE},
        {"kind": "circle", "points": [(20.3, 41.7)], "radius": 11.2, "fill": 0x44AA88C0},
        {"kind": "polygon", "points": CONCAVE, "radius": 2, "outline": 1, "fill": 0xCCBB4460},
        {"kind": "coil", "points": [(5, 5), (60, 50)], "radius": 1, "fill": WHITE, "a": 8, "b": 5},
        {"kind": "arrow", "points": [(9, 50), (50, 9)], "radius": 1, "fill": WHITE, "a": 9, "b": 4},
        {"kind": "rope", "points": [(5, 5), (60, 9)], "radius": 1, "fill": BLUE, "a": 90, "c": 1},
        {"kind": "loop", "points": square(50), "radius": 1, "fill": WHITE, "a": 5, "b": 3},
    ]
    digest = hashlib.sha256(draw_items(items, paper=240).tobytes()).hexdigest()
    assert digest == "9bc90b62cf0e894cd13ebf969a4301ba04dbb2248bc343edbd42f11141a41057"
