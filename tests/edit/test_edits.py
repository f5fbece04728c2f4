# SPDX-License-Identifier: MIT
"""Each kind of edit changes the text as a person would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core.edit.messages import read_message
from rigid2d.core.errors import UsageError

from tests.edit.edited import SCENE, document, lines
from tests.rows import every_row

CRATE = "  crate: {shape: {box: [1, 1]}, position: [0.10, 4], material: wood}   # on top"
EDITS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a position keeps its comment and its digits": (
        {"edit": "move", "what": ["bodies.crate"], "by": [0.3, 0]},
        [CRATE.replace("0.10", "0.40")],
    ),
    "units and the constant term of an expression": (
        {"edit": "move", "what": ["bodies.ball"], "by": [0.3, 0.5],
         "choices": {"expression": "constant"}},
        ['      - "60 cm"', "      - =d + 0.5"],
    ),
    "an expression becomes a number": (
        {"edit": "move", "what": ["bodies.ball"], "by": [0, 0.5],
         "choices": {"expression": "number"}},
        ["      - 2.5"],
    ),
    "a var changes": (
        {"edit": "move", "what": ["bodies.ball"], "by": [0, 0.5],
         "choices": {"expression": "var"}},
        ["vars: {d: 2.5, r: {value: 0.3, range: [0.1, 1]}}"],
    ),
    "a default becomes a value at its place": (
        {"edit": "move", "what": ["bodies.plain"], "to": [1, 2]},
        ["  plain: {shape: {circle: 0.2}, position: [1, 2]}"],
    ),
    "joints move with their bodies": (
        {"edit": "move", "what": ["bodies.crate", "bodies.ball"], "by": [1, 0],
         "choices": {"expression": "number"}},
        [CRATE.replace("0.10", "1.10"), '      - "130 cm"',
         "  pin: {type: revolute, bodies: [crate, ball], anchor: [1.2, 3]}"],
    ),
    "a generator moves": (
        {"edit": "move", "what": ["bodies.link[1]"], "by": [0.25, 1],
         "choices": {"generated": "generator", "expression": "constant"}},
        ['  link: {repeat: {i: 3}, shape: {circle: 0.1}, position: [=i*0.5 + 0.25, "=6 - i"]}'],
    ),
    "one of a generator is left out": (
        {"edit": "delete", "what": ["bodies.link[1]"], "choices": {"generated": "when"}},
        ['  link: {repeat: {i: 3}, when: "=i != 1", shape: {circle: 0.1}, '
         'position: [=i*0.5, "=5 - i"]}'],
    ),
    "a generator is unrolled": (
        {"edit": "unroll", "what": ["bodies.link"]},
        [f"  link_{i}: {{shape: {{circle: 0.1}}, position: [{0.5 * i:g}, {5 - i}]}}"
         for i in range(3)],
    ),
    "a merged value is said here": (
        {"edit": "move", "what": ["bodies.other"], "by": [1, 1], "choices": {"shared": "here"}},
        ["  other: {<<: *base, angle: 3, position: [10, 10]}"],
    ),
    "a merged value is changed for all": (
        {"edit": "move", "what": ["bodies.other"], "by": [1, 1], "choices": {"shared": "all"}},
        ["  base: &base {shape: {circle: 0.3}, position: [10, 10]}"],
    ),
    "turning round a point": (
        {"edit": "turn", "what": ["bodies.crate"], "by": 90, "about": [0, 0]},
        ["  crate: {shape: {box: [1, 1]}, position: [-4.00, 0.1], angle: 90, material: wood}"
         "   # on top"],
    ),
    "scaling a box": (
        {"edit": "scale", "what": ["bodies.crate"], "by": [2, 0.5]},
        [CRATE.replace("[1, 1]", "[2, 0.5]")],
    ),
    "scaling the var of a circle": (
        {"edit": "scale", "what": ["bodies.ball"], "by": [2, 2],
         "choices": {"expression": "var"}},
        ["vars: {d: 2, r: {value: 0.6, range: [0.1, 1]}}"],
    ),
    "scaling the points of a polygon": (
        {"edit": "scale", "what": ["bodies.hull"], "by": [2, 3]},
        ["  hull: {shape: {polygon: [[0, 0], [4, 0], [4, 3], [0, 3]]}, position: [5, 0]}"],
    ),
    "another pivot": (
        {"edit": "pivot", "what": ["bodies.hull"], "at": [6, 0]},
        ["  hull: {shape: {polygon: [[0, 0], [2, 0], [2, 1], [0, 1]], offset: [-1, 0]}, "
         "position: [6, 0]}"],
    ),
    "mirroring a polygon": (
        {"edit": "mirror", "what": ["bodies.hull"], "axis": "x", "at": 0},
        ["  hull: {shape: {polygon: [[0, 0], [-2, 0], [-2, 1], [0, 1]]}, position: [-5, 0]}"],
    ),
    "a copy stands behind the original": (
        {"edit": "duplicate", "what": ["bodies.plain"], "by": [1, 0]},
        ["  plain_2: {shape: {circle: 0.2}, position: [1, 0]}"],
    ),
    "a copy takes the joints among the copies": (
        {"edit": "duplicate", "what": ["bodies.crate", "bodies.plain"], "by": [0, 1]},
        [CRATE.replace("crate", "crate_2").replace("4]", "5]").split("   #")[0],
         "  plain_2: {shape: {circle: 0.2}, position: [0, 1]}",
         "  rod_2: {type: distance, bodies: [crate_2, plain_2]}"],
    ),
    "lined up": (
        {"edit": "align", "what": ["bodies.crate", "bodies.plain"], "to": "left"},
        ["  plain: {shape: {circle: 0.2}, position: [-0.2, 0]}"],
    ),
    "all references are renamed": (
        {"edit": "rename", "what": ["bodies.crate"], "to": "chest"},
        [CRATE.replace("crate", "chest"),
         "  pin: {type: revolute, bodies: [chest, ball], anchor: [0.2, 3]}",
         "  rod: {type: distance, bodies: [chest, plain]}",
         "  - {at: end, that: =chest.y < 9 and chest.x > -99}"],
    ),
    "a var is renamed": (
        {"edit": "rename", "what": ["vars.d"], "to": "depth"},
        ["vars: {depth: 2, r: {value: 0.3, range: [0.1, 1]}}", "      - =depth"],
    ),
    "a new body is like its neighbours": (
        {"edit": "add", "section": "bodies", "name": "crate",
         "value": {"position": [0.5, 1.0], "shape": {"box": [1.0, 1]}, "color": "#ff0000"}},
        ['  crate_2: {shape: {box: [1, 1]}, position: [0.5, 1], color: "#ff0000"}'],
    ),
    "a new section is at its place": (
        {"edit": "add", "section": "world", "value": {"gravity": [0, -1.62]}},
        ["world: {gravity: [0, -1.62]}"],
    ),
    "a drawn polygon has its middle for its origin": (
        {"edit": "draw", "kind": "polygon", "points": [[0, 0], [2.004, 0], [2, 2], [0, 2]],
         "step": 0.01, "type": "static"},
        ["  polygon: {type: static, shape: {polygon: [[-1, -1], [1, -1], [1, 1], [-1, 1]]}, "
         "position: [1, 1]}"],
    ),
    "a bar goes from end to end": (
        {"edit": "draw", "kind": "bar", "points": [[1, 4], [0, 3]], "radius": 0.1, "step": 0.01},
        ["  bar: {shape: {box: [1.4142, 0.2]}, position: [0.5, 3.5], angle: 45}"],
    ),
    "a hinge": (
        {"edit": "join", "type": "revolute", "bodies": ["crate", "plain"], "at": [[0.5, 2]]},
        ["  hinge: {type: revolute, bodies: [crate, plain], anchor: [0.5, 2]}"],
    ),
    "a rod between two points": (
        {"edit": "join", "type": "distance", "bodies": ["crate", "world"],
         "at": [[0.6, 4], [3, 7]]},
        ["  rod_2: {type: distance, bodies: [crate, world], anchors: [[0.5, 0], [3, 7]]}"],
    ),
    "an anchor": (
        {"edit": "anchor", "what": ["joints.pin"], "to": [0.3, 3.5]},
        ["  pin: {type: revolute, bodies: [crate, ball], anchor: [0.3, 3.5]}"],
    ),
    "limits and a motor by their handles": (
        {"edit": "joint", "what": ["joints.pin"], "limits": [-30, 45.04], "motor": {"speed": 90}},
        ["  pin: {type: revolute, bodies: [crate, ball], anchor: [0.2, 3], limits: [-30, 45], "
         "motor: {speed: 90}}"],
    ),
    "a property at its place": (
        {"edit": "set", "path": "bodies.plain.angle", "value": 30},
        ["  plain: {shape: {circle: 0.2}, angle: 30}"],
    ),
    "a colour of the material, here": (
        {"edit": "set", "path": "bodies.crate.color", "value": "teal",
         "choices": {"material": "here"}},
        [CRATE.replace("wood}", "wood, color: teal}")],
    ),
    "a colour of the material, there": (
        {"edit": "set", "path": "bodies.crate.color", "value": "teal",
         "choices": {"material": "there"}},
        ['  wood: {density: 0.7, color: "teal"}'],
    ),
    "a setting in a new section": (
        {"edit": "set", "path": "world.gravity[1]", "value": -1.62},
        ["world: {gravity: [0, -1.62]}"],
    ),
    "the value of a var with a range": (
        {"edit": "set", "path": "vars.r", "value": 0.5},
        ["vars: {d: 2, r: {value: 0.5, range: [0.1, 1]}}"],
    ),
    "a corner moves": (
        {"edit": "vertices", "what": ["bodies.hull"], "do": "move", "index": 2, "to": [7.5, 1.5]},
        ["  hull: {shape: {polygon: [[0, 0], [2, 0], [2.5, 1.5], [0, 1]]}, position: [5, 0]}"],
    ),
    "a corner is put in": (
        {"edit": "vertices", "what": ["bodies.hull"], "do": "insert", "index": 2, "to": [7.5, 0.5]},
        ["  hull: {shape: {polygon: [[0, 0], [2, 0], [2.5, 0.5], [2, 1], [0, 1]]}, "
         "position: [5, 0]}"],
    ),
    "a corner goes": (
        {"edit": "vertices", "what": ["bodies.hull"], "do": "delete", "index": 3},
        ["  hull: {shape: {polygon: [[0, 0], [2, 0], [2, 1]]}, position: [5, 0]}"],
    ),
    "a body is cut": (
        {"edit": "split", "what": ["bodies.hull"], "line": [[6, -1], [6, 3]]},
        ["  hull: {shape: {polygon: [[0, 0], [1, 0], [1, 1], [0, 1]]}, position: [5, 0]}",
         "  hull_2: {shape: {polygon: [[1, 0], [2, 0], [2, 1], [1, 1]]}, position: [5, 0]}"],
    ),
    "a texture": (
        {"edit": "group", "what": ["bodies.crate", "bodies.ball"], "name": "pair"},
        ["groups:", "  pair: [crate, ball]"],
    ),
    "categories that do not collide": (
        {"edit": "collide", "a": "default", "b": "default", "value": False},
        ["collision: {ignore: [[default, default]]}"],
    ),
    "a pose": (
        {"edit": "take_pose", "poses": {"crate": [0.123456, 3.5, 10], "plain": [0, 0, 0]}},
        ["  crate: {shape: {box: [1, 1]}, position: [0.1235, 3.5], angle: 10, material: wood}"
         "   # on top"],
    ),
}  # fmt: skip
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no such body": ({"edit": "move", "what": ["bodies.box"], "by": [1, 0]}, "there is no"),
    "a name that is taken": (
        {"edit": "rename", "what": ["bodies.crate"], "to": "pin"}, "there is a `pin` already",
    ),
    "a name that cannot be": (
        {"edit": "rename", "what": ["bodies.crate"], "to": "my crate"}, "cannot be the name",
    ),
    "crossing outlines": (
        {"edit": "draw", "kind": "polygon", "points": [[0, 0], [2, 2], [2, 0], [0, 2]]}, "cross",
    ),
    "a corner across another side": (
        {"edit": "vertices", "what": ["bodies.hull"], "do": "move", "index": 2, "to": [6, -3]},
        "cross",
    ),
    "a value that is none": (
        {"edit": "set", "path": "bodies.crate.mass", "value": -1}, "must be greater than 0",
    ),
    "an unknown property": (
        {"edit": "set", "path": "bodies.crate.weight", "value": 1}, "unknown key",
    ),
    "a line beside the body": (
        {"edit": "split", "what": ["bodies.hull"], "line": [[9, 9], [9, 10]]}, "does not cut",
    ),
}  # fmt: skip


@every_row("message, expected", EDITS.values(), ids=EDITS)
def test_an_edit_changes_the_lines_that_a_person_would_change(
    tmp_path: Path, message: dict[str, Any], expected: list[str]
) -> None:
    edited = document(tmp_path)
    assert lines(edited.do(message)) == expected
    edited.do({"edit": "undo"})
    assert edited.path.read_bytes() == SCENE.encode()


@every_row("message, why", REFUSED.values(), ids=REFUSED)
def test_an_edit_that_cannot_be_says_why_and_writes_nothing(
    tmp_path: Path, message: dict[str, Any], why: str
) -> None:
    edited = document(tmp_path)
    answer = edited.do(message)
    assert why in answer.get("refused", str(answer))
    assert edited.path.read_bytes() == SCENE.encode()


def test_a_value_that_is_the_default_is_not_written(tmp_path: Path) -> None:
    edited = document(tmp_path)
    assert not edited.do({"edit": "set", "path": "bodies.plain.angle", "value": 0})["files"]
    edited.do({"edit": "set", "path": "bodies.plain.z", "value": 2})
    edited.do({"edit": "set", "path": "bodies.plain.z", "value": 0})
    assert edited.path.read_bytes() == SCENE.encode()


def test_deleting_asks_for_what_depends_on_it(tmp_path: Path) -> None:
    edited = document(tmp_path)
    message = {"edit": "delete", "what": ["bodies.plain"]}
    (ask,) = edited.do(message)["ask"]
    assert ask["key"] == "dependents"
    assert "joints.rod" in ask["question"]
    answer = edited.do({**message, "choices": {"dependents": "delete"}})
    assert answer["notes"] == ["deleted with it: joints.rod"]
    assert "plain" not in edited.texts["scene.yaml"]


def test_questions_say_what_each_answer_writes(tmp_path: Path) -> None:
    edited = document(tmp_path)
    (ask,) = edited.do({"edit": "move", "what": ["bodies.ball"], "by": [0, 1]})["ask"]
    assert [(each["value"], each["text"]) for each in ask["options"]] == [
        ("constant", "=d becomes =d + 1"),
        ("number", "=d becomes 3"),
        ("var", "the var `d` changes, with all that depends on it"),
    ]


def test_a_prototype_is_made_of_objects_and_used_again(tmp_path: Path) -> None:
    edited = document(tmp_path)
    made = edited.do({"edit": "prototype", "what": ["bodies.crate", "bodies.plain"],
                      "name": "pair"})  # fmt: skip
    assert made["names"] == ["instances.pair", "prototypes.pair"]
    assert edited.scene().joints["pair.rod"].body_a == "pair.crate"
    assert edited.scene().joints["pin"].body_a == "pair.crate"
    again = edited.do({"edit": "instance", "use": "pair", "at": [3, 1]})
    assert again["names"] == ["instances.pair_2"]
    assert edited.scene().bodies["pair_2.crate"].position == (3.1, 5.0)
    inside = {"edit": "move", "what": ["bodies.crate"], "by": [0, 1], "in_prototype": "pair"}
    assert edited.do(inside)["done"]
    assert edited.scene().bodies["pair_2.crate"].position == (3.1, 6.0)
    for name in ("pair", "pair_2"):
        assert edited.scene().joints[f"{name}.rod"].length == pytest.approx(5.001, abs=0.01)


def test_what_an_included_file_says_is_written_there_after_asking(tmp_path: Path) -> None:
    part = "bodies:\n  wall: {shape: {box: [1, 3]}, position: [4, 1]}  # fixed\n"
    text = "rigid: 1\ninclude: [part.yaml]\nbodies:\n  ball: {shape: {circle: 1}}\n"
    edited = document(tmp_path, text, part=part)
    message = {"edit": "move", "what": ["bodies.wall"], "by": [1, 0]}
    assert edited.do(message)["ask"][0]["key"] == "included"
    there = edited.do({**message, "choices": {"included": "there"}})
    assert lines(there, part, "part.yaml") == [
        "  wall: {shape: {box: [1, 3]}, position: [5, 1]}  # fixed"
    ]
    edited.do({"edit": "undo"})
    assert (tmp_path / "part.yaml").read_text() == part
    here = edited.do({**message, "choices": {"included": "here"}})
    assert lines(here, text) == ["  wall: {shape: {box: [1, 3]}, position: [5, 1]}"]


def test_an_object_that_two_files_say_is_renamed_in_both(tmp_path: Path) -> None:
    part = "bodies:\n  wall: {shape: {box: [1, 3]}, position: [4, 1]}\n"
    text = "rigid: 1\ninclude: [part.yaml]\nbodies:\n  wall: {shape: {circle: 1}}\n"
    edited = document(tmp_path, text, part=part)
    assert edited.do({"edit": "rename", "what": ["bodies.wall"], "to": "dam"})["done"]
    assert [*edited.scene().bodies] == ["dam"]
    assert "dam: {shape: {box" in (tmp_path / "part.yaml").read_text()
    answer = edited.do({"edit": "delete", "what": ["bodies.dam"]})
    assert "delete it there too" in answer["refused"]


def test_round_corners_have_no_digits_of_rounding(tmp_path: Path) -> None:
    text = """\
