# SPDX-License-Identifier: MIT
"""The command as a process: started, watched from outside, and told to end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .fuzzers.command import Running, begun, run

COMMAND = [sys.executable, "-m", "rigid2d.cli"]

BALL = """\
rigid: 1
name: Ball
world: {duration: 0.5}
bodies:
  ground: {type: static, shape: {box: [7, 0.5]}, position: [0, -0.25]}
  ball: {shape: {circle: 0.5}, position: [0, 2], velocity: [1, 0]}
  bob: {shape: {circle: 0.1}, position: [3, 2]}
joints:
  pin: {type: revolute, bodies: [world, bob]}
render: {size: [64, 48]}
record: {channels: [ball.x, ball.y]}
expect:
  - {always: =ball.y > 0.4}
"""

LONG = """\
rigid: 1
world: {duration: 3000, gravity: [0, 0]}
bodies:
  ball: {shape: {circle: 0.5}, position: [0, 2], angular_velocity: 30}
render: {size: [64, 48]}
"""


@pytest.fixture(autouse=True, scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile all modules once: several processes that start at once would each do it."""
    first = tmp_path_factory.mktemp("first") / "ball.yaml"
    first.write_text(BALL)
    small = ["--gif", str(first.with_suffix(".gif")), "--steps", "2", "--quiet"]
    subprocess.run([*COMMAND, "run", str(first), *small], check=True)


@pytest.fixture
def ball(tmp_path: Path) -> Path:
    """A small valid scene."""
    path = tmp_path / "ball.yaml"
    path.write_text(BALL)
    return path


@pytest.fixture
def long_scene(tmp_path: Path) -> Path:
    """A scene that runs until somebody ends it."""
    path = tmp_path / "long.yaml"
    path.write_text(LONG)
    return path


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the command; a process that a failed test leaves is killed."""
    started: list[subprocess.Popen[str]] = []

    def call(*arguments: str | Path, **options: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(  # type: ignore[call-overload]
            [*COMMAND, *map(str, arguments)],
            **{
                "stdout": subprocess.PIPE,
                "stderr": subprocess.PIPE,
                "text": True,
                "start_new_session": True,
                **options,
            },
        )
        started.append(process)
        return process

    yield call
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture
def begin() -> Iterator[Callable[..., Running]]:
    """Begin the command in a fork of this process, which saves its start."""
    with ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(begun([*map(str, arguments)]))


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the command to its end, streams as bytes.

    It is forked from here, which saves its start, unless it needs streams of its own.
    """

    def call(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[bytes]:
        if not options:
            done = run([*map(str, arguments)])
            return subprocess.CompletedProcess(arguments, done.code, done.out, done.err)
        return subprocess.run(  # type: ignore[call-overload]
            [*COMMAND, *map(str, arguments)],
            check=False,
            timeout=120,
            **{"stdin": subprocess.DEVNULL, "capture_output": True, **options},
        )

    return call


@pytest.fixture
def when() -> Callable[[Callable[[], bool]], None]:
    """Wait for something that another process does."""

    def wait(happened: Callable[[], bool]) -> None:
        while not happened():
            select.select([], [], [], 0.001)  # leaves the processor to the one that is waited for

    return wait
