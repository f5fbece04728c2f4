# SPDX-License-Identifier: MIT
"""Each overlay changes the picture where it should, and nowhere else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.page import document
from rigid2d.core.record.frame import ContactPoints
from rigid2d.core.render import OVERLAYS, Renderer
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.canvas.text import Lettering
from rigid2d.core.render.canvas.theme import LIGHT
from rigid2d.core.render.marks.bars import find_bars
from rigid2d.core.render.marks.grid import add_grid, grid_step
from rigid2d.core.render.marks.mechanics import LEAST, parts_of
from rigid2d.core.render.marks.overlays import ABOVE, BELOW, OF_ALL, OF_CONTACTS
from rigid2d.core.render.marks.scales import mean_weight
from rigid2d.core.scene import model
from rigid2d.core.scene.values.polygon import signed_area
from rigid2d.core.view.camera import Camera

from tests.rows import every_row

SIZE = (640, 480)
REGION = model.Camera("region", rect=((-4.0, -3.0), (4.0, 3.0)))  # 80 pixels to the unit


def pixel(x, y):
    return round(320 + 80 * x), round(240 - 80 * y)


def changed(scene, frame, *overlays, before=()):
    """Where overlays change the picture of a frame, [height, width] bool."""
    plain, laid = Renderer(scene, size=SIZE), Renderer(scene, size=SIZE, overlays=overlays)
    for earlier in before:
        plain.draw(earlier)
        laid.draw(earlier)
    return (plain.draw(frame) != laid.draw(frame)).any(2)


def near(mask, x, y, reach=6):
    """Whether anything changed within some pixels of a point of the scene."""
    column, row = pixel(x, y)
    return bool(mask[row - reach : row + reach + 1, column - reach : column + reach + 1].any())


@pytest.fixture
def falling(scene_of, shapes):
    bodies = {
        "ground": model.Body("ground", "static", (shapes["box"](8.0, 0.5),), (0.0, -2.75)),
        "ball": model.Body("ball", "dynamic", (shapes["disc"](0.5),), (-1.0, 1.0)),
    }
    return scene_of(bodies, camera=REGION)


def contacts(force=10.0):
    return ContactPoints(
        np.array([[0, 1]], np.int32),
        np.array([[1.0, 0.0]]),
        np.array([[0.0, 1.0]]),
        np.array([force]),
        np.array([0.0]),
        np.array([0.0]),
    )


def test_every_overlay_can_be_drawn_at_once(falling, frame_of):
    frame = frame_of(falling, contacts=contacts(), energy=(1.0, 2.0))
    frame.velocity[1] = (1.0, 1.0, 0.0)
    assert changed(falling, frame, *OVERLAYS).any()


def test_contacts_are_points_with_a_line_along_the_normal(falling, frame_of):
    mask = changed(falling, frame_of(falling, contacts=contacts()), "contacts")
    assert near(mask, 1.0, 0.0, 2)
    assert near(mask, 1.0, 0.15, 2)
    assert not near(mask, 1.15, 0.0, 4)
    assert not near(mask, -2.0, 0.0)


def test_a_stronger_contact_has_a_longer_line(falling, frame_of):
    weak = changed(falling, frame_of(falling, contacts=contacts(1.0)), "contacts")
    strong = changed(falling, frame_of(falling, contacts=contacts(50.0)), "contacts")
    assert strong.any(1).sum() > weak.any(1).sum()


def test_a_contact_of_any_force_can_be_drawn(falling, frame_of):
    for force in (0.0, np.inf, np.nan, 1e300):
        mask = changed(falling, frame_of(falling, contacts=contacts(force)), "contacts")
        assert near(mask, 1.0, 0.0, 2)


def test_normals_point_from_the_first_body_to_the_second(falling, frame_of):
    mask = changed(falling, frame_of(falling, contacts=contacts()), "normals")
    assert near(mask, 1.0, 0.15, 2)
    assert not near(mask, 1.0, -0.15, 4)


def test_depths_show_both_surfaces_at_a_contact(falling, frame_of):
    touching = contacts()
    touching.separation[:] = -0.5
    mask = changed(falling, frame_of(falling, contacts=touching), "depths")
    assert near(mask, 1.0, 0.25, 2)
    assert near(mask, 1.0, -0.25, 2)
    assert not near(mask, 1.0, 0.4, 4)


def test_forces_on_a_body_are_its_weight_and_those_of_its_contacts(falling, frame_of):
    weight = mean_weight(falling)
    touching = contacts(force=weight)  # of the ground, which does not move, and the ball
    touching.tangent_force[:] = weight
    mask = changed(falling, frame_of(falling, contacts=touching), "body_forces")
    assert near(mask, -1.0, 0.6, 3)  # from the ball down, 46 pixels
    assert near(mask, 1.0, 0.5, 3)  # the normal force on the second body
    assert near(mask, 1.5, 0.0, 3)  # friction along (ny, -nx)
    assert not near(mask, 1.0, -0.3, 4)
    assert not near(mask, 0.6, 0.0, 4)


def test_only_what_shows_contacts_asks_for_contacts(falling):
    for name in OVERLAYS:
        asks = Renderer(falling, overlays=[name]).wants_contacts
        assert asks is (name in ("contacts", "normals", "depths", "body_forces"))


def test_velocities_start_at_the_centre_of_mass(falling, frame_of):
    frame = frame_of(falling)
    frame.velocity[1] = (6.0, 0.0, 0.0)
    frame.center[1] = (0.0, 0.3)
    mask = changed(falling, frame, "velocities")
    rows = np.flatnonzero(mask.any(1))
    assert abs(rows.mean() - pixel(0.0, 1.3)[1]) < 2
    columns = np.flatnonzero(mask.any(0))
    assert columns.min() == pytest.approx(pixel(-1.0, 0.0)[0], abs=2)
    assert columns.max() > pixel(-0.1, 0.0)[0]


def test_a_body_at_rest_has_no_velocity_to_draw(falling, frame_of):
    assert not changed(falling, frame_of(falling), "velocities").any()


def test_boxes_touch_the_shapes_they_surround(falling, frame_of):
    mask = changed(falling, frame_of(falling), "aabbs")
    for x, y in ((-1.5, 1.4), (-0.5, 0.6), (-1.4, 1.5), (-0.6, 0.5)):
        assert near(mask, x, y, 1)
    assert not near(mask, -1.0, 1.0)


def test_trails_lead_to_where_bodies_were(falling, frame_of):
    earlier = [frame_of(falling, 0.1 * i) for i in range(5)]
    for i, frame in enumerate(earlier):
        frame.pose[1, 0] = -1.0 + 0.5 * i
    now = frame_of(falling, 0.5)
    now.pose[1, 0] = 2.0
    mask = changed(falling, now, "trails", before=earlier)
    assert near(mask, 0.5, 1.0, 2)
    assert not near(mask, -2.0, 1.0)
    assert not near(mask, 3.0, 1.0)


def test_a_trail_is_forgotten_after_its_time(scene_of, frame_of, shapes):
    trail = model.Trail(0.25, "red")
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.1),), trail=trail)}
    scene = scene_of(bodies, camera=REGION)
    renderer = Renderer(scene, size=SIZE)
    for i in range(5):
        frame = frame_of(scene, 0.1 * i)
        frame.pose[0, 0] = -2.0 + 1.0 * i
        image = renderer.draw(frame)
    column, row = pixel(1.4, 0.0)
    assert image[row, column, 0] > image[row, column, 2] + 20
    column, row = pixel(-1.5, 0.0)
    assert tuple(image[row, column]) == tuple(image[0, 0])


def test_names_stand_on_their_bodies(falling, frame_of):
    mask = changed(falling, frame_of(falling), "names")
    assert near(mask, -1.0, 1.0)
    assert near(mask, 0.0, -2.75)
    assert not near(mask, 2.0, 1.0)


def test_the_grid_has_lines_at_round_numbers(falling, frame_of):
    mask = changed(falling, frame_of(falling), "grid")
    for x in (-3.0, -2.0, 0.0, 1.0, 3.0):
        assert near(mask, x, 2.5, 1)
    assert not near(mask, 1.5, 2.5)
    assert near(mask, 2.5, 1.0, 1)


@every_row(
    ("scale", "step"),
    [(80.0, 1.0), (64.0, 1.0), (40.0, 2.0), (20.0, 5.0), (6.4, 10.0), (640.0, 0.1)],
)
def test_grid_steps_are_round_and_far_enough_apart(scale, step):
    assert grid_step(scale, 64.0) == pytest.approx(step)


def test_the_numbers_of_the_grid_leave_corners_to_the_clock(falling, frame_of):
    view = Camera(falling, SIZE, frame_of(falling)).view(frame_of(falling))
    counts = []
    for taken in ([], [(0.0, 0.0, 90.0, 85.0)]):
        items = Items()
        add_grid(items, Lettering(), view, SIZE, LIGHT, 1.0, taken)
        counts.append(len(items))
    assert counts[0] - counts[1] == 2  # the 3 and the 2 of y, at 0 and 80 pixels


@every_row("scale", [1e-15, 1e-9, 1e9, 1e15])
def test_a_grid_step_exists_at_every_zoom(scale):
    assert grid_step(scale, 64.0) > 0.0


def test_the_clock_runs_in_its_corner(falling, frame_of):
    mask = changed(falling, frame_of(falling, 1.23), "time")
    assert mask[:40, :120].any()
    assert not mask[40:].any()
    renderer = Renderer(falling, size=SIZE, overlays=["time"])
    first = renderer.draw(frame_of(falling, 1.23))
    assert not np.array_equal(first, renderer.draw(frame_of(falling, 1.24)))


def test_the_clock_shows_seconds_in_a_scene_of_milliseconds(scene_of, frame_of):
    seconds = scene_of({})
    millis = scene_of({}, units=model.Units(time="ms"))
    images = [
        Renderer(scene, size=SIZE, overlays=["time"]).draw(frame_of(scene, time))
        for scene, time in ((seconds, 1.5), (millis, 1500.0))
    ]
    assert np.array_equal(*images)


def test_the_energy_strip_draws_what_it_was_told(falling, frame_of):
    renderer = Renderer(falling, size=SIZE, overlays=["energy"])
    images = []
    for i in range(8):
        frame = frame_of(falling, float(i), energy=(float(i), 7.0 - i))
        images.append(renderer.draw(frame))
    away = (images[-1] != images[1]).any(2)
    assert away[:80, 400:].any()
    assert not away[120:].any()


def test_an_energy_that_is_not_finite_is_left_out(falling, frame_of):
    renderer = Renderer(falling, size=SIZE, overlays=["energy"])
    for i, energy in enumerate([(1.0, 2.0), (np.nan, 1.0), (np.inf, 0.0), (3.0, 1.0)]):
        image = renderer.draw(frame_of(falling, float(i), energy=energy))
    assert image.shape == (480, 640, 3)


@pytest.fixture
def pendulum(scene_of, shapes):
    joint = model.Joint("pin", "revolute", "world", "bar", (0.0, 2.0), (0.0, 1.0))
    bodies = {"bar": model.Body("bar", "dynamic", (shapes["box"](0.2, 2.0),), (0.0, 1.0))}
    return scene_of(bodies, {"pin": joint}, camera=REGION)


def test_joints_are_tied_to_centres_of_mass(pendulum, frame_of):
    mask = changed(pendulum, frame_of(pendulum), "joints")
    assert near(mask, 0.0, 1.0, 2)
    assert near(mask, 0.0, 2.0, 2)
    assert not near(mask, 0.0, 0.3, 2)


def test_a_joint_is_not_tied_to_the_middle_of_what_stands(scene_of, frame_of, shapes):
    joint = model.Joint("pin", "revolute", "rock", "bar", (3.0, 2.0), (0.0, 1.0))
    bodies = {
        "bar": model.Body("bar", "dynamic", (shapes["box"](0.2, 2.0),), (0.0, 1.0)),
        "rock": model.Body("rock", "static", (shapes["box"](1.0, 1.0),), (-3.0, 0.0)),
    }
    scene = scene_of(bodies, {"pin": joint}, camera=REGION)
    mask = changed(scene, frame_of(scene), "joints")
    assert near(mask, 0.0, 1.5, 2)
    assert near(mask, 0.0, 2.0, 2)
    assert not near(mask, -1.5, 1.0, 2)


def test_a_broken_joint_is_tied_to_nothing(pendulum, frame_of):
    frame = frame_of(pendulum, joint_broken=np.array([True]))
    assert not changed(pendulum, frame, "joints").any()


def test_a_joint_shows_its_force(pendulum, frame_of):
    frame = frame_of(pendulum, joint_force=np.array([[30.0, 0.0, 0.0]]))
    mask = changed(pendulum, frame, "joints")
    assert near(mask, 0.3, 2.0, 2)


def test_forces_are_red_for_push_blue_for_pull_and_green_for_none(pendulum, frame_of):
    colors = []
    for force in (1e6, -1e6, 0.0):
        frame = frame_of(pendulum, push_pull=np.array([force]))
        image = Renderer(pendulum, size=SIZE, overlays=["forces"]).draw(frame)
        column, row = pixel(0.0, 0.6)
        colors.append(image[row, column].astype(int))
    push, pull, slack = colors
    assert push[0] > push[2] + 50
    assert pull[2] > pull[0] + 50
    assert slack[1] > max(slack[0], slack[2]) + 20


def test_a_legend_tells_the_colours_of_forces(pendulum, frame_of):
    """In the top left corner, from blue over green to red; below the clock where there is one."""
    frame = frame_of(pendulum, push_pull=np.array([0.0]))
    for overlays, top in ((["forces"], 0), (["time", "forces"], 22)):
        image = Renderer(pendulum, size=SIZE, overlays=overlays).draw(frame).astype(int)
        row = image[top + 12]
        assert row[12, 2] > row[12, 0] + 50
        assert row[9 + 63, 1] > max(row[9 + 63, 0], row[9 + 63, 2]) + 20
        assert row[9 + 128, 0] > row[9 + 128, 2] + 50


@pytest.mark.parametrize(
    ("kind", "amount"), [("torque", {"torque": 3.0}), ("rotary_motor", {"speed": 3.0})]
)
def test_what_is_turned_has_a_bent_arrow_around_it(scene_of, frame_of, shapes, kind, amount):
    """Nearly all around the centre; what is left open is ahead of the arrow's head."""
    masks = []
    for sign in (1.0, -1.0):
        values = {name: sign * value for name, value in amount.items()}
        turn = model.Actuator("turn", kind, ("fan",), **values)
        bodies = {"fan": model.Body("fan", "dynamic", (shapes["disc"](0.05),))}
        scene = scene_of(bodies, camera=REGION, actuators={"turn": turn})
        masks.append(changed(scene, frame_of(scene, acting=np.array([True])), "forces"))
    radius = 11.0 / 80.0
    for mask in masks:
        assert near(mask, radius, 0.0, 2)
    # The arc begins at 135 degrees, and goes 252 degrees its way.
    early = (radius * np.cos(np.radians(170)), radius * np.sin(np.radians(170)))
    assert near(masks[0], *early, 2)
    assert not near(masks[1], *early, 2)


