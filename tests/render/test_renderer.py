# SPDX-License-Identifier: MIT
"""What a picture of a scene shows."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import UsageError
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.colors import parse_color
from rigid2d.core.render.canvas.theme import DARK, LIGHT, THEMES, shape_looks
from rigid2d.core.render.objects.background import world_box
from rigid2d.core.scene import model

from tests.rows import every_row

REGION = model.Camera("region", rect=((-4.0, -3.0), (4.0, 3.0)))
SIZE = (160, 120)  # 20 pixels to the unit


def at(image, x, y):
    """The pixel at a point of the scene, in REGION."""
    return tuple(int(value) for value in image[round(60 - 20 * y), round(80 + 20 * x)])


def draw(scene, frame, **options):
    return Renderer(scene, **options).draw(frame)


def one_body(scene_of, shape, kind="dynamic", **fields):
    render = fields.pop("render", model.Render(size=SIZE))
    bodies = {"b": model.Body("b", kind, (shape,), **fields)}
    return scene_of(bodies, camera=REGION, render=render)


def test_a_body_has_its_own_colour(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["box"](2.0, 2.0), color="tomato")
    image = draw(scene, frame_of(scene))
    assert at(image, 0.5, 0.5) == parse_color("tomato")[:3]
    assert at(image, 2.0, 2.0) == LIGHT.paper[:3]


def test_the_colour_of_a_material_serves_when_the_body_has_none(scene_of, frame_of, shapes):
    material = model.Material(color="#123456")
    scene = one_body(scene_of, shapes["box"](2.0, 2.0, material=material))
    assert at(draw(scene, frame_of(scene)), 0.5, 0.5) == (0x12, 0x34, 0x56)


def test_the_outline_is_darker_than_the_fill(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["box"](2.0, 2.0))
    image = draw(scene, frame_of(scene), size=(640, 480))
    row = image[240, :, :].astype(int).sum(1)
    fill = row[320 + 20]
    edge = row[320 - 80 : 320 - 70].min()
    assert edge < 0.8 * fill


def test_an_outline_colour_is_used(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["box"](2.0, 2.0), outline="red")
    image = draw(scene, frame_of(scene), size=(1280, 960))
    assert (image.reshape(-1, 3) == (255, 0, 0)).all(1).any()


def test_a_disc_shows_that_it_turns(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["disc"](1.0))
    renderer = Renderer(scene)
    first = renderer.draw(frame_of(scene))
    frame = frame_of(scene)
    frame.pose[0, 2] = 1.0
    assert not np.array_equal(first, renderer.draw(frame))


def test_a_compound_turns_as_one(scene_of, frame_of):
    left = model.Shape("circle", ((-1.0, 0.0),), radius=0.4)
    right = model.Shape("circle", ((1.0, 0.0),), radius=0.4)
    bodies = {"b": model.Body("b", "dynamic", (left, right), angle=np.pi / 2, color="tomato")}
    scene = scene_of(bodies, camera=REGION)
    image = draw(scene, frame_of(scene))
    assert at(image, 0.2, 1.2) == at(image, 0.2, -1.2) == parse_color("tomato")[:3]
    assert at(image, 1.0, 0.0) == LIGHT.paper[:3]


def test_y_points_down_in_screen_units(scene_of, frame_of, shapes):
    bodies = {"b": model.Body("b", "dynamic", (shapes["box"](1.0, 1.0),), (0.0, 2.0))}
    up = scene_of(bodies, camera=REGION)
    down = scene_of(bodies, camera=REGION, units=model.Units(y="down"))
    assert at(draw(up, frame_of(up)), 0, 2) != LIGHT.paper[:3]
    assert at(draw(down, frame_of(down)), 0, -2) != LIGHT.paper[:3]


def test_later_bodies_lie_on_earlier_ones_unless_z_says_otherwise(scene_of, frame_of, shapes):
    def center(z):
        bodies = {
            "a": model.Body("a", "dynamic", (shapes["box"](1.0, 1.0),), color="red", z=z),
            "b": model.Body("b", "dynamic", (shapes["box"](1.0, 1.0),), color="blue"),
        }
        scene = scene_of(bodies, camera=REGION)
        return at(draw(scene, frame_of(scene)), 0.1, 0.1)

    assert center(0.0) == (0, 0, 255)
    assert center(1.0) == (255, 0, 0)


@pytest.mark.parametrize("state", ["invisible", "gone"])
def test_a_body_that_is_not_there_is_not_drawn(scene_of, frame_of, shapes, state):
    scene = one_body(scene_of, shapes["box"](2.0, 2.0), visible=state != "invisible")
    frame = frame_of(scene)
    frame.alive[:] = state != "gone"
    assert (draw(scene, frame) == LIGHT.paper[:3]).all()


def test_a_sleeping_body_is_paler(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["box"](2.0, 2.0), color="black")
    frame = frame_of(scene)
    renderer = Renderer(scene)
    assert at(renderer.draw(frame), 0.5, 0.5) == (0, 0, 0)
    frame.awake[:] = False
    paler = at(renderer.draw(frame), 0.5, 0.5)
    assert 10 < paler[0] < 80


def test_a_body_whose_place_is_not_finite_is_left_out(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["box"](2.0, 2.0))
    renderer = Renderer(scene)
    renderer.draw(frame_of(scene))
    frame = frame_of(scene)
    frame.pose[0, 0] = np.nan
    assert (renderer.draw(frame) == LIGHT.paper[:3]).all()


def test_a_sensor_is_see_through_with_a_dashed_edge(scene_of, frame_of, shapes):
    solid = one_body(scene_of, shapes["box"](2.0, 2.0), "static")
    sensor = one_body(scene_of, shapes["box"](2.0, 2.0, sensor=True), "static")
    image = draw(sensor, frame_of(sensor), size=(640, 480))
    paper, inside = np.array(LIGHT.paper[:3]), image[200, 330].astype(int)
    full = draw(solid, frame_of(solid), size=(640, 480))[200, 330].astype(int)
    assert 0 < np.abs(inside - paper).sum() < 0.5 * np.abs(full - paper).sum()
    edge = np.abs(image[240 - 80 - 1 : 240 - 80 + 2, 250:390].astype(int) - paper).sum(2).max(0)
    assert edge.min() < 0.5 * edge.max()


def ground(side, points=((-4.0, 0.0), (4.0, 0.0)), **fields):
    return model.Shape("chain", points, side=side, **fields)


def test_the_ground_under_a_chain_is_filled(scene_of, frame_of):
    scene = one_body(scene_of, ground("left"), "static")
    image = draw(scene, frame_of(scene))
    assert at(image, 1.0, -2.0) == LIGHT.static[:3]
    assert at(image, 1.0, 2.0) == LIGHT.paper[:3]


def test_a_ceiling_is_hatched_above(scene_of, frame_of):
    scene = one_body(scene_of, ground("right"), "static")
    image = draw(scene, frame_of(scene), size=(640, 480)).astype(int)
    away = np.abs(image - LIGHT.paper[:3]).sum(2)
    assert away[228:236].any()
    assert not away[244:].any()


def test_an_island_is_filled_inside(scene_of, frame_of):
    square = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))  # counter-clockwise
    outside = one_body(scene_of, ground("right", square, loop=True), "static")
    assert at(draw(outside, frame_of(outside)), 0, 0) == LIGHT.static[:3]
    inside = one_body(scene_of, ground("left", square, loop=True), "static")
    assert at(draw(inside, frame_of(inside)), 0, 0) == LIGHT.paper[:3]


def hanging(scene_of, shapes, **fields):
    joint = model.Joint("j", "distance", "world", "b", (0.0, 2.5), (0.0, 0.0), **fields)
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.3),), (0.0, -1.0))}
    return scene_of(bodies, {"j": joint}, camera=REGION)


@pytest.mark.parametrize(
    "fields",
    [
        {"length": 3.5},
        {"length": 3.5, "rope": True, "max_length": 3.5},
        {"length": 3.0, "spring": model.Spring(frequency=2.0, damping_ratio=0.1)},
    ],
    ids=["rod", "rope", "spring"],
)
def test_a_distance_joint_is_drawn_until_it_breaks(scene_of, frame_of, shapes, fields):
    scene = hanging(scene_of, shapes, **fields)
    frame = frame_of(scene)
    renderer = Renderer(scene)
    between = slice(round(60 - 20 * 2.0), round(60 - 20 * 0.0))
    assert (renderer.draw(frame)[between] != LIGHT.paper[:3]).any()
    frame.joint_broken[:] = True
    assert (renderer.draw(frame)[between] == LIGHT.paper[:3]).all()


def test_a_spring_is_wider_than_a_rope(scene_of, frame_of, shapes):
    def width(**fields):
        scene = hanging(scene_of, shapes, **fields)
        image = draw(scene, frame_of(scene), size=(640, 480)).astype(int)
        away = np.abs(image[100:240] - LIGHT.paper[:3]).sum(2) > 60
        return np.flatnonzero(away.any(0)).size

    rope = width(length=3.5, rope=True, max_length=3.5)
    spring = width(length=3.0, spring=model.Spring(stiffness=5.0))
    assert spring > 2 * rope


def test_a_slack_rope_sags(scene_of, frame_of, shapes):
    joint = model.Joint(
        "j", "distance", "world", "b", (-2.0, 1.0), (0.0, 0.0), rope=True, max_length=6.0
    )
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.3),), (2.0, 1.0))}
    scene = scene_of(bodies, {"j": joint}, camera=REGION)
    image = draw(scene, frame_of(scene))
    assert (image[round(60 + 20 * 0.3) :] != LIGHT.paper[:3]).any()


def test_a_hinge_is_a_ring(scene_of, frame_of, shapes):
    joint = model.Joint("j", "revolute", "world", "b", (0.0, 0.0), (0.0, 0.0))
    bodies = {"b": model.Body("b", "dynamic", (shapes["box"](2.0, 2.0),), color="tomato")}
    scene = scene_of(bodies, {"j": joint}, camera=REGION)
    image = draw(scene, frame_of(scene), size=(640, 480))
    assert tuple(image[240, 320]) == LIGHT.paper[:3]
    ring = image[240, 320:330].astype(int).sum(1)
    assert ring.min() < 300


def test_a_joint_that_is_not_visible_is_not_drawn(scene_of, frame_of, shapes):
    scene = hanging(scene_of, shapes, length=3.5, visible=False)
    image = draw(scene, frame_of(scene))
    assert (image[: round(60 - 20 * 0.0)] == LIGHT.paper[:3]).all()


SLIDES = {
    "rail": ({"limits": (-2.0, 2.0), "axis": (1.0, 0.0)}, (-1.5, 0.0)),
    "rail without a lower limit": ({"limits": (-math.inf, 1.5)}, (-0.7, 0.0)),
    "stop of a rail without a lower limit": ({"limits": (-math.inf, 1.5)}, (1.5, 0.15)),
    "spring along a rail": (
        {"limits": (-2.0, 2.0), "spring": model.Spring(frequency=2.0, damping_ratio=0.0)},
        (-1.5, 0.0),
    ),
    "suspension": (
        {"axis": (0.0, 1.0), "spring": model.Spring(frequency=2.0, damping_ratio=0.0)},
        (0.0, 0.55),
    ),
    "strut": ({"axis": (0.0, 1.0)}, (0.0, 0.55)),
}


@pytest.mark.parametrize("name", SLIDES)
def test_a_joint_along_a_line_is_drawn_until_it_breaks(scene_of, frame_of, shapes, name):
    fields, (x, y) = SLIDES[name]
    kind = "prismatic" if "limits" in fields else "wheel"
    joint = model.Joint("j", kind, "world", "b", (0.0, 0.0), (0.0, 0.0), **fields)
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.3),))}
    scene = scene_of(bodies, {"j": joint}, camera=REGION)
    frame, renderer = frame_of(scene), Renderer(scene)
    column, row = round(80 + 20 * x), round(60 - 20 * y)
    here = (slice(row - 3, row + 4), slice(column - 3, column + 4))
    assert (renderer.draw(frame)[here] != LIGHT.paper[:3]).any()
    frame.joint_broken[:] = True
    assert (renderer.draw(frame)[here] == LIGHT.paper[:3]).all()


def test_a_mouse_is_a_dashed_line_to_its_target(scene_of, frame_of, shapes):
    joint = model.Joint("j", "mouse", "world", "b", (3.0, 0.0), (0.0, 0.0))
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.3),), (-3.0, 0.0))}
    scene = scene_of(bodies, {"j": joint}, camera=REGION)
    image = draw(scene, frame_of(scene), size=(640, 480))
    line = (image[240, 120:520].astype(int) - LIGHT.paper[:3]).sum(1) != 0
    assert 0.3 < line.mean() < 0.9


def test_a_mouse_whose_target_moves_pulls_to_where_it_is_now(scene_of, frame_of, shapes):
    joint = model.Joint("j", "mouse", "world", "b", (3.0, 0.0), (0.0, 0.0))
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.3),))}
    scene = scene_of(bodies, {"j": joint}, camera=REGION)
    image = draw(scene, frame_of(scene, targets={0: (0.0, 2.0)}), size=(640, 480))
    drawn = (image != LIGHT.paper[:3]).any(2)
    assert drawn[85:215, 320].any()
    assert not drawn[230:250, 360:].any()


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_has_its_paper(scene_of, frame_of, name):
    scene = scene_of({}, render=model.Render(size=SIZE, theme=name))
    assert (draw(scene, frame_of(scene)) == THEMES[name].paper[:3]).all()


def test_a_theme_can_be_asked_for(scene, frame_of):
    assert tuple(draw(scene, frame_of(scene), theme="dark")[0, 0]) == DARK.paper[:3]


def test_a_background_colour_is_used(scene_of, frame_of):
    render = model.Render(size=SIZE, background=model.Background(color="skyblue"))
    scene = scene_of({}, render=render)
    assert (draw(scene, frame_of(scene)) == parse_color("skyblue")[:3]).all()


@pytest.mark.parametrize("fit", ["stretch", "contain", "world"])
def test_a_background_image_is_shown(scene_of, frame_of, tmp_path, fit):
    image = Image.new("RGB", (20, 10), (255, 0, 0))
    image.paste((0, 0, 255), (10, 0, 20, 10))
    image.save(tmp_path / "sky.png")
    background = model.Background(image=str(tmp_path / "sky.png"), fit=fit)
    scene = scene_of({}, render=model.Render(size=SIZE, background=background), camera=REGION)
    picture = draw(scene, frame_of(scene))
    assert tuple(picture[60, 20]) == (255, 0, 0)
    assert tuple(picture[60, 140]) == (0, 0, 255)
    corner = LIGHT.paper[:3] if fit == "contain" else (255, 0, 0)
    assert tuple(picture[2, 2]) == corner


def test_a_background_glued_to_the_world_moves_with_the_camera(
    scene_of, frame_of, shapes, tmp_path
):
    Image.new("RGB", (8, 8), (255, 0, 0)).save(tmp_path / "map.png")
    bodies = {"b": model.Body("b", "dynamic", (shapes["disc"](0.1),))}
    scene = scene_of(
        bodies,
        camera=model.Camera("follow", target="b", zoom=20.0),
        world=model.World(bounds=((-2.0, -2.0), (2.0, 2.0))),
        render=model.Render(
            size=SIZE,
            background=model.Background(image=str(tmp_path / "map.png"), fit="world"),
        ),
    )
    renderer, frame = Renderer(scene), frame_of(scene)
    first = renderer.draw(frame)
    assert tuple(first[40, 60]) == (255, 0, 0)
    assert tuple(first[60, 130]) == LIGHT.paper[:3]
    frame.pose[0, 0] = 3.0
    later = renderer.draw(frame)
    assert tuple(later[60, 30]) == (255, 0, 0)
    assert tuple(later[60, 100]) == LIGHT.paper[:3]


def test_a_background_glued_to_the_world_covers_its_bounds_in_its_own_proportions(scene_of):
    scene = scene_of({}, world=model.World(bounds=((-2.0, 3.0), (2.0, 1.0))))
    shown = (-9.0, -9.0, 9.0, 9.0)
    assert world_box(scene, shown, (40, 20)) == (-2.0, 1.0, 2.0, 3.0)
    assert world_box(scene, shown, (40, 40)) == (-2.0, 0.0, 2.0, 4.0)
    assert world_box(scene, shown, (80, 20)) == (-4.0, 1.0, 4.0, 3.0)
    assert world_box(scene_of({}), shown, (20, 10)) == (-18.0, -9.0, 18.0, 9.0)


@pytest.mark.parametrize("content", [b"no image", None])
def test_a_background_that_cannot_be_read_is_an_error(scene_of, frame_of, tmp_path, content):
    path = tmp_path / "sky.png"
    if content is not None:
        path.write_bytes(content)
    render = model.Render(size=SIZE, background=model.Background(image=str(path)))
    scene = scene_of({}, render=render)
    with pytest.raises(UsageError, match=r"sky\.png"):
        draw(scene, frame_of(scene))


def test_supersampling_shows_the_same_at_the_same_size(scene, frame_of):
    plain = draw(scene, frame_of(scene)).astype(int)
    fine = draw(scene, frame_of(scene), supersample=3)
    assert fine.shape == plain.shape
    assert np.abs(fine - plain).mean() < 2.0
    assert not np.array_equal(fine, plain)


def test_the_scene_is_drawn_in_its_own_size_unless_another_is_asked_for(scene, frame_of):
    assert draw(scene, frame_of(scene)).shape == (120, 160, 3)
    assert draw(scene, frame_of(scene), size=(50, 40)).shape == (40, 50, 3)


def test_the_same_frame_gives_the_same_bytes(scene, frame_of):
    first = draw(scene, frame_of(scene))
    assert np.array_equal(first, draw(scene, frame_of(scene)))


def test_the_palette_of_categories_gives_each_its_colour(scene_of, shapes):
    bodies = {
        name: model.Body(name, "dynamic", (shapes["disc"](1.0),), category=category, color="red")
        for name, category in (("a", "limb"), ("b", "limb"), ("c", "head"))
    }
    scene = scene_of(bodies, render=model.Render(palette="categories"))
    looks = [row[0].fill for row in shape_looks(scene, LIGHT)]
    assert looks[0] == looks[1] != looks[2]


def test_the_palette_of_materials_gives_each_its_colour(scene_of, shapes):
    steel, wood = model.Material(name="steel"), model.Material(name="wood", color="#aa7744")
    bodies = {
        name: model.Body(name, "dynamic", (shapes["disc"](1.0, material=material),))
        for name, material in (("a", steel), ("b", steel), ("c", wood))
    }
    scene = scene_of(bodies, render=model.Render(palette="materials"))
    looks = [row[0].fill for row in shape_looks(scene, LIGHT)]
    assert looks[0] == looks[1]
    assert looks[2] == parse_color("#aa7744")


def test_neighbours_in_the_palette_of_bodies_differ(scene_of, shapes):
    bodies = {f"b[{i}]": model.Body(f"b[{i}]", "dynamic", (shapes["disc"](1),)) for i in range(9)}
    looks = [row[0].fill for row in shape_looks(scene_of(bodies), LIGHT)]
    assert all(a != b for a, b in pairwise(looks))


@every_row(
    ("options", "message"),
    [
        ({"size": (0, 100)}, "16 to 8192"),
        ({"size": (100, 100_000)}, "16 to 8192"),
        ({"overlays": ["contact"]}, "there is no overlay 'contact'"),
        ({"theme": "pink"}, "light, dark, blueprint"),
        ({"fps": 0.0}, "fps"),
        ({"supersample": 0}, "supersample"),
    ],
)
def test_what_cannot_be_drawn_is_refused(scene, options, message):
    with pytest.raises(UsageError, match=message):
        Renderer(scene, **options)


def test_a_colour_that_is_none_is_refused(scene_of, frame_of, shapes):
    scene = one_body(scene_of, shapes["disc"](1.0), color="bleu")
    with pytest.raises(UsageError, match="bleu"):
        draw(scene, frame_of(scene))


def test_a_chain_of_many_zooms_draws_something(scene, frame_of):
    """Pixels per unit from far too small to far too large: a picture, and no error."""
    for span in (1e-6, 1e-3, 1e3, 1e6, 1e9):
        camera = model.Camera("region", rect=((-span, -span), (span, span)))
        image = draw(replace(scene, camera=camera), frame_of(scene))
        assert image.shape == (120, 160, 3)


def test_a_function_may_draw_a_body_in_its_place_and_order(scene_of, frame_of, shapes):
    red, blue = parse_color("red")[:3], parse_color("blue")[:3]
    bodies = {
        "back": model.Body("back", "dynamic", (shapes["box"](4.0, 4.0),), color="white"),
        "eye": model.Body("eye", "dynamic", (shapes["disc"](1.0),), (1.0, 0.0), z=1.0),
        "front": model.Body("front", "dynamic", (shapes["box"](0.4, 0.4),), color="lime", z=2.0),
    }
    scene = scene_of(bodies, render=model.Render(size=SIZE), camera=REGION)
    seen = []

    def paint(pen):
        seen.append((pen.body.name, pen.frame.time, pen.row))
        pen.circle((0.0, 0.0), 1.5, "red")
        pen.polygon([(0.5, -0.2), (1.2, 0.0), (0.5, 0.2)], "blue")
        pen.line([(-1.4, 1.4), (-1.4, 1.0)], "blue", 0.3)

    frame = frame_of(scene)
    frame.pose[1, 2] = 0.5 * np.pi
    renderer = Renderer(scene, size=SIZE, painters={"eye": paint})
    image = renderer.draw(frame)
    assert seen == [("eye", frame.time, 1)]
    assert at(image, 1.0, -0.6) == red  # where the disc itself has another colour
    assert at(image, 1.0, 0.7) == blue  # the triangle points up, as the body is turned
    assert at(image, 0.0, 0.0) == parse_color("lime")[:3]
    assert at(image, -0.2, -1.4) == blue
    frame.alive[1] = False
    renderer.draw(frame)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("painters", "words"),
    [
        ({"balls": print}, "ball"),
        ({"ball": 3}, "a function"),
        ({"ball": lambda pen: pen.circle((0, 0), -1, "red")}, "radius"),
        ({"ball": lambda pen: pen.circle((0, 0), 1, "redd")}, "did you mean `red`"),
        ({"ball": lambda pen: pen.polygon([(0, 0)], "red")}, "at least 3 points"),
        ({"ball": lambda pen: pen.line([(0, 0)], "red", 1)}, "at least 2 points"),
    ],
)
def test_painters_that_cannot_be_are_refused(scene_of, frame_of, painters, words):
    scene = scene_of()
    with pytest.raises(UsageError, match=words):
        Renderer(scene, painters=painters).draw(frame_of(scene))


def test_sleeping_bodies_need_not_fade(scene_of, frame_of, shapes):
    bodies = {"b": model.Body("b", "dynamic", (shapes["box"](2.0, 2.0),), color="#3060c0")}
    kept = []
    for fade in (True, False):
        scene = scene_of(bodies, render=model.Render(size=(64, 48), sleep_fade=fade))
        pictures = [
            Renderer(scene).draw(frame_of(scene, awake=np.array([awake])))
            for awake in (True, False)
        ]
        kept.append(bool((pictures[0] == pictures[1]).all()))
    assert kept == [False, True]


def test_sensors_have_the_chosen_look(scene_of, frame_of, shapes):
    def middle(sensor, look):
        shape = replace(shapes["box"](2.0, 2.0), sensor=sensor)
        bodies = {"b": model.Body("b", "dynamic", (shape,), color="#3060c0")}
        scene = scene_of(bodies, render=model.Render(size=(64, 48), sensors=look))
        return Renderer(scene).draw(frame_of(scene))

    plain = middle(False, "dashed")
    assert (middle(True, "solid") == plain).all()
    assert (middle(True, "dashed")[24, 32] != plain[24, 32]).any()
    hidden = middle(True, "hidden")
    assert (hidden[20, 37] == hidden[0, 0]).all()
