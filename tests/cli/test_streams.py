# SPDX-License-Identifier: MIT
"""Signals, pipes, terminals: what happens around the command."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "rigid.cli"]

LONG = """\
rigid: 1
world: {duration: 3000, gravity: [0, 0]}
bodies:
  ball: {shape: {circle: 0.5}, position: [0, 2], angular_velocity: 30}
"""


@pytest.fixture
def long_scene(tmp_path: Path) -> Path:
    path = tmp_path / "long.yaml"
    path.write_text(LONG)
    return path


def interrupt(folder: Path, arguments: list[str], how: signal.Signals) -> tuple[int, str]:
    """Start a command, send it a signal once it has begun to write, and wait for its end."""
    before = set(folder.iterdir())
    started = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while set(folder.iterdir()) == before and started.poll() is None:
        os.sched_yield()
    started.send_signal(how)
    _, messages = started.communicate(timeout=120)
    return started.returncode, messages


@pytest.mark.parametrize("kind", ["gif", "mp4", "webp", "csv"])
def test_ctrl_c_leaves_nothing_half_written(long_scene, kind):
    target = long_scene.with_suffix(f".{kind}")
    code, messages = interrupt(
        long_scene.parent, ["run", str(long_scene), f"--{kind}", str(target)], signal.SIGINT
    )
    assert code == 130
    assert messages.strip() == "interrupted"
    assert list(long_scene.parent.iterdir()) == [long_scene]


def test_an_older_file_survives_ctrl_c(long_scene):
    target = long_scene.with_suffix(".gif")
    target.write_bytes(b"older")
    code, _ = interrupt(
        long_scene.parent, ["run", str(long_scene), "--gif", str(target)], signal.SIGINT
    )
    assert code == 130
    assert target.read_bytes() == b"older"


def test_termination_cleans_up_too(long_scene):
    target = long_scene.with_suffix(".gif")
    code, messages = interrupt(
        long_scene.parent, ["run", str(long_scene), "--gif", str(target)], signal.SIGTERM
    )
    assert code == 143
    assert "Traceback" not in messages
    assert list(long_scene.parent.iterdir()) == [long_scene]


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
    arguments: list[str], environment: dict[str, str], stdout: int | None = None
) -> bytes:
    """What a command writes to a terminal; ``stdout`` may lead elsewhere."""
    ours, theirs = pty.openpty()
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CI")}
    started = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=theirs,
        stdout=theirs if stdout is None else stdout,
        stderr=theirs,
        env=clean | {"TERM": "xterm", **environment},
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


def test_a_terminal_gets_colours_and_a_progress_bar(hello):
    text = at_a_terminal(["run", str(hello)], {})
    assert b"\x1b[1mHello" in text
    assert b"100%" in text


def test_no_color_is_honoured(hello):
    text = at_a_terminal(["run", str(hello), "--quiet"], {"NO_COLOR": "1"})
    assert b"\x1b[" not in text
    assert b"\x1b[1m" not in at_a_terminal(["run", str(hello)], {"NO_COLOR": "1"})


def test_ci_gets_no_progress_bar(hello):
    assert b"%" not in at_a_terminal(["run", str(hello)], {"CI": "true"})


def test_a_pipe_gets_neither(process, hello):
    done = process("run", hello)
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"%" not in done.stderr


def test_a_picture_is_not_written_to_a_terminal(hello):
    assert b"not to a terminal" in at_a_terminal(["run", str(hello), "--gif", "-"], {})


def test_debug_shows_the_traceback_of_a_mistake(process, tmp_path):
    quiet = process("run", tmp_path / "none.yaml")
    loud = process("run", tmp_path / "none.yaml", "--debug")
    assert (quiet.returncode, loud.returncode) == (2, 2)
    assert b"Traceback" not in quiet.stderr
    assert b"Traceback" in loud.stderr


def test_ctrl_c_reaches_the_worker_processes(long_scene, tmp_path):
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    text = long_scene.read_text().replace("duration: 3000", "duration: 30000")
    long_scene.unlink()
    for name in ("a", "b", "c"):
        (scenes / f"{name}.yaml").write_text(text)
    out = tmp_path / "out"
    out.mkdir()
    code, messages = interrupt(
        out, ["gallery", str(scenes), "-o", str(out), "-j", "2"], signal.SIGINT
    )
    assert code == 130
    assert messages.strip() == "interrupted"
    assert list(out.iterdir()) == []


def test_results_stay_on_standard_output_while_a_bar_is_shown(hello, tmp_path):
    hello.with_name("other.yaml").write_text(hello.read_text())
    with (tmp_path / "report.txt").open("wb") as report:
        terminal = at_a_terminal(["test", str(tmp_path), "-j", "1"], {}, report.fileno())
    lines = (tmp_path / "report.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["pass", "pass"]
    assert b"pass  " not in terminal
    assert b"%" in terminal
