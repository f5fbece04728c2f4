# SPDX-License-Identifier: MIT
"""Image layers and the minimap."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.render import Renderer
from rigid2d.core.scene import expand, loads, model

CAMERA = model.Camera(mode="follow", target="ball", zoom=20.0)
LOOK = model.Render(size=(160, 120), background=model.Background(color="#000000"))
RED = (255, 0, 0)


@pytest.fixture
def red(tmp_path):
    """An image of 20x10 red pixels."""
    path = tmp_path / "red.png"
    Image.new("RGB", (20, 10), RED).save(path)
    return str(path)


@pytest.fixture
def draw(scene_of, frame_of, shapes):
    """The picture after the ball, in its middle, has gone to x from 0."""

    def draw(*layers, x=0.0, **changes):
        ball = model.Body("ball", "dynamic", (shapes["disc"](0.5),), color="#0000ff")
        fields = {"camera": CAMERA, "render": LOOK, "layers": layers, **changes}
        scene = scene_of({"ball": ball}, **fields)
        renderer, frame = Renderer(scene), frame_of(scene)
        renderer.draw(frame)
        frame.pose[0, 0] = x
        return renderer.draw(frame)

    return draw


def reds(image):
    """Columns and rows from where to where there is red."""
    rows, columns = np.nonzero((image == RED).all(axis=2))
    return columns.min(), columns.max() + 1, rows.min(), rows.max() + 1


def test_a_layer_is_where_it_is_said_to_be_and_as_large(draw, red):
    image = draw(model.ImageLayer(red, at=(2.0, 1.0), scale=0.1))
    assert reds(image) == (80 + 40 - 20, 80 + 40 + 20, 60 - 20 - 10, 60 - 20 + 10)


@pytest.mark.parametrize(("parallax", "moved"), [(1.0, 20), (0.5, 10), (0.0, 0), (2.0, 40)])
def test_it_goes_by_as_fast_as_it_is_far_away(draw, red, parallax, moved):
    layer = model.ImageLayer(red, at=(0.0, 2.0), scale=0.1, parallax=parallax)
    assert reds(draw(layer, x=1.0))[0] == 60 - moved


def test_it_is_behind_the_bodies_or_in_front_of_them(draw, red):
    assert tuple(draw(model.ImageLayer(red, scale=0.1))[60, 80]) != RED
    assert tuple(draw(model.ImageLayer(red, scale=0.1, z=0.0))[60, 80]) == RED


def test_it_is_repeated_along_one_axis_or_both(draw, red):
    for repeat, seen in (("x", (0, 160, 50, 70)), ("y", (60, 100, 0, 120))):
        assert reds(draw(model.ImageLayer(red, scale=0.1, repeat=repeat, z=1.0))) == seen
    image = draw(model.ImageLayer(red, scale=0.1, repeat="both", z=1.0))
    assert (image == RED).all()


def test_a_tint_with_an_opacity_lets_through(draw, red):
    image = draw(model.ImageLayer(red, at=(2.0, 1.0), scale=0.1, tint="#80000080"))
    assert tuple(image[40, 120]) == (64, 0, 0)


def test_a_minimap_shows_all_and_where_the_camera_is(draw):
    rect = ((-20.0, -10.0), (20.0, 10.0))
    plain = draw()
    image = draw(minimap=model.Minimap(rect, "top_left", 0.3))
    changed = np.nonzero((image != plain).any(axis=2))
    assert (changed[0].max() < 40, changed[1].max() < 64) == (True, True)
    red_ish = image[..., 0].astype(int) > image[..., 2].astype(int) + 60
    columns = np.nonzero(red_ish[:40, :64].any(axis=0))[0]
    # The camera sees 8 of 40 units, of about 42 pixels' width.
    assert columns.max() - columns.min() == pytest.approx(8, abs=3)


def test_what_is_written_in_its_corner_goes_below(scene_of, frame_of):
    note = model.Annotation("text", "##########", corner="top_right", color="#ff0000")
    box = model.Minimap(None, "top_right", 0.3)
    scene = scene_of(render=LOOK, minimap=box, annotations=(note,))
    image = Renderer(scene).draw(frame_of(scene))
    bright = (image[..., 0].astype(int) - image[..., 1]) > 150
    assert np.nonzero(bright)[0].min() > 9 + 0.3 * 48


def test_layers_and_the_minimap_are_written_back_as_they_are(tmp_path, red):
    text = """rigid: 1
