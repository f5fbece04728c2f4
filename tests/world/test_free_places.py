# SPDX-License-Identifier: MIT
"""Where nothing is in the way of what is born: by the shapes themselves, not their boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import World, loads

from tests.rows import every_row

SCENE = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
prototypes:
  ball: {bodies: {it: {shape: {circle: 0.5}}}}
  bar: {bodies: {it: {shape: {box: [4, 0.2]}}}}
  angle:
    bodies:
      it: {shape: {polygon: [[0, 0], [3, 0], [3, 0.4], [0.4, 0.4], [0.4, 3], [0, 3]]}}
  wire: {bodies: {it: {type: static, shape: {chain: [[-2, 0], [0, 1], [2, 0]], side: both}}}}
  round: {bodies: {it: {shape: {box: [2, 1], radius: 0.3}}}}
  ghost: {bodies: {it: {shapes: [{circle: 9, sensor: true}]}}}
bodies:
  %s
spawners: {one: {use: %s, every: 10, at: %s, angle: %s, if_free: true}}
"""
SLOPE = "there: {type: static, shape: {box: [10, 0.2]}, angle: 45}"
BALL = "there: {type: static, shape: {circle: 1}}"


def is_born(there: str, use: str, at: str, angle: float = 0) -> bool:
    world = World(loads(SCENE % (there, use, at, angle)))
    world.step(1)
    return len(world) == 2


@every_row("gap", [0.01, -0.01])
@every_row(
    ("there", "use", "place", "angle"),
    [
        (SLOPE, "ball", lambda gap: (0.6 + gap) * math.sqrt(2), 0),
        (SLOPE, "bar", lambda gap: (0.2 + gap) * math.sqrt(2), 45),
        (BALL, "ball", lambda gap: 1.5 + gap, 0),
        (BALL, "bar", lambda gap: 1.1 + gap, 90),
        (BALL, "round", lambda gap: 2.0 + gap, 0),
        # In the corner of an angle there is room for a ball of radius 1 about (1.4, 1.4).
        (BALL, "angle", lambda gap: -1.4 - gap, 0),
    ],
)
def test_a_place_is_free_up_to_the_shapes(
    there: str, use: str, place: object, angle: float, gap: float
) -> None:
    assert callable(place)
    x = place(gap)
    at = f"[{x}, {x}]" if use == "angle" else f"[{x}, 0]"
    assert is_born(there, use, at, angle) == (gap > 0)


def test_a_line_is_in_the_way_where_it_is_and_not_beside_it() -> None:
    dot = "there: {shape: {circle: 0.2}}"
    assert is_born(dot, "wire", "[0, 0]")  # the dot is below its middle
    assert not is_born(dot, "wire", "[0, -1]")
    assert not is_born(dot, "wire", "[-1, -0.6]")


def test_sensors_are_in_no_way() -> None:
    assert is_born("there: {type: static, shapes: [{circle: 9, sensor: true}]}", "ball", "[0, 0]")
    assert is_born(BALL, "ghost", "[0, 0]")


def test_what_is_born_before_in_the_same_step_is_in_the_way() -> None:
    text = SCENE % (BALL, "ball", "[5, 5]", 0)
    world = World(
        loads(text.replace("one: {", "zero: {use: ball, every: 10, at: [5, 5.9]}, one: {"))
    )
    world.step(1)
    assert list(world) == ["there", "zero[0].it"]


def test_a_place_is_asked_for_with_corners_that_make_a_shape() -> None:
    world = World(loads(SCENE % (BALL, "ball", "[5, 5]", 0)))
    for points in (np.zeros((0, 2)), np.zeros((65, 2)), np.zeros((3, 3)), np.full((3, 2), np.nan)):
        with pytest.raises(ValueError, match="points"):
            world.native.is_taken(points, 0.1, (0.0, 0.0))
    assert world.native.is_taken(np.zeros((3, 2)), 0.0, (0.0, 0.0))
