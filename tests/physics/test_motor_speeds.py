# SPDX-License-Identifier: MIT
"""Speeds of motors to a position."""

from __future__ import annotations

import pytest
from rigid2d.core import simulate
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, loads

from tests.rows import every_row

SCENE = """
rigid: 1
world: {{gravity: [0, 0], dt: 0.01, duration: 1, solver: {{type: {solver}, joints: {joints}}}}}
bodies:
  arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0]}}
  slide: {{shape: {{box: [1, 0.2]}}, position: [0, 3]}}
joints:
  hinge: {{type: revolute, bodies: [world, arm], anchor: [0, 0], motor: {{position: 2 rad{turn}}}}}
  rail: {{type: prismatic, bodies: [world, slide], motor: {{position: 2{push}}}}}
record: {{channels: [hinge.angle, rail.translation]}}
"""
WAYS = [("soft_step", "direct"), ("soft_step", "iterative"), ("sequential_impulse", "iterative")]


@pytest.mark.parametrize(("solver", "joints"), WAYS)
@pytest.mark.parametrize(
    ("turn", "push", "speed"),
    [
        ("", "", 3.0),
        (", max_speed: 5 rad/s", ", max_speed: 5", 5.0),
        (", max_speed: 0.5 rad/s", ", max_speed: 0.5", 0.5),
    ],
)
def test_a_motor_goes_to_its_position_no_faster_than_its_greatest_speed(
    solver: str, joints: str, turn: str, push: str, speed: float
) -> None:
    text = SCENE.format(solver=solver, joints=joints, turn=turn, push=push)
    for each in (text, expand(loads(text))):
        trace = simulate(loads(each))
        for coordinate in trace.values.T:
            for step in (10, 30, 99):
                there = min(2.0, speed * 0.01 * step)
                assert coordinate[step] == pytest.approx(there, abs=2e-3)


@every_row(
    ("motor", "message"),
    [
        ("speed: 20, max_speed: 3", "is for a motor that goes to a `position`"),
        ("position: 20, spring: {frequency: 3}, max_speed: 3", "without a `spring`"),
        ("position: 20, max_speed: 0", "must be greater than 0"),
        ("position: 20, max_speed: 3 m/s", "an angular speed is needed"),
    ],
)
def test_a_greatest_speed_is_for_motors_that_go_to_a_position(motor: str, message: str) -> None:
    text = SCENE.format(solver="soft_step", joints="auto", turn="", push="")
    with pytest.raises(SceneError, match=message):
        loads(text.replace("position: 2 rad", motor))


def test_textbook_solvers_have_no_greatest_speed() -> None:
    text = SCENE.format(solver="pgs_jrow", joints="auto", turn=", max_speed: 5", push="")
    with pytest.raises(SceneError, match="correction_rate"):
        loads(text.replace(", joints: auto", ""))
