# SPDX-License-Identifier: MIT
"""Vars that say in which range they lie."""

from __future__ import annotations

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, loads

TEXT = """
rigid: 1
vars:
  g: {value: =2*n, range: [0, "=4*n"]}
  n: 5
  r: {value: "20 cm", range: [0.1, "1 m"]}
world: {gravity: [0, =-g]}
bodies: {ball: {shape: {circle: =r}}}
"""


def test_a_var_with_a_range_is_its_value_and_keeps_the_range() -> None:
    scene = loads(TEXT)
    assert scene.vars == {"g": 10.0, "n": 5.0, "r": 0.2}
    assert scene.ranges == {"g": (0.0, 20.0), "r": (0.1, 1.0)}
    assert scene.world.gravity == (0.0, -10.0)


def test_an_override_changes_the_value_and_leaves_the_range() -> None:
    scene = loads(TEXT, overrides=["vars.g=3"])
    assert scene.vars["g"] == 3.0
    assert scene.ranges["g"] == (0.0, 20.0)


def test_an_override_may_replace_all_of_it() -> None:
    scene = loads(TEXT, overrides=["vars.g={value: 30, range: [0, 40]}"])
    assert scene.ranges["g"] == (0.0, 40.0)


def test_an_override_outside_the_range_is_an_error_that_tells_the_range() -> None:
    with pytest.raises(SceneError, match="must lie in its range, 0 to 20, not be 25"):
        loads(TEXT, overrides=["vars.g=25"])


def test_an_expanded_scene_keeps_the_ranges() -> None:
    scene = loads(TEXT)
    assert loads(expand(scene)).ranges == scene.ranges


def test_ranges_are_not_part_of_the_physics() -> None:
    plain = TEXT.replace('{value: =2*n, range: [0, "=4*n"]}', "10")
    assert loads(plain).hash == loads(TEXT).hash
