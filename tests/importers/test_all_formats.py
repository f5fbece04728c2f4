# SPDX-License-Identifier: MIT
"""Rules of all importers: valid scenes, losses with places, detection by content, limits."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import rigid2d.core
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.importers import FORMATS, import_data, import_file
from rigid2d.core.world import World

from tests.importers.documented import SECTIONS
from tests.rows import every_row

FILES = sorted((Path(__file__).parent / "files").iterdir())
FORMATS_OF_FILES = {
    "cart.box2d.json": "box2d-json",
    "drawing.svg": "svg",
    "level.xmanphysics.json": "xmanphysics",
    "machine.xmanphysics.json": "xmanphysics",
    "pendulum.rube": "rube",
    "push.kinetix.json": "kinetix",
    "room.tmj": "tiled",
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_format_is_known_by_the_content(file):
    assert import_data(file.read_bytes(), file="x").format == FORMATS_OF_FILES[file.name]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_an_imported_scene_runs_300_steps_and_stays_finite(file):
    scene = import_file(file).scene()
    world = World(scene)
    size = 10 * max(
        [scene.world.length_unit, *(abs(x) for b in scene.bodies.values() for x in b.position)]
    )
    time, gravity = 300 * scene.world.dt, math.hypot(*scene.world.gravity)
    furthest = size + gravity * time * time
    world.step(300)
    for name in scene.bodies:
        x, y = world[name].position
        assert math.hypot(x, y) < furthest, name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_text_is_the_same_every_time(file):
    assert import_file(file).text == import_file(file).text


@every_row("file", FILES, ids=lambda file: file.name)
def test_every_loss_names_its_place(file):
    for loss in import_file(file).losses:
        assert loss.path
        assert loss.line > 0


def test_every_format_has_a_section_of_the_page():
    assert {word for each in SECTIONS for word in each.split(" and ")} == set(FORMATS)


def test_content_of_no_format_is_an_error():
    with pytest.raises(SceneError, match="no format has this content; known are: xmanphysics"):
        import_data("{}")
    with pytest.raises(SceneError, match="no format has this content"):
        import_data("[1, 2]")
    with pytest.raises(SceneError, match="content, `<mujoco>`; known are: xmanphysics"):
        import_data('<?xml version="1.0"?>\n<!-- an arm --><mujoco model="arm"/>')


def test_a_text_that_is_no_json_names_the_line():
    with pytest.raises(SceneError, match="given:2:3: this is not JSON"):
        import_data("[\n  oh]", file="given")


def test_a_wrong_value_names_line_column_and_path():
    text = '{"Bodies": [\n  {"Radius": "large"}]}'
    with pytest.raises(SceneError, match=r"given:2:14: Bodies\[0\].Radius: must be a number"):
        import_data(text, file="given")


def test_what_no_scene_can_have_is_told_at_its_place():
    body = {"type": 2, "fixture": [{"density": 1, "circle": {"radius": -1}}]}
    text = '{"gravity": 0,\n "body": [\n' + json.dumps(body) + "]}"
    with pytest.raises(SceneError) as error:
        import_data(text, file="given")
    problem = error.value.problems[0]
    assert (problem.line, problem.path) == (3, "body[0]")
    assert "must be greater than 0" in problem.message


@pytest.mark.parametrize("deep", ['{"Bodies":' * 50 + "1" + "}" * 50, "[" * 200_000])
def test_deep_nesting_is_an_error(deep):
    with pytest.raises(SceneError):
        import_data(deep)


def test_too_many_values_are_an_error():
    text = '{"Bodies": [' + ",".join(["1"] * 400_000) + "]}"
    with pytest.raises(SceneError, match="more than 400,000 values"):
        import_data(text)


def test_a_large_file_is_refused_unread(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(9 << 20)
    with pytest.raises(SceneError, match="the limit is 8 MiB"):
        import_file(path)


def test_a_missing_file_is_an_error_that_says_so(tmp_path):
    with pytest.raises(SceneError, match="there is no such file"):
        import_file(tmp_path / "none.json")


def test_bytes_that_are_no_utf_8_are_an_error():
    with pytest.raises(SceneError, match="not UTF-8"):
        import_data(b'{"Bodies": "\xff"}')


def test_a_byte_order_mark_is_passed_over():
    body = {"Radius": 5}
    made = import_data(b"\xef\xbb\xbf" + json.dumps({"Bodies": [body]}).encode())
    assert made.bodies == 1


def test_an_unknown_format_is_a_usage_error():
    with pytest.raises(UsageError, match="there is no format 'obj'"):
        import_data("{}", "obj")


def test_pymunk_has_no_files():
    with pytest.raises(UsageError, match="from_pymunk"):
        import_data("{}", "pymunk")


def test_names_are_kept_as_far_as_they_can_be(box2d):
    circle = [{"density": 1, "circle": {"radius": 1}}]
    names = ["ball", "ball", "my ball!", "7up", "world", "if", ""]
    made = box2d([{"type": 2, "name": name, "fixture": circle} for name in names])
    got = list(made.scene().bodies)
    assert got == ["ball", "ball_2", "my_ball", "_7up", "world_", "if_", "body_6"]
    assert "# called 'my ball!' there" in made.text


def test_a_name_cannot_end_its_comment(box2d):
    circle = [{"density": 1, "circle": {"radius": 1}}]
    made = box2d([{"type": 2, "name": "a\nrigid: 2\u2028x", "fixture": circle}])
    assert list(made.scene().bodies) == ["a_rigid_2_x"]


def test_what_many_bodies_share_is_said_once(box2d):
    circle = [{"density": 2, "friction": 0.25, "circle": {"radius": 1}}]
    other = [{"density": 2, "friction": 0.75, "circle": {"radius": 1}}]
    bodies = [{"type": 2, "linearDamping": 0.5, "fixture": f} for f in [circle] * 5 + [other] * 3]
    made = box2d(bodies)
    assert made.text.count("0.25") == made.text.count("0.75") == made.text.count("damping") == 1
    scene = made.scene()
    frictions = [body.shapes[0].material.friction for body in scene.bodies.values()]
    assert frictions == [0.25] * 5 + [0.75] * 3
    assert {body.linear_damping for body in scene.bodies.values()} == {0.5}
    assert {body.shapes[0].material.density for body in scene.bodies.values()} == {2.0}


def test_the_importers_are_part_of_the_library():
    assert rigid2d.core.from_pymunk.__module__ == "rigid2d.core.importers.pymunk"
