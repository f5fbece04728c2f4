# SPDX-License-Identifier: MIT
"""SVG drawings as images: what of them is drawn where, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import loads
from rigid2d.core.scene.text.images import read_image
from rigid2d.core.scene.text.svg_pictures import LONGEST, draw_drawing

RED, GREEN, CLEAR = (255, 0, 0, 255), (0, 128, 0, 255), (0, 0, 0, 0)


def drawn(inside: str, box: str = 'viewBox="0 0 10 5"'):
    return draw_drawing(f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{inside}</svg>', "a.svg")


def at(image, x: float, y: float):
    """The colour at a place of a drawing that is 10 wide."""
    return image.getpixel((int(x * image.width / 10), int(y * image.width / 10)))


def test_the_picture_is_the_view_box_or_the_size() -> None:
    assert drawn("").size == (LONGEST, LONGEST // 2)
    assert drawn("", 'width="3" height="6px"').size == (LONGEST // 2, LONGEST)
    image = drawn('<rect x="-5" y="-5" width="5" height="5" fill="red"/>', 'viewBox="-5 -5 10 5"')
    assert (at(image, 2, 2), at(image, 7, 2)) == (RED, CLEAR)


def test_shapes_lie_over_each_other_in_their_order() -> None:
    image = drawn(
        '<rect width="6" height="5" fill="red"/><circle cx="5" cy="2" r="2" fill="green"/>'
    )
    assert (at(image, 1, 4), at(image, 5, 2), at(image, 8, 2)) == (RED, GREEN, CLEAR)


@pytest.mark.parametrize(
    ("rule", "inner", "inside"),
    [
        ("nonzero", "M2 1 H4 V3 H2 Z", RED),
        ("nonzero", "M2 1 V3 H4 V1 Z", CLEAR),
        ("evenodd", "M2 1 H4 V3 H2 Z", CLEAR),
    ],
)
def test_holes_are_as_the_fill_rule_has_them(rule: str, inner: str, inside: object) -> None:
    image = drawn(f'<path fill="red" fill-rule="{rule}" d="M1 0 H5 V4 H1 Z {inner}"/>')
    assert (at(image, 1.5, 2), at(image, 3, 2)) == (RED, inside)


def test_strokes_have_their_width_and_fills_their_opacity() -> None:
    image = drawn(
        '<g stroke="red" fill="none" stroke-width="2" transform="scale(0.5)">'
        '<path d="M2 4 H18"/></g>'
        '<rect x="1" y="3" width="2" height="2" style="fill: rgb(0, 128, 0); fill-opacity: 0.5"/>'
    )
    assert (at(image, 5, 2.4), at(image, 5, 1.6), at(image, 5, 2.7)) == (RED, RED, CLEAR)
    assert at(image, 2, 4) == (0, 128, 0, 128)


def test_what_is_hidden_or_only_defined_is_not_drawn() -> None:
    image = drawn(
        '<defs><rect width="9" height="9"/></defs>'
        '<g display="none"><rect width="9" height="9"/></g>'
        '<rect width="9" height="9" fill="none"/><rect width="9" height="9" opacity="0"/>'
    )
    assert image.getextrema()[3] == (0, 0)


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("<text>a</text>", "line 1: texts are not drawn"),
        ('<rect width="1" height="1" fill="url(#a)"/>', "`fill` must be a plain colour"),
        ('<rect width="1" height="1" stroke="red" stroke-width="x"/>', "`stroke-width` must be a"),
        ('<path d="M 0 x"/>', "`d`"),
        ("<rect", "not XML"),
    ],
)
def test_what_cannot_be_drawn_is_said_with_its_line(inside: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        drawn(inside)


def test_a_drawing_without_a_size_is_refused() -> None:
    for box in ("", 'viewBox="0 0 0 5"', 'viewBox="0 0 nan 5"'):
        with pytest.raises(ValueError, match="needs a size"):
            drawn("", box)
    with pytest.raises(ValueError, match="four numbers"):
        drawn("", 'viewBox="0 0 5"')


def test_too_much_is_refused_before_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rigid2d.core.scene.text.svg_pictures.MOST_WORK", 1000)
    with pytest.raises(ValueError, match="more areas than can be drawn"):
        drawn('<rect width="9" height="9"/>')


def test_a_body_may_be_drawn_by_a_drawing(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text('<svg viewBox="0 0 2 1"><rect width="1" height="1"/></svg>')
    text = "rigid: 1\nbodies:\n  a: {shape: {circle: 1}, texture: a.svg}\n"
    texture = loads(text, folder=tmp_path).bodies["a"].texture
    assert texture is not None
    assert read_image(texture.file).size == (LONGEST, LONGEST // 2)
    (tmp_path / "a.svg").write_text("<svg viewBox='0 0 2 1'>\n<image/></svg>")
    with pytest.raises(SceneError, match="line 2: images are not drawn"):
        loads(text, folder=tmp_path)
