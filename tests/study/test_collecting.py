# SPDX-License-Identifier: MIT
"""What is collected of a run is what NumPy finds in its trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import Trace, load, run_study, simulate

Write = Callable[..., Path]

EXPRESSIONS = {"ball.y": lambda t: t["ball"].y, "2*ball.y - 1": lambda t: 2 * t["ball"].y - 1}
CONDITION = "ball.y < 1.2"


def found(write: Write, tmp_path: Path, *lines: str) -> tuple[dict[str, object], Trace]:
    """The row of a study of one run, and the trace of the same scene."""
    file = write("vary: {vars.height: [2]}", *lines)
    results = run_study(file, tmp_path / "out")
    assert results.failures == 0, results.rows()
    return results.rows()[0], simulate(load(file))


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("end", lambda t, v: v[-1]),
        ("max", lambda t, v: v.max()),
        ("min", lambda t, v: v.min()),
        ("mean", lambda t, v: v.mean()),
        ("integral", lambda t, v: np.sum(0.5 * (v[1:] + v[:-1]) * np.diff(t))),
    ],
)
def test_a_number_is_that_of_the_trace(
    write: Write, tmp_path: Path, expression: str, kind: str, expected: Callable[..., float]
) -> None:
    row, trace = found(write, tmp_path, f"collect: {{x: {{{kind}: ={expression}}}}}")
    wanted = expected(trace.t, EXPRESSIONS[expression](trace))
    assert row["x"] == pytest.approx(wanted, rel=1e-13)


def test_a_long_run_of_several_blocks_is_collected_whole(write: Write, tmp_path: Path) -> None:
    file = write(
        "vary: {world.duration: [9]}",
        "collect: {m: {mean: =ball.y}, i: {integral: =ball.y}, c: {count: =ball.y < 0.6}, "
        "l: {last: =ball.y > 0.7}}",
    )
    row = run_study(file, tmp_path / "out").rows()[0]
    trace = simulate(load(file, ["world.duration=9"]))
    y = trace["ball"].y
    assert len(y) > 512
    assert row["m"] == pytest.approx(y.mean(), rel=1e-13)
    assert row["i"] == pytest.approx(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(trace.t)), rel=1e-13)
    assert row["c"] == np.count_nonzero(y < 0.6)
    assert row["l"] == trace.t[np.flatnonzero(y > 0.7)[-1]]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("first", lambda t, held: t[held][0]),
        ("last", lambda t, held: t[held][-1]),
        ("count", lambda t, held: held.sum()),
    ],
)
def test_a_condition_is_that_of_the_trace(
    write: Write, tmp_path: Path, kind: str, expected: Callable[..., float]
) -> None:
    row, trace = found(write, tmp_path, f"collect: {{x: {{{kind}: ={CONDITION}}}}}")
    assert row["x"] == expected(trace.t, trace["ball"].y < 1.2)


def test_a_channel_that_is_0_or_1_is_a_condition(write: Write, tmp_path: Path) -> None:
    row, trace = found(
        write,
        tmp_path,
        "collect: {lives: =ball.alive, n: {count: =ball.alive}, t: {first: =ball.alive}}",
    )
    assert row == {**row, "lives": True, "n": len(trace.t), "t": 0.0}


def test_what_is_never_true_has_no_time(write: Write, tmp_path: Path) -> None:
    row, _ = found(
        write,
        tmp_path,
        "collect: {f: {first: =ball.y > 99}, l: {last: =ball.y > 99}, c: {count: =ball.y > 99}}",
    )
    assert (row["f"], row["l"], row["c"]) == (None, None, 0)


def test_vars_in_an_expression_have_the_values_of_the_run(write: Write, tmp_path: Path) -> None:
    file = write(
        "vary: {vars.height: [2, 3]}", "collect: {h: =height, high: {max: =ball.y/height}}"
    )
    results = run_study(file, tmp_path / "out")
    assert results["h"].tolist() == [2.0, 3.0]
    assert results["high"] == pytest.approx([1.0, 1.0], abs=0.01)


def test_expectations_are_a_column_and_their_failure_a_message(
    write: Write, tmp_path: Path
) -> None:
    file = write("vary: {vars.height: [2, 0.3]}", "collect: {held: expect}")
    results = run_study(file, tmp_path / "out")
    assert results["held"].tolist() == [True, False]
    assert results["status"].tolist() == ["ok", "failed"]
    assert results["message"][1].startswith("always: ball.y > 0.4: it does not hold")


def test_expectations_nobody_asks_for_fail_no_run(write: Write, tmp_path: Path) -> None:
    results = run_study(write("vary: {vars.height: [0.3]}"), tmp_path / "out")
    assert results["status"].tolist() == ["ok"]


def test_an_outcome_ends_the_run_and_is_a_column(write: Write, tmp_path: Path) -> None:
    file = write("vary: {vars.height: [2, 30]}", "collect: {how: outcome, t: =world.time}")
    file.write_text(file.read_text() + "outcome: {win: =ball.y < 1}\n")
    results = run_study(file, tmp_path / "out")
    assert results["how"].tolist() == ["win", None]
    assert results["t"][0] < 0.6
    assert results["t"][1] == pytest.approx(1.0)


def test_a_run_ends_after_the_first_step_at_which_until_is_true(
    write: Write, tmp_path: Path
) -> None:
    file = write(
        "vary: {world.seed: [0]}", "until: =ball.y < 1.2", "collect: {t: =world.time, y: =ball.y}"
    )
    row = run_study(file, tmp_path / "out").rows()[0]
    trace = simulate(load(file))
    end = int(np.flatnonzero(trace["ball"].y < 1.2)[0])
    assert (row["t"], row["y"]) == (trace.t[end], trace["ball"].y[end])


@pytest.mark.parametrize("duration", [1, 8])
def test_a_run_that_until_ends_has_the_state_of_one_that_is_as_long(
    write: Write, tmp_path: Path, duration: int
) -> None:
    height = {1: 1.2, 8: -1}[duration]
    late = f"=world.time > 6.5 or ball.y < {height}"
    file = write(
        f"vary: {{world.duration: [{duration}]}}", f"until: {late}", "collect: {t: =world.time}"
    )
    ended = run_study(file, tmp_path / "out").rows()[0]
    steps = round(float(ended["t"]) * 60)
    short = write("vary: {world.seed: [0]}", name="short.yaml")
    whole = run_study(
        short, tmp_path / "short", overrides=[f"world.duration={steps / 60!r}"]
    ).rows()[0]
    assert steps < 60 * duration
    assert ended["hash"] == whole["hash"]


def test_what_has_no_value_fails_the_run_and_no_other(write: Write, tmp_path: Path) -> None:
    file = write("vary: {vars.slope: [3, 1]}", "collect: {x: =1/(slope - 3)}")
    results = run_study(file, tmp_path / "out")
    assert results["status"].tolist() == ["failed", "ok"]
    assert "collect.x" in results["message"][0]
    assert np.isnan(results["x"][0])


def test_what_has_no_value_empties_its_own_cell_alone(write: Write, tmp_path: Path) -> None:
    file = write(
        "vary: {vars.slope: [3]}",
        "collect: {a: =1/(slope - 3), top: {max: =ball.y}, b: {mean: =1/(slope - 3)}, y: =ball.y}",
    )
    whole = write("vary: {vars.slope: [3]}", "collect: {y: =ball.y}", name="whole.yaml")
    row = run_study(file, tmp_path / "out").rows()[0]
    other = run_study(whole, tmp_path / "whole").rows()[0]
    assert (row["a"], row["b"], row["top"]) == (None, None, 2.0)
    assert (row["y"], row["hash"]) == (other["y"], other["hash"])
    assert row["message"] == "collect.a: a division by zero; collect.b: a division by zero"


def test_a_value_at_the_end_needs_none_before_it(write: Write, tmp_path: Path) -> None:
    row = run_study(
        write("vary: {vars.slope: [1]}", "collect: {e: =1/world.time, m: {max: =1/world.time}}"),
        tmp_path / "out",
    ).rows()[0]
    assert (row["e"], row["m"]) == (pytest.approx(1.0), None)
    assert row["message"] == "collect.m: a division by zero"


def test_a_body_that_a_run_does_not_have_empties_its_cells_alone(
    write: Write, tmp_path: Path
) -> None:
    scene = """\
