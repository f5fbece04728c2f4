# SPDX-License-Identifier: MIT
"""Formulas in texts: how they are read, set and drawn, and what is said where they cannot be."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.fonts.formulas import FormulaError, typeset
from rigid2d.core.page.codes import Blob
from rigid2d.core.page.notes import Notes, add_notes
from rigid2d.core.page.replay import camera_views
from rigid2d.core.record import Frame
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.text import EM, Lettering
from rigid2d.core.scene.model import Scene
from rigid2d.core.scene.values.text_template import Field, TextFormula, TextTemplate
from rigid2d.core.world import run

pytest.importorskip("matplotlib")

SCENE = """
rigid: 1
world: {{duration: 0.1}}
bodies: {{ball: {{shape: {{circle: 0.5}}, velocity: [1, 0]}}}}
annotations: [{{text: '{text}', corner: top_left}}]
render: {{size: [320, 240]}}
"""


def scene_of(text: str) -> Scene:
    return rigid2d.core.loads(SCENE.format(text=text))


def drawn(text: str) -> np.ndarray:
    scene = scene_of(text)
    return Renderer(scene).draw(next(iter(run(scene, steps=1))))


@pytest.fixture
def no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    typeset.cache_clear()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    yield
    typeset.cache_clear()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("$x$", [TextFormula("x", 0)]),
        ("a $x^{2}$ b", ["a ", TextFormula("x^{2}", 2), " b"]),
        ("$$5 each", ["$5 each"]),
        ("$5 and $6", ["$5 and $6"]),
        ("5 $ or 6 $", ["5 $ or 6 $"]),
        ("one $ alone", ["one $ alone"]),
        ("$a\n b$", ["$a\n b$"]),
        (r"$\$x$", [TextFormula(r"\$x", 0)]),
        ("$x$$y$", [TextFormula("x", 0), TextFormula("y", 3)]),
        ("$", ["$"]),
    ],
)
def test_formulas_are_between_dollar_signs(text: str, pieces: list[object]) -> None:
    assert TextTemplate(text).pieces == pieces


def test_braces_beside_a_formula_are_values_and_those_in_it_are_its_own() -> None:
    first, _, last = TextTemplate(r"$\frac{1}{2}$ = {ball.x:.1f}").pieces
    assert isinstance(first, TextFormula)
    assert first.source == r"\frac{1}{2}"
    assert isinstance(last, Field)


def test_a_formula_has_the_size_and_the_line_of_its_text() -> None:
    lettering = Lettering()
    letter, word = typeset("x"), typeset(r"\mathrm{H}")
    assert word.above == pytest.approx(0.729, abs=0.02)
    assert letter.below == pytest.approx(0.0, abs=0.02)
    sign = lettering.formula("x")
    assert lettering.width(f"a{sign}b", 20) == pytest.approx(
        lettering.width("a", 20) + 20 * EM * letter.wide + lettering.width("b", 20)
    )
    assert lettering.formula("x") == sign
    assert lettering.beyond("plain", 20) == (0.0, 0.0)
    up, down = lettering.beyond(lettering.formula(r"\dfrac{a}{b}"), 20)
    assert 2 < up < 20
    assert 2 < down < 20


def test_a_formula_is_drawn_among_letters_and_makes_its_line_higher() -> None:
    plain, low, high = (drawn(f"T = {each}")[:60, :60] for each in ("x", "$x$", r"$\dfrac{a}{b}$"))
    assert (plain != low).any()
    ends = [np.flatnonzero((each < 150).any(axis=(1, 2))).max() for each in (plain, low, high)]
    assert ends[0] == ends[1] < ends[2] - 5


def noted(scene: Scene, frames: list[Frame]) -> Notes:
    views = camera_views(scene, frames, scene.render.size)
    return add_notes(Blob(), scene, frames, np.arange(len(frames)), scene.render.size, views)


def test_a_page_has_the_outlines_of_formulas() -> None:
    scene = scene_of("v = $v_0$ $v_0$ {ball.vx:.1f}")
    frames = list(run(scene, steps=1))
    notes = noted(scene, frames)
    (formula,) = notes.formulas
    assert notes.texts[0] == "v = \U00100000 \U00100000 1.0"
    assert formula["path"].startswith("M")
    assert formula["wide"] == pytest.approx(EM * typeset("v_0").wide, abs=1e-3)


def test_a_letter_that_stands_for_a_formula_elsewhere_is_no_formula() -> None:
    scene = scene_of("$v_0$ \U00100000")
    frames = list(run(scene, steps=1))
    assert noted(scene, frames).texts[0] == "\U00100000 \ufffd"


@pytest.mark.parametrize(
    ("formula", "column", "words"),
    [
        (r"\frac{1}{2", 22, "the formula cannot be read: Expected"),
        (r"x + \foo", 26, r"Unknown symbol: \foo"),
        ("x" * 501, 22, "it has 501 characters; the limit is 500"),
        ("{" * 90 + "}" * 90, 22, "braces lie too deep"),
    ],
    ids=["open", "unknown", "long", "deep"],
)
def test_a_formula_that_cannot_be_read_is_an_error_at_its_place(
    formula: str, column: int, words: str
) -> None:
    with pytest.raises(SceneError) as error:
        scene_of(f"${formula}$")
    (problem,) = error.value.problems
    assert words in problem.message
    assert "a dollar sign itself is `$$`" in problem.message
    assert (problem.line, problem.path) == (5, "annotations[0].text")
    assert column <= problem.column <= column + len(formula)


def test_the_same_formula_is_the_same_outline() -> None:
    first = typeset(r"\sum_i \vec{F}_i")
    typeset.cache_clear()
    assert typeset(r"\sum_i \vec{F}_i") == first
    with pytest.raises(FormulaError):
        typeset("")


@pytest.mark.usefixtures("no_matplotlib")
def test_without_matplotlib_a_scene_warns_and_a_picture_names_the_extra() -> None:
    scene = scene_of("E: $m c^2$")
    (warning,) = scene.warnings
    assert "pip install 'rigid2d[formulas]'" in warning.message
    assert (warning.line, warning.column) == (5, 26)
    assert len(list(run(scene, steps=1))) > 0
    with pytest.raises(UsageError, match=r"pip install 'rigid2d\[formulas\]'"):
        Renderer(scene).draw(next(iter(run(scene, steps=1))))
