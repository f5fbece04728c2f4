# SPDX-License-Identifier: MIT
"""The command in a process of its own, forked from this one: a hundredth of a start's time."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import io
import os
import pkgutil
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

import rigid2d.cli
import rigid2d.core

CODES = {0, 1, 2, 3, 141}
"""The exit codes of a command that nobody ends (docs/cli.md)."""
ENDED = 130
"""That of one that is ended by Ctrl-C."""
PATIENCE = 40.0  # seconds
SMALL_SCREEN = {"COLUMNS": "80", "NO_COLOR": "1", "CI": "true"}
LASTING = ("play", "watch")
"""Verbs that go on until somebody ends them."""
KINDS = ["file", "closed", "/dev/full", "/dev/null", "read-only", "gone"]
"""What a stream can be; ``file`` is one whose content is looked at."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    out: bytes
    err: bytes


class Running:
    """A command that was begun: of what ``subprocess.Popen`` has, the part that is needed here."""

    def __init__(self, pid: int, out: IO[bytes], err: IO[bytes]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._said = out, err

    def poll(self) -> int | None:
        """The exit code, once there is one."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, if there is somebody to hear it."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float = PATIENCE) -> int:
        """The exit code; who does not end in time is made to say where it was."""
        end = time.monotonic() + timeout
        pause = 0.001
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGABRT)  # faulthandler says where
                end = float("inf")
            time.sleep(pause)
            pause = min(0.02, pause * 1.5)
        return code

    def communicate(self, timeout: float = PATIENCE) -> tuple[str, str]:
        """What was said until the end."""
        self.wait(timeout)
        out, err = self.said()
        return out.decode(), err.decode()

    def said(self) -> tuple[bytes, bytes]:
        """What stands in standard output and standard error."""
        for stream in self._said:
            stream.seek(0)
        out, err = (stream.read() for stream in self._said)
        return out, err


@contextmanager
def begun(
    arguments: list[str],
    *,
    stdin: bytes = b"",
    streams: tuple[str, str, str] = ("file", "file", "file"),
    encoding: str = "utf-8",
    screen: Mapping[str, str] = SMALL_SCREEN,
) -> Iterator[Running]:
    """Begin ``rigid ARGUMENTS`` in the current folder, in a session of its own.

    ``screen`` has the variables that say how much a terminal shows; no others are set.
    """
    _import_everything()
    with ExitStack() as stack:
        given, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(stdin)
        given.seek(0)
        child = os.fork()
        if child == 0:
            _be_the_command(arguments, (given, out, err), streams, encoding, screen)
        running = Running(child, out, err)
        try:
            yield running
        finally:
            if running.poll() is None:
                os.kill(child, signal.SIGKILL)
                running.wait()


def run(
    arguments: list[str],
    *,
    stdin: bytes = b"",
    streams: tuple[str, str, str] = ("file", "file", "file"),
    encoding: str = "utf-8",
    patience: float | None = None,
) -> Done:
    """Run ``rigid ARGUMENTS`` in the current folder; after ``patience`` seconds it is ended."""
    with begun(arguments, stdin=stdin, streams=streams, encoding=encoding) as running:
        if patience is not None:
            end = time.monotonic() + patience
            while running.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            running.send_signal(signal.SIGINT)  # as somebody does who has seen enough
        return Done(running.wait(), *running.said())


def check_manners(arguments: list[str], done: Done) -> None:
    """What holds for any command: a known exit code, and messages instead of tracebacks."""
    told = f"{arguments}: {done.code}\n{done.out[-800:]!r}\n{done.err[-2000:]!r}"
    codes = CODES | {ENDED} if {*LASTING} & {*arguments} else CODES
    assert done.code in codes, f"exit code {told}"
    everything = done.out + done.err
    assert b"Traceback" not in everything or "--debug" in arguments, f"a traceback {told}"
    assert b"internal error" not in everything, f"an internal error {told}"
    assert b"Exception ignored" not in everything, f"an exception that was ignored {told}"
    controls = re.findall(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", done.err)
    assert not controls, f"control characters {told}"
    left = [path.name for path in Path().rglob(".rigid-*")]
    assert not left, f"left behind: {left} {told}"


@cache
def _import_everything() -> None:
    """Once here, so that no child has to."""
    for package in (rigid2d.core, rigid2d.cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


def _be_the_command(
    arguments: list[str],
    files: tuple[IO[bytes], ...],
    kinds: tuple[str, ...],
    encoding: str,
    screen: Mapping[str, str],
) -> NoReturn:
    """What the interpreter does around the command: streams before it, their last flush after."""
    code = 1
    try:
        os.setsid()
        faulthandler.enable(file=files[2].fileno())
        for number, (file, kind) in enumerate(zip(files, kinds, strict=True)):
            _lay(number, file, kind)
        sys.stdin, sys.stdout, sys.stderr = (_text(number, encoding) for number in range(3))
        for name in SMALL_SCREEN:
            os.environ.pop(name, None)
        os.environ.update(screen, HOME=str(Path.cwd()))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            how = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            signal.signal(number, how)
        sys.argv = ["rigid", *arguments]
        code = _program()
    except BaseException:
        with contextlib.suppress(BaseException):
            os.write(files[2].fileno(), traceback.format_exc().encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _program() -> int:
    from rigid2d.cli.main import program

    code: Any = 0
    try:
        program()
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            code = 120
    return code if isinstance(code, int) else 1


def _lay(number: int, file: IO[bytes], kind: str) -> None:
    """Make a descriptor what ``kind`` says."""
    flags = os.O_RDONLY if number == 0 else os.O_WRONLY
    if kind == "closed":
        with contextlib.suppress(OSError):
            os.close(number)
        return
    if kind == "gone":
        reading, writing = os.pipe()
        os.dup2(reading if number == 0 else writing, number)
        os.close(reading)
        os.close(writing)
        return
    if kind == "file":
        os.dup2(file.fileno(), number)
        return
    if kind == "read-only":
        flags, kind = os.O_WRONLY if number == 0 else os.O_RDONLY, os.devnull
    opened = os.open(kind, flags)
    os.dup2(opened, number)
    if opened != number:
        os.close(opened)


def _text(number: int, encoding: str) -> Any:
    """A standard stream as the interpreter makes it."""
    try:
        os.fstat(number)
    except OSError:
        return None
    name, _, errors = encoding.partition(":")
    if number == 0:
        raw: Any = io.BufferedReader(io.FileIO(0, "r", closefd=False))
    else:
        raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    how = "backslashreplace" if number == 2 else errors or "strict"
    return io.TextIOWrapper(raw, encoding=name, errors=how, line_buffering=number == 2)
