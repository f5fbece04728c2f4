# SPDX-License-Identifier: MIT
"""Expectations of how a run ends."""

from __future__ import annotations

import re

import pytest
from rigid2d.core import Recorder, Scene, loads, run
from rigid2d.core.errors import SceneError
from rigid2d.core.record.expect import Result
from rigid2d.core.scene import expand

from tests.rows import every_row


def scene(expect: str, more: str = "") -> Scene:
    return loads(f"""
rigid: 1
world: {{duration: 2}}
bodies: {{ball: {{shape: {{circle: 0.5}}, position: [0, 5]}}}}
{more}
expect:
  - {expect}
""")


def result_of(given: Scene) -> Result:
    recorder = Recorder(given, check=True)
    for _ in run(given, recorder=recorder):
        pass
    (result,) = recorder.results
    return result


WIN = "outcome: {win: =ball.y < 3, lose: =ball.y < -30}"
LOSE = "outcome: {win: =ball.y < -30, lose: =ball.y < 3}"
PASS = "events: [{when: =ball.y < 3, do: [{end: pass}]}]"
GOES_ON = "outcome: {win: =ball.y < -30, lose: =ball.y < -40}"


@pytest.mark.parametrize(
    ("word", "more", "holds"),
    [
        ("win", WIN, True),
        ("lose", WIN, False),
        ("none", WIN, False),
        ("win", LOSE, False),
        ("lose", LOSE, True),
        ("win", GOES_ON, False),
        ("lose", GOES_ON, False),
        ("none", GOES_ON, True),
        ("none", "", True),
        ("pass", PASS, True),
        ("none", PASS, False),
    ],
)
def test_it_holds_for_a_run_that_ends_so(word: str, more: str, holds: bool) -> None:
    for at in ("at: end, ", ""):
        result = result_of(scene(f"{{{at}outcome: {word}}}", more))
        assert result.passed is holds
        assert result.text == f"at end: outcome {word}"
        assert (result.message == "") is holds
        ends_early = more not in ("", GOES_ON)
        assert (result.step < 120) is ends_early


def test_what_happened_is_told() -> None:
    lost = result_of(scene("{at: end, outcome: win}", LOSE))
    assert lost.message == "it ended with `lose`"
    went_on = result_of(scene("{at: end, outcome: win}", GOES_ON))
    assert went_on.message == "it did not end with `win`"
    keys = "controls: {up: {do: [{end: pass}]}}"
    failed = result_of(scene("{outcome: pass}", f"{PASS.replace('pass', 'fail')}\n{keys}"))
    assert failed.message == "it ended with `fail`"


def test_beside_other_expectations() -> None:
    given = scene("{at: end, outcome: win}\n  - {at: end, that: =ball.y < 3}", WIN)
    recorder = Recorder(given, check=True)
    for _ in run(given, recorder=recorder):
        pass
    assert [result.passed for result in recorder.results] == [True, True]


def test_it_is_written_out() -> None:
    given = scene("{outcome: win}", WIN)
    (again,) = loads(expand(given)).expect
    assert again.kind == "outcome"
    assert again.outcome == "win"
    assert again.at is None


def test_actions_of_prototypes_may_end_a_run() -> None:
    more = """
prototypes:
  bomb:
    bodies: {box: {shape: {box: [1, 1]}}}
    events: [{when: time, at: 1, do: [{end: pass}]}]
events: [{when: time, do: [{spawn: {use: bomb, at: [9, 9]}}]}]
"""
    assert result_of(scene("{outcome: pass}", more)).passed


@every_row(
    ("entry", "more", "path", "message"),
    [
        ("{outcome: won}", WIN, "outcome", "did you mean `win`"),
        ("{outcome: fail}", WIN, "outcome", "must be one of win, lose, pass"),
        ("{outcome: failed}", WIN, "outcome", "did you mean `lose`?"),
        ("{outcome: win}", "", "outcome", "it needs `outcome: {win: =...}`"),
        ("{outcome: lose}", "outcome: {win: =ball.y < 3}", "outcome", "`outcome: {lose: =...}`"),
        ("{outcome: pass}", WIN, "outcome", "it needs `do: [{end: pass}]` of an event"),
        ("{at: 1, outcome: win}", WIN, "at", "that of the run's end"),
        ("{outcome: win, body: ball, position: [0, 0]}", WIN, "outcome", "make two entries"),
        ("{outcome: win, that: =ball.y < 3}", WIN, "", "an expectation is one of"),
        ("{at: end, result: win}", WIN, "result", "it is `outcome`"),
    ],
)
def test_what_is_wrong_is_told(entry: str, more: str, path: str, message: str) -> None:
    with pytest.raises(SceneError, match=re.escape(message)) as caught:
        scene(entry, more)
    (problem,) = caught.value.problems
    assert problem.path == (f"expect[0].{path}" if path else "expect[0]")
    assert problem.line == 7