rigid: 1
bodies:
  ground: {type: static, shape: {chain: [[-5, 0], [0, 0.5], [5, 0]]}}
"""
    edited = document(tmp_path, text)
    corner = {"edit": "vertices", "what": ["bodies.ground"], "do": "round", "index": 1, "radius": 1}
    assert edited.do(corner)["done"]
    points = "[[-5, 0], [-0.0995, 0.49005], [0, 0.49501], [0.0995, 0.49005], [5, 0]]"
    assert f"chain: {points}" in edited.texts["scene.yaml"]


def test_several_copies_stand_one_after_the_other(tmp_path: Path) -> None:
    edited = document(tmp_path)
    copies = {"edit": "duplicate", "what": ["bodies.plain"], "by": [0.5, 0], "count": 3}
    assert lines(edited.do(copies)) == [
        f"  plain_{i}: {{shape: {{circle: 0.2}}, position: [{0.5 * (i - 1):g}, 0]}}"
        for i in (2, 3, 4)
    ]


def test_keys_of_animations_are_set_moved_and_deleted(tmp_path: Path) -> None:
    text = """\
rigid: 1
bodies:
  lift: {type: kinematic, shape: {box: [1, 1]}}
animations:
  ride: {type: once, duration: 2, tracks: {lift.position: [[0, [0, 0]], [1, [0, 2]]]}}
