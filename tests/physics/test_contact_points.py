# SPDX-License-Identifier: MIT
"""The point of a contact is half-way between the two surfaces, whatever the shapes."""

from __future__ import annotations

import itertools

import pytest

from tests.rows import every_row

# Each reaches 0.5 above and below its middle.
SHAPES = {
    "circle": "{circle: 0.5}",
    "box": "{box: [1.2, 1]}",
    "rounded box": "{box: [1.2, 1], radius: 0.1}",
    "capsule": "{capsule: [[-0.3, 0], [0.3, 0]], radius: 0.5}",
    "upright capsule": "{capsule: [[0, -0.2], [0, 0.2]], radius: 0.3}",
    "trapezoid": "{polygon: [[-0.6, -0.5], [0.6, -0.5], [0.4, 0.5], [-0.4, 0.5]]}",
    "polygon": "{regular_polygon: {sides: 12, radius: =0.5/cos(pi/12)}, angle: 15}",
    "concave": "{polygon: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [0, 0.5], [0, 0], [-0.5, 0]]}",
}
GROUNDS = {
    "chain": "{chain: [[-3, 0.5], [3, 0.5]], side: left}",
    "line": "{segment: [[-2, 0.5], [2, 0.5]]}",
}


def check(make, solver: str, below: str, above: str, kind: str, gap: float) -> None:
    world = make(
        f"""
world: {{gravity: [0, 0], dt: =1/240, duration: 9, sleep: false, solver: {{type: {solver}}}}}
bodies:
  below: {{type: {kind}, shape: {below}}}
  above: {{shape: {above}, position: [0.05, ={1 + gap!r}], velocity: [0, -0.5]}}
"""
    )
    world.step()
    contacts = world.query.contacts()
    assert contacts
    middle = 0.5 * (world["below"].position[1] + 0.5 + world["above"].position[1] - 0.5)
    for contact in contacts:
        assert contact.point[1] == pytest.approx(middle, abs=5e-4)


@every_row("gap", [-0.02, -0.002])
@every_row("kind", ["static", "dynamic"])
@every_row(("below", "above"), list(itertools.product(SHAPES, SHAPES)))
def test_a_point_lies_half_way_between_all_pairs_of_shapes(make, solver, below, above, kind, gap):
    check(make, solver, SHAPES[below], SHAPES[above], kind, gap)


@every_row("ground", GROUNDS)
@every_row("above", SHAPES)
def test_a_point_lies_half_way_to_a_chain_and_a_line(make, solver, ground, above):
    check(make, solver, GROUNDS[ground], SHAPES[above], "static", -0.004)


@every_row("swapped", [False, True])
def test_a_point_lies_in_the_middle_of_a_deep_overlap_of_two_balls(make, solver, swapped):
    balls = ["ball: {shape: {circle: 1}}", "other: {shape: {circle: 1}, position: [0, 1.6]}"]
    first, second = reversed(balls) if swapped else balls
    world = make(
        f"""
world: {{gravity: [0, 0], dt: =1/960, duration: 9, solver: {{type: {solver}}}}}
bodies:
  {first}
  {second}
"""
    )
    world.step()
    (contact,) = world.query.contacts()
    assert contact.point == pytest.approx((0, 0.8), abs=1e-6)
    ends = {contact.a: contact.point_a, contact.b: contact.point_b}
    assert ends["ball"] == pytest.approx((0, 1.0), abs=1e-6)
    assert ends["other"] == pytest.approx((0, 0.6), abs=1e-6)
