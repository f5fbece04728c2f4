# SPDX-License-Identifier: MIT
"""What the picture shows, and where in it objects are."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.scene import model
from rigid2d.core.view.camera import Camera, frame_box
from rigid2d.core.view.fit import fit_box

SIZE = (400, 300)


def camera_of(scene, frame, size=SIZE):
    return Camera(scene, size, frame)


def shown(scene, frame, size=SIZE):
    return camera_of(scene, frame, size).view(frame).box(size)


def body(shape, kind="dynamic", position=(0.0, 0.0), **fields):
    return model.Body("b", kind, (shape,), position, **fields)


def test_fit_shows_every_body_whole(scene, frame_of):
    x0, y0, x1, y1 = shown(scene, frame_of(scene))
    assert x0 < -4 < 4 < x1
    assert y0 < -0.5 < 2.5 < y1


def test_fit_keeps_its_margin(scene_of, frame_of, shapes):
    scene = scene_of({"b": body(shapes["box"](8.0, 6.0))}, camera=model.Camera(margin=1.0))
    box = shown(scene, frame_of(scene), (500, 400))
    assert box == pytest.approx((-5, -4, 5, 4))


def test_fit_takes_rotation_into_account(scene_of, frame_of, shapes):
    scene = scene_of({"b": body(shapes["box"](8.0, 0.1), angle=np.pi / 2)})
    x0, y0, x1, y1 = fit_box(scene, frame_of(scene))
    assert x1 - x0 == pytest.approx(0.1)
    assert y1 - y0 == pytest.approx(8.0)


def test_an_absurdly_large_ground_is_shown_only_near_the_rest(scene_of, frame_of, shapes):
    bodies = {
        "ground": body(shapes["box"](100_000.0, 1.0), "static", (0.0, -0.5)),
        "ball": body(shapes["disc"](0.5), position=(0.0, 3.0)),
    }
    scene = scene_of(bodies)
    x0, y0, x1, y1 = fit_box(scene, frame_of(scene))
    assert 2.0 < x1 - x0 < 20.0
    assert y0 <= 0.0
    assert y1 >= 3.5


def test_a_ground_of_sensible_size_is_shown_whole(scene_of, frame_of, shapes):
    bodies = {
        "ground": body(shapes["box"](20.0, 1.0), "static", (0.0, -0.5)),
        "ball": body(shapes["disc"](0.5), position=(0.0, 3.0)),
    }
    scene = scene_of(bodies)
    x0, _, x1, _ = fit_box(scene, frame_of(scene))
    assert (x0, x1) == pytest.approx((-10, 10))


def test_the_point_a_joint_hangs_from_is_in_the_picture(scene_of, frame_of, shapes):
    joint = model.Joint("rope", "distance", "world", "b", (0.0, 9.0), (0.0, 0.0), length=9.0)
    scene = scene_of({"b": body(shapes["disc"](0.5))}, {"rope": joint})
    assert fit_box(scene, frame_of(scene))[3] == pytest.approx(9.0)


def test_invisible_bodies_do_not_count(scene_of, frame_of, shapes):
    bodies = {
        "b": body(shapes["disc"](0.5)),
        "far": body(shapes["disc"](0.5), position=(100.0, 0.0), visible=False),
    }
    scene = scene_of(bodies)
    assert fit_box(scene, frame_of(scene))[2] == pytest.approx(0.5)


def test_a_scene_without_bodies_has_a_view(scene_of, frame_of):
    scene = scene_of({})
    x0, y0, x1, y1 = shown(scene, frame_of(scene))
    assert x0 < x1
    assert y0 < y1


def test_fit_does_not_move_after_the_first_frame(scene, frame_of):
    first, later = frame_of(scene), frame_of(scene)
    later.pose[1:, 0] += 50.0
    camera = camera_of(scene, first)
    assert camera.view(later) == camera.view(first)


def test_y_up_is_up_and_y_down_is_down(scene_of, frame_of):
    up = scene_of()
    down = scene_of(units=model.Units(y="down"))
    assert camera_of(up, frame_of(up)).view(frame_of(up)).scale_y < 0
    assert camera_of(down, frame_of(down)).view(frame_of(down)).scale_y > 0


def test_region_shows_its_rectangle_whole_and_centred(scene_of, frame_of):
    camera = model.Camera("region", rect=((-5.0, 0.0), (5.0, 4.0)))
    scene = scene_of(camera=camera)
    box = shown(scene, frame_of(scene), (400, 400))
    assert box == pytest.approx((-5, -3, 5, 7))


def test_region_may_be_given_by_any_two_corners(scene_of, frame_of):
    boxes = []
    for rect in (((-5.0, 0.0), (5.0, 4.0)), ((5.0, 4.0), (-5.0, 0.0))):
        scene = scene_of(camera=model.Camera("region", rect=rect))
        boxes.append(shown(scene, frame_of(scene)))
    assert boxes[0] == boxes[1]


@pytest.mark.parametrize("y", ["up", "down"])
def test_follow_centres_its_target_at_the_given_zoom(scene_of, frame_of, y):
    camera = model.Camera("follow", target="ball", pixel_zoom=20.0)
    scene = scene_of(camera=camera, units=model.Units(y=y))
    frame = frame_of(scene)
    eye = camera_of(scene, frame)
    frame.pose[1, :2] = (70.0, -30.0)
    view = eye.view(frame)
    assert view.scale == 20.0
    assert view.pixel(70.0, -30.0) == pytest.approx((200, 150))


def test_keep_in_moves_only_when_the_target_nears_the_border(scene_of, frame_of):
    camera = model.Camera("follow", target="ball", style="keep_in", pixel_zoom=20.0, margin=2.0)
    scene = scene_of(camera=camera)
    frame = frame_of(scene)
    eye = camera_of(scene, frame)
    first = eye.view(frame)
    frame.pose[1, 0] += 3.0
    assert eye.view(frame) == first
    frame.pose[1, 0] += 30.0
    x, _ = eye.view(frame).pixel(*frame.pose[1, :2])
    assert x + 0.5 * 20.0 == pytest.approx(400 - 2.0 * 20.0)  # the outline, of a radius of 0.5


def test_keep_in_keeps_the_outlines_of_several_inside(scene_of, frame_of, shapes):
    bodies = {
        "a": body(shapes["box"](4.0, 1.0)),
        "b": body(shapes["disc"](0.5), position=(3.0, 0.0)),
        "other": body(shapes["disc"](0.5), position=(50.0, 0.0)),
    }
    camera = model.Camera(
        "follow", targets=("a", "b"), style="keep_in", pixel_zoom=20.0, margin=1.0
    )
    scene = scene_of(bodies, camera=camera)
    frame = frame_of(scene)
    eye = camera_of(scene, frame)
    first = eye.view(frame)
    assert first.pixel(0.75, 0.0) == pytest.approx((200, 150))  # the middle of -2 to 3.5
    frame.pose[0, :2] = -2.0, 0.0
    assert eye.view(frame) == first
    frame.pose[0, 2] = 0.5 * np.pi
    frame.pose[1, 0] = 12.0
    box = eye.view(frame).box(SIZE)
    assert box[2] == pytest.approx(12.5 + 1.0)
    frame.pose[0, :2] = -20.0, 0.0  # and now there is no room for both
    assert eye.view(frame).pixel(0.5 * (12.5 - 20.5), 0.0)[0] == pytest.approx(200)


def test_keep_in_shows_several_smaller_that_go_apart(scene_of, frame_of, shapes):
    bodies = {
        name: body(shapes["disc"](0.5), position=(x, 0.0)) for name, x in (("a", 0), ("b", 2))
    }
    camera = model.Camera("follow", targets=("a", "b"), style="keep_in", margin=1.0)
    scene = scene_of(bodies, camera=camera)
    frame = frame_of(scene)
    eye = camera_of(scene, frame)
    before = eye.view(frame).scale
    frame.pose[1, 0] = 14.0
    view = eye.view(frame)
    assert view.scale < before
    assert view.box(SIZE)[::2] == pytest.approx((-1.5, 15.5))


def test_follow_stays_within_its_bounds(scene_of, frame_of):
    camera = model.Camera(
        "follow", target="ball", pixel_zoom=20.0, bounds=((-15.0, -10.0), (15.0, 10.0))
    )
    scene = scene_of(camera=camera)
    frame = frame_of(scene)
    eye = camera_of(scene, frame)
    for position, corner in (((100.0, 100.0), (5, -5, 15 + 10, 10)), ((-100.0, 0.0), None)):
        frame.pose[1, :2] = position
        x0, y0, x1, y1 = eye.view(frame).box(SIZE)
        assert x0 >= -15 - 1e-9
        assert x1 <= 15 + 1e-9
        assert y0 >= -10 - 1e-9
        assert y1 <= 10 + 1e-9
        if corner is not None:
            assert (x1, y1) == pytest.approx((15, 10))


def test_bounds_smaller_than_the_view_are_centred(scene_of, frame_of):
    camera = model.Camera(
        "follow", target="ball", pixel_zoom=20.0, bounds=((-1.0, -1.0), (3.0, 1.0))
    )
    scene = scene_of(camera=camera)
    view = camera_of(scene, frame_of(scene)).view(frame_of(scene))
    assert view.pixel(1.0, 0.0) == pytest.approx((200, 150))


def test_a_target_that_is_nowhere_leaves_the_view_as_it_was(scene_of, frame_of):
    scene = scene_of(camera=model.Camera("follow", target="ball", pixel_zoom=20.0))
    frame = frame_of(scene)
    eye = camera_of(scene, frame)
    first = eye.view(frame)
    frame.pose[1, 0] = np.nan
    assert eye.view(frame) == first


def test_the_picture_falls_along_where_nothing_is_fixed(scene_of, frame_of, shapes):
    scene = scene_of({"b": body(shapes["box"](1.0, 1.0), position=(2.0, 5.0))})
    first = frame_of(scene)
    camera = camera_of(scene, first)
    before = camera.view(first).pixel(2.0, 5.0)
    later = frame_of(scene)
    later.pose[0, 1] = -100.0
    assert camera.moves
    assert camera.view(later).pixel(2.0, -100.0) == pytest.approx(before)


def test_the_picture_stays_where_something_is_fixed(scene_of, frame_of, shapes):
    ground = body(shapes["box"](9.0, 1.0), "static", (0.0, -3.0))
    scene = scene_of({"g": ground, "b": body(shapes["box"](1.0, 1.0))})
    first = frame_of(scene)
    camera = camera_of(scene, first)
    later = frame_of(scene)
    later.pose[1, 1] = -100.0
    assert camera.view(later) == camera.view(first)


@pytest.mark.parametrize(("y_down", "top"), [(False, 1.0), (True, 0.0)])
def test_the_share_of_height_that_is_left_over_goes_above_the_box(y_down, top) -> None:
    view = frame_box((0.0, 0.0, 2.0, 1.0), (200, 200), y_down, 0.0, 0.8)
    assert view.pixel(0.0, top) == pytest.approx((0.0, 80.0))
    assert view.pixel(2.0, 1.0 - top) == pytest.approx((200.0, 180.0))


# ---------------------------------------------------------------- where it begins


@pytest.mark.parametrize(
    ("camera", "wanted"),
    [
        (model.Camera(start="center", pixel_zoom=50.0), (-3.0, -2.5, 5.0, 3.5)),
        (model.Camera(start="corner", pixel_zoom=50.0), (-1.0, -4.0, 7.0, 2.0)),
        (model.Camera(start="corner"), (-1.0, -1.0, 3.0, 2.0)),
        (model.Camera(start="background"), (0.0, 0.0, 8.0, 6.0)),
        (model.Camera(start="background", pixel_zoom=100.0), (0.0, 3.0, 4.0, 6.0)),
        (
            model.Camera(
                mode="follow", target="b", style="keep_in", start="corner", pixel_zoom=50.0
            ),
            (-3.1, -3.9, 4.9, 2.1),
        ),
    ],
)
def test_a_start_is_what_is_seen_first(scene_of, frame_of, shapes, camera, wanted):
    background = model.Background(image="map.png", fit="own", scale=0.1, pixels=(80, 60))
    scene = scene_of(
        {
            "b": body(shapes["disc"](0.5), position=(-0.2, -0.2)),
            "wall": model.Body("wall", "static", (shapes["box"](4.0, 3.0),), (1.0, 0.5)),
        },
        camera=camera,
        render=model.Render(background=background),
    )
    frame = frame_of(scene)
    assert shown(scene, frame) == pytest.approx(wanted, abs=1e-9)


def test_a_camera_with_a_start_stays(scene_of, frame_of, shapes):
    scene = scene_of({"b": body(shapes["disc"](0.5))}, camera=model.Camera(start="center"))
    assert not camera_of(scene, frame_of(scene)).moves


@pytest.mark.parametrize("size", [(640, 480), (320, 240), (160, 120), (640, 240)])
def test_a_zoom_shows_the_same_part_of_the_world_at_any_size(scene_of, frame_of, size):
    camera = model.Camera("follow", target="ball", zoom=20.0)
    scene = scene_of(camera=camera)
    view = Camera(scene, size, frame_of(scene)).view(frame_of(scene))
    usual = scene.render.size
    x0, y0, x1, y1 = view.box(size)
    assert max((x1 - x0) / usual[0], (y1 - y0) / usual[1]) >= 1.0 / 20.0
    assert min((x1 - x0) / usual[0], (y1 - y0) / usual[1]) == pytest.approx(1.0 / 20.0)
