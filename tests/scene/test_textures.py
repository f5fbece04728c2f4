# SPDX-License-Identifier: MIT
"""The texture of a body: which files it may be, and what goes with what."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, loads, model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with images, beside one that no scene in it may see."""
    (tmp_path / "secret.png").write_bytes(b"")
    inner = tmp_path / "scenes"
    inner.mkdir()
    Image.new("RGBA", (8, 4)).save(inner / "a.png")
    Image.new("RGBA", (60, 2)).save(inner / "coins.png")
    (inner / "damaged.png").write_bytes((inner / "coins.png").read_bytes()[:-30])
    return inner


def load(folder: Path, texture: str, shape: str = "circle: 1") -> model.Scene:
    text = f"rigid: 1\nbodies:\n  ball: {{shape: {{{shape}}}, texture: {texture}}}\n"
    return loads(text, path=str(folder / "scene.yaml"), folder=folder)


def texture(folder: Path, text: str, shape: str = "circle: 1") -> model.Texture:
    made = load(folder, text, shape).bodies["ball"].texture
    assert made is not None
    return made


def test_the_name_of_a_file_is_enough(folder: Path) -> None:
    assert texture(folder, "a.png") == model.Texture(str(folder / "a.png"))


@pytest.mark.parametrize(
    ("shape", "tile"),
    [("circle: 1", False), ("box: [1, 1]", False), ("polygon: [[0, 0], [1, 0], [0, 1]]", True)],
)
def test_only_polygons_are_tiled_by_themselves(folder: Path, shape: str, tile: bool) -> None:
    assert texture(folder, "a.png", shape).tile is tile


def test_fields_are_in_the_units_of_the_model(folder: Path) -> None:
    made = texture(folder, "{file: a.png, offset: [1, 2], size: [10 cm, 2], angle: 180 deg}")
    assert (made.offset, made.size) == ((1.0, 2.0), (0.1, 2.0))
    assert made.angle == pytest.approx(3.14159265358979)


def test_a_sheet_may_show_a_picture_by_the_index_of_a_generator(folder: Path) -> None:
    text = """rigid: 1
bodies:
  coin:
    repeat: {i: 3}
    shape: {circle: 1}
    texture: {sheet: coins.png, grid: [6, 1], frame: =2*i}
"""
    scene = loads(text, path=str(folder / "scene.yaml"), folder=folder)
    frames = [body.texture.frame for body in scene.bodies.values() if body.texture]
    assert frames == [0.0, 2.0, 4.0]
    assert scene.readings == ()