@pytest.mark.parametrize("size", [1e-300, 1e-30, 1e15])
@pytest.mark.parametrize("kind", ["thruster", "force"])
def test_forces_of_any_size_can_be_drawn(scene_of, frame_of, shapes, kind, size):
    push = model.Actuator("push", kind, ("ship",), force=(size, 0.0))
    bodies = {"ship": model.Body("ship", "dynamic", (shapes["box"](0.5, 1.0),))}
    scene = scene_of(bodies, camera=REGION, actuators={"push": push})
    assert changed(scene, frame_of(scene), "forces").any() == (size > 1.0)


def test_what_is_braked_has_an_arrow_with_two_heads(scene_of, frame_of, shapes):
    tyre = model.Actuator(
        "tyre", "axial_friction", ("car",), at=(1.0, 0.0), direction=(0.0, 1.0), friction=1.0
    )
    bodies = {"car": model.Body("car", "dynamic", (shapes["box"](3.0, 1.0),))}
    scene = scene_of(bodies, camera=REGION, actuators={"tyre": tyre})
    mask = changed(scene, frame_of(scene, acting=np.array([True])), "forces")
    for y in (0.12, -0.12):
        assert near(mask, 1.0, y, 2)
    assert not near(mask, 0.8, 0.0, 2)


def test_a_frame_that_knows_no_forces_shows_none(pendulum, frame_of):
    assert not changed(pendulum, frame_of(pendulum), "forces").any()


