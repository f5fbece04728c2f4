# SPDX-License-Identifier: MIT
"""Pictures on bodies: where they lie, which one of a sheet is shown."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.textures import halved
from rigid2d.core.scene import model

CAMERA = model.Camera(mode="region", rect=((-2.0, -1.5), (2.0, 1.5)))
LOOK = model.Render(size=(160, 120), background=model.Background(color="#000000"))
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


@pytest.fixture
def draw(scene_of, frame_of):
    """The picture of one body with a texture, 40 pixels a metre, its origin in the middle."""

    def draw(body, *, time=0.0, angle=0.0, readings=(), values=None, **changes):
        scene = scene_of(
            {body.name: body}, camera=CAMERA, render=LOOK, readings=readings, **changes
        )
        frame = frame_of(scene, time, values=values or {})
        frame.pose[0, 2] = angle
        return Renderer(scene).draw(frame)

    return draw


def save(path, columns):
    """An image of one row of colours, each 8 pixels wide and high."""
    Image.fromarray(np.array([columns], np.uint8).repeat(8, 0).repeat(8, 1)).save(path)
    return str(path)


def at(image, x, y):
    """The colour at a place of the scene."""
    return tuple(int(part) for part in image[int(60 - 40 * y), int(80 + 40 * x)])


def boxed(shapes, texture, **fields):
    return model.Body("box", "dynamic", (shapes["box"](2.0, 1.0),), texture=texture, **fields)


def test_a_picture_takes_the_place_of_the_shape_and_turns_with_it(draw, shapes, tmp_path):
    body = boxed(shapes, model.Texture(save(tmp_path / "two.png", [RED, GREEN])))
    image = draw(body)
    assert (at(image, -0.7, 0), at(image, 0.7, 0), at(image, 0, 0.7)) == (RED, GREEN, (0, 0, 0))
    image = draw(body, angle=0.5 * pi)
    assert (at(image, 0, -0.7), at(image, 0, 0.7), at(image, 0.7, 0)) == (RED, GREEN, (0, 0, 0))


def test_still_pictures_side_by_side_have_no_seams(scene_of, frame_of, shapes, tmp_path):
    picture = model.Texture(save(tmp_path / "red.png", [RED]))
    places = [(0.37 * i - 1.1, 0.37 * j - 0.5) for i in range(6) for j in range(3)]
    tiles = {
        f"tile[{i}]": model.Body(
            f"tile[{i}]", "static", (shapes["box"](0.37, 0.37),), place, texture=picture
        )
        for i, place in enumerate(places)
    }
    scene = scene_of(tiles, camera=CAMERA, render=LOOK)
    image = Renderer(scene).draw(frame_of(scene))
    inside = image[int(60 - 40 * 0.4) : int(60 + 40 * 0.6), int(80 - 40 * 1.2) : int(80 + 40 * 0.9)]
    assert inside[..., 0].min() >= 254


def test_its_top_is_up_also_where_y_points_down(draw, shapes, tmp_path):
    path = str(tmp_path / "two.png")
    rows = np.array([[RED], [GREEN]], np.uint8).repeat(8, 0).repeat(8, 1)
    Image.fromarray(rows).save(path)
    body = boxed(shapes, model.Texture(path))
    for y in ("up", "down"):
        image = draw(body, units=model.Units(y=y))
        assert tuple(image[60 - 12, 80]) == RED
        assert tuple(image[60 + 12, 80]) == GREEN


def test_offset_size_angle_and_tint_say_where_it_is(draw, shapes, tmp_path):
    path = save(tmp_path / "two.png", [(255, 255, 255), GREEN])
    texture = model.Texture(path, (1.0, 0.5), (1.0, 0.5), 0.5 * pi, tint="#ff8000")
    image = draw(boxed(shapes, texture))
    assert at(image, 1.0, 0.25) == (255, 128, 0)
    assert at(image, 1.0, 0.75) == (0, 128, 0)
    assert at(image, 1.4, 0.5) == (0, 0, 0)
    assert at(image, -0.7, 0.0) == (0, 0, 0)


@pytest.mark.parametrize(("mirror", "left"), [(None, RED), ("x", GREEN), ("y", RED)])
def test_a_picture_may_be_mirrored(draw, shapes, tmp_path, mirror, left):
    texture = model.Texture(save(tmp_path / "two.png", [RED, GREEN]), mirror=mirror)
    assert at(draw(boxed(shapes, texture)), -0.7, 0) == left


def test_tiles_end_at_the_edge_of_the_shape(draw, shapes, tmp_path):
    path = save(tmp_path / "two.png", [RED, GREEN])
    corners = ((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5))
    body = model.Body(
        "half",
        "dynamic",
        (model.Shape("polygon", corners),),
        texture=model.Texture(path, (0.0, 0.0), (1.0, 1.0), tile=True),
    )
    image = draw(body)
    assert [at(image, x, -0.4) for x in (-0.75, -0.25, 0.25, 0.75)] == [GREEN, RED, GREEN, RED]
    assert at(image, -0.5, 0.1) == (0, 0, 0)


def test_a_picture_lies_in_front_by_its_z(scene_of, frame_of, shapes, tmp_path):
    red, green = (save(tmp_path / f"{i}.png", [color]) for i, color in enumerate((RED, GREEN)))
    first = boxed(shapes, model.Texture(red, z=1.0))
    second = replace(boxed(shapes, model.Texture(green)), name="other")
    scene = scene_of({"box": first, "other": second}, camera=CAMERA, render=LOOK)
    assert at(Renderer(scene).draw(frame_of(scene)), 0, 0) == RED


def sheet(tmp_path, **fields):
    path = save(tmp_path / "sheet.png", [RED, GREEN, BLUE])
    return model.Texture(path, grid=(3, 1), **fields)


@pytest.mark.parametrize(
    ("time", "loop", "shown"),
    [
        (0.0, True, RED),
        (0.1, True, GREEN),
        (0.25, True, BLUE),
        (0.3, True, RED),
        (0.3, False, BLUE),
        (9.0, False, BLUE),
    ],
)
def test_the_pictures_of_a_sheet_follow_each_other(draw, shapes, tmp_path, time, loop, shown):
    body = boxed(shapes, sheet(tmp_path, fps=10.0, loop=loop))
    assert at(draw(body, time=time), 0, 0) == shown


def test_a_sheet_goes_by_seconds_where_time_is_in_milliseconds(draw, shapes, tmp_path):
    body = boxed(shapes, sheet(tmp_path, fps=10.0))
    assert at(draw(body, time=100.0, units=model.Units(time="ms")), 0, 0) == GREEN


@pytest.mark.parametrize(("speed", "shown"), [(0.0, RED), (1.9, GREEN), (2.0, BLUE), (7.0, BLUE)])
def test_an_expression_chooses_the_picture_of_a_sheet(draw, shapes, tmp_path, speed, shown):
    body = boxed(shapes, sheet(tmp_path, frame="box.speed", loop=False))
    image = draw(body, readings=("box.speed",), values={"box.speed": speed})
    assert at(image, 0, 0) == shown


@pytest.mark.parametrize("key", ["first_pixel", "#f00"])
def test_a_colour_of_a_picture_is_see_through_and_leaves_no_edge(draw, shapes, tmp_path, key):
    path = save(tmp_path / "two.png", [RED, GREEN])
    for texture in (
        model.Texture(path, color_key=key),
        model.Texture(path, size=(0.2, 0.1), color_key=key),  # halved
        sheet(tmp_path, frame=0.0, color_key=key),
    ):
        image = draw(boxed(shapes, texture))
        assert {(red, blue) for red, _, blue in image.reshape(-1, 3).tolist()} == {(0, 0)}
        assert (image[:, :, 1].max() > 200) == (texture.grid == (1, 1))


def test_two_bodies_show_one_file_with_a_colour_key_and_without(
    scene_of, frame_of, shapes, tmp_path
):
    path = save(tmp_path / "two.png", [RED, GREEN])
    bodies = {
        "box": boxed(shapes, model.Texture(path, color_key="lime", angle=pi, z=1.0)),
        "other": replace(boxed(shapes, model.Texture(path)), name="other"),
    }
    scene = scene_of(bodies, camera=CAMERA, render=LOOK)
    image = Renderer(scene).draw(frame_of(scene))
    assert (at(image, -0.5, 0), at(image, 0.5, 0)) == (RED, RED)


def test_neighbours_on_a_sheet_do_not_shine_through(draw, shapes, tmp_path):
    image = draw(boxed(shapes, sheet(tmp_path, frame=1.0)))
    assert set(map(tuple, image.reshape(-1, 3).tolist())) == {(0, 0, 0), GREEN}


def test_a_picture_of_half_the_size_is_the_mean_of_four_without_what_is_clear():
    pixels = np.zeros((2, 3, 4), np.uint8)
    pixels[0, 0] = (200, 100, 0, 255)
    pixels[1, 1] = (100, 0, 50, 255)
    pixels[:, 2] = (10, 20, 30, 255)
    assert halved(pixels).tolist() == [[[150, 50, 25, 128], [10, 20, 30, 255]]]


def test_a_fine_picture_drawn_small_is_its_mean(draw, shapes, tmp_path):
    rows, columns = np.indices((256, 512))
    stripes = np.where(((rows + columns) % 2)[:, :, None], 255, 0).astype(np.uint8).repeat(3, 2)
    path = str(tmp_path / "fine.png")
    Image.fromarray(stripes).save(path)
    image = draw(boxed(shapes, model.Texture(path)))
    assert image[50:70, 50:110].min() >= 127
    assert image[50:70, 50:110].max() <= 128


def test_a_picture_is_mirrored_while_an_expression_is_true(draw, shapes, tmp_path):
    path = save(tmp_path / "two.png", [RED, GREEN])
    for mirror, facing, left in ((None, 1.0, RED), (None, -1.0, GREEN), ("x", -1.0, RED)):
        texture = model.Texture(path, mirror=mirror, mirror_while="box.vx < 0")
        body = boxed(shapes, texture)
        image = draw(body, readings=("box.vx",), values={"box.vx": facing})
        assert at(image, -0.7, 0) == left


def test_pictures_of_a_sheet_are_mirrored_each(draw, shapes, tmp_path):
    path = str(tmp_path / "sheet.png")
    rows = [RED, GREEN, BLUE, RED]
    Image.fromarray(np.array([rows], np.uint8).repeat(8, 0).repeat(8, 1)).save(path)
    texture = model.Texture(path, grid=(2, 1), frame="box.x", mirror_while="box.vx < 0")
    for number, speed, left in ((0, 1, RED), (0, -1, GREEN), (1, 1, BLUE), (1, -1, RED)):
        values = {"box.x": float(number), "box.vx": float(speed)}
        image = draw(boxed(shapes, texture), readings=tuple(values), values=values)
        assert at(image, -0.7, 0) == left


def test_a_picture_lies_along_two_bodies(scene_of, frame_of, shapes, tmp_path):
    path = save(tmp_path / "two.png", [RED, GREEN])
    texture = model.Texture(path, (0.0, 0.5), (2.0, 0.6), along=("rear", "front"))
    small = (shapes["box"](0.1, 0.1),)
    bodies = {
        "box": boxed(shapes, texture),
        "rear": model.Body("rear", "dynamic", small, (0.0, -1.0), visible=False),
        "front": model.Body("front", "dynamic", small, (0.0, 1.0), visible=False),
    }
    scene = scene_of(bodies, camera=CAMERA, render=LOOK)
    frame = frame_of(scene)
    frame.pose[0, 2] = 0.3  # which is not that of the picture
    image = Renderer(scene).draw(frame)
    assert (at(image, -0.5, -0.7), at(image, -0.5, 0.7)) == (RED, GREEN)
    frame.alive[2] = False
    frame.pose[0, 2] = 0.0
    image = Renderer(scene).draw(frame)
    assert (at(image, -0.7, 0.5), at(image, 0.7, 0.5)) == (RED, GREEN)
