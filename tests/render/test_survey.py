# SPDX-License-Identifier: MIT
"""What ``fit`` shows of a whole run."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.render import Renderer, Survey
from rigid2d.core.render.marks.plot_room import plot_room
from rigid2d.core.scene import model
from rigid2d.core.view.boxes import BodyBoxes, box_of
from rigid2d.core.view.camera import NO_ROOM, View, fit_view
from rigid2d.core.view.fit import adrift, fit_box


def body(shape, kind="dynamic", position=(0.0, 0.0), **fields):
    return model.Body("b", kind, (shape,), position, **fields)


def survey_of(scene, frame_of, *moves, **changes):
    """A survey of the start and of one more frame for each move: {row: (x, y)}."""
    survey = Survey(scene, [frame_of(scene)])
    for move in moves:
        frame = frame_of(scene, **changes)
        for row, place in move.items():
            frame.pose[row, :2] = place
        survey.add(frame)
    return survey


@pytest.fixture
def grounded(scene_of, shapes):
    """A very wide ground with a ball on it: the ball is row 1."""
    return scene_of(
        {
            "ground": body(shapes["box"](4000.0, 1.0), "static", (0.0, -0.5)),
            "ball": body(shapes["disc"](0.5), position=(0.0, 0.5)),
        }
    )


@pytest.fixture
def tables(scene_of, shapes):
    """A table six wide with three crates on it, rows 1 to 3."""
    crates = {
        f"c{i}": body(shapes["box"](1.0, 1.0), position=(2.0 * i - 2.0, 0.7)) for i in range(3)
    }
    table = body(shapes["box"](6.0, 0.4), "static")
    return scene_of({"table": table, **crates})


def test_all_the_way_of_a_thrown_ball_is_shown(grounded, frame_of):
    path = [{1: (float(x), 0.5 + x * (40.0 - x) / 40.0)} for x in range(1, 41)]
    x0, _, x1, y1 = survey_of(grounded, frame_of, *path).box()
    assert x0 <= -0.5
    assert 40.5 <= x1 < 60.0
    assert y1 == pytest.approx(11.0, abs=0.1)


def test_a_very_wide_ground_is_shown_only_where_objects_move(grounded, frame_of):
    x0, y0, x1, _ = survey_of(grounded, frame_of, {1: (10.0, 0.5)}).box()
    assert x1 - x0 < 20.0
    assert y0 < 0.0


@pytest.mark.parametrize(("size", "whole"), [(1.0, True), (0.5, False)])
def test_a_long_slope_is_shown_whole_unless_bodies_would_be_dots(
    scene_of, frame_of, shapes, size, whole
):
    slope = model.Shape("polygon", ((0.0, 0.0), (30.0, 0.0), (0.0, 10.0)))
    block = body(shapes["box"](size, size), position=(2.0, 10.0))
    scene = scene_of({"slope": body(slope, "static"), "block": block})
    x0, _, x1, _ = survey_of(scene, frame_of, {1: (4.0, 9.0)}).box()
    assert (x0 == 0.0 and x1 == 30.0) == whole


def test_the_swing_of_a_pendulum_is_shown_though_it_goes_below_all_else(scene_of, frame_of, shapes):
    rod = model.Joint("rod", "distance", "world", "b", (0.0, 0.0), (0.0, 0.0), length=2.0)
    scene = scene_of({"b": body(shapes["disc"](0.3), position=(2.0, 0.0))}, {"rod": rod})
    box = survey_of(scene, frame_of, {0: (0.0, -2.0)}, {0: (-2.0, 0.0)}).box()
    assert box == pytest.approx((-2.3, -2.3, 2.3, 0.3))


def test_the_weights_of_a_pulley_are_shown_though_all_that_is_fixed_is_above_them(
    scene_of, frame_of, shapes
):
    bodies = {
        "wheel": body(shapes["disc"](1.0), "static", (0.0, 6.0)),
        "light": body(shapes["disc"](0.3), position=(-1.0, 0.0)),
        "heavy": body(shapes["disc"](0.3), position=(1.0, 3.0)),
    }
    wheels = ((-1.0, 6.0), (1.0, 6.0))
    rope = model.Joint(
        "rope", "pulley", "light", "heavy", (0.0, 0.0), (0.0, 0.0), ground_anchors=wheels
    )
    scene = scene_of(bodies, {"rope": rope})
    box = survey_of(scene, frame_of, {1: (-1.0, 1.5), 2: (1.0, 1.5)}).box()
    assert box == pytest.approx((-1.3, -0.3, 1.3, 7.0))


def test_what_floats_in_a_pool_is_shown_though_it_is_below_all_that_is_fixed(
    scene_of, frame_of, shapes
):
    bodies = {
        "pier": body(shapes["box"](2.0, 0.4), "static"),
        "raft": body(shapes["disc"](0.5), position=(3.0, -1.0)),
        "stone": body(shapes["disc"](0.5), position=(0.0, 1.0)),
    }
    lake = model.Pool("lake", ((-9.0, -5.0), (9.0, -1.0)), 2.0)
    scene = scene_of(bodies, world=model.World(pools=(lake,)))
    box = survey_of(scene, frame_of, {1: (3.0, -2.0), 2: (0.0, -90.0)}).box()
    assert box[1] == pytest.approx(-2.5)


def test_a_scene_with_only_a_pool_does_not_fall_for_ever(scene_of, shapes):
    raft = {"raft": body(shapes["box"](2.0, 0.5))}
    lake = model.Pool("lake", ((-9.0, -5.0), (9.0, -1.0)), 2.0)
    assert adrift(scene_of(raft))
    assert not adrift(scene_of(raft, world=model.World(pools=(lake,))))


def test_what_falls_below_all_that_could_stop_it_does_not_count(tables, frame_of):
    falls = [{3: (4.0, -float(depth))} for depth in range(0, 200, 2)]
    _, y0, x1, _ = survey_of(tables, frame_of, *falls).box()
    assert -2.0 < y0 <= -0.2
    assert x1 == pytest.approx(4.5)


def test_what_falls_off_with_a_broken_joint_does_not_count(scene_of, frame_of, shapes):
    rope = model.Joint("rope", "distance", "world", "low", (0.0, 4.0), (0.0, 0.0), length=4.0)
    bodies = {
        "table": body(shapes["box"](6.0, 0.4), "static"),
        "low": body(shapes["disc"](0.3), position=(0.0, 1.0)),
    }
    scene = scene_of(bodies, {"rope": rope})
    for broken, lowest in ((False, -20.3), (True, -0.2)):
        frames = {"joint_broken": np.array([broken])}
        box = survey_of(scene, frame_of, {1: (5.0, -20.0)}, **frames).box()
        assert box[1] == pytest.approx(lowest)


@pytest.mark.parametrize("kind", ["thruster", "force", "field"])
def test_what_a_force_drives_counts_wherever_it_flies(scene_of, frame_of, shapes, kind):
    bodies = {
        "pad": body(shapes["box"](6.0, 0.4), "static"),
        "b": body(shapes["disc"](0.5), position=(0.0, 1.0)),
    }
    jet = model.Actuator("jet", kind, ("b",), force=(0.0, 9.0))
    scene = scene_of(bodies, actuators={"jet": jet})
    assert survey_of(scene, frame_of, {1: (5.0, -9.0)}).box()[1] == pytest.approx(-9.5)


def test_what_a_thruster_that_never_acts_is_on_falls_out_of_sight(scene_of, frame_of, shapes):
    bodies = {
        "pad": body(shapes["box"](6.0, 0.4), "static"),
        "b": body(shapes["disc"](0.5), position=(0.0, 1.0)),
    }
    jet = model.Actuator("jet", "thruster", ("b",), force=(0.0, 9.0), enabled=False)
    scene = scene_of(bodies, actuators={"jet": jet})
    assert -0.3 < survey_of(scene, frame_of, {1: (5.0, -9.0)}).box()[1] < 0.0


def test_one_that_flies_off_does_not_make_the_others_dots(tables, frame_of):
    flies = [{3: (float(x), 0.7)} for x in range(2, 300)]
    x0, _, x1, _ = survey_of(tables, frame_of, *flies).box()
    assert 6.0 < x1 - x0 < 12.0


def test_what_left_the_world_counts_no_more(tables, frame_of):
    gone = frame_of(tables, alive=np.array([True, True, True, False]))
    gone.pose[3, :2] = (9.0, 0.0)
    assert Survey(tables, [frame_of(tables), gone]).box()[2] == pytest.approx(3.0)


def test_a_state_that_is_not_finite_is_passed_over(tables, frame_of):
    box = survey_of(tables, frame_of, {3: (np.nan, 0.0)}, {3: (np.inf, 0.0)}).box()
    assert np.isfinite(box).all()
    assert box[2] == pytest.approx(3.0)


def test_nothing_is_forgotten_of_a_long_run(grounded, frame_of, monkeypatch):
    path = [{1: (float(x), 0.5)} for x in range(50)] + [{1: (float(x), 0.5)} for x in range(7)]
    whole = survey_of(grounded, frame_of, *path).box()
    monkeypatch.setattr("rigid2d.core.view.survey.MOST_BOXES", 8)
    coarse = survey_of(grounded, frame_of, *path)
    assert len(coarse._pieces) <= 5
    assert coarse.box() == pytest.approx(whole)


def test_a_scene_of_nothing_has_a_box(scene_of, frame_of):
    for scene in (scene_of({}), scene_of()):
        for survey in (Survey(scene), Survey(scene, [frame_of(scene)])):
            x0, y0, x1, y1 = survey.box()
            assert x0 < x1
            assert y0 < y1


def ink(scene, frames, **options):
    """How many pixels of the last frame are not paper."""
    renderer = Renderer(scene, overlays=(), **options)
    images = [renderer.draw(frame) for frame in frames]
    return int((images[-1] != np.array(renderer.theme.paper[:3])).any(2).sum())


def test_a_renderer_with_a_survey_shows_what_leaves_the_first_picture(scene_of, frame_of, shapes):
    rod = model.Joint("rod", "distance", "world", "b", (0.0, 0.0), (0.0, 0.0), length=2.0)
    start = model.Camera(fit="start")
    bodies = {"b": body(shapes["disc"](0.3), position=(2.0, 0.0))}
    scene = scene_of(bodies, {"rod": rod})
    later = frame_of(scene)
    later.pose[0, :2] = (-2.0, 0.0)
    later.joint_broken[0] = True
    frames = [frame_of(scene), later]
    survey = Survey(scene, frames)
    assert ink(scene, frames, survey=survey) > 50
    assert ink(scene, frames) == 0
    assert ink(scene_of(bodies, {"rod": rod}, camera=start), frames, survey=survey) == 0


def test_a_box_round_a_body_is_exact(scene_of, frame_of, shapes):
    round_box = model.Shape("polygon", ((-1.0, 0.0), (1.0, 0.0), (1.0, 1.0)), radius=0.25)
    scene = scene_of(
        {
            "disc": body(shapes["disc"](0.5), position=(1.0, 2.0), angle=0.3),
            "hidden": body(shapes["disc"](0.5), visible=False),
            "rounded": body(round_box, position=(5.0, 0.0)),
        }
    )
    boxes = BodyBoxes(scene).of(frame_of(scene))
    assert box_of(boxes[0]) == pytest.approx((0.5, 1.5, 1.5, 2.5))
    assert boxes[1, 0] > boxes[1, 2]
    assert box_of(boxes[2]) == pytest.approx((3.75, -0.25, 6.25, 1.25))


def test_a_part_of_the_picture_is_covered_as_long_as_something_is_there(scene_of, frame_of, shapes):
    scene = scene_of({"b": body(shapes["box"](2.0, 2.0), position=(1.0, 1.0))})
    survey = survey_of(scene, frame_of, {0: (50.0, 50.0)})
    view = View(10.0, 0.0, 10.0, 0.0)  # the box is 20 pixels wide, its corner at (0, 0)
    assert survey.covered(view, (0.0, 0.0, 20.0, 20.0)) == pytest.approx(0.5)
    assert survey.covered(view, (0.0, 0.0, 40.0, 20.0)) == pytest.approx(0.25)
    assert survey.covered(view, (30.0, 30.0, 40.0, 40.0)) == 0.0


def test_fit_sees_arrows_and_dimensions_of_the_whole_run(scene_of, frame_of, shapes):
    bodies = {"b": model.Body("b", "dynamic", (shapes["box"](1.0, 1.0),))}
    note = model.Annotation("vector", vector="b.velocity", scale=1.0)
    line = model.Annotation("dimension", ends=((0.0, 0.0), (-2.0, 0.0)))
    boxes = []
    for notes in ((), (note, line)):
        scene = scene_of(bodies, annotations=notes)
        moving = np.array([[0.0, 1.5, 0.0]])
        frames = [frame_of(scene), frame_of(scene, 0.1, velocity=moving), frame_of(scene, 0.2)]
        boxes.append(Survey(scene, frames).box())
    assert boxes[0] == (-0.5, -0.5, 0.5, 0.5)
    assert boxes[1] == (-2.0, -0.5, 0.5, 1.5)


@pytest.mark.parametrize("size", [(160, 120), (300, 120)])
def test_fit_leaves_room_for_a_plot_that_would_hide_bodies(scene_of, frame_of, shapes, size):
    wall = body(shapes["box"](10.0, 6.0), "static")
    plot = model.Annotation("plot", expressions=("b.x",), width=60.0, height=30.0)
    scene = scene_of({"w": wall, "b": body(shapes["disc"](0.5))}, annotations=(plot,))
    frames = [frame_of(scene)]
    survey = Survey(scene, frames)
    room = plot_room(scene, size, 0.6, (), survey, survey.box())
    views = [fit_view(scene, survey.box(), size, each) for each in (NO_ROOM, room)]
    corner = (size[0] - 60.0, 10.0, size[0] - 10.0, 30.0)
    assert (survey.covered(views[0], corner) > 0.02) == (size[0] == 160)
    assert survey.covered(views[1], corner) <= 0.02
    assert bool(room) == (size[0] == 160)
    shown = Renderer(scene, survey=survey, size=size).look(frames[0])
    assert shown.scale == pytest.approx(views[1].scale)


def test_a_rod_covers_what_is_behind_it(scene_of, frame_of, shapes):
    rod = model.Joint("rod", "distance", "world", "b", (0.0, 4.0), (0.0, 0.0), length=4.0)
    bodies = {"b": body(shapes["disc"](0.2))}
    view = View(20.0, 100.0, -20.0, 100.0)
    part = (80.0, 30.0, 120.0, 70.0)  # 40 pixels square, across the middle of the rod
    covered = [
        Survey(scene, [frame_of(scene)]).covered(view, part)
        for scene in (scene_of(bodies), scene_of(bodies, {"rod": rod}))
    ]
    assert covered == [0.0, pytest.approx(12.0 / 40.0)]


def test_where_nothing_moves_fixed_bodies_and_layers_are_shown_whole(
    scene_of, frame_of, shapes, tmp_path
):
    image = tmp_path / "level.png"
    Image.new("RGB", (460, 20)).save(image)
    level = model.ImageLayer(str(image), at=(20.0, 0.0), scale=0.1)
    far = model.ImageLayer(str(image), at=(900.0, 0.0), scale=0.1, parallax=0.5)
    gems = {
        f"gem{i}": body(shapes["box"](1.0, 1.0), "static", (10.0 + 9.0 * i, 2.0)) for i in range(2)
    }
    ground = body(shapes["box"](60.0, 1.0), "static", (20.0, -0.5), visible=False)
    scene = scene_of({"ground": ground, **gems}, layers=(level, far))
    assert survey_of(scene, frame_of).box() == pytest.approx((-3.0, -1.0, 43.0, 2.5))
    assert fit_box(scene, frame_of(scene)) == pytest.approx((-3.0, -1.0, 43.0, 2.5))
    bare = scene_of({"ground": ground})
    assert survey_of(bare, frame_of).box() == pytest.approx((-10.0, -1.0, 50.0, 0.0))
    assert fit_box(bare, frame_of(bare)) == pytest.approx((-10.0, -1.0, 50.0, 0.0))