def test_a_crate_is_no_bar_and_a_beam_is_one_along_its_length(scene_of, shapes):
    bodies = {
        "crate": model.Body("crate", "dynamic", (shapes["box"](2.0, 1.0),)),
        "beam": model.Body("beam", "dynamic", (shapes["box"](0.2, 1.0),)),
        "ground": model.Body("ground", "static", (shapes["box"](9.0, 1.0),)),
    }
    ((row, bar),) = find_bars(scene_of(bodies))
    assert (row, bar.width) == (1, pytest.approx(0.2))
    assert {bar.start, bar.end} == {(0.0, -0.5), (0.0, 0.5)}


@pytest.fixture
def rocket(scene_of, shapes):
    jet = model.Actuator("jet", "thruster", ("ship",), at=(0.0, -0.5), force=(0.0, 40.0))
    bodies = {"ship": model.Body("ship", "dynamic", (shapes["box"](0.5, 1.0),), mass=1.0)}
    return scene_of(bodies, camera=REGION, actuators={"jet": jet})


def fire(image):
    """Where a picture is as orange as a flame, [height, width] bool."""
    red, green, blue = (image[..., i].astype(int) for i in range(3))
    return (red > 220) & (red > green + 20) & (green > blue + 40)


def test_a_thruster_that_acts_has_a_flame_behind_it(rocket, frame_of):
    renderer = Renderer(rocket, size=SIZE)
    burning = fire(renderer.draw(frame_of(rocket, acting=np.array([True]))))
    assert near(burning, 0.0, -0.7)
    assert not burning[: pixel(0.0, -0.5)[1]].any()
    assert not fire(renderer.draw(frame_of(rocket, acting=np.array([False])))).any()


