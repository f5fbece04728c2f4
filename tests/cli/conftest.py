# SPDX-License-Identifier: MIT
"""Running the command: in this process where that is enough, as a process where it is not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rigid2d.cli.main import main
from rigid2d.core.jobs import workers

from tests.robustness.fuzzers.command import run

HELLO = """\
rigid: 1
name: Hello
world: {duration: 1}
bodies:
  ground: {type: static, shape: {box: [7, 0.5]}, position: [0, -0.25]}
  ball: {shape: {circle: 0.5}, position: [0, 2]}
expect:
  - {always: =ball.y > 0.4}
"""


@dataclass(frozen=True)
class Result:
    """The result of a command: its exit code and its output on both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def rigid(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """The command in this process, as on one core: ``rigid("validate", path)``."""
    monkeypatch.setattr(workers, "cores", lambda: 1)

    def call(*arguments: str | Path) -> Result:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return call


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """The command as a process of its own, forked from this one, streams as bytes."""

    def call(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        done = run([*map(str, arguments)], stdin=stdin)
        return subprocess.CompletedProcess(arguments, done.code, done.out, done.err)

    return call


@pytest.fixture
def started() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """The command as a process that an interpreter starts."""

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "rigid2d.cli", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, timeout=120, check=False)

    return call


@pytest.fixture
def hello(tmp_path: Path) -> Path:
    """A small valid scene, in a folder of its own."""
    path = tmp_path / "hello.yaml"
    path.write_text(HELLO)
    return path