"""
    edited = document(tmp_path, text)
    key = {"edit": "keyframe", "animation": "ride", "track": "lift.position"}
    steps: list[tuple[dict[str, Any], str]] = [
        ({"at": 0.5, "value": [1, 1]}, "[[0, [0, 0]], [0.5, [1, 1]], [1, [0, 2]]]"),
        ({"at": 0.5, "value": [1, 1.5]}, "[[0, [0, 0]], [0.5, [1, 1.5]], [1, [0, 2]]]"),
        ({"at": 0.5, "do": "move", "to": 0.25}, "[[0, [0, 0]], [0.25, [1, 1.5]], [1, [0, 2]]]"),
        ({"at": 0.25, "do": "delete"}, "[[0, [0, 0]], [1, [0, 2]]]"),
    ]
    for more, tracks in steps:
        assert edited.do({**key, **more})["done"]
        assert f"lift.position: {tracks}" in edited.texts["scene.yaml"]


def test_a_message_that_is_none_says_what_is_wrong() -> None:
    with pytest.raises(UsageError, match=r"move\.what"):
        read_message({"edit": "move", "what": [], "by": [1, 0]})
    with pytest.raises(UsageError, match="edit"):
        read_message({"edit": "paint"})


def test_the_pivot_of_an_instance_goes_to_a_point_and_nothing_is_seen_to_move(
    tmp_path: Path,
) -> None:
    text = """\
