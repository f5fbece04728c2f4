# SPDX-License-Identifier: MIT
"""Every shape rests on the ground at its written height, with the weight of its area."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

REST = """
world: {{duration: 4, sleep: false, solver: {{type: {solver}}}}}
bodies:
  ground: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5]}}
  body: {{{given}, position: [0, {height}], friction: 1}}
"""
U = "[[-1, 0], [1, 0], [1, 1], [0.6, 1], [0.6, 0.4], [-0.6, 0.4], [-0.6, 1], [-1, 1]]"
# (shape, height of the origin above the ground at rest, area)
SHAPES = {
    "circle": ("shape: {circle: 0.5}", 0.5, math.pi / 4),
    "box": ("shape: {box: [2, 1]}", 0.5, 2.0),
    "rounded box": ("shape: {box: [2, 1], radius: 0.2}", 0.5, 2 - (4 - math.pi) * 0.04),
    "turned box": ("shape: {box: [2, 1], angle: 90}", 1.0, 2.0),
    "lifted box": ("shape: {box: [2, 1], offset: [0, 0.5]}", 0.0, 2.0),
    "triangle": ("shape: {polygon: [[-1, 0], [1, 0], [0, 1]]}", 0.0, 1.0),
    "clockwise triangle": ("shape: {polygon: [[0, 1], [1, 0], [-1, 0]]}", 0.0, 1.0),
    "hexagon": (
        "shape: {regular_polygon: {sides: 6, radius: 1}}, angle: 35",
        None,
        1.5 * math.sqrt(3),
    ),
    "capsule": ("shape: {capsule: [[-1, 0], [1, 0]], radius: 0.3}", 0.3, 1.2 + math.pi * 0.09),
    "concave": (f"shape: {{polygon: {U}}}", 0.0, 2 - 1.2 * 0.6),
    "compound": (
        "shapes: [{box: [2, 0.5]}, {circle: 0.25, offset: [0, 0.5]}]",
        0.25,
        1 + math.pi / 16,
    ),
}


@every_row("name", [name for name in SHAPES if SHAPES[name][1] is not None])
def test_a_shape_rests_at_the_height_of_its_outline(run, solver, name):
    given, height, _ = SHAPES[name]
    body = run(REST.format(solver=solver, given=given, height=height + 0.3))["body"]
    assert body.y[-1] == pytest.approx(height, abs=0.012)
    assert abs(body.vy[-1]) < 0.01
    assert abs(body.x[-1]) < 0.05


@every_row("name", list(SHAPES))
def test_a_shapes_mass_is_its_area_times_its_density(make, name):
    given, _, area = SHAPES[name]
    world = make(REST.format(solver="soft_step", given=given + ", density: 3", height=5))
    assert world["body"].mass == pytest.approx(3 * area, rel=1e-5)


def test_a_hexagon_comes_to_rest_on_a_side(run):
    given = SHAPES["hexagon"][0]
    body = run(REST.format(solver="soft_step", given=given, height=1.3))["body"]
    assert body.y[-1] == pytest.approx(math.sqrt(3) / 2, abs=0.012)
    turned = math.degrees(body.angle[-1]) % 60
    assert min(turned, 60 - turned) < 1


def test_something_falls_into_a_concave_shape_and_stays(run, solver):
    text = REST.format(solver=solver, given=f"type: static, shape: {{polygon: {U}}}", height=0)
    ball = run(text + "  ball: {shape: {circle: 0.2}, position: [0.1, 1.5]}\n")["ball"]
    assert ball.y[-1] == pytest.approx(0.6, abs=0.012)
    assert abs(ball.x[-1]) < 0.45


RACE = """
world: {{duration: 2}}
defaults: {{material: {{friction: 1}}}}
bodies:
  slope: {{type: static, shape: {{box: [100, 2]}}, angle: -15, position: [{x}, {y}]}}
  runner: {{{runner}, position: [{rx}, {ry}]}}
"""


@pytest.mark.parametrize(
    ("runner", "share"),
    [
        ("shape: {circle: 0.5}", 2 / 3),
        ("shape: {circle: 0.5}, mass: 1, inertia: 0.25", 1 / 2),
    ],
    ids=["disc", "ring"],
)
def test_how_fast_a_body_rolls_tells_its_inertia(run, runner, share):
    a = math.radians(15)
    n = np.array([math.sin(a), math.cos(a)])
    text = RACE.format(x=-n[0], y=-n[1], rx=0.5 * n[0], ry=0.5 * n[1], runner=runner)
    body = run(text)["runner"]
    speed = np.hypot(body.vx, body.vy)
    expected = 9.81 * math.sin(a) * share
    assert speed[-1] - speed[60] == pytest.approx(expected, rel=0.03)
