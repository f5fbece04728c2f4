# SPDX-License-Identifier: MIT
"""Reports of `rigid run` and `rigid test` on runs that end by an outcome or an action."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

SCENE = """
rigid: 1
world: {duration: 2}
state: {n: 0}
bodies: {ball: {shape: {circle: 0.5}}}
events: [{when: time, at: 0.5, do: [{add: {n: 1}}]}, {when: time, at: 1, do: [{end: WORD}]}]
OUTCOME
"""


@pytest.fixture
def falling(tmp_path):
    def write(word="pass", outcome=""):
        path = tmp_path / "ends.yaml"
        path.write_text(SCENE.replace("WORD", word).replace("OUTCOME", outcome))
        return path

    return write


def test_a_run_tells_how_it_ended(rigid, falling):
    result = rigid("run", falling(outcome="outcome: {win: =state.n == 1}"), "--json")
    (scene,) = json.loads(result.out)["scenes"]
    assert result.code == 0
    assert (scene["outcome"], scene["steps"]) == ("win", 30)
    assert "outcome  pass" in rigid("run", falling()).out


def test_a_run_that_ended_as_failed_is_a_failed_check(rigid, falling, tmp_path):
    assert rigid("run", falling("fail")).code == 1
    report = tmp_path / "report.xml"
    result = rigid("test", falling("fail"), "--junit", report, "-j", "1")
    assert result.code == 1
    assert "the run ended as failed" in result.out
    root = ElementTree.parse(report).getroot()
    assert (root.get("tests"), root.get("failures")) == ("1", "1")
    (named,) = root.iter("property")
    assert (named.get("name"), named.get("value")) == ("outcome", "fail")


def test_a_run_that_ended_as_passed_is_a_check_that_holds(rigid, falling):
    result = rigid("test", falling(), "--json", "-j", "1")
    (scene,) = json.loads(result.out)["scenes"]
    assert (result.code, scene["outcome"], scene["steps"]) == (0, "pass", 60)


def test_pictures_of_a_run_that_ends_early_are_of_what_there_was(rigid, falling, tmp_path):
    picture, table = tmp_path / "end.png", tmp_path / "table.csv"
    result = rigid("run", falling(), "--png", picture, "--csv", table, "--size", "64x64")
    assert result.code == 0
    assert picture.stat().st_size > 0
    assert len(table.read_text().splitlines()) == 62


def test_a_movie_of_a_run_that_ended_counts_the_frames_it_has(rigid, falling, tmp_path):
    frames = tmp_path / "frames"
    result = rigid("run", falling(), "--png", f"{frames}/", "--fps", "10", "--json")
    (scene,) = json.loads(result.out)["scenes"]
    assert scene["frames"] == len(list(frames.glob("*.png"))) <= 11
