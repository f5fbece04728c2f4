# SPDX-License-Identifier: MIT
"""rigid peaks: what each joint bears at most, and when."""

from __future__ import annotations

import pytest

PENDULUMS = """\
rigid: 1
world: {gravity: [0, -10], duration: 3, dt: 0.01}
bodies:
  # Let go level: at the bottom the pin bears m g + 2 m g = 60, after 0.262 * 2 pi sqrt(2 / 10) s.
  bob: {shape: {circle: 0.01}, mass: 2, inertia: 1e-9, position: [2, 0]}
  beam: {shape: {box: [0.2, 2]}, mass: 3, position: [5, 0]}
joints:
  swing: {type: distance, bodies: [world, bob], anchor: [0, 0]}
  hook: {repeat: {i: 1}, type: weld, bodies: [world, beam], anchor: [5, 1]}
"""


@pytest.fixture
def pendulums(tmp_path):
    path = tmp_path / "pendulums.yaml"
    path.write_text(PENDULUMS)
    return path


def test_peaks_tells_the_highest_force_and_when(rigid, pendulums):
    done = rigid("peaks", pendulums, "--json")
    assert done.code == 0
    swing, hook = done.json["joints"]
    assert (swing["joint"], swing["type"], swing["broke"]) == ("swing", "distance", None)
    assert swing["force"]["value"] == pytest.approx(60, rel=5e-3)
    # The quarter of a pendulum's period from 90 degrees, or three, of 1.18034 times the small one.
    quarter = 1.18034 * 2 * 3.14159265 * 0.2**0.5 / 4
    assert (swing["force"]["time"] / quarter) % 2 == pytest.approx(1, abs=0.02)
    assert swing["push_pull"] is None
    assert hook["force"]["value"] == pytest.approx(30, rel=1e-3)
    assert hook["push_pull"]["value"] == pytest.approx(30, rel=1e-3)


def test_peaks_of_named_joints_only(rigid, pendulums):
    done = rigid("peaks", pendulums, "hook", "--json")
    assert [row["joint"] for row in done.json["joints"]] == ["hook[0]"]


def test_peaks_of_a_joint_that_is_not_there_lists_each_once(rigid, pendulums):
    done = rigid("peaks", pendulums, "bob")
    assert done.code == 2
    assert "known: swing, hook[0], hook" in done.err
    assert done.err.count("swing") == 1


def test_peaks_prints_a_table_with_the_highest_force_first(rigid, pendulums):
    lines = rigid("peaks", pendulums).out.splitlines()
    assert " ".join(lines[0].split()) == "joint type force N at s torque Nm at s push/pull at s"
    assert [line.split()[0] for line in lines[1:]] == ["swing", "hook[0]"]


def test_peaks_says_when_a_joint_broke_and_can_hold_it(rigid, pendulums):
    setting = "joints.swing.break={force: 40}"
    broken = rigid("peaks", pendulums, "swing", "--set", setting, "--json").json["joints"][0]
    assert 0.3 < broken["broke"] < 0.6
    # What broke it is told, too: the pin's force grows by less than 3 in a step.
    assert 40 < broken["force"]["value"] < 43
    assert broken["force"]["time"] == broken["broke"]
    assert "broke at" in rigid("peaks", pendulums, "--set", setting).out
    held = rigid("peaks", pendulums, "swing", "--set", setting, "--hold", "--json")
    assert held.json["joints"][0]["force"]["value"] == pytest.approx(60, rel=5e-3)


def test_peaks_of_a_shorter_run(rigid, pendulums):
    row = rigid("peaks", pendulums, "swing", "--seconds", "0.1", "--json").json["joints"][0]
    assert row["force"]["value"] < 10


def test_peaks_explains_an_unknown_joint_and_a_scene_without_joints(rigid, pendulums, tmp_path):
    done = rigid("peaks", pendulums, "swin")
    assert done.code == 2
    assert "did you mean 'swing'" in done.err
    plain = tmp_path / "plain.yaml"
    plain.write_text("rigid: 1\nbodies: {a: {shape: {circle: 1}}}\n")
    done = rigid("peaks", plain)
    assert done.code == 2
    assert "has no joints" in done.err
