# SPDX-License-Identifier: MIT
"""The pictures of a scene that a body shows, and what a picture of that body has of them."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from rigid2d.core.errors import SimulationError
from rigid2d.core.jobs.inner_pictures import inner_pictures
from rigid2d.core.page.codes import Blob
from rigid2d.core.page.sketch import Magnification, add_sketch
from rigid2d.core.render import Renderer
from rigid2d.core.scene import load
from rigid2d.core.world import run

# Every half second a wide strip crosses the picture by a third: what is where says when it is.
INNER = """rigid: 1
world: {duration: 1.5, gravity: [0, 0], dt: 0.05}
defaults: {body: {color: lime, outline: lime}}
bodies: {strip: {shape: {box: [2, 9]}, position: [-2, 0], velocity: [4, 0]}}
camera: {mode: region, rect: [[-3, -3], [3, 3]]}
render: {size: [60, 60], fps: 2, background: black}
"""
OUTER = """rigid: 1
world: {duration: 3, gravity: [0, 0]}
bodies: {box: {type: static, shape: {box: [6, 6]}, texture: %s}}
camera: {mode: region, rect: [[-3, -3], [3, 3]]}
render: {size: [60, 60], background: black}
"""
LIME = (0, 255, 0)


@pytest.fixture
def scene_with(tmp_path):
    def scene_with(texture, inner=INNER, outer=OUTER):
        (tmp_path / "inner.yaml").write_text(inner)
        file = tmp_path / "scene.yaml"
        file.write_text(outer % texture)
        return load(file)

    return scene_with


def places(image, *, across=True):
    """Which thirds of a picture are lime, along x or, from above, along y."""
    line = image[30, 10::20, :3] if across else image[10::20, 30, :3]
    return [tuple(map(int, color)) == LIME for color in line]


LEFT, MIDDLE, RIGHT = ([i == third for i in range(3)] for third in range(3))


def shown(scene, *times):
    renderer = Renderer(scene)
    return [places(renderer.draw(frame)) for frame in run(scene, times=times)]


@pytest.mark.parametrize(
    ("given", "pictures"),
    [
        ("", [LEFT, MIDDLE, RIGHT, LEFT]),
        (", loop: false", [LEFT, MIDDLE, RIGHT, RIGHT]),
        (", start: 0.5", [MIDDLE, RIGHT, MIDDLE, RIGHT]),
        (", start: 0.5, duration: 0.5", [MIDDLE] * 4),
        (", speed: 0.5", [LEFT, LEFT, MIDDLE, MIDDLE]),
        (", speed: 2", [LEFT, RIGHT, MIDDLE, LEFT]),
    ],
)
def test_a_body_shows_a_scene_by_the_time_of_its_own(scene_with, given, pictures):
    scene = scene_with(f"{{scene: inner.yaml{given}}}")
    assert shown(scene, 0.1, 0.6, 1.1, 1.6) == pictures


def test_a_later_moment_needs_no_earlier_ones(scene_with):
    scene = scene_with("{scene: inner.yaml}")
    assert shown(scene, 1.1) == [RIGHT]


def test_the_picture_turns_with_the_body(scene_with):
    outer = OUTER.replace("texture", "angle: 90 deg, texture")
    scene = scene_with("{scene: inner.yaml}", outer=outer)
    (frame,) = run(scene, times=(0.1,))
    image = Renderer(scene).draw(frame)
    assert frame.pose[0, 2] == pytest.approx(0.5 * pi)
    assert places(image, across=False) == RIGHT  # what was left is below


def test_each_picture_is_that_of_a_movie_of_the_scene_itself(scene_with):
    scene = scene_with("{scene: inner.yaml}").bodies["box"].texture.inner.scene
    renderer = Renderer(scene, size=(60, 60))
    movie = [renderer.draw(frame) for frame in run(scene)]
    pictures = inner_pictures(scene_with("{scene: inner.yaml}").bodies["box"].texture.inner)
    assert len(movie) == len(pictures) == 3
    for image, picture in zip(movie, pictures, strict=True):
        assert np.array_equal(image, picture[:, :, :3])
        assert (picture[:, :, 3] == 255).all()


def test_a_run_that_ends_early_shows_how_it_ended(scene_with):
    ended = INNER + "events: [{when: time, at: 0.4, do: [{end: pass}]}]\n"
    scene = scene_with("{scene: inner.yaml}", ended)
    first, second, third = inner_pictures(scene.bodies["box"].texture.inner)
    assert places(first) == LEFT
    assert np.array_equal(second, third)


def test_a_run_that_fails_is_named(scene_with):
    wild = INNER.replace("[4, 0]}", "[4, 0], gravity_scale: 1e15}").replace(
        "[0, 0],", "[0, -1e9],", 1
    )
    scene = scene_with("{scene: inner.yaml}", wild)
    with pytest.raises(SimulationError, match=r"the scene .*inner\.yaml, which a body shows: "):
        Renderer(scene).draw(next(iter(run(scene, times=(0.1,)))))


def test_a_page_holds_its_pictures_once(scene_with):
    sketch = add_sketch(Blob(), scene_with("{scene: inner.yaml}"), Magnification(10.0, 1.0))
    assert len(sketch.images) == 3
    assert len(sketch.sprites) == 1
