# SPDX-License-Identifier: MIT
"""``rigid test``: scenes as regression tests."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

FALLING = """\
rigid: 1
name: Falling
world: {duration: 1}
bodies:
  ball: {shape: {circle: 0.5}, position: [0, 2]}
expect:
  - {at: end, that: =ball.y > 0}
  - {always: =ball.x == 0}
"""
RUNAWAY = """\
rigid: 1
world: {duration: 2, gravity: [0, -1e9]}
bodies: {ball: {shape: {circle: 0.5}}}
"""


@pytest.fixture
def falling(tmp_path):
    path = tmp_path / "falling.yaml"
    path.write_text(FALLING)
    return path


def test_a_scene_that_holds_passes(rigid, hello):
    result = rigid("test", hello)
    assert result.code == 0
    assert result.out.startswith(f"pass  {hello}  1 check, ")
    assert "1 scene, 1 check, all passed" in result.err


def test_a_failure_tells_place_step_time_and_values(rigid, falling):
    result = rigid("test", falling)
    assert result.code == 1
    for part in [
        f"FAIL  {falling}  1 of 2 checks failed",
        f"{falling}:7:5: failed: at end: ball.y > 0",
        "at step 60, t = 1",
        "ball.y = -",
    ]:
        assert part in result.out
    assert str(falling) in result.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_scenes_run_in_order_whatever_fails(rigid, hello, falling, jobs):
    (hello.parent / "a_wild.yaml").write_text(RUNAWAY)
    result = rigid("test", hello.parent, "--jobs", jobs)
    assert result.code == 3
    verdicts = [line.split() for line in result.out.splitlines() if line[:4] in ("pass", "FAIL")]
    assert [(v[0], v[1].rpartition("/")[2]) for v in verdicts] == [
        ("FAIL", "a_wild.yaml"),
        ("FAIL", "falling.yaml"),
        ("pass", "hello.yaml"),
    ]


def test_a_stored_snapshot_is_checked(rigid, hello):
    assert rigid("snapshot", "record", hello).code == 0
    assert "2 checks" in rigid("test", hello).out
    hello.write_text(hello.read_text().replace("[0, 2]", "[0, 2.001]"))
    result = rigid("test", hello)
    assert result.code == 1
    assert "differ at the first stored step, 6" in result.out
    assert "ball: y by +0.001" in result.out
    assert rigid("test", hello, "--tolerance", "0.1").code == 0


def test_a_scene_with_errors_is_exit_code_2(rigid, hello):
    bad = hello.with_name("bad.yaml")
    bad.write_text("rigid: 1\nbodies: {ball: {shape: {circle: -1}}}\n")
    result = rigid("test", hello.parent)
    assert result.code == 2
    assert f"{bad}:2:" in result.out
    assert f"pass  {hello}" in result.out


def test_junit_has_a_suite_for_a_scene_and_a_case_for_a_check(rigid, hello, falling, tmp_path):
    report = tmp_path / "report.xml"
    (tmp_path / "bad.yaml").write_text("rigid: 1\nname: [\x01\n")
    rigid("test", tmp_path, "--junit", report, "-j", "1")
    root = ElementTree.parse(report).getroot()
    assert root.attrib | {"time": ""} == {
        "name": "rigid",
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "time": "",
    }
    suites = {suite.get("name"): suite for suite in root}
    cases = suites[str(falling)].findall("testcase")
    assert [case.get("name") for case in cases] == ["at end: ball.y > 0", "always: ball.x == 0"]
    assert "ball.y = -" in (cases[0].findtext("failure") or "")
    assert f"{falling}:7:5: " in (cases[0].findtext("failure") or "")
    assert [(case.get("file"), case.get("line")) for case in cases] == [
        (str(falling), "7"),
        (str(falling), "8"),
    ]
    assert all(float(case.get("time", "-1")) >= 0.0 for case in root.iter("testcase"))


def test_json_holds_every_check(rigid, falling):
    result = rigid("test", falling, "--json")
    assert result.code == 1
    (scene,) = result.json["scenes"]
    assert (result.json["ok"], scene["passed"]) == (False, False)
    assert [check["passed"] for check in scene["expect"]] == [False, True]
    assert scene["expect"][0]["step"] == 60


def test_quiet_shows_failures_only(rigid, hello, falling):
    result = rigid("test", hello.parent, "-q", "-j", "1")
    assert "hello.yaml" not in result.out
    assert "falling.yaml" in result.out
    assert result.err == ""


def test_a_scene_without_checks_passes_by_running(rigid, tmp_path):
    path = tmp_path / "plain.yaml"
    path.write_text("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\n")
    result = rigid("test", path)
    assert result.code == 0
    assert "nothing to check" in result.out


def test_standard_input_is_a_scene(process):
    done = process("test", "-", stdin=FALLING.encode())
    assert done.returncode == 1
    assert b"<stdin>:7:5: failed" in done.stdout


def test_junit_goes_to_standard_output_alone(rigid, falling):
    result = rigid("test", falling, "--junit", "-")
    assert ElementTree.fromstring(result.out.partition("\n")[2]).get("failures") == "1"
    assert "FAIL" in result.err
