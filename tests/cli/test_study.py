# SPDX-License-Identifier: MIT
"""``rigid study``: what it prints, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rigid2d.core import UsageError

pytest.importorskip("pyarrow", reason="studies need the extra `study`")

SCENE = """\
rigid: 1
name: A hop
vars: {height: 2}
world: {duration: 0.2}
bodies:
  ball: {shape: {circle: 0.5}, position: [0, =height]}
study:
  vary: {vars.height: [1, 2, 3]}
  collect: {top: {max: =ball.y}, low: =ball.y < 2}
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "hop.yaml"
    file.write_text(SCENE, encoding="utf-8")
    return file


def test_a_study_tells_what_it_found_and_where_it_is(rigid, scene, tmp_path):
    done = rigid("study", scene, "--out", tmp_path / "out", "-j", "1")
    assert done.code == 0
    assert "3 runs in" in done.out
    assert "2 on average, 1 to 3" in done.out
    assert "true in 2 of 3" in done.out
    assert (tmp_path / "out" / "index.html").is_file()


def test_a_study_that_is_there_is_told_of_again(rigid, scene, tmp_path):
    for _ in range(2):
        done = rigid("study", scene, "--out", tmp_path / "out", "-j", "1")
    assert done.code == 0
    assert "3 runs, all there already" in done.out


def test_options_vary_more_and_set_for_all(rigid, scene, tmp_path):
    options = ("--vary", "world.seed={count: 2}", "--set", "world.duration=0.1", "--json")
    done = rigid("study", scene, "-o", tmp_path / "out", "-j", "1", *options)
    assert done.code == 0
    assert done.json["runs"] == done.json["done"] == 6
    assert done.json["columns"][:3] == ["run", "vars.height", "world.seed"]


def test_failures_are_told_and_the_exit_code_is_1(rigid, scene, tmp_path):
    vary = ("--vary", "bodies.ball.mass=1,0", "--vary", "vars.height=2")
    done = rigid("study", scene, "--out", tmp_path / "out", "-j", "1", *vary)
    assert done.code == 1
    assert "1 run failed:" in done.err
    assert "run 1: invalid" in done.err
    quiet = rigid("study", scene, "--out", tmp_path / "out", *vary, "--json")
    assert quiet.code == 1
    assert quiet.json["ok"] is False
    assert quiet.json["failed"][0]["status"] == "invalid"


def test_a_scene_may_come_from_standard_input(process, scene, tmp_path):
    done = process("study", "-", "--out", tmp_path / "out", "-q", "-j", "1", stdin=SCENE.encode())
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "results.parquet").is_file()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--vary", "vars.height"), "is PATH=VALUES"),
        (("--vary", "vars.height=1", "--vary", "vars.height=2"), "varied twice"),
        (("--vary", "vars.hight=1:3"), "did you mean `height`"),
        (("--plot", "top:hight"), "did you mean 'vars.height'"),
        (("--cluster", "tcp://127.0.0.1:1", "--jobs", "2"), "leave out --jobs"),
        (("--samples", "0"), "--samples"),
    ],
)
def test_options_that_make_no_sense_are_errors(rigid, scene, tmp_path, options, message):
    done = rigid("study", scene, "--out", tmp_path / "out", *options)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "out").exists()


def test_the_folder_is_needed(rigid, scene):
    assert rigid("study", scene).code == 2


def test_an_interrupted_study_keeps_what_it_did_and_goes_on(scene, tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "rigid2d.cli", "study", str(scene), "--out", str(out)]
    command += ["--samples", "800", "-j", "1", "--json"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while program.poll() is None and not list((out / "shards").glob("*.parquet")):
        time.sleep(0.005)
    program.send_signal(signal.SIGINT)
    _, told = program.communicate(timeout=120)
    assert program.returncode == 130, told
    assert b"Traceback" not in told
    again = subprocess.run(command, capture_output=True, timeout=120)
    assert again.returncode == 0
    assert b'"runs": 800' in again.stdout
    assert b'"done": 800' not in again.stdout


@pytest.mark.parametrize("quiet", [True, False])
def test_what_is_waited_for_is_told_but_for_the_quiet(rigid, scene, tmp_path, monkeypatch, quiet):
    def wait(*_given, on_wait=None, **_more):
        if on_wait is not None:
            on_wait("waiting for workers")
        raise UsageError("enough")

    monkeypatch.setattr("rigid2d.core.study.study.run_study", wait)
    options = ["--cluster", "tcp://127.0.0.1:1"] + (["--quiet"] if quiet else [])
    done = rigid("study", scene, "--out", tmp_path / "out", *options)
    assert done.code == 2
    assert ("waiting for workers" in done.err) is not quiet


def test_runs_are_picked_and_studies_compared(rigid, scene, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    done = rigid("study", scene, "-o", one, "-j", "1", "-q", "--pick", "top 1 by top")
    assert done.out.splitlines()[0] == "run 2: top 3"
    assert done.out.splitlines()[1].strip() == f"rigid run {scene} --set vars.height=3"
    again = rigid("study", "--out", one, "--pick", "bottom 2 by height", "--json")
    assert [row["run"] for row in again.json["picked"]] == [0, 1]
    rigid("study", scene, "-o", other, "-j", "1", "-q", "--set", "world.gravity=[0, -5]")
    apart = rigid("study", "diff", one, other)
    assert apart.code == 1
    assert "hash: differs in 3 runs" in apart.out
    assert "scene.world.gravity: (not given) -> [0, -5]" in apart.out
    assert rigid("study", "diff", one, one, "--json").json["ok"] is True