rigid: 1
prototypes: {tree: {bodies: {stem: {shape: {box: [0.4, 2]}, position: [1, 3], angle: 10}}}}
instances:
  oak: {use: tree, at: [2, 1], angle: 90, scale: 2, mirror: x}   # it stays
"""
    edited = document(tmp_path, text)
    before = edited.scene().bodies["oak.stem"]
    assert edited.do({"edit": "pivot", "what": ["instances.oak"], "at": [-3, 0]})["done"]
    after = edited.scene().bodies["oak.stem"]
    assert after.position == pytest.approx(before.position)
    assert after.angle == pytest.approx(before.angle)
    said = "oak: {use: tree, at: [-3, 0], angle: 90, pivot: [0.5, 2.5], scale: 2, mirror: x}   # it"
    assert said in edited.texts["scene.yaml"]


def test_a_loop_ends_as_it_begins(tmp_path: Path) -> None:
    text = """\
rigid: 1
bodies:
  lift: {type: kinematic, shape: {box: [1, 1]}}
animations:
  ride: {type: loop, duration: 2, tracks: {lift.angle: [[0, 0], [0.5, 9], [1, 0]]}}
"""
    edited = document(tmp_path, text)
    key = {"edit": "keyframe", "animation": "ride", "track": "lift.angle", "at": 1, "value": 30}
    assert edited.do(key)["notes"] == ["a loop ends as it begins: its other end has the value too"]
    assert "lift.angle: [[0, 30], [0.5, 9], [1, 30]]" in edited.texts["scene.yaml"]


def test_a_state_variable_is_renamed_wherever_it_is_named(tmp_path: Path) -> None:
    text = """\
