# SPDX-License-Identifier: MIT
"""Edits of single copies of generators, which have their own fields in `overrides`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.edit.edited import document, lines
from tests.rows import every_row

COPIES = """\
rigid: 1
bodies:
  ball: {repeat: {i: 4}, shape: {circle: 0.3}, position: [=i*2, 1], color: tan}  # all
  peg:
    repeat: {i: 2, j: 2}
    type: static
    shape: {circle: 0.1}
    position: [=i - 4, =j + 4]
    overrides:
      "1,0": {color: red}   # mine
"""
BALL = COPIES.splitlines()[2]


def own(fields: str) -> str:
    """The line of the balls, of which single ones have fields of their own."""
    return BALL.replace("tan}", f"tan, overrides: {{{fields}}}}}")


@every_row(
    "message, expected",
    [
        ({"edit": "move", "what": ["bodies.ball[2]"], "by": [0.5, 1]},
         own("2: {position: [4.5, 2]}")),
        ({"edit": "turn", "what": ["bodies.ball[0]"], "by": 30}, own("0: {angle: 30}")),
        ({"edit": "scale", "what": ["bodies.ball[1]"], "by": [2, 2]},
         own("1: {shape: {circle: 0.6}}")),
        ({"edit": "set", "path": "bodies.ball[1].color", "value": "red"}, own("1: {color: red}")),
        ({"edit": "take_pose", "poses": {"ball[0]": [1, 3, 0], "ball[3]": [6, 1, 9]}},
         own("0: {position: [1, 3]}, 3: {angle: 9}")),
        ({"edit": "set", "path": "bodies.peg[1,0].angle", "value": 20},
         '      "1,0": {color: red, angle: 20}   # mine'),
        ({"edit": "set", "path": "bodies.peg[0,1].friction", "value": 0.25},
         '      "0,1": {friction: 0.25}'),
    ],
    ids=lambda each: each["edit"] if isinstance(each, dict) else "",
)  # fmt: skip
def test_one_copy_of_a_generator_is_changed_alone(
    tmp_path: Path, message: dict[str, Any], expected: str
) -> None:
    edited = document(tmp_path, COPIES)
    before = dict(edited.scene().bodies)
    options = edited.do(message)["ask"][0]["options"]
    assert "copy" in [each["value"] for each in options]
    answer = edited.do({**message, "choices": {"generated": "copy"}})
    assert lines(answer, COPIES) == [expected]
    named = {*message.get("poses", ()), message.get("path", "")[7:].partition("].")[0] + "]"}
    named |= {each[7:] for each in message.get("what", ())}
    after = edited.scene().bodies
    assert {name for name in after if after[name] != before[name]} <= named
    edited.do({"edit": "undo"})
    assert edited.texts["scene.yaml"] == COPIES


PINNED = f"""\
{COPIES}\
joints:
  pin: {{type: revolute, bodies: [world, "ball[1]"], anchor: [2, 1.5]}}
  hook: {{repeat: {{i: 4}}, type: revolute, bodies: [world, "ball[=i]"], anchor: [=i*2, 1]}}
  link: {{type: weld, bodies: ["ball[1]", "ball[2]"], anchor: [3, 1]}}
"""


def test_a_copy_takes_the_anchors_along_that_hold_nothing_else(tmp_path: Path) -> None:
    message = {"edit": "move", "what": ["bodies.ball[1]"], "by": [0.5, 1]}
    edited = document(tmp_path, PINNED)
    options = edited.do(message)["ask"][0]["options"]
    assert options[1]["text"].endswith(
        "; the anchors of `pin` and `hook[1]` go along; the anchor of `link` stays where it is in "
        "the world"
    )
    answer = edited.do({**message, "choices": {"generated": "copy"}})
    assert lines(answer, PINNED) == [
        own("1: {position: [2.5, 2]}"),
        '  pin: {type: revolute, bodies: [world, "ball[1]"], anchor: [2.5, 2.5]}',
        '  hook: {repeat: {i: 4}, type: revolute, bodies: [world, "ball[=i]"], anchor: [=i*2, 1], '
        "overrides: {1: {anchor: [2.5, 2]}}}",
    ]
    both = {**message, "what": ["bodies.ball[1]", "bodies.ball[2]"], "by": [0, 1]}
    answer = edited.do({**both, "choices": {"generated": "copy"}})
    link = edited.scene().joints["link"]
    assert link.anchor_a == (0.5, -1.0)  # at [3, 2] of the world
    undone = [edited.do({"edit": "undo"}) for _ in range(2)][-1]
    assert undone["files"]["scene.yaml"]["text"] == PINNED


def test_single_copies_follow_their_generator_and_go_with_their_copy(tmp_path: Path) -> None:
    edited = document(tmp_path, COPIES.replace(BALL, own("2: {position: [4, 5], angle: 10}")))
    choices = {"generated": "generator", "expression": "constant"}
    assert edited.do({"edit": "move", "what": ["bodies.ball"], "by": [1, 2], "choices": choices})[
        "done"
    ]
    assert edited.do({"edit": "turn", "what": ["bodies.ball"], "by": 5, "choices": choices})["done"]
    assert "2: {position: [5, 7], angle: 15}" in edited.texts["scene.yaml"]
    gone = {"edit": "delete", "what": ["bodies.ball[2]"], "choices": {"generated": "when"}}
    assert edited.do(gone)["done"]
    assert "ball[2]" not in edited.scene().bodies
    unset = {"edit": "unset", "path": "bodies.peg[1,0].color", "choices": {"generated": "copy"}}
    assert edited.do(unset)["done"]
    assert "overrides" not in edited.texts["scene.yaml"]


def test_unrolled_copies_keep_their_own_fields(tmp_path: Path) -> None:
    edited = document(tmp_path, COPIES.replace(BALL, own("2: {color: red, shape: {box: [1, 1]}}")))
    before = edited.scene().bodies
    assert edited.do({"edit": "unroll", "what": ["bodies.ball"]})["done"]
    after = edited.scene().bodies
    for i in range(4):
        assert (after[f"ball_{i}"].color, after[f"ball_{i}"].shapes) == (
            before[f"ball[{i}]"].color, before[f"ball[{i}]"].shapes
        )  # fmt: skip
