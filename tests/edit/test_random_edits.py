# SPDX-License-Identifier: MIT
"""Random edits of the project's scenes, and those that once went wrong, made small."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.edit.edited import document
from tests.edit.random_edits import one_edit, run
from tests.rows import every_row
from tests.search import tries

ROUNDED = """\
rigid: 1
bodies:
  tread: {type: static, shape: {box: [1, 0.3], radius: 0.1}, position: [0, 1]}
  ball: {shape: {circle: 0.2}, position: [0, 3]}
"""
SHARED = """\
rigid: 1
bodies:
  mother: {shape: {box: [1, 1]}, texture: &look {file: crate.png, size: [1, 1]}}
  child: {shape: {box: [1, 1]}, position: [3, 0], texture: *look}
"""
BY_VAR = """\
rigid: 1
vars: {r: 0.4}
bodies:
  ground: {type: static, shape: {box: [9, 1]}, position: [0, -2]}
  rear: {shape: {circle: =r}, position: [0, =r]}
"""
TURNED = """\
rigid: 1
bodies:
  brick: {shape: {box: [0.4, 0.2]}, position: [14.26, 0.25], angle: 33}
  other: {shape: {circle: 0.2}, position: [14.26, 2]}
joints:
  hinge: {type: revolute, bodies: [other, brick]}
"""
NAMES = """\
rigid: 1
vars: {end: 2}
bodies:
  stop: {type: static, shape: {box: [1, 1]}, position: [=end, 0]}
  ball: {shape: {circle: 0.2}, position: [0, 3], color: red}
  red: {shape: {circle: 0.2}, position: [0, 5]}
annotations:
  - {text: "stop here, red at {red.y:.1f}", at: [0, 1]}
expect:
  - {at: end, that: =stop.x == 2 and red.y < 99}
"""
FINDINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "a box too small for its round corners": (
        ROUNDED, {"edit": "scale", "what": ["bodies.tread"], "by": [1.5, 0.5]},
    ),
    "a texture that two bodies share": (
        SHARED, {"edit": "texture", "what": ["bodies.mother"], "fields": {"tint": "gray"}},
    ),
    "a var that is a radius too": (
        BY_VAR, {"edit": "move", "what": ["bodies.rear"], "by": [0, -2],
                 "choices": {"expression": "var"}},
    ),
    "another pivot of a turned body with a joint": (
        TURNED, {"edit": "pivot", "what": ["bodies.brick"], "at": [14.3, 0.31], "step": 1.0},
    ),
    "two bodies that are turned with their joint": (
        TURNED.replace("[other, brick]", "[other, brick], anchor: [14.3, 0.31]"),
        {"edit": "turn", "what": ["bodies.brick", "bodies.other"], "by": 40, "about": [0, 0]},
    ),
    "a body with the name of a colour": (
        NAMES, {"edit": "rename", "what": ["bodies.red"], "to": "apple"},
    ),
    "a value that is a constant of expressions": (
        BY_VAR.replace("r: 0.4", "r: 0.4, turn: =pi"),
        {"edit": "set", "path": "vars.turn", "value": -2.1, "choices": {"expression": "var"}},
    ),
    "a coordinate of a copy that is unrolled": (
        BY_VAR.replace("position: [0, =r]", "repeat: {i: 3}"),
        {"edit": "set", "path": "bodies.rear[2].position[0]", "value": 4,
         "choices": {"generated": "unroll"}},
    ),
    "a key before one that begins like it": (
        ROUNDED.replace("position: [0, 3]", "position: [0, 3], angular_velocity: 2"),
        {"edit": "turn", "what": ["bodies.ball"], "by": 12.5},
    ),
    "the end of a run and a body of a name": (
        NAMES.replace("stop", "end_2").replace("vars: {end: 2}", "vars: {e: 2}").replace(
            "[=end", "[=e").replace("end_2", "end"),
        {"edit": "rename", "what": ["bodies.end"], "to": "stop"},
    ),
}  # fmt: skip


def test_random_edits_of_all_scenes_keep_what_they_are_not_about() -> None:
    assert run(tries(80, 200), seed=3, each=25, say=lambda *a, **k: None, most=1500) == []


@every_row("text, message", FINDINGS.values(), ids=FINDINGS)
def test_edits_that_once_went_wrong_do_not_any_more(
    tmp_path: Path, text: str, message: dict[str, Any]
) -> None:
    (tmp_path / "crate.png").write_bytes(PIXEL)
    edited = document(tmp_path, text)
    for _ in range(2):
        one_edit(edited, dict(message), random.Random(1))


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763"
    "f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
