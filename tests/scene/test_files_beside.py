# SPDX-License-Identifier: MIT
"""Images and drawings lie beside the file that names them, and in the scene's folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, load, loads, model

SQUARE = (
    "<svg xmlns='http://www.w3.org/2000/svg'><rect id='it' width='{size}' height='{size}'/></svg>"
)
PART = """
rigid: 1
bodies:
  box: {shape: {box: [1, 1]}, texture: {file: art/a.png}}
  far: {shape: {circle: 1}, texture: b.png, position: [9, 0]}
  cut: {shape: {polygon: {svg: {file: a.svg, id: it}}}, position: [20, 0]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A scene's folder with parts in one of its own, and a file outside."""
    Image.new("RGBA", (2, 2)).save(tmp_path / "secret.png")
    scenes = tmp_path / "scenes"
    (scenes / "parts" / "art").mkdir(parents=True)
    for name in ("parts/art/a.png", "parts/both.png", "both.png", "b.png"):
        Image.new("RGBA", (2, 2)).save(scenes / name)
    (scenes / "parts" / "a.svg").write_text(SQUARE.format(size=2))
    (scenes / "a.svg").write_text(SQUARE.format(size=6))
    (scenes / "parts" / "part.yaml").write_text(PART)
    return scenes


def scene(folder: Path, text: str) -> model.Scene:
    file = folder / "scene.yaml"
    file.write_text(f"rigid: 1\n{text}\n")
    return load(file)


def picture(made: model.Scene, body: str) -> Path:
    texture = made.bodies[body].texture
    assert texture is not None
    return Path(texture.file)


WAYS = {
    "include": ("include: [parts/part.yaml]", ""),
    "prototype": (
        "prototypes: {part: {file: parts/part.yaml}}\ninstances: {one: {use: part}}",
        "one.",
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_image_is_found_beside_the_file_that_names_it(folder: Path, way: str) -> None:
    text, begin = WAYS[way]
    assert picture(scene(folder, text), f"{begin}box") == folder / "parts/art/a.png"


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_there_is_looked_for_in_the_scene_s_folder(folder: Path, way: str) -> None:
    text, begin = WAYS[way]
    assert picture(scene(folder, text), f"{begin}far") == folder / "b.png"


@pytest.mark.parametrize("way", WAYS)
def test_a_drawing_is_found_beside_the_file_that_names_it(folder: Path, way: str) -> None:
    text, begin = WAYS[way]
    xs = [x for x, _ in scene(folder, text).bodies[f"{begin}cut"].shapes[0].points]
    assert max(xs) - min(xs) == pytest.approx(2.0)  # not the 6 of the scene's own


def test_layers_and_the_background_are_found_there_too(folder: Path) -> None:
    (folder / "parts" / "look.yaml").write_text(
        "layers: [{image: art/a.png}]\nrender: {background: {image: both.png}}\n"
    )
    made = scene(folder, "include: [parts/look.yaml]\nbodies: {a: {shape: {circle: 1}}}")
    assert Path(made.layers[0].image) == folder / "parts/art/a.png"
    assert made.render.background is not None
    assert str(folder / "parts/both.png") in made.files


def test_each_file_has_the_image_beside_it(folder: Path) -> None:
    (folder / "parts" / "one.yaml").write_text(
        "bodies: {its: {shape: {circle: 1}, texture: both.png}}\n"
    )
    own = "bodies: {own: {shape: {circle: 1}, texture: both.png, position: [5, 0]}}"
    made = scene(folder, f"include: [parts/one.yaml]\n{own}")
    assert picture(made, "its") == folder / "parts/both.png"
    assert picture(made, "own") == folder / "both.png"


@pytest.mark.parametrize("name", ["../../secret.png", "../../scenes/../secret.png"])
def test_no_file_leads_out_of_the_scene_s_folder(folder: Path, name: str) -> None:
    (folder / "parts" / "bad.yaml").write_text(
        f"bodies: {{a: {{shape: {{circle: 1}}, texture: {name}}}}}\n"
    )
    with pytest.raises(SceneError, match=r"parts/bad\.yaml:1:\d+: .*(leads out of|no file)"):
        scene(folder, "include: [parts/bad.yaml]")


def test_a_link_beside_a_part_does_not_lead_out(folder: Path) -> None:
    (folder / "parts" / "link.png").symlink_to(folder.parent / "secret.png")
    (folder / "parts" / "bad.yaml").write_text(
        "bodies: {a: {shape: {circle: 1}, texture: link.png}}\n"
    )
    with pytest.raises(SceneError, match=r"no file `link\.png`"):
        scene(folder, "include: [parts/bad.yaml]")


def test_what_it_expands_to_finds_the_same_images(folder: Path) -> None:
    made = scene(folder, WAYS["prototype"][0])
    again = loads(expand(made), path=str(folder / "expanded.yaml"), folder=folder)
    assert picture(again, "one.box") == folder / "parts/art/a.png"