def test_a_flame_turns_with_its_body(rocket, frame_of):
    frame = frame_of(rocket, acting=np.array([True]))
    frame.pose[0, 2] = 0.5 * np.pi
    assert near(fire(Renderer(rocket, size=SIZE).draw(frame)), 0.7, 0.0)


def test_the_forces_of_actuators_are_arrows(rocket, frame_of):
    frame = frame_of(rocket, acting=np.array([True]))
    assert near(changed(rocket, frame, "forces"), 0.0, -0.3)
    frame.acting[:] = False
    assert not changed(rocket, frame, "forces").any()


def test_the_mean_weight_is_mass_times_gravity(scene_of, shapes):
    bodies = {
        "a": model.Body("a", "dynamic", (shapes["box"](2.0, 1.0),)),
        "b": model.Body("b", "dynamic", (shapes["disc"](1.0),), mass=4.0),
        "ground": model.Body("ground", "static", (shapes["box"](90.0, 9.0),)),
    }
    scene = scene_of(bodies, world=model.World(gravity=(0.0, -10.0)))
    assert mean_weight(scene) == pytest.approx(30.0)


def jointed(scene_of, shapes, **fields):
    """A bar between its hinge or rail at the origin and its middle one unit to the right."""
    bar = model.Body("bar", "dynamic", (shapes["box"](2.0, 0.1),), (1.0, 0.0), visible=False)
    joint = model.Joint(
        "pin", fields.pop("kind"), "world", "bar", (0.0, 0.0), (-1.0, 0.0), **fields
    )
    return scene_of({"bar": bar}, joints={"pin": replace(joint, visible=False)}, camera=REGION)


