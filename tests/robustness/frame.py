# SPDX-License-Identifier: MIT
"""What all fuzzers share: tries that can be told again, watched from another process.

A fuzzer makes an input, a case, out of random numbers, and attempts it. Whatever the attempt
raises is a failure. Tries run in a child process, so that a crash or a hang is a failure too, with
its case. A case is text whose lines can be left out: that is how a failure is made small.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import resource
import select
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 90.0  # seconds of silence after which a try hangs
SHRINKING = 120  # tries to make a failure smaller
SHRINKING_SECONDS = 60.0  # and time for them, of which those that hang take most
CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True)
class Fuzzer:
    """Makes cases, and attempts them; an attempt that raises anything has found something."""

    name: str
    make: Callable[[random.Random], bytes]
    attempt: Callable[[bytes], None]
    quick: int
    """The tries that ``make test`` has time for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A case that failed, and how."""

    fuzzer: str
    seed: int
    index: int
    case: bytes
    what: str

    @property
    def kind(self) -> str:
        """What failures have in common that have one cause: the error and where it was raised."""
        return _kind(self.what)

    def __str__(self) -> str:
        return f"{self.fuzzer}: seed {self.seed}, try {self.index}: {self.what}"


def case_of(fuzzer: Fuzzer, seed: int, index: int) -> bytes:
    """The case of one try; it depends on nothing else."""
    return fuzzer.make(random.Random(f"{fuzzer.name} {seed} {index}"))


def hunt(
    fuzzer: Fuzzer, seed: int, *, tries: int | None = None, seconds: float | None = None
) -> tuple[int, list[Found]]:
    """Try until so many tries are done or so much time has gone; the tries, and what was found.

    A try that ends its process is told, and the next process goes on behind it.
    """
    found: list[Found] = []
    begun = time.monotonic()
    done = 0
    while (tries is None or done < tries) and (
        seconds is None or time.monotonic() - begun < seconds
    ):
        left = None if seconds is None else seconds - (time.monotonic() - begun)
        last = done
        for index, what in _watched(_many(fuzzer, seed, done, tries, left)):
            last = index + 1
            if what:
                found.append(Found(fuzzer.name, seed, index, case_of(fuzzer, seed, index), what))
        done = max(last, done + 1)
    return done, found


def attempt_once(fuzzer: Fuzzer, case: bytes) -> str:
    """What goes wrong with a case, in a process of its own; nothing, if nothing does."""
    return attempt_each(fuzzer, [case])[0]


def attempt_each(fuzzer: Fuzzer, cases: Sequence[bytes]) -> list[str]:
    """What goes wrong with each of some cases, one after the other in one process.

    A case that ends the process is told, and the next process goes on behind it.
    """
    told = [""] * len(cases)
    done = 0
    while done < len(cases):
        last = done
        for last, what in _watched(_these(fuzzer, cases, done)):
            told[last] = told[last] or what
        done = max(done, last) + 1
    return told


def shrink(fuzzer: Fuzzer, found: Found) -> Found:
    """The same failure with as few lines as some tries find."""
    lines = found.case.splitlines(keepends=True)
    size, left = max(1, len(lines) // 2), SHRINKING
    what, end = found.what, time.monotonic() + SHRINKING_SECONDS
    while size and left:
        start = 0
        while start < len(lines) and left:
            if time.monotonic() > end:
                left = 0
                break
            fewer = lines[:start] + lines[start + size :]
            left -= 1
            told = attempt_once(fuzzer, b"".join(fewer))
            if told and _kind(told) == found.kind:
                lines, what = fewer, told
            else:
                start += size
        size //= 2
    return Found(found.fuzzer, found.seed, found.index, b"".join(lines), what)


def save(found: Found, folder: Path) -> Path:
    """Keep a case, with what went wrong beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{found.fuzzer}-{found.seed}-{found.index}"
    path.write_bytes(found.case)
    path.with_name(path.name + ".txt").write_text(f"{found}\n")
    return path


@contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder to work in, which is the current one meanwhile, and is gone afterwards."""
    before = Path.cwd()
    folder = Path(tempfile.mkdtemp(prefix="rigid-fuzz-"))
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


def _kind(what: str) -> str:
    name, _, rest = what.partition(":")
    return f"{name} {rest.rpartition('[')[2]}" if rest.endswith("]") else name


def _attempt(fuzzer: Fuzzer, case: bytes) -> str:
    try:
        fuzzer.attempt(case)
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        places = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames[-4:]))
        return f"{type(error).__name__}: {str(error)[:1500]} [{places}]"
    return ""


def _many(
    fuzzer: Fuzzer, seed: int, first: int, tries: int | None, seconds: float | None
) -> Callable[[Callable[[int, str], None]], None]:
    def work(tell: Callable[[int, str], None]) -> None:
        end = None if seconds is None else time.monotonic() + seconds
        index = first
        while (tries is None or index < tries) and (end is None or time.monotonic() < end):
            tell(index, "")
            what = _attempt(fuzzer, case_of(fuzzer, seed, index))
            if what:
                tell(index, what)
            index += 1

    return work


def _these(
    fuzzer: Fuzzer, cases: Sequence[bytes], first: int
) -> Callable[[Callable[[int, str], None]], None]:
    def work(tell: Callable[[int, str], None]) -> None:
        for index in range(first, len(cases)):
            tell(index, "")
            tell(index, _attempt(fuzzer, cases[index]))

    return work


def _watched(work: Callable[[Callable[[int, str], None]], Any]) -> Iterator[tuple[int, str]]:
    """Do some work in a child; each index that it tells, and what went wrong with it."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as murmur:
        child = os.fork()
        if child == 0:
            _be_a_child(work, writing, murmur.fileno())
        os.close(writing)
        last, hangs, rest = 0, False, b""
        while not hangs:
            if not select.select([reading], [], [], PATIENCE)[0]:
                hangs = True
                break
            data = os.read(reading, 1 << 16)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                last, what = json.loads(line)
                yield last, what
        if hangs:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGABRT)
        os.close(reading)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if hangs or code != 0:
            murmur.seek(0)
            how = f"no end within {PATIENCE:g} s" if hangs else f"the process ended with {code}"
            yield last, f"{how}: {murmur.read()[-4000:].decode(errors='replace')}"


def _be_a_child(work: Callable[..., Any], writing: int, murmur: int) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        os.dup2(murmur, 2)
        faulthandler.enable(file=2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        def tell(index: int, what: str) -> None:
            os.write(writing, json.dumps([index, what]).encode() + b"\n")

        with empty_folder():
            work(tell)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)
