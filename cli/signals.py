# SPDX-License-Identifier: MIT
"""Ends the command on signals: soon, without a traceback, with no half-written file.

Ctrl-C, SIGTERM and SIGHUP become exceptions, so that everything is tidied up where it was made. Two
cases could keep them from it. An import, where an exception may be printed by others or lost: there
no work has begun, and the program ends at once. And a long call in which no exception is raised: a
thread sees to it that the program ends all the same.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from rigid2d.core.jobs.interrupts import pass_over
from rigid2d.core.unfinished import is_anything_unfinished, remove_unfinished

PATIENCE = 0.2
"""Seconds that the program has to end on its own."""
LAST_WORDS = 2.0
"""Seconds more, at most, for one that is just saying so: a busy machine may not let it sooner."""

ENDING = {
    int(getattr(signal, name)): name
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
}

INTERRUPTED = "interrupted"
_alone = threading.Event()
"""Set if the command is the whole process, which may then end the process."""
_last_word = threading.Lock()
"""Held by the thread that reports the interruption, which is reported once."""
_said = threading.Event()
"""Set when that thread has reported it."""


@contextmanager
def as_exceptions() -> Iterator[None]:
    """In the block SIGTERM and SIGHUP are exceptions, as SIGINT always is in Python.

    What the program was started deaf to, as by nohup, it stays deaf to.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDING if number != signal.SIGINT}
    before = {number: how for number, how in before.items() if how is signal.SIG_DFL}
    try:
        for number in before:
            signal.signal(number, _raise)
        yield
    finally:
        for number, how in before.items():
            signal.signal(number, how)


def _raise(number: int, _frame: FrameType | None) -> NoReturn:
    """End through every ``finally``; what comes after the first signal must not disturb that."""
    for each in ENDING:
        signal.signal(each, pass_over)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)


# ---------------------------------------------------------------- a process of its own


def end_soon(as_json: bool) -> None:
    """From now on every ending signal ends this process soon, whatever it is doing."""
    _alone.set()
    forget_last_word()
    heard = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]

    def handle(number: int, frame: FrameType | None) -> NoReturn:
        if _is_importing(frame) and not is_anything_unfinished():
            _end(number, as_json)
        _raise(number, frame)

    for number in heard:
        signal.signal(number, handle)
    sys.unraisablehook = _tell_unless_ended
    reading, writing = os.pipe()
    if sys.platform != "win32":  # which never waits here
        os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading, as_json), daemon=True).start()


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _watch(reading: int, as_json: bool) -> None:
    """Wait for a signal, and then for the end of the program, for a while."""
    while (number := os.read(reading, 1)[0]) not in ENDING:
        pass
    time.sleep(PATIENCE)
    _end(number, as_json)


def _end(number: int, as_json: bool) -> NoReturn:
    """Remove unfinished files and end the process at once."""
    if not takes_last_word():
        wait_until_said()
    elif number == signal.SIGINT:
        _say(as_json)
        note_said()
    remove_unfinished()
    os._exit(128 + number)


def leave(code: int) -> None:
    """End the process with ``code`` after an ending signal, from within the exception's handler.

    Objects that the exception refers to, maybe gigabytes, need not be freed, and a thread may
    still work on abandoned results.
    """
    if _alone.is_set() and code - 128 in ENDING:
        remove_unfinished()
        os._exit(code)


def takes_last_word() -> bool:
    """Whether the caller has to report that the program was interrupted."""
    return _last_word.acquire(blocking=False)


def forget_last_word() -> None:
    """Reset the report of an interruption in a forked process."""
    _said.clear()
    if _last_word.locked():
        _last_word.release()


def wait_until_said() -> None:
    """Let the thread that reports the interruption do so before the process ends."""
    _said.wait(LAST_WORDS)


def note_said() -> None:
    """Let the process end: the interruption has been reported."""
    _said.set()


def _say(as_json: bool) -> None:
    """Write without Python's streams, which may be in the middle of a write."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, b"\r\x1b[K\x1b[?25h")  # a progress bar hides the cursor
        if as_json:
            text = '{"ok": false, "error": {"kind": "interrupted", "message": "interrupted"}}\n'
            os.write(1, text.encode())
        else:
            os.write(2, f"{INTERRUPTED}\n".encode())


def _tell_unless_ended(lost: Any) -> None:
    """An exception of ours that no caller could get, as in a finalizer, is not reported."""
    if not isinstance(lost.exc_value, (KeyboardInterrupt, SystemExit)):
        sys.__unraisablehook__(lost)
