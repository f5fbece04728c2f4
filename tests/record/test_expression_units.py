# SPDX-License-Identifier: MIT
"""Units of expressions over the state of a run."""

from __future__ import annotations

import pytest
from rigid2d.core.record.expression_units import unit_of_expression
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

TEXT = """
rigid: 1
vars: {r: 2}
state: {score: 0}
bodies: {a: {shape: {circle: 1}}, b: {shape: {circle: 1}, position: [4, 0]}}
joints: {h: {type: revolute, bodies: [world, a], anchor: [0, 0]}}
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return loads(TEXT)


@every_row(
    ("source", "unit"),
    [
        ("a.x", "m"),
        ("=a.x + b.x", "m"),
        ("a.x - r", "m"),
        ("-min(a.x, b.y, 0)", "m"),
        ("a.x if a.y > 0 else b.x", "m"),
        ("2*a.x", ""),  # the number may have a unit of its own, as in 9.81*a.mass
        ("a.angle*180/pi", ""),
        ("a.x + a.vx", ""),
        ("a.x > 1", ""),
        ("sin(a.angle)", ""),
        ("state.score", ""),
        ("state.score*a.x", ""),
        ("a.x/a.y", ""),
        ("1", ""),
        ("a.vx*a.vx + a.vy**2", "m²/s²"),
        ("sqrt(a.vx**2 + a.vy**2)", "m/s"),
        ("hypot(a.x, a.y)/world.time", "m/s"),
        ("a.speed*cos(a.angle)", "m/s"),
        ("a.omega*a.x", "m/s"),
        ("atan2(a.y, a.x)", "rad"),
        ("a.mass*a.vx", "kg m/s"),
        ("a.mass*a.vx**2", "J"),
        ("h.torque", "N m"),
        ("h.torque*a.omega", "W"),
        ("1/world.time", ""),
        ("a.x/(h.force*world.time)", "s/kg"),
    ],
)
def test_an_expression_has_the_unit_of_its_quantities(scene: Scene, source: str, unit: str) -> None:
    assert unit_of_expression(source, scene) == unit


def test_units_are_those_of_the_scene() -> None:
    scene = loads(f"units: {{length: px, time: ms}}\n{TEXT.strip()}")
    assert unit_of_expression("a.x + b.x", scene) == "px"
    assert unit_of_expression("a.mass*a.vx**2", scene) == "kg px²/ms²"
    assert unit_of_expression("a.vx*a.mass", scene) == "kg px/ms"
