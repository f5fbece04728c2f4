# SPDX-License-Identifier: MIT
"""What a scene or a file's name says reaches no terminal and no log as it is."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.search import tries

EVIL = "a\x1b[31mb\x1b]0;title\x07c\u009bd\u202ee\u2066f\x7fg\u2028h\u0085i\nj[red]k[/]"
"""Escape sequences of two kinds, turned text, ends of lines, and another program's markup."""
RAW = "\x1b\x07\u009b\u202e\u2066\x7f\u2028\u0085"
SHOWN = r"a\x1b[31mb\x1b]0;title\x07c\x9bd\u202ee\u2066f\x7fg\u2028h\x85i\nj[red]k[/]"

SCENE = f"""\
rigid: 1
name: {json.dumps(EVIL)}
description: {json.dumps(EVIL)}
tags: [{json.dumps(EVIL)}]
world: {{duration: 0.1}}
bodies: {{ball: {{shape: {{circle: 0.5}}}}}}
joints: {{rod: {{type: revolute, bodies: [world, ball]}}}}
render: {{size: [64, 48]}}
expect:
  - {{always: =ball.y > 1, message: {json.dumps(EVIL)}}}
"""
BROKEN = f"""\
rigid: 1
{json.dumps(EVIL)}: 1
name: "{EVIL.replace(chr(10), "")}"
bodies:
  {json.dumps(EVIL)}: {{shape: {{circle: 0.5}}}}
  ball: {{shape: {{circle: {json.dumps(EVIL)}}}, material: {json.dumps(EVIL)}}}
"""


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A scene whose words and whose name are full of control characters."""
    path = tmp_path / (EVIL.replace("/", "") + ".yaml")
    path.write_text(SCENE.replace(", message: " + json.dumps(EVIL), ""), encoding="utf-8")
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / (EVIL.replace("/", "") + ".yaml")
    path.write_text(BROKEN, encoding="utf-8")
    return path


def raw_in(data: bytes) -> set[str]:
    return set(RAW) & set(data.decode("utf-8"))


VERBS = [
    ["run"],
    ["run", "--csv", "-"],
    ["info"],
    ["test"],
    ["test", "--junit", "-"],
    ["validate"],
    ["peaks"],
    ["snapshot", "record"],
    ["bench", "--steps", "1"],
    ["run", "--json"],
    ["info", "--json"],
    ["test", "--json"],
    ["run", "--gif", "none/a.gif"],
]


@pytest.mark.parametrize("arguments", VERBS, ids=" ".join)
def test_no_word_of_a_scene_is_written_raw(evil, command, arguments):
    verb = arguments[: 2 if arguments[0] == "snapshot" else 1]
    done = command(*verb, evil, *arguments[len(verb) :])
    assert done.stdout + done.stderr != b""
    assert raw_in(done.stdout + done.stderr) == set()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("format", ["text", "json", "github", "sarif"])
def test_no_word_of_a_broken_scene_is_written_raw(broken, command, format):
    done = command("validate", broken, "--format", format)
    assert done.returncode == 2
    assert raw_in(done.stdout + done.stderr) == set()


def test_a_name_is_shown_on_one_line_with_escapes(evil, command):
    assert SHOWN in command("info", evil).stdout.decode()


def test_json_says_what_the_scene_says(evil, command):
    told = json.loads(command("info", evil, "--json").stdout)
    assert told["scenes"][0]["name"] == EVIL


def test_a_report_for_build_servers_can_be_read(evil, command, tmp_path):
    command("test", evil, "--junit", tmp_path / "report.xml")
    assert raw_in((tmp_path / "report.xml").read_bytes()) == set()
    ElementTree.parse(tmp_path / "report.xml")


def test_annotations_have_a_line_each_and_no_command_of_their_own(tmp_path, command):
    path = tmp_path / "a,b:c%0A::error::d\r\ne.yaml"
    path.write_text('rigid: 1\nbodies: {"x\\r\\n::stop-commands::y": {shape: {circle: 1}}}\n')
    lines = command("validate", path, "--format", "github", "-q").stdout.decode().splitlines()
    assert lines
    for line in lines:
        assert line.startswith("::error file=")
        name = line.removeprefix("::error file=").partition(",line=")[0]
        assert name.endswith("a%2Cb%3Ac%250A%3A%3Aerror%3A%3Ad%0D%0Ae.yaml")


@pytest.mark.parametrize(
    "arguments", [["run"], ["peaks"], ["snapshot", "record"]][: tries(1, 3)], ids=" ".join
)
def test_a_progress_bar_shows_markup_as_it_stands(evil, arguments):
    text = on_a_terminal([*arguments, str(evil)])
    assert b"[red]k[/]" in text
    assert b"Traceback" not in text
    assert b"\x1b]0;" not in text
    assert b"\x07" not in text


def on_a_terminal(arguments: list[str]) -> bytes:
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CI")}
    started = subprocess.Popen(
        [sys.executable, "-m", "rigid2d.cli", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment | {"TERM": "xterm", "COLUMNS": "400"},
    )
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 4096):
            text += part
    except OSError:  # how Linux tells that the other end has closed
        pass
    os.close(ours)
    started.wait(timeout=120)
    return text


def test_a_wrong_option_is_told_with_escapes(ball, command):
    for arguments in (["--gif", f"{EVIL}"], ["--set", EVIL], ["--size", EVIL], [f"--{EVIL}"]):
        done = command("run", ball, *arguments)
        assert done.returncode == 2
        assert raw_in(done.stderr) == set()
        assert len(done.stderr.splitlines()) <= 3


def test_a_caret_points_at_its_place_behind_escapes(tmp_path: Path, command: Callable[..., object]):
    path = tmp_path / "s.yaml"
    path.write_text('{rigid: 1, name: "\u202e\u2066", bodies: {a: {shape: {circle: -1}}}}\n')
    lines = command("validate", path, "-q").stdout.decode().splitlines()
    source, caret = next((a, b) for a, b in pairwise(lines) if "^" in b)
    assert source[caret.index("^") :].startswith("-1")
