# SPDX-License-Identifier: MIT
"""Scenes as textures of bodies: which files, how many pictures, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, load, loads, model

INNER = """rigid: 1
world: {duration: 2, gravity: [0, 0]}
bodies: {dot: {shape: {circle: 1}, velocity: [1, 0], texture: a.png}}
camera: {mode: region, rect: [[-4, -3], [4, 3]]}
render: {size: [640, 480], fps: 20}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scenes = tmp_path / "scenes"
    (scenes / "inside").mkdir(parents=True)
    (tmp_path / "outside.yaml").write_text(INNER)
    (scenes / "inside" / "inner.yaml").write_text(INNER)
    Image.new("RGB", (4, 4), "red").save(scenes / "inside" / "a.png")
    (scenes / "wrong.yaml").write_text("rigid: 1\nbodies: {dot: {shape: {circle: -1}}}\n")
    compare = "compare: {variants: [{name: a}, {name: b}]}\n"
    (scenes / "several.yaml").write_text(compare + INNER.replace(", texture: a.png", ""))
    return scenes


def scene_text(texture: str, head: str = "") -> str:
    return f"rigid: 1\n{head}bodies:\n  box: {{shape: {{box: [4, 3]}}, texture: {texture}}}\n"


def load_with(folder: Path, texture: str, head: str = "") -> model.Scene:
    file = folder / "scene.yaml"
    file.write_text(scene_text(texture, head))
    return load(file)


def inner_of(scene: model.Scene) -> model.InnerScene:
    texture = scene.bodies["box"].texture
    assert texture is not None
    assert texture.inner is not None
    return texture.inner


def test_a_scene_is_shown_to_its_end_at_its_own_rate(folder: Path) -> None:
    inner = inner_of(load_with(folder, "{scene: inside/inner.yaml}"))
    file = str(folder / "inside" / "inner.yaml")
    assert inner == model.InnerScene(file, (256, 192), 0.0, 2.0, 20.0, 1.0, inner.scene)
    assert inner.count == 40
    assert list(inner.scene.bodies) == ["dot"]


def test_its_times_are_in_the_units_of_the_scene_that_shows_it(folder: Path) -> None:
    given = (
        "{scene: inside/inner.yaml, start: 500, duration: 1 s, speed: 2, fps: 8, pixels: [40, 30]}"
    )
    scene = load_with(folder, given, "units: screen\n")
    inner, texture = inner_of(scene), scene.bodies["box"].texture
    assert (inner.start, inner.duration, inner.size, inner.count) == (0.5, 1.0, (40, 30), 8)
    assert texture is not None
    assert texture.fps == 16.0


def test_pictures_of_which_the_size_is_not_given_are_as_large_as_fits(folder: Path) -> None:
    inner = inner_of(load_with(folder, "{scene: inside/inner.yaml, duration: 1 min, fps: 17}"))
    assert inner.count == 1020
    assert inner.size == (148, 111)


def test_its_files_are_inputs_of_the_scene(folder: Path) -> None:
    files = load_with(folder, "{scene: inside/inner.yaml}").files
    inside = folder / "inside"
    assert files == (str(inside / "inner.yaml"), str(inside / "a.png"))


def test_several_bodies_and_another_process_have_the_same(folder: Path) -> None:
    text = scene_text("&screen {scene: inside/inner.yaml}") + (
        "  other: {repeat: {i: 3}, shape: {box: [4, 3]}, texture: *screen}\n"
    )
    scene = loads(text, path=str(folder / "scene.yaml"), folder=folder)
    shown = [body.texture.inner for body in scene.bodies.values() if body.texture]
    assert len({id(each.scene) for each in shown if each}) == 1
    assert len(set(shown)) == 1
    assert pickle.loads(pickle.dumps(inner_of(scene))) == inner_of(scene)


def test_an_expanded_scene_keeps_it(folder: Path) -> None:
    given = "{scene: inside/inner.yaml, start: 0.5, speed: 2, loop: false, pixels: [64, 48]}"
    scene = load_with(folder, given)
    again = loads(expand(scene), path=scene.path, folder=folder)
    assert again.bodies["box"].texture == scene.bodies["box"].texture


def problem_of(folder: Path, texture: str) -> SceneError:
    with pytest.raises(SceneError) as error:
        load_with(folder, texture)
    return error.value


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{scene: ../outside.yaml}", "leads out of the scene's folder"),
        ("{scene: /etc/hostname}", "must be a path relative to the scene's folder"),
        ("{scene: nothing.yaml}", "there is no file `nothing.yaml`"),
        ("{scene: scene.yaml}", "a scene cannot show itself: scene.yaml -> scene.yaml"),
        ("{scene: several.yaml}", "`several.yaml` compares variants"),
        ("{scene: inside/inner.yaml, file: a.png}", "`file` and `scene` both say"),
        ("{scene: inside/inner.yaml, grid: [2, 2]}", "`grid` goes with a `sheet` of pictures, not"),
        ("{file: inside/a.png, speed: 2}", "`speed` goes with a `scene`, not with a `file`"),
        ("{file: inside/a.png, fps: 2}", "`fps` goes with a `sheet` of pictures or a `scene`, not"),
        ("{scene: inside/inner.yaml, start: 2}", "`inside/inner.yaml` ends after 2 s"),
        ("{scene: inside/inner.yaml, fps: 0}", "must be above 0"),
        ("{scene: inside/inner.yaml, duration: 60}", "1,200 pictures, of 60 s at 20 a second; the"),
        ("{scene: inside/inner.yaml, start: 1000000, duration: 1}", "more than 10,000,000 steps"),
        ("{scene: inside/inner.yaml, pixels: [2000, 2000]}", "40 pictures of 2000x2000 are more"),
        ("{scene: inside/inner.yaml, pixels: [2000, 8]}", "must be at least 16"),
    ],
)
def test_what_is_wrong_with_it_is_said(folder: Path, given: str, message: str) -> None:
    assert message in str(problem_of(folder, given))


def test_a_problem_in_its_file_is_found_there(folder: Path) -> None:
    (problem,) = problem_of(folder, "{scene: wrong.yaml}").problems
    assert (problem.file, problem.line) == (str(folder / "wrong.yaml"), 2)
    assert problem.path == "bodies.dot.shape.circle"


def test_scenes_do_not_show_each_other_in_a_circle(folder: Path) -> None:
    (folder / "one.yaml").write_text(scene_text("{scene: two.yaml}"))
    (folder / "two.yaml").write_text(scene_text("{scene: scene.yaml}"))
    (problem,) = problem_of(folder, "{scene: one.yaml}").problems
    assert problem.file == str(folder / "two.yaml")
    circle = "scene.yaml -> one.yaml -> two.yaml -> scene.yaml"
    assert problem.message == f"a scene cannot show itself: {circle}"


def test_scenes_inside_each_other_have_a_limit(folder: Path) -> None:
    for i in range(5):
        inner = f"{{scene: {i + 1}.yaml, duration: 1}}" if i < 4 else "inside/a.png"
        (folder / f"{i}.yaml").write_text(scene_text(inner))
    assert "more than 4 scenes on bodies inside each other" in str(
        problem_of(folder, "{scene: 0.yaml, duration: 1}")
    )
    assert load_with(folder, "{scene: 1.yaml, duration: 1}").files[0] == str(folder / "1.yaml")