def test_a_hinge_shows_its_arm_between_its_limits(scene_of, frame_of, shapes):
    scene = jointed(scene_of, shapes, kind="revolute", limits=(0.5 * np.pi, np.pi))
    mask = changed(scene, frame_of(scene), "limits")
    far = 60 / 80  # arms have 64 pixels at most
    assert near(mask, far, 0.0, 3)  # the bar itself
    assert near(mask, 0.0, far, 3)
    assert near(mask, -far, 0.0, 3)
    assert near(mask, -0.4, 0.4, 3)  # the sector
    assert not near(mask, 0.4, 0.4, 3)
    assert not near(mask, 0.0, -far, 3)


def test_a_limit_is_seen_where_the_arm_rests(scene_of, frame_of, shapes):
    scene = jointed(scene_of, shapes, kind="revolute", limits=(0.0, np.pi))
    image = Renderer(scene, size=SIZE, overlays=["limits"]).draw(frame_of(scene))
    orange = np.abs(image.astype(int) - LEAST[:3]).sum(axis=2) < 30
    assert near(orange, 0.4, 0.0, 2)


def test_names_of_joints_can_be_read_in_a_small_picture(scene_of, frame_of, shapes):
    scene = jointed(scene_of, shapes, kind="revolute")
    frame = frame_of(scene)
    with_names, without = (
        Renderer(scene, size=(320, 120), overlays=names).draw(frame)
        for names in (["joint_names"], [])
    )
    rows = np.flatnonzero((with_names != without).any(axis=(1, 2)))
    assert np.ptp(rows) >= 8


