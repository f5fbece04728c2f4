# SPDX-License-Identifier: MIT
"""The numbers that a failed condition compares."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import loads
from rigid2d.core.record import Checker
from rigid2d.core.scene.values.expression import compile_state

from tests.rows import every_row

SCENE = loads("""\
rigid: 1
vars: {height: 20}
bodies: {ball: {shape: {circle: 0.5}, position: [0, 2]}}
""")
VALUES = {"ball.x": 3.0, "ball.y": 2.0, "world.time": 1.0, "ball.asleep": 0.0}
ROWS = {
    "ball.y > 3*ball.x + 1": {"3*ball.x + 1": 10.0},
    "ball.y > 3": {},
    "ball.y > height": {"height": 20.0},
    "abs(ball.y - (4 - world.time/2)) < 0.1": {
        "abs(ball.y - (4 - world.time/2))": 1.5,
        "4 - world.time/2": 3.5,
    },
    "2*ball.x - 4*ball.y == 1": {"2*ball.x - 4*ball.y": -2.0, "2*ball.x": 6.0, "4*ball.y": 8.0},
    "ball.y < 3 and ball.x > height/2": {"height/2": 10.0},
    "ball.y > height or ball.x > height/2": {"height": 20.0, "height/2": 10.0},
    "not (ball.y < height and ball.x > height/10)": {"height": 20.0, "height/10": 2.0},
    "0 < ball.x < 2*ball.y/4 < height": {"2*ball.y/4": 1.0},
    "ball.x < 1 if ball.asleep else ball.x > height": {"height": 20.0},
    "ball.asleep": {},
}


@every_row("source", ROWS)
def test_the_sides_of_what_fails_are_told(source: str) -> None:
    condition = compile_state(source, SCENE)
    values = {name: VALUES[name] for name in condition.channels}
    assert not condition.evaluate(values)
    assert condition.sides(values) == pytest.approx(ROWS[source])


def test_a_failed_expectation_reports_them() -> None:
    text = "rigid: 1\nbodies: {ball: {shape: {circle: 0.5}}}\nexpect:\n"
    entries = "  - {at: 0, that: =ball.y > 2**ball.x}\n  - {at: 0, that: =ball.y < 1}\n"
    checker = Checker(loads(text + entries))
    assert checker.channels == ("ball.y", "ball.x")
    checker.add(np.array([0]), np.array([0.0]), np.array([[0.0, 0.5]]))
    failed, held = checker.results()
    assert failed.sides == {"2**ball.x": pytest.approx(1.41421356)}
    assert "\n  2**ball.x = 1.4142135623730951" in str(failed)
    assert held.sides == {}
