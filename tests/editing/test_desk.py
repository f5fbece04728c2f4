# SPDX-License-Identifier: MIT
"""The desk without a browser: exports, pictures, outlines, refusals."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.editing.desk import SceneDesk
from rigid2d.core.editing.outline import outline, value_of
from rigid2d.core.errors import UsageError
from rigid2d.core.play.session import Session

SCENE = """\
rigid: 1
world: {duration: 0.2}
prototypes: {crate: {bodies: {box: {shape: {box: [1, 1]}, position: [3, 0]}}}}
bodies:
  wedge: {shape: {polygon: [[0, 0], [1, 0], [0, 1]]}, position: [1, 2]}
instances: {one: {use: crate}}
"""


ARM = """\
rigid: 1
bodies: {arm: {shape: {box: [1, 0.2]}}}
joints: {hinge: {type: revolute, bodies: [world, arm], motor: {position: 0}}}
animations: {turn: {type: loop, duration: 1, tracks: {hinge.motor.position: [[0, 0], [0.5, 90], [1, 0]]}}}
"""  # noqa: E501


@pytest.fixture
def desk(tmp_path: Path) -> SceneDesk:
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE, encoding="utf-8")
    return SceneDesk(Session(file), {"again": SCENE})


def test_the_state_has_the_tree_and_the_lines_of_entries(desk: SceneDesk) -> None:
    state = desk.state()
    assert state["tree"]["bodies"]["wedge"]["position"] == [1, 2]
    assert state["lines"]["bodies.wedge"] == (4, 4)
    assert not desk.look()


def test_the_scene_is_kept_as_a_picture_and_as_a_page(desk: SceneDesk) -> None:
    picture = desk.answer({"ask": "export", "form": "png"})
    assert picture["name"] == "scene.png"
    assert b64decode(picture["data"]).startswith(b"\x89PNG")
    page = desk.answer({"ask": "export", "form": "html"})
    assert b64decode(page["data"]).startswith(b"<!doctype html>")
    with pytest.raises(UsageError, match="png, gif"):
        desk.answer({"ask": "export", "form": "exe"})


def test_sprites_have_the_options_of_the_command(tmp_path: Path) -> None:
    file = tmp_path / "arm.yaml"
    file.write_text(ARM, encoding="utf-8")
    desk = SceneDesk(Session(file))
    options = {"animations": ["turn"], "count": 3, "size": [40, 30], "angle": 90, "steps": 20,
               "pivot": [0, 0], "ground": False, "joints": False}  # fmt: skip
    made = desk.answer({"ask": "export", "form": "sprites", "options": options})
    with Image.open(BytesIO(b64decode(made["data"]))) as image:
        assert image.size == (120, 30)
    assert (made["cell"], made["count"], made["rows"]) == ((40, 30), 3, ("turn",))
    assert made["beside"]["name"] == "arm_sprites.json"
    for wrong, message in (({"count": 0}, "count"), ({"ratio": 2}, "no ratio"),
                           ({"animations": ["trun"]}, "did you mean")):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            desk.answer({"ask": "export", "form": "sprites", "options": wrong})


def test_a_prototype_has_a_picture_and_a_middle(desk: SceneDesk) -> None:
    found = desk.answer({"ask": "picture", "prototype": "crate"})
    assert found["picture"].startswith("data:image/png;base64,")
    assert found["middle"] == pytest.approx([3, 0])


def test_outlines_are_the_points_that_the_file_says(desk: SceneDesk) -> None:
    (found,) = desk.answer({"ask": "outlines", "body": "wedge"})["outlines"]
    assert found["points"] == [[0, 0], [1, 0], [0, 1]]
    assert found["closed"]


@pytest.mark.parametrize(
    "points",
    [
        [[0, 0], [0, 1], [1, 0]],  # clockwise
        [[0, 0], [1, 0], [1, 1], [0.5, 1], [0, 1]],  # one is in the middle of a side
        [[0.25, 0], [1, 0], [1, 1], [0, 1], [0, 0]],  # the first one is
    ],
)
def test_outlines_have_the_points_of_the_file_in_its_order(
    tmp_path: Path, points: list[list[float]]
) -> None:
    """Also where the shape is elsewhere in its body, and the body is a part of an instance."""
    said = f"{{polygon: {points}, offset: [2, 0], angle: 90}}"
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE.replace("{box: [1, 1]}", said), encoding="utf-8")
    desk = SceneDesk(Session(file))
    (found,) = desk.answer({"ask": "outlines", "body": "one.box"})["outlines"]
    assert np.allclose(found["points"], [[2 - y, x] for x, y in points])


def test_what_is_typed_in_a_form_is_what_a_file_says(desk: SceneDesk) -> None:
    edit = {"edit": "set", "path": "bodies.wedge.position", "text": "[=1 + 1, 3 m]"}
    assert desk.answer({"ask": "edit", "edit": edit})["done"]
    assert desk.look()
    assert desk.state()["tree"]["bodies"]["wedge"]["position"] == ["=1 + 1", "3 m"]
    assert value_of("tan") == "tan"
    assert value_of("yes") == "yes"
    assert outline("a: [")[0] == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#ff6347", "#ff6347"),
        ("{background: #203050}", {"background": "#203050"}),
        ("[#fff, '#000', red]", ["#fff", "#000", "red"]),
        ('"a #123456"', "a #123456"),
    ],
)
def test_colours_of_a_field_need_no_quotes(text: str, value: object) -> None:
    assert value_of(text) == value


def test_a_rehearsal_holds_bodies_also_when_the_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE.replace("0.2}", "2}"), encoding="utf-8")
    session = Session(file)
    desk = SceneDesk(session)
    assert desk.answer({"ask": "rehearse", "held": ["wedge"]}) == {"held": ["wedge"]}
    for _ in range(2):
        session.advance(0.5)
        session.arrive()
        assert session.time > 0.4
        assert session.world is not None
        assert session.world["wedge"].position == pytest.approx((1, 2))
        assert session.world["one.box"].position[1] < -0.5
        file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        session.reload()


@pytest.mark.parametrize("asked", [{}, {"ask": "format"}, {"ask": "edit"}, {"ask": ["edit"]}])
def test_what_no_page_asks_is_refused(desk: SceneDesk, asked: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        desk.answer(asked)
