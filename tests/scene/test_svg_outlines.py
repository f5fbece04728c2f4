# SPDX-License-Identifier: MIT
"""Outlines of SVG drawings as chains and polygons."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import hypot, pi
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, limits, loads, model
from rigid2d.core.scene.values.polygon import signed_area

Draw = Callable[..., model.Shape]


@pytest.fixture
def draw(tmp_path: Path) -> Draw:
    """The shape made of a drawing's element called `it`: ``draw(content, "scale: 2")``."""

    def make(
        content: str, fields: str = "", *, kind: str = "polygon", more: str = ""
    ) -> model.Shape:
        (tmp_path / "a.svg").write_text(
            f"<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'>"
            f"{content}</svg>"
        )
        given = f"file: a.svg, id: it, {fields}"
        text = f"bodies: {{a: {{type: static, shape: {{{kind}: {{svg: {{{given}}}{more}}}}}}}}}"
        scene = loads(f"rigid: 1\n{text}\n", folder=tmp_path)
        return scene.bodies["a"].shapes[0]

    return make


def size(shape: model.Shape) -> tuple[float, float]:
    xs, ys = zip(*shape.points, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


FLAG = "<path id='it' d='M 0 0 H 40 L 0 20 Z'/>"


def test_an_outline_stands_as_it_is_drawn_where_y_points_up(draw: Draw) -> None:
    shape = draw(FLAG, "scale: 0.1")
    assert set(shape.points) == {(-2.0, 1.0), (2.0, 1.0), (-2.0, -1.0)}


def test_where_y_points_down_as_in_the_drawing_nothing_is_turned_over(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(f"<svg>{FLAG}</svg>")
    text = "rigid: 1\nunits: screen\nbodies: {a: {shape: {polygon: {svg: {file: a.svg}}}}}"
    scene = loads(text, folder=tmp_path)
    assert set(scene.bodies["a"].shapes[0].points) == {(-20.0, -10.0), (20.0, -10.0), (-20.0, 10.0)}


def test_an_origin_is_a_point_of_the_drawing(draw: Draw) -> None:
    shape = draw(FLAG, "scale: 0.1, origin: [10, 30]")
    assert set(shape.points) == {(-1.0, 3.0), (3.0, 3.0), (-1.0, 1.0)}


@pytest.mark.parametrize(("field", "wanted"), [("width: 3", (3.0, 1.5)), ("height: 3", (6.0, 3.0))])
def test_a_width_or_a_height_says_how_large_the_outline_is(
    field: str, wanted: tuple[float, float], draw: Draw
) -> None:
    assert size(draw(FLAG, field)) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize(
    ("content", "area"),
    [
        ("<rect id='it' width='30' height='20'/>", 600.0),
        ("<rect id='it' width='30' height='20' rx='5'/>", 600.0 - (4 - pi) * 25),
        ("<rect id='it' width='30' height='20' rx='50' ry='4'/>", 600.0 - (4 - pi) * 15 * 4),
        ("<circle id='it' cx='7' r='10'/>", pi * 100),
        ("<ellipse id='it' rx='10' ry='4'/>", pi * 40),
        ("<polygon id='it' points='0,0 10,0 10,10'/>", 50.0),
        ("<polyline id='it' points='0,0 10,0 10,10 0,0'/>", 50.0),
        ("<path id='it' d='M 0 0 a 10 10 0 0 1 20 0 z'/>", pi * 50),
    ],
)
def test_an_outline_has_the_area_that_is_drawn(content: str, area: float, draw: Draw) -> None:
    shape = draw(content, more=", tolerance: 0.001")
    assert signed_area(shape.points) == pytest.approx(area, rel=0.001)


def test_transforms_of_the_element_and_of_all_around_it_count(draw: Draw) -> None:
    inner = "<rect id='it' width='10' height='5' transform='scale(2 1)'/>"
    content = f"<g transform='translate(100 50)'><g transform='rotate(90)'>{inner}</g></g>"
    shape = draw(content, "origin: [0, 0]")
    # 20 x 5 turned by a quarter, clockwise as it is seen: x from 95 to 100, y down from 50 to 70.
    corners = {(round(x, 9), round(y, 9)) for x, y in shape.points}
    assert corners == {(95.0, -50.0), (100.0, -50.0), (100.0, -70.0), (95.0, -70.0)}


def test_a_copy_is_where_it_is_put(draw: Draw) -> None:
    content = (
        "<defs><g transform='scale(9)'><rect id='box' width='10' height='5'/></g></defs>"
        "<use id='other' x:href='#box' x='1'/>"
        "<g transform='scale(2)'><use id='it' href='#other' y='3'/></g>"
    )
    shape = draw(content, "origin: [0, 0]")
    assert set(shape.points) == {(2.0, -6.0), (22.0, -6.0), (22.0, -16.0), (2.0, -16.0)}


def test_a_group_of_one_outline_is_that_outline(draw: Draw) -> None:
    content = "<g id='it'><title>one</title><g><circle r='3'/></g></g>"
    assert size(draw(content))[0] == pytest.approx(6.0, rel=0.01)


def test_the_only_outline_of_a_drawing_needs_no_id(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(
        "<svg><defs><path d='M 0 0'/></defs><rect width='4' height='2'/></svg>"
    )
    text = "rigid: 1\nbodies: {a: {shape: {polygon: {svg: {file: a.svg}}}}}"
    scene = loads(text, folder=tmp_path)
    assert size(scene.bodies["a"].shapes[0]) == (4.0, 2.0)


def test_a_contour_is_one_part_of_a_path(draw: Draw) -> None:
    content = "<path id='it' d='M 0 0 H 9 V 9 Z m 1 1 h 4 v 4 z'/>"
    assert size(draw(content, "contour: 0")) == (9.0, 9.0)
    assert size(draw(content, "contour: 1")) == (4.0, 4.0)


def test_points_that_are_drawn_twice_count_once(draw: Draw) -> None:
    shape = draw("<path id='it' d='M 0 0 h 0 h 9 v 9 v 0 l -9 -9 z'/>")
    assert len(shape.points) == 3


def test_a_chain_goes_as_it_is_drawn(draw: Draw) -> None:
    shape = draw("<polyline id='it' points='0,0 10,5 20,0'/>", "origin: [0, 0]", kind="chain")
    assert shape.points == ((0.0, 0.0), (10.0, -5.0), (20.0, 0.0))


@pytest.mark.parametrize("tolerance", [0.1, 0.01, 0.001])
def test_a_tolerance_is_a_length_of_the_scene(tolerance: float, draw: Draw) -> None:
    shape = draw("<circle id='it' r='300'/>", "width: 4", more=f", tolerance: {tolerance}")
    pairs = itertools.pairwise((*shape.points, shape.points[0]))
    off = max(2.0 - hypot((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairs)
    assert 0.4 * tolerance <= off <= tolerance


def test_fields_may_be_expressions_of_the_index_of_a_generator(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(f"<svg>{FLAG}</svg>")
    shape = "{polygon: {svg: {file: a.svg, width: =1 + i}}}"
    scene = loads(f"rigid: 1\nbodies: {{a: {{repeat: {{i: 3}}, shape: {shape}}}}}", folder=tmp_path)
    assert [size(body.shapes[0])[0] for body in scene.bodies.values()] == [1.0, 2.0, 3.0]


def test_an_expanded_scene_has_the_points_and_needs_no_drawing(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg><ellipse rx='10' ry='4'/></svg>")
    scene = loads(
        "rigid: 1\nbodies: {a: {shape: {polygon: {svg: {file: a.svg}}}}}", folder=tmp_path
    )
    assert loads(expand(scene)).hash == scene.hash


def test_a_drawing_is_one_of_the_files_that_a_scene_names(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(f"<svg>{FLAG}</svg>")
    scene = loads(
        "rigid: 1\nbodies: {a: {shape: {polygon: {svg: {file: a.svg}}}}}", folder=tmp_path
    )
    assert scene.files == (str((tmp_path / "a.svg").resolve()),)


def test_a_prototype_takes_outlines_too(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(f"<svg>{FLAG}</svg>")
    text = (
        "prototypes: {p: {bodies: {a: {shape: {polygon: {svg: {file: a.svg, scale: 0.1}}}}}}}\n"
        "instances: {one: {use: p, scale: 2}}"
    )
    scene = loads(f"rigid: 1\n{text}", folder=tmp_path)
    assert size(scene.bodies["one.a"].shapes[0]) == (8.0, 4.0)


def refused(text: str, tmp_path: Path, content: str) -> str:
    (tmp_path / "a.svg").write_text(f"<svg>{content}</svg>")
    with pytest.raises(SceneError) as caught:
        loads(
            f"rigid: 1\nbodies: {{a: {{shape: {{polygon: {{svg: {{{text}}}}}}}}}}}", folder=tmp_path
        )
    (problem,) = caught.value.problems
    return problem.message


def test_copies_of_copies_come_to_an_end(tmp_path: Path) -> None:
    rows = ["<g id='g0'/>"]
    for i in range(1, 8):
        copy = f"<use href='#g{i - 1}'/>"
        rows.append(f"<g id='g{i}'>{copy * 40}</g>")
    assert "that is the limit" in refused("file: a.svg, id: g7", tmp_path, "".join(rows))


def test_a_drawing_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DRAWING_BYTES", 60)
    assert "cannot be read" in refused("file: a.svg", tmp_path, f"{FLAG}{' ' * 60}")


def test_drawings_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DRAWINGS", 0)
    assert "more than 0 different drawings" in refused("file: a.svg", tmp_path, FLAG)


def test_a_curve_of_too_many_points_is_refused_before_it_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg><circle r='10'/></svg>")
    text = "rigid: 1\nbodies: {a: {shape: {polygon: {svg: {file: a.svg}, tolerance: 1e-9}}}}"
    with pytest.raises(SceneError, match="points; that is the limit"):
        loads(text, folder=tmp_path)


def test_numbers_that_overflow_are_refused(tmp_path: Path) -> None:
    content = "<g transform='scale(1e300)'><rect width='1e300' height='1e300'/></g>"
    assert "has no size" in refused("file: a.svg", tmp_path, content)
