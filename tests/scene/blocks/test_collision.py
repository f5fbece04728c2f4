# SPDX-License-Identifier: MIT
"""Pairs of categories that no shape has are a warning; those that come later are known."""

from __future__ import annotations

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import loads

from tests.rows import every_row

SCENE = """
rigid: 1
world: {{gravity: [0, 0]}}
bodies:
  a: {{shape: {{circle: 1}}, category: car}}
  b: {{shapes: [{{circle: 1, category: rag}}], position: [5, 0]}}
prototypes:
  shot: {{bodies: {{it: {{shape: {{circle: 0.1}}, category: shots}}}}}}
events:
  - {{when: time, at: 1, do: [{{spawn: {{use: shot, at: [9, 9]}}}}, {{set: {{a.category: {1}}}}}]}}
collision: {{{0}}}
"""


@every_row(
    ("collision", "warned"),
    [
        ("ignore: [[car, rag], [car, shots], [wreck, default]]", []),
        ("collide: [[car, rag], [rag, shots]]", []),
        ("ignore: [[car, spare]], categories: [car, rag, shots, spare, wreck]", []),
        ("ignore: [[car, rga]]", ["no shape has the category `rga`; did you mean `rag`?"]),
        ("ignore: [[a, b]]", ["are written `pairs_ignore: [[a, b]]`"] * 2),
        ("ignore: [[car, b]]", ["`b` is a body; give it a `category`, and write that"]),
        ("collide: [[a, b]]", ["is a body; give it a `category`"] * 2),
    ],
)
def test_a_category_without_shapes_is_a_warning(collision: str, warned: list[str]) -> None:
    later = "wreck" if "wreck" in collision else "rag"
    found = loads(SCENE.format(collision, later)).warnings
    assert len(found) == len(warned), found
    assert all(each.line == 11 for each in found)
    assert all(words in each.message for each, words in zip(found, warned, strict=True)), found


def test_more_numbers_than_a_size_has_are_one_error() -> None:
    with pytest.raises(SceneError) as told:
        loads("rigid: 1\nbodies: {a: {shape: {box: [1, 1, 0, 45]}}}\n")
    assert len(told.value.problems) == 1