rigid: 1
vars: {n: 2}
world: {duration: 0.1}
bodies:
  ball: {repeat: {i: =n}, shape: {circle: 0.5}, position: [=2*i, 2]}
"""
    file = write(
        "vary: {vars.n: [2, 1]}",
        "collect: {x: '=ball[1].x', y: {min: '=ball[0].y'}}",
        scene=scene,
    )
    both, one = run_study(file, tmp_path / "out").rows()
    assert (both["x"], both["status"], both["message"]) == (2.0, "ok", "")
    assert (one["x"], one["y"], one["status"]) == (None, both["y"], "failed")
    assert one["message"].startswith("collect.x: there is no body or joint `ball[1]`")


def test_a_body_that_was_deleted_keeps_the_state_in_which_it_went(
    write: Write, tmp_path: Path
) -> None:
    scene = """\
rigid: 1
vars: {life: 0.5}
world: {duration: 1}
bodies:
  drop: {shape: {circle: 0.1}, velocity: [1, 0]}
  other: {shape: {circle: 0.1}, position: [5, 0]}
events: [{when: time, at: =life, do: [{delete: drop}]}]
"""
    file = write(
        "vary: {vars.life: [0.5, 9]}",
        "collect: {x: =drop.x, lives: =drop.alive, t: =world.time}",
        scene=scene,
    )
    gone, there = run_study(file, tmp_path / "out").rows()
    assert (gone["x"], gone["lives"]) == (pytest.approx(0.5, abs=0.02), False)
    assert (there["x"], there["lives"]) == (pytest.approx(1.0), True)
    assert (gone["t"], gone["message"]) == (there["t"], "")