rigid: 1
state: {score: 0, score_2: 1}
prototypes:
  gem:
    bodies: {disc: {shape: {circle: 0.2}}}
    events: [{when: =disc.y < 1, do: [{add: {score: 1}}]}]
bodies:
  score: {shape: {circle: 0.5}}
events:
  - when: =state.score > 2 and score.y < 0
    do: [{set: {state.score: =state.score_2}}, {add: {score: -1}}]
annotations: [{text: "{state.score:.0f} points at {score.y}", at: [0, 1]}]
record: {channels: [score.y, state.score]}
outcome: {win: =state.score > 9}
"""
    edited = document(tmp_path, text)
    assert edited.do({"edit": "rename", "what": ["state.score"], "to": "points"})["done"]
    expected = text.replace("state: {score:", "state: {points:").replace(
        "{add: {score", "{add: {points"
    )
    expected = re.sub(r"state\.score\b", "state.points", expected)
    assert edited.texts["scene.yaml"] == expected


def test_a_category_and_a_tag_are_renamed_wherever_they_are_named(tmp_path: Path) -> None:
    text = """\
rigid: 1
tags: [collision]
collision: {categories: [limb, gem], ignore: [[limb, limb], [gem, limb]]}
prototypes:
  gem: {bodies: {disc: {shapes: [{circle: 0.2, category: gem}], tags: [gem]}}}