def test_limits_turn_with_the_first_body(scene_of, frame_of, shapes):
    bodies = {
        "base": model.Body("base", "dynamic", (shapes["disc"](0.1),), visible=False),
        "bar": model.Body("bar", "dynamic", (shapes["box"](2.0, 0.1),), (1.0, 0.0), visible=False),
    }
    joint = model.Joint(
        "pin", "revolute", "base", "bar", (0, 0), (-1, 0), limits=(-0.1, np.inf), visible=False
    )
    scene = scene_of(bodies, joints={"pin": joint}, camera=REGION)
    frame = frame_of(scene)
    frame.pose[0, 2] = 0.5 * np.pi + 0.1
    mask = changed(scene, frame, "limits")
    assert near(mask, 0.0, 0.7, 3)
    assert not near(mask, 0.4, 0.4, 3)  # without an upper limit there is no sector


@pytest.mark.parametrize(
    ("fields", "ends"),
    [
        ({"kind": "prismatic", "axis": (0.0, 1.0), "limits": (-1.0, 2.0)}, ((0, -1), (0, 2))),
        ({"kind": "distance", "min_length": 0.5, "max_length": 2.0}, ((0.5, 0), (2, 0))),
        ({"kind": "distance", "rope": True, "max_length": 2.0}, ((0, 0), (2, 0))),
    ],
)
def test_slides_and_lengths_show_the_way_between_their_limits(
    scene_of, frame_of, shapes, fields, ends
):
    scene = jointed(scene_of, shapes, **fields)
    frame = frame_of(scene)
    frame.pose[0] = (1.0, 0.0, 0.0) if fields["kind"] == "prismatic" else (2.0, 0.0, 0.0)
    mask = changed(scene, frame, "limits")
    (ax, ay), (bx, by) = ends
    assert near(mask, ax, ay, 3)
    assert near(mask, bx, by, 3)
    assert near(mask, 0.5 * (ax + bx), 0.5 * (ay + by), 2)
    assert not near(mask, 1.2 * bx - 0.2 * ax, 1.2 * by - 0.2 * ay, 3)


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({"kind": "revolute"}, (0, 0)),
        ({"kind": "weld"}, (0, 0)),
        ({"kind": "prismatic", "axis": (1.0, 0.0)}, (1, 0)),
        ({"kind": "distance", "length": 0.5}, (0.35, 0.35)),
        ({"kind": "mouse"}, None),
        ({"kind": "distance", "length": 0.5, "spring": model.Spring(1.0, 1.0)}, None),
    ],
)
def test_errors_lead_from_where_an_anchor_should_be(scene_of, frame_of, shapes, fields, right):
    scene = jointed(scene_of, shapes, **fields)
    frame = frame_of(scene)
    frame.pose[0, :2] = 2.0, 1.0  # so that its anchor is at 1, 1
    mask = changed(scene, frame, "errors")
    assert near(mask, 1.0, 1.0, 2) == (right is not None)
    if right is not None:
        assert near(mask, *right, 3)
        assert near(mask, 0.5 * (1 + right[0]), 0.5 * (1 + right[1]), 2)
    frame.joint_broken[0] = True
    assert not changed(scene, frame, "errors").any()


