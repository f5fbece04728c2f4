# SPDX-License-Identifier: MIT
"""``rigid snapshot``: record, check, diff."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.record import read_snapshot


@pytest.fixture
def stored(rigid, hello):
    """The snapshot beside the scene."""
    assert rigid("snapshot", "record", hello, "-q").code == 0
    return hello.with_suffix(".snapshot")


def nudge(hello):
    hello.write_text(hello.read_text().replace("[0, 2]", "[0.25, 2]"))


def test_record_writes_beside_the_scene(rigid, hello, stored):
    assert [c.step for c in read_snapshot(stored).checkpoints][-1] == 60


def test_record_takes_a_checkpoint_every_so_often(rigid, hello, tmp_path):
    rigid("snapshot", "record", hello, "-o", tmp_path / "s.snapshot", "--every", "25")
    assert [c.step for c in read_snapshot(tmp_path / "s.snapshot").checkpoints] == [25, 50, 60]


def test_record_writes_to_standard_output(process, hello, stored):
    done = process("snapshot", "record", "-", "-o", "-", stdin=hello.read_bytes())
    assert done.stdout == stored.read_bytes()


def test_threads_and_lanes_change_no_bit(rigid, hello, stored, tmp_path):
    for options in (["--threads", "2"], ["--lanes", "1"]):
        other = tmp_path / "other.snapshot"
        rigid("snapshot", "record", hello, "-o", other, *options)
        assert other.read_bytes() == stored.read_bytes()


def test_check_of_the_same_is_exit_code_0(rigid, hello, stored):
    result = rigid("snapshot", "check", hello)
    assert result.code == 0
    assert "same" in result.out


def test_other_words_for_the_commands_are_told_the_right_one(rigid, hello):
    assert "did you mean 'check'?" in rigid("snapshot", "verify", hello).err
    assert "`rigid snapshot record " in rigid("snapshot", hello).err
    assert "it has record, check, diff" in rigid("snapshot", "zzz").err


def test_check_names_the_first_step_and_the_bodies(rigid, hello, stored):
    nudge(hello)
    result = rigid("snapshot", "check", hello)
    assert result.code == 1
    assert "differ at the first stored step, 6 (t" in result.out
    assert "ball: x by +0.25" in result.out
    assert rigid("snapshot", "check", hello, "--tolerance", "0.3").code == 0


def test_check_tells_the_input_that_changed_and_all_of_it_when_asked(rigid, hello, stored):
    nudge(hello)
    short = rigid("snapshot", "check", hello).out
    assert "bodies.ball.position[0]: 0.0 -> 0.25" in short
    assert "position: x by +0.25, ball" in short
    everything = rigid("snapshot", "check", hello, "--all").out
    assert everything.count("ball: x by +0.25") == 10
    fields = rigid("snapshot", "check", hello, "--all", "--json").json["snapshots"][0]
    assert fields["inputs"] == [{"path": "bodies.ball.position[0]", "old": "0.0", "new": "0.25"}]
    assert len(fields["steps"]) == 10
    assert fields["largest"][0]["body"] == "ball"


def test_check_takes_a_snapshot_by_name(rigid, hello, stored, tmp_path):
    other, third = tmp_path / "elsewhere.snapshot", tmp_path / "of another ending.txt"
    stored.rename(other)
    assert rigid("snapshot", "check", hello, other).code == 0
    third.write_bytes(other.read_bytes())
    assert rigid("snapshot", "check", hello, third).code == 0
    assert rigid("snapshot", "check", hello).code == 2


def test_check_of_a_folder_takes_what_has_a_snapshot(rigid, hello, stored):
    hello.with_name("other.yaml").write_text("rigid: 1\nbodies: {a: {shape: {circle: 1}}}\n")
    result = rigid("snapshot", "check", hello.parent)
    assert result.code == 0
    assert "other" not in result.out
    assert "1 scene without a snapshot not checked: " in result.err


def test_check_of_a_folder_can_require_all_snapshots(rigid, hello, stored, tmp_path):
    other, report = hello.with_name("other.yaml"), tmp_path / "report.xml"
    other.write_text(hello.read_text())
    stored.with_name("gone.snapshot").write_bytes(stored.read_bytes())
    result = rigid("snapshot", "check", hello.parent, "--require-snapshots", "--junit", report)
    assert result.code == 2
    assert f"rigid snapshot record {other}" in result.err
    assert "no scene `gone.yaml` beside this snapshot" in result.err
    assert [case.get("name") for case in ElementTree.parse(report).iter("testcase")] == [
        "snapshot",
        "run",
        "run",
    ]
    told = rigid("snapshot", "check", hello.parent, "--json").json
    assert told["without_snapshot"] == [str(other)]
    assert told["without_scene"] == [str(stored.with_name("gone.snapshot"))]
    assert told["ok"]


def test_a_missing_snapshot_is_told_how_to_make(rigid, hello):
    result = rigid("snapshot", "check", hello)
    assert result.code == 2
    assert f"rigid snapshot record {hello}" in result.err


def test_the_picture_shows_both_states(rigid, hello, stored, tmp_path, monkeypatch):
    monkeypatch.setattr("rigid2d.core.jobs.difference_picture.LEAST_ARROW", float("inf"))
    nudge(hello)
    picture = tmp_path / "apart.png"
    assert rigid("snapshot", "check", hello, "--picture", picture).code == 1
    both = np.asarray(Image.open(picture))
    rigid("run", hello, "--png", tmp_path / "new.png", "--at", "0.1")
    new = np.asarray(Image.open(tmp_path / "new.png"))
    pale = (both != new).any(axis=2)
    assert pale.any()
    assert pale.mean() < 0.1
    assert np.ptp(both[pale].astype(int), axis=1).max() <= 12  # gray, but for the paper's tint


def test_no_picture_is_drawn_of_what_agrees(rigid, hello, stored, tmp_path):
    assert rigid("snapshot", "check", hello, "--picture", tmp_path / "no.png").code == 0
    assert not (tmp_path / "no.png").exists()


def test_diff_compares_two_files(rigid, hello, stored, tmp_path):
    nudge(hello)
    other = tmp_path / "new.snapshot"
    rigid("snapshot", "record", hello, "-o", other)
    assert rigid("snapshot", "diff", stored, stored).code == 0
    result = rigid("snapshot", "diff", stored, other, "--json")
    assert result.code == 1
    assert result.json["step"] == 6
    assert result.json["bodies"][0]["name"] == "ball"
    assert result.json["bodies"][0]["change"]["x"] == 0.25
    drawn = ["--picture", tmp_path / "d.png", "--scene", hello]
    assert rigid("snapshot", "diff", stored, other, *drawn).code == 1
    assert (tmp_path / "d.png").exists()


def test_a_file_that_is_no_snapshot_is_named_with_its_line(rigid, hello, stored):
    result = rigid("snapshot", "diff", stored, hello)
    assert result.code == 2
    assert f"{hello}:1: is not a snapshot" in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["record", "-"], "needs -o"),
        (["record", "HELLO", "--every", "0"], "--every"),
        (["check", "HELLO", "--picture", "a.gif"], "should end in .png"),
        (["check", "HELLO", "--tolerance", "-1"], "--tolerance"),
        (["diff", "a.snapshot", "b.snapshot"], "a.snapshot"),
        (["diff", "a.snapshot", "b.snapshot", "--picture", "d.png"], "--scene"),
        (["diff", "a.snapshot"], "NEW"),
        ([], "rigid snapshot --help"),
        (["compare"], "compare"),
    ],
)
def test_bad_usage_is_told(rigid, hello, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    result = rigid("snapshot", *(str(hello) if a == "HELLO" else a for a in arguments))
    assert result.code == 2
    assert words in result.err


def test_the_picture_is_of_the_step_that_is_asked_for_or_the_farthest(rigid, hello, tmp_path):
    rigid("snapshot", "record", hello, "-q")
    picture, other = tmp_path / "apart.png", tmp_path / "early.png"
    shift = ("--set", "world.gravity=[0.5, -9]")
    done = rigid("snapshot", "check", hello, *shift, "--json", "--picture", picture)
    assert (done.code, done.err) == (1, "")
    (told,) = done.json["snapshots"]
    steps = [told["step"], told["largest"][0]["step"]]
    assert told["picture"] == {"path": str(picture), "step": steps[1]}
    assert steps[0] < steps[1]
    early = rigid(*("snapshot", "check", hello, *shift, "--picture", other, "--at", str(steps[0])))
    assert f"step {steps[0]}, the old state pale" in early.err
    assert (np.asarray(Image.open(picture)) == (214, 33, 107)).all(axis=2).any()  # an arrow
    wrong = rigid("snapshot", "check", hello, *shift, "--picture", other, "--at", "1")
    assert "the states do not differ at step 1; they do at the checkpoints" in wrong.err
    assert "--picture F.png" in rigid("snapshot", "check", hello, "--at", "1").err


def test_json_stands_alone_also_where_scenes_cannot_be_checked(rigid, hello, tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("rigid: 1\nbodies: 3\n")
    done = rigid("snapshot", "check", hello, broken, "--json")
    assert (done.code, done.err) == (2, "")
    assert [("error" in each) for each in done.json["snapshots"]] == [True, True]
