# SPDX-License-Identifier: MIT
"""Sprite sheets: poses of animations on nothing, with a description as engines read it."""

from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import UsageError
from rigid2d.core.jobs.posing import Poser, figure_of, find_held, phases
from rigid2d.core.jobs.sprites import SpriteSheet, sprite_sheet
from rigid2d.core.scene import load, loads
from rigid2d.core.scene.model import Scene
from rigid2d.core.scene.script import Animation

SCENES = Path(__file__).parents[2] / "scenes"
ARM = """
rigid: 1
{units}
bodies:
  ground: {{type: static, shape: {{box: [20, 1]}}, position: [0, -3]}}
  base: {{shape: {{box: [0.6, 0.6]}}, color: '#0000ff', outline: '#0000ff'}}
  arm:
    shape: {{box: [1, 0.2], offset: [0.5, 0]}}
    color: '#ff0000'
    outline: '#ff0000'
    collide: false
  loose: {{shape: {{circle: 0.3}}, position: [5, 0]}}
joints:
  hinge:
    {{type: revolute, bodies: [base, arm], anchor: [0, 0], motor: {{position: 0, max_torque: 500}}}}
  foot: {{type: weld, bodies: [ground, base]}}
animations:
  turn: {{type: loop, duration: 2, tracks: {{hinge.motor.position: [[0, 0], [0.5, 180], [1, 0]]}}}}
{more}
"""


def arm(more: str = "", units: str = "", without: str = "") -> Scene:
    text = ARM.format(more=more, units=units)
    return loads(
        "\n".join(line for line in text.splitlines() if not without or without not in line)
    )


def cells(sheet: SpriteSheet, row: int = 0) -> list[np.ndarray]:
    width, height = sheet.cell
    line = sheet.image[row * height : (row + 1) * height]
    return [line[:, i * width : (i + 1) * width] for i in range(sheet.count)]


def reds(cell: np.ndarray) -> tuple[float, float]:
    """The middle of what is red."""
    ys, xs = np.nonzero((cell[..., 0] > 200) & (cell[..., 2] < 50) & (cell[..., 3] > 200))
    return float(xs.mean()) + 0.5, float(ys.mean()) + 0.5


def test_a_loop_has_no_phase_twice_and_others_have_their_end() -> None:
    loop = Animation("a", "loop", 1.0, ())
    once = Animation("a", "once", 1.0, ())
    assert phases(loop, 4) == [0.0, 0.25, 0.5, 0.75]
    assert phases(once, 3) == [0.0, 0.5, 1.0]
    assert phases(once, 1) == [0.0]


def test_a_pose_is_where_the_set_points_are() -> None:
    scene = arm()
    poser = Poser(scene, figure_of(scene, "base"), "base", (0.0, 0.0), ground=False)
    rows = list(scene.bodies)
    found = list(poser.poses(scene.animations["turn"], 4))
    angles = [pose.frame.pose[rows.index("arm"), 2] for pose in found]
    assert angles == pytest.approx([0.0, pi / 2, pi, pi / 2], abs=0.01)
    assert all(pose.at_rest for pose in found)
    assert all(abs(pose.frame.pose[rows.index("base")]).max() < 1e-6 for pose in found)


def test_pictures_show_the_poses_about_one_pivot() -> None:
    sheet = sprite_sheet(arm(), count=4, size=(100, 100), body="base")
    x, y = sheet.pivot
    (ax, ay), (bx, by), (cx, cy) = (reds(cell) for cell in cells(sheet)[:3])
    assert ax - x == pytest.approx(x - cx, abs=1)
    assert ax > x + 10
    assert (ay, cy) == pytest.approx((y, y), abs=1)
    assert by < y - 10
    assert bx == pytest.approx(x, abs=1)


def test_pictures_are_turned_about_the_pivot_with_what_the_world_holds() -> None:
    """By a right angle, so that what points right points up."""
    pin = "  pin: {type: revolute, bodies: [world, arm], anchor: [1, 0]}"
    text = ARM.format(more="", units="")
    scene = loads(text.replace("  foot:", f"{pin}\n  foot:"))
    straight = sprite_sheet(scene, count=1, size=(100, 100), joints=True)
    turned = sprite_sheet(scene, count=1, size=(100, 100), joints=True, angle=pi / 2)
    seen, after = (sheet.image[..., 3] > 128 for sheet in (straight, turned))
    assert (np.rot90(seen) ^ after).sum() < 60
    (x, y), (px, py) = reds(cells(turned)[0]), turned.pivot
    assert x == pytest.approx(px, abs=1)
    assert y < py - 5
    with pytest.raises(UsageError, match="finite"):
        sprite_sheet(scene, angle=float("nan"))


def test_poses_may_be_taken_after_so_many_steps() -> None:
    """A weak motor does not reach a quarter turn in 3 steps, but in 300."""
    weak = loads(ARM.format(more="", units="").replace("500", "0.5"))
    reached = []
    for steps in (3, 300):
        poser = Poser(weak, figure_of(weak, "base"), "base", (0.0, 0.0), ground=False, steps=steps)
        poses = list(poser.poses(weak.animations["turn"], 4))
        reached.append(poses[1].frame.pose[[*weak.bodies].index("arm"), 2])
    assert reached[0] < 0.5
    assert reached[1] == pytest.approx(pi / 2, abs=0.02)
    sheet = sprite_sheet(weak, count=4, steps=3)
    assert sheet.unsettled == ()


