# SPDX-License-Identifier: MIT
"""Cameras that move by keys, with several bodies, and that tremble."""

from __future__ import annotations

import pytest
from rigid2d.core.scene import model
from rigid2d.core.view.camera import Camera
from rigid2d.core.view.camera_moves import eased, shaken

SIZE = (200, 100)
KEYS = (
    model.CameraKey(1.0, rect=((-10.0, -5.0), (10.0, 5.0))),
    model.CameraKey(3.0, center=(20.0, 0.0), width=10.0, ease="linear"),
    model.CameraKey(4.0, target="ball", ease="hold"),
)


@pytest.fixture
def view_of(scene_of, frame_of):
    """The view of one camera at a time, of a fresh scene whose ball is somewhere."""

    def view(camera, time=0.0, ball=(-1.0, 2.0), seen=None, start=(-1.0, 2.0)):
        scene = scene_of(camera=camera)
        first, frame = frame_of(scene, 0.0), frame_of(scene, time)
        first.pose[1, :2], frame.pose[1, :2] = start, ball
        return Camera(scene, SIZE, first, seen).view(frame)

    return view


def middle(view):
    x0, y0, x1, y1 = view.box(SIZE)
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def keys(**fields):
    return model.Camera(mode="keys", keys=KEYS, **fields)


@pytest.mark.parametrize(
    ("time", "at", "width"),
    [
        (0.0, (0.0, 0.0), 20.0),  # before the first key
        (1.0, (0.0, 0.0), 20.0),
        (2.0, (10.0, 0.0), 15.0),  # half way, what is seen has half way grown
        (2.5, (15.0, 0.0), 12.5),
        (3.0, (20.0, 0.0), 10.0),
        (3.9, (20.0, 0.0), 10.0),  # held
        (4.0, (-1.0, 2.0), 10.0),
        (9.0, (-1.0, 2.0), 10.0),  # after the last
    ],
)
def test_the_camera_goes_from_key_to_key(view_of, time, at, width):
    view = view_of(keys(), time)
    assert middle(view) == pytest.approx(at)
    assert SIZE[0] / view.scale == pytest.approx(width)


def test_a_key_goes_along_with_its_body(view_of):
    assert middle(view_of(keys(), 5.0, ball=(7.0, 3.0))) == pytest.approx((7.0, 3.0))


def test_keys_stay_inside_the_bounds(view_of):
    camera = keys(bounds=((-20.0, -8.0), (22.0, 8.0)))
    assert middle(view_of(camera, 3.0)) == pytest.approx((17.0, 0.0))


def test_a_smooth_move_begins_and_ends_at_rest():
    assert [eased(part, "smooth") for part in (0.0, 0.5, 1.0)] == [0.0, 0.5, 1.0]
    assert eased(0.01, "smooth") < 0.0003
    assert 1.0 - eased(0.99, "smooth") < 0.0003


def test_several_bodies_stay_in_sight(view_of):
    camera = model.Camera(mode="follow", targets=("ball", "crate"))
    near, far = view_of(camera), view_of(camera, ball=(-25.0, 2.0))
    for view, x in ((near, -1.0), (far, -25.0)):
        x0, y0, x1, y1 = view.box(SIZE)
        assert x0 < x - 0.5
        assert x1 > 1.7
        assert y0 < 0.8
        assert y1 > 2.5
    assert far.scale < near.scale


def test_they_are_shown_at_most_four_times_as_small(view_of):
    camera = model.Camera(mode="follow", targets=("ball", "crate"))
    assert view_of(camera, ball=(-900.0, 2.0)).scale == view_of(camera).scale / 4.0


def test_one_that_is_gone_is_not_waited_for(scene_of, frame_of):
    scene = scene_of(camera=model.Camera(mode="follow", targets=("ball", "crate")))
    camera, frame = Camera(scene, SIZE, frame_of(scene)), frame_of(scene)
    frame.alive[1] = False
    frame.pose[2, 2] = 0.0
    assert middle(camera.view(frame)) == pytest.approx((1.0, 1.5))


def test_a_fit_that_may_not_be_wider_goes_with_the_middle(view_of):
    wide = (-500.0, 0.0, 500.0, 4.0)
    free = view_of(model.Camera(), seen=wide, ball=(99.0, 1.5))
    held = view_of(model.Camera(widest=2.0), seen=wide, ball=(99.0, 1.5))
    start = view_of(model.Camera())
    assert held.scale == pytest.approx(start.scale / 2.0)
    assert free.scale < 0.1 * held.scale
    assert middle(held) == pytest.approx((50.0, 1.5))


def test_a_fit_that_needs_no_more_is_as_it_was(view_of):
    seen = (-6.0, -0.5, 6.0, 4.0)
    assert view_of(model.Camera(widest=4.0), seen=seen) == view_of(model.Camera(), seen=seen)


def test_a_camera_trembles_for_a_while_and_no_farther_than_it_may():
    shakes = (model.Shake(2.0, 0.3, 0.5),)
    moved = [shaken(shakes, 2.0 + 0.01 * i, 1.0) for i in range(50)]
    assert max(abs(x) for x, _ in moved) > 0.1
    assert max(max(abs(x), abs(y)) for x, y in moved) <= 0.3
    assert max(abs(part) for part in moved[-1]) < 0.001
    assert shaken(shakes, 1.99, 1.0) == shaken(shakes, 2.5, 1.0) == (0.0, 0.0)


def test_trembling_moves_the_view(view_of):
    shake = (model.Shake(0.0, 0.3, 0.5),)
    still, moved = view_of(model.Camera()), view_of(model.Camera(shake=shake))
    assert moved.scale == still.scale
    assert moved.shift_y - still.shift_y == pytest.approx(still.scale_y * 0.3 * 0.8414709848)
