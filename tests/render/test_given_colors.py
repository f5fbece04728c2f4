# SPDX-License-Identifier: MIT
"""Which of the colours that a body is given wins, and what a palette leaves of them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from rigid2d.core import loads, run
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.colors import Color, contrast, parse_color
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.canvas.text import write_rimmed
from rigid2d.core.render.canvas.theme import LETTERS_AND_LINES, THEMES, on_paper

HEAD = """
rigid: 1
world: {gravity: [0, 0]}
camera: {mode: region, rect: [[-4, -3], [4, 3]]}
render: {size: [160, 120], background: "#ffffff", palette: PALETTE}
materials: {wood: {color: "#804000"}, ice: {color: "#80ffff"}}
"""


def picture(text: str, palette: str = "bodies") -> np.ndarray:
    scene = loads(HEAD.replace("PALETTE", palette) + text)
    frame = next(iter(run(scene, times=(0.0,), steps=1)))
    return Renderer(scene).draw(frame)


def at(image: np.ndarray, x: float, y: float) -> tuple[int, ...]:
    return tuple(int(value) for value in image[round(60 - 20 * y), round(80 + 20 * x)])


def test_the_colour_of_an_instance_wins_over_that_of_a_material() -> None:
    image = picture("""
prototypes:
  toy:
    bodies:
      plain: {shape: {box: [1, 1]}, position: [-3, 0], material: wood}
      own: {shape: {box: [1, 1]}, position: [-1, 0], material: wood, color: "#00ff00"}
      mixed:
        position: [2, 0]
        shapes:
          - {box: [1, 1], offset: [-0.5, 0], material: wood}
          - {box: [1, 1], offset: [0.5, 0], material: ice}
instances: {red: {use: toy, color: "#ff0000"}}
""")
    assert at(image, -3, 0) == (255, 0, 0)
    assert at(image, -1, 0) == (0, 255, 0)
    assert at(image, 1.5, 0) == (0x80, 0x40, 0)  # shapes that are told apart stay so
    assert at(image, 2.5, 0) == (0x80, 255, 255)


def test_the_palette_of_forces_shows_bars_over_all_and_keeps_the_order_of_the_rest() -> None:
    text = """
bodies:
  bar: {shape: {box: [6, 0.4]}, z: 1}
  plate: {type: static, shape: {box: [1, 2]}, position: [-2, 0], collide: false, z: 2}
  cover: {type: static, shape: {box: [0.5, 2]}, position: [-2, 0.5], collide: false, z: 3,
          color: "#00ff00"}
  behind: {type: static, shape: {box: [1, 2]}, position: [2, 0], collide: false, z: 0}
"""
    image = picture(text, "forces")
    bar = at(image, 0, 0)
    assert at(image, -2, 0) == at(image, 2, 0) == bar
    assert at(image, -2, 0.7) == at(image, -2, 1.3) == (0, 255, 0)
    assert at(image, -2.4, 0.7) == at(image, 2, 0.7) != bar


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("paper", ["#101830", "#ffffff", "#2e7d32", "#f8b8c0"])
def test_letters_and_lines_are_read_on_a_background_of_the_scene(name: str, paper: str) -> None:
    theme, ground = THEMES[name], parse_color(paper)
    found = on_paper(theme, ground)
    assert found.paper == ground
    most = max(contrast(end, ground) for end in ((0, 0, 0, 255), (255, 255, 255, 255)))
    for each in LETTERS_AND_LINES:
        own = contrast(getattr(theme, each), theme.paper)
        assert contrast(getattr(found, each), ground) >= min(own, most) - 1e-9
    assert contrast(found.grid, ground) < contrast(found.axis, ground) < 2.0
    assert on_paper(theme, theme.paper).ink == theme.ink


def test_a_colour_of_a_text_is_read_on_each_background() -> None:
    text = HEAD.replace("#ffffff", "#101830") + "bodies: {ball: {shape: {circle: 0.1}}}\n"
    for color in ("purple", "#102040"):
        note = f"annotations: [{{text: MMMM, corner: top, size: 60, color: '{color}'}}]\n"
        scene = loads(text.replace("PALETTE", "bodies") + note)
        image = Renderer(scene).draw(next(iter(run(scene, times=(0.0,), steps=1))))
        brightest = image.reshape(-1, 3)[image[:30].sum(axis=2).argmax()]
        shown = (*(int(part) for part in brightest), 255)
        assert contrast(shown, parse_color("#101830")) > 4.4


def test_a_segment_has_its_colour() -> None:
    image = picture("""
bodies:
  line: {type: static, shape: {segment: [[-3, 0], [3, 0]]}, color: "#ff0000"}
  rim: {type: static, shape: {segment: [[-3, 1], [3, 1]]}, color: "#ff0000", outline: "#0000ff"}
""")
    column = image[:, 80].astype(int)
    assert (column[55:65, 0] - column[55:65, 1]).max() > 120
    assert column[55:65, 0].min() == 255
    assert (column[35:45, 2] - column[35:45, 1]).max() > 120


@pytest.mark.parametrize(
    ("ink", "kept"), [("#ffffff", False), ("#e9a24b", True), ("#222222", True)]
)
def test_letters_of_the_colour_of_their_rim_get_another_rim(ink: str, kept: bool) -> None:
    """White letters on a dark picture are read though the theme's rim is pale."""
    written: list[Color] = []

    class Lettering:
        def add(self, items: Any, text: str, at: Any, color: Color, size: float, **_: Any) -> None:
            written.append(color)

    letters, paper = parse_color(ink), parse_color("#f6f4ef")
    write_rimmed(Items(), cast(Any, Lettering()), "grips", (9.0, 9.0), (letters, paper), 12.0)
    *rim, last = written
    assert last == letters
    assert (set(rim) == {paper}) == kept
    assert min(contrast(each, letters) for each in rim) > 1.7
