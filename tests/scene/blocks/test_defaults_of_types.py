# SPDX-License-Identifier: MIT
"""Default values for bodies of one type."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid2d.core import build
from rigid2d.core.errors import Problem
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

TEXT = """
materials: {ice: {friction: 0.1}}
defaults:
  body: {color: red, linear_damping: 0.5, shape: {box: [1, 1]}}
  static: {color: green, friction: 0.9, shape: {circle: 2}}
  dynamic: {material: ice}
bodies:
  plain: {}
  wall: {type: static}
  own: {type: static, color: blue, friction: 0.2}
  lift: {type: kinematic}
prototypes: {part: {bodies: {foot: {type: static}}}}
instances: {red: {use: part}}
"""


@pytest.fixture
def level(scene: Callable[..., Scene]) -> Scene:
    return scene(TEXT)


@every_row(
    ("name", "wanted"),
    [
        ("plain", ("red", 0.5, "polygon", 0.1)),
        ("wall", ("green", 0.5, "circle", 0.9)),
        ("own", ("blue", 0.5, "circle", 0.2)),
        ("lift", ("red", 0.5, "polygon", 0.6)),
        ("red.foot", ("green", 0.5, "circle", 0.9)),
    ],
)
def test_those_of_its_type_come_over_those_for_all(
    level: Scene, name: str, wanted: tuple[object, ...]
) -> None:
    body = level.bodies[name]
    shape = body.shapes[0]
    assert (body.color, body.linear_damping, shape.kind, shape.material.friction) == wanted


def test_they_hold_for_what_is_added_to_a_running_world(level: Scene) -> None:
    world = build(level)
    world.add("bodies: {late: {type: static}}")
    assert world.scene.bodies["late"].color == "green"


@every_row(
    ("field", "message"),
    [
        ("type: dynamic", "`defaults.static` is for bodies of this type"),
        ("colour: red", "unknown key `colour`; write `color`"),
        ("color: nocolor", "`nocolor` is not a colour"),
    ],
)
def test_what_is_wrong_with_them_is_told(
    problems: Callable[..., list[Problem]], field: str, message: str
) -> None:
    found = problems(TEXT.replace("static: {color: green", f"static: {{{field}"))
    assert message in found[0].message
    assert found[0].path.startswith("defaults.static")
