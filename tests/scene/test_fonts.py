# SPDX-License-Identifier: MIT
"""Fonts that a scene names: where they may be, what they must be, and what comes of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import rigid2d.core
import yaml
from rigid2d.core.errors import SceneError
from rigid2d.core.fonts.font import SHIPPED
from rigid2d.core.page.fonts import fonts
from rigid2d.core.render import Renderer
from rigid2d.core.scene.expansion import expand
from rigid2d.core.world import run

SCENE = """
rigid: 1
world: {{duration: 0.1}}
bodies: {{ball: {{shape: {{circle: 0.5}}}}}}
annotations: [{{text: "Übung {{ball.x:.1f}}", corner: top_left{own}}}]
render: {{size: [160, 120]{general}}}
"""


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A font whose letters are twice as wide as those of the shipped font; it lacks `Ü`."""
    tools = pytest.importorskip("fontTools.ttLib")
    subset = pytest.importorskip("fontTools.subset")
    font = tools.TTFont(SHIPPED)
    subsetter = subset.Subsetter(subset.Options())
    subsetter.populate(text="abcdefghijklmnopqrstuvwxyz0123456789. ")
    subsetter.subset(font)
    for name, (advance, left) in font["hmtx"].metrics.items():
        font["hmtx"].metrics[name] = (2 * advance, left)
    path = tmp_path_factory.mktemp("fonts") / "wide.ttf"
    font.save(path)
    return path


def written(folder: Path, wide: Path, own: str = "", general: str = "") -> Path:
    shutil.copy(wide, folder / "wide.ttf")
    scene = folder / "scene.yaml"
    scene.write_text(SCENE.format(own=own, general=general))
    return scene


def drawn(path: Path) -> np.ndarray:
    scene = rigid2d.core.load(path)
    return Renderer(scene).draw(next(iter(run(scene, steps=1))))


def reach(image: np.ndarray) -> int:
    """The rightmost column with letters."""
    dark = (image[:40].astype(int).sum(axis=2) < 560).any(axis=0)
    return int(np.flatnonzero(dark).max())


@pytest.mark.parametrize(
    ("own", "general"), [(", font: wide.ttf", ""), ("", ", font: wide.ttf")], ids=["own", "general"]
)
def test_texts_are_written_in_the_font_of_the_scene(
    own: str, general: str, tmp_path: Path, wide: Path
) -> None:
    usual = reach(drawn(written(tmp_path, wide)))
    assert reach(drawn(written(tmp_path, wide, own, general))) > 1.4 * usual


def test_a_font_is_an_input_that_expand_writes_and_a_page_has(tmp_path: Path, wide: Path) -> None:
    scene = rigid2d.core.load(written(tmp_path, wide, ", font: wide.ttf", ", font: wide.ttf"))
    assert str(tmp_path.resolve() / "wide.ttf") in scene.files
    again = yaml.safe_load(expand(scene))
    assert again["render"]["font"] == again["annotations"][0]["font"] == "wide.ttf"
    there = fonts(scene)
    assert list(there["fonts"]) == [there["font"]]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("gone.ttf", None, "there is no file `gone.ttf` in the scene's folder"),
        ("../out.ttf", None, "leads out of the scene's folder|there is no file"),
        ("text.ttf", b"hello, this is no font", "the file is no font: a font is a TTF or OTF file"),
        ("web.ttf", b"wOF2" + bytes(60), "packed for the web"),
        ("cut.ttf", SHIPPED.read_bytes()[:3000], "the font is damaged"),
        ("large.ttf", b"\0" * (32 * 1024 * 1024 + 1), "the font cannot be read: it has 32"),
    ],
    ids=["missing", "outside", "text", "web", "cut", "large"],
)
@pytest.mark.parametrize("general", [True, False], ids=["render", "annotation"])
def test_what_cannot_be_a_font_is_an_error_at_its_place(
    name: str, data: bytes | None, words: str, general: bool, tmp_path: Path
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    scene = tmp_path / "scene.yaml"
    key = f", font: {name}"
    scene.write_text(SCENE.format(own="" if general else key, general=key if general else ""))
    with pytest.raises(SceneError, match=words) as error:
        rigid2d.core.load(scene)
    (problem,) = error.value.problems
    assert problem.path == ("render.font" if general else "annotations[0].font")
    assert problem.line == (6 if general else 5)
