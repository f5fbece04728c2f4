# SPDX-License-Identifier: MIT
"""Streams that are closed, full, or know few letters: no traceback, and the right exit code."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.search import tries

from .fuzzers.command import SMALL_SCREEN, begun, run

COMMAND = [sys.executable, "-m", "rigid2d.cli"]
FULL = Path("/dev/full")
needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")

TELLING = [
    ["info", "SCENE"],
    ["expand", "SCENE"],
    ["validate", "SCENE", "--json"],
    ["test", "SCENE"],
    ["peaks", "SCENE"],
    ["schema"],
    ["new", "-"],
    ["run", "SCENE"],
    ["run", "SCENE", "--csv", "-"],
    ["run", "SCENE", "--gif", "-"],
    ["--help"],
    ["--version"],
    ["run", "--help"],
]
"""Commands that say something on standard output."""

Shell = Callable[..., subprocess.CompletedProcess[bytes]]
STARTED = "new"
"""The verb that a shell starts; the others are forked from here, with streams laid alike."""


@pytest.fixture
def shell(ball: Path) -> Shell:
    """Run ``rigid ARGUMENTS`` as in a shell, with redirections behind it."""

    def call(arguments: list[str], redirections: str, **environment: str) -> object:
        given = [str(ball) if each == "SCENE" else each for each in arguments]
        if arguments[0] != STARTED:
            return forked(given, redirections, environment.get("PYTHONIOENCODING", "utf-8"))
        return subprocess.run(
            ["/bin/sh", "-c", f'"$@" {redirections}', "sh", *COMMAND, *given],
            capture_output=True,
            env=os.environ | environment,
            timeout=120,
            check=False,
        )

    return call  # type: ignore[return-value]


def forked(
    arguments: list[str], redirections: str, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """Run ``rigid ARGUMENTS`` in a fork of this process, which saves its start."""
    kinds = ["file", "file", "file"]
    for each in redirections.replace("> ", ">").split():
        number = 0 if each[0] == "<" else 2 if each[0] == "2" else 1
        where = each.lstrip("2<>")
        kinds[number] = "closed" if where == "&-" else where
    streams = (kinds[0], kinds[1], kinds[2])
    done = run(arguments, streams=streams, encoding=encoding)
    return subprocess.CompletedProcess(arguments, done.code, done.out, done.err)


@needs_a_full_device
@pytest.mark.parametrize("arguments", TELLING[:: tries(2, 1)], ids=" ".join)
def test_a_full_output_is_told_and_is_exit_code_2(shell, arguments):
    done = shell(arguments, "> /dev/full")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(b"rigid: standard output: cannot be written:")
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("arguments", TELLING[1 - tries(0, 1) :: tries(2, 1)], ids=" ".join)
def test_a_closed_output_is_told_and_is_exit_code_2(shell, arguments):
    done = shell(arguments, ">&-")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(b"rigid: standard output: cannot be written:")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closing", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["run", "SCENE"], 0),
        (["validate", "SCENE"], 0),
        (["run", "none.yaml"], 2),
        (["run", "--nonsense"], 2),
        (["run", "SCENE", "--debug", "--csv", "a.gif"], 2),
    ],
)
def test_nobody_to_tell_changes_no_exit_code(shell, closing, arguments, code):
    done = shell(arguments, closing)
    assert done.returncode == code
    assert b"Traceback" not in done.stdout


def test_all_streams_may_be_closed(shell, tmp_path):
    done = shell(["run", "SCENE", "-q", "--gif", str(tmp_path / "a.gif")], "<&- >&- 2>&-")
    assert done.returncode == 0
    assert (tmp_path / "a.gif").read_bytes()[:6] == b"GIF89a"


def test_a_message_never_gets_into_a_file(shell, tmp_path):
    shell(["run", "SCENE", "--csv", str(tmp_path / "a.csv")], "2>&- >&-")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert {line.count(",") for line in lines} == {2}


def test_an_input_that_is_closed_is_told(shell):
    done = shell(["run", "-"], "<&-")
    assert done.returncode == 2
    assert done.stderr.startswith(b"<stdin>: error: cannot be read:")


def test_a_failed_check_does_not_hide_that_nothing_could_be_told(shell, ball):
    ball.write_text(ball.read_text().replace("0.4", "1.9"))
    assert shell(["test", "SCENE"], ">&-").returncode == 2


# ---------------------------------------------------------------- letters

NAMES = "\u00e9\u4e2d \U0001f600"


ENCODINGS = ["ascii", "latin-1", "cp1252", "utf-8:strict", "ascii:strict"]


def in_every_encoding(*texts: str) -> list[tuple[str, str]]:
    """The first text in all encodings, and the others each in one of them.

    `make test` takes every second one.
    """
    others = ((text, ENCODINGS[(i + 1) % len(ENCODINGS)]) for i, text in enumerate(texts[1:]))
    return [*((texts[0], encoding) for encoding in ENCODINGS), *others][:: tries(2, 1)]


@pytest.mark.parametrize(("verb", "encoding"), in_every_encoding("run", "info", "validate", "test"))
def test_letters_that_cannot_be_shown_are_escapes(shell, ball, verb, encoding):
    ball.write_text(ball.read_text().replace("name: Ball", f'name: "{NAMES}"'), encoding="utf-8")
    done = shell([verb, "SCENE"], "", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    if verb in ("info", "run"):
        assert NAMES.encode(encoding.partition(":")[0], "backslashreplace") in done.stdout


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_is_json_in_any_encoding(ball, encoding):
    ball.write_text(ball.read_text().replace("name: Ball", f'name: "{NAMES}"'), encoding="utf-8")
    done = forked(["info", str(ball), "--json"], "", encoding)
    told = json.loads(done.stdout.decode(encoding.partition(":")[0]))
    assert told["scenes"][0]["name"] == NAMES


@pytest.mark.parametrize(("verb", "encoding"), in_every_encoding("run", "peaks", "gallery"))
def test_help_is_told_in_any_encoding(shell, verb, encoding):
    done = shell([verb, "--help"], "", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")


FOREIGN = b"b\xe4ll\x1b[31m.yaml"
"""A file name that is no UTF-8, and more."""


@pytest.mark.parametrize(
    ("verb", "encoding"),
    in_every_encoding("run", "info", "validate", "test", "expand", "peaks", "snapshot", "bench"),
)
def test_a_foreign_file_name_is_shown_with_escapes(ball, verb, encoding):
    scene = os.fsencode(ball.parent) + b"/" + FOREIGN
    ball.rename(os.fsdecode(scene))
    more = [b"record"] if verb == "snapshot" else []
    after = [b"--steps", b"1"] if verb == "bench" else []
    done = foreign([verb.encode(), *more, scene, *after], encoding)
    assert done.returncode == 0
    assert b"\xe4" not in done.stdout + done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    broken = foreign([verb.encode(), *more, scene + b"none.yaml"], encoding)
    assert broken.returncode == 2
    assert b"b\\udce4ll\\x1b[31m.yaml" in broken.stdout + broken.stderr


@pytest.mark.parametrize(
    ("format", "encoding"), in_every_encoding("text", "json", "github", "sarif")
)
def test_a_foreign_file_name_stands_in_every_report(ball, format, encoding):
    scene = os.fsencode(ball.parent) + b"/" + FOREIGN
    ball.rename(os.fsdecode(scene))
    Path(os.fsdecode(scene)).write_text("rigid: 1\nbodies: {a: {shape: {circle: -1}}}\n")
    done = foreign([b"validate", scene, b"--format", format.encode()], encoding)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert not {b"\xe4", b"\x1b"} & {done.stdout[i : i + 1] for i in range(len(done.stdout))}


def test_a_gallery_of_foreign_file_names_is_made(ball):
    scenes, out = ball.parent / "scenes", ball.parent / "out"
    scenes.mkdir()
    ball.rename(scenes / os.fsdecode(FOREIGN))
    done = foreign([b"gallery", os.fsencode(scenes), b"-o", os.fsencode(out)], "utf-8:strict")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert "b%E4ll%1B%5B31m.png" in (out / "index.html").read_text(encoding="utf-8")


def test_a_scene_by_a_foreign_name_is_begun(tmp_path):
    done = foreign([b"new", os.fsencode(tmp_path) + b"/b\xe4ll"], "utf-8:strict")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert foreign([b"validate", os.fsencode(tmp_path) + b"/b\xe4ll.yaml"], "ascii").returncode == 0


def foreign(arguments: list[bytes], encoding: str) -> subprocess.CompletedProcess[bytes]:
    return forked([os.fsdecode(each) for each in arguments], "", encoding)


def test_a_run_that_fails_says_so_in_one_line_and_nothing_of_what_it_still_held(
    tmp_path: Path,
) -> None:
    scene = tmp_path / "crowd.yaml"
    scene.write_text("rigid: 1\nbodies: {b: {repeat: {count: 2000}, shape: {circle: 1}}}\n")
    ended = subprocess.run(
        [*COMMAND, "run", "--quiet", str(scene)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 3
    assert ended.stderr.count("\n") == 1
    assert "1,000,000 pairs" in ended.stderr


# ---------------------------------------------------------------- pipes and terminals


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    many = tmp_path / "many.yaml"
    many.write_text(
        "rigid: 1\nbodies: {b: {repeat: {i: 5000}, shape: {circle: 1}, position: [=3*i, 0]}}\n"
    )
    started = subprocess.Popen(
        [*COMMAND, "expand", str(many)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"rigid: 1\n"
    started.stdout.close()
    assert started.stderr is not None
    assert started.stderr.read() == b""
    assert started.wait(timeout=120) == 141


def at_a_terminal(
    arguments: list[str], screen: dict[str, str] | None = None, stdout: str | None = None
) -> bytes:
    """The text that a command writes to a terminal; ``stdout`` may be a file."""
    ours, theirs = pty.openpty()
    terminal = os.ttyname(theirs)
    streams = (terminal, stdout or terminal, terminal)
    text = b""
    with begun(arguments, streams=streams, screen={"TERM": "xterm"} | (screen or {})) as running:
        while running.poll() is None or select.select([ours], [], [], 0)[0]:
            if select.select([ours], [], [], 0.01)[0]:
                text += os.read(ours, 4096)
        assert running.returncode == 0 or stdout is None
    os.close(theirs)
    os.close(ours)
    return text


def test_a_terminal_gets_colours_and_a_progress_bar(ball):
    text = at_a_terminal(["run", str(ball)])
    assert b"\x1b[1mBall" in text
    assert b"100%" in text


def test_no_color_is_honoured(ball):
    text = at_a_terminal(["run", str(ball), "--quiet"], {"NO_COLOR": "1"})
    assert b"\x1b[" not in text
    assert b"\x1b[1m" not in at_a_terminal(["run", str(ball)], {"NO_COLOR": "1"})


def test_ci_gets_no_progress_bar(ball):
    assert b"%" not in at_a_terminal(["run", str(ball)], {"CI": "true"})


def test_a_pipe_gets_neither(command, ball):
    done = command("run", ball, env={k: v for k, v in os.environ.items() if k not in SMALL_SCREEN})
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"%" not in done.stderr


def test_a_picture_is_not_written_to_a_terminal(ball):
    assert b"not to a terminal" in at_a_terminal(["run", str(ball), "--gif", "-"])


def test_debug_shows_the_traceback_of_a_mistake(command, tmp_path):
    quiet = command("run", tmp_path / "none.yaml")
    loud = command("run", tmp_path / "none.yaml", "--debug")
    assert (quiet.returncode, loud.returncode) == (2, 2)
    assert b"Traceback" not in quiet.stderr
    assert b"Traceback" in loud.stderr


def test_results_stay_on_standard_output_while_a_bar_is_shown(ball, tmp_path):
    ball.with_name("other.yaml").write_text(ball.read_text())
    report = tmp_path / "report.txt"
    report.touch()
    terminal = at_a_terminal(["test", str(tmp_path), "-j", "1"], stdout=str(report))
    lines = report.read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["pass", "pass"]
    assert b"pass  " not in terminal
    assert b"%" in terminal
