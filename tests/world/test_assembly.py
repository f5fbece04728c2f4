# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from dataclasses import replace

import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.scene import model
from rigid2d.core.scene.blocks.joints.types import JOINT_TYPES
from rigid2d.core.world import build
from rigid2d.core.world.building.joint_rows import absolute_position

from tests.rows import every_row


def rod(**fields) -> model.Joint:
    return model.Joint("rod", "distance", "a", "b", (0.0, 0.0), (0.0, 0.0), length=2.0, **fields)


@every_row(
    ("joint", "expected"),
    [
        (rod(), (2.0, 2.0)),
        (rod(rope=True, max_length=3.0), (0.0, 3.0)),
        (rod(rope=True), (0.0, 2.0)),
        (rod(min_length=1.0, max_length=3.0), (1.0, 3.0)),
        (rod(max_length=3.0), (0.0, 3.0)),
        (rod(min_length=1.0), (1.0, math.inf)),
        (rod(spring=model.Spring(1.0, 0.5)), (0.0, math.inf)),
        (rod(spring=model.Spring(1.0, 0.5), max_length=3.0), (0.0, 3.0)),
        (rod(motor=model.Motor(speed=1.0)), (0.0, math.inf)),
    ],
)
def test_the_lengths_a_distance_joint_may_have(joint, expected):
    assert JOINT_TYPES[joint.kind].lengths(joint) == expected


def test_a_relative_position_is_a_part_of_the_limits():
    hinge = model.Joint("hinge", "revolute", "a", "b", (0.0, 0.0), (0.0, 0.0), limits=(-1.0, 3.0))
    assert absolute_position(hinge, 0.25) == 0.0
    assert absolute_position(rod(min_length=1.0, max_length=3.0), 0.5) == 2.0


COMPOUND = """
bodies:
  hammer:
    position: [5, 0]
    shapes:
      - {box: [2, 1], density: 2}
      - {box: [2, 1], offset: [4, 0], density: 2}
  l: {shape: {polygon: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}, position: [0, 9]}
  disc: {shape: {circle: 2}, position: [0, 20], mass: 3}
  given: {shape: {circle: 1}, position: [0, 30], mass: 3, inertia: 7, center_of_mass: [0.25, 0]}
"""
ROUND = [[math.cos(math.pi * i / 50), math.sin(math.pi * i / 50)] for i in range(100)]


def test_a_compound_has_the_mass_of_its_parts(make):
    hammer = make(COMPOUND)["hammer"]
    assert hammer.mass == pytest.approx(8)
    assert hammer.center_of_mass == pytest.approx((7, 0))
    # Each box m (w^2 + h^2)/12 about itself, and m d^2 about the common centre.
    assert hammer.inertia == pytest.approx(2 * (4 * 5 / 12 + 4 * 4))


def test_a_concave_polygon_has_its_own_mass_and_centre(make):
    body = make(COMPOUND)["l"]
    assert body.mass == pytest.approx(3)
    assert body.center_of_mass == pytest.approx((5 / 6, 9 + 5 / 6))


def test_a_given_mass_keeps_the_form_of_the_inertia(make):
    disc = make(COMPOUND)["disc"]
    assert disc.mass == pytest.approx(3)
    assert disc.inertia == pytest.approx(0.5 * 3 * 4)


def test_mass_inertia_and_centre_may_all_be_given(make):
    given = make(COMPOUND)["given"]
    assert (given.mass, given.inertia) == pytest.approx((3, 7))
    assert given.center_of_mass == pytest.approx((0.25, 30))


def test_a_polygon_of_a_hundred_sides_has_its_mass(make):
    area = 100 / 2 * math.sin(2 * math.pi / 100)
    world = make(f"bodies: {{many: {{shape: {{polygon: {ROUND}}}}}}}")
    assert world["many"].mass == pytest.approx(area, rel=1e-5)


def test_static_bodies_have_no_mass(make):
    world = make("bodies: {floor: {type: static, shape: {box: [2, 1]}}}")
    assert world["floor"].mass == 0


def test_lanes_and_threads_that_cannot_be_are_usage_errors(make):
    with pytest.raises(UsageError, match="lanes of 3"):
        make(COMPOUND, lanes=3)
    with pytest.raises(UsageError, match="threads must be at least 1"):
        make(COMPOUND, threads=0)


def test_a_number_the_engine_cannot_take_is_named(load):
    scene = load(COMPOUND)
    fast = replace(scene.bodies["l"], velocity=(1e30, 0.0))  # the loader refuses it before
    with pytest.raises(UsageError, match=r"<string>: bodies\.l: vx must be a finite number"):
        build(replace(scene, bodies={**scene.bodies, "l": fast}))