def test_a_sheet_may_show_a_picture_by_the_state_of_the_run(folder: Path) -> None:
    scene = load(folder, '{sheet: coins.png, grid: [6, 1], frame: "=2*ball.speed + world.time"}')
    assert scene.readings == ("ball.speed", "world.time")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("../secret.png", "leads out of the scene's folder"),
        ("/etc/passwd", "must be a path relative to the scene's folder"),
        ("b.png", "there is no file `b.png`"),
        ("damaged.png", "damaged"),
        ("{}", "a texture is a `file`, or a `sheet`"),
        ("{file: a.png, fps: 3}", "`fps` goes with a `sheet`"),
        ("{sheet: coins.png}", "a `sheet` needs `grid: [columns, rows]`"),
        ("{sheet: coins.png, grid: [6, 3]}", "cannot have 6x3 pictures"),
        ("{sheet: coins.png, grid: [6, 1], fps: 2, frame: 1}", "keep one"),
        ("{sheet: coins.png, grid: [6, 1], frame: '=bal.speed'}", "did you mean `ball`?"),
        ("{sheet: coins.png, grid: [6, 1], frame: 2 m}", "must be a number or an expression"),
        ("{scene: b.yaml, color_key: red}", "`color_key` goes with a `file` or a `sheet`"),
        ("{file: a.png, color_key: 3}", "a colour such as '#ffffff', or first_pixel, not 3"),
        ("{file: a.png, color_key: first}", "or write first_pixel"),
        ("{file: a.png, tnit: red}", "did you mean `tint`?"),
        ("{file: a.png, size: [0, 1]}", "must be greater than 0"),
        ("{file: a.png, mirror_while: x}", "must be an expression, true or false"),
        ("{file: a.png, mirror_while: '=ball.vx'}", "is a number, but true or false is needed"),
        ("{file: a.png, mirror_while: '=bal.vx < 0'}", "did you mean `ball`?"),
        ("{file: a.png, along: [ball]}", "two bodies [first, second]"),
        ("{file: a.png, along: [ball, bal]}", "did you mean `ball`?"),
        ("{file: a.png, clip: 3}", "must be a list of polygons [[[x, y], ...], ...]"),
    ],
)
def test_a_mistake_is_told_once_and_in_its_line(folder: Path, given: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        load(folder, given)
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.line == 3


def test_it_is_written_back_as_it_is(folder: Path) -> None:
    for given in (
        "{file: a.png, offset: [1, 2], size: [3, 4], angle: 30, mirror: y, tint: red, z: 2}",
        "{file: a.png, tile: true, color_key: first_pixel}",
        "{sheet: coins.png, grid: [6, 1], fps: 7, loop: false}",
        '{sheet: coins.png, grid: [6, 1], frame: "=ball.y*2"}',
        '{file: a.png, mirror_while: "=ball.vx < 0", along: [ball, ball]}',
        "{file: a.png, clip: [[[0, 0], [1, 0], [1, 1]], [[2, 2], [3, 2], [3, 3]]]}",
    ):
        scene = load(folder, given)
        again = loads(expand(scene), path=scene.path, folder=folder)
        assert again.bodies["ball"].texture == scene.bodies["ball"].texture


def test_an_instance_scales_turns_and_mirrors_the_pictures_of_its_prototype(folder: Path) -> None:
    text = """rigid: 1
units: {angle: rad}
prototypes:
  sign:
    bodies:
      board:
        shape: {box: [2, 1]}
        texture: {file: a.png, offset: [1, 0.5], size: [2, 1], angle: 0.3}
instances:
  one: {use: sign, scale: 2, mirror: x}
  other: {use: sign, mirror: y}
"""
    scene = loads(text, path=str(folder / "scene.yaml"), folder=folder)
    one, other = (scene.bodies[f"{name}.board"].texture for name in ("one", "other"))
    assert one == model.Texture(
        str(folder / "a.png"), (-2.0, 1.0), (4.0, 2.0), -0.3, "x", tile=False
    )
    assert other is not None
    assert (other.offset, other.mirror) == ((1.0, -0.5), "y")


def test_an_instance_has_its_own_names_in_what_its_pictures_say(folder: Path) -> None:
    text = """rigid: 1
state: {left: 0}
prototypes:
  bike:
    bodies:
      rear: {shape: {circle: 0.3}, position: [-1, 0]}
      front: {shape: {circle: 0.3}, position: [1, 0]}
      head:
        shape: {circle: 0.2}
        texture:
          {sheet: coins.png, grid: [6, 1], frame: "=2*rear.speed", along: [rear, front],
          mirror_while: "=state.left > 0 or head.vx < 0", clip: [[[0, 0], [1, 0], [1, 1]]]}
instances: {red: {use: bike, scale: 2}}
"""
    scene = loads(text, path=str(folder / "scene.yaml"), folder=folder)
    made = scene.bodies["red.head"].texture
    assert made is not None
    assert made.along == ("red.rear", "red.front")
    assert (made.frame, made.mirror_while) == (
        "2*red.rear.speed",
        "state.left > 0 or red.head.vx < 0",
    )
    assert made.clip == (((0.0, 0.0), (2.0, 0.0), (2.0, 2.0)),)
    assert set(scene.readings) == {"red.rear.speed", "state.left", "red.head.vx"}


def test_pictures_do_not_change_the_hash(folder: Path) -> None:
    bare = loads("rigid: 1\nbodies:\n  ball: {shape: {circle: 1}}\n")
    assert load(folder, "a.png").hash == bare.hash
