# SPDX-License-Identifier: MIT
"""Image layers and the minimap."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from rigid.core.render import Renderer
from rigid.core.scene import expand, loads, model

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
