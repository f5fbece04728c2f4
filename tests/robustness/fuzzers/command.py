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
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

import rigid.cli
import rigid.core

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


def run(
    arguments: list[str],
    *,
    stdin: bytes = b"",
    streams: tuple[str, str, str] = ("file", "file", "file"),
    encoding: str = "utf-8",
    patience: float | None = None,
) -> Done:
    """Run ``rigid ARGUMENTS`` in the current folder; after ``patience`` seconds it is ended."""
    _import_everything()
    with ExitStack() as stack:
        given, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(stdin)
        given.seek(0)
        child = os.fork()
        if child == 0:
            _be_the_command(arguments, (given, out, err), streams, encoding)
        code = _wait(child, patience)
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read())
    return Done(code, *said)


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
    for package in (rigid.core, rigid.cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


def _wait(child: int, patience: float | None) -> int:
    end = time.monotonic() + PATIENCE
    over = float("inf") if patience is None else time.monotonic() + patience
    pause = 0.001
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > over:
            os.kill(child, signal.SIGINT)  # as somebody does who has seen enough
            over = float("inf")
        if time.monotonic() > end:
            os.kill(child, signal.SIGABRT)  # faulthandler says where it was
            end = float("inf")
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)


def _be_the_command(
    arguments: list[str], files: tuple[IO[bytes], ...], kinds: tuple[str, ...], encoding: str
) -> NoReturn:
    """What the interpreter does around the command: streams before it, their last flush after."""
    code = 1
    try:
        faulthandler.enable(file=files[2].fileno())
        for number, (file, kind) in enumerate(zip(files, kinds, strict=True)):
            _lay(number, file, kind)
        sys.stdin, sys.stdout, sys.stderr = (_text(number, encoding) for number in range(3))
        os.environ.update(SMALL_SCREEN, HOME=str(Path.cwd()))
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
    from rigid.cli.main import program

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
