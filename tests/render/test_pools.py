# SPDX-License-Identifier: MIT
"""What a picture shows of pools."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.colors import mix, parse_color
from rigid2d.core.render.canvas.theme import LIGHT, THEMES
from rigid2d.core.scene import expand, loads, model

REGION = model.Camera("region", rect=((-4.0, -3.0), (4.0, 3.0)))
SIZE = (640, 480)  # 80 pixels to the unit
LAKE = model.Pool("lake", ((-3.0, -2.0), (3.0, 1.0)), 2.0)
WATER = LIGHT.water


@pytest.fixture
def picture(scene_of, frame_of, shapes):
    """The picture of a box of 2 by 2 in the middle of a pool, as a function of points."""

    def drawn(*pools, gravity=(0.0, -9.81), theme="light"):
        scene = scene_of(
            {"b": model.Body("b", "dynamic", (shapes["box"](2.0, 2.0),), color="#ff0000")},
            camera=REGION,
            render=model.Render(size=SIZE, theme=theme),
            world=model.World(gravity=gravity, pools=pools),
        )
        image = Renderer(scene).draw(frame_of(scene))
        return lambda x, y: tuple(int(v) for v in image[round(240 - 80 * y), round(320 + 80 * x)])

    return drawn


def laid_on(color, ground):
    return mix(ground, (*color[:3], 255), color[3] / 255.0)[:3]


def near(color, other):
    return max(abs(a - b) for a, b in zip(color, other, strict=True)) <= 1


@pytest.mark.parametrize("theme", list(THEMES))
def test_water_lies_behind_bodies_and_lets_the_paper_through(picture, theme):
    at = picture(LAKE, theme=theme)
    assert near(at(2.0, 0.0), laid_on(THEMES[theme].water, THEMES[theme].paper))
    assert at(0.0, 0.0) == (255, 0, 0)
    assert at(3.5, 0.0) == at(2.0, 2.0) == THEMES[theme].paper[:3]


@pytest.mark.parametrize(
    ("gravity", "surface"),
    [
        ((0.0, -9.81), (2.0, 1.0)),
        ((0.0, 9.81), (2.0, -2.0)),
        ((-5.0, 1.0), (3.0, 0.0)),
        ((5.0, 1.0), (-3.0, 0.0)),
        ((0.0, 0.0), None),
    ],
)
def test_a_line_is_on_the_side_against_gravity(picture, gravity, surface):
    at = picture(LAKE, gravity=gravity)
    sides = [(2.0, 1.0), (2.0, -2.0), (3.0, 0.0), (-3.0, 0.0)]
    marked = [side for side in sides if at(*side)[0] < laid_on(WATER, LIGHT.paper)[0] - 20]
    assert marked == ([surface] if surface else [])


def test_water_has_the_colour_and_the_opacity_that_the_pool_says(picture):
    at = picture(replace(LAKE, color="#00ff0080"))
    assert near(at(2.0, 0.0), laid_on(parse_color("#00ff0080"), LIGHT.paper))


def test_water_of_a_greater_z_lies_over_the_bodies(picture):
    at = picture(replace(LAKE, z=1.0))
    assert near(at(0.0, 0.0), laid_on(WATER, (255, 0, 0, 255)))


def test_water_that_is_not_visible_is_not_drawn(picture):
    assert picture(replace(LAKE, visible=False))(2.0, 0.0) == LIGHT.paper[:3]


def test_the_palette_has_the_colour_of_water_on_paper(scene_of):
    scene = scene_of(world=model.World(pools=(LAKE,)))
    assert (*laid_on(WATER, LIGHT.paper), 255) in Renderer(scene).colors()


def test_the_looks_of_a_pool_are_kept_when_written_and_change_no_hash():
    text = "rigid: 1\nworld: {pools: {lake: {region: [[-1, -1], [1, 0]], density: 2%s}}}\n"
    text += "bodies: {b: {shape: {circle: 1}}}\n"
    plain = loads(text % "")
    looks = loads(text % ", color: teal, z: 2.5, visible: false")
    assert looks.hash == plain.hash
    again = loads(expand(looks))
    (pool,) = again.world.pools
    assert (pool.color, pool.z, pool.visible) == ("teal", 2.5, False)