bodies:
  arm: {shape: {box: [1, 1]}, category: limb, tags: [limb, "gem"], position: [0, 9]}   # a limb
  gem: {shape: {circle: 0.5}}
instances: {one: {use: gem, at: [4, 0], tags: [limb]}}
probes: {eye: {ray: [[9, 9], [9, 0]], categories: [gem], ignore: [tags.gem]}}
events:
  - {when: collision, tags: [gem, limb], do: [{delete: tags.gem}, {set: {arm.category: gem}}]}
  - {when: "=tags.gem.count == 0 and gem.y < 9", do: [{log: "tags.gem {tags.gem.count}"}]}
"""
    edited = document(tmp_path, text)
    assert edited.do({"edit": "rename", "what": ["categories.limb"], "to": "part"})["done"]
    expected = text.replace("[limb, gem], ignore: [[limb, limb], [gem, limb]]",
                            "[part, gem], ignore: [[part, part], [gem, part]]")  # fmt: skip
    expected = expected.replace("category: limb", "category: part")
    assert edited.texts["scene.yaml"] == expected
    assert edited.do({"edit": "rename", "what": ["tags.gem"], "to": "jewel"})["done"]
    expected = expected.replace("tags: [gem]", "tags: [jewel]").replace('"gem"]', '"jewel"]')
    expected = expected.replace("[tags.gem]", "[tags.jewel]").replace(
        "[gem, limb]", "[jewel, limb]"
    )
    expected = expected.replace("delete: tags.gem", "delete: tags.jewel")
    expected = expected.replace("=tags.gem", "=tags.jewel").replace("{tags.gem", "{tags.jewel")
    assert edited.texts["scene.yaml"] == expected
    for what, to, why in (
        ("categories.part", "gem", "there is a category `gem` already"),
        ("categories.default", "any", "always exists"),
        ("tags.limb", "a b", "is no tag"),
        ("tags.nobody", "x", "there is no tag `nobody`"),
    ):
        assert why in edited.do({"edit": "rename", "what": [what], "to": to})["refused"]
