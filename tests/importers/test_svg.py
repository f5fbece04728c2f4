# SPDX-License-Identifier: MIT
"""Outlines of SVG drawings."""

from __future__ import annotations

import itertools
import math

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import import_data
from rigid2d.core.scene.values.polygon import signed_area
from rigid2d.core.scene.values.svg_path import IDENTITY, TOLERANCE, read_path

from tests.rows import every_row


def only(made):
    (body,) = made.scene().bodies.values()
    return body


def placed(body):
    """The points of a body's first shape, where it stands without a turn."""
    return [(x + body.position[0], y + body.position[1]) for x, y in body.shapes[0].points]


def points(path):
    (line,) = read_path(path, IDENTITY)
    return line.points


def test_a_rectangle_is_a_static_box(svg):
    body = only(svg('<rect id="floor" x="10" y="20" width="100" height="40"/>'))
    assert (body.name, body.kind, body.position) == ("floor", "static", (60.0, 40.0))
    assert max(body.shapes[0].points) == (50.0, 20.0)


def test_rounded_corners_are_kept(svg):
    body = only(svg('<rect width="100" height="40" rx="5"/>'))
    assert body.shapes[0].radius == 5.0


def test_a_circle_stays_one_under_a_similarity(svg):
    body = only(svg('<circle cx="1" cy="2" r="3" transform="translate(10 20) scale(2)"/>'))
    assert (body.shapes[0].kind, body.shapes[0].radius) == ("circle", 6.0)
    assert body.position == (12.0, 24.0)


def test_a_stretched_circle_is_a_polygon_and_a_loss(svg):
    made = svg('<circle r="3" transform="scale(2, 1)"/>')
    assert only(made).shapes[0].kind == "polygon"
    assert "ellipse" in made.losses[0].message


@every_row(
    ("transform", "corner"),
    [
        ("translate(5)", (15.0, 10.0)),
        ("translate(5,7) ", (15.0, 17.0)),
        ("scale(2)", (20.0, 20.0)),
        ("rotate(90)", (-10.0, 10.0)),
        ("rotate(90 10 0)", (0.0, 0.0)),
        ("matrix(1 0 0 -1 0 30)", (10.0, 20.0)),
        ("skewX(45)", (20.0, 10.0)),
        ("translate(1 0) scale(2), translate(1 0)", (23.0, 20.0)),
    ],
)
def test_transforms_are_worked_out(svg, transform, corner):
    inside = '<polygon points="0,0 10,10 0,20"/>'
    body = only(svg(f'<g transform="{transform}">{inside}</g>'))
    assert any(point == pytest.approx(corner, abs=1e-5) for point in placed(body))


def test_what_is_not_filled_is_a_line(svg):
    body = only(svg('<polygon fill="none" points="0,0 10,10 0,20"/>'))
    assert (body.shapes[0].kind, body.shapes[0].loop, body.shapes[0].side) == (
        "chain",
        True,
        "both",
    )
    body = only(svg('<g style="fill: none"><path d="M 0 0 L 5 5"/></g>'))
    assert body.shapes[0].kind == "segment"


def test_commands_of_paths_go_on_from_each_other():
    assert points("M 1 2 l 3 0 0 3 H 0 v -1 h 2 L 9 9") == [
        (1, 2),
        (4, 2),
        (4, 5),
        (0, 5),
        (0, 4),
        (2, 4),
        (9, 9),
    ]


def test_numbers_of_paths_need_no_space_between():
    assert points("M-1.5-2L.5.5 1e1-2") == [(-1.5, -2), (0.5, 0.5), (10, -2)]


def test_a_curve_ends_where_it_says_and_stays_near():
    # A quarter of a circle of 100 by the usual control points, which is off by 0.03 at most.
    k = 55.2285
    arc = points(f"M 100 0 C 100 {k} {k} 100 0 100")
    assert arc[-1] == pytest.approx((0, 100))
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in itertools.pairwise(arc)]
    assert all(abs(math.hypot(x, y) - 100) < TOLERANCE + 0.03 for x, y in [*arc, *middles])


