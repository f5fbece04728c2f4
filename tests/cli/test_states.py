# SPDX-License-Identifier: MIT
"""``rigid run --save-state`` and ``--from-state``: a run in two parts is the run in one."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_a_run_that_goes_on_from_a_state_leaves_what_the_whole_run_does(rigid, hello, tmp_path):
    whole, state, rest = tmp_path / "whole.csv", tmp_path / "a.state", tmp_path / "rest.csv"
    first = rigid("run", hello, "--csv", whole, "--save-state", state, "--at", "0.5")
    assert first.code == 0
    assert "a.state" in first.out
    assert rigid("run", hello, "--from-state", state, "--csv", rest).code == 0
    rows = rest.read_text().splitlines()[1:]
    assert rows[0].startswith("0.5,")
    assert whole.read_text().splitlines()[-len(rows) :] == rows


def test_the_report_of_a_second_part_counts_its_own_steps(rigid, hello, tmp_path):
    state = tmp_path / "a.state"
    assert rigid("run", hello, "--save-state", state, "--at", "0.75", "-q").code == 0
    (scene,) = rigid("run", hello, "--from-state", state, "--json").json["scenes"]
    assert scene["time"] == pytest.approx(0.25)
    assert scene["expect"] == []


def test_a_state_may_come_from_the_end_and_the_run_be_made_longer(rigid, hello, tmp_path):
    state, csv = tmp_path / "end.state", tmp_path / "more.csv"
    assert rigid("run", hello, "--save-state", state, "-q").code == 0
    assert rigid("run", hello, "--from-state", state, "--seconds", "2", "--csv", csv).code == 0
    assert csv.read_text().splitlines()[1].startswith("1.0,")


def test_movies_of_a_second_part_begin_where_it_begins(rigid, hello, tmp_path):
    state, frames = tmp_path / "a.state", tmp_path / "frames"
    assert rigid("run", hello, "--save-state", state, "--at", "0.5", "-q").code == 0
    done = rigid("run", hello, "--from-state", state, "--png", f"{frames}/", "--fps", "10", "-q")
    assert done.code == 0
    assert len(list(frames.glob("*.png"))) == 5


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not the bytes of a saved world"),
        (b"hello", "not the bytes of a saved world"),
        (b"rigid state 8\n", "another version"),
        (b"rigid state 9\n{}", "damaged"),
    ],
)
def test_what_is_no_state_is_refused(rigid, hello, tmp_path: Path, content, says):
    state = tmp_path / "a.state"
    state.write_bytes(content)
    done = rigid("run", hello, "--from-state", state)
    assert done.code == 2
    assert says in done.err
    assert str(state) in done.err


def test_a_state_of_another_scene_is_refused(rigid, hello, tmp_path):
    state = tmp_path / "a.state"
    assert rigid("run", hello, "--save-state", state, "-q").code == 0
    done = rigid("run", hello, "--from-state", state, "--set", "bodies.ball.position=[0, 3]")
    assert done.code == 2
    assert "not of this scene" in done.err


def test_a_state_beyond_the_end_of_the_run_is_refused(rigid, hello, tmp_path):
    state = tmp_path / "a.state"
    assert rigid("run", hello, "--save-state", state, "-q").code == 0
    done = rigid("run", hello, "--from-state", state, "--steps", "3")
    assert done.code == 2
    assert "the run ends at step 3" in done.err


def test_one_state_is_not_for_two_scenes(rigid, hello, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(hello.read_text())
    done = rigid("run", hello, other, "--from-state", tmp_path / "a.state")
    assert done.code == 2
    assert "2 scenes" in done.err


def test_a_moment_without_anything_to_take_then_is_refused(rigid, hello):
    done = rigid("run", hello, "--at", "0.5")
    assert done.code == 2
    assert "--save-state" in done.err