def test_joints_are_numbered_and_named(scene_of, frame_of, shapes):
    scene = jointed(scene_of, shapes, kind="revolute")
    mask = changed(scene, frame_of(scene), "joint_names")
    assert near(mask, 0.2, -0.1, 6)
    assert not near(mask, -0.5, 0.0, 10)


def test_concave_polygons_show_their_convex_parts(scene_of, frame_of, shapes):
    corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 0.0), (-1.0, 1.0))
    bodies = {
        "ell": model.Body("ell", "dynamic", (model.Shape("polygon", corners),)),
        "box": model.Body("box", "dynamic", (shapes["box"](1.0, 1.0),), (3.0, 0.0)),
    }
    scene = scene_of(bodies, camera=REGION)
    mask = changed(scene, frame_of(scene), "parts")
    assert mask.any()
    assert any(near(mask, x, y, 3) for x, y in ((0, -0.5), (0.5, -0.5), (-0.5, -0.5)))
    assert not mask[:, 480:].any()
    parts = parts_of(bodies["ell"])
    assert len(parts) > 1
    assert sum(map(signed_area, parts)) == pytest.approx(signed_area(corners))
    assert parts_of(bodies["box"]) == []


def test_an_unknown_overlay_is_refused(falling):
    with pytest.raises(UsageError, match="contacts, normals"):
        Renderer(falling, overlays=["speed"])


def test_every_overlay_of_a_scene_is_drawn_by_a_layer():
    drawn = [name for layer in (*BELOW, *ABOVE) for name in layer.overlays or ()]
    assert sorted([*drawn, "trails"]) == sorted(OVERLAYS)  # bodies have trails of their own too
    assert {*OF_CONTACTS, *OF_ALL} <= set(OVERLAYS)


def test_a_page_offers_overlays_of_scenes_alone():
    program = (Path(document.__file__).parent / "assets/overlays.js").read_text(encoding="utf-8")
    (rows,) = re.findall(r"const OVERLAYS = \[(.*?)\];", program, re.S)
    offered = re.findall(r'\["(\w+)", "\w+", "(\w)"\]', rows)
    assert set(OVERLAYS) - {name for name, _ in offered} == {"normals", "aabbs", "energy"}
    assert len(offered) == len(dict(offered)) == len({key for _, key in offered}) > 0
