# SPDX-License-Identifier: MIT
"""Rules of all verbs: common options, options given twice, and the precedence of exit codes."""

from __future__ import annotations

from itertools import permutations

import pytest
import typer
from PIL import Image
from rigid2d.cli import exit_codes
from rigid2d.cli.app import VERBS, application
from rigid2d.core.scene import limits

from tests.rows import every_row

RUNAWAY = """\
rigid: 1
world: {duration: 1, gravity: [0, -1e9]}
bodies: {ball: {shape: {circle: 0.5}}}
"""
FAILING = """\
rigid: 1
world: {duration: 0.1}
bodies: {ball: {shape: {circle: 0.5}}}
expect: [{at: end, that: =ball.y > 1}]
"""
WRONG = "rigid: 1\nbodies: {ball: {shape: {circle: -1}}}\n"


def commands():
    group = typer.main.get_command(application)
    waiting = [(verb, group.get_command(None, verb)) for verb in VERBS]
    while waiting:
        name, command = waiting.pop()
        below = getattr(command, "commands", {})
        waiting += [(f"{name} {inner}", each) for inner, each in below.items()]
        if not below:
            yield pytest.param(command, id=name)


COMMANDS = [*commands()]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_common_options_are_on_every_verb(command):
    names = {name for parameter in command.params for name in parameter.opts}
    assert {"--quiet", "-q", "--json", "--debug"} <= names


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_given_twice_is_refused_or_may_be_repeated(command, rigid, tmp_path):
    for parameter in command.params:
        if parameter.param_type_name != "option" or parameter.multiple or parameter.is_flag:
            continue
        option = max(parameter.opts, key=len)
        name = command.name if command.name in VERBS else f"snapshot {command.name}"
        result = rigid(*name.split(), option, "1", f"{option}=1", "x.yaml")
        assert (result.code, f"{option}: given twice" in result.err) == (2, True), option
    assert list(tmp_path.iterdir()) == []


def test_a_switch_may_be_repeated_but_not_contradicted(rigid, tmp_path):
    assert rigid("new", tmp_path / "a.yaml", "-q", "--quiet", "--no-schema").code == 0
    result = rigid("new", tmp_path / "b.yaml", "--schema", "--no-schema")
    assert (result.code, "--no-schema and --schema: given twice" in result.err) == (2, True)


def test_new_can_be_quiet(rigid, tmp_path):
    result = rigid("new", tmp_path / "a.yaml", "-q")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert (tmp_path / "a.yaml").exists()


@pytest.mark.parametrize("kind", ["gif", "png", "csv", "npz", "snapshot"])
def test_an_output_may_be_asked_for_several_times(rigid, hello, tmp_path, kind):
    first, second = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"
    option, size = f"--{kind}", ("--size", "64x48", "--fps", "5")
    result = rigid("run", hello, option, first, option, second, *size)
    assert result.code == 0, result.err
    assert first.read_bytes() == second.read_bytes() != b""


def test_one_file_asked_for_twice_is_refused(rigid, hello, tmp_path):
    result = rigid("run", hello, "--gif", tmp_path / "a.gif", "--gif", tmp_path / "a.gif")
    assert result.code == 2
    assert "would be written twice (by --gif twice)" in result.err


@pytest.mark.parametrize("kind", ["gif", "png", "webp"])
def test_a_picture_has_the_odd_size_that_was_asked_for(rigid, hello, tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    result = rigid("run", hello, f"--{kind}", path, "--size", "65x49", "--fps", "5", "-q")
    assert (result.code, result.err) == (0, "")
    with Image.open(path) as image:
        assert image.size == (65, 49)


def test_a_video_of_an_odd_size_says_what_it_is_instead(rigid, hello, tmp_path):
    size = ("--size", "65x48", "--fps", "5")
    result = rigid("run", hello, "--mp4", tmp_path / "a.mp4", *size)
    assert "a.mp4: 66x48 instead of 65x48: the sides of an MP4 are even" in result.err
    (scene,) = rigid("run", hello, "--mp4", tmp_path / "a.mp4", *size, "--json").json["scenes"]
    assert "66x48" in scene["notes"][0]
    result = rigid("run", hello, "--mp4", tmp_path / "a.mp4", "--size", "64x48", "--fps", "5")
    assert "instead of" not in result.err


@pytest.mark.parametrize("fps", ["240.5", "1000", "0", "-1", "nan", "inf"])
def test_a_frame_rate_out_of_bounds_names_the_bound(rigid, hello, tmp_path, fps):
    result = rigid("run", hello, "--gif", tmp_path / "a.gif", f"--fps={fps}")
    assert result.code == 2
    assert f"should be above 0 and at most {limits.FPS}" in result.err
    scene = tmp_path / "fast.yaml"
    value = {"nan": ".nan", "inf": ".inf"}.get(fps, fps)
    scene.write_text(hello.read_text() + f"render: {{fps: {value}}}\n")
    assert rigid("validate", scene).code == 2


def test_the_fastest_frame_rate_is_taken(rigid, hello, tmp_path):
    fast = ("--fps", str(limits.FPS), "--size", "16x16", "--seconds", "0.05")
    assert rigid("run", hello, "--gif", tmp_path / "a.gif", *fast).code == 0


@every_row("codes", [*permutations([0, 1, 2, 3])])
def test_wrong_input_wins_over_a_stop_and_that_over_a_failed_check(codes):
    assert exit_codes.worst(codes) == 2
    assert exit_codes.worst(code for code in codes if code != 2) == 3
    assert exit_codes.worst(code for code in codes if code < 2) == 1


@pytest.mark.parametrize("verb", [["run"], ["test", "--jobs", "1"], ["gallery", "--jobs", "1"]])
def test_the_exit_code_of_several_files_is_the_gravest(rigid, tmp_path, verb):
    folder = tmp_path / "scenes"
    folder.mkdir()
    rest = ["--out", tmp_path / "out", "--size", "32x32"] if verb[0] == "gallery" else []
    for name, text, code in [("a", FAILING, 1), ("b", RUNAWAY, 3), ("c", WRONG, 2)]:
        (folder / f"{name}.yaml").write_text(text)
        assert rigid(*verb, folder, *rest).code == code


def test_a_snapshot_that_stops_or_cannot_be_read_keeps_none_from_being_checked(rigid, tmp_path):
    for name, text in [("a", RUNAWAY), ("b", FAILING), ("c", FAILING)]:
        (tmp_path / f"{name}.yaml").write_text(text.replace("gravity: [0, -1e9]", "dt: 0.01"))
        assert rigid("snapshot", "record", tmp_path / f"{name}.yaml").code == 0
    (tmp_path / "b.yaml").write_text(FAILING.replace("0.5}", "0.5}, position: [1, 0]"))
    assert rigid("snapshot", "check", tmp_path).code == 1
    (tmp_path / "a.yaml").write_text(RUNAWAY)
    stopped = rigid("snapshot", "check", tmp_path)
    assert stopped.code == 3
    assert "b.yaml" in stopped.out
    (tmp_path / "c.snapshot").write_text("nonsense")
    told = rigid("snapshot", "check", tmp_path, "--json")
    assert (told.code, told.json["ok"], len(told.json["snapshots"])) == (2, False, 3)