def test_a_smooth_curve_goes_on_in_its_direction():
    for path in ("M 0 0 C 0 50 50 50 50 0 S 100 -50 100 0", "M 0 0 Q 25 50 50 0 T 100 0"):
        curve = points(path)
        at = next(i for i, point in enumerate(curve) if point == (50, 0))
        before = curve[at][1] - curve[at - 1][1]
        after = curve[at + 1][1] - curve[at][1]
        assert before < 0
        assert after == pytest.approx(before, rel=0.05)


@pytest.mark.parametrize(("flags", "middle"), [("0 1", (0, -50)), ("0 0", (0, 50))])
def test_an_arc_turns_as_its_flags_say(flags, middle):
    arc = points(f"M -50 0 A 50 50 0 {flags} 50 0")
    nearest = min(math.dist(point, middle) for point in arc)
    assert nearest < 5
    assert all(math.hypot(x, y) == pytest.approx(50, abs=1e-6) for x, y in arc)


def test_flags_of_arcs_need_no_space():
    assert points("M 0 0 a 5 5 0 0110 0") == points("M 0 0 a 5 5 0 0 1 10 0")


def test_an_arc_that_is_too_small_grows():
    assert max(y for _, y in points("M -50 0 A 1 1 0 0 0 50 0")) == pytest.approx(50, abs=0.5)


def test_parts_of_a_path_are_shapes_of_one_body(svg):
    made = svg('<path d="M 0 0 h 9 v 9 h -9 z m 20 0 h 9 v 9 h -9 z"/>')
    assert len(only(made).shapes) == 2
    assert made.losses == ()


OUTER = "M 0 0 h 90 v 90 h -90 z"


@pytest.mark.parametrize(
    ("inner", "rule", "area"),
    [
        ("M 20 20 v 10 h 10 v -10 z", "", 8000),
        ("M 20 20 h 10 v 10 h -10 z", "evenodd", 8000),
        ("M 20 20 h 10 v 10 h -10 z", "", 8100),
        ("M 20 20 h 50 v 50 h -50 z m 20 20 h 10 v 10 h -10 z", "evenodd", 5700),
        ("M 80 20 h 20 v 10 h -20 z", "", 8200),
    ],
    ids=["the other way round", "evenodd", "the same way round", "an island", "across the edge"],
)
def test_holes_of_a_path_stay_free(svg, inner, rule, area):
    made = svg(f'<path fill-rule="{rule}" d="{OUTER} {inner}"/>')
    shapes = only(made).shapes
    rings = [ring for shape in shapes for ring in (shape.points, *shape.holes)]
    assert made.losses == ()
    assert sum(map(signed_area, rings)) == pytest.approx(area)


def test_holes_of_a_path_of_a_thousand_points_are_a_loss(svg):
    teeth = " ".join(f"L {i % 2 + 1} {41 + 0.01 * i}" for i in range(900))
    more = " ".join(f"L {i % 2 + 1} {20.5 + 0.01 * i}" for i in range(100))
    made = svg(f'<path d="{OUTER} M 80 50 L 1 40 {teeth} z M 80 22 L 1 20 {more} z"/>')
    assert "hole" in made.losses[0].message


def test_data_attributes_are_fields(svg):
    body = only(
        svg('<rect width="9" height="9" data-body="dynamic" data-mass="3" data-velocity-x="2"/>')
    )
    assert (body.kind, body.mass, body.velocity) == ("dynamic", 3.0, (2.0, 0.0))


def test_lengths_have_units(svg):
    assert only(svg('<circle r="1in" cx="72pt"/>')).position == (96.0, 0.0)
    assert only(svg('<circle r="25.4mm"/>')).shapes[0].radius == pytest.approx(96)


def test_what_is_not_shown_is_not_there(svg):
    inside = '<circle r="1"/><circle r="1" style="display:none"/><defs><circle r="1"/></defs>'
    assert svg(inside).bodies == 1


def test_the_title_is_the_name(svg):
    assert svg('<title>My room</title><circle r="1"/>').scene().name == "My room"


