# SPDX-License-Identifier: MIT
"""Masks: which body is at each pixel."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core.render import Renderer
from rigid2d.core.render.masks import Masks

HEAD = """
rigid: 1
camera: {mode: region, rect: [[0, 0], [8, 8]]}
world: {gravity: [0, 0]}
bodies:
"""


def drawn(bodies, size=(64, 64), *, step=0):
    """The mask of a scene of 8 m by 8 m, and the picture."""
    scene = rigid2d.core.loads(HEAD + bodies)
    world = rigid2d.core.build(scene)
    world.step(step)
    frame = world.frame()
    renderer = Renderer(scene, size=size, supersample=1)
    view = renderer.look(frame)
    numbers = {name: i for i, name in enumerate(frame.scene.bodies, 1)}
    return Masks(scene, size).draw(frame, view, numbers), renderer.draw(frame, view)


def test_a_box_on_the_grid_has_exactly_its_pixels():
    mask, _ = drawn("  b: {shape: {box: [2, 1]}, position: [2, 6.5]}\n")
    expected = np.zeros((64, 64), np.uint16)
    expected[8:16, 8:24] = 1
    np.testing.assert_array_equal(mask, expected)


def test_what_lies_on_top_in_pictures_lies_on_top_in_masks():
    mask, _ = drawn(
        "  a: {shape: {box: [2, 2]}, position: [4, 4], z: 1}\n"
        "  b: {shape: {box: [4, 4]}, position: [4, 4]}\n"
        "  c: {shape: {circle: 0.5}, position: [4, 4], z: 2}\n"
    )
    assert mask[32, 32] == 3
    assert mask[32, 39] == 1
    assert mask[32, 47] == 2
    assert Counter(mask.ravel().tolist())[1] + (mask == 3).sum() == 256


def test_a_mask_is_what_the_picture_shows_of_a_body_but_for_its_edge():
    mask, picture = drawn(
        "  b: {shape: {box: [3, 2], radius: 0.3}, position: [4, 4], angle: 30,"
        " color: '#ff0000', outline: '#ff0000'}\n"
    )
    red = picture[..., 0].astype(int) - picture[..., 1]
    paper = red[0, 0]
    whole, none = red == red.max(), red == paper
    assert (mask[whole] == 1).all()
    assert (mask[none] == 0).all()
    around = 10 * 8  # pixels, of which a slanted line meets at most sqrt(2) each
    assert (~whole & ~none).sum() < 1.42 * around


def test_sensors_and_hidden_bodies_are_not_in_masks():
    mask, _ = drawn(
        "  a: {shape: {box: [2, 2], sensor: true}, position: [2, 4]}\n"
        "  b: {shape: {box: [2, 2]}, position: [6, 4], visible: false}\n"
    )
    assert not mask.any()


def test_ground_under_a_chain_belongs_to_the_chain():
    mask, _ = drawn(
        "  g: {type: static, shape: {chain: [[0, 2], [8, 2]], side: left}}\n"
        "  b: {shape: {circle: 1}, position: [4, 3]}\n"
    )
    assert (mask[50:] == 1).any()
    assert mask[40, 32] == 2


def test_a_body_that_is_gone_has_no_pixel():
    body = "  b: {shape: {circle: 1}, position: [4, 4], velocity: [500, 0]}\n"
    scene = rigid2d.core.loads(HEAD.replace("[0, 0]}", "[0, 0], bounds: [[0, 0], [8, 8]]}") + body)
    world, masks = rigid2d.core.build(scene), Masks(scene, (32, 32))
    view = Renderer(scene, size=(32, 32)).look(world.frame())
    assert masks.draw(world.frame(), view, {"b": 1}).any()
    world.step(5)
    assert not masks.draw(world.frame(), view, {"b": 1}).any()


def test_numbers_beyond_sixteen_bits_are_refused():
    scene = rigid2d.core.loads(HEAD + "  b: {shape: {circle: 1}}\n")
    frame = rigid2d.core.build(scene).frame()
    view = Renderer(scene, size=(32, 32)).look(frame)
    with pytest.raises(rigid2d.core.UsageError, match="65535"):
        Masks(scene, (32, 32)).draw(frame, view, {"b": 65536})
