# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rigid2d.core.record import Checker, Recorder, Result
from rigid2d.core.scene import model

Make = Callable[..., model.Scene]


def check(make_scene: Make, entry: model.Expectation, values: dict[str, list[float]]) -> Result:
    """The result of one expectation for a run whose channels had these values, from step 0 on."""
    length = len(next(iter(values.values())))
    scene = make_scene(expect=(entry,), world=model.World(dt=0.5, steps=length - 1))
    checker = Checker(scene)
    table = np.array([values[name] for name in checker.channels], dtype=np.float64).T
    steps = np.arange(length)
    for block in (slice(0, 2), slice(2, 3), slice(3, length)):
        checker.add(steps[block], steps[block] * 0.5, table[block])
    (result,) = checker.results()
    return result


def entry(kind: str, that: str = "", **fields: Any) -> model.Expectation:
    return model.Expectation(kind=kind, that=that, line=7, file="s.yaml", **fields)  # type: ignore[arg-type]


RISING = {"ball.x": [0.0, 1.0, 2.0, 3.0, 4.0]}


@pytest.mark.parametrize(
    ("expectation", "passed", "step"),
    [
        (entry("at", "ball.x == 4"), True, 4),
        (entry("at", "ball.x == 3"), False, 4),
        (entry("at", "ball.x == 2", at=1.0), True, 2),
        (entry("at", "ball.x == 0", at=0.0), True, 0),
        (entry("at", "ball.x == 1", at=0.6), True, 1),
        (entry("at", "ball.x == 2", at=0.76), True, 2),
        (entry("at", "ball.x == 4", at=99.0), True, 4),
        (entry("always", "ball.x > 0"), True, 4),
        (entry("always", "ball.x < 3"), False, 3),
        (entry("eventually", "ball.x == 3"), True, 3),
        (entry("eventually", "ball.x < 0"), False, 4),
    ],
)
def test_each_kind_looks_at_its_steps(
    make_scene: Make, expectation: model.Expectation, passed: bool, step: int
) -> None:
    result = check(make_scene, expectation, RISING)
    assert (result.passed, result.step) == (passed, step)
    assert result.time == step * 0.5
    assert result.values == {"ball.x": float(step)}


def test_a_failure_reports_place_step_time_and_values(make_scene: Make) -> None:
    two = {**RISING, "box[0,1].y": [5.0] * 5}
    result = check(make_scene, entry("always", "ball.x + box[0,1].y < 7"), two)
    report = str(result)
    assert report.startswith("s.yaml:7: FAIL: always: ball.x + box[0,1].y < 7")
    assert "step 2, t = 1" in report
    assert "ball.x = 2.0" in report
    assert "box[0,1].y = 5.0" in report


def test_a_state_is_compared_within_its_tolerance(make_scene: Make) -> None:
    values = {"ball.x": [1.0] * 4, "ball.y": [2.004] * 4}

    def state(tolerance: float) -> model.Expectation:
        return entry(
            "state", at=1.0, body="ball", values={"position": (1.0, 2.0)}, tolerance=tolerance
        )

    assert check(make_scene, state(0.005), values).passed
    result = check(make_scene, state(0.003), values)
    assert not result.passed
    assert "ball.y is off by +0.004" in result.message
    assert "ball position [1, 2] (tolerance 0.003)" in result.text


@pytest.mark.parametrize(
    "expectation",
    [
        entry("at", "not (ball.x > 3)"),
        entry("always", "not (ball.x > 3)"),
        entry("eventually", "not (ball.x > 3)"),
        entry("state", body="ball", values={"position": (0.0, 0.0)}, tolerance=1e9),
    ],
)
def test_what_is_not_a_number_is_never_as_expected(
    make_scene: Make, expectation: model.Expectation
) -> None:
    values = {"ball.x": [math.nan] * 4, "ball.y": [0.0] * 4}
    result = check(make_scene, expectation, values)
    assert not result.passed
    assert "ball.x is not a number" in result.message


def test_an_expression_without_a_value_fails(make_scene: Make) -> None:
    result = check(make_scene, entry("at", "1 / ball.x > 0"), {"ball.x": [0.0] * 4})
    assert not result.passed
    assert "cannot be evaluated" in result.message


def test_a_run_that_ended_early_fails_what_lay_ahead(make_scene: Make) -> None:
    scene = make_scene(expect=(entry("at", "ball.x == 0"),), world=model.World(dt=0.5, steps=9))
    checker = Checker(scene)
    checker.add(np.arange(3), np.arange(3) * 0.5, np.zeros((3, 1)))
    (result,) = checker.results()
    assert not result.passed
    assert result.message == "the run ended before step 9"


def test_no_step_is_no_success(make_scene: Make) -> None:
    checker = Checker(make_scene(expect=(entry("always", "ball.x == 0"),)))
    (result,) = checker.results()
    assert not result.passed


def test_channels_are_listed_once(make_scene: Make) -> None:
    entries = (entry("always", "ball.x < hinge.force"), entry("eventually", "hinge.force > 1"))
    assert sorted(Checker(make_scene(expect=entries)).channels) == ["ball.x", "hinge.force"]


def test_expectations_look_at_every_step_however_seldom_is_recorded(make_scene: Make) -> None:
    scene = make_scene(expect=(entry("always", "ball.x < 3"),), record=model.Record(every=3))
    assert Recorder(scene, trace=True, check=True).every == 1
    assert Recorder(scene, trace=True, check=False).every == 3