def test_there_is_nothing_in_a_picture_but_the_figure() -> None:
    sheet = sprite_sheet(arm(), count=2, body="base")
    for cell in cells(sheet):
        solid = cell[cell[..., 3] == 255]
        assert len(solid) > 100
        assert (solid[:, 1] == 0).all()  # red, blue, and what lies between them at edges
        assert cell[0, 0, 3] == 0


def test_all_that_moves_can_be_the_figure() -> None:
    alone = sprite_sheet(arm(), count=1, body="base", scale=20)
    every = sprite_sheet(arm(), count=1, body="base", scale=20, whole_scene=True)
    assert every.cell[0] > alone.cell[0] + 60
    unasked = sprite_sheet(arm(), count=1, scale=20)
    assert unasked.cell[0] == every.cell[0]


def test_a_body_that_is_no_figure_of_the_pivot_is_not_moved_by_it() -> None:
    scene = arm()
    assert figure_of(scene, "base") == {"base", "arm"}
    assert figure_of(scene, "loose") == {"loose"}


def test_the_body_at_the_pivot_is_held() -> None:
    scene = arm()
    assert find_held(scene, None, (5.1, 0.1)) == ("loose", (5.1, 0.1))
    assert find_held(scene, None, None) == ("base", (0.0, 0.0))
    assert find_held(scene, "arm", None) == ("arm", (0.0, 0.0))


def test_a_body_of_what_the_animations_move_is_held() -> None:
    text = """
        rigid: 1
        bodies:
          roller: {type: kinematic, shape: {circle: 0.5}, position: [-9, 0]}
          base: {shape: {box: [0.6, 0.6]}}
          arm: {shape: {box: [1, 0.2], offset: [0.5, 0]}, collide: false}
        joints:
          hinge: {type: revolute, bodies: [base, arm], anchor: [0, 0], motor: {position: 0}}
        animations:
          turn: {type: loop, duration: 1, tracks: {hinge.motor.position: [[0, 0], [1, 0]]}}
          roll: {type: once, duration: 1, tracks: {roller.position: [[0, [-9, 0]], [1, [0, 0]]]}}
    """
    scene = loads(text)
    turn, roll = scene.animations.values()
    assert find_held(scene, None, None, [turn]) == ("base", (0.0, 0.0))
    assert find_held(scene, None, None, [roll]) == ("roller", (-9.0, 0.0))


def test_what_hangs_on_something_is_not_held_besides() -> None:
    text = """
        rigid: 1
        bodies:
          post: {type: static, shape: {box: [0.2, 0.2]}}
          arm: {shape: {box: [1, 0.2], offset: [0.5, 0]}}
        joints:
          hinge: {type: revolute, bodies: [post, arm], anchor: [0, 0], motor: {position: 0}}
        animations:
          lift: {type: once, duration: 1, tracks: {hinge.motor.position: [[0, 0], [1, 90]]}}
    """
    sheet = sprite_sheet(loads(text), count=2, size=(40, 40))
    assert sheet.unsettled == ()
    first, last = (np.nonzero(cell[..., 3]) for cell in cells(sheet))
    assert np.ptp(first[1]) > 2 * np.ptp(first[0])
    assert np.ptp(last[0]) > 2 * np.ptp(last[1])


def test_on_the_ground_all_pictures_stand_at_the_same_height() -> None:
    scene = arm(without="foot")
    sheet = sprite_sheet(scene, count=4, ground=True, body="base", scale=40)
    lowest = [np.nonzero(cell[..., 3] > 128)[0].max() for cell in cells(sheet)]
    assert lowest == pytest.approx([sheet.pivot[1] - 1] * 4, abs=1)


def test_a_floor_is_of_a_category_that_the_figure_touches() -> None:
    more = "defaults: {body: {category: toy}}\ncollision: {categories: [toy], ignore: [[toy, toy]]}"
    sheet = sprite_sheet(arm(more, without="foot"), count=2, ground=True, body="base")
    assert sheet.unsettled == ()


def test_defaults_of_the_scene_are_not_those_of_what_holds_the_figure() -> None:
    weak = "defaults: {body: {collide: false}, joint: {break: {force: 0.001}}}"
    text = "\n".join(
        line.replace("anchor: [0, 0],", "anchor: [0, 0], break: {force: 1e9},").replace(
            "base: {shape", "base: {collide: true, shape"
        )
        for line in ARM.format(more=weak, units="").splitlines()
        if "foot" not in line
    )
    sheet = sprite_sheet(loads(text), count=2, ground=True, body="base")
    assert sheet.unsettled == ()


