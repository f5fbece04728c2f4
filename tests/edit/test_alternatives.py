# SPDX-License-Identifier: MIT
"""Fields that exclude each other, set by a form: the new one takes the place of the old one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.edit.edited import document, lines
from tests.rows import every_row

SCENE = """\
rigid: 1
world: {duration: 4}
bodies:
  a: {shape: {box: [1, 1], angle: 10}, mass: 2}
  b: {shape: {circle: 0.4}, position: [2, 0]}
joints:
  j: {type: revolute, bodies: [a, b], anchor: [1, 0], motor: {speed: 5}, spring: {frequency: 2}}
animations:
  m: {type: loop, duration: 2, tracks: {j.spring.frequency: [[0, 1], [1, 1]]}}
"""
SET: dict[str, tuple[str, Any, str]] = {
    "steps": ("world.steps", 90, "world: {steps: 90}"),
    "a kind of shape": (
        "bodies.b.shape.box", [1, 2], "  b: {shape: {box: [1, 2]}, position: [2, 0]}",
    ),
    "a density": (
        "bodies.a.density", 3, "  a: {shape: {box: [1, 1], angle: 10}, density: 3}",
    ),
    "several shapes": (
        "bodies.b.shapes", [{"circle": 1}], "  b: {shapes: [{circle: 1}], position: [2, 0]}",
    ),
    "steps of an animation": (
        "animations.m.steps", 60,
        "  m: {type: loop, tracks: {j.spring.frequency: [[0, 1], [1, 1]]}, steps: 60}",
    ),
    "what a motor goes to": (
        "joints.j.motor.position", 30,
        "  j: {type: revolute, bodies: [a, b], anchor: [1, 0], motor: {position: 30}, "
        "spring: {frequency: 2}}",
    ),
}  # fmt: skip


@every_row("path, value, expected", SET.values(), ids=SET)
def test_what_is_set_takes_the_place_of_what_it_excludes(
    tmp_path: Path, path: str, value: Any, expected: str
) -> None:
    edited = document(tmp_path, SCENE)
    answer = edited.do({"edit": "set", "path": path, "value": value})
    assert lines(answer, SCENE) == [expected]
    assert "takes the place of" in answer["notes"][0]
    edited.do({"edit": "undo"})
    assert edited.path.read_bytes() == SCENE.encode()
