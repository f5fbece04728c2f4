# SPDX-License-Identifier: MIT
"""Scenes that tests edit, and what they say afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rigid2d.core.edit.document import Document

SCENE = """\
rigid: 1
name: Objects  # of all kinds

vars: {d: 2, r: {value: 0.3, range: [0.1, 1]}}

materials:
  wood: {density: 0.7, color: "#aa7744"}

bodies:
  # The crate.
  crate: {shape: {box: [1, 1]}, position: [0.10, 4], material: wood}   # on top
  ball:
    shape: {circle: =r}
    position:
      - "30 cm"
      - =d
  plain: {shape: {circle: 0.2}}
  link: {repeat: {i: 3}, shape: {circle: 0.1}, position: [=i*0.5, "=5 - i"]}
  base: &base {shape: {circle: 0.3}, position: [9, 9]}
  other: {<<: *base, angle: 3}
  hull: {shape: {polygon: [[0, 0], [2, 0], [2, 1], [0, 1]]}, position: [5, 0]}

joints:
  pin: {type: revolute, bodies: [crate, ball], anchor: [0.2, 3]}
  rod: {type: distance, bodies: [crate, plain]}

expect:
  - {at: end, that: =crate.y < 9 and crate.x > -99}
"""


def document(folder: Path, text: str = SCENE, **others: str) -> Document:
    """The document of a text in a folder, with other files beside it."""
    for name, other in others.items():
        (folder / f"{name}.yaml").write_text(other, encoding="utf-8")
    path = folder / "scene.yaml"
    path.write_bytes(text.encode())
    return Document(path)


def lines(answer: dict[str, Any], before: str = SCENE, file: str = "scene.yaml") -> list[str]:
    """The lines of a text that an edit has changed or made."""
    assert answer.get("done"), answer
    old = before.splitlines()
    return [each for each in answer["files"][file]["text"].splitlines() if each not in old]