def test_where_y_points_down_pictures_are_not_turned_over() -> None:
    scene = arm(units="units: {y: down}")
    sheet = sprite_sheet(scene, count=4, body="base", size=(64, 64))
    _, (x, y), *_ = (reds(cell) for cell in cells(sheet))
    assert x == pytest.approx(sheet.pivot[0], abs=1)
    assert y > sheet.pivot[1] + 5


def test_each_animation_has_a_row_and_its_own_rate() -> None:
    more = "  lift: {type: once, duration: 1, tracks: {base.position: [[0, [0, 0]], [1, [0, 1]]]}}"
    text = ARM.format(more=more, units="").replace("base: {shape", "base: {type: kinematic, shape")
    text = text.replace("  foot: {type: weld, bodies: [ground, base]}\n", "")
    sheet = sprite_sheet(loads(text), count=5, body="base")
    assert sheet.rows == ("turn", "lift")
    assert sheet.rates == (2.5, 4.0)
    assert sheet.image.shape == (2 * sheet.cell[1], 5 * sheet.cell[0], 4)
    first, last = cells(sheet, 1)[0], cells(sheet, 1)[-1]
    heights = [np.nonzero(cell[..., 2] > 200)[0].mean() for cell in (first, last)]
    assert heights[0] - heights[1] == pytest.approx(sheet.scale, abs=1)


def test_the_description_is_a_hash_of_frames_with_tags() -> None:
    sheet = sprite_sheet(arm(), count=3, size=(40, 30), body="base")
    told = sheet.description("arm.png")
    assert list(told["frames"]) == ["turn_0", "turn_1", "turn_2"]
    last = told["frames"]["turn_2"]
    assert last["frame"] == {"x": 80, "y": 0, "w": 40, "h": 30}
    assert last["sourceSize"] == {"w": 40, "h": 30}
    assert last["duration"] == 667
    assert (round(last["pivot"]["x"] * 40), round(last["pivot"]["y"] * 30)) == sheet.pivot
    meta = told["meta"]
    assert (meta["image"], meta["size"], meta["fps"]) == ("arm.png", {"w": 120, "h": 30}, 1.5)
    assert meta["frameTags"] == [
        {"name": "turn", "from": 0, "to": 2, "direction": "forward", "fps": 1.5}
    ]


def test_the_texture_that_is_told_puts_the_pivot_at_the_origin_of_a_body(tmp_path: Path) -> None:
    sheet = sprite_sheet(arm(), count=4, size=(90, 70), body="base")
    sheet.write(tmp_path / "arm.png")
    text = f"rigid: 1\nbodies: {{a: {{shape: {{box: [1, 1]}}, {sheet.texture('arm.png')}}}}}"
    texture = loads(text, folder=tmp_path).bodies["a"].texture
    assert texture is not None
    assert texture.grid == (4, 1)
    assert texture.size == pytest.approx((90 / sheet.scale, 70 / sheet.scale), rel=1e-5)
    assert texture.offset == pytest.approx(
        ((45 - sheet.pivot[0]) / sheet.scale, (sheet.pivot[1] - 35) / sheet.scale), abs=1e-5
    )


def test_a_sheet_has_the_same_bits_wherever_it_is_made() -> None:
    scene = load(SCENES / "pictures" / "walker.yaml")
    sheet = sprite_sheet(scene, ["walk"], count=12, body="torso", ground=True, scale=64)
    with Image.open(SCENES / "pictures" / "images" / "walker.png") as stored:
        assert (np.asarray(stored.convert("RGBA")) == sheet.image).all()
    assert sheet.unsettled == ()


def test_what_does_not_come_to_rest_is_told() -> None:
    more = "actuators: {engine: {type: rotary_motor, body: arm, speed: 360, max_torque: 5000}}"
    sheet = sprite_sheet(arm(more), count=1, body="base")
    assert sheet.unsettled == ("turn 0",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"animations": ["turns"]}, "turn"),
        ({"pivot": (40.0, 40.0)}, "no body that moves is at the pivot"),
        ({"body": "ground"}, "no body that moves named"),
        ({"size": (64, 64), "scale": 3.0}, "one of them"),
        ({"scale": 0.0}, "above 0"),
        ({"scale": 1e5}, "larger than"),
        ({"size": (8, 8)}, "16 pixels at least"),
        ({"size": (1000, 1000), "count": 9}, "8192 a side"),
        ({"count": 1025}, "1024"),
        ({"fps": 0.0}, "above 0"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sprite_sheet(arm(), **options)  # type: ignore[arg-type]


def test_a_scene_without_animations_has_no_sprites() -> None:
    with pytest.raises(UsageError, match="no `animations`"):
        sprite_sheet(loads("rigid: 1\nbodies: {a: {shape: {circle: 1}}}"))


def test_nothing_sinks_without_gravity() -> None:
    with pytest.raises(UsageError, match="without gravity"):
        sprite_sheet(arm("world: {gravity: [0, 0]}"), ground=True)


def test_a_figure_that_touches_nothing_is_named() -> None:
    scene = arm("defaults: {body: {collide: false}}")
    with pytest.raises(UsageError, match="the figure of 'base' touches nothing"):
        sprite_sheet(scene, ground=True)