world: {length_unit: 2}
bodies: {ball: {shape: {circle: 0.5}}}
layers:
  - {image: red.png}
  - {image: red.png, at: [1, 2], scale: 3, parallax: 0.2, repeat: both, tint: red, z: 4}
minimap: {rect: [[0, 0], [1, 1]], size: 0.2}
"""
    scene = loads(text, path=str(tmp_path / "scene.yaml"), folder=tmp_path)
    assert scene.layers[0] == model.ImageLayer(red, scale=0.02)
    again = loads(expand(scene), path=scene.path, folder=tmp_path)
    assert (again.layers, again.minimap) == (scene.layers, scene.minimap)


# ---------------------------------------------------------------- the background's own size


def test_a_background_in_its_own_size_lies_in_the_world(draw, red):
    background = model.Background(image=red, fit="own", scale=0.1, pixels=(20, 10))
    image = draw(render=model.Render(size=(160, 120), background=background), x=1.0)
    assert reds(image) == (80 - 20, 80 + 20, 60 - 20, 60)


def test_without_a_scale_its_pixels_are_those_of_the_picture(draw, red):
    background = model.Background(image=red, fit="own", pixels=(20, 10))
    image = draw(render=model.Render(size=(160, 120), background=background), x=1.0)
    assert reds(image)[:2] == (70, 90)
    far = model.Camera(mode="follow", target="ball", zoom=2.0)
    small = draw(render=model.Render(size=(16, 16), background=background), camera=far)
    assert (small[0] == RED).all(axis=1).sum() == 0  # ten rows of red in the middle of sixteen
    assert (small[4, :3] == RED).all()


def test_a_minimap_shows_bodies_that_are_not_visible(scene_of, frame_of, shapes):
    wall = model.Body("wall", "static", (shapes["box"](1.0, 4.0),), visible=False, tags=("hedge",))
    ball = model.Body("ball", "dynamic", (shapes["disc"](0.5),), (4.0, 0.0), color="#ff0000")
    pictures = []
    for also in ((), ("hedge",), ("wall",)):
        minimap = model.Minimap(rect=((-4.0, -3.0), (6.0, 3.0)), size=0.5, also=also)
        scene = scene_of({"wall": wall, "ball": ball}, render=LOOK, minimap=minimap)
        pictures.append(Renderer(scene).draw(frame_of(scene)))
    assert (pictures[1] == pictures[2]).all()
    different = np.nonzero((pictures[0] != pictures[1]).any(axis=2))
    assert len(different[0]) > 20
    assert different[1].min() >= 80  # on the map, and nowhere else


def test_what_is_said_of_start_own_size_and_map_is_written_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (20, 10), RED).save(tmp_path / "red.png")
    text = (
        "rigid: 1\nbodies: {wall: {shape: {circle: 1}, tags: [hedge], visible: false}}\n"
        "camera: {start: background, zoom: 30}\n"
        "render: {background: {image: red.png, fit: own, scale: 0.5}}\nminimap: {also: [hedge]}\n"
    )
    scene = loads(text, folder=tmp_path)
    again = loads(expand(scene), folder=tmp_path)
    assert scene.camera == again.camera == model.Camera(start="background", zoom=30.0)
    assert again.render.background == scene.render.background
    assert again.render.background.box(1.0) == (0.0, 0.0, 10.0, 5.0)
    assert again.minimap == scene.minimap == model.Minimap(also=("hedge",))