@every_row(
    ("inside", "message"),
    [
        ('<rect width="1q" height="2"/>', r"2:1: svg.rect\[0\]: `width` must be a length"),
        ('<path d="L 1 2"/>', r"svg.path\[0\]: `d` begins with M"),
        ('<path d="M 1 2 L 3"/>', r"`d` needs a number"),
        ('<path d="M 1 2 X 3 4"/>', r"`d` has an unknown command 'X'; known: M, L"),
        ('<path d="M 0 0 A 1 1 0 2 0 1 1"/>', r"`d` needs 0 or 1"),
        ('<polygon points="1,2 3"/>', r"`points` needs an even number"),
        ('<g transform="turn(3)"/>', r"`transform` there is no transform turn"),
        ('<rect width="1" height="2" data-mass="x"/>', r"`data-mass` must be a number"),
        ('<g data-mass="x">\n<rect width="1" height="2"/></g>', r"2:1: svg.g\[0\]: `data-mass`"),
        ('<circle r="1e999"/>', r"`r` is too large"),
        ('<polygon points="0,0 9,9 9,0 0,9"/>', r"2:1: svg.polygon\[0\]: `bodies.polygon_0.shape"),
    ],
)
def test_a_mistake_names_its_place(svg, inside, message):
    with pytest.raises(SceneError, match=message):
        svg(inside)


def test_a_text_that_is_no_xml_names_the_line():
    with pytest.raises(SceneError, match=r"drawing\.svg:2:3: this is not XML: mismatched tag"):
        import_data("<svg>\n</rect></svg>", file="drawing.svg")


def test_xml_of_another_kind_is_an_error():
    with pytest.raises(SceneError, match="the outermost element is not `<svg>`"):
        import_data("<html/>", "svg")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://localhost/x"> %a;',
    ],
)
def test_entities_of_the_file_are_refused(declaration):
    with pytest.raises(SceneError, match="the entity `a`: entities of a file's own are not read"):
        import_data(f"<!DOCTYPE svg [{declaration}]><svg><title>&a;</title></svg>")


def test_an_external_document_type_is_not_fetched():
    text = '<!DOCTYPE svg SYSTEM "file:///nowhere/at/all.dtd"><svg><circle r="1"/></svg>'
    assert import_data(text).bodies == 1


def test_deep_nesting_is_an_error():
    with pytest.raises(SceneError, match="nested more than 32 levels"):
        import_data("<svg>" + "<g>" * 100 + "</g>" * 100 + "</svg>")


def test_too_many_points_are_an_error(svg):
    with pytest.raises(SceneError, match="more than 20,000 points"):
        svg(f'<path d="M 0 0 {"l 1 0 " * 21_000}"/>')


def test_what_is_used_again_is_another_body(svg):
    made = svg(
        '<defs><rect id="tile" width="10" height="4"/></defs>'
        '<use href="#tile" x="5" y="3"/><g transform="translate(100 0)"><use href="#tile"/></g>'
    )
    bodies = made.scene().bodies.values()
    assert [body.position for body in bodies] == [(10.0, 5.0), (105.0, 2.0)]
    assert not made.losses


@every_row("target", ["", "#nothing", "other.svg#tile", "#later"])
def test_a_use_of_what_is_not_there_is_a_loss(svg, target):
    made = svg(f'<rect width="10" height="4"/><use href="{target}"/><defs id="later"/>')
    assert [loss.message.split(",")[0] for loss in made.losses] == [f"a <use> of {target!r}"]


def test_a_use_of_itself_ends(svg):
    made = svg('<rect width="9" height="9"/><g id="a"><use href="#a"/></g>')
    assert "a <use> of itself" in [loss.message for loss in made.losses]


def test_uses_of_uses_are_bounded(svg):
    groups = '<g id="g0"><rect width="1" height="1"/></g>'
    for i in range(1, 8):
        groups += f'<g id="g{i}">' + f'<use href="#g{i - 1}"/>' * 10 + "</g>"
    with pytest.raises(SceneError, match="more than 10,000 elements of copies; the limit"):
        svg(groups)


def test_a_symbol_whose_box_begins_elsewhere_is_put_where_it_is_used(svg) -> None:
    box = '<rect x="10" y="20" width="10" height="10"/>'
    symbol = f'<symbol id="s" viewBox="10 20 10 10">{box}</symbol>'
    (body,) = svg(f'{symbol}<use href="#s" width="20" height="20"/>').scene().bodies.values()
    assert body.position == (10.0, 10.0)
